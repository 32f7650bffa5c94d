//! What has been made already: a folder beside the levels, in which every process writes a file of its own.
//!
//! A line of such a file is a level and the number of a region, and stands there once the region has been written. A
//! process that is killed within a line leaves one without an end, which counts as not written. Nobody appends to a
//! file of another process, so that nobody completes such a line by accident.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::output::Writer;
use crate::plan::{Part, Plan, usize_of};

/// The folder, below that of the pyramid.
const FOLDER: &str = ".exactum-downsample";

/// What is being made, below the folder.
const PLAN: &str = "plan.json";

/// Writes the files of a pyramid: what is left of one goes with the journal.
pub(crate) fn writer(pyramid: &Path) -> Writer {
    Writer {
        scratch: pyramid.join(FOLDER),
    }
}

/// The regions of all levels that were made.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    own: Mutex<Option<File>>,
    part: Part,
    made: Mutex<Made>,
}

#[derive(Debug)]
struct Made {
    /// A bit for each region of each level.
    levels: Vec<Vec<u64>>,
    /// How far the files were read.
    read: BTreeMap<PathBuf, u64>,
}

impl Journal {
    /// Opens the journal of a pyramid, or begins one. `description` says what is being made.
    pub(crate) fn open(
        pyramid: &Path,
        description: &str,
        plan: &Plan,
        part: Part,
    ) -> Result<Self, Error> {
        let folder = pyramid.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|fault| Error::of_file(&folder, &fault))?;
        let path = folder.join(PLAN);
        match fs::read_to_string(&path) {
            Ok(there) if there == description => {}
            Ok(_) => {
                return Err(Error::Output(format!(
                    "{} holds a pyramid that is not complete, of another array or with other options; \
                     complete it with those, or remove it",
                    pyramid.display()
                )));
            }
            Err(fault) if fault.kind() == ErrorKind::NotFound => {
                writer(pyramid).put(&path, description.as_bytes())?;
            }
            Err(fault) => return Err(Error::of_file(&path, &fault)),
        }
        let bits = plan
            .levels
            .iter()
            .map(|level| vec![0; usize_of(level.regions.div_ceil(64))]);
        let journal = Self {
            folder,
            own: Mutex::new(None),
            part,
            made: Mutex::new(Made {
                levels: bits.collect(),
                read: BTreeMap::new(),
            }),
        };
        journal.refresh()?;
        Ok(journal)
    }

    /// Whether a pyramid is being made in a folder.
    pub(crate) fn is_there(pyramid: &Path) -> bool {
        pyramid.join(FOLDER).exists()
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a region was made.
    pub(crate) fn has(&self, level: usize, number: u64) -> bool {
        let made = self.made();
        made.levels[level][usize_of(number / 64)] >> (number % 64) & 1 == 1
    }

    /// How many regions of a level were made.
    pub(crate) fn count(&self, level: usize) -> u64 {
        let made = self.made();
        made.levels[level]
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Notes that a region was written.
    pub(crate) fn note(&self, level: usize, number: u64) -> Result<(), Error> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match &mut *own {
            Some(file) => file,
            none => none.insert(self.begin()?),
        };
        // In one piece: either all of the line is there, or the end of it is not.
        file.write_all(format!("{level} {number}\n").as_bytes())
            .map_err(|fault| Error::of_file(&self.folder, &fault))?;
        self.made().set(level, number);
        Ok(())
    }

    /// A file that no other process has.
    fn begin(&self) -> Result<File, Error> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let name = format!(
            "part-{}-of-{}-{}-{}",
            self.part.index(),
            self.part.count(),
            std::process::id(),
            now.as_nanos()
        );
        let path = self.folder.join(name);
        OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&path)
            .map_err(|fault| Error::of_file(&path, &fault))
    }

    /// Reads what others have noted since.
    pub(crate) fn refresh(&self) -> Result<(), Error> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            // Somebody has completed the pyramid.
            Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(()),
            Err(fault) => return Err(Error::of_file(&self.folder, &fault)),
        };
        let mut made = self.made();
        for entry in entries {
            let path = entry
                .map_err(|fault| Error::of_file(&self.folder, &fault))?
                .path();
            let is_part = path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("part-"));
            if is_part
                && let Err(fault) = made.read(&path)
                && fault.kind() != ErrorKind::NotFound
            {
                return Err(Error::of_file(&path, &fault));
            }
        }
        Ok(())
    }

    /// Removes the journal of a pyramid that is complete.
    pub(crate) fn end(pyramid: &Path) -> Result<(), Error> {
        let folder = pyramid.join(FOLDER);
        match fs::remove_dir_all(&folder) {
            Err(fault) if fault.kind() != ErrorKind::NotFound => {
                Err(Error::of_file(&folder, &fault))
            }
            _ => Ok(()),
        }
    }
}

impl Made {
    /// Notes a region; one that there is not is a line of somebody else.
    fn set(&mut self, level: usize, number: u64) {
        let words = self.levels.get_mut(level);
        if let Some(word) = words.and_then(|words| words.get_mut(usize_of(number / 64))) {
            *word |= 1 << (number % 64);
        }
    }

    /// Reads the lines of a file that are new.
    fn read(&mut self, path: &Path) -> std::io::Result<()> {
        let mut file = File::open(path)?;
        let begin = self.read.get(path).copied().unwrap_or_default();
        file.seek(SeekFrom::Start(begin))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let end = text
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        for line in String::from_utf8_lossy(&text[..end]).lines() {
            if let Some((level, number)) = line.split_once(' ')
                && let (Ok(level), Ok(number)) = (level.parse(), number.parse())
            {
                self.set(level, number);
            }
        }
        self.read.insert(path.to_owned(), begin + end as u64);
        Ok(())
    }
}
