//! File names as diffs write them: C-quoted when they hold unusual bytes, with or without `a/` and `b/`.

/// The bytes behind a C-quoted name and what follows its closing quote; `None` when the quoting is broken.
///
/// The escapes are those of git's `quote.c`, which GNU diff shares: `\a \b \t \n \v \f \r \" \\` and three octal digits.
pub(super) fn unquote(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (&escape, after) = rest.split_first()?;
                rest = after;
                name.push(match escape {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => escape,
                    b'0'..=b'3' => {
                        let (digits, after) = rest.split_at_checked(2)?;
                        rest = after;
                        let octal = |d: u8| matches!(d, b'0'..=b'7').then(|| d - b'0');
                        (escape - b'0') * 64 + octal(digits[0])? * 8 + octal(digits[1])?
                    }
                    _ => return None,
                });
            }
            other => name.push(other),
        }
    }
}

/// A name after `--- `, `rename from ` and the like: quoted, or plain up to a tab (GNU diff puts the time there, git
/// marks the end of a name with spaces by it).
pub(super) fn name(text: &[u8]) -> Option<String> {
    let bytes = if text.starts_with(b"\"") {
        unquote(text)?.0
    } else {
        text.split(|b| *b == b'\t').next().unwrap_or_default().to_vec()
    };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The path behind the two names of one file that was not renamed. Equal names have no prefix; names that are equal
/// after their first component have one each (`a/` and `b/`, `i/` and `w/`, `old/` and `new/` …).
pub(super) fn common_path(old: &str, new: &str) -> Option<String> {
    if old == new {
        return Some(new.to_owned());
    }
    let (old, new) = (old.split_once('/')?.1, new.split_once('/')?.1);
    (old == new).then(|| new.to_owned())
}

/// The path in `diff --git OLD NEW` of a file that was not renamed. Names without quotes may hold spaces; only a split
/// into two names of the same file counts.
pub(super) fn header_path(rest: &[u8]) -> Option<String> {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if rest.starts_with(b"\"") {
        let (old, rest) = unquote(rest)?;
        return common_path(&lossy(&old), &name(rest.strip_prefix(b" ")?)?);
    }
    if rest.ends_with(b"\"") {
        let at = rest.windows(2).position(|w| w == b" \"")?;
        return common_path(&lossy(&rest[..at]), &name(&rest[at + 1..])?);
    }
    // Both names are almost as long as each other, so the middle comes first; the ends cover odd prefixes.
    let text = lossy(rest);
    let middle = text.len() / 2;
    let mut spaces: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
    spaces.sort_by_key(|at| at.abs_diff(middle));
    spaces.into_iter().take(64).find_map(|at| common_path(&text[..at], &text[at + 1..]))
}

/// The path in `Submodule PATH OLD..NEW:` or `Submodule PATH contains untracked content`, as `--submodule=log` writes it;
/// `None` for prose that happens to begin alike.
pub(super) fn submodule_path(text: &str) -> Option<&str> {
    if let Some((path, what)) = text.rsplit_once(" contains ") {
        return matches!(what, "untracked content" | "modified content").then_some(path);
    }
    let is_id = |id: &str| id.len() >= 7 && id.bytes().all(|b| b.is_ascii_hexdigit());
    let is_range = |word: &str| {
        let ids = word.trim_end_matches(':').split_once("..");
        ids.is_some_and(|(old, new)| is_id(old) && is_id(new.trim_start_matches('.')))
    };
    let (path, _) = text
        .match_indices(' ')
        .map(|(at, _)| text.split_at(at))
        .find(|(_, rest)| is_range(rest[1..].split(' ').next().unwrap_or_default()))?;
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_name_gives_back_its_bytes() {
        let (bytes, rest) = unquote(br#""a/\303\251t\"\\\t.rs" tail"#).unwrap();
        assert_eq!((String::from_utf8(bytes).unwrap().as_str(), rest), ("a/ét\"\\\t.rs", &b" tail"[..]));
        assert!(unquote(br#""open"#).is_none());
        assert!(unquote(br#""bad \q""#).is_none());
    }

    #[test]
    fn a_header_is_split_where_both_halves_name_the_same_file() {
        let path = |header: &str| header_path(header.as_bytes());
        assert_eq!(path("a/x b/y.rs b/x b/y.rs").as_deref(), Some("x b/y.rs"));
        assert_eq!(path("b/x.rs b/x.rs").as_deref(), Some("b/x.rs"), "no prefix: `b` is a folder");
        assert_eq!(path("old/x.rs new/x.rs").as_deref(), Some("x.rs"));
        assert_eq!(path(r#""a/\303\251" "b/\303\251""#).as_deref(), Some("é"));
        assert_eq!(path("a/one b/two"), None);
    }

    #[test]
    fn a_submodules_log_is_told_from_prose() {
        assert_eq!(submodule_path("my sub 1111111..2222222:"), Some("my sub"));
        assert_eq!(submodule_path("sub 0000000...2222222 (new submodule)"), Some("sub"));
        assert_eq!(submodule_path("sub contains modified content"), Some("sub"));
        assert_eq!(submodule_path("handling contains a bug .. or two"), None);
        assert_eq!(submodule_path("update"), None);
    }
}
