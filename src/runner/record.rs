//! What the shim leaves behind for each test that nextest runs: the command before it starts, its end afterwards.
//!
//! Three files with one stem: `.run` (command, working directory and environment, each part ended by a zero byte, as
//! the operating system keeps them), `.end` (how it ended), `.trace` (what it executed). Without an `.end` the test
//! was killed together with its shim.

use super::built::Built;
use crate::error::{Context as _, Error, Result};
use crate::exec::notes::Trace;
use crate::exec::{Confinement, End, Recorded, end_file};
use crate::test_id::TestId;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The first run of one test, unmutated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Which test.
    pub id: TestId,
    /// Its command.
    pub recorded: Recorded,
    /// How the run ended.
    pub end: End,
    /// Wall clock of the run.
    pub duration: Duration,
    /// What it executed.
    pub trace: Trace,
    /// Its output when it failed, as far as it is known.
    pub output: Vec<u8>,
}

/// The beginning of a record.
#[derive(Debug)]
pub(super) struct Started {
    stem: PathBuf,
}

impl Started {
    /// Writes down a command that is about to run.
    pub(super) fn write(
        dir: &Path,
        argv: &[OsString],
        cwd: &Path,
        env: &[(OsString, OsString)],
    ) -> std::io::Result<Started> {
        let mut bytes = Vec::new();
        let mut part = |text: &OsStr| {
            bytes.extend(to_bytes(text));
            bytes.push(0);
        };
        part(OsStr::new(&argv.len().to_string()));
        argv.iter().for_each(|word| part(word));
        part(cwd.as_os_str());
        for (key, value) in env {
            part(key);
            part(value);
        }
        // process IDs come again in a long run
        for number in 0.. {
            let stem = dir.join(format!("{}-{number}", std::process::id()));
            match std::fs::File::options().write(true).create_new(true).open(stem.with_extension("run")) {
                Ok(mut file) => {
                    std::io::Write::write_all(&mut file, &bytes)?;
                    return Ok(Started { stem });
                }
                Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(why),
            }
        }
        Err(std::io::Error::other("no free name"))
    }

    /// The file that the test's trace goes to.
    pub(super) fn trace(&self) -> PathBuf {
        self.stem.with_extension("trace")
    }

    /// Writes down how it ended.
    pub(super) fn end(&self, end: &End, duration: Duration) -> std::io::Result<()> {
        end_file::write(&self.stem.with_extension("end"), end, duration)
    }
}

/// Reads all records of a folder that belong to tests of this build.
///
/// # Errors
/// When a file cannot be read or is not a record.
pub(super) fn read_all(dir: &Path, built: &Built) -> Result<Vec<Recording>> {
    let reading = || format!("read the records of the baseline in `{}`", dir.display());
    let mut recordings = Vec::new();
    for entry in std::fs::read_dir(dir).doing(reading)? {
        let path = entry.doing(reading)?.path();
        if path.extension() != Some(OsStr::new("run")) {
            continue;
        }
        let recorded = parse_run(&std::fs::read(&path).doing(reading)?)
            .ok_or_else(|| Error::new(reading(), format!("`{}` is not whole", path.display())))?;
        let Some(id) = identify(&recorded.argv, built) else { continue };
        let end = end_file::read(&path.with_extension("end"));
        let (end, duration) = end.unwrap_or((End::TimedOut, Duration::ZERO));
        let trace = Trace::read(&path.with_extension("trace")).doing(reading)?;
        recordings.push(Recording { id, recorded, end, duration, trace, output: Vec::new() });
    }
    Ok(recordings)
}

fn parse_run(bytes: &[u8]) -> Option<Recorded> {
    let mut parts = bytes.strip_suffix(&[0])?.split(|byte| *byte == 0).map(from_bytes);
    let words: usize = parts.next()?.to_str()?.parse().ok()?;
    let argv: Vec<OsString> = parts.by_ref().take(words).collect();
    let cwd = PathBuf::from(parts.next()?);
    let mut env = Vec::new();
    while let Some(key) = parts.next() {
        env.push((key, parts.next()?));
    }
    let group = env.iter().find(|(key, _)| key == "NEXTEST_TEST_GROUP").and_then(|(_, value)| value.to_str());
    let group = group.filter(|group| *group != nextest_metadata::GLOBAL_TEST_GROUP).map(str::to_owned);
    (argv.len() == words).then_some(Recorded {
        argv,
        cwd,
        env,
        group,
        confinement: Confinement::Full,
        by_nextest: false,
    })
}

/// The test that a command runs: its binary, and the name after `--exact`.
fn identify(argv: &[OsString], built: &Built) -> Option<TestId> {
    let binary = built.binaries.iter().find(|binary| argv.iter().any(|word| word == binary.path.as_str()))?;
    let exact = argv.iter().position(|word| word == "--exact")?;
    Some(TestId::new(binary.binary_id.clone(), argv.get(exact + 1)?.to_str()?))
}

#[cfg(unix)]
fn to_bytes(text: &OsStr) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(text).to_vec()
}

#[cfg(unix)]
fn from_bytes(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn to_bytes(text: &OsStr) -> Vec<u8> {
    text.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn from_bytes(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::TestBinary;

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    fn built() -> Built {
        let binary = TestBinary {
            binary_id: "a::it".into(),
            package_name: "a".into(),
            package_dir: "/w/a".into(),
            package_id: "a".into(),
            target_kind: "test".into(),
            target_name: "it".into(),
            path: "/w/it-1".into(),
        };
        Built { binaries: vec![binary], ..Built::default() }
    }

    #[test]
    fn a_record_comes_back_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let argv = words(&["qemu", "/w/it-1", "--exact", "m::t", "--nocapture"]);
        let env =
            vec![("A".into(), "1\n2".into()), ("NEXTEST_TEST_GROUP".into(), "serial".into()), ("E".into(), "".into())];
        let started = Started::write(dir.path(), &argv, Path::new("/w/a b"), &env).unwrap();
        std::fs::write(started.trace(), [7u64.to_le_bytes(), 1u64.to_le_bytes()].concat()).unwrap();
        started.end(&End::Signal { number: 6 }, Duration::from_millis(3)).unwrap();

        let read = read_all(dir.path(), &built()).unwrap();
        let recorded = Recorded {
            argv,
            cwd: "/w/a b".into(),
            env,
            group: Some("serial".into()),
            confinement: Confinement::Full,
            by_nextest: false,
        };
        assert_eq!(read.len(), 1);
        assert_eq!((&read[0].id, &read[0].recorded), (&TestId::new("a::it", "m::t"), &recorded));
        assert_eq!((&read[0].end, read[0].duration), (&End::Signal { number: 6 }, Duration::from_millis(3)));
        assert_eq!(read[0].trace.hits(7), Some(2));
    }

    #[test]
    fn a_test_that_was_killed_with_its_shim_timed_out() {
        let dir = tempfile::tempdir().unwrap();
        Started::write(dir.path(), &words(&["/w/it-1", "--exact", "t"]), Path::new("/"), &[]).unwrap();
        assert_eq!(read_all(dir.path(), &built()).unwrap()[0].end, End::TimedOut);
    }

    #[test]
    fn what_is_no_test_of_this_build_is_passed_over() {
        assert_eq!(identify(&words(&["/elsewhere/it-1", "--exact", "t"]), &built()), None);
        assert_eq!(identify(&words(&["/w/it-1", "--list"]), &built()), None);
    }
}
