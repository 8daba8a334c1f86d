//! `.config/nextest.toml`: what makes tests more patient, or fewer.

use crate::compare::model::{Reason, Rule};
use toml::{Table, Value};

/// What the head's configuration lets through that the base's did not. `None` stands for no file; a head that does not
/// parse is nextest's own error.
pub fn compare(path: &str, base: Option<&str>, head: Option<&str>) -> Vec<Reason> {
    let read = |text: Option<&str>| text.and_then(|text| text.parse::<Table>().ok()).unwrap_or_default();
    let (old, new) = (read(base), read(head));
    let mut said = Vec::new();
    let none = Table::new();
    let profiles = |table: &Table| table.get("profile").and_then(Value::as_table).cloned().unwrap_or_default();
    let (old, new) = (profiles(&old), profiles(&new));
    for (name, profile) in &new {
        let Some(profile) = profile.as_table() else { continue };
        // A profile that the base does not have takes over what the base's default says.
        let before = |name: &str| old.get(name).and_then(Value::as_table);
        let inherited = before("default").unwrap_or(&none);
        let own = before(name).unwrap_or(&none);
        for key in ["retries", "slow-timeout", "leak-timeout", "default-filter", "global-timeout"] {
            let Some(value) = profile.get(key) else { continue };
            if let Some(why) = looser(key, own.get(key).or_else(|| inherited.get(key)), Some(value)) {
                said.push((name.clone(), key, why));
            }
        }
        for key in ["slow-timeout", "global-timeout"] {
            if own.contains_key(key)
                && !profile.contains_key(key)
                && let Some(why) = looser(key, own.get(key), inherited.get(key).filter(|_| name != "default"))
            {
                said.push((name.clone(), key, why));
            }
        }
        let list = |table: &Table| table.get("overrides").and_then(Value::as_array).cloned().unwrap_or_default();
        let known = list(own);
        for rule in list(profile).iter().filter(|rule| !known.contains(rule)) {
            let Some(rule) = rule.as_table() else { continue };
            let filter = rule.get("filter").map(ToString::to_string).unwrap_or_else(|| "some tests".to_owned());
            let same = |other: &&Value| {
                other.get("filter") == rule.get("filter") && other.get("platform") == rule.get("platform")
            };
            let earlier = known.iter().find(same).and_then(Value::as_table);
            for key in ["retries", "slow-timeout", "leak-timeout", "default-filter"] {
                let Some(value) = rule.get(key) else { continue };
                let before = earlier.and_then(|earlier| earlier.get(key)).or_else(|| own.get(key));
                if let Some(why) = looser(key, before.or_else(|| inherited.get(key)), Some(value)) {
                    said.push((name.clone(), key, format!("{why}, for {filter}")));
                }
            }
        }
    }
    let text = head.unwrap_or_default();
    let line = |key: &str| text.lines().position(|line| line.contains(key)).map(|at| at as u32 + 1);
    let reason = |(profile, key, why): (String, &str, String)| {
        Reason::new(Rule::NextestLoosened, format!("profile `{profile}`: `{key}` {why}")).at(path, line(key))
    };
    said.into_iter().map(reason).collect()
}

/// Why a value lets more through than another. `None` for a value stands for nextest's own default.
fn looser(key: &str, old: Option<&Value>, new: Option<&Value>) -> Option<String> {
    if old == new {
        return None;
    }
    match key {
        "retries" => {
            let (old, new) = (retries(old), retries(new));
            (new > old).then(|| format!("went from {old} to {new}"))
        }
        "default-filter" => match (old.and_then(Value::as_str), new.and_then(Value::as_str)) {
            (_, None | Some("all()")) => None,
            (old, Some(new)) => Some(format!("went from `{}` to `{new}`", old.unwrap_or("all()"))),
        },
        "leak-timeout" => {
            let (old, new) = (leak(old), leak(new));
            (new > old).then(|| format!("went from {old} to {new} ms"))
        }
        _ => {
            let (old, new) = (limit(key, old), limit(key, new));
            let words = |limit: Option<u128>| limit.map_or("no limit".to_owned(), |ms| format!("{ms} ms"));
            let wider = match (old, new) {
                (Some(old), Some(new)) => new > old,
                (Some(_), None) => true,
                (None, _) => false,
            };
            wider.then(|| format!("went from {} to {}", words(old), words(new)))
        }
    }
}

