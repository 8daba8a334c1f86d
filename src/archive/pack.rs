//! Writing an archive: there whole at the end, or not at all.

use super::{CONTENTS, Contents, LABEL, Label, Stored};
use crate::error::{Context, Error, Result};
use crate::text::hex;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Read};
use tempfile::NamedTempFile;

/// As quick as it gets worth having.
const LEVEL: i32 = 3;
/// Executables of mutants that are compiled alone resemble each other, so the compressor looks back 128 MiB: no more than
/// every decompressor allows.
const WINDOW: u32 = 27;

/// An archive that is being written.
pub struct Packer {
    to: Utf8PathBuf,
    tar: tar::Builder<zstd::Encoder<'static, BufWriter<NamedTempFile>>>,
    files: BTreeMap<String, String>,
}

impl Packer {
    /// Begins an archive that will lie at `to`.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn new(to: &Utf8Path, label: &Label) -> Result<Packer> {
        let dir = to.parent().filter(|dir| !dir.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
        let begun = || -> std::io::Result<_> {
            std::fs::create_dir_all(dir)?;
            let mut builder = tempfile::Builder::new();
            builder.prefix(".hunkmut-archive-");
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut encoder = zstd::Encoder::new(BufWriter::new(builder.tempfile_in(dir)?), LEVEL)?;
            encoder.include_checksum(true)?;
            encoder.long_distance_matching(true)?;
            encoder.window_log(WINDOW)?;
            Ok(encoder)
        };
        let tar = tar::Builder::new(begun().doing(|| format!("write the archive `{to}`"))?);
        let mut packer = Packer { to: to.to_owned(), tar, files: BTreeMap::new() };
        packer.json(LABEL, label)?;
        Ok(packer)
    }

    /// Adds a file of the disk. What is there already under the same path has to be the same.
    ///
    /// # Errors
    /// When it cannot be read, the archive not be written, or another file has the path.
    pub fn file(&mut self, path: &str, from: &Utf8Path) -> Result<()> {
        let reading = || format!("put `{from}` into the archive");
        if let Some(known) = self.files.get(path) {
            let bytes = std::fs::read(from).doing(reading)?;
            if *known == crate::text::sha256(&bytes) {
                return Ok(());
            }
            return Err(Error::new(reading(), format!("another file is called `{path}` there")));
        }
        let file = File::open(from).doing(reading)?;
        let meta = file.metadata().doing(reading)?;
        if !meta.is_file() {
            return Err(Error::new(reading(), "it is no ordinary file"));
        }
        let mut header = tar::Header::new_gnu();
        header.set_size(meta.len());
        header.set_mode(if is_executable(&meta) { 0o755 } else { 0o644 });
        let mut hashing = Hashing { from: file, hash: Sha256::new() };
        self.tar.append_data(&mut header, path, &mut hashing).doing(|| format!("write the archive `{}`", self.to))?;
        self.files.insert(path.to_owned(), hex(&hashing.hash.finalize()));
        Ok(())
    }

    /// Adds a value as JSON, which is not among the files whose digests are kept.
    ///
    /// # Errors
    /// When the archive cannot be written.
    pub fn json(&mut self, path: &str, value: &impl Serialize) -> Result<()> {
        self.text(path, &serde_json::to_vec(value).doing(|| format!("write `{path}`"))?)
    }

    /// Adds bytes, which are not among the files whose digests are kept.
    ///
    /// # Errors
    /// When the archive cannot be written.
    pub fn text(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        self.tar.append_data(&mut header, path, bytes).doing(|| format!("write the archive `{}`", self.to))
    }

    /// Ends it, and puts it where it belongs. Gives its size in bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, mut contents: Contents) -> Result<u64> {
        contents.files =
            std::mem::take(&mut self.files).into_iter().map(|(path, sha256)| Stored { path, sha256 }).collect();
        self.json(CONTENTS, &contents)?;
        let Packer { to, tar, .. } = self;
        let done = || -> std::io::Result<u64> {
            let buffer = tar.into_inner()?.finish()?;
            let file = buffer.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            let size = file.as_file().metadata()?.len();
            file.persist(&to).map_err(|why| why.error)?;
            Ok(size)
        };
        done().doing(|| format!("write the archive `{to}`"))
    }
}

struct Hashing {
    from: File,
    hash: Sha256,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.hash.update(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(unix)]
fn is_executable(meta: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_meta: &std::fs::Metadata) -> bool {
    true
}
