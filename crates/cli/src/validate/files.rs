//! Files with documents: their names in messages, and their bytes.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use exactum_conformance::text::clean;

/// Returns the name of a document in messages. The middle of a path that is too long for any system call is
/// left out.
pub(super) fn name_of(path: &Path) -> String {
    const SHOWN: usize = 1000;
    if path.as_os_str() == "-" {
        return "(standard input)".to_owned();
    }
    let name = clean(&path.display().to_string());
    let count = name.chars().count();
    if count <= SHOWN {
        return name;
    }
    let start: String = name.chars().take(SHOWN / 10).collect();
    let end: String = name.chars().skip(count - SHOWN / 10).collect();
    format!("{start}…{end}")
}

/// Reads a file, the `zarr.json` of a folder, or the standard input.
pub(super) fn read(path: &Path, mib: u64) -> io::Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        return read_limited(io::stdin().lock(), mib);
    }
    if is_remote(path) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "remote stores cannot be read; pipe the document in, and give `-` as its path",
        ));
    }
    if path.is_dir() {
        let document = exactum_pyramid::open_regular(&path.join("zarr.json"))?;
        return read_limited(document, mib);
    }
    read_limited(File::open(path)?, mib)
}

/// Returns whether a path is the address of something remote, not a file.
fn is_remote(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let is_scheme = |scheme: &str| {
        scheme.len() > 1
            && scheme
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
    };
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(is_scheme) && !path.exists()
}

pub(super) fn read_limited(file: impl io::Read, mib: u64) -> io::Result<Vec<u8>> {
    let limit = mib << 20;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "the file is larger than {mib} MiB; if it is a document, raise the \
                 limit with --max-size"
            ),
        ));
    }
    Ok(bytes)
}
