//! Tests of the base that the patch made weaker, read from the syntax of both sides.

use super::looser::looser;
use super::pairs::{At, Pairs, ReadFile};
use super::profile::{Assertion, Profile, Strength};
use super::read::Unit;
use crate::compare::model::{Reason, Rule};
use std::collections::BTreeMap;

/// How many assertions of a text the head has that the base has not, over all tests: what left one test may stand in
/// another now.
type Pool = BTreeMap<String, usize>;

/// Every reason. `label` names a test of a file (path at the head, else at the base) as nextest does.
pub fn weakened(files: &[ReadFile], pairs: &Pairs, label: &dyn Fn(&ReadFile, &Unit) -> String) -> Vec<Reason> {
    let old = |at: &At| &files[at.0].old.units[at.1];
    let new = |at: &At| &files[at.0].new.units[at.1];
    let mut pool = pool(files, pairs);
    let mut reasons = Vec::new();
    for (b, h) in &pairs.both {
        let (base, head, file) = (old(b), new(h), &files[h.0]);
        let path = file.new_path.as_deref().unwrap_or_default();
        let name = label(&files[b.0], base);
        if base.is_test {
            let about = |rule, detail: String| Reason::new(rule, detail).at(path, Some(head.line)).test(name.as_str());
            reasons.extend(attributes(base, head).into_iter().map(|(rule, detail)| about(rule, detail)));
        }
        if base.body == head.body || !(base.is_test || is_test_code(base, &files[b.0])) {
            continue;
        }
        let called = |name: &str| called(files, h.0, name);
        for detail in asserts_less(&base.profile, &head.profile, &mut pool, &called) {
            let what =
                if base.is_test { "`{}`".replace("{}", &head.name) } else { format!("the helper `{}`", head.name) };
            let mut reason = Reason::new(Rule::AssertionRemoved, format!("{what}: {detail}")).at(path, Some(head.line));
            reason.tests = match base.is_test {
                true => vec![name.clone()],
                false => users(files, b.0, &base.name, label),
            };
            reasons.push(reason);
        }
    }
    for b in &pairs.gone {
        let (base, file) = (old(b), &files[b.0]);
        if !base.is_test || went_elsewhere(base, &mut pool) {
            continue;
        }
        let path = file.new_path.as_deref().or(file.old_path.as_deref()).unwrap_or_default();
        let place = file.old_path.as_deref().unwrap_or_default();
        let detail = format!("the test `{}` is gone (it stood in {place}:{})", base.name, base.line);
        reasons.push(Reason::new(Rule::TestDeleted, detail).at(path, None).test(label(file, base)));
    }
    reasons
}

/// Whether a helper is part of tests.
fn is_test_code(unit: &Unit, file: &ReadFile) -> bool {
    file.test_file || unit.test_only
}

fn attributes(base: &Unit, head: &Unit) -> Vec<(Rule, String)> {
    let mut found = Vec::new();
    let name = &head.name;
    let always = base.ignored.contains("always");
    if let Some(when) = head.ignored.difference(&base.ignored).next().filter(|_| !always) {
        found.push((Rule::TestIgnored, format!("`{name}` is `#[ignore]`d now ({when})")));
    }
    if let Some(gate) = head.gates.difference(&base.gates).next() {
        found.push((Rule::TestGated, format!("`{name}` is compiled only under `{gate}` now")));
    }
    match (&base.should_panic, &head.should_panic) {
        (None, Some(_)) => found.push((Rule::ShouldPanicWidened, format!("`{name}` should panic now"))),
        (Some(Some(old)), Some(None)) => {
            found.push((Rule::ShouldPanicWidened, format!("`{name}` may panic with anything now, not only `{old}`")));
        }
        (Some(Some(old)), Some(Some(new))) if new != old && old.contains(new.as_str()) => {
            found.push((
                Rule::ShouldPanicWidened,
                format!("`{name}` may panic with `{new}` now, which is less than `{old}`"),
            ));
        }
        _ => {}
    }
    if head.cases.len() < base.cases.len() {
        let lost = base.cases.iter().find(|case| !head.cases.contains(case));
        let lost = lost.map(|case| format!(", `{case}` among them")).unwrap_or_default();
        let detail = format!("`{name}` has {} cases instead of {}{lost}", head.cases.len(), base.cases.len());
        found.push((Rule::TestDeleted, detail));
    }
    found
}

