//! Where the processes of a test may write, and the threads that start them there.
//!
//! A mutated test may delete or overwrite whatever it names. On Linux, Landlock keeps it within its own temporary folder;
//! a test that passes only with more room on the unmutated tree gets that, step by step, and is named.

use super::os;
use crate::error::{Context, Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};

/// How much of the machine a test may touch, narrowest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confinement {
    /// Writes only below its own temporary folder; limits of memory and file size.
    #[default]
    Full,
    /// Writes anywhere but in the repository and what is built from it; no limits of memory and file size.
    Tree,
    /// As the user's own test run, with the user's own temporary folder.
    Off,
}

impl Confinement {
    /// The next wider one.
    pub fn wider(self) -> Option<Confinement> {
        match self {
            Confinement::Full => Some(Confinement::Tree),
            Confinement::Tree => Some(Confinement::Off),
            Confinement::Off => None,
        }
    }
}

/// What is wanted for all tests of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Whether writes are confined at all.
    pub confine: bool,
    /// Whether tests may use TCP.
    pub no_tcp: bool,
    /// Folders and files besides the test's own that every test may write to.
    pub writable: Vec<PathBuf>,
    /// What stays out of reach under [`Confinement::Tree`]: the repository and the folders of builds.
    pub protected: Vec<PathBuf>,
}

/// Devices and the like that harm nobody.
const HARMLESS: [&str; 9] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/shm",
];

impl Sandbox {
    /// Restricts the calling thread, for good.
    fn enter(&self, confinement: Confinement, own: &[PathBuf]) -> std::io::Result<()> {
        if !self.confine || confinement == Confinement::Off {
            return Ok(());
        }
        let mut writable = own.to_vec();
        writable.extend(self.writable.iter().cloned());
        match confinement {
            Confinement::Full => writable.extend(HARMLESS.iter().map(PathBuf::from)),
            Confinement::Tree => writable.extend(all_but(&self.protected)),
            Confinement::Off => {}
        }
        os::restrict(&writable, !self.no_tcp).map(|_| ())
    }

    /// Tries it out in `scratch` and says what this system enforces.
    pub fn probe(&self, scratch: &Path) -> Enforced {
        if !self.confine {
            return Enforced::Nothing("it is switched off");
        }
        let (inside, outside) = (scratch.join("inside"), scratch.join("outside"));
        if std::fs::create_dir_all(&inside).and_then(|()| std::fs::create_dir_all(&outside)).is_err() {
            return Enforced::Nothing("it could not be tried out");
        }
        let no_tcp = self.no_tcp;
        let tried = std::thread::spawn(move || {
            let restricted = os::restrict(std::slice::from_ref(&inside), !no_tcp).ok()?;
            let writes = |dir: &Path| std::fs::write(dir.join("probe"), "x").is_ok();
            (restricted.writes && writes(&inside) && !writes(&outside)).then_some(restricted.all)
        });
        match tried.join() {
            Ok(Some(true)) => Enforced::All,
            Ok(Some(false)) => Enforced::Most,
            Ok(None) | Err(_) => Enforced::Nothing("this system does not offer Landlock"),
        }
    }
}

/// What a system enforces of a [`Sandbox`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enforced {
    /// Everything.
    All,
    /// Writing outside is denied, but this kernel is too old for the rest (truncation, TCP, signals).
    Most,
    /// Nothing, and why.
    Nothing(&'static str),
}

/// Everything in the file system but some folders: the neighbours of each folder on the way to them.
fn all_but(protected: &[PathBuf]) -> Vec<PathBuf> {
    let mut open = Vec::new();
    collect(Path::new("/"), protected, &mut open);
    open
}

fn collect(dir: &Path, protected: &[PathBuf], open: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if protected.contains(&path) {
            continue;
        }
        if protected.iter().any(|inner| inner.starts_with(&path)) {
            collect(&path, protected, open);
        } else if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
            // a link would open what it points at
            open.push(path);
        }
    }
}

/// A thread that starts processes under one confinement.
#[derive(Debug)]
pub struct Spawner(Sender<(Command, Sender<std::io::Result<Child>>)>);

impl Spawner {
    /// A thread that may write below `own` besides.
    ///
    /// # Errors
    /// When the thread cannot be made or restricted.
    pub fn new(sandbox: &Sandbox, confinement: Confinement, own: Vec<PathBuf>) -> Result<Spawner> {
        let doing = || "confine the tests".to_owned();
        let (jobs, queue) = channel::<(Command, Sender<std::io::Result<Child>>)>();
        let (ready, entered) = channel();
        let sandbox = sandbox.clone();
        let thread = move || {
            if ready.send(sandbox.enter(confinement, &own)).is_ok() {
                for (mut command, reply) in queue {
                    // whoever has gone away has no use for it
                    let _ = reply.send(command.spawn());
                }
            }
        };
        std::thread::Builder::new().name("start tests".into()).spawn(thread).doing(doing)?;
        match entered.recv() {
            Ok(entered) => entered.doing(doing)?,
            Err(_) => return Err(Error::new(doing(), "its thread ended")),
        }
        Ok(Spawner(jobs))
    }

    /// Starts a process.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn spawn(&self, command: Command) -> std::io::Result<Child> {
        let (reply, answer) = channel();
        let gone = || std::io::Error::other("the thread that starts tests has ended");
        self.0.send((command, reply)).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn confined(dir: &Path) -> Sandbox {
        Sandbox { confine: true, protected: vec![dir.join("tree")], ..Sandbox::default() }
    }

    /// Whether a shell that tries to write to a file in each folder can.
    fn writes(sandbox: &Sandbox, confinement: Confinement, own: &Path, dirs: [&Path; 3]) -> [bool; 3] {
        let spawner = Spawner::new(sandbox, confinement, vec![own.to_owned()]).unwrap();
        dirs.map(|dir| {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", "echo x > $0/file"]).arg(dir).stderr(std::process::Stdio::null());
            spawner.spawn(command).unwrap().wait().unwrap().success()
        })
    }

    #[test]
    fn each_confinement_denies_what_it_says() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let [own, tree, beside] = ["own", "tree", "beside"].map(|name| dir.join(name));
        for dir in [&own, &tree, &beside] {
            std::fs::create_dir(dir).unwrap();
        }
        let sandbox = confined(&dir);
        if let Enforced::Nothing(why) = sandbox.probe(&dir.join("probe")) {
            eprintln!("not checked: {why}");
            return;
        }
        let writes = |confinement| writes(&sandbox, confinement, &own, [&own, &beside, &tree]);
        assert_eq!(writes(Confinement::Full), [true, false, false]);
        assert_eq!(writes(Confinement::Tree), [true, true, false]);
        assert_eq!(writes(Confinement::Off), [true, true, true]);
    }

    #[test]
    fn a_confined_process_cannot_signal_this_one() {
        let dir = tempfile::tempdir().unwrap();
        let sandbox = confined(dir.path());
        if sandbox.probe(dir.path()) != Enforced::All {
            return;
        }
        let spawner = Spawner::new(&sandbox, Confinement::Full, vec![]).unwrap();
        let mut command = Command::new("/bin/kill");
        command.arg("-0").arg(std::process::id().to_string()).stderr(std::process::Stdio::null());
        assert!(!spawner.spawn(command).unwrap().wait().unwrap().success());
    }

    #[test]
    fn what_is_switched_off_is_said_to_be() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Sandbox::default().probe(dir.path()), Enforced::Nothing(_)));
    }
}
