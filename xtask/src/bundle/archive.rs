//! Archives that are byte-identical wherever they are written: `.tar.gz` and `.zip`, without times or owners, and in an
//! order that does not depend on the file system.

use miniz_oxide::deflate::compress_to_vec;

/// The highest compression level of deflate.
const LEVEL: u8 = 9;

/// A file of an archive: its path and its bytes.
pub(super) type Entry = (String, Vec<u8>);

/// Returns a gzipped tar archive.
///
/// # Errors
/// If the format cannot represent a path or a file.
pub(super) fn tar_gz(entries: &[Entry]) -> Result<Vec<u8>, String> {
    let tar = tar(entries)?;
    // Deflate, no flags, no time, best compression, unknown operating system.
    let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    gzip.extend(compress_to_vec(&tar, LEVEL));
    gzip.extend(crc32fast::hash(&tar).to_le_bytes());
    gzip.extend(length(tar.len())?.to_le_bytes());
    Ok(gzip)
}

/// Returns a POSIX tar archive of plain files.
fn tar(entries: &[Entry]) -> Result<Vec<u8>, String> {
    let mut tar = Vec::new();
    for (path, bytes) in entries {
        if path.len() > 100 {
            return Err(format!("{path}: longer than 100 bytes"));
        }
        let mut header = [0; 512];
        let mut put =
            |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
        put(0, path);
        put(100, "0000644");
        put(108, "0000000");
        put(116, "0000000");
        put(124, &format!("{:011o}", length(bytes.len())?));
        put(136, "00000000000");
        // While the checksum is computed, its own field contains eight spaces.
        put(148, "        ");
        put(156, "0");
        put(257, "ustar\0");
        put(263, "00");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        tar.extend(header);
        tar.extend(bytes);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    Ok(tar)
}

/// Returns a zip archive.
///
/// # Errors
/// If the format cannot represent a file.
pub(super) fn zip(entries: &[Entry]) -> Result<Vec<u8>, String> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (path, bytes) in entries {
        let deflated = compress_to_vec(bytes, LEVEL);
        let offset = length(zip.len())?;
        let name = u16::try_from(path.len()).map_err(|_| format!("{path}: too long"))?;
        // Version 2.0, names in UTF-8, deflate, and the time 1980-01-01 00:00.
        let mut common = Vec::new();
        for field in [20, 0x0800, 8, 0, 0x21] {
            common.extend(u16::to_le_bytes(field));
        }
        common.extend(crc32fast::hash(bytes).to_le_bytes());
        common.extend(length(deflated.len())?.to_le_bytes());
        common.extend(length(bytes.len())?.to_le_bytes());
        common.extend(name.to_le_bytes());
        common.extend([0, 0]);
        zip.extend(b"PK\x03\x04");
        zip.extend(&common);
        zip.extend(path.as_bytes());
        zip.extend(deflated);
        // Written on Unix with version 2.0; no comment, disk 0, not text; a plain file with mode 644.
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend(0o100_644_u32.rotate_left(16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(path.as_bytes());
    }
    let (count, offset) = (u16::try_from(entries.len()), length(zip.len())?);
    let count = count.map_err(|_| "more than 65535 files".to_owned())?;
    zip.extend(&directory);
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend(count.to_le_bytes());
    zip.extend(count.to_le_bytes());
    zip.extend(length(directory.len())?.to_le_bytes());
    zip.extend(offset.to_le_bytes());
    zip.extend([0, 0]);
    Ok(zip)
}

fn length(length: usize) -> Result<u32, String> {
    u32::try_from(length).map_err(|_| "more than 4 GiB".into())
}