fn retries(value: Option<&Value>) -> i64 {
    match value {
        Some(Value::Integer(count)) => *count,
        Some(Value::Table(table)) => table.get("count").and_then(Value::as_integer).unwrap_or(0),
        _ => 0,
    }
}

fn duration(text: &str) -> Option<u128> {
    humantime::parse_duration(text.trim()).ok().map(|time| time.as_millis())
}

fn leak(value: Option<&Value>) -> u128 {
    let table = value.and_then(Value::as_table).and_then(|table| table.get("period"));
    value.and_then(Value::as_str).or(table.and_then(Value::as_str)).and_then(duration).unwrap_or(200)
}

/// After how many milliseconds a test is ended as a failure; `None` for never.
fn limit(key: &str, value: Option<&Value>) -> Option<u128> {
    match value? {
        Value::String(text) if key == "global-timeout" => duration(text),
        Value::Table(table) => {
            if table.get("on-timeout").and_then(Value::as_str) == Some("pass") {
                return None;
            }
            let period = table.get("period").and_then(Value::as_str).and_then(duration)?;
            let times = table.get("terminate-after").and_then(Value::as_integer)?;
            Some(period * u128::try_from(times).unwrap_or(0))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loosened(base: &str, head: &str) -> usize {
        compare(".config/nextest.toml", Some(base), Some(head)).len()
    }

    #[test]
    fn more_retries_longer_limits_and_fewer_tests_are_looser() {
        let profile = |text: &str| format!("[profile.default]\n{text}\n");
        for (base, head) in [
            ("", "retries = 2"),
            ("retries = 1", "retries = { backoff = \"fixed\", count = 2, delay = \"1s\" }"),
            (
                "slow-timeout = { period = \"10s\", terminate-after = 2 }",
                "slow-timeout = { period = \"20s\", terminate-after = 2 }",
            ),
            (
                "slow-timeout = { period = \"10s\", terminate-after = 2 }",
                "slow-timeout = { period = \"10s\", terminate-after = 3 }",
            ),
            ("slow-timeout = { period = \"10s\", terminate-after = 2 }", "slow-timeout = \"10s\""),
            ("slow-timeout = { period = \"10s\", terminate-after = 2 }", ""),
            ("", "default-filter = 'not test(slow)'"),
            ("", "[[profile.default.overrides]]\nfilter = 'test(x)'\nretries = 3"),
        ] {
            assert_eq!(loosened(&profile(base), &profile(head)), 1, "{base} -> {head}");
            assert_eq!(loosened(&profile(head), &profile(head)), 0);
        }
    }

    #[test]
    fn stricter_settings_and_others_are_not() {
        let profile = |text: &str| format!("[profile.default]\n{text}\n");
        for (base, head) in [
            ("retries = 2", "retries = 1"),
            ("retries = 2", ""),
            ("", "slow-timeout = { period = \"10s\", terminate-after = 2 }"),
            ("default-filter = 'not test(slow)'", "default-filter = 'all()'"),
            ("", "fail-fast = false"),
        ] {
            assert_eq!(loosened(&profile(base), &profile(head)), 0, "{base} -> {head}");
        }
        assert_eq!(
            loosened("[profile.default]\nretries = 2", "[profile.default]\nretries = 2\n[profile.ci]\nretries = 2"),
            0
        );
        assert_eq!(loosened("", "[profile.ci]\nretries = 2"), 1);
        assert_eq!(compare("f", None, None), []);
    }
}
