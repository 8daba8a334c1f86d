//! The stated minimum Rust version is no lie: no package of the lock file asks for a newer one.

use crate::harness::program::{clean, finish};
use std::path::Path;

#[test]
fn no_dependency_needs_a_newer_rust_than_stated() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut rustc = clean("rustc", here);
    rustc.arg("-vV");
    let about = finish(rustc).stdout;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    // What other platforms need may never have been downloaded.
    let mut cargo = clean("cargo", here);
    cargo.args(["metadata", "--format-version=1", "--locked", "--offline", "--all-features"]);
    cargo.args(["--filter-platform", host]);
    let ran = finish(cargo);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let metadata: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let stated = version(env!("CARGO_PKG_RUST_VERSION"));
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 20, "the whole graph is looked at");
    let newer: Vec<_> = packages
        .iter()
        .filter_map(|p| Some((p["name"].as_str()?, p["rust_version"].as_str()?)))
        .filter(|(_, needs)| version(needs) > stated)
        .collect();
    assert!(newer.is_empty(), "newer than {stated:?}: {newer:?}");
}

/// `1.91` and `1.91.0` alike, in order.
fn version(text: &str) -> [u32; 3] {
    let mut parts = text.split('.').map(|part| part.parse().unwrap());
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}
