//! The ledger: survivors that a person has excused in writing.
//!
//! An entry names one mutant and the tokens of the item around it, so that it lapses as soon as the code it speaks of
//! changes. It is read from the merge base: what the patch itself adds is not honoured unless asked for, and makes every
//! gate hold. The program never writes an entry by itself.

mod command;
mod edit;
mod excuse;
mod hold;

pub use command::run;
pub use edit::{append, without};
pub use excuse::excuse;
pub use hold::{Entries, Held, Problem, Why, hold};

use crate::error::{Error, Result};
use crate::freeze::date::Date;
use crate::text::sha256;
use serde::{Deserialize, Serialize};

/// The fewest characters of a reason.
pub const LEAST_REASON: usize = 20;

/// One excused mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Excusal {
    /// The mutant's ID.
    pub mutant: String,
    /// Hex SHA-256 of the enclosing item's tokens.
    pub item: String,
    /// Path in the repository when it was written.
    pub file: String,
    /// Who answers for it.
    pub owner: String,
    /// Why no test can or need kill it; at least [`LEAST_REASON`] characters.
    pub reason: String,
    /// When it was written.
    pub date: Date,
    /// The last day on which it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Date>,
    /// What proves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// What proves that a mutant is equivalent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// The compiler makes the same code of both.
    EquivalentByCompiler,
}

impl Excusal {
    /// What is wrong with the entry by itself.
    fn flaw(&self) -> Option<String> {
        if !self.mutant.starts_with("m-") {
            return Some(format!("`{}` is no mutant ID", self.mutant));
        }
        if self.item.len() != 64 || !self.item.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Some("its `item` is no SHA-256".to_owned());
        }
        if self.owner.trim().is_empty() {
            return Some("it has no owner".to_owned());
        }
        let written = self.reason.trim().chars().count();
        (written < LEAST_REASON).then(|| format!("its reason has {written} characters, fewer than {LEAST_REASON}"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    excusal: Vec<toml::Value>,
}

/// Reads a ledger: each entry, or what is wrong with it, in order.
///
/// # Errors
/// When the text is no TOML or has other tables than `[[excusal]]`. `origin` names it there.
pub fn parse(text: &str, origin: &str) -> Result<Vec<std::result::Result<Excusal, String>>> {
    let file: File = toml::from_str(text).map_err(|why| {
        Error::new(format!("read the ledger `{origin}`"), why.to_string().trim_end())
            .hint("entries are `[[excusal]]` tables; `cargo hunkmut excuse` writes them")
    })?;
    let entry = |value: toml::Value| {
        let named = value.get("mutant").and_then(|id| id.as_str()).unwrap_or("an entry").to_owned();
        let entry: Excusal = value.try_into().map_err(|why: toml::de::Error| format!("{named}: {}", why.message()))?;
        match entry.flaw() {
            Some(flaw) => Err(format!("{named}: {flaw}")),
            None => Ok(entry),
        }
    };
    Ok(file.excusal.into_iter().map(entry).collect())
}

/// Hex SHA-256 of the tokens of an item: white space and comments do not count.
pub fn item_hash(code: &str) -> String {
    match code.parse::<proc_macro2::TokenStream>() {
        Ok(tokens) => sha256(tokens.to_string()),
        Err(_) => sha256(code.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn entry(mutant: &str, item: &str) -> Excusal {
        Excusal {
            mutant: mutant.into(),
            item: item_hash(item),
            file: "src/lib.rs".into(),
            owner: "ann".into(),
            reason: "both sides of the limit cost the same".into(),
            date: "2026-01-02".parse().unwrap(),
            expires: None,
            proof: None,
        }
    }

    #[test]
    fn an_entry_comes_back_as_it_was_written() {
        let entry = Excusal {
            expires: Some("2027-01-02".parse().unwrap()),
            proof: Some(Proof::EquivalentByCompiler),
            reason: "\"quoted\" and\nbroken, with a \\ in it".into(),
            ..entry("m-0a", "fn f() {}")
        };
        let text = append("# ours\n", &entry);
        assert_eq!(parse(&text, "x").unwrap(), [Ok(entry)]);
        assert!(text.starts_with("# ours\n"));
    }

    #[test]
    fn an_entry_that_says_too_little_is_named_with_what_it_lacks() {
        let said = |entry: &Excusal| parse(&append("", entry), "x").unwrap()[0].clone().unwrap_err();
        assert!(said(&Excusal { reason: "equivalent".into(), ..entry("m-1", "") }).contains("fewer than 20"));
        assert!(said(&Excusal { owner: " ".into(), ..entry("m-1", "") }).contains("owner"));
        assert!(said(&Excusal { item: "ab".into(), ..entry("m-1", "") }).contains("SHA-256"));
        let text = "[[excusal]]\nmutant = \"m-1\"\n";
        assert!(parse(text, "x").unwrap()[0].clone().unwrap_err().starts_with("m-1: missing field"));
        assert!(parse("[[excuse]]\n", "x").is_err());
    }

    #[test]
    fn formatting_and_comments_do_not_change_an_item_and_tokens_do() {
        assert_eq!(item_hash("fn f() { g(1) }"), item_hash("fn f() {\n    // why\n    g( 1 )\n}"));
        assert_ne!(item_hash("fn f() { g(1) }"), item_hash("fn f() { g(2) }"));
    }
}
