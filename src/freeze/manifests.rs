//! `Cargo.toml`: targets whose tests a patch takes out of `cargo test`.

use crate::compare::model::{Reason, Rule};
use toml::{Table, Value};

/// What the head's manifest keeps from being tested that the base's did not. `None` stands for no file; `in_base` says
/// whether the base has a file, by its path from the manifest's folder.
pub fn compare(path: &str, base: Option<&str>, head: Option<&str>, in_base: &dyn Fn(&str) -> bool) -> Vec<Reason> {
    let read = |text: Option<&str>| text.and_then(|text| text.parse::<Table>().ok());
    let (Some(old), Some(new)) = (read(base), read(head)) else { return Vec::new() };
    let mut said = Vec::new();
    let off = |table: Option<&Value>, key: &str| table.and_then(|t| t.get(key)).and_then(Value::as_bool) == Some(false);
    if off(new.get("package"), "autotests") && !off(old.get("package"), "autotests") {
        said.push("`autotests = false`: integration tests are no longer found".to_owned());
    }
    for key in ["test", "harness"] {
        if off(new.get("lib"), key) && !off(old.get("lib"), key) {
            said.push(format!("`{key} = false` in `[lib]`"));
        }
    }
    for kind in ["test", "bin"] {
        let list = |table: &Table| table.get(kind).and_then(Value::as_array).cloned().unwrap_or_default();
        let before = list(&old);
        for target in list(&new) {
            let name = target.get("name").and_then(Value::as_str).unwrap_or_default();
            let earlier = before.iter().find(|other| other.get("name") == target.get("name"));
            let known_place = match kind {
                "test" => in_base(&format!("tests/{name}.rs")) || in_base(&format!("tests/{name}/main.rs")),
                _ => in_base("src/main.rs") || in_base(&format!("src/bin/{name}.rs")),
            };
            let named = target.get("path").and_then(Value::as_str).is_some_and(in_base);
            if earlier.is_none() && !known_place && !named {
                continue;
            }
            for key in ["test", "harness"] {
                if off(Some(&target), key) && !off(earlier, key) {
                    said.push(format!("`{key} = false` for the {kind} `{name}`"));
                }
            }
            let features = |table: Option<&Value>| -> Vec<String> {
                let all = table.and_then(|t| t.get("required-features")).and_then(Value::as_array);
                all.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
            };
            let known = features(earlier);
            if let Some(feature) = features(Some(&target)).iter().find(|feature| !known.contains(feature)) {
                said.push(format!("the {kind} `{name}` needs the feature `{feature}` now"));
            }
        }
    }
    let text = head.unwrap_or_default();
    let line = |words: &str| {
        let key = ["autotests", "harness", "required-features", "test"].into_iter().find(|key| words.contains(key))?;
        text.lines().position(|line| line.trim_start().starts_with(key)).map(|at| at as u32 + 1)
    };
    said.into_iter().map(|why| Reason::new(Rule::TestGated, why.clone()).at(path, line(&why))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_taken_out_of_the_tests_are_told() {
        let of =
            |base: &str, head: &str| compare("Cargo.toml", Some(base), Some(head), &|path| path == "tests/it.rs").len();
        assert_eq!(of("[package]\nname = \"a\"", "[package]\nname = \"a\"\nautotests = false"), 1);
        assert_eq!(of("", "[lib]\ntest = false"), 1);
        assert_eq!(of("", "[[test]]\nname = \"it\"\nrequired-features = [\"x\"]"), 1);
        assert_eq!(of("[[test]]\nname = \"it\"\nharness = false", "[[test]]\nname = \"it\"\nharness = false"), 0);
        assert_eq!(of("", "[[test]]\nname = \"it\"\nharness = true"), 0);
        assert_eq!(of("", "[[test]]\nname = \"it\"\nharness = false"), 1);
        assert_eq!(of("", "[[test]]\nname = \"new\"\nharness = false"), 0);
    }
}
