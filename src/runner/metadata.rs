//! nextest's description of a build, so that it runs tests without building.
//!
//! Rule: `--binaries-metadata` takes what `cargo nextest list --list-type binaries-only --message-format json` prints.
//! Writing it from cargo's own messages saves a second call of cargo, which could also come to another build.

use super::built::Built;
use super::context::Context;
use camino::Utf8Path;
use nextest_metadata::{
    BinaryListSummary, BuildPlatform, BuildPlatformsSummary, BuildScriptInfoSummary, RustBuildMetaSummary,
    RustNonTestBinaryKind, RustNonTestBinarySummary, RustTestBinaryKind, RustTestBinarySummary,
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The summary of a build.
pub fn summary(context: &Context, built: &Built) -> BinaryListSummary {
    let scripts = || built.scripts.iter().filter(|script| is_member(context, &script.package_id));
    let in_build = |path: &Utf8Path| path.strip_prefix(&built.build_dir).ok().map(Utf8Path::to_owned);
    let envs = |script: &super::built::Script| BuildScriptInfoSummary { envs: script.env.iter().cloned().collect() };
    let mut programs: BTreeMap<String, BTreeSet<RustNonTestBinarySummary>> = BTreeMap::new();
    for program in &built.programs {
        let path = program.path.strip_prefix(&built.target_dir).unwrap_or(&program.path).to_owned();
        programs.entry(program.package_id.clone()).or_default().insert(RustNonTestBinarySummary {
            name: program.name.clone(),
            kind: RustNonTestBinaryKind::BIN_EXE,
            path,
            build_platform: Some(BuildPlatform::Target),
        });
    }
    let rust_build_meta = RustBuildMetaSummary {
        target_directory: built.target_dir.clone(),
        build_directory: Some(built.build_dir.clone()),
        base_output_directories: built.output_dirs().into_iter().collect(),
        non_test_binaries: programs,
        build_script_out_dirs: scripts()
            .filter_map(|script| Some((script.package_id.clone(), in_build(&script.out_dir)?)))
            .collect(),
        build_script_info: Some(scripts().map(|script| (script.package_id.clone(), envs(script))).collect()),
        linked_paths: built.scripts.iter().flat_map(|s| &s.linked_paths).filter_map(|path| in_build(path)).collect(),
        platforms: platforms(context),
        target_platforms: Vec::new(),
        target_platform: context.target.clone(),
    };
    let binary = |binary: &super::built::TestBinary| {
        let kind = RustTestBinaryKind::new(binary.target_kind.clone());
        let build_platform =
            if kind == RustTestBinaryKind::PROC_MACRO { BuildPlatform::Host } else { BuildPlatform::Target };
        let summary = RustTestBinarySummary {
            binary_id: binary.binary_id.as_str().into(),
            binary_name: binary.target_name.clone(),
            package_id: binary.package_id.clone(),
            kind,
            binary_path: binary.path.clone(),
            build_platform,
        };
        (binary.binary_id.as_str().into(), summary)
    };
    BinaryListSummary { rust_build_meta, rust_binaries: built.binaries.iter().map(binary).collect() }
}

fn is_member(context: &Context, package_id: &str) -> bool {
    context.metadata.workspace_members.iter().any(|member| member.repr == package_id)
}

/// `None` only if nextest's own types no longer took this form: it then falls back on the host by itself.
fn platforms(context: &Context) -> Option<BuildPlatformsSummary> {
    let libdir = match context.libdirs.first() {
        Some(path) => json!({ "status": "available", "path": path }),
        None => json!({ "status": "unavailable", "reason": "rustc-output-error" }),
    };
    let platform =
        |triple: &str| json!({ "platform": { "triple": triple, "target-features": "unknown" }, "libdir": libdir });
    let targets: Vec<_> = context.target.iter().map(|triple| platform(triple)).collect();
    serde_json::from_value(json!({ "host": platform(&context.host), "targets": targets })).ok()
}
