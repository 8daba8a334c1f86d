//! The templates as part of the binary: `templates/`, with the workspace's place in the repository filled in.

use super::File;
use crate::policy::{self, Policy};
use camino::Utf8Path;

/// Something that `init` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// The policy, with every key and its default.
    Policy,
    /// A workflow of GitHub Actions.
    GithubWorkflow,
    /// A composite action for workflows of one's own.
    GithubAction,
    /// Jobs of GitLab CI.
    Gitlab,
    /// A workflow of GitHub Actions on several machines.
    GithubMatrix,
    /// Jobs of GitLab CI on several machines.
    GitlabMatrix,
    /// Steps of Buildkite on several agents.
    Buildkite,
    /// Recipes for just.
    Just,
    /// Tasks for cargo-make.
    CargoMake,
    /// A git hook.
    PrePush,
}

impl Template {
    /// Every template.
    pub const ALL: [Template; 10] = [
        Template::Policy,
        Template::GithubWorkflow,
        Template::GithubAction,
        Template::Gitlab,
        Template::GithubMatrix,
        Template::GitlabMatrix,
        Template::Buildkite,
        Template::Just,
        Template::CargoMake,
        Template::PrePush,
    ];

    /// The file for a repository and the workspace in it; `workspace` is the workspace's path there, `""` when the same.
    pub fn file(self, repository: &Utf8Path, workspace: &str, hooks: &Utf8Path) -> File {
        let inside = repository.join(workspace);
        let path = match self {
            Template::Policy => inside.join(policy::FILE),
            Template::GithubWorkflow | Template::GithubMatrix => repository.join(".github/workflows/hunkmut.yml"),
            Template::GithubAction => repository.join(".github/actions/hunkmut/action.yml"),
            Template::Gitlab | Template::GitlabMatrix => repository.join(".gitlab/hunkmut.yml"),
            Template::Buildkite => repository.join(".buildkite/hunkmut.yml"),
            Template::Just => inside.join("hunkmut.just"),
            Template::CargoMake => inside.join("hunkmut.Makefile.toml"),
            Template::PrePush => hooks.join("pre-push"),
        };
        File { path, text: self.text(workspace), executable: self == Template::PrePush }
    }

    /// Its text.
    pub fn text(self, workspace: &str) -> String {
        let text = match self {
            Template::Policy => Policy::default_toml(),
            Template::GithubWorkflow => include_str!("../../templates/github-workflow.yml"),
            Template::GithubAction => include_str!("../../templates/github-action.yml"),
            Template::Gitlab => include_str!("../../templates/gitlab-ci.yml"),
            Template::GithubMatrix => include_str!("../../templates/github-matrix.yml"),
            Template::GitlabMatrix => include_str!("../../templates/gitlab-matrix.yml"),
            Template::Buildkite => include_str!("../../templates/buildkite.yml"),
            Template::Just => include_str!("../../templates/hunkmut.just"),
            Template::CargoMake => include_str!("../../templates/hunkmut.Makefile.toml"),
            Template::PrePush => include_str!("../../templates/pre-push.sh"),
        };
        let (dir, prefix) = match workspace {
            "" => (".".to_owned(), String::new()),
            dir => (dir.to_owned(), format!("{dir}/")),
        };
        text.replace("\r\n", "\n").replace("@WORKSPACE@", &dir).replace("@PREFIX@", &prefix)
    }

