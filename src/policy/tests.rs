use super::*;

fn refused(text: &str) -> String {
    Policy::parse(text, ".config/hunkmut.toml").unwrap_err().to_string()
}

#[test]
fn the_documented_default_is_the_default() {
    let read = Policy::parse(Policy::default_toml(), "default.toml").unwrap();
    assert_eq!(Policy { text: String::new(), ..read }, Policy::default());
}

#[test]
fn the_documented_default_names_every_key() {
    // The commented-out examples are valid too.
    let uncommented: String = Policy::default_toml()
        .lines()
        .filter(|line| !line.starts_with("# ") || line.contains(" = ") || line.starts_with("# [["))
        .map(|line| format!("{}\n", line.trim_start_matches("# ")))
        .collect();
    let (head, tables) = uncommented.split_once("[[floor-override]]").unwrap();
    let policy = Policy::parse(&format!("{head}[[floor-override]]{tables}"), "x").unwrap();
    assert!(policy.cap.is_some() && policy.floor_override.len() == 1);
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest() {
    let said = refused("gates = []\nflor = 3\n");
    assert!(said.contains("line 2") && said.contains("unknown key `flor`"), "{said}");
    assert!(said.contains("did you mean `floor`?"), "{said}");
    let said = refused("[timeouts]\nfloor-sm = 3\n");
    assert!(said.contains("in `[timeouts]`") && said.contains("did you mean `floor-ms`?"), "{said}");
    let said = refused("[fixtures]\nzzz = 3\n");
    assert!(said.contains("known here: dirs"), "{said}");
}

#[test]
fn an_unknown_table_is_not_said_to_be_in_the_one_before() {
    let said = refused("[tests]\nignored = true\n[timeout]\nfloor-ms = 3\n");
    assert!(said.contains("line 3: unknown key `timeout`\n"), "{said}");
    assert!(said.contains("did you mean `timeouts`?"), "{said}");
}

#[test]
fn an_unknown_value_is_named_with_the_nearest() {
    let said = refused("gates = [\"ratio\",\n \"zero-surviors\"]\n");
    assert!(said.contains("unknown value `zero-surviors`") && said.contains("`zero-survivors`"), "{said}");
    assert!(refused("[tests]\ndriver = \"nextset\"").contains("did you mean `nextest`?"));
    assert!(refused("[arid]\ndisable = [\"login\"]").contains("did you mean `logging`?"));
}

#[test]
fn a_value_out_of_range_is_shown_with_its_key() {
    for (text, shown) in [
        ("floor = 120", "floor = 120"),
        ("floor = -1", "floor = -1"),
        ("floor = 12.5", "floor = 12.5"),
        ("[[floor-override]]\npaths = [\"src/[\"]\nfloor = 3", "src/["),
        ("cap = \"soon\"", "soon"),
        ("[baseline]\nrepetitions = 0", "repetitions = 0"),
        ("[timeouts]\nmultiplier = 0.5", "multiplier = 0.5"),
        ("[tests]\nmanifest = [\"lonely\"]", "lonely"),
        ("[[floor-override]]\nfloor = 3", "paths"),
        ("floor = ", "floor ="),
    ] {
        let said = refused(text);
        assert!(said.contains(shown) && said.contains("line "), "{text}: {said}");
    }
}

#[test]
fn underscores_are_accepted_in_keys() {
    let policy = Policy::parse("reverted_survives = \"hold\"\n[timeouts]\nfloor_ms = 7\nmultiplier = 2", "x").unwrap();
    assert_eq!((policy.reverted_survives, policy.timeouts.floor_ms), (RevertedSurvives::Hold, 7));
}

#[test]
fn each_file_has_the_floor_of_the_last_override_that_matches() {
    let text = "floor = 10\n[[floor-override]]\npaths = [\"src/**\"]\nfloor = 30\n\
                [[floor-override]]\npaths = [\"src/core/**\", \"x.rs\"]\nfloor = 60\n";
    let policy = Policy::parse(text, "x").unwrap();
    let floors = ["lib.rs", "src/lib.rs", "src/core/a.rs", "x.rs"].map(|path| policy.floor_for(path));
    assert_eq!(floors, [10, 30, 60, 60]);
    let groups = policy.floor_groups();
    assert_eq!((groups.len(), groups[policy.floor_group("x.rs")].label.as_str()), (3, "src/core/**, x.rs"));
    assert_eq!(groups[policy.floor_group("lib.rs")], FloorGroup { label: "everything else".into(), floor: 10 });
}

#[test]
fn default_path_rules_know_where_rust_keeps_its_tests() {
    let policy = Policy::default();
    for path in [
        "tests/it.rs",
        "crates/a/tests/deep/x.rs",
        "src/tests.rs",
        "src/a/test_x.rs",
        "src/x_test.rs",
        "b/src/x_tests.rs",
        "benches/b.rs",
        "a/examples/e.rs",
    ] {
        assert_eq!(policy.kind_by_path(path), Some(PathRule::Test), "{path}");
    }
    for path in ["src/lib.rs", "src/testing.rs", "src/latest.rs", "src/contests.rs"] {
        assert_eq!(policy.kind_by_path(path), None, "{path}");
    }
}

#[test]
fn exclusion_goes_before_test_and_test_before_generated() {
    let text = "[paths]\nexclude = [\"tests/x.rs\"]\ngenerated = [\"**/gen/**\"]";
    let policy = Policy::parse(text, "x").unwrap();
    assert_eq!(policy.kind_by_path("tests/x.rs"), Some(PathRule::Excluded));
    assert_eq!(policy.kind_by_path("tests/gen/y.rs"), Some(PathRule::Test));
    assert_eq!(policy.kind_by_path("src/gen/y.rs"), Some(PathRule::Generated));
}

#[test]
fn watched_files_lie_beside_the_policy() {
    let policy = Policy::default();
    let expected =
        [".config/hunkmut.toml", ".config/hunkmut-ledger.toml", "tests/flake_freeze.toml", ".config/nextest.toml"];
    assert_eq!(watched_paths(&policy, ".config/hunkmut.toml"), expected);
    assert_eq!(watched_paths(&policy, "ws/.config/hunkmut.toml"), expected.map(|file| format!("ws/{file}")));
}

#[test]
fn the_digest_is_that_of_the_text() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(Policy::default().sha256(), empty);
    assert_eq!(Policy::parse("", "x").unwrap().sha256(), empty);
    assert_ne!(Policy::parse("floor = 20\n", "x").unwrap().sha256(), empty);
}

#[test]
fn the_policy_of_the_merge_base_judges() {
    let temp =
        crate::git::testing::TempRepo::with(&[("ws/.config/hunkmut.toml", "floor = 35\n"), ("b.toml", "flor = 1")]);
    temp.write("ws/.config/hunkmut.toml", "floor = 0\n");
    let repo = temp.open();
    let base = repo.commit("HEAD").unwrap();
    let (policy, source) = Policy::at_commit(&repo, &base, "ws/.config/hunkmut.toml").unwrap();
    assert_eq!((policy.floor.get(), source), (35, PolicySource::MergeBase));
    let (policy, source) = Policy::at_commit(&repo, &base, ".config/hunkmut.toml").unwrap();
    assert_eq!((policy, source), (Policy::default(), PolicySource::Default));
    let said = Policy::at_commit(&repo, &base, "b.toml").unwrap_err().to_string();
    assert!(said.contains(&format!("`b.toml at {}`", base.short())), "{said}");
}
