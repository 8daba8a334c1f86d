//! Taking up an archive beside a checkout: it has to be of the very same head, and its programs go where tests look for them.
//!
//! They lie in a folder of their own below the hunkmut directory. Those that tests start by name lie where a build would
//! have put them, because tests may have been compiled with that path; where the checkout is elsewhere, such a path leads to
//! another machine's file, if to any, and nothing is said that would rest on it.

use super::session::{Answers, Session, current_dir};
use super::tools::Lock;
use crate::archive::{Alone, Build, Moves, Reader, Roots, Unpacked};
use crate::cli::args::{CargoArgs, PatchArgs};
use crate::error::{Context as _, Error, Result};
use crate::git::Repo;
use crate::policy::GateName;
use crate::text::sha256;
use crate::weave::runtime;
use crate::workspace::canonical;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An archive that is about to be run, and the lock on what it was unpacked into.
pub struct Opened {
    /// What it says.
    pub archive: Arc<Unpacked>,
    /// Held until the run is over.
    pub lock: Lock,
}

/// Unpacks an archive beside the checkout that it is of.
///
/// # Errors
/// When it cannot be read or used here, or the checkout is of something else.
pub fn open(file: &Utf8Path, cargo: &CargoArgs, waiting: impl FnOnce()) -> Result<Opened> {
    let here = current_dir()?;
    let near = match &cargo.manifest_path {
        Some(path) => here.join(path).parent().map_or(here.clone(), Utf8Path::to_owned),
        None => here.clone(),
    };
    let reader = Reader::open(&canonical(&here.join(file)))?;
    let repo = Repo::discover(&near)?;
    is_of_this(&repo, &reader.label.question.head, file)?;
    let roots = reader.label.roots.clone();
    let places = [&roots.tree, &roots.users_target, &roots.target_dir, &roots.build_dir];
    if !places.into_iter().all(|place| is_straight(place)) || !is_below(Utf8Path::new(&roots.workspace)) {
        return Err(no_archive_of_ours("its label"));
    }
    let target = target_dir(&roots, repo.root(), &here);
    let hunkmut_dir = target.join("hunkmut");
    crate::git::mark_as_cache(&hunkmut_dir)?;
    let lock = Lock::take(&hunkmut_dir, waiting)?;
    let dir = hunkmut_dir.join("unpacked");
    let outputs = hunkmut_dir.join("target");
    let moves = [
        (&roots.target_dir, outputs.clone()),
        (&roots.build_dir, dir.join("target")),
        (&roots.tree, repo.root().to_owned()),
    ];
    let moves = Moves::new(moves.map(|(from, to)| (from.to_string(), to.to_string())));
    let mut archive = reader.unpack(&dir, &moves)?;
    stays_inside(&archive, &outputs)?;
    archive.moved = roots.target_dir != outputs;
    let contents = &mut archive.contents;
    contents.workspace = with_dirs(&contents.workspace, &target, &dir.join("target"))?;
    if let Some(build) = &mut contents.build {
        build.metadata = with_dirs(&build.metadata, &target, &dir.join("target"))?;
    }
    if cfg!(target_os = "linux") {
        tell_of_channel(&archive, &hunkmut_dir)?;
    }
    put_programs(&archive, &roots, &outputs)?;
    Ok(Opened { archive: Arc::new(archive), lock })
}

