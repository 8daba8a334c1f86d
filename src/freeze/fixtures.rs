//! Test data that a patch changed, removed or added.

use super::pairs::{Pairs, ReadFile};
use super::provenance::{Origin, Provenance, SIDECAR, of_fixture, of_sidecar};
use crate::compare::model::{Reason, Rule};
use std::collections::BTreeMap;

/// A changed file in a fixture folder, with the bytes of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFixture {
    /// Path at the base, when it is in a fixture folder there.
    pub old_path: Option<String>,
    /// Path at the head, when it is in a fixture folder there.
    pub new_path: Option<String>,
    /// The base's bytes.
    pub old: Option<Vec<u8>>,
    /// The head's bytes.
    pub new: Option<Vec<u8>>,
}

/// The head's files, as far as fixtures ask for them.
pub struct Head<'a> {
    /// The bytes of a file.
    pub read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// Whether the base has a file.
    pub in_base: &'a dyn Fn(&str) -> bool,
}

/// Every reason about the bytes.
pub fn check(changed: &[ChangedFixture], head: &Head<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for fixture in changed {
        match (&fixture.old_path, &fixture.new_path) {
            (Some(old), Some(new)) if fixture.old != fixture.new => match new.strip_suffix(SIDECAR) {
                Some(of) if rewritten(fixture) => {
                    let detail = format!("what `{of}` says of its provenance was rewritten");
                    reasons.push(Reason::new(Rule::FixtureChanged, detail).at(new, None));
                }
                Some(_) => {}
                None => {
                    let line = first_difference(fixture);
                    let moved = if old == new { String::new() } else { format!(" (it was `{old}`)") };
                    let detail = format!("the bytes of this fixture changed{moved}");
                    reasons.push(Reason::new(Rule::FixtureChanged, detail).at(new, line));
                }
            },
            // The same bytes under another name.
            (Some(_), Some(_)) => {}
            (Some(old), None) => match old.strip_suffix(SIDECAR) {
                Some(of) if (head.read)(of).is_none() => {}
                Some(of) => {
                    let detail = format!("`{of}` has lost the file that says where it comes from");
                    reasons.push(Reason::new(Rule::FixtureWithoutProvenance, detail).at(of, None));
                }
                None => reasons.push(Reason::new(Rule::FixtureRemoved, "this fixture is gone").at(old, None)),
            },
            (None, Some(new)) if new.ends_with(SIDECAR) => {}
            (None, Some(new)) => {
                if let Err(why) = provenance(new, head) {
                    let detail = format!("this fixture is new and does not say where it comes from: {why}");
                    reasons.push(Reason::new(Rule::FixtureWithoutProvenance, detail).at(new, None));
                }
            }
            (None, None) => {}
        }
    }
    reasons
}

/// Where a fixture of the head says that it comes from: the file beside it, else its own comment.
///
/// # Errors
/// What is missing or wrong, in words.
pub fn provenance(path: &str, head: &Head<'_>) -> Result<Provenance, String> {
    let text = |path: &str| (head.read)(path).and_then(|bytes| String::from_utf8(bytes).ok());
    let beside = format!("{path}{SIDECAR}");
    let found = match (text(&beside), text(path)) {
        (Some(sidecar), _) => of_sidecar(&sidecar)?,
        (None, Some(own)) => of_fixture(path, &own)?,
        (None, None) => return Err(format!("it is no text, and there is no `{beside}`")),
    };
    if let Origin::MutatedFrom(from) = &found.origin
        && (from == path || !((head.in_base)(from) || (head.read)(from).is_some()))
    {
        return Err(format!("`mutated-from:{from}` names no other file of the repository"));
    }
    Ok(found)
}

/// Whether a file beside a fixture says something else now, where it said something before.
fn rewritten(sidecar: &ChangedFixture) -> bool {
    let read = |bytes: &Option<Vec<u8>>| {
        let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        of_sidecar(&text)
    };
    match (read(&sidecar.old), read(&sidecar.new)) {
        (Ok(old), Ok(new)) => old.origin != new.origin,
        (Ok(_), Err(_)) => true,
        (Err(_), _) => false,
    }
}

