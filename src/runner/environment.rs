//! The variables that cargo sets for tests, for the processes that this program starts by itself.
//!
//! Rule: "Environment variables Cargo sets for crates" and "Dynamic library paths" of the cargo reference, with what
//! nextest adds for tests that ask for it.

use super::built::{Built, TestBinary};
use super::context::Context;
use cargo_metadata::Package;
use std::ffi::OsString;

/// The variable in which the system looks for dynamic libraries.
const LIBRARY_PATH: &str = if cfg!(windows) {
    "PATH"
} else if cfg!(target_vendor = "apple") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// Variables that a nextest around this whole program left behind: they speak of its tests, and one of them would
/// choose the profile of the nextest that is started here.
pub fn of_an_outer_nextest() -> Vec<OsString> {
    let is_inside = std::env::var_os("NEXTEST_RUN_ID").is_some();
    let of_nextest = |key: &OsString| is_inside && key.as_encoded_bytes().starts_with(b"NEXTEST");
    std::env::vars_os().map(|(key, _)| key).filter(of_nextest).collect()
}

/// What a test of `binary` gets on top of the caller's own environment.
pub fn for_tests(context: &Context, built: &Built, binary: &TestBinary) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> = context.config_env.clone();
    env.extend(context.env.iter().cloned());
    let mut set = |key: String, value: &str| env.push((key.into(), value.into()));
    if let Some(cargo) = context.cargo.to_str() {
        set("CARGO".into(), cargo);
    }
    if let Some(package) = context.metadata.packages.iter().find(|package| package.id.repr == binary.package_id) {
        of_package(package, &mut set);
    }
    set("CARGO_MANIFEST_DIR".into(), binary.package_dir.as_str());
    for script in built.scripts.iter().filter(|script| script.package_id == binary.package_id) {
        set("OUT_DIR".into(), script.out_dir.as_str());
        for (key, value) in &script.env {
            set(key.clone(), value);
        }
    }
    if matches!(binary.target_kind.as_str(), "test" | "bench") {
        for program in built.programs.iter().filter(|program| program.package_id == binary.package_id) {
            set(format!("CARGO_BIN_EXE_{}", program.name), program.path.as_str());
        }
    }
    if let Some(paths) = library_paths(context, built) {
        env.push((LIBRARY_PATH.into(), paths));
    }
    env
}

fn of_package(package: &Package, set: &mut impl FnMut(String, &str)) {
    let version = &package.version;
    let of = |name: &str| format!("CARGO_PKG_{name}");
    set("CARGO_MANIFEST_PATH".into(), package.manifest_path.as_str());
    set(of("NAME"), package.name.as_str());
    set(of("VERSION"), &version.to_string());
    set(of("VERSION_MAJOR"), &version.major.to_string());
    set(of("VERSION_MINOR"), &version.minor.to_string());
    set(of("VERSION_PATCH"), &version.patch.to_string());
    set(of("VERSION_PRE"), version.pre.as_str());
    set(of("AUTHORS"), &package.authors.join(":"));
    set(of("DESCRIPTION"), package.description.as_deref().unwrap_or_default());
    set(of("HOMEPAGE"), package.homepage.as_deref().unwrap_or_default());
    set(of("REPOSITORY"), package.repository.as_deref().unwrap_or_default());
    set(of("LICENSE"), package.license.as_deref().unwrap_or_default());
    set(of("LICENSE_FILE"), package.license_file.as_ref().map(|path| path.as_str()).unwrap_or_default());
    set(of("README"), package.readme.as_ref().map(|path| path.as_str()).unwrap_or_default());
    set(of("RUST_VERSION"), &package.rust_version.as_ref().map(ToString::to_string).unwrap_or_default());
}

/// Linked folders of build scripts that lie in the build directory, output folders, the standard library, and what
/// the caller had.
fn library_paths(context: &Context, built: &Built) -> Option<OsString> {
    let linked = built.scripts.iter().flat_map(|script| &script.linked_paths);
    let linked =
        linked.filter(|path| path.starts_with(&built.build_dir) || path.starts_with(&built.target_dir)).cloned();
    let outputs = built.output_dirs().into_iter().flat_map(|dir| {
        [built.target_dir.join(&dir), built.build_dir.join(&dir).join("deps")].into_iter().collect::<Vec<_>>()
    });
    let own = linked.chain(outputs).chain(context.libdirs.iter().cloned()).map(|path| path.into_std_path_buf());
    let callers = std::env::var_os(LIBRARY_PATH);
    let callers = callers.iter().flat_map(std::env::split_paths);
    // a folder with the separator in its name cannot be written down at all
    std::env::join_paths(own.chain(callers)).ok()
}
