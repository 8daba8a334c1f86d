//! The bench's command line.

use camino::Utf8PathBuf;

/// What can be typed.
pub const USAGE: &str = "cargo bench --bench field -- [--program PATH] [--runs N] [--cold] [--tool NAME]... \
     [--write FILE] [--made-up FILES]... [REPO BASE HEAD]...";

/// One diff to be measured.
#[derive(Debug, Clone)]
pub enum Subject {
    /// Two revisions of a repository on this machine.
    Pair {
        /// Its path.
        repository: Utf8PathBuf,
        /// A revision in it.
        base: String,
        /// A revision in it.
        head: String,
    },
    /// A made-up crate of so many files, each changed.
    MadeUp(usize),
}

/// What was asked for.
#[derive(Debug, Default)]
pub struct Arguments {
    /// One row of the table each.
    pub subjects: Vec<Subject>,
    /// Whether to measure from nothing built, too.
    pub cold: bool,
    /// How often each is measured.
    pub runs: usize,
    /// The program to measure, when it is not the one just built.
    pub program: Option<Utf8PathBuf>,
    /// The tools to measure; all that are there when empty.
    pub tools: Vec<String>,
    /// Where the Markdown table goes, besides standard output.
    pub write: Option<Utf8PathBuf>,
}

impl Arguments {
    /// Reads the words after `--`.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut arguments = Arguments { runs: 1, ..Arguments::default() };
        let mut places = Vec::new();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("`{word}` wants a value"));
            match word.as_str() {
                "--bench" => {} // cargo adds it
                "--cold" => arguments.cold = true,
                "--runs" => arguments.runs = number(&value()?)?,
                "--program" => arguments.program = Some(value()?.into()),
                "--tool" => arguments.tools.push(value()?),
                "--write" => arguments.write = Some(value()?.into()),
                "--made-up" => arguments.subjects.push(Subject::MadeUp(number(&value()?)?)),
                other if other.starts_with('-') => return Err(format!("`{other}` is not known")),
                _ => places.push(word),
            }
        }
        let mut triples = places.chunks_exact(3);
        arguments.subjects.extend(triples.by_ref().map(|triple| Subject::Pair {
            repository: triple[0].as_str().into(),
            base: triple[1].clone(),
            head: triple[2].clone(),
        }));
        if triples.remainder().is_empty() { Ok(arguments) } else { Err("each repository wants two revisions".into()) }
    }
}

fn number(word: &str) -> Result<usize, String> {
    word.parse().ok().filter(|number| *number > 0).ok_or(format!("`{word}` is not a number above 0"))
}
