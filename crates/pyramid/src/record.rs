//! A short record of the contents of a folder of chunks. With it, a pyramid recognizes the array from which
//! it was made, and its own chunks.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

use crate::error::Error;
use crate::regular;
use crate::store::StoredArray;

/// The chunk files of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    files: u64,
    bytes: u64,
    /// A sum of hashes, one for each file, which does not depend on the order of the files.
    digest: u64,
}

/// Whether the modification times of files count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    /// A file that was written again counts as another file.
    Count,
    /// Only names and sizes count.
    DoNot,
}

impl Record {
    /// Examines the chunk files of an array in `folder`, given its number of chunks along each dimension.
    pub(crate) fn of(
        folder: &Path,
        array: &StoredArray,
        chunks: &[u64],
        times: Times,
    ) -> Result<Self, Error> {
        let mut record = Self::default();
        each_chunk(folder, array, chunks, &mut |_, key, metadata| {
            record.files += 1;
            record.bytes = record.bytes.wrapping_add(metadata.len());
            let mut hash = Hash::default();
            hash.add(key.as_bytes());
            hash.add(&metadata.len().to_le_bytes());
            if times == Times::Count {
                hash.add(&time(metadata).to_le_bytes());
            }
            record.digest = record.digest.wrapping_add(hash.end());
        })?;
        Ok(record)
    }

    /// Returns the number of bytes of all files.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn document(&self) -> Value {
        json!({
            "files": self.files,
            "bytes": self.bytes,
            "digest": format!("{:016x}", self.digest),
        })
    }
}

/// Returns the time at which a file was last written, in nanoseconds since 1970.
fn time(metadata: &Metadata) -> i128 {
    let Ok(modified) = metadata.modified() else {
        return 0;
    };
    let nanos = |duration: std::time::Duration| i128::try_from(duration.as_nanos()).unwrap_or(0);
    match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos(after),
        Err(before) => -nanos(before.duration()),
    }
}

/// FNV-1a with 64 bits, which are mixed at the end so that sums of hashes are as good as hashes.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        // The length separates neighbouring texts.
        let length = (bytes.len() as u64).to_le_bytes();
        for &byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn end(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Visits every chunk file of an array in `folder`, with its position in the grid and its key. Files that are
/// not chunks of the array are skipped.
pub(crate) fn each_chunk(
    folder: &Path,
    array: &StoredArray,
    chunks: &[u64],
    visit: &mut dyn FnMut(Vec<u64>, &str, &Metadata),
) -> Result<(), Error> {
    let position = |key: &str| {
        let numbers = key.split(|it: char| !it.is_ascii_digit());
        let numbers: Option<Vec<u64>> = match chunks.len() {
            0 => Some(Vec::new()),
            _ => numbers
                .filter(|number| !number.is_empty())
                // A key of version 2 consists only of the numbers; other keys have a letter before them.
                .map(|number| number.parse().ok())
                .collect(),
        };
        numbers.filter(|numbers| {
            numbers.len() == chunks.len()
                && std::iter::zip(numbers, chunks).all(|(number, chunks)| number < chunks)
                && array.key(numbers) == key
        })
    };
    // A key has at most one part for each dimension, and one before them.
    let deepest = chunks.len() + 1;
    let mut open = vec![(folder.to_owned(), String::new(), 1)];
    while let Some((folder, prefix, depth)) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(fault) if fault.kind() == ErrorKind::NotFound => {
                match regular::is_missing(&folder) {
                    Ok(true) => continue,
                    Ok(false) => return Err(Error::of_io(&folder, fault)),
                    Err(fault) => return Err(Error::of_io(&folder, fault)),
                }
            }
            Err(fault) => return Err(Error::of_io(&folder, fault)),
        };
        for entry in entries {
            let entry = entry.map_err(|fault| Error::of_io(&folder, fault))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                continue;
            };
            let key = format!("{prefix}{name}");
            let path = entry.path();
            let at = |fault| Error::of_io(&path, fault);
            if let Some(chunk) = position(&key) {
                visit(chunk, &key, &regular::metadata(&path).map_err(at)?);
            } else if depth < deepest && (name == "c" || name.bytes().all(|it| it.is_ascii_digit()))
            {
                let metadata = match fs::metadata(&path) {
                    Ok(metadata) => metadata,
                    Err(fault) if fault.kind() == ErrorKind::NotFound => {
                        match regular::is_missing(&path) {
                            Ok(_) => continue,
                            Err(fault) => return Err(at(fault)),
                        }
                    }
                    Err(fault) => return Err(at(fault)),
                };
                if metadata.is_dir() {
                    open.push((path, format!("{key}/"), depth + 1));
                }
            }
        }
    }
    Ok(())
}
