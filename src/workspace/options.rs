//! The options that name the same thing as in cargo, and how they are handed on to each cargo command.

use super::Workspace;
use crate::error::{Error, Result};
use camino::{Utf8Path, Utf8PathBuf};

/// Which packages, with which features, built how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CargoOptions {
    /// Where cargo runs; `None` for the current directory.
    pub dir: Option<Utf8PathBuf>,
    /// `--manifest-path`; relative paths are relative to `dir`.
    pub manifest_path: Option<Utf8PathBuf>,
    /// `-p`/`--package`, as often as given.
    pub packages: Vec<String>,
    /// `--workspace`.
    pub workspace: bool,
    /// `--exclude`.
    pub exclude: Vec<String>,
    /// `-F`/`--features`, as given: each may hold several, with commas or spaces between.
    pub features: Vec<String>,
    /// `--all-features`.
    pub all_features: bool,
    /// `--no-default-features`.
    pub no_default_features: bool,
    /// The cargo profile: `--profile` of cargo, `--cargo-profile` of nextest.
    pub profile: Option<String>,
    /// `--release`.
    pub release: bool,
    /// `--target`: a triple.
    pub target: Option<String>,
    /// `--locked`.
    pub locked: bool,
    /// `--offline`.
    pub offline: bool,
    /// `--frozen`.
    pub frozen: bool,
}

impl CargoOptions {
    /// The directory in which cargo runs.
    pub fn directory(&self) -> &Utf8Path {
        self.dir.as_deref().unwrap_or(Utf8Path::new("."))
    }

    /// The profile that tests are built with.
    pub fn profile_name(&self) -> &str {
        match (&self.profile, self.release) {
            (Some(profile), _) => profile,
            (None, true) => "release",
            (None, false) => "test",
        }
    }

    /// The features asked for, split as cargo splits them.
    pub fn feature_names(&self) -> impl Iterator<Item = &str> {
        self.features.iter().flat_map(|f| f.split([',', ' ', '\t'])).filter(|f| !f.is_empty())
    }

    /// Flags for `cargo metadata`.
    pub fn metadata_flags(&self) -> Vec<String> {
        let mut flags = self.resolution_flags();
        if let Some(target) = &self.target {
            flags.extend(["--filter-platform".into(), target.clone()]);
        }
        flags
    }

    /// Flags for `cargo test`, `cargo build`, `cargo check` …, but for the choice of packages and targets.
    pub fn cargo_flags(&self) -> Vec<String> {
        self.build_flags("--profile")
    }

    /// Flags for `cargo nextest run` and `list`, but for the choice of packages and targets.
    pub fn nextest_flags(&self) -> Vec<String> {
        self.build_flags("--cargo-profile")
    }

    /// The choice of packages as the user made it, for either command.
    pub fn selection_flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        if self.workspace {
            flags.push("--workspace".to_owned());
        }
        flags.extend(self.packages.iter().flat_map(|p| ["--package".to_owned(), p.clone()]));
        flags.extend(self.exclude.iter().flat_map(|p| ["--exclude".to_owned(), p.clone()]));
        flags
    }

    /// The packages that `-p`, `--workspace` and `--exclude` choose, as indices into [`Workspace::packages`]. Without
    /// any of them all members: the diff narrows the work down, not the current directory.
    ///
    /// # Errors
    /// When a name or pattern fits no member.
    pub fn select(&self, workspace: &Workspace) -> Result<Vec<usize>> {
        let fitting = |option: &str, pattern: &str| -> Result<Vec<usize>> {
            let glob = globset::Glob::new(pattern).map(|g| g.compile_matcher());
            // A package ID specification may carry a version or be a URL; the name is its last part.
            let name = pattern.rsplit(['/', '#']).next().unwrap_or(pattern).split('@').next().unwrap_or(pattern);
            let fits = |p: &super::Package| {
                p.name == name || p.id == pattern || glob.as_ref().is_ok_and(|g| g.is_match(p.name.as_str()))
            };
            let found: Vec<usize> = (0..workspace.packages.len()).filter(|i| fits(&workspace.packages[*i])).collect();
            if found.is_empty() {
                let names: Vec<&str> = workspace.packages.iter().map(|p| p.name.as_str()).collect();
                return Err(Error::new(
                    format!("choose packages by `{option} {pattern}`"),
                    format!("the workspace at `{}` has no such package", workspace.root),
                )
                .hint(format!("its packages are: {}", names.join(", "))));
            }
            Ok(found)
        };
        let mut chosen: Vec<usize> = (0..workspace.packages.len()).collect();
        if !self.packages.is_empty() && !self.workspace {
            let lists: Result<Vec<_>> = self.packages.iter().map(|p| fitting("-p", p)).collect();
            let wanted: Vec<usize> = lists?.concat();
            chosen.retain(|i| wanted.contains(i));
        }
        for pattern in &self.exclude {
            let unwanted = fitting("--exclude", pattern)?;
            chosen.retain(|i| !unwanted.contains(i));
        }
        Ok(chosen)
    }

    fn resolution_flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        if let Some(path) = &self.manifest_path {
            flags.extend(["--manifest-path".to_owned(), path.to_string()]);
        }
        flags.extend(self.features.iter().flat_map(|f| ["--features".to_owned(), f.clone()]));
        let switches = [
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
            (self.locked, "--locked"),
            (self.offline, "--offline"),
            (self.frozen, "--frozen"),
        ];
        flags.extend(switches.iter().filter(|(on, _)| *on).map(|(_, flag)| (*flag).to_owned()));
        flags
    }

    fn build_flags(&self, profile_flag: &str) -> Vec<String> {
        let mut flags = self.resolution_flags();
        if let Some(profile) = &self.profile {
            flags.extend([profile_flag.to_owned(), profile.clone()]);
        }
        if self.release {
            flags.push("--release".to_owned());
        }
        if let Some(target) = &self.target {
            flags.extend(["--target".to_owned(), target.clone()]);
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_has_another_flag_in_nextest() {
        let opts = CargoOptions {
            profile: Some("ci".into()),
            features: vec!["a,b".into()],
            locked: true,
            target: Some("wasm32-wasip1".into()),
            ..CargoOptions::default()
        };
        let common = ["--features", "a,b", "--locked"];
        assert_eq!(opts.cargo_flags(), [&common[..], &["--profile", "ci", "--target", "wasm32-wasip1"]].concat());
        assert_eq!(
            opts.nextest_flags(),
            [&common[..], &["--cargo-profile", "ci", "--target", "wasm32-wasip1"]].concat()
        );
        assert_eq!(opts.metadata_flags(), [&common[..], &["--filter-platform", "wasm32-wasip1"]].concat());
    }

    #[test]
    fn features_are_split_as_cargo_splits_them() {
        let opts = CargoOptions { features: vec!["a,b c".into(), "d/e".into()], ..CargoOptions::default() };
        assert_eq!(opts.feature_names().collect::<Vec<_>>(), ["a", "b", "c", "d/e"]);
    }
}
