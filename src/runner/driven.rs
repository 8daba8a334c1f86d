//! Tests that nextest itself runs, each time: for those whose command alone is not the whole of it (setup scripts,
//! wrappers), and as the reference that replaying commands is compared with.

use super::context::Context;
use super::{filter, nextest};
use crate::error::{Context as _, Result};
use crate::exec::Recorded;
use crate::test_id::TestId;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// What nextest may write to in every run, below [`Context::scratch`].
pub const STORE: &str = "store";

/// The command by which nextest runs one test of the build that the last baseline was recorded from. Its end is told by
/// the shim.
///
/// # Errors
/// When nextest's configuration cannot be written.
pub fn driven(context: &Context, id: &TestId, recorded: &Recorded) -> Result<Recorded> {
    let config = context.scratch.join("driven.toml");
    let store = context.scratch.join(STORE);
    let writing = || format!("prepare nextest in `{}`", context.scratch);
    std::fs::create_dir_all(&store).doing(writing)?;
    let text = nextest::store_setting(&store);
    crate::weave::write_if_changed(&config, text.as_bytes())?;
    let filterset = filter::filtersets(std::slice::from_ref(id)).pop().unwrap_or_default();
    let cmd = nextest::command(context, &metadata_file(context), &config, &filterset).arg("--no-capture");
    let command = cmd.to_command();
    let mut env: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    for (key, value) in command.get_envs() {
        match value {
            Some(value) => env.insert(key.to_owned(), value.to_owned()),
            None => env.remove(key),
        };
    }
    let argv = std::iter::once(command.get_program()).chain(command.get_args()).map(OsString::from).collect();
    Ok(Recorded {
        argv,
        cwd: context.cwd.clone().into_std_path_buf(),
        env: env.into_iter().collect(),
        by_nextest: true,
        ..recorded.clone()
    })
}

/// Where the last baseline has described its build to nextest.
pub fn metadata_file(context: &Context) -> Utf8PathBuf {
    context.scratch.join("baseline/binaries.json")
}
