//! Files that are there whole or not at all: a reader, or a run that follows an interrupted one, never sees half
//! a report.

use crate::error::{Context, Error, Result};
use camino::Utf8Path;
use std::io::Write;

/// Writes `bytes` to `path` by way of a temporary file in the same directory, which is made if need be.
///
/// When it returns, the bytes are on the disk; when it fails, whatever stood at `path` still does.
///
/// # Errors
/// When the directory cannot be made or written to, or the disk is full.
pub fn write(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes).map_err(|why| {
        let error = Error::new(format!("write `{path}`"), &why);
        match why.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                error.hint("free some space on that disk, or choose another place with --report-dir")
            }
            _ => error.hint("choose a writable place with --report-dir"),
        }
    })
}

fn replace(path: &Utf8Path, bytes: &[u8]) -> std::io::Result<()> {
    let dir = match path.parent() {
        Some(dir) if !dir.as_str().is_empty() => dir,
        _ => Utf8Path::new("."),
    };
    std::fs::create_dir_all(dir)?;
    let prefix = format!(".{}.", path.file_name().unwrap_or("report"));
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    // A temporary file is private by default; a report is for whoever the umask lets read it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(dir)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    // The new name should outlast a power cut too, but a file system that cannot promise it is no reason to fail.
    #[cfg(unix)]
    let _ = std::fs::File::open(dir).and_then(|dir| dir.sync_all());
    Ok(())
}

/// Reads a text file.
///
/// # Errors
/// As [`bytes`], and when it is not UTF-8.
pub fn read(path: &Utf8Path) -> Result<String> {
    String::from_utf8(bytes(path)?).doing(|| format!("read `{path}`"))
}

/// Reads a file.
///
/// # Errors
/// When it is not there, is no ordinary file (a device or a pipe may never end), or cannot be read.
pub fn bytes(path: &Utf8Path) -> Result<Vec<u8>> {
    let doing = || format!("read `{path}`");
    if std::fs::metadata(path).doing(doing)?.is_file() {
        return std::fs::read(path).doing(doing);
    }
    Err(Error::new(doing(), "it is no ordinary file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        (dir, path)
    }

    #[test]
    fn missing_directories_are_made_and_nothing_else_is_left() {
        let (_guard, dir) = scratch();
        let file = dir.join("a/b/report.json");
        write(&file, b"one").unwrap();
        write(&file, b"two").unwrap();
        assert_eq!(read(&file).unwrap(), "two");
        let left: Vec<_> = std::fs::read_dir(dir.join("a/b")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["report.json"]);
    }

    #[test]
    fn a_directory_that_cannot_be_written_to_is_named_with_the_way_out() {
        let (_guard, dir) = scratch();
        std::fs::write(dir.join("file"), "").unwrap();
        let error = write(&dir.join("file/report.json"), b"x").unwrap_err().to_string();
        assert!(error.contains("file/report.json`") && error.contains("--report-dir"), "{error}");
    }

    #[test]
    fn a_failed_write_keeps_what_was_there() {
        let (_guard, dir) = scratch();
        std::fs::create_dir_all(dir.join("report.json/kept")).unwrap();
        write(&dir.join("report.json"), b"x").unwrap_err();
        assert!(dir.join("report.json/kept").is_dir());
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1, "the temporary file is gone");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_the_file_as_far_as_the_umask_allows() {
        use std::os::unix::fs::PermissionsExt;
        let (_guard, dir) = scratch();
        let mode = |name: &str| dir.join(name).metadata().unwrap().permissions().mode();
        std::fs::write(dir.join("usual"), "").unwrap();
        write(&dir.join("report.json"), b"").unwrap();
        assert_eq!(mode("report.json"), mode("usual"));
    }
}
