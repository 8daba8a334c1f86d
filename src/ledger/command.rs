//! `cargo hunkmut excuse`: the only way in which the program writes an excusal, and the ledger looked through.

use super::{Excusal, Problem, Why, append, item_hash, parse, without};
use crate::cli::args::{CargoArgs, ExcuseArgs, MessageFormat};
use crate::error::{Context, Error, Result};
use crate::exit::Exit;
use crate::freeze::date::Date;
use crate::gate::zero_survivors::Standing;
use crate::git::Repo;
use crate::plan;
use crate::policy::{self, Policy};
use crate::report::text::{count, line};
use crate::report::{atomic, stdout};
use crate::run::session::current_dir;
use crate::source::SourceFile;
use crate::stored::Stored;
use crate::workspace::Workspace;
use camino::Utf8PathBuf;
use std::collections::BTreeSet;

/// Writes entries, lists them, checks them against the work tree, or takes those away that do not hold.
///
/// # Errors
/// Usage errors, a mutant that is no survivor of the report, a ledger that cannot be read or written.
pub fn run(args: &ExcuseArgs) -> Result<Exit> {
    let place = Place::find(&args.cargo)?;
    if args.list {
        place.list(args.output.message_format)
    } else if args.check {
        place.check()
    } else if args.prune {
        place.prune()
    } else {
        place.write(args)
    }
}

/// Where the ledger lies.
struct Place {
    root: Utf8PathBuf,
    file: Utf8PathBuf,
}

impl Place {
    fn find(cargo: &CargoArgs) -> Result<Place> {
        let here = current_dir()?;
        let workspace = Workspace::load(&cargo.options(here))?;
        let repo = Repo::discover(&workspace.root)?;
        let policy = workspace.root.join(policy::FILE);
        let policy = match policy.exists() {
            true => Policy::parse(&atomic::read(&policy)?, policy.as_str())?,
            false => Policy::default(),
        };
        Ok(Place { root: repo.root().to_owned(), file: workspace.root.join(policy.ledger.file) })
    }

    fn text(&self) -> Result<String> {
        if self.file.exists() { atomic::read(&self.file) } else { Ok(String::new()) }
    }

    fn write(&self, args: &ExcuseArgs) -> Result<Exit> {
        let stored = Stored::read(args.from.as_deref(), &args.cargo)?;
        let mut text = self.text()?;
        let today = Date::today();
        if let Some(broken) = parse(&text, self.file.as_str())?.into_iter().find_map(std::result::Result::err) {
            let doing = format!("add to the ledger `{}`", self.file);
            return Err(Error::new(doing, format!("one of its entries is malformed: {broken}"))
                .hint("mend it, or let `cargo hunkmut excuse --prune` take it away"));
        }
        if let Some(day) = args.expires.filter(|day| *day < today) {
            let what = args.ids.join(", ");
            return Err(Error::new(
                format!("excuse {what} until {day}"),
                format!("that day has passed: today is {today}"),
            ));
        }
        let mut said = String::new();
        for id in &args.ids {
            let mutant = stored.mutant(id)?;
            let doing = || format!("excuse {}", mutant.id);
            let no = |why: &str| Err(Error::new(doing(), why));
            match Standing::of(mutant) {
                Standing::Alive | Standing::Excused => {}
                Standing::Dead => return no("a test kills it"),
                Standing::Uncovered | Standing::Unknown => {
                    return no("the report knows of no test that executes it, so that nothing has survived");
                }
                Standing::Open | Standing::Doubtful | Standing::Invalid => {
                    return no(&format!("the report calls it {}", mutant.verdict));
                }
            }
            if mutant.item.is_empty() {
                return no("the report does not say which item it belongs to");
            }
            let entries = parse(&text, self.file.as_str())?;
            if let Some(entry) = entries.iter().flatten().find(|entry| entry.mutant == mutant.id) {
                let file = &self.file;
                return Err(match entry.expires.filter(|day| *day < today) {
                    Some(day) => Error::new(doing(), format!("`{file}` has an entry for it, expired since {day}"))
                        .hint("`cargo hunkmut excuse --prune` takes expired entries away"),
                    None => Error::new(doing(), format!("`{file}` has an entry for it already, by {}", entry.owner))
                        .hint(
                            "take that away first, or let `cargo hunkmut excuse --prune` do so if it holds no longer",
                        ),
                });
            }
            if let Some(proof) = &args.proof
                && !mutant.reason.as_ref().is_some_and(|reason| reason.contains(proof.name()))
            {
                return Err(Error::new(doing(), format!("the report does not call it `{}`", proof.name())).hint(
                    "leave --proof out, or let `cargo hunkmut --gate zero-survivors` or `--equivalence always` find it",
                ));
            }
            let entry = Excusal {
                mutant: mutant.id.clone(),
                item: mutant.item.clone(),
                file: mutant.file.clone(),
                owner: args.owner.clone().unwrap_or_default(),
                reason: args.because.clone().unwrap_or_default(),
                date: today,
                expires: args.expires,
                proof: args.proof,
            };
            if let Some(flaw) = entry.flaw() {
                return Err(Error::new(doing(), flaw));
            }
            text = append(&text, &entry);
            said += &format!("excused {} ({}:{}) in {}\n", mutant.id, line(&mutant.file), mutant.line, self.file);
        }
        atomic::write(&self.file, text.as_bytes())?;
        said += "it counts once it is part of the base: a patch's own entries make every gate hold\n";
        stdout::print(&said, false)?;
        Ok(Exit::Pass)
    }