    /// What a person has to do besides, if anything.
    pub fn next(self) -> Option<&'static str> {
        match self {
            Template::Policy => {
                Some("merge it first: a policy is read from the merge base, and a patch that brings its own is held")
            }
            Template::GithubWorkflow | Template::GithubMatrix => Some("make `verify` and `suite` required checks"),
            Template::GithubAction => None,
            Template::Gitlab | Template::GitlabMatrix => {
                Some("add `include: [{local: .gitlab/hunkmut.yml}]` to .gitlab-ci.yml")
            }
            Template::Buildkite => Some("upload it: `buildkite-agent pipeline upload .buildkite/hunkmut.yml`"),
            Template::Just => Some("add `import 'hunkmut.just'` to your justfile"),
            Template::CargoMake => Some("add `extend = \"hunkmut.Makefile.toml\"` to your Makefile.toml"),
            Template::PrePush => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::validate::against;
    use serde_json::Value;

    fn yaml(template: Template, workspace: &str) -> Value {
        serde_yaml_ng::from_str(&template.text(workspace)).unwrap()
    }

    #[test]
    fn the_pipelines_follow_their_schemas_wherever_the_workspace_lies() {
        for workspace in ["", "rust/core"] {
            against("github-workflows.json", &yaml(Template::GithubWorkflow, workspace));
            against("github-actions.json", &yaml(Template::GithubAction, workspace));
            against("gitlab-ci.json", &yaml(Template::Gitlab, workspace));
            against("github-workflows.json", &yaml(Template::GithubMatrix, workspace));
            against("gitlab-ci.json", &yaml(Template::GitlabMatrix, workspace));
        }
    }

    #[test]
    fn the_workflow_has_the_history_fails_closed_and_runs_the_suite_last() {
        let workflow = yaml(Template::GithubWorkflow, "sub");
        let jobs = &workflow["jobs"];
        for job in ["judge", "verify"] {
            let checkout = &jobs[job]["steps"][0]["with"];
            assert_eq!((&checkout["fetch-depth"], &checkout["persist-credentials"]), (&0.into(), &false.into()));
        }
        let upload = jobs["judge"]["steps"].as_array().unwrap().last().unwrap();
        assert_eq!((&upload["if"], &upload["with"]["if-no-files-found"]), (&"always()".into(), &"error".into()));
        assert_eq!(upload["with"]["path"], "sub/target/hunkmut/report");
        assert_eq!((&jobs["verify"]["if"], &jobs["suite"]["needs"]), (&"always()".into(), &"verify".into()));
        assert_eq!(workflow["permissions"], serde_json::json!({ "contents": "read" }));
    }

    #[test]
    fn nothing_that_a_pull_request_chooses_is_pasted_into_a_script() {
        for template in [Template::GithubWorkflow, Template::GithubMatrix, Template::GithubAction] {
            let text = template.text("");
            let mut in_script = None;
            for line in text.lines() {
                let indent = line.len() - line.trim_start().len();
                if line.trim_start().trim_start_matches("- ").starts_with("run:") {
                    in_script = Some(indent);
                    assert!(!line.contains("${{"), "{line}");
                } else if in_script.is_some_and(|outer| indent > outer) {
                    assert!(!line.contains("${{"), "{line}");
                } else {
                    in_script = None;
                }
            }
        }
    }

    #[test]
    fn every_share_is_asked_once_and_the_whole_decides() {
        let workflow = yaml(Template::GithubMatrix, "sub");
        let shards = workflow["jobs"]["share"]["strategy"]["matrix"]["shard"].as_array().unwrap();
        assert_eq!(workflow["env"]["SHARES"], shards.len());
        assert!(shards.iter().zip(1..).all(|(shard, index)| *shard == index));
        let jobs = yaml(Template::GitlabMatrix, "sub");
        let shards = jobs["hunkmut-share"]["parallel"]["matrix"][0]["SHARD"].as_array().unwrap();
        assert_eq!(jobs[".hunkmut"]["variables"]["SHARES"], shards.len().to_string());
        assert!(yaml(Template::Buildkite, "sub")["steps"][0]["parallelism"].as_u64().is_some_and(|count| count > 1));
        for template in [Template::GithubMatrix, Template::GitlabMatrix, Template::Buildkite] {
            let text = template.text("");
            let (merge, verify) = (text.find("hunkmut merge"), text.find("hunkmut verify-report"));
            assert!(merge.is_some() && merge < verify, "{template:?}");
        }
    }

    #[test]
    fn no_place_to_fill_in_is_left() {
        for template in Template::ALL {
            let text = template.text("a b");
            assert!(!text.contains("@WORKSPACE@") && !text.contains("@PREFIX@"), "{template:?}");
            assert!(text.ends_with('\n'), "{template:?}");
        }
    }

    #[test]
    fn the_cargo_make_tasks_are_toml() {
        let tasks: toml::Table = Template::CargoMake.text("").parse().unwrap();
        assert!(tasks["tasks"]["hunkmut"]["args"].as_array().is_some());
    }

    #[test]
    fn the_policy_is_the_default() {
        assert_eq!(Template::Policy.text(""), Policy::default_toml());
    }
}
