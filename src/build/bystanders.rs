//! The rest of the workspace: does it still compile when a mutant changes what others see at compile time?
//!
//! The run builds only the targets whose tests are in use. A procedural macro, a constant or a `const fn` can be changed
//! so that these compile and another target of the workspace does not. Such a mutant is invalid like any other that does
//! not compile, so the targets that depend on it are checked, without code generation, before its tests are believed.

use super::cargo::BuildFailure;
use super::seen::is_private_affair;
use super::{Builder, Texts};
use crate::catalog::Form;
use crate::error::Result;
use crate::plan::Planned;
use crate::workspace::{Target, TargetKind};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The rest of a workspace.
pub struct Bystanders<'a> {
    builder: &'a Builder<'a>,
    /// The packages that the user has chosen.
    chosen: BTreeSet<usize>,
    /// Whether all of it compiles without a mutant; asked when a mutant does not.
    clean: OnceCell<bool>,
}

impl<'a> Bystanders<'a> {
    /// The rest of the workspace of a builder, whose targets are those in use.
    ///
    /// # Errors
    /// When the options choose packages that there are not.
    pub fn of(builder: &'a Builder<'a>) -> Result<Bystanders<'a>> {
        let chosen = builder.options.select(builder.workspace)?.into_iter().collect();
        Ok(Bystanders { builder, chosen, clean: OnceCell::new() })
    }

    /// What the compiler says of a mutant outside of the targets in use; `None` when it compiles there, cannot be
    /// noticed there, or when the unmutated tree does not compile there either.
    ///
    /// # Errors
    /// When files cannot be written or cargo cannot be started.
    pub fn refuse(&self, mutant: &Planned) -> Result<Option<BuildFailure>> {
        if !is_seen_at_compile_time(self.builder, mutant) {
            return Ok(None);
        }
        let (path, _) = self.builder.file_of(mutant);
        let packages = self.packages([path]);
        if packages.is_empty() || self.clean.get() == Some(&false) {
            return Ok(None);
        }
        let texts = Texts::from([(path.to_owned(), self.builder.mutated(mutant))]);
        let Err(failure) = self.check(texts, false, &packages)? else { return Ok(None) };
        if failure.errors.is_empty() || self.builder.ending.reached() {
            return Ok(Some(failure));
        }
        if self.clean.get().is_none() {
            let all: BTreeSet<usize> = self.chosen.clone();
            let clean = self.check(Texts::new(), false, &all)?.is_ok();
            let _ = self.clean.set(clean);
        }
        Ok(self.clean.get().copied().unwrap_or_default().then_some(failure))
    }

    /// What the compiler says of woven text outside of the targets in use, where `const` has been left out of functions:
    /// of these alone it can speak.
    ///
    /// # Errors
    /// As [`Bystanders::refuse`].
    pub(super) fn refuse_woven(&self, texts: &Texts, woven: &[&Planned]) -> Result<Option<BuildFailure>> {
        let without_const = woven.iter().filter(|mutant| mutant.proposal.constness.is_some());
        let packages = self.packages(without_const.map(|mutant| self.builder.file_of(mutant).0));
        if packages.is_empty() {
            return Ok(None);
        }
        Ok(self.check(texts.clone(), true, &packages)?.err())
    }

    fn check(
        &self,
        texts: Texts,
        runtime: bool,
        packages: &BTreeSet<usize>,
    ) -> Result<std::result::Result<(), BuildFailure>> {
        let manifest = self.builder.lay(texts, runtime)?;
        let cmd = self.builder.cargo_check(&manifest, packages);
        Ok(self.builder.run_cargo(&cmd)?.map(|_| ()))
    }

    /// The chosen packages that hold a target which a change of these files may break and which is not in use.
    fn packages<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> BTreeSet<usize> {
        let workspace = self.builder.workspace;
        let mut reached: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut libraries: BTreeSet<usize> = BTreeSet::new();
        for of in paths.into_iter().flat_map(|path| self.builder.modules.uses(path)) {
            reached.insert((of.package, of.target));
            match workspace.packages[of.package].targets[of.target].kind {
                TargetKind::Lib | TargetKind::ProcMacro => drop(libraries.insert(of.package)),
                TargetKind::Bin
                | TargetKind::Test
                | TargetKind::Bench
                | TargetKind::Example
                | TargetKind::BuildScript => {}
            }
        }
        let affected = workspace.dependents(libraries);
        reached.extend(workspace.targets().filter(|(package, _)| affected.contains(package)));
        let is_bystander = |(package, target): &(usize, usize)| {
            let of = &workspace.packages[*package];
            self.chosen.contains(package)
                && !self.builder.targets.contains(&(*package, *target))
                && is_checked(&of.targets[*target])
                && of.is_built(&of.targets[*target])
        };
        reached.iter().filter(|target| is_bystander(target)).map(|(package, _)| *package).collect()
    }
}

/// Whether `cargo test` compiles a target.
fn is_checked(target: &Target) -> bool {
    match target.kind {
        TargetKind::Lib | TargetKind::ProcMacro | TargetKind::Bin | TargetKind::Example => true,
        TargetKind::Test | TargetKind::Bench => target.test,
        TargetKind::BuildScript => false,
    }
}

/// Whether code outside of the mutant's own function can tell at compile time: of the bodies of functions other crates
/// see nothing, unless they are run at compile time.
fn is_seen_at_compile_time(builder: &Builder<'_>, mutant: &Planned) -> bool {
    let (proposal, file) = (&mutant.proposal, &builder.scope.files[mutant.file]);
    let is_private = || file.source.as_ref().is_some_and(|source| is_private_affair(source, &proposal.span));
    file.compile_time || proposal.constness.is_some() || matches!(proposal.form, Form::Rebuild) && !is_private()
}