    fn list(&self, format: MessageFormat) -> Result<Exit> {
        let entries = parse(&self.text()?, self.file.as_str())?;
        let text = match format {
            MessageFormat::Json => {
                let whole: Vec<&Excusal> = entries.iter().flatten().collect();
                serde_json::to_string_pretty(&whole).doing(|| "write the ledger as JSON".into())? + "\n"
            }
            _ => entries
                .iter()
                .map(|entry| match entry {
                    Ok(e) => {
                        let until = e.expires.map(|day| format!(" until {day}")).unwrap_or_default();
                        format!(
                            "{} {} {} {}{until}: {}\n",
                            e.mutant,
                            line(&e.file),
                            e.date,
                            line(&e.owner),
                            line(&e.reason)
                        )
                    }
                    Err(why) => format!("malformed: {}\n", line(why)),
                })
                .collect(),
        };
        stdout::print(&text, false)?;
        Ok(Exit::Pass)
    }

    fn check(&self) -> Result<Exit> {
        let entries = parse(&self.text()?, self.file.as_str())?;
        let problems = self.problems(&entries);
        let mut text: String = problems.iter().map(|(_, problem)| format!("{problem}\n")).collect();
        let whole = if entries.len() == 1 { "1 entry".to_owned() } else { format!("{} entries", entries.len()) };
        text += &format!("{whole}, {}\n", count(problems.len(), "problem"));
        stdout::print(&text, false)?;
        Ok(if problems.is_empty() { Exit::Pass } else { Exit::Block })
    }

    fn prune(&self) -> Result<Exit> {
        let text = self.text()?;
        let problems = self.problems(&parse(&text, self.file.as_str())?);
        if !problems.is_empty() {
            let gone: Vec<usize> = problems.iter().map(|(at, _)| *at).collect();
            let left = without(&text, &gone);
            // What remains must be what was there: an unusual layout is for a person.
            let whole = parse(&left, self.file.as_str()).map(|entries| entries.len()).unwrap_or_default();
            if whole + gone.len() != parse(&text, self.file.as_str())?.len() {
                return Err(Error::new(
                    format!("prune `{}`", self.file),
                    "its entries are not `[[excusal]]` tables on lines of their own",
                ));
            }
            atomic::write(&self.file, left.as_bytes())?;
        }
        let mut said: String = problems.iter().map(|(_, problem)| format!("removed {problem}\n")).collect();
        if said.is_empty() {
            said = "nothing to prune\n".to_owned();
        }
        stdout::print(&said, false)?;
        Ok(Exit::Pass)
    }

    /// The entries that do not hold for the files as they are, by their place.
    fn problems(&self, entries: &[std::result::Result<Excusal, String>]) -> Vec<(usize, Problem)> {
        let today = Date::today();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let (name, why) = match entry {
                Err(why) => (why.clone(), Some(Why::Malformed)),
                Ok(entry) if !seen.insert(entry.mutant.as_str()) => (entry.mutant.clone(), Some(Why::Duplicate)),
                Ok(entry) => {
                    let expired = entry.expires.filter(|day| *day < today).map(Why::Expired);
                    (entry.mutant.clone(), expired.or_else(|| self.lapsed(entry)))
                }
            };
            found.extend(why.map(|why| (at, Problem { entry: name, why })));
        }
        found
    }

    fn lapsed(&self, entry: &Excusal) -> Option<Why> {
        let Ok(text) = std::fs::read_to_string(self.root.join(&entry.file)) else { return Some(Why::Unknown) };
        let source = SourceFile::parse(&entry.file, text).ok()?;
        let known = plan::of_file(&source, &entry.file);
        let same = |item: &std::ops::Range<usize>| item_hash(&source.text[item.clone()]) == entry.item;
        match known.iter().find(|(id, _)| *id == entry.mutant) {
            Some((_, item)) => (!same(item)).then_some(Why::Stale),
            // Mutants inside the crate's own macros have no name here; their item still tells.
            None if known.iter().any(|(_, item)| same(item)) => None,
            None => Some(Why::Stale),
        }
    }
}
