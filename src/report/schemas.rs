//! The JSON schemas below `docs/schemas/`, made from the types: a document that follows its type follows its schema, and
//! a field's description is the one that stands at the field.
//!
//! The book's page about the policy is made from the same.

use super::{Format, json::Json, model::Report, model::Verdict, sample};
use crate::compare::model::{Comparison, MapFiles, Reason, Rule};
use crate::freeze::date::Date;
use crate::killmap::model::{KillMap, MapMutant, SCHEMA};
use crate::ledger::{self, Excusal};
use crate::policy::{Cap, Globs, ManifestEntry, Multiplier, Percent, Policy};
use crate::published::published;
use crate::tasks::TaskList;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::Value;
use std::borrow::Cow;

/// Types that are read from a plainer value, and what that value has to be.
macro_rules! read_from {
    ($($type:ty: $schema:tt)*) => {$(
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

read_from! {
    Globs: { "type": "array", "items": { "type": "string", "minLength": 1 } }
    Percent: { "type": "integer", "minimum": 0, "maximum": 100 }
    Multiplier: { "type": "number", "minimum": 1 }
    Cap: { "type": "string", "minLength": 2, "examples": ["30m", "8x"] }
    Date: { "type": "string", "format": "date", "pattern": "^\\d{4}-\\d{2}-\\d{2}$" }
    ManifestEntry: { "type": "string", "pattern": "^\\S+ .+" }
}

/// The schema of a type under a name and with a title.
fn schema<T: JsonSchema>(title: &str) -> Value {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}

#[track_caller]
fn follows(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

fn policy() -> Value {
    schema::<Policy>("The policy of cargo hunkmut, .config/hunkmut.toml")
}

#[test]
fn the_reports_schema_is_published_and_reports_follow_it() {
    let schema = schema::<Report>("The report of cargo hunkmut, hunkmut-report/1");
    published("docs/schemas/report.schema.json", &format!("{schema:#}\n"));
    for report in [sample::report(), sample::big(40, 5)] {
        let value: Value = serde_json::from_str(&Json.render(&report, &|_| None)).unwrap();
        assert_eq!(follows(&schema, &value), Vec::<String>::new());
    }
    let mut wrong: Value = serde_json::to_value(sample::report()).unwrap();
    wrong["mutants"][0]["verdict"] = "kiled".into();
    wrong.as_object_mut().unwrap().remove("gates");
    assert_eq!(follows(&schema, &wrong).len(), 2);
}

#[test]
fn the_policys_schema_is_published_and_policies_follow_it() {
    let schema = policy();
    published("docs/schemas/policy.schema.json", &format!("{schema:#}\n"));
    let read = |text: &str| -> Value { serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap() };
    for good in [Policy::default_toml(), "", "cap = \"8x\"\n[[floor-override]]\npaths = [\"a\"]\nfloor = 3"] {
        assert_eq!(follows(&schema, &read(good)), Vec::<String>::new(), "{good}");
    }
    for bad in ["flor = 3", "floor = \"x\"", "gates = [\"ration\"]", "[paths]\ntets = []"] {
        assert!(Policy::parse(bad, "x").is_err() && !follows(&schema, &read(bad)).is_empty(), "{bad}");
    }
}

#[test]
fn the_comparisons_schema_is_published_and_comparisons_follow_it() {
    let schema = schema::<Comparison>("What cargo hunkmut compare found, hunkmut-compare/1");
    published("docs/schemas/compare.schema.json", &format!("{schema:#}\n"));
    let reasons = Rule::ALL.map(|rule| Reason::new(rule, "why").at("src/a.rs", Some(3)).test("a::t x"));
    let mut comparison = Comparison::of_reasons(reasons.to_vec(), vec!["a note".to_owned()]);
    comparison.reasons.push(Reason::new(Rule::NoNewKills, "about no place"));
    comparison.killmaps = MapFiles { base: None, head: Some("killmap-head.json".to_owned()) };
    let good: Value = serde_json::from_str(&comparison.json().unwrap()).unwrap();
    assert_eq!(follows(&schema, &good), Vec::<String>::new());
    for (place, wrong) in [("/reasons/0/rule", "ressurected"), ("/decision", "pass"), ("/reasons/0/line", "3")] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = wrong.into();
        assert_eq!(follows(&schema, &bad).len(), 1, "{place}");
    }
}

#[test]
fn the_kill_maps_schema_is_published_and_maps_follow_it() {
    let schema = schema::<KillMap>("A kill map of cargo hunkmut, hunkmut-killmap/1");
    published("docs/schemas/killmap.schema.json", &format!("{schema:#}\n"));
    let mut map = KillMap { schema: SCHEMA.to_owned(), rev: "0".repeat(40), complete: true, ..KillMap::default() };
    let killed =
        MapMutant { killed_by: vec!["a::t x".to_owned()], reason: Some("time".into()), ..MapMutant::default() };
    map.add("m-1", killed, Verdict::Timeout);
    map.add("m-2", MapMutant::default(), Verdict::Survived);
    let good: Value = serde_json::from_str(&map.json().unwrap()).unwrap();
    assert_eq!(follows(&schema, &good), Vec::<String>::new());
    for (place, wrong) in [("/killed", Value::Null), ("/mutants/m-1", "dead".into()), ("/left_out", "-1".into())] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = wrong;
        assert_eq!(follows(&schema, &bad).len(), 1, "{place}");
    }
}

#[test]
fn the_tasks_schema_is_published_and_tasks_follow_it() {
    let schema = schema::<TaskList>("What cargo hunkmut tasks prints as JSON, hunkmut-tasks/1");
    published("docs/schemas/tasks.schema.json", &format!("{schema:#}\n"));
    let good = serde_json::to_value(TaskList::of(&sample::report(), &sample::sources)).unwrap();
    assert!(good["tasks"].as_array().is_some_and(|tasks| !tasks.is_empty()));
    assert_eq!(follows(&schema, &good), Vec::<String>::new());
    for (place, wrong) in [("/tasks/0/line", "3"), ("/tasks/0/change/start_byte", "3")] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = wrong.into();
        assert_eq!(follows(&schema, &bad).len(), 1, "{place}");
    }
}

/// The ledger's file, whose entries are read one by one so that a bad one does not take the others with it.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
struct Ledger {
    /// The excused mutants.
    #[serde(default)]
    excusal: Vec<Excusal>,
}

#[test]
fn the_ledgers_schema_is_published_and_ledgers_follow_it() {
    let schema = schema::<Ledger>("The ledger of cargo hunkmut, .config/hunkmut-ledger.toml");
    published("docs/schemas/ledger.schema.json", &format!("{schema:#}\n"));
    let read = |text: &str| -> Value { serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap() };
    let entry = ledger::tests::entry("m-0a", "fn f() {}");
    let whole = Excusal {
        expires: Some("2030-01-31".parse().unwrap()),
        proof: Some(ledger::Proof::EquivalentByCompiler),
        ..entry.clone()
    };
    for good in [String::new(), ledger::append("", &entry), ledger::append("# ours\n", &whole)] {
        assert_eq!(follows(&schema, &read(&good)), Vec::<String>::new(), "{good}");
    }
    let text = ledger::append("", &entry);
    for (from, to) in [("owner", "ownr"), ("[[excusal]]", "[[excuse]]"), ("2026-01-02", "tomorrow")] {
        let bad = text.replace(from, to);
        let refused = ledger::parse(&bad, "x").is_err() || ledger::parse(&bad, "x").unwrap()[0].is_err();
        assert!(refused && !follows(&schema, &read(&bad)).is_empty(), "{bad}");
    }
}

/// Every key below a schema with its description, in the order of the types.
///
/// `about` is what the schema around them says of itself: a table's own words, for keys that are only "its path".
fn keys(about: &str, schema: &Value, root: &Value, prefix: &str, out: &mut Vec<(String, String)>) {
    let target = |at: &str| root.pointer(at.trim_start_matches('#')).cloned().unwrap_or_default();
    let resolve = |value: &Value| {
        let named =
            value["$ref"].as_str().or(value["allOf"][0]["$ref"].as_str()).or(value["anyOf"][0]["$ref"].as_str());
        named.map_or_else(|| value.clone(), target)
    };
    for (key, value) in resolve(schema)["properties"].as_object().into_iter().flatten() {
        let path = format!("{prefix}{key}");
        let (inner, list) = (resolve(value), resolve(&value["items"]));
        let description = value["description"].as_str().unwrap_or_default().replace('\n', " ");
        if inner["properties"].is_object() {
            keys(&description, &inner, root, &format!("{path}."), out);
        } else {
            let whose = ["Its ", "Their "].iter().any(|word| description.starts_with(word)) && !about.is_empty();
            let description = match whose {
                true => format!(
                    "{}: {}",
                    about.trim_end_matches('.'),
                    description.replacen('I', "i", 1).replacen('T', "t", 1)
                ),
                false => description,
            };
            let words: Vec<&str> = [&inner, &list].iter().flat_map(|s| variants(s)).collect();
            let words = if words.is_empty() { String::new() } else { format!(" One of `{}`.", words.join("`, `")) };
            out.push((path.clone(), format!("{description}{words}")));
            keys(&description, &list, root, &format!("{path}."), out);
        }
    }
}

/// The words that a closed list allows.
fn variants(schema: &Value) -> Vec<&str> {
    let each = schema["oneOf"].as_array().into_iter().flatten();
    let described = each.flat_map(|one| one["const"].as_str().into_iter().chain(one["enum"][0].as_str()));
    schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).chain(described).collect()
}

