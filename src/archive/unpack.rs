//! Reading an archive: everything is checked before anything of it is used.

use super::{CONTENTS, Contents, LABEL, Label, Moves};
use crate::error::{Context, Error, Result};
use crate::text::hex;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Write};

/// More than any description needs: a damaged header may name any size.
const MOST_JSON: u64 = 1 << 30;

type Tar = tar::Archive<zstd::Decoder<'static, BufReader<File>>>;

/// An archive of which only the label has been read.
#[derive(Debug)]
pub struct Reader {
    file: Utf8PathBuf,
    /// What it is of.
    pub label: Label,
}

/// An archive on this machine's disk.
#[derive(Debug)]
pub struct Unpacked {
    /// The folder that holds its files under their paths in the archive.
    pub dir: Utf8PathBuf,
    /// What it is of.
    pub label: Label,
    /// What it says, with the paths of this machine.
    pub contents: Contents,
    /// Whether programs lie elsewhere than where tests were compiled to look for them.
    pub moved: bool,
}

impl Reader {
    /// Reads the label.
    ///
    /// # Errors
    /// When there is no such file, it is no archive of this program, or this program may not use it.
    pub fn open(file: &Utf8Path) -> Result<Reader> {
        let mut tar = opened(file)?;
        let damaged = |why: &dyn std::fmt::Display| no_archive(file, why);
        let mut entries = tar.entries().map_err(|why| damaged(&why))?;
        let mut first = match entries.next() {
            Some(entry) => entry.map_err(|why| damaged(&why))?,
            None => return Err(damaged(&"it is empty")),
        };
        if first.path_bytes().as_ref() != LABEL.as_bytes() {
            return Err(damaged(&"`cargo hunkmut archive` has not made it"));
        }
        let label: Label = serde_json::from_slice(&bytes(&mut first).map_err(|why| damaged(&why))?)
            .map_err(|why| damaged(&format!("another version has made it: {why}")))?;
        label.check()?;
        Ok(Reader { file: file.to_owned(), label })
    }

    /// Unpacks it into `dir`, which is emptied first, and reads what it says of this machine's places.
    ///
    /// # Errors
    /// When it is cut off or damaged, or the disk cannot be written to.
    pub fn unpack(self, dir: &Utf8Path, moves: &Moves) -> Result<Unpacked> {
        let writing = || format!("unpack the archive into `{dir}`");
        if self.file.starts_with(dir) {
            return Err(Error::new(writing(), "it lies in that very folder").hint("put it elsewhere"));
        }
        match std::fs::remove_dir_all(dir) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(Error::new(writing(), why)),
            Ok(()) | Err(_) => {}
        }
        let damaged = |why: &dyn std::fmt::Display| no_archive(&self.file, why);
        let mut digests = BTreeMap::new();
        let mut contents: Option<serde_json::Value> = None;
        let mut tar = opened(&self.file)?;
        for entry in tar.entries().map_err(|why| damaged(&why))? {
            let mut entry = entry.map_err(|why| damaged(&why))?;
            let path = String::from_utf8(entry.path_bytes().into_owned()).map_err(|why| damaged(&why))?;
            if !is_plain(&path) || !entry.header().entry_type().is_file() {
                return Err(damaged(&format!("it may not hold `{path}`")));
            }
            let mode = entry.header().mode().unwrap_or(0o644);
            if path == CONTENTS {
                let bytes = bytes(&mut entry).map_err(|why| damaged(&why))?;
                contents = Some(serde_json::from_slice(&bytes).map_err(|why| damaged(&why))?);
                continue;
            }
            if contents.is_some() || digests.contains_key(&path) {
                return Err(damaged(&format!("it may not hold `{path}` there")));
            }
            let to = dir.join(&path);
            let scratch = new_file(&to).doing(writing)?;
            // A damaged stream ends within a file.
            let digest = copy(&mut entry, &scratch).map_err(|why| damaged(&why))?;
            put(&scratch, &to, mode).doing(writing)?;
            digests.insert(path, digest);
        }
        // Behind the last file lies the checksum of everything.
        std::io::copy(&mut tar.into_inner(), &mut std::io::sink()).map_err(|why| damaged(&why))?;
        let Some(mut contents) = contents else { return Err(damaged(&"its end is missing")) };
        moves.value(&mut contents);
        let contents: Contents = serde_json::from_value(contents).map_err(|why| damaged(&why))?;
        for stored in &contents.files {
            match digests.get(&stored.path) {
                Some(digest) if *digest == stored.sha256 => {}
                Some(_) => return Err(damaged(&format!("`{}` is not what was put into it", stored.path))),
                None => return Err(damaged(&format!("`{}` is missing", stored.path))),
            }
        }
        Ok(Unpacked { dir: dir.to_owned(), label: self.label, contents, moved: false })
    }
}

fn opened(file: &Utf8Path) -> Result<Tar> {
    let reading = || format!("read the archive `{file}`");
    if !std::fs::metadata(file).doing(reading)?.is_file() {
        return Err(Error::new(reading(), "it is no ordinary file"));
    }
    let decoder = zstd::Decoder::new(File::open(file).doing(reading)?).doing(reading)?;
    Ok(tar::Archive::new(decoder))
}

fn no_archive(file: &Utf8Path, why: &dyn std::fmt::Display) -> Error {
    Error::new(format!("read the archive `{file}`"), why)
        .hint("it may be cut off or damaged: fetch it again, or make it anew with `cargo hunkmut archive`")
}

fn bytes(entry: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.take(MOST_JSON).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a path stays below the folder that it is unpacked into.
fn is_plain(path: &str) -> bool {
    let path = Utf8Path::new(path);
    path.starts_with("target") && path.components().all(|part| matches!(part, Utf8Component::Normal(_)))
}

/// Where a file lies while it is written: the folders around it are made.
fn new_file(to: &Utf8Path) -> std::io::Result<Utf8PathBuf> {
    if let Some(dir) = to.parent() {
        std::fs::create_dir_all(dir)?;
    }
    Ok(Utf8PathBuf::from(format!("{to}.hunkmut-new")))
}

/// Copies to a file, piece by piece: it may be larger than memory. Gives the digest of what it copies.
fn copy(from: &mut impl Read, to: &Utf8Path) -> std::io::Result<String> {
    let (mut file, mut hash) = (File::create(to)?, Sha256::new());
    let mut piece = vec![0; 1 << 16];
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(hex(&hash.finalize())),
            read => {
                hash.update(&piece[..read]);
                file.write_all(&piece[..read])?;
            }
        }
    }
}

/// Takes the place of what was there: others may share the old one's bytes.
fn put(scratch: &Utf8Path, to: &Utf8Path, mode: u32) -> std::io::Result<()> {
    set_mode(scratch, mode)?;
    std::fs::rename(scratch, to)
}

#[cfg(unix)]
fn set_mode(path: &Utf8Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode & 0o755))
}

#[cfg(not(unix))]
fn set_mode(_path: &Utf8Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}
