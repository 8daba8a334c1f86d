//! Made-up workspaces, each a git repository with a base and a patch on top of it.

use camino::{Utf8Path, Utf8PathBuf};
use std::error::Error;
use std::fmt::Write;
use std::process::Command;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// A workspace in a temporary folder; removed when dropped.
pub struct Workspace {
    _dir: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Workspace {
    /// One crate of so many modules; the patch gives each a function with three mutants, and one test that calls them all.
    pub fn of_files(files: usize) -> Fallible<Workspace> {
        Workspace::of_functions(files, 1)
    }

    /// As [`Workspace::of_files`], with so many functions in each module, of which the test calls the first.
    pub fn of_functions(files: usize, functions: usize) -> Fallible<Workspace> {
        let workspace = Workspace::new()?;
        let (mut root, mut test) = (String::new(), String::from("#[test]\nfn all() {\n    let mut sum = 0u64;\n"));
        for file in 0..files {
            writeln!(root, "pub mod m{file};")?;
            writeln!(test, "    sum += bench::m{file}::f(3, {file});")?;
        }
        writeln!(test, "    assert_eq!(sum, {});\n}}", (0..files).map(|file| 3 + file).sum::<usize>())?;
        workspace.write("Cargo.toml", "[package]\nname = \"bench\"\nedition = \"2021\"\n")?;
        workspace.write("src/lib.rs", &root)?;
        let module = |line: &str| {
            let function =
                |name: String| format!("\n/// A sum.\npub fn {name}(a: u64, b: u64) -> u64 {{\n    {line}\n}}\n");
            let more: String = (1..functions).map(|number| function(format!("f{number}"))).collect();
            format!("//! A module.\n{}{more}", function("f".to_owned()))
        };
        for file in 0..files {
            workspace.write(&format!("src/m{file}.rs"), &module("a.max(b)"))?;
        }
        workspace.commit("base")?;
        for file in 0..files {
            workspace.write(&format!("src/m{file}.rs"), &module("a + b"))?;
        }
        workspace.write("tests/it.rs", &test)?;
        workspace.commit("patch")?;
        Ok(workspace)
    }

    /// So many crates, each using the one before; the patch is a function and its test in the first.
    pub fn of_crates(crates: usize) -> Fallible<Workspace> {
        let workspace = Workspace::new()?;
        workspace.write("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n")?;
        for index in 0..crates {
            let mut manifest = format!("[package]\nname = \"c{index}\"\nedition = \"2021\"\n");
            if index > 0 {
                let before = index - 1;
                write!(manifest, "\n[dependencies]\nc{before} = {{ path = \"../c{before}\" }}\n")?;
            }
            workspace.write(&format!("crates/c{index}/Cargo.toml"), &manifest)?;
            workspace.write(
                &format!("crates/c{index}/src/lib.rs"),
                &format!("/// A number.\npub fn n() -> u32 {{\n    {index}\n}}\n"),
            )?;
        }
        workspace.commit("base")?;
        let patched = "/// A number.\npub fn n() -> u32 {\n    0\n}\n\n/// Whether it is large.\npub fn large(n: u32) -> bool {\n    n + 1 > 10\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn ten_is_large_and_nine_is_not() {\n        assert!(super::large(10) && !super::large(9));\n    }\n}\n";
        workspace.write("crates/c0/src/lib.rs", patched)?;
        workspace.commit("patch")?;
        Ok(workspace)
    }

    /// Its root.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    fn new() -> Fallible<Workspace> {
        let dir = tempfile::Builder::new().prefix("hunkmut-growth-").tempdir()?;
        let root = Utf8PathBuf::from_path_buf(dir.path().canonicalize()?).map_err(|_| "the path is not UTF-8")?;
        let workspace = Workspace { _dir: dir, root };
        workspace.git(&["init", "--quiet", "-b", "main"])?;
        workspace.write(".gitignore", "/target\nCargo.lock\n")?;
        Ok(workspace)
    }

    fn write(&self, path: &str, text: &str) -> Fallible<()> {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
        Ok(std::fs::write(path, text)?)
    }

    fn commit(&self, message: &str) -> Fallible<()> {
        self.git(&["add", "--all"])?;
        let who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"];
        self.git(&[&who[..], &["commit", "--quiet", "--message", message]].concat())
    }

    fn git(&self, args: &[&str]) -> Fallible<()> {
        let output = Command::new("git").args(args).current_dir(&self.root).output()?;
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
    }
}