/// What the head's tests and helpers assert beyond the base's.
fn pool(files: &[ReadFile], pairs: &Pairs) -> Pool {
    let mut pool = Pool::new();
    let mut add = |head: &Profile, base: Option<&Profile>| {
        let mut known: Vec<&str> = base.iter().flat_map(|p| &p.assertions).map(|a| a.text.as_str()).collect();
        for assertion in &head.assertions {
            match known.iter().position(|text| *text == assertion.text) {
                Some(at) => {
                    known.swap_remove(at);
                }
                None => *pool.entry(assertion.text.clone()).or_default() += 1,
            }
        }
    };
    for (b, h) in &pairs.both {
        let head = &files[h.0].new.units[h.1];
        if head.ignored.is_empty() {
            add(&head.profile, Some(&files[b.0].old.units[b.1].profile));
        }
    }
    let live = |name: &String| {
        let tests =
            files.iter().flat_map(|file| &file.new.units).filter(|unit| unit.is_test && unit.ignored.is_empty());
        tests.into_iter().any(|test| test.profile.names.contains(name))
    };
    for h in &pairs.new {
        let head = &files[h.0].new.units[h.1];
        // What no test reaches asserts nothing.
        if head.ignored.is_empty() && (head.is_test || live(&head.name)) {
            add(&head.profile, None);
        }
    }
    pool
}

fn take(pool: &mut Pool, text: &str) -> bool {
    match pool.get_mut(text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// Whether all that a test asserted stands in other tests now.
fn went_elsewhere(base: &Unit, pool: &mut Pool) -> bool {
    let wanted = &base.profile.assertions;
    let mut trial = pool.clone();
    let all = !wanted.is_empty() && wanted.iter().all(|assertion| take(&mut trial, &assertion.text));
    if all {
        *pool = trial;
    }
    all
}

/// What a body asserts less than before, one sentence each.
fn asserts_less(
    base: &Profile,
    head: &Profile,
    pool: &mut Pool,
    called: &dyn Fn(&str) -> Vec<Assertion>,
) -> Vec<String> {
    if head.empty && !base.empty {
        return vec!["its body is empty now".to_owned()];
    }
    let mut said = Vec::new();
    let mut lost: Vec<&Assertion> = Vec::new();
    let mut more: Vec<&Assertion> = head.assertions.iter().collect();
    for assertion in &base.assertions {
        let same = |other: &&Assertion| other.text == assertion.text;
        let Some(at) = more.iter().position(same) else {
            lost.push(assertion);
            continue;
        };
        let found = more.remove(at);
        if found.depth > assertion.depth {
            said.push(format!("`{}` stands under a condition now", shown(assertion)));
        }
    }
    // What a helper asserts that the head calls and the base did not, counts as the head's own.
    let mut inlined = Vec::new();
    for (name, times) in &head.calls {
        let before = base.calls.get(name).copied().unwrap_or(0);
        for _ in before..*times {
            inlined.extend(called(name));
        }
    }
    lost.retain(|assertion| !take(pool, &assertion.text));
    lost.retain(|assertion| {
        let versions = more.iter().enumerate().find_map(|(at, head)| Some((at, looser(assertion, head)?)));
        match versions {
            Some((at, why)) => {
                more.remove(at);
                said.push(format!("`{}` became looser: {why}", shown(assertion)));
                false
            }
            None => true,
        }
    });
    for strength in [Strength::Exact, Strength::Relation] {
        let before = lost.iter().filter(|assertion| assertion.strength >= strength).count();
        let of = |all: &mut dyn Iterator<Item = &Assertion>| -> usize {
            all.filter(|assertion| assertion.strength >= strength).map(|assertion| assertion.weight).sum()
        };
        let after = of(&mut more.iter().copied()) + of(&mut inlined.iter());
        if after < before
            && let Some(first) = lost.iter().find(|assertion| assertion.strength >= strength)
        {
            let others = before - after - 1;
            let others = if others > 0 { format!(" (and {others} more)") } else { String::new() };
            let weaker = strength == Strength::Exact && !more.is_empty();
            let verb = if weaker { "gave way to something weaker" } else { "is gone" };
            said.push(format!("`{}` {verb}{others}", shown(first)));
            break;
        }
    }
    if head.discards > base.discards && head.unwraps < base.unwraps {
        said.push("a result that was unwrapped is dropped now".to_owned());
    }
    if head.returns > base.returns {
        said.push("it may return early now".to_owned());
    }
    said
}

fn shown(assertion: &Assertion) -> String {
    crate::report::text::fit(&assertion.text.replace(" ( ", "(").replace(" )", ")").replace(" !", "!"), 60)
}

/// What a function of the head asserts: of the same file first, else of any changed one.
fn called(files: &[ReadFile], file: usize, name: &str) -> Vec<Assertion> {
    let of = |index: usize| {
        let mut units = files[index].new.units.iter();
        units.find(|unit| !unit.is_test && unit.name == name).map(|unit| unit.profile.assertions.clone())
    };
    of(file).or_else(|| (0..files.len()).find_map(of)).unwrap_or_default()
}

/// The tests of the base's file that use a helper.
fn users(files: &[ReadFile], file: usize, name: &str, label: &dyn Fn(&ReadFile, &Unit) -> String) -> Vec<String> {
    let uses = |unit: &&Unit| unit.is_test && unit.profile.names.iter().any(|used| used == name);
    files[file].old.units.iter().filter(uses).map(|unit| label(&files[file], unit)).collect()
}

#[cfg(test)]
#[path = "weakened_tests.rs"]
mod tests;