fn first_difference(fixture: &ChangedFixture) -> Option<u32> {
    let (old, new) = (fixture.old.as_ref()?, fixture.new.as_ref()?);
    let at = old.iter().zip(new).position(|(a, b)| a != b).unwrap_or(old.len().min(new.len()));
    Some(new[..at].iter().filter(|byte| **byte == b'\n').count() as u32 + 1)
}

/// New tests all of whose fixtures are made up. `fixtures` are all paths of the head's fixtures.
pub fn synthesized_only(
    files: &[ReadFile],
    pairs: &Pairs,
    fixtures: &[String],
    head: &Head<'_>,
    label: &dyn Fn(&ReadFile, &super::read::Unit) -> String,
) -> Vec<Reason> {
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut reasons = Vec::new();
    for at in &pairs.new {
        let (file, test) = (&files[at.0], &files[at.0].new.units[at.1]);
        if !test.is_test {
            continue;
        }
        let used: Vec<&String> = named(file, test, fixtures);
        let mut made_up = |path: &str| {
            let ask = || provenance(path, head).is_ok_and(|provenance| provenance.origin == Origin::Synthesized);
            *known.entry(path.to_owned()).or_insert_with(ask)
        };
        if !used.is_empty() && used.iter().all(|path| made_up(path)) {
            let names: Vec<String> = used.iter().map(|path| format!("`{path}`")).collect();
            let detail = format!("the new test `{}` rests on made-up data alone: {}", test.name, names.join(", "));
            let path = file.new_path.as_deref().unwrap_or_default();
            let reason = Reason::new(Rule::FixtureSynthesizedOnly, detail).at(path, Some(test.line));
            reasons.push(reason.test(label(file, test)));
        }
    }
    reasons
}

/// The fixtures that a test names: itself, through what it uses of its file, else its file outside of other tests.
fn named<'a>(file: &ReadFile, test: &super::read::Unit, fixtures: &'a [String]) -> Vec<&'a String> {
    let named_by = |strings: &[&String]| -> Vec<&'a String> {
        let names = |path: &&String| strings.iter().any(|text| is_name_of(text, path));
        fixtures.iter().filter(names).collect()
    };
    let others: Vec<_> = file.new.units.iter().filter(|unit| !unit.is_test).collect();
    let mut reached = vec![test];
    let mut from = 0;
    while from < reached.len() {
        for unit in &others {
            let uses = reached[from].profile.names.contains(&unit.name);
            if uses && !reached.iter().any(|known| std::ptr::eq(*known, *unit)) {
                reached.push(unit);
            }
        }
        from += 1;
    }
    let own: Vec<&String> = reached.iter().flat_map(|unit| &unit.profile.strings).collect();
    let found = named_by(&own);
    if !found.is_empty() {
        return found;
    }
    let all: Vec<&String> = others.iter().flat_map(|unit| &unit.profile.strings).collect();
    named_by(&all)
}

/// Whether a string names a file: its whole path's end from some folder on.
fn is_name_of(text: &str, path: &str) -> bool {
    let text = text.trim_start_matches("./");
    let text = text.trim_start_matches("../");
    let text = text.trim_start_matches('/');
    !text.is_empty() && (path == text || path.strip_suffix(text).is_some_and(|folder| folder.ends_with('/')))
}

#[cfg(test)]
mod tests {
    use super::super::pairs::pair;
    use super::super::read::FileUnits;
    use super::*;
    use crate::source::SourceFile;

    const HEADER: &str = "# provenance: synthesized\n# owner: a\n# oracle: b\n";

    fn changed(old: Option<(&str, &str)>, new: Option<(&str, &str)>) -> ChangedFixture {
        ChangedFixture {
            old_path: old.map(|(path, _)| path.to_owned()),
            new_path: new.map(|(path, _)| path.to_owned()),
            old: old.map(|(_, text)| text.into()),
            new: new.map(|(_, text)| text.into()),
        }
    }

