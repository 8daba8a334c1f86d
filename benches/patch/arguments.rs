//! The bench's command line.

use camino::Utf8PathBuf;

/// What can be typed.
pub const USAGE: &str = "cargo bench --bench patch -- REPO BASE HEAD [--cold] [--runs N] [--program PATH]";

/// What was asked for.
pub struct Arguments {
    /// A repository on this machine.
    pub repository: Utf8PathBuf,
    /// A revision in it.
    pub base: String,
    /// A revision in it.
    pub head: String,
    /// Whether to start without anything built.
    pub cold: bool,
    /// How often to measure.
    pub runs: usize,
    /// The program to measure, when it is not the one just built.
    pub program: Option<Utf8PathBuf>,
}

impl Arguments {
    /// Reads the words after `--`; `None` when there are none, as in a plain `cargo bench`.
    pub fn parse(words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
        let (mut places, mut cold, mut runs, mut program) = (Vec::new(), false, 3, None);
        let mut words = words;
        while let Some(word) = words.next() {
            match word.as_str() {
                "--bench" => {} // cargo adds it
                "--cold" => cold = true,
                "--runs" => {
                    let count = words.next().and_then(|count| count.parse().ok()).filter(|count| *count > 0);
                    runs = count.ok_or("`--runs` wants a number")?;
                }
                "--program" => program = Some(words.next().ok_or("`--program` wants a path")?.into()),
                other if other.starts_with('-') => return Err(format!("`{other}` is not known")),
                _ => places.push(word),
            }
        }
        match <[String; 3]>::try_from(places) {
            Ok([repository, base, head]) => {
                Ok(Some(Arguments { repository: repository.into(), base, head, cold, runs, program }))
            }
            Err(none) if none.is_empty() => Ok(None),
            Err(_) => Err("a repository and two revisions are wanted".into()),
        }
    }
}
