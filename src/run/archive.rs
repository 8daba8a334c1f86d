//! `archive`: everything is compiled once, for machines that have no compiler.
//!
//! As a run up to its baseline: what needs no build is left to whoever runs the archive, a red baseline ends it, and a
//! weave that changes what tests do is not trusted. Then the executables are put away, the compiler is asked about every
//! mutant of which the woven build does not tell, and those that no switch can hold are compiled one after the other.

use super::budget;
use super::clock::Clock;
use super::confine;
use super::historical;
use super::interrupt;
use super::judge::{Wanted, changed_outcomes, failing_lists, keep_flaky};
use super::mutants::{in_use, validity};
use super::originals::Originals;
use super::packing::{Packing, files_in, put_away};
use super::progress::Progress;
use super::rebuilds::Compiling;
use super::refusals;
use super::reverted;
use super::session::Session;
use super::stage::Stage;
use super::test_delta;
use super::tools::{self, Lock, Tools};
use super::unpacked;
use super::worker::{self, Archived};
use crate::archive::{Alone, BaseList, Build, Contents, Label, Packer, Question, Roots};
use crate::build::{Builder, Bystanders, Fate, Texts, Validity, weave_from};
use crate::cli::args::{ArchiveArgs, CargoArgs};
use crate::error::{Context, Error, Result};
use crate::evidence::{REVERTED, Suite};
use crate::exec::Ending;
use crate::exit::Exit;
use crate::policy::{Cap, GateName};
use crate::report::model::BaselineOutcome;
use crate::runner::{self, Built};
use crate::test_id::TestId;
use crate::weave::runtime;
use crate::workspace::Workspace;
use crate::workspace::cfg::CfgSet;
use camino::Utf8PathBuf;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// nextest's own places in its archives.
const BINARIES: &str = "target/nextest/binaries-metadata.json";
const METADATA: &str = "target/nextest/cargo-metadata.json";

/// Builds a patch and writes the archive.
///
/// # Errors
/// Whatever keeps the patch from being built, and uncommitted changes: another machine cannot check them out.
pub fn archive(args: &ArchiveArgs) -> Result<Exit> {
    let clock = Clock::default();
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let session = Session::open(&args.patch, &args.cargo)?;
    if session.comparison.dirty {
        return Err(Error::new("archive the patch", "it has changes that are not committed")
            .hint("commit them, or name a commit with `--head`"));
    }
    crate::git::mark_as_cache(&session.hunkmut_dir)?;
    let waiting = || progress.status("Blocking", "another run in this workspace has to end first");
    let _lock = Lock::take(&session.hunkmut_dir, waiting)?;
    let ending = Arc::new(Ending::default());
    let _signals = interrupt::listen(ending.clone());
    let _lockfile = tools::Lockfile::watch(&session);
    let gates = if args.gate.is_empty() { session.policy.gates.clone() } else { args.gate.clone() };
    let wanted = Wanted {
        historical: args.historical || gates.contains(&GateName::ZeroSurvivors),
        zero: gates.contains(&GateName::ZeroSurvivors),
        driver: args.test_driver.unwrap_or(session.policy.tests.driver),
        cap: args.cap.or(session.policy.cap),
        ..Wanted::of(&session, args.jobs)
    };
    let roots = roots(&session);
    let label = Label::new(question(args, &session)?, roots.clone());
    let packing = Packing { packer: RefCell::new(Packer::new(&args.file, &label)?), roots };
    let making = Making { session: &session, wanted: &wanted, clock: &clock, progress: &progress, ending: &ending };
    let made = making.build(&packing);
    if let Some(cause) = ending.cause() {
        progress.status("Ending", &format!("without an archive: {cause:?}"));
        return Ok(Exit::Incomplete);
    }
    let build = match made? {
        Made::Build(build) => Some(*build),
        Made::Nothing(why) => {
            progress.status("Building", &format!("nothing: {why}"));
            None
        }
        Made::Red(tests) => {
            progress
                .status("Failing", &format!("without any mutant, so that no archive is written: {}", tests.join(", ")));
            return Ok(Exit::BaselineRed);
        }
    };
    let contents = Contents {
        workspace: Workspace::ask(&session.options)?,
        cfg: CfgSet::ask(&session.options)?,
        plan: unpacked::plan_digest(&session),
        build,
        files: Vec::new(),
    };
    let size = packing.packer.into_inner().finish(contents)?;
    let mutants = session.plan.mutants.len();
    progress.status("Archived", &format!("{mutants} mutants in `{}`, {:.1} MiB", args.file, size as f64 / 1048576.0));
    Ok(Exit::Pass)
}

