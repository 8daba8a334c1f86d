//! `cargo hunkmut merge`: the reports of all shards of a run, made into one.

use super::args::{MergeArgs, MessageFormat};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::report::cargo_json::CargoJson;
use crate::report::json::{self, Json};
use crate::report::short::Short;
use crate::report::terminal::{Options, Terminal};
use crate::report::{self, Format, stdout};
use crate::shard;

/// Merges, writes the report of the whole and decides as one run would have.
///
/// # Errors
/// When a report cannot be read, or they make no whole; then nothing is written.
pub fn run(args: &MergeArgs) -> Result<Exit> {
    let read = |path: &camino::Utf8PathBuf| Ok((path.to_string(), json::read(path)?));
    let shares = args.reports.iter().map(read).collect::<Result<Vec<_>>>()?;
    let refused = |why: Vec<String>| {
        Error::new("merge the reports", why.join("\n")).hint("every shard of one run, each once, of the same commits")
    };
    let report = shard::merge(shares).map_err(refused)?;
    let sources = super::report::sources(&report);
    report::write(&args.report_dir, &report, &sources, &args.report_format)?;
    let mut options = Options::detect(args.output.color.into());
    options.verbose = args.output.verbose;
    options.quiet = args.output.quiet;
    options.report_dir = Some(args.report_dir.to_string());
    let color = options.color;
    let text = match args.output.message_format {
        MessageFormat::Human => Terminal { options }.render(&report, &sources),
        MessageFormat::Json => Json.render(&report, &sources),
        MessageFormat::Short => Short.render(&report, &sources),
        MessageFormat::CargoJson => CargoJson.render(&report, &sources),
    };
    stdout::print(&text, color)?;
    Ok(Exit::of(report.decision))
}