    fn rules(fixture: ChangedFixture, others: &[(&str, &str)]) -> Vec<Rule> {
        let read = |path: &str| {
            let own = fixture.new_path.as_deref() == Some(path);
            let other = || others.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_bytes().to_vec());
            if own { fixture.new.clone() } else { other() }
        };
        let head = Head { read: &read, in_base: &|path| path == "tests/fixtures/old.txt" };
        check(std::slice::from_ref(&fixture), &head).into_iter().map(|reason| reason.rule).collect()
    }

    #[test]
    fn changed_and_removed_bytes_are_told_and_moved_ones_are_not() {
        let file = |text: &'static str| Some(("tests/fixtures/a.txt", text));
        assert_eq!(rules(changed(file("a\n"), file("b\n")), &[]), [Rule::FixtureChanged]);
        assert_eq!(rules(changed(file("a\n"), None), &[]), [Rule::FixtureRemoved]);
        assert_eq!(rules(changed(file("a\n"), Some(("tests/fixtures/b.txt", "a\n"))), &[]), []);
    }

    #[test]
    fn a_new_fixture_says_where_it_comes_from() {
        let new = |text| changed(None, Some(("tests/fixtures/a.txt", text)));
        assert_eq!(rules(new("1;2\n"), &[]), [Rule::FixtureWithoutProvenance]);
        assert_eq!(rules(new("# provenance: recorded\n# owner: a\n# oracle: b\n1\n"), &[]), []);
        let sidecar = ("tests/fixtures/a.txt.provenance", "provenance: recorded\nowner: a\noracle: b\n");
        assert_eq!(rules(new("1;2\n"), &[sidecar]), []);
        let mutated = |from: &str| format!("provenance: mutated-from:{from}\nowner: a\noracle: b\n");
        let beside = |text: &str| rules(new("1\n"), &[("tests/fixtures/a.txt.provenance", text)]);
        assert_eq!(beside(&mutated("tests/fixtures/old.txt")), []);
        assert_eq!(beside(&mutated("tests/fixtures/none.txt")), [Rule::FixtureWithoutProvenance]);
    }

    #[test]
    fn a_provenance_is_not_taken_away_or_rewritten() {
        let side = |text: &'static str| Some(("tests/fixtures/a.txt.provenance", text));
        let (made, taken) =
            ("provenance: synthesized\nowner: a\noracle: b\n", "provenance: recorded\nowner: a\noracle: b\n");
        assert_eq!(rules(changed(side(made), side(taken)), &[]), [Rule::FixtureChanged]);
        assert_eq!(rules(changed(side(made), None), &[]), []);
        assert_eq!(
            rules(changed(side(made), None), &[("tests/fixtures/a.txt", "x")]),
            [Rule::FixtureWithoutProvenance]
        );
    }

    fn alone(new: &str, fixtures: &[(&str, &str)]) -> Vec<String> {
        let units = |text: &str| FileUnits::of(&SourceFile::parse("t.rs", text).unwrap());
        let files =
            [ReadFile { new_path: Some("tests/t.rs".into()), new: units(new), test_file: true, ..ReadFile::default() }];
        let read =
            |path: &str| fixtures.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_bytes().to_vec());
        let head = Head { read: &read, in_base: &|_| false };
        let paths: Vec<String> = fixtures.iter().map(|(path, _)| (*path).to_owned()).collect();
        let found = synthesized_only(&files, &pair(&files), &paths, &head, &|_, unit| unit.name.clone());
        found.into_iter().flat_map(|reason| reason.tests).collect()
    }

    #[test]
    fn a_new_test_on_made_up_data_alone_is_told() {
        let made = ("tests/fixtures/a.txt", HEADER);
        let taken = ("tests/fixtures/b.txt", "# provenance: recorded\n# owner: a\n# oracle: b\n");
        let test = |body: &str| format!("#[test] fn t() {{ {body} }}");
        assert_eq!(alone(&test("include_str!(\"fixtures/a.txt\")"), &[made, taken]), ["t"]);
        assert_eq!(alone(&test("load(\"a.txt\"); load(\"b.txt\")"), &[made, taken]), Vec::<String>::new());
        let constant = "const A: &str = include_str!(\"fixtures/a.txt\"); #[test] fn t() { f(A) }";
        assert_eq!(alone(constant, &[made, taken]), ["t"]);
        assert_eq!(alone(&test("f(1)"), &[made, taken]), Vec::<String>::new());
    }
}
