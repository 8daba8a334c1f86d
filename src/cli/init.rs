//! `cargo hunkmut init`: writes the first files and says what is left to do.

use super::args::{Ci, InitArgs};
use crate::error::{Context, Error, Result};
use crate::exit::Exit;
use crate::git::Repo;
use crate::init::{CARGO_MUTANTS, File, Template, Written, migrate, write};
use crate::process::Cmd;
use crate::report::stdout;
use crate::run::session::current_dir;
use crate::workspace::{CargoOptions, Workspace};
use camino::{Utf8Path, Utf8PathBuf};

/// Writes the policy and the templates asked for.
///
/// # Errors
/// When there is no repository or workspace here, a file cannot be written, or what was asked for exists already; the
/// others are then written all the same.
pub fn run(args: &InitArgs) -> Result<Exit> {
    let here = current_dir()?;
    let options =
        CargoOptions { dir: Some(here.clone()), manifest_path: args.manifest_path.clone(), ..CargoOptions::default() };
    let workspace = Workspace::load(&options)?;
    let repo = Repo::discover(&workspace.root)?;
    let inside = workspace.root.strip_prefix(repo.root()).map(|dir| dir.as_str().replace('\\', "/"));
    let inside = inside.doing(|| format!("place `{}` in the repository `{}`", workspace.root, repo.root()))?;
    let hooks = if args.hook { hooks(&repo)? } else { Utf8PathBuf::new() };
    let wanted = wanted(args);
    let mut text = String::new();
    let mut kept = Vec::new();
    for template in &wanted {
        let mut file = template.file(repo.root(), &inside, &hooks);
        if *template == Template::Policy && args.from_cargo_mutants {
            text += &migrated(&mut file, &workspace.root)?;
        }
        let path = file.path.strip_prefix(&here).unwrap_or(&file.path).to_owned();
        match write(&file)? {
            Written::New => {
                text += &format!("wrote {path}\n");
                if let Some(next) = template.next() {
                    text += &format!("      {next}\n");
                }
            }
            Written::Kept => {
                text += &format!("kept  {path}, which was there before\n");
                // With other files asked for, a policy that is there is what one would expect.
                if *template != Template::Policy || wanted.len() == 1 || args.from_cargo_mutants {
                    kept.push(path.to_string());
                }
            }
        }
    }
    stdout::print(&text, false)?;
    if kept.is_empty() {
        Ok(Exit::Pass)
    } else {
        Err(Error::new(format!("write {}", kept.join(", ")), "it exists already, and nothing is overwritten")
            .hint("move it away to get a new one"))
    }
}

fn wanted(args: &InitArgs) -> Vec<Template> {
    let mut wanted = vec![Template::Policy];
    wanted.extend(args.ci.iter().map(|ci| match ci {
        Ci::Github => Template::GithubWorkflow,
        Ci::GithubAction => Template::GithubAction,
        Ci::Gitlab => Template::Gitlab,
        Ci::GithubMatrix => Template::GithubMatrix,
        Ci::GitlabMatrix => Template::GitlabMatrix,
        Ci::Buildkite => Template::Buildkite,
    }));
    let flags = [(args.just, Template::Just), (args.cargo_make, Template::CargoMake), (args.hook, Template::PrePush)];
    wanted.extend(flags.into_iter().filter(|(flag, _)| *flag).map(|(_, template)| template));
    wanted
}

/// Where git looks for hooks, also with `core.hooksPath` and in a linked work tree.
fn hooks(repo: &Repo) -> Result<Utf8PathBuf> {
    let out = Cmd::new("git").args(["rev-parse", "--git-path", "hooks"]).cwd(repo.root()).run()?;
    Ok(repo.root().join(out.text().trim_end()))
}

fn migrated(file: &mut File, root: &Utf8Path) -> Result<String> {
    let path = root.join(CARGO_MUTANTS);
    let config = std::fs::read_to_string(&path).doing(|| format!("read `{path}`"))?;
    let migration = migrate(&config)?;
    file.text = migration.policy;
    Ok(migration.said.iter().map(|line| format!("{line}\n")).collect())
}
