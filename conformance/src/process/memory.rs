//! The memory that processes use, on Linux: what they have mapped, and files that the system keeps in memory, such as
//! those of `memfd_create` and `/dev/shm`, which use memory whether or not they are mapped.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::statfs;

/// The `statfs` numbers of the file systems that keep their files in memory: tmpfs, ramfs and hugetlbfs.
const IN_MEMORY: [i64; 3] = [0x0102_1994, 0x8584_58f6, 0x9584_58f6];

/// The permission bit of a link in `/proc/<pid>/fd` that is set if the file is open for writing.
const WRITES: u32 = 0o200;

/// The size, in bytes, of the blocks that `stat` counts.
const BLOCK: u64 = 512;

/// A file, identified independently of its names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct File {
    device: u64,
    inode: u64,
}

/// The in-memory files that a family of processes was seen to write, by their names: they stay after they are closed.
#[derive(Debug, Default)]
pub(super) struct Written(BTreeMap<PathBuf, (u64, u64)>);

/// Returns the memory, in bytes, of some processes. Shared memory counts once, as does a file that one of them has open
/// for writing, or had at an earlier measurement. A file that was opened, written and closed between two measurements
/// is missed, as are messages in pipes and sockets.
pub(super) fn of(processes: &[i32], written: &mut Written) -> u64 {
    let mut files = BTreeMap::new();
    for &process in processes {
        open_files(process, &mut files, written);
    }
    written.0.retain(|path, &mut (device, inode)| {
        let file = File { device, inode };
        match fs::metadata(path) {
            Ok(metadata) if File::of(&metadata) == file => {
                files.insert(file, metadata.blocks() * BLOCK);
                true
            }
            _ => false,
        }
    });
    let in_files: u64 = files.values().sum();
    let mapped = processes.iter().map(|&process| match files.is_empty() {
        true => proportional(process),
        false => mapped_beside(process, &files),
    });
    mapped.fold(in_files, u64::saturating_add)
}

impl File {
    fn of(metadata: &fs::Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    /// Returns the file in a line of `smaps`, whose device is written as its major and minor numbers.
    fn of_mapping(device: &str, inode: &str) -> Option<Self> {
        let (major, minor) = device.split_once(':')?;
        let (major, minor) = (
            u64::from_str_radix(major, 16).ok()?,
            u64::from_str_radix(minor, 16).ok()?,
        );
        Some(Self {
            device: (major & 0xfff) << 8
                | (major & !0xfff) << 32
                | minor & 0xff
                | (minor & !0xff) << 12,
            inode: inode.parse().ok()?,
        })
    }
}

/// Adds the in-memory files that a process has open for writing.
fn open_files(process: i32, files: &mut BTreeMap<File, u64>, written: &mut Written) {
    let entries = fs::read_dir(format!("/proc/{process}/fd"));
    for entry in entries.into_iter().flatten().flatten() {
        let link = entry.path();
        let writes = fs::symlink_metadata(&link).is_ok_and(|link| link.mode() & WRITES != 0);
        let Some(path) = fs::read_link(&link).ok().filter(|path| path.is_absolute()) else {
            continue;
        };
        if !writes || !is_in_memory(&link) {
            continue;
        }
        // Read through the link, not by the file's name, which may be gone or belong to another file by now.
        let Ok(metadata) = fs::metadata(&link) else {
            continue;
        };
        if metadata.is_file() {
            let file = File::of(&metadata);
            files.insert(file, metadata.blocks() * BLOCK);
            written.0.insert(path, (file.device, file.inode));
        }
    }
}

fn is_in_memory(path: &Path) -> bool {
    statfs(path).is_ok_and(|it| {
        // The type of this number differs between platforms.
        #[expect(clippy::useless_conversion, reason = "it is another integer elsewhere")]
        i64::try_from(it.f_type).is_ok_and(|number| IN_MEMORY.contains(&number))
    })
}

/// Returns the proportional size of a process: a page that n processes share counts as an nth of a page.
fn proportional(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    text.lines().find_map(size).unwrap_or_default()
}

/// Returns the proportional size of a process without its mappings of some files.
fn mapped_beside(process: i32, files: &BTreeMap<File, u64>) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/smaps")).unwrap_or_default();
    let (mut counts, mut bytes) = (true, 0u64);
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        if words.next().is_some_and(|first| !first.ends_with(':')) {
            // The addresses, permissions and offset of a mapping are followed by its file.
            let (device, inode) = (words.nth(2), words.next());
            let file = device
                .zip(inode)
                .and_then(|(device, inode)| File::of_mapping(device, inode));
            counts = file.is_none_or(|file| !files.contains_key(&file));
        } else if counts {
            bytes = bytes.saturating_add(size(line).unwrap_or_default());
        }
    }
    bytes
}

/// Returns the number of bytes in a line of `Pss`.
fn size(line: &str) -> Option<u64> {
    let kibibytes: u64 = line
        .strip_prefix("Pss:")?
        .split_ascii_whitespace()
        .next()?
        .parse()
        .ok()?;
    Some(kibibytes.saturating_mul(1 << 10))
}
