//! From `.cargo/mutants.toml`, the configuration of cargo-mutants, to a policy.
//!
//! What has a counterpart is taken over, what is an option of the command line is said, and what has none is named:
//! nothing is dropped in silence. Keys: <https://mutants.rs/config.html>.

use crate::error::{Context, Result};
use crate::policy::Policy;
use toml::Value;

/// Where cargo-mutants looks, from the workspace's root.
pub const FILE: &str = ".cargo/mutants.toml";

/// A policy made from another tool's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// The policy's text.
    pub policy: String,
    /// One line for each key of the configuration: what became of it.
    pub said: Vec<String>,
}

/// Reads a configuration of cargo-mutants.
///
/// # Errors
/// When it is no TOML, or a value that would be taken over is of the wrong kind.
pub fn migrate(text: &str) -> Result<Migration> {
    let doing = || format!("read `{FILE}`");
    let config: toml::Table = text.parse().doing(doing)?;
    let mut policy = Policy::default_toml().replace("\r\n", "\n");
    let mut said = Vec::new();
    for (key, value) in &config {
        said.push(match key.as_str() {
            "exclude_globs" => {
                let globs: Vec<Value> = strings(key, value)?.iter().map(|glob| Value::String(anywhere(glob))).collect();
                set(&mut policy, "exclude = []", &format!("exclude = {}", Value::Array(globs)));
                format!("`{key}` became `paths.exclude`")
            }
            "timeout_multiplier" => {
                let factor = number(key, value)?.max(1.0);
                set(&mut policy, "multiplier = 5.0", &format!("multiplier = {factor:?}"));
                format!("`{key}` became `timeouts.multiplier`")
            }
            "minimum_test_timeout" => {
                let ms = (number(key, value)? * 1000.0).clamp(1.0, 1e9) as u64;
                set(&mut policy, "floor-ms = 3000", &format!("floor-ms = {ms}"));
                format!("`{key}` became `timeouts.floor-ms`")
            }
            "test_tool" if value.as_str() == Some("nextest") => {
                format!("`{key}`: cargo-nextest is used wherever it is installed")
            }
            "features" => format!("`{key}`: say `--features {}`", strings(key, value)?.join(",")),
            "all_features" | "no_default_features" | "profile" => {
                format!("`{key}`: an option of the command line, `--{}`", key.replace('_', "-"))
            }
            _ => format!("`{key}` has no counterpart"),
        });
    }
    Policy::parse(&policy, FILE)?;
    Ok(Migration { policy, said })
}

/// A pattern without a slash means a file's name there, and a path here.
fn anywhere(glob: &str) -> String {
    if glob.contains('/') { glob.trim_start_matches('/').to_owned() } else { format!("**/{glob}") }
}

/// Replaces a line of the default policy.
fn set(policy: &mut String, line: &str, by: &str) {
    assert!(policy.contains(&format!("\n{line}\n")), "the default policy has the line `{line}`");
    *policy = policy.replacen(&format!("\n{line}\n"), &format!("\n{by}\n"), 1);
}

fn strings(key: &str, value: &Value) -> Result<Vec<String>> {
    let list: Option<Vec<String>> = match value {
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        Value::String(one) => Some(vec![one.clone()]),
        _ => None,
    };
    list.ok_or("it is no list of strings").doing(|| format!("read `{key}` in `{FILE}`"))
}

fn number(key: &str, value: &Value) -> Result<f64> {
    let number = value.as_float().or_else(|| value.as_integer().map(|n| n as f64));
    number.filter(|n| n.is_finite()).ok_or("it is no number").doing(|| format!("read `{key}` in `{FILE}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_counterpart_is_taken_over_and_everything_is_said() {
        let migration = migrate(
            "exclude_globs = [\"src/main.rs\", \"*_gen.rs\"]\ntimeout_multiplier = 2\nminimum_test_timeout = 0.5\n\
             features = [\"a\", \"b\"]\nexclude_re = [\"impl Debug\"]\ntest_tool = \"nextest\"\n",
        )
        .unwrap();
        let policy = Policy::parse(&migration.policy, "x").unwrap();
        assert_eq!(policy.paths.exclude.patterns(), ["src/main.rs", "**/*_gen.rs"]);
        assert_eq!((policy.timeouts.multiplier.get(), policy.timeouts.floor_ms), (2.0, 500));
        let said = migration.said.join("\n");
        for words in ["`--features a,b`", "`exclude_re` has no counterpart", "wherever it is installed"] {
            assert!(said.contains(words), "{said}");
        }
        assert_eq!(migration.said.len(), 6);
    }

    #[test]
    fn an_empty_configuration_gives_the_default() {
        assert_eq!(migrate("").unwrap(), Migration { policy: Policy::default_toml().into(), said: vec![] });
    }

    #[test]
    fn what_cannot_be_read_is_an_error_that_names_the_file() {
        for bad in ["exclude_globs = 3", "timeout_multiplier = \"x\"", "minimum_test_timeout = nan", "="] {
            assert!(migrate(bad).unwrap_err().to_string().contains(".cargo/mutants.toml"), "{bad}");
        }
        assert!(migrate("exclude_globs = [\"src/[\"]").is_err());
    }
}
