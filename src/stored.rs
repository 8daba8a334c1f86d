//! The report of an earlier run, for the subcommands that go on from it.

use crate::cli::args::CargoArgs;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::report::json;
use crate::report::model::{Mutant, Report};
use crate::run::session::current_dir;
use crate::workspace::Workspace;
use camino::{Utf8Path, Utf8PathBuf};

/// A stored report and where it belongs.
pub struct Stored {
    /// What it says.
    pub report: Report,
    /// The file.
    pub path: Utf8PathBuf,
    /// The root of the repository.
    pub root: Utf8PathBuf,
    /// The root of the cargo workspace.
    pub workspace: Utf8PathBuf,
    /// `target/hunkmut`.
    pub hunkmut_dir: Utf8PathBuf,
}

impl Stored {
    /// Reads a report: the one named, or the last one of the workspace around the current directory.
    ///
    /// # Errors
    /// When there is no repository, no workspace, or no report that can be read.
    pub fn read(from: Option<&Utf8Path>, cargo: &CargoArgs) -> Result<Stored> {
        let here = current_dir()?;
        let near = match &cargo.manifest_path {
            Some(path) => here.join(path).parent().map_or(here.clone(), Utf8Path::to_owned),
            None => here.clone(),
        };
        let repo = Repo::discover(&near)?;
        let workspace = Workspace::load(&cargo.options(here))?;
        let hunkmut_dir = workspace.target_dir.join("hunkmut");
        let path = match from {
            Some(path) if path.is_dir() => path.join("report.json"),
            Some(path) => path.to_owned(),
            None => hunkmut_dir.join("report/report.json"),
        };
        let report = json::read(&path)?;
        Ok(Stored { report, path, root: repo.root().to_owned(), workspace: workspace.root, hunkmut_dir })
    }

    /// A file as it lies in the work tree today.
    pub fn source(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(file)).ok()
    }

    /// The mutant that an ID, or the beginning of one, names.
    ///
    /// # Errors
    /// When none or several have it.
    pub fn mutant(&self, id: &str) -> Result<&Mutant> {
        let doing = || format!("find the mutant `{id}` in `{}`", self.path);
        let full = if id.starts_with("m-") { id.to_owned() } else { format!("m-{id}") };
        if let Some(mutant) = self.report.mutants.iter().find(|mutant| mutant.id == full) {
            return Ok(mutant);
        }
        let mut found = self.report.mutants.iter().filter(|mutant| full.len() > 4 && mutant.id.starts_with(&full));
        match (found.next(), found.next()) {
            (Some(mutant), None) => Ok(mutant),
            (None, _) => Err(Error::new(doing(), "the report has no such mutant")
                .hint("`cargo hunkmut tasks --message-format short` lists the survivors")),
            (Some(_), Some(_)) => Err(Error::new(doing(), "several mutants begin like this").hint("give more digits")),
        }
    }
}
