//! Packs the files of the suite into one: the vectors, the specification, and the expectations and results of known
//! implementations. `build.rs` packs the files of a checkout, and `cargo xtask pack` the files for a package.
//!
//! Each file consists of its path, the length of its text and the deflated text. The path and the deflated text are
//! each preceded by their length. All lengths are 32-bit little-endian integers.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The best ratio takes three times as long and saves a tenth of the size.
const LEVEL: u8 = 6;

/// The folders that are packed, each with the extension of its files.
const FOLDERS: [(&str, &str); 5] = [
    ("vectors", "json"),
    ("vectors", "md"),
    ("spec", "md"),
    ("conformance/expectations", "toml"),
    ("conformance/results", "json"),
];

/// Packs the files of a checkout.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn pack(root: &Path) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    for (folder, ending) in FOLDERS {
        for path in files(&root.join(folder), ending)? {
            let text = fs::read(&path)?;
            let deflated = miniz_oxide::deflate::compress_to_vec(&text, LEVEL);
            let name = path.strip_prefix(root).unwrap_or(&path);
            let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            let name = name.join("/");
            for length in [name.len(), text.len(), deflated.len()] {
                let length = u32::try_from(length).map_err(io::Error::other)?;
                packed.extend(length.to_le_bytes());
            }
            packed.extend(name.as_bytes());
            packed.extend(deflated);
        }
    }
    Ok(packed)
}

/// Lists the files of a folder and its subfolders, sorted, without source code and the schemas of documents.
fn files(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            if !path.ends_with("spec/schema") && !path.ends_with("src") {
                found.extend(files(&path, ending)?);
            }
        } else if path.extension().is_some_and(|known| known == ending) {
            found.push(path);
        }
    }
    Ok(found)
}