impl Opened {
    /// Whether some gates, and the rest of the suite, can be asked without a compiler.
    ///
    /// # Errors
    /// When one of them takes a build that the archive does not hold.
    pub fn can_be_asked(&self, gates: &[GateName], historical: bool) -> Result<()> {
        if gates.contains(&GateName::KillMap) {
            let doing = "ask the gate `kill-map` of an archive";
            return Err(Error::new(doing, "it compiles the base, and there is no compiler here").hint(
                "name the other gates with `--gate`, and run `cargo hunkmut compare` where the archive is made",
            ));
        }
        match &self.archive.contents.build {
            Some(build) if historical && build.historical.is_none() => {
                Err(Error::new("run the historical suite", "the archive was made without it")
                    .hint("make it with `--historical`, or with the same `--gate`"))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The question that the archive is of, asked of this checkout.
    ///
    /// # Errors
    /// As [`Session::open`], and when the answer is not that of the machine which made the archive.
    pub fn session(&self) -> Result<Session> {
        let question = &self.archive.label.question;
        let written = |name: &str, text: &str| -> Result<Utf8PathBuf> {
            let path = self.archive.dir.join(name);
            std::fs::write(&path, text).doing(|| format!("write `{path}`"))?;
            Ok(path)
        };
        let policy = question.policy.as_ref().map(|(_, text)| written("policy.toml", text)).transpose()?;
        let in_diff = question.in_diff.as_ref().map(|text| written("patch.diff", text)).transpose()?;
        let patch = PatchArgs {
            base: Some(question.base.clone()),
            // It is checked out; a clean work tree is that commit.
            head: None,
            in_diff,
            operator: question.operators.clone(),
            without_operator: question.without_operators.clone(),
            policy,
            date: Some(question.day.parse().doing(|| "read the day in the archive".into())?),
        };
        let contents = &self.archive.contents;
        let answers = Answers::Known { workspace: &contents.workspace, cfg: &contents.cfg };
        let mut session = Session::open_by(&patch, &question.cargo, answers)?;
        if let Some((path, _)) = &question.policy {
            session.policy_path = Some(path.clone());
        }
        if session.comparison.dirty {
            return Err(Error::new("run the archive", "this checkout has changes that are not committed")
                .hint("put the archive below the target directory or outside of the checkout"));
        }
        let (fates, mutants) = (session.plan.threads.len(), session.plan.mutants.len());
        let is_answered =
            |build: &Build| build.fates.len() == fates && build.validity.keys().all(|index| *index < mutants);
        if !contents.build.as_ref().is_none_or(is_answered) {
            return Err(Error::new("run the archive", "it does not say what became of every mutant")
                .hint("make it anew with `cargo hunkmut archive`"));
        }
        if plan_digest(&session) != contents.plan {
            return Err(Error::new("run the archive", "the mutants of this checkout are not those of the archive")
                .hint("make it anew with `cargo hunkmut archive`"));
        }
        Ok(session)
    }
}

/// A whole path without steps back up.
fn is_straight(path: &Utf8Path) -> bool {
    path.is_absolute() && !path.components().any(|part| part == Utf8Component::ParentDir)
}

/// A path that stays below the folder that it is joined to.
fn is_below(path: &Utf8Path) -> bool {
    path.components().all(|part| matches!(part, Utf8Component::Normal(_)))
}

fn no_archive_of_ours(what: &str) -> Error {
    Error::new(
        "run the archive",
        format!("{what} names a place outside of the folders that archives are unpacked into"),
    )
    .hint("`cargo hunkmut archive` makes none like that: do not run it")
}

/// Tests are confined when they run; nothing that is read, written or started on their behalf may lie elsewhere.
fn stays_inside(archive: &Unpacked, outputs: &Utf8Path) -> Result<()> {
    let Some(build) = &archive.contents.build else { return Ok(()) };
    let dir = archive.dir.join("target");
    let is_ours = |path: &Utf8PathBuf| is_straight(path) && (path.starts_with(&dir) || path.starts_with(outputs));
    let is_stored = |path: &str| archive.contents.files.iter().any(|stored| stored.path == *path);
    for built in [Some(&build.built), build.historical.as_ref()].into_iter().flatten() {
        let tests = built.binaries.iter().map(|binary| &binary.path);
        let mut all = tests.chain(built.programs.iter().map(|program| &program.path)).chain(&built.libraries);
        if let Some(path) = all.find(|path| !is_ours(path)) {
            return Err(no_archive_of_ours(&format!("`{path}`")));
        }
    }
    for alone in build.alone.values() {
        let Alone::Built(files) = alone else { continue };
        if let Some((stored, to)) = files.iter().find(|(stored, to)| !is_stored(stored) || !is_ours(to)) {
            return Err(no_archive_of_ours(&format!("`{stored}` for `{to}`")));
        }
    }
    Ok(())
}

/// What every machine has to come to by itself: the mutants with their switches.
pub fn plan_digest(session: &Session) -> String {
    let ranges = session.scope.ranges(&session.workspace);
    sha256(format!("{}\n{ranges:?}\n{:?}", session.plan.lines(), session.plan.unmutated))
}

fn is_of_this(repo: &Repo, head: &str, file: &Utf8Path) -> Result<()> {
    let here = repo.commit("HEAD")?.to_string();
    if here == head {
        return Ok(());
    }
    let why = format!("it is of the head {head}, and this checkout is at {here}");
    Err(Error::new(format!("run the archive `{file}`"), why).hint(format!("`git checkout {head}` first")))
}

/// Where cargo would put what it builds, as far as that can be known without it.
fn target_dir(roots: &Roots, tree: &Utf8Path, here: &Utf8Path) -> Utf8PathBuf {
    let told = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"].into_iter().find_map(std::env::var_os);
    let told = told.and_then(|dir| dir.into_string().ok()).filter(|dir| !dir.is_empty());
    let inside = roots.users_target.strip_prefix(&roots.tree).ok();
    canonical(&match (told, inside) {
        (Some(dir), _) => here.join(dir),
        (None, Some(inside)) => tree.join(inside),
        (None, None) => tree.join(&roots.workspace).join("target"),
    })
}

/// What `cargo metadata` prints, with other folders for what is built.
fn with_dirs(metadata: &str, target: &Utf8Path, build: &Utf8Path) -> Result<String> {
    let reading = || "read what `cargo metadata` printed into the archive".to_owned();
    let mut value: Value = serde_json::from_str(metadata).doing(reading)?;
    value["target_directory"] = target.as_str().into();
    value["build_directory"] = build.as_str().into();
    serde_json::to_string(&value).doing(reading)
}

/// Woven programs have the path of the channel in them: this machine's is written over it.
fn tell_of_channel(archive: &Unpacked, hunkmut_dir: &Utf8Path) -> Result<()> {
    let (old, mut new) = (archive.label.roots.channel.as_bytes(), runtime::channel(hunkmut_dir).into_bytes());
    if old == new {
        return Ok(());
    }
    // The folder, slashes, and as many of them as there is room for.
    let least = new.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 2);
    if old.len() < least {
        return Err(Error::new(format!("unpack the archive into `{}`", archive.dir), "that path is too long"));
    }
    new.resize(old.len(), b'/');
    for stored in &archive.contents.files {
        let path = archive.dir.join(&stored.path);
        let writing = || format!("unpack `{path}`");
        let mut bytes = std::fs::read(&path).doing(writing)?;
        if replace(&mut bytes, old, &new) {
            std::fs::write(&path, bytes).doing(writing)?;
        }
    }
    Ok(())
}

/// Puts `new` wherever `old`, which is as long, stands; whether it did.
fn replace(bytes: &mut [u8], old: &[u8], new: &[u8]) -> bool {
    let Some(first) = old.first() else { return false };
    let (mut at, mut found) = (0, false);
    while let Some(next) = bytes[at..].iter().position(|byte| byte == first) {
        at += next;
        if bytes[at..].starts_with(old) {
            bytes[at..at + old.len()].copy_from_slice(new);
            found = true;
            at += old.len();
        } else {
            at += 1;
        }
    }
    found
}

/// Puts programs and libraries where a build would have put them.
fn put_programs(archive: &Unpacked, roots: &Roots, outputs: &Utf8Path) -> Result<()> {
    let Some(build) = &archive.contents.build else { return Ok(()) };
    let builds = || [Some(&build.built), build.historical.as_ref()].into_iter().flatten();
    let programs = builds().flat_map(|built| built.programs.iter().map(|program| &program.path));
    let all: BTreeSet<&Utf8PathBuf> = programs.chain(builds().flat_map(|built| &built.libraries)).collect();
    for path in all {
        let Ok(inside) = path.strip_prefix(outputs) else { continue };
        let before = roots.target_dir.join(inside);
        if archive.moved && before.exists() {
            let why = format!("its tests may have been compiled to start `{before}`, which is not the archive's");
            return Err(Error::new("run the archive", why)
                .hint(format!("check out where it was made, at `{}`, or remove that file", roots.tree)));
        }
        let from = archive.dir.join("target").join(inside);
        let placing = || format!("put `{from}` at `{path}`");
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).doing(placing)?;
        }
        std::fs::rename(&from, path).doing(placing)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_program_is_written_over_wherever_it_stands() {
        let mut bytes = b"ab/old//x/old/y/old//".to_vec();
        assert!(replace(&mut bytes, b"/old//", b"/n////"));
        assert_eq!(bytes, b"ab/n////x/old/y/n////");
        assert!(!replace(&mut bytes, b"/old//", b"/n////"));
    }

    #[test]
    fn what_is_built_goes_below_the_checkout() {
        let roots = Roots {
            tree: "/a".into(),
            workspace: "crates".into(),
            users_target: "/a/crates/out".into(),
            target_dir: "/a/crates/out/hunkmut/target".into(),
            build_dir: "/a/crates/out".into(),
            channel: String::new(),
        };
        let of = |roots: &Roots| target_dir(roots, Utf8Path::new("/b"), Utf8Path::new("/b"));
        if std::env::var_os("CARGO_TARGET_DIR").is_none() {
            assert_eq!(of(&roots), "/b/crates/out");
            assert_eq!(of(&Roots { users_target: "/cache".into(), ..roots }), "/b/crates/target");
        }
    }
}
