//! What keeps test processes away from the user's files, and what of it this machine enforces.

use super::progress::Progress;
use super::session::Session;
use crate::error::{Error, Result};
use crate::exec::{Confinement, Enforced, Sandbox};
use crate::policy::SandboxMode;
use crate::runner::Baseline;
use camino::Utf8Path;
use std::path::PathBuf;

/// What the policy wants for the tests of a session.
pub fn sandbox(session: &Session) -> Sandbox {
    let wanted = &session.policy.sandbox;
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned()).into_std_path_buf();
    let root = session.repo.root();
    let target = session.hunkmut_dir.join("target");
    let build_dir = session.workspace.build_dir.as_deref().unwrap_or(&target);
    let protected = [root, &session.comparison.tree, &session.hunkmut_dir, build_dir];
    // `CARGO_TARGET_TMPDIR` of integration tests and benches
    let scratch = [target.join("tmp"), build_dir.join("tmp"), session.hunkmut_dir.join("t").join(crate::runner::STORE)];
    let _ = std::fs::create_dir_all(&scratch[2]);
    let writable =
        scratch.iter().map(|path| real(path)).chain(wanted.writable.iter().map(|path| real(&root.join(path))));
    Sandbox {
        confine: wanted.mode != SandboxMode::Off,
        no_tcp: !wanted.tcp,
        writable: writable.collect::<Vec<PathBuf>>(),
        protected: protected.map(real).into(),
    }
}

/// Tries it out and says what is enforced: whether writes are confined, and a note for the report.
///
/// # Errors
/// When the policy requires what this machine does not enforce.
pub fn announce(session: &Session, sandbox: &Sandbox, progress: &Progress) -> Result<(bool, String)> {
    let enforced = sandbox.probe(session.hunkmut_dir.join("t/probe").as_std_path());
    let said = match enforced {
        Enforced::All if sandbox.no_tcp => {
            "tests write only to temporary folders below target and use no TCP (Landlock)"
        }
        Enforced::All => "tests write only to temporary folders below target (Landlock)",
        Enforced::Most => "tests write only to temporary folders below target; this kernel denies no more than that",
        Enforced::Nothing(_) => "tests may write anywhere",
    };
    let said = match enforced {
        Enforced::Nothing(why) => format!("{said}: {why}"),
        Enforced::All | Enforced::Most => said.to_owned(),
    };
    if session.policy.sandbox.mode == SandboxMode::Required && enforced != Enforced::All {
        return Err(Error::new("confine the tests, as the policy requires", said)
            .hint("`mode = \"auto\"` under `[sandbox]` in the policy goes on without"));
    }
    progress.status("Confining", &said);
    Ok((!matches!(enforced, Enforced::Nothing(_)), said))
}

/// The tests that need more room than others, or nextest although it was not `forced`, as notes.
///
/// # Errors
/// When there is one and the policy does not let it have it.
pub fn exceptions(session: &Session, sandbox: &Sandbox, baseline: &Baseline, forced: bool) -> Result<Vec<String>> {
    let wider = baseline
        .tests
        .iter()
        .filter(|test| test.recorded.confinement != Confinement::Full || test.recorded.by_nextest && !forced);
    let notes: Vec<String> = wider
        .map(|test| {
            if test.recorded.by_nextest && !forced {
                return format!("`{}` does not pass when its command is repeated: nextest runs it each time", test.id);
            }
            let may = match test.recorded.confinement {
                Confinement::Tree if sandbox.confine => "it may write anywhere but in the repository",
                Confinement::Full | Confinement::Tree | Confinement::Off => "it runs as on the command line",
            };
            format!("`{}` does not pass with a temporary folder and limits of its own: {may}", test.id)
        })
        .collect();
    match (session.policy.sandbox.mode, notes.first()) {
        (SandboxMode::Required, Some(first)) => Err(Error::new("confine all tests, as the policy requires", first)
            .hint("list what it writes to as `writable` under `[sandbox]` in the policy")),
        (SandboxMode::Required | SandboxMode::Auto | SandboxMode::Off, _) => Ok(notes),
    }
}