fn question(args: &ArchiveArgs, session: &Session) -> Result<Question> {
    let read = |path: &Utf8PathBuf| std::fs::read_to_string(path).doing(|| format!("read `{path}`"));
    let in_diff = match &args.patch.in_diff {
        Some(path) if path == "-" => {
            return Err(Error::new("archive the patch", "its diff can be read from a file only"));
        }
        other => other.as_ref().map(read).transpose()?,
    };
    let policy = args.patch.policy.as_ref().map(|path| Ok((path.to_string(), read(path)?))).transpose()?;
    Ok(Question {
        base: session.comparison.base.to_string(),
        head: session.comparison.head_commit.to_string(),
        in_diff,
        policy,
        operators: args.patch.operator.clone(),
        without_operators: args.patch.without_operator.clone(),
        day: session.today.to_string(),
        cargo: CargoArgs { manifest_path: None, ..args.cargo.clone() },
    })
}

fn roots(session: &Session) -> Roots {
    let target_dir = session.hunkmut_dir.join("target");
    Roots {
        tree: session.comparison.tree.clone(),
        workspace: session.workspace_path.clone(),
        users_target: session.workspace.target_dir.clone(),
        build_dir: session.workspace.build_dir.clone().unwrap_or_else(|| target_dir.clone()),
        target_dir,
        channel: runtime::channel(&session.hunkmut_dir),
    }
}

/// What became of a build.
enum Made {
    Build(Box<Build>),
    /// None is needed; why.
    Nothing(&'static str),
    /// The tests that are not green.
    Red(Vec<String>),
}

struct Making<'a> {
    session: &'a Session,
    wanted: &'a Wanted,
    clock: &'a Clock,
    progress: &'a Progress,
    ending: &'a Arc<Ending>,
}

