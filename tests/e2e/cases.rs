//! Every folder of `testdata/cases/`, one test each.

use crate::harness::case::{Case, all};
use std::collections::BTreeSet;

macro_rules! cases {
    ($($test:ident: $folder:literal,)*) => {
        $(
            #[test]
            fn $test() {
                Case::named($folder).check();
            }
        )*

        const NAMES: &[&str] = &[$($folder),*];
    };
}

cases! {
    aborting_mutants: "aborting-mutants",
    advice: "advice",
    all_cfg_off: "all-cfg-off",
    async_own_executor: "async-own-executor",
    baseline_flaky: "baseline-flaky",
    baseline_red: "baseline-red",
    binary_crate: "binary-crate",
    boundary_killed: "boundary-killed",
    boundary_unkilled: "boundary-unkilled",
    build_script_tests: "build-script-tests",
    cleared_environment: "cleared-environment",
    closures_and_loops: "closures-and-loops",
    const_code: "const-code",
    const_fn_in_constant: "const-fn-in-constant",
    custom_harness_beside: "custom-harness-beside",
    deleted_test: "deleted-test",
    deletions_only: "deletions-only",
    dev_dependency_cycle: "dev-dependency-cycle",
    docs_only: "docs-only",
    doctests_only: "doctests-only",
    edition_2015: "edition-2015",
    equivalent_survivors: "equivalent-survivors",
    excusal_candidates: "excusal-candidates",
    expected_panics: "expected-panics",
    feature_off: "feature-off",
    feature_on: "feature-on",
    floor_per_path: "floor-per-path",
    generated_code: "generated-code",
    hanging: "hanging",
    historical_kill: "historical-kill",
    hold_many_survivors: "hold-many-survivors",
    ignored_tests: "ignored-tests",
    included_files: "included-files",
    lib_and_bin: "lib-and-bin",
    little_pressure_unnoticed: "little-pressure-unnoticed",
    lost_types_in_a_hunk: "lost-types-in-a-hunk",
    macro_made_tests: "macro-made-tests",
    macros_in_production: "macros-in-production",
    modern_syntax: "modern-syntax",
    moved_tests: "moved-tests",
    no_new_tests: "no-new-tests",
    no_std_strict: "no-std-strict",
    non_ascii_paths: "non-ascii-paths",
    odd_files: "odd-files",
    outside_workspace: "outside-workspace",
    own_cargo_settings: "own-cargo-settings",
    pass: "pass",
    path_modules: "path-modules",
    places_and_temporaries: "places-and-temporaries",
    policy_in_patch: "policy-in-patch",
    program_beside_tests: "program-beside-tests",
    renamed_file: "renamed-file",
    seen_elsewhere: "seen-elsewhere",
    subdirectory: "subdirectory",
    tests_only: "tests-only",
    threads_and_output: "threads-and-output",
    toothless: "toothless",
    touched_helper: "touched-helper",
    trait_impls: "trait-impls",
    two_crates: "two-crates",
    uncommitted: "uncommitted",
    uncompilable: "uncompilable",
    unit_tests_in_file: "unit-tests-in-file",
    unsafe_code: "unsafe-code",
    zero_survivors: "zero-survivors",
    zero_survivors_compiled_alone: "zero-survivors-compiled-alone",
    zero_survivors_historical: "zero-survivors-historical",
    zero_survivors_red_suite: "zero-survivors-red-suite",
    zero_survivors_no_new_tests: "zero-survivors-no-new-tests",
}

#[test]
fn every_folder_is_a_test() {
    let folders: BTreeSet<String> =
        all().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(folders, NAMES.iter().map(|name| name.to_string()).collect());
}
