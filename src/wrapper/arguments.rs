//! The parts of a rustc command line that the wrapper needs: the crate root, and where dep-info goes.

use crate::workspace::canonical;
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::OsString;

/// A compilation of a crate from a file.
pub struct Invocation {
    expanded: Vec<OsString>,
    root: usize,
}

/// Options of rustc whose value is the next argument.
const WITH_VALUE: &[&str] = &[
    "-A",
    "-C",
    "-D",
    "-F",
    "-L",
    "-W",
    "-Z",
    "-l",
    "-o",
    "--allow",
    "--cap-lints",
    "--cfg",
    "--check-cfg",
    "--codegen",
    "--color",
    "--crate-name",
    "--crate-type",
    "--deny",
    "--diagnostic-width",
    "--edition",
    "--emit",
    "--env-set",
    "--error-format",
    "--explain",
    "--extern",
    "--forbid",
    "--force-warn",
    "--json",
    "--out-dir",
    "--print",
    "--remap-path-prefix",
    "--remap-path-scope",
    "--sysroot",
    "--target",
    "--warn",
];

impl Invocation {
    /// Finds the crate root; `None` when nothing is compiled from a file (`-vV`, `--print …`, `-`).
    pub fn of(args: &[OsString]) -> Option<Invocation> {
        let expanded = expand_files(args);
        let mut invocation = Invocation { expanded, root: 0 };
        let mut skip = false;
        let mut root = None;
        for (index, arg) in invocation.expanded.iter().enumerate() {
            let text = arg.to_string_lossy();
            if std::mem::take(&mut skip) {
                continue;
            }
            if text.starts_with('-') {
                skip = WITH_VALUE.contains(&&*text);
            } else if text.ends_with(".rs") {
                root = Some(index);
            }
        }
        invocation.root = root?;
        Some(invocation)
    }

    /// The crate root, absolute and free of symbolic links.
    pub fn root_path(&self) -> Utf8PathBuf {
        let text = self.expanded[self.root].to_string_lossy();
        let path = match std::env::current_dir().ok().and_then(|dir| Utf8PathBuf::from_path_buf(dir).ok()) {
            Some(dir) => dir.join(&*text),
            None => Utf8PathBuf::from(&*text),
        };
        canonical(&path)
    }

    /// The same command line with another crate root.
    pub fn with_root(&self, root: &Utf8Path) -> Vec<OsString> {
        let mut args = self.expanded.clone();
        args[self.root] = root.as_str().into();
        args
    }

    /// Whether the unit is compiled as its own test harness.
    pub fn is_test(&self) -> bool {
        self.expanded.iter().any(|arg| arg == "--test")
    }

    /// Whether more than checks is wanted. Crates that were only checked hold too little for others to generate code.
    pub fn generates_code(&self) -> bool {
        self.value("--emit").is_none_or(|emit| emit.split(',').any(|kind| kind == "link" || kind.starts_with("link=")))
    }

    /// Where rustc writes the dep-info that cargo reads.
    pub fn dep_info(&self) -> Option<Utf8PathBuf> {
        let emit = self.value("--emit")?;
        let dep = emit.split(',').find(|kind| *kind == "dep-info" || kind.starts_with("dep-info="))?;
        if let Some((_, path)) = dep.split_once('=') {
            return Some(path.into());
        }
        let dir = self.value("--out-dir")?;
        let name = self.value("--crate-name")?;
        let extra = self.codegen("extra-filename").unwrap_or_default();
        Some(Utf8PathBuf::from(dir).join(format!("{name}{extra}.d")))
    }

    fn value(&self, option: &str) -> Option<String> {
        let words: Vec<_> = self.expanded.iter().map(|arg| arg.to_string_lossy()).collect();
        words.iter().enumerate().find_map(|(i, word)| {
            if word == option {
                words.get(i + 1).map(|value| value.to_string())
            } else {
                word.strip_prefix(option)?.strip_prefix('=').map(str::to_owned)
            }
        })
    }

    fn codegen(&self, name: &str) -> Option<String> {
        let words: Vec<_> = self.expanded.iter().map(|arg| arg.to_string_lossy()).collect();
        words.iter().enumerate().find_map(|(i, word)| {
            let setting = match &**word {
                "-C" | "--codegen" => words.get(i + 1)?.to_string(),
                joined => joined.strip_prefix("-C")?.to_owned(),
            };
            setting.strip_prefix(name)?.strip_prefix('=').map(str::to_owned)
        })
    }
}

/// Replaces `@file` by the file's lines, as rustc does; a file that cannot be read is left for rustc to complain about.
fn expand_files(args: &[OsString]) -> Vec<OsString> {
    let mut expanded = Vec::new();
    for arg in args {
        let text = arg.to_string_lossy();
        match text.strip_prefix('@').and_then(|path| std::fs::read_to_string(path).ok()) {
            Some(lines) => expanded.extend(lines.lines().map(OsString::from)),
            None => expanded.push(arg.clone()),
        }
    }
    expanded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_root_is_found_among_options_with_values() {
        let args = words(
            "--crate-name a.rs --edition=2021 src/lib.rs --emit=dep-info,link -C extra-filename=-12 --out-dir /x",
        );
        let invocation = Invocation::of(&args).unwrap();
        assert!(invocation.root_path().ends_with("src/lib.rs"));
        assert_eq!(invocation.dep_info().unwrap(), "/x/a.rs-12.d");
        assert_eq!(invocation.with_root("/s/lib.rs".into())[3], "/s/lib.rs");
    }

    #[test]
    fn a_check_generates_no_code() {
        let of = |line: &str| Invocation::of(&words(line)).unwrap().generates_code();
        assert!(of("src/lib.rs --emit=dep-info,metadata,link"));
        assert!(of("src/lib.rs"));
        assert!(!of("src/lib.rs --emit=dep-info,metadata"));
    }

    #[test]
    fn questions_and_standard_input_are_no_compilation() {
        for line in ["-vV", "- --crate-name ___ --print=cfg", "--print sysroot"] {
            assert!(Invocation::of(&words(line)).is_none(), "{line}");
        }
    }

    #[test]
    fn response_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("args");
        std::fs::write(&file, "--crate-name\na\nsrc/main.rs\n").unwrap();
        let args = vec![OsString::from(format!("@{}", file.display()))];
        assert!(Invocation::of(&args).unwrap().root_path().ends_with("src/main.rs"));
    }
}