#[test]
fn the_books_page_about_the_policy_has_every_key_and_its_default() {
    let (schema, mut found) = (policy(), Vec::new());
    keys("", &schema, &schema, "", &mut found);
    let defaults: Value = serde_json::to_value(Policy::default_toml().parse::<toml::Table>().unwrap()).unwrap();
    let mut page = "\
# Policy reference

`.config/hunkmut.toml` in the root of the workspace, read from the **merge base** of the patch. `cargo hunkmut init`
writes it with every key and its default. An unknown key is an error that names it and suggests the nearest. The
[schema](https://json-schema.org) for editors is `docs/schemas/policy.schema.json`.

A dot stands for a table: `timeouts.floor-ms` is the key `floor-ms` in `[timeouts]`, `floor-override.paths` a key of
each `[[floor-override]]`.

| key | default | meaning |
|---|---|---|
"
    .to_owned();
    for (key, description) in &found {
        let default = defaults.pointer(&format!("/{}", key.replace('.', "/")));
        let default = default.map_or("none".to_owned(), |value| format!("`{}`", value.to_string().replace(',', ", ")));
        page += &format!("| `{key}` | {default} | {description} |\n");
    }
    assert!(found.len() > 25 && page.contains("| `timeouts.floor-ms` | `3000` |"), "{page}");
    published("docs/src/policy.md", &page);
}
