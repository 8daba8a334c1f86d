//! How the shim tells the end of a test that nextest runs: one small file, the time in nanoseconds and the end.

use super::End;
use std::path::Path;
use std::time::Duration;

/// Writes it down.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, end: &End, duration: Duration) -> std::io::Result<()> {
    let said = match end {
        End::Passed => "exit 0".to_owned(),
        End::Failed { code } => format!("exit {code}"),
        End::Signal { number } => format!("signal {number}"),
        End::TimedOut => "limit 0".to_owned(),
        End::CannotStart(why) => format!("start {why}"),
    };
    std::fs::write(path, format!("{}\n{said}", duration.as_nanos()))
}

/// Reads it; `None` when there is no such file or it is not whole.
pub fn read(path: &Path) -> Option<(End, Duration)> {
    let text = std::fs::read_to_string(path).ok()?;
    let (nanos, said) = text.split_once('\n')?;
    let (word, rest) = said.split_once(' ')?;
    let end = match (word, rest.parse::<i32>()) {
        ("exit", Ok(0)) => End::Passed,
        ("exit", Ok(code)) => End::Failed { code },
        ("signal", Ok(number)) => End::Signal { number },
        ("limit", _) => End::TimedOut,
        ("start", _) => End::CannotStart(rest.to_owned()),
        _ => return None,
    };
    Some((end, Duration::from_nanos(nanos.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("end");
        let said = End::CannotStart("no such file".into());
        for end in [End::Passed, End::Failed { code: -3 }, End::Signal { number: 6 }, End::TimedOut, said] {
            write(&file, &end, Duration::from_nanos(5)).unwrap();
            assert_eq!(read(&file), Some((end, Duration::from_nanos(5))));
        }
    }

    #[test]
    fn half_a_file_says_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("end");
        std::fs::write(&file, "17").unwrap();
        assert_eq!(read(&file), None);
        assert_eq!(read(&dir.path().join("none")), None);
    }
}
