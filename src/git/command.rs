//! The `git` command line as this program runs it: the same output whatever the user's configuration, environment
//! and language, and nothing written on the side.

use crate::process::Cmd;
use camino::Utf8Path;

/// Variables that would point git at another repository, or change what a diff or a path means. Hooks run with some
/// of them set; the directory alone decides which repository is meant.
const MISLEADING: [&str; 13] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_QUARANTINE_PATH",
    "GREP_OPTIONS",
];

/// Settings that would make a mere question run a user's program or change the form of an answer.
const SETTINGS: [&str; 6] = [
    "core.quotePath=true",
    "core.fsmonitor=false",
    "diff.suppressBlankEmpty=false",
    "diff.autoRefreshIndex=false",
    "status.relativePaths=false",
    "submodule.recurse=false",
];

/// A git command in `dir` that takes no lock for its own comfort and takes paths literally.
pub(super) fn git(dir: &Utf8Path) -> Cmd {
    let mut cmd = Cmd::new("git").args(["--no-pager", "--no-optional-locks", "--literal-pathspecs"]);
    for setting in SETTINGS {
        cmd = cmd.args(["-c", setting]);
    }
    for name in MISLEADING {
        cmd = cmd.env_remove(name);
    }
    cmd.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").cwd(dir)
}

/// The arguments of a patch without context that no setting of the user can bend.
///
/// `--text`: an attribute must not hide a source file as "binary". `-O/dev/null` cancels an order file. Driver-chosen
/// algorithms (`diff.<driver>.algorithm`) give way to an algorithm named on the command line.
pub(super) const PATCH: [&str; 20] = [
    "--patch",
    "--unified=0",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--no-ext-diff",
    "--no-textconv",
    "--text",
    "--no-color",
    "--no-color-moved",
    "--find-renames=50%",
    "-l1000",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-relative",
    "--full-index",
    "-O/dev/null",
    "--submodule=short",
    "--ignore-submodules=dirty",
    "--ws-error-highlight=none",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn the_folder_alone_decides_which_repository_is_meant() {
        let command = git(Utf8Path::new("/somewhere")).to_command();
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS"] {
            assert!(command.get_envs().any(|(key, value)| key == OsStr::new(name) && value.is_none()), "{name}");
        }
        let kept = |name: &str| command.get_envs().all(|(key, _)| key != OsStr::new(name));
        assert!(kept("GIT_CONFIG_PARAMETERS") && kept("GIT_SSH_COMMAND"), "the user's own settings still hold");
    }
}
