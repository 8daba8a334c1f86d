//! A machine without a compiler: what an archive says takes the place of what cargo and the compiler would.

use super::rebuilds;
use super::session::Session;
use super::test_delta;
use crate::archive::{Alone, Build, Unpacked};
use crate::build::WovenBuild;
use crate::campaign::Outcome;
use crate::delta::{Candidates, Delta, NeedsBaseList};
use crate::error::{Context as _, Error, Result};
use crate::evidence::Suite;
use crate::runner::{Built, Context, Listing, Toolchain};
use crate::test_id::TestId;
use crate::weave;
use camino::Utf8PathBuf;
use cargo_metadata::MetadataCommand;
use std::time::Duration;

/// Where the standard library's own file lies, as in archives of nextest.
pub const STANDARD_LIBRARY: &str = "target/nextest/libdirs/host";

/// The note of a run whose tests are red here.
pub const RED: &str = "the tests were green where the archive was made: a path that was compiled in \
    (`env!(\"CARGO_MANIFEST_DIR\")`, `env!(\"CARGO_BIN_EXE_..\")`) leads nowhere here unless the checkout lies at the same place";

/// What was built.
///
/// # Errors
/// When the machine that made the archive saw no reason to build.
pub fn build(archive: &Unpacked) -> Result<&Build> {
    archive.contents.build.as_ref().ok_or_else(|| {
        Error::new("run the archive", "nothing was built into it").hint("make it anew with `cargo hunkmut archive`")
    })
}

/// The woven build.
///
/// # Errors
/// As [`build`].
pub fn woven(archive: &Unpacked) -> Result<WovenBuild> {
    Ok(WovenBuild {
        fates: build(archive)?.fates.clone(),
        messages: Vec::new(),
        rounds: 0,
        texts: Default::default(),
        refused: Default::default(),
    })
}

/// The build for the historical suite.
///
/// # Errors
/// When it was not asked for.
pub fn historical(archive: &Unpacked) -> Result<Built> {
    build(archive)?.historical.clone().ok_or_else(|| {
        Error::new("run the historical suite", "the archive was made without it")
            .hint("`cargo hunkmut archive --historical` builds it")
    })
}

/// One x of the cap, as the machine that made the archive has measured it.
///
/// # Errors
/// When it was not asked to.
pub fn one_x(archive: &Unpacked) -> Result<Duration> {
    build(archive)?.one_x_ms.map(Duration::from_millis).ok_or_else(|| {
        Error::new("measure the budget", "a plain build is part of it, and there is no compiler here")
            .hint("give the budget as a duration, or the same `--cap` to `cargo hunkmut archive`")
    })
}

/// The patch's own tests, which have to be those of the machine that made the archive.
///
/// # Errors
/// When they are others.
pub fn delta(session: &Session, candidates: &Candidates, listing: &Listing, archive: &Unpacked) -> Result<Delta> {
    let build = build(archive)?;
    let ask = |_: &NeedsBaseList| Ok(build.base_list.clone().unwrap_or_default());
    let delta = test_delta::resolve_by(session, candidates, listing, ask)?;
    let ids: Vec<&TestId> = delta.tests.iter().map(|entry| &entry.test.id).collect();
    if ids != build.delta.iter().collect::<Vec<_>>() {
        let why = "its programs list other tests here than where it was made";
        let failed = listing.failures.first().map(|failure| format!("`{}`: {}", failure.binary_id, failure.why));
        return Err(Error::new("run the archive", why)
            .hint(failed.unwrap_or_else(|| "make it on a machine of the same kind".to_owned())));
    }
    Ok(delta)
}

/// What tests are run with.
///
/// # Errors
/// As [`build`], and when files cannot be written.
pub fn context(session: &Session, archive: &Unpacked, scratch: Utf8PathBuf, file: Utf8PathBuf) -> Result<Context> {
    let build = build(archive)?;
    weave::write_if_changed(&file, build.metadata.as_bytes())?;
    let metadata = MetadataCommand::parse(&build.metadata).doing(|| "read what `cargo metadata` printed".to_owned())?;
    let library = archive.dir.join(STANDARD_LIBRARY);
    let toolchain = Toolchain {
        host: build.host.clone(),
        host_runner: build.host_runner.clone(),
        runner: build.runner.clone(),
        libdirs: library.is_dir().then_some(library).into_iter().collect(),
    };
    let (root, target) = (&session.workspace.root, session.options.target.as_deref());
    let mut context = Context::of(root, metadata, file, target, scratch, toolchain)?;
    // nextest can be called without cargo.
    if std::env::var_os("CARGO").is_none() && !is_on_path("cargo") && is_on_path("cargo-nextest") {
        context.cargo = "cargo-nextest".into();
    }
    Ok(context)
}

fn is_on_path(name: &str) -> bool {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|dir| dir.join(&name).is_file())
}

/// The mutants that the archive holds compiled alone, for one suite.
#[derive(Debug, Clone, Copy)]
pub struct Archived<'a> {
    /// Where they are.
    pub archive: &'a Unpacked,
    /// Whose tests are in use.
    pub suite: Suite,
}

impl Archived<'_> {
    /// The name of a mutant, or of the reverted patch, in the archive.
    pub fn key(suite: Suite, name: &str) -> String {
        match suite {
            Suite::Delta => name.to_owned(),
            Suite::Historical => format!("historical-{name}"),
        }
    }

    /// Puts the executables of a mutant into the originals' places; its outcome when there is nothing to run.
    ///
    /// # Errors
    /// When files cannot be written.
    pub fn lay(&self, name: &str) -> Result<Option<Outcome>> {
        let unverified = |why: &str| Ok(Some(rebuilds::unverified(why.to_owned(), Duration::ZERO)));
        let build = build(self.archive)?;
        let has_programs = || {
            let builds = [Some(&build.built), build.historical.as_ref()];
            builds.into_iter().flatten().any(|built| !built.programs.is_empty())
        };
        match build.alone.get(&Archived::key(self.suite, name)) {
            None => unverified("the archive does not hold it, and there is no compiler here"),
            Some(Alone::Unverified(why)) => unverified(why),
            Some(Alone::Invalid(why)) => Ok(Some(rebuilds::invalid(why.clone(), Duration::ZERO))),
            Some(Alone::Built(_)) if self.archive.moved && has_programs() => {
                unverified("tests may start its program by a path of the machine that made the archive")
            }
            Some(Alone::Built(files)) => {
                for (stored, to) in files {
                    let from = self.archive.dir.join(stored);
                    let scratch = Utf8PathBuf::from(format!("{to}.hunkmut-new"));
                    std::fs::copy(&from, &scratch)
                        .and_then(|_| std::fs::rename(&scratch, to))
                        .doing(|| format!("copy `{from}` to `{to}`"))?;
                }
                Ok(None)
            }
        }
    }
}
