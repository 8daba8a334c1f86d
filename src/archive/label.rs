//! What an archive is of, and who may use it.

use super::SCHEMA;
use crate::catalog;
use crate::cli::args::CargoArgs;
use crate::error::{Error, Result};
use crate::weave::runtime;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// The first thing in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The form of the archive.
    schema: String,
    /// The version of the program that made it.
    version: String,
    /// Digest of the catalog of operators.
    catalog: String,
    /// What woven code and this program agree on.
    protocol: String,
    /// Processor and system that its programs are for.
    platform: String,
    /// The patch, and how it is built.
    pub question: Question,
    /// Where its programs were built.
    pub roots: Roots,
}

/// The patch and the options that decide about mutants and builds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The commit that `--base` named.
    pub base: String,
    /// The commit under the patch's new side.
    pub head: String,
    /// The diff that was handed over.
    pub in_diff: Option<String>,
    /// The policy that was handed over: its path and its text.
    pub policy: Option<(String, String)>,
    /// `--operator`.
    pub operators: Vec<String>,
    /// `--without-operator`.
    pub without_operators: Vec<String>,
    /// The day by which the patch is judged.
    pub day: String,
    /// cargo's options; where the manifest lies is every machine's own business.
    pub cargo: CargoArgs,
}

/// Folders of the machine that built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roots {
    /// The root of the tree in which the head lay.
    pub tree: Utf8PathBuf,
    /// The cargo workspace's path in it.
    pub workspace: String,
    /// The target directory of the user's own builds.
    pub users_target: Utf8PathBuf,
    /// cargo's target directory of the woven build.
    pub target_dir: Utf8PathBuf,
    /// cargo's build directory of it.
    pub build_dir: Utf8PathBuf,
    /// The path that woven code looks for its channel at.
    pub channel: String,
}

impl Label {
    /// The label of an archive that this program makes on this machine.
    pub fn new(question: Question, roots: Roots) -> Label {
        Label {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            catalog: catalog::digest(),
            protocol: runtime::protocol(),
            platform: platform(),
            question,
            roots,
        }
    }

    /// Whether this program may use it on this machine.
    ///
    /// # Errors
    /// When another version made it, or for another platform.
    pub fn check(&self) -> Result<()> {
        let mine = Label::new(self.question.clone(), self.roots.clone());
        let foreign = |why: String, hint: &str| Err(Error::new("use the archive", why).hint(hint));
        if self.schema != mine.schema || self.version != mine.version {
            let why = format!("it is of cargo-hunkmut {}, and this is {}", self.version, mine.version);
            return foreign(why, "make it with the same version that runs it");
        }
        if (&self.catalog, &self.protocol) != (&mine.catalog, &mine.protocol) {
            let why = format!("another build of cargo-hunkmut {} made it", self.version);
            return foreign(why, "make it with the same program that runs it");
        }
        if self.platform != mine.platform {
            let why = format!("its programs are for {}, and this machine is {}", self.platform, mine.platform);
            return foreign(why, "make it on a machine of the same kind");
        }
        Ok(())
    }
}

/// Processor and system of this machine.
pub fn platform() -> String {
    format!("{} {}", std::env::consts::ARCH, std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label() -> Label {
        let at = |path: &str| Utf8PathBuf::from(path);
        let roots = Roots {
            tree: at("/w"),
            workspace: String::new(),
            users_target: at("/w/target"),
            target_dir: at("/w/target/hunkmut/target"),
            build_dir: at("/w/target"),
            channel: "/w/target/hunkmut/t/channel".to_owned(),
        };
        Label::new(Question::default(), roots)
    }

    fn refused(change: impl FnOnce(&mut Label)) -> String {
        let mut label = label();
        change(&mut label);
        label.check().unwrap_err().to_string()
    }

    #[test]
    fn who_made_it_may_use_it() {
        assert_eq!(label().check(), Ok(()));
    }

    #[test]
    fn foreign_archives_are_refused_with_the_difference() {
        assert!(refused(|label| label.version = "0.0.9".into()).contains("it is of cargo-hunkmut 0.0.9"));
        assert!(refused(|label| label.catalog = "x".into()).contains("another build of cargo-hunkmut"));
        assert!(refused(|label| label.protocol = "x".into()).contains("another build of cargo-hunkmut"));
        assert!(refused(|label| label.platform = "riscv64 linux".into()).contains("for riscv64 linux"));
    }
}
