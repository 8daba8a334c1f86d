//! Where a fixture says that its bytes come from: a comment in its own syntax, or a file beside it.

/// The extension of a file beside a fixture: `x.txt.provenance`.
pub const SIDECAR: &str = ".provenance";

/// Where the bytes of a fixture come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Taken from the world.
    Recorded,
    /// Made up.
    Synthesized,
    /// Another file of the repository, changed.
    MutatedFrom(String),
}

/// A whole header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Where the bytes come from.
    pub origin: Origin,
    /// Who answers for them.
    pub owner: String,
    /// How anybody knows what is right.
    pub oracle: String,
}

/// A header stands in the first lines.
const LINES: usize = 30;

/// Reads a header from a fixture's own text.
///
/// # Errors
/// What is missing or wrong, in words.
pub fn of_fixture(path: &str, text: &str) -> Result<Provenance, String> {
    let leaders = leaders(path);
    if leaders.is_empty() {
        return Err("its syntax has no comments: put the header into a file beside it".to_owned());
    }
    let comment = |line: &str| {
        let line = line.trim();
        let inside = leaders.iter().find_map(|leader| line.strip_prefix(leader))?;
        Some(inside.trim_end_matches("*/").trim_end_matches("-->").trim().to_owned())
    };
    read(text.lines().take(LINES).filter_map(comment))
}

/// Reads a header from the file beside a fixture.
///
/// # Errors
/// What is missing or wrong, in words.
pub fn of_sidecar(text: &str) -> Result<Provenance, String> {
    read(text.lines().map(|line| line.trim().trim_start_matches(['#', '/', ';']).trim().to_owned()))
}

fn read(lines: impl Iterator<Item = String>) -> Result<Provenance, String> {
    let (mut origin, mut owner, mut oracle) = (None, None, None);
    for line in lines {
        let Some((key, value)) = line.split_once(':') else { continue };
        let slot = match key.trim() {
            "provenance" => &mut origin,
            "owner" => &mut owner,
            "oracle" => &mut oracle,
            _ => continue,
        };
        slot.get_or_insert(value.trim().to_owned());
    }
    let said = |slot: Option<String>, name: &str| match slot {
        Some(value) if !value.is_empty() => Ok(value),
        Some(_) => Err(format!("`{name}:` says nothing")),
        None => Err(format!("`{name}:` is missing")),
    };
    let origin = said(origin, "provenance")?;
    let origin = match origin.as_str() {
        "recorded" => Origin::Recorded,
        "synthesized" => Origin::Synthesized,
        other => match other.strip_prefix("mutated-from:").map(str::trim) {
            Some(from) if !from.is_empty() => Origin::MutatedFrom(from.to_owned()),
            _ => return Err(format!("`provenance: {other}` is none of recorded, synthesized, mutated-from:<path>")),
        },
    };
    Ok(Provenance { origin, owner: said(owner, "owner")?, oracle: said(oracle, "oracle")? })
}

/// What a comment may begin with. For files whose syntax is not known, the usual ones.
fn leaders(path: &str) -> &'static [&'static str] {
    const SLASHES: &[&str] = &["///", "//!", "//", "/*", "*"];
    const HASH: &[&str] = &["#"];
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase().as_str() {
        "json" | "png" | "jpg" | "gif" | "gz" | "zip" | "bin" | "wasm" | "pdf" => &[],
        "rs" | "c" | "h" | "cpp" | "js" | "ts" | "java" | "go" | "proto" | "swift" | "kt" | "css" | "scss"
        | "jsonc" | "json5" => SLASHES,
        "toml" | "yaml" | "yml" | "sh" | "py" | "rb" | "pl" | "conf" | "cfg" | "env" | "properties" => HASH,
        "ini" => &["#", ";"],
        "html" | "xml" | "svg" | "md" | "xhtml" => &["<!--"],
        "sql" | "lua" | "hs" | "adb" => &["--"],
        "tex" | "erl" => &["%"],
        "lisp" | "el" | "clj" | "asm" => &[";"],
        _ => &["#", "///", "//", "/*", "*", ";", "--", "%", "<!--"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(leader: &str, origin: &str) -> String {
        format!(
            "{leader} provenance: {origin}\n{leader} owner: a@example.com\n{leader} oracle: counted by hand\nrest\n"
        )
    }

    #[test]
    fn a_header_stands_in_comments_of_the_files_own_syntax() {
        let of = |path: &str, leader: &str| of_fixture(path, &header(leader, "recorded")).map(|p| p.origin);
        assert_eq!(of("a/x.toml", "#"), Ok(Origin::Recorded));
        assert_eq!(of("a/x.rs", "//"), Ok(Origin::Recorded));
        assert_eq!(of("a/x.sql", "--"), Ok(Origin::Recorded));
        assert_eq!(of("a/x.xml", "<!--"), Ok(Origin::Recorded));
        assert!(of("a/x.toml", "//").is_err());
        assert!(of("a/x.json", "#").unwrap_err().contains("beside it"));
    }

    #[test]
    fn a_header_is_whole_or_none() {
        let faults = |text: &str| of_sidecar(text).unwrap_err();
        assert!(faults("provenance: recorded\nowner: a\n").contains("oracle"));
        assert!(faults("provenance: recorded\nowner:\noracle: b\n").contains("owner"));
        assert!(faults("owner: a\noracle: b\n").contains("provenance"));
        assert!(faults("provenance: found\nowner: a\noracle: b\n").contains("found"));
        assert!(faults("provenance: mutated-from:\nowner: a\noracle: b\n").contains("mutated-from"));
        let whole = of_sidecar("provenance: mutated-from:tests/fixtures/a.txt\nowner: a\noracle: b\n").unwrap();
        assert_eq!(whole.origin, Origin::MutatedFrom("tests/fixtures/a.txt".to_owned()));
    }
}