impl Making<'_> {
    fn build(&self, packing: &Packing) -> Result<Made> {
        let Making { session, wanted, progress, ending, .. } = *self;
        let candidates = test_delta::find(session);
        let production = session.scope.files.iter().any(|file| file.changes_production());
        let suite_alone = wanted.zero && !session.plan.mutants.is_empty();
        if !production || candidates.is_empty() && !suite_alone {
            return Ok(Made::Nothing("the patch has no production code, or no test, to judge"));
        }
        let mut targets = candidates.targets().collect::<BTreeSet<_>>();
        if targets.is_empty() {
            targets = historical::targets(session);
        }
        if targets.is_empty() {
            return Ok(Made::Nothing("there is no test target for this code"));
        }
        let tools = Tools::find(session, ending.clone())?;
        let builder = tools.builder(session, &targets);
        let stage = Stage::prepare(session, wanted.jobs, ending)?;
        confine::announce(session, stage.sandbox(), progress)?;
        let one_x_ms = match wanted.cap {
            Some(Cap::Times(_)) => {
                let one_x = budget::one_x(session, &stage, &builder, &candidates, wanted, ending, progress)?;
                Some(one_x.as_millis() as u64)
            }
            Some(Cap::Duration(_)) | None => None,
        };
        let woven = weave_from(&builder, &Default::default(), &|round| match round {
            1 => progress.status("Building", "the tests, with all mutants woven in"),
            _ => progress.status("Building", &format!("again, without what the compiler refused (round {round})")),
        })?;
        refusals::keep(&session.hunkmut_dir, &woven.refused);
        let mut fates = woven.fates;
        let mut built = stage.built(session, &woven.messages);
        let listing = runner::list(stage.context(), &built, wanted.jobs);
        // Whoever runs it lists its tests again and says so.
        failing_lists(&listing, &mut super::assemble::Findings::new(session))?;
        let base_list = RefCell::new(None);
        let ask = |needs: &crate::delta::NeedsBaseList| -> Result<BaseList> {
            let list = test_delta::base_list(session, &builder, needs, &listing)?;
            *base_list.borrow_mut() = Some(list.clone());
            Ok(list)
        };
        let delta = test_delta::resolve_by(session, &candidates, &listing, ask)?;
        let base_list = base_list.into_inner();
        let ids: Vec<TestId> = delta.tests.iter().map(|entry| entry.test.id.clone()).collect();
        let mut notes = Vec::new();
        let (_, mut baseline) = stage.baseline(session, wanted, &built, &listing, &ids, ending, progress)?;
        if !baseline.is_green() {
            progress.status("Checking", "the same tests without any mutant compiled in");
            let tried = |messages: Vec<_>| -> Result<_> {
                let plain = stage.built(session, &messages);
                let listing = runner::list(stage.context(), &plain, wanted.jobs);
                let (_, again) = stage.baseline(session, wanted, &plain, &listing, &ids, ending, progress)?;
                Ok((plain, again))
            };
            let (mut plain, mut again) = tried(builder.build_plain()?)?;
            if again.is_green() {
                // Mutants that are compiled alone take the places of these executables, not of the user's own.
                (plain, again) = tried(builder.build_unwoven()?)?;
            }
            let changed = changed_outcomes(&baseline, &again);
            let again = keep_flaky(again, &baseline);
            if again.is_green() && !changed.is_empty() {
                notes.push(format!(
                    "with all mutants woven in but none live, {} behaves differently: every mutant was compiled alone instead",
                    changed.join(", ")
                ));
                fates = session.plan.threads.iter().map(|_| Fate::Alone { said: None }).collect();
            }
            if !changed.is_empty() {
                (built, baseline) = (plain, again);
            }
        }
        let red = baseline.tests.iter().filter(|test| test.outcome != BaselineOutcome::Pass);
        let red: Vec<String> = red.map(|test| format!("`{}`", test.id)).collect();
        if !red.is_empty() {
            return Ok(Made::Red(red));
        }
        let context = stage.context();
        self.for_nextest(packing, context, &built)?;
        packing.built("target", &built)?;
        let asked = self.clock.step("do mutants compile", || {
            validity(&builder, &fates[..session.plan.mutants.len()], &|_| true, progress)
        })?;
        let toolchain = (context.host.clone(), context.host_runner.clone(), context.runner.clone());
        let metadata =
            std::fs::read_to_string(&context.metadata_file).doing(|| format!("read `{}`", context.metadata_file))?;
        let mut whole_suite = BTreeSet::new();
        let mut historical = None;
        // Before mutants are compiled alone: that leaves texts of its own behind.
        if wanted.historical {
            whole_suite = historical::targets(session);
            let what = format!("{} test targets for the historical suite", whole_suite.len());
            progress.status("Building", &what);
            let builder = Builder { targets: &whole_suite, ..tools.builder(session, &targets) };
            let built = stage.built(session, &builder.build_again(&woven.texts)?);
            packing.built("target", &built)?;
            historical = Some(built);
        }
        let mut alone = BTreeMap::new();
        let open = self.open(&builder, &fates, &asked);
        let has = |id: &str| ids.iter().any(|test| test.binary_id == id);
        let mut in_use_now = built.clone();
        in_use_now.binaries.retain(|binary| has(&binary.binary_id));
        if !ids.is_empty() {
            let (_, parts) = fates.split_at(session.plan.mutants.len());
            let switched = !parts.is_empty() && parts.iter().all(|fate| *fate == Fate::Woven);
            let texts = if switched { Texts::new() } else { reverted::texts(&session.scope) };
            let targets = in_use(session, &builder, &ids);
            let builder = Builder { targets: &targets, ..tools.builder(session, &targets) };
            self.alone(packing, &stage, &builder, &in_use_now, Suite::Delta, &open, texts, &mut alone)?;
        }
        // What only the whole suite may kill; no other gate asks it about them.
        if let Some(built) = historical.as_ref().filter(|_| wanted.zero) {
            let builder = Builder { targets: &whole_suite, ..tools.builder(session, &targets) };
            self.alone(packing, &stage, &builder, built, Suite::Historical, &open, Texts::new(), &mut alone)?;
        }
        Ok(Made::Build(Box::new(Build {
            rustc: tools.rustc_version.clone(),
            metadata,
            host: toolchain.0,
            host_runner: toolchain.1,
            runner: toolchain.2,
            built,
            fates,
            validity: asked,
            base_list,
            delta: ids,
            notes,
            one_x_ms,
            alone,
            historical,
        })))
    }

    /// What makes it an archive of nextest's.
    fn for_nextest(&self, packing: &Packing, context: &runner::Context, built: &Built) -> Result<()> {
        // There everything lies in one folder.
        let target = self.session.workspace.target_dir.clone();
        let moved =
            |path: &Utf8PathBuf| packing.inside(path).map_or_else(|| path.clone(), |inside| target.join(inside));
        let mut there = Built { target_dir: target.clone(), build_dir: target.clone(), ..built.clone() };
        there.binaries.iter_mut().for_each(|binary| binary.path = moved(&binary.path));
        there.programs.iter_mut().for_each(|program| program.path = moved(&program.path));
        for script in &mut there.scripts {
            script.out_dir = moved(&script.out_dir);
            script.linked_paths.iter_mut().for_each(|path| *path = moved(path));
        }
        let mut packer = packing.packer.borrow_mut();
        packer.json(BINARIES, &runner::summary(context, &there))?;
        let metadata = std::fs::read(&context.metadata_file);
        packer.text(METADATA, &metadata.doing(|| format!("read `{}`", context.metadata_file))?)?;
        // Tests of procedural macros are linked to it dynamically.
        let library = context.libdirs.first().map(|dir| files_in(dir)).unwrap_or_default();
        let is_std = |path: &&Utf8PathBuf| {
            let name = path.file_name().unwrap_or_default();
            (name.starts_with("libstd-") || name.starts_with("std-"))
                && matches!(path.extension(), Some("so" | "dylib" | "dll"))
        };
        for path in library.iter().filter(is_std) {
            packer.file(&format!("{}/{}", worker::STANDARD_LIBRARY, path.file_name().unwrap_or_default()), path)?;
        }
        Ok(())
    }

    /// The mutants that have to be compiled alone.
    fn open(&self, builder: &Builder<'_>, fates: &[Fate], validity: &BTreeMap<usize, Validity>) -> Vec<usize> {
        let mutants = &self.session.plan.mutants;
        let is_alone = |index: &usize| {
            matches!(fates[*index], Fate::Alone { .. })
                && !matches!(validity.get(index), Some(Validity::Invalid(_)))
                && builder.is_built(&mutants[*index])
        };
        (0..mutants.len()).filter(is_alone).collect()
    }

    /// Compiles mutants alone, and other texts if there are any, for the tests of a build.
    #[allow(clippy::too_many_arguments)]
    fn alone(
        &self,
        packing: &Packing,
        stage: &Stage,
        builder: &Builder<'_>,
        built: &Built,
        suite: Suite,
        open: &[usize],
        texts: Texts,
        alone: &mut BTreeMap<String, Alone>,
    ) -> Result<()> {
        let what = match (open.len(), texts.is_empty()) {
            (0, true) => return Ok(()),
            (0, false) => "the tests without the patch".to_owned(),
            (some, true) => format!("{some} mutants that no switch can hold"),
            (some, false) => format!("the tests without the patch and {some} mutants that no switch can hold"),
        };
        self.progress.status("Rebuilding", &what);
        let originals = Originals::keep(built, &runner::metadata_file(stage.context()))?;
        let compiling = Compiling { builder, originals: &originals, ending: self.ending };
        let bystanders = Bystanders::of(builder)?;
        let mut keep = |name: &str, refused| -> Result<()> {
            let key = Archived::key(suite, name);
            let entry = put_away(packing, built, &key, refused)?;
            alone.insert(key, entry);
            Ok(())
        };
        for index in open {
            keep(&index.to_string(), compiling.mutant(*index, &bystanders)?)?;
        }
        if !texts.is_empty() {
            keep(REVERTED, compiling.texts(texts)?)?;
        }
        Ok(())
    }
}
