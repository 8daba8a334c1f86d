//! What a changed `Cargo.toml` means for the tests of its package.

use crate::workspace::{Package, TargetKind};
use toml::{Table, Value};

/// A change of a manifest that may add tests without touching one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ManifestChange {
    /// The declaration of this target (an index) changed.
    Target(usize),
    /// This active feature was added or its list changed.
    Feature(String),
}

/// Compares two versions of a package's manifest. A manifest that is new or does not parse says nothing.
pub(super) fn changes(package: &Package, old: &str, new: &str) -> Vec<ManifestChange> {
    let (Ok(old), Ok(new)) = (old.parse::<Table>(), new.parse::<Table>()) else { return Vec::new() };
    let mut out = Vec::new();
    for (index, target) in package.targets.iter().enumerate() {
        let differs = match target.kind {
            TargetKind::Lib | TargetKind::ProcMacro => old.get("lib") != new.get("lib"),
            TargetKind::Bin => of_name(&old, "bin", &target.name) != of_name(&new, "bin", &target.name),
            TargetKind::Test => {
                of_name(&old, "test", &target.name) != of_name(&new, "test", &target.name)
                    || package_key(&old, "autotests") != package_key(&new, "autotests")
            }
            TargetKind::Bench => of_name(&old, "bench", &target.name) != of_name(&new, "bench", &target.name),
            TargetKind::Example => of_name(&old, "example", &target.name) != of_name(&new, "example", &target.name),
            TargetKind::BuildScript => false,
        };
        if differs {
            out.push(ManifestChange::Target(index));
        }
    }
    let feature = |manifest: &Table, name: &str| manifest.get("features").and_then(|f| f.get(name)).cloned();
    // `default` itself is in no `cfg`; what it turns on is.
    let turned_on = |manifest: &Table| -> Vec<String> {
        let Some(Value::Array(list)) = feature(manifest, "default") else { return Vec::new() };
        list.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    };
    let (before, after) = (turned_on(&old), turned_on(&new));
    for name in package.features.iter().filter(|name| *name != "default") {
        if feature(&old, name) != feature(&new, name) || !before.contains(name) && after.contains(name) {
            out.push(ManifestChange::Feature(name.clone()));
        }
    }
    out
}

/// The `[[section]]` of this name.
fn of_name<'a>(manifest: &'a Table, section: &str, name: &str) -> Option<&'a Value> {
    manifest.get(section)?.as_array()?.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(name))
}

fn package_key<'a>(manifest: &'a Table, key: &str) -> Option<&'a Value> {
    manifest.get("package")?.get(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{Edition, Target};

    fn package() -> Package {
        let target = |name: &str, kind| Target {
            name: name.into(),
            kind,
            root: "/r/x.rs".into(),
            edition: Edition::E2021,
            test: true,
            doctest: false,
            required_features: Vec::new(),
        };
        Package {
            id: "p".into(),
            name: "p".into(),
            dir: "/r".into(),
            manifest: "/r/Cargo.toml".into(),
            targets: vec![target("p", TargetKind::Lib), target("it", TargetKind::Test)],
            features: ["default".to_owned(), "x".to_owned()].into(),
            dependencies: Default::default(),
        }
    }

    #[test]
    fn declarations_of_targets_and_active_features_count() {
        let of = |old: &str, new: &str| changes(&package(), old, new);
        let test = "[[test]]\nname = \"it\"\npath = \"t.rs\"\n";
        assert_eq!(of("", test), [ManifestChange::Target(1)]);
        assert_eq!(of(test, test), []);
        assert_eq!(of("[package]\nautotests = false", ""), [ManifestChange::Target(1)]);
        assert_eq!(of("[lib]\ntest = false", ""), [ManifestChange::Target(0)]);
        assert_eq!(
            of("[features]\nx = []", "[features]\nx = []\ndefault = [\"x\"]"),
            [ManifestChange::Feature("x".into())]
        );
        assert_eq!(of("[features]\nx = []", "[features]\nx = []\ny = []"), []);
        assert_eq!(of("[dependencies]\na = \"1\"", "[dependencies]\na = \"2\""), []);
    }
}
