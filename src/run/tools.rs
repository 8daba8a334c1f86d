//! The tools of a run: compiler, cargo metadata, this program, and a lock against a second run.

use super::session::Session;
use crate::archive;
use crate::build::Builder;
use crate::error::{Context, Error, Result};
use crate::exec::Ending;
use crate::process::Cmd;
use crate::runner;
use crate::weave::{self, runtime::Runtime};
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Metadata, MetadataCommand};
use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;

/// What a run works with.
pub struct Tools {
    /// This program.
    pub program: Utf8PathBuf,
    /// `rustc -V`.
    pub rustc_version: String,
    /// A workspace wrapper of the user's own.
    pub chained: Vec<String>,
    /// The compiled runtime crate.
    pub runtime: Runtime,
    /// When builds have to end.
    pub ending: Arc<Ending>,
}

impl Tools {
    /// Finds the tools and compiles the runtime crate.
    ///
    /// # Errors
    /// When there is no compiler, the cargo configuration does not load, or the runtime does not compile.
    pub fn find(session: &Session, ending: Arc<Ending>) -> Result<Tools> {
        let program = program()?;
        let root = &session.workspace.root;
        let reading = || format!("read the cargo configuration of `{root}`");
        let config = cargo_config2::Config::load_with_cwd(root).doing(reading)?;
        let rustc = runner::compiler(&config).to_string_lossy().into_owned();
        let version = Cmd::new(&rustc).arg("-vV").cwd(root).run()?.text();
        let chained = match &config.build.rustc_workspace_wrapper {
            // A run inside a run (a test of this program, say) must not wrap itself.
            Some(path) if path.as_path() != program.as_std_path() => vec![path.to_string_lossy().into_owned()],
            _ => Vec::new(),
        };
        let target = session.options.target.as_deref();
        let runtime = weave::runtime::compile(&session.hunkmut_dir, &rustc, &version, target)?;
        let rustc_version = version.lines().next().unwrap_or_default().to_owned();
        Ok(Tools { program, rustc_version, chained, runtime, ending })
    }
}

impl Tools {
    /// Those of a machine that compiles nothing: what is asked of a builder then is about texts alone.
    ///
    /// # Errors
    /// When this program cannot be found.
    pub fn of_archive(build: &archive::Build, ending: Arc<Ending>) -> Result<Tools> {
        let runtime = Runtime { rlib: Utf8PathBuf::new(), digest: String::new() };
        Ok(Tools { program: program()?, rustc_version: build.rustc.clone(), chained: Vec::new(), runtime, ending })
    }

    /// A builder of some test targets of a session.
    pub fn builder<'a>(&'a self, session: &'a Session, targets: &'a BTreeSet<(usize, usize)>) -> Builder<'a> {
        Builder {
            tree: &session.comparison.tree,
            workspace: &session.workspace,
            modules: &session.modules,
            scope: &session.scope,
            mutants: &session.plan.threads,
            options: &session.options,
            hunkmut_dir: &session.hunkmut_dir,
            build_dir: session.workspace.build_dir.as_deref(),
            targets,
            program: &self.program,
            chained: &self.chained,
            runtime: &self.runtime,
            ending: &self.ending,
        }
    }
}

fn program() -> Result<Utf8PathBuf> {
    let program = std::env::current_exe().doing(|| "find this program".into())?;
    Utf8PathBuf::from_path_buf(program)
        .map_err(|path| Error::new("name this program to cargo", format!("`{}` is not UTF-8", path.display())))
}

/// The whole of `cargo metadata`, also as a file for nextest.
pub fn metadata(session: &Session, root: &Utf8Path, file: &Utf8Path) -> Result<Metadata> {
    let cargo = std::env::var_os("CARGO").filter(|cargo| !cargo.is_empty()).unwrap_or_else(|| "cargo".into());
    let cmd = Cmd::new(cargo).args(["metadata", "--format-version", "1", "--color", "never"]);
    let text = cmd.args(session.options.metadata_flags()).cwd(root).run()?.text();
    weave::write_if_changed(file, text.as_bytes())?;
    MetadataCommand::parse(text).doing(|| "read what `cargo metadata` printed".into())
}

/// cargo writes a `Cargo.lock` where there is none. In the user's own tree it is taken away again.
pub struct Lockfile(Option<Utf8PathBuf>);

impl Lockfile {
    /// Remembers whether there is one.
    pub fn watch(session: &Session) -> Lockfile {
        let path = session.workspace.root.join("Cargo.lock");
        Lockfile((session.comparison.in_place() && !path.exists()).then_some(path))
    }
}

impl Drop for Lockfile {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Where it cannot be removed, the report says that the tree changed.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Keeps a second run in the same workspace out while this one lasts.
pub struct Lock(#[allow(dead_code)] File);

impl Lock {
    /// Takes the lock; `waiting` is called once when another run holds it.
    ///
    /// # Errors
    /// When the lock file cannot be made.
    pub fn take(hunkmut_dir: &Utf8Path, waiting: impl FnOnce()) -> Result<Lock> {
        let path = hunkmut_dir.join("lock");
        let doing = || format!("lock `{path}`");
        std::fs::create_dir_all(hunkmut_dir).doing(doing)?;
        let file = File::create(&path).doing(doing)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                waiting();
                file.lock().doing(doing)?;
            }
            // Some network file systems know no locks: then nothing protects, as before.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        Ok(Lock(file))
    }
}
