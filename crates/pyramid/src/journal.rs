//! The record of what has been made: a folder beside the output, in which every process writes a separate
//! file.
//!
//! A line of such a file consists of a level, the number of a region, and the number of bytes of its file, or `-` if it
//! has no file because all of its elements are the fill value. If values are packed, the results of examining them
//! follow. A line is written once the file is in its place and durable. Every reader of a line checks the file: a
//! region whose file is missing, or has another size, is made again. If a process is killed while it writes a line, the
//! line has no end, and does not count. No process appends to a file of another process, so that such a line is never
//! completed by accident.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::budget::PLAN_BYTES;
use crate::disk::Disk;
use crate::error::Error;
use crate::needed::numbers;
use crate::output::Writer;
use crate::plan::{Part, usize_of};
use crate::regular;

/// The file that describes what is being made.
const PLAN: &str = "plan.json";

/// The regions of a job.
pub(crate) trait Regions: Sync {
    /// Returns the number of regions of each level.
    fn counts(&self) -> Vec<u64>;

    /// Returns a bit for each region of each level, which is set if the region does not have to be made.
    fn unwritten(&self) -> Vec<Vec<u64>>;

    /// Returns the file of a region.
    fn file(&self, level: usize, number: u64) -> PathBuf;
}

/// The regions of all levels that were made.
pub(crate) struct Journal<'a> {
    folder: PathBuf,
    disk: Disk,
    regions: &'a dyn Regions,
    own: Mutex<Own>,
    part: Part,
    made: Mutex<Made>,
}

/// The file of this process.
#[derive(Default)]
struct Own {
    file: Option<(PathBuf, File)>,
    /// Whether recording has stopped after an error.
    is_stopped: bool,
}

#[derive(Default)]
struct Made {
    /// A bit for each region of each level.
    levels: Vec<Vec<u64>>,
    /// The results of examining the values of each level.
    seen: Vec<Seen>,
    /// The position up to which each file was read.
    read: BTreeMap<PathBuf, u64>,
    /// Lines whose files did not exist yet, as seen by this machine.
    doubtful: Vec<Line>,
}

#[derive(Clone, Copy)]
struct Line {
    level: usize,
    number: u64,
    made: Region,
}

/// The record of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Region {
    /// The number of bytes of its file; `None` if it has none.
    pub(crate) size: Option<u64>,
    /// The results of examining its values.
    pub(crate) seen: Option<Seen>,
}

impl Region {
    /// Returns the record of a region with or without a file, whose values are not examined.
    pub(crate) fn of_size(size: Option<u64>) -> Self {
        Self { size, seen: None }
    }
}

/// The results of comparing values before packing and after reading them back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// The largest error.
    pub largest_error: f64,
    /// The number of values that are read back as the fill value although they differ from it.
    pub reserved: u64,
}

impl Seen {
    /// Combines two results.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            largest_error: self.largest_error.max(other.largest_error),
            reserved: self.reserved.saturating_add(other.reserved),
        }
    }

    pub(crate) fn document(self) -> Value {
        json!({ "largest_error": self.largest_error, "reserved": self.reserved })
    }

    pub(crate) fn of_document(document: &Value) -> Option<Self> {
        Some(Self {
            largest_error: document["largest_error"].as_f64()?,
            reserved: document["reserved"].as_u64()?,
        })
    }
}

impl<'a> Journal<'a> {
    /// Opens the journal in a folder, or begins one. `description` states what is being made.
    pub(crate) fn open(
        folder: &Path,
        description: &str,
        regions: &'a dyn Regions,
        part: Part,
        disk: &Disk,
    ) -> Result<Self, Error> {
        disk.folders(folder, folder.parent().unwrap_or(folder))?;
        let path = folder.join(PLAN);
        let at = |fault| Error::of_io(&path, fault);
        let mut there = regular::text(&path, PLAN_BYTES).map_err(at)?;
        if there.is_none() {
            disk.put_first(folder, &path, description.as_bytes())?;
            // This is the plan of another process, if there was one at the same time.
            there = regular::text(&path, PLAN_BYTES).map_err(at)?;
        }
        if there.as_deref() != Some(description) {
            let output = folder.parent().unwrap_or(folder);
            return Err(Error::Output(format!(
                "{} contains an incomplete result for another array, for an earlier state of this \
                 one, or with other options; complete it with those, or remove it",
                output.display()
            )));
        }
        // Another process may have written the plan without having synced it yet.
        disk.sync_parent(&path)?;
        let journal = Self {
            folder: folder.to_owned(),
            disk: disk.clone(),
            regions,
            own: Mutex::default(),
            part,
            made: Mutex::new(Made::of(regions)),
        };
        journal.refresh()?;
        Ok(journal)
    }

    /// Returns whether a folder contains an unfinished job.
    pub(crate) fn is_there(folder: &Path) -> Result<bool, Error> {
        let missing = regular::is_missing(folder);
        Ok(!missing.map_err(|fault| Error::of_io(folder, fault))?)
    }

    /// Returns the object that writes files through this folder, which is removed at the end.
    pub(crate) fn writer(&self) -> Writer {
        Writer {
            scratch: self.folder.clone(),
            disk: self.disk.clone(),
        }
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn own(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a region was made.
    pub(crate) fn has(&self, level: usize, number: u64) -> bool {
        let made = self.made();
        made.levels[level][usize_of(number / 64)] >> (number % 64) & 1 == 1
    }

    /// Returns the regions of a level with `count` regions that are not made.
    pub(crate) fn missing(&self, level: usize, count: u64) -> Vec<u64> {
        let words: Vec<u64> = self.made().levels[level].iter().map(|word| !word).collect();
        numbers(&words).take_while(|&it| it < count).collect()
    }

    /// Returns the number of regions of a level that were made.
    pub(crate) fn count(&self, level: usize) -> u64 {
        self.made().count(level)
    }

    /// Returns the results of examining the values of a level.
    pub(crate) fn seen(&self, level: usize) -> Seen {
        self.made().seen[level]
    }

    /// Records that a region was written.
    pub(crate) fn note(&self, level: usize, number: u64, made: Region) -> Result<(), Error> {
        let mut own = self.own();
        if own.is_stopped {
            return Ok(());
        }
        if own.file.is_none() {
            own.file = Some(self.begin()?);
        }
        let Some((path, file)) = &mut own.file else {
            return Ok(());
        };
        let line = Line {
            level,
            number,
            made,
        };
        // The line is written in one piece: either all of it exists, or its end is missing.
        self.disk
            .write(path, file, line.text().as_bytes())
            .map_err(|fault| Error::of_io(path, fault))?;
        self.made().set(line);
        Ok(())
    }

    /// Stops recording.
    pub(crate) fn stop(&self) {
        self.own().is_stopped = true;
    }

    /// Makes the records of this process durable.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        match &self.own().file {
            Some((path, file)) => self
                .disk
                .sync_file(path, file)
                .map_err(|fault| Error::of_io(path, fault)),
            None => Ok(()),
        }
    }

    /// Creates a file with a name that no other process uses.
    fn begin(&self) -> Result<(PathBuf, File), Error> {
        let (index, count) = (self.part.index(), self.part.count());
        let name = self.disk.unique(&format!("part-{index}-of-{count}"));
        let path = self.folder.join(name);
        let file = self.disk.create_new(&path);
        let file = file.map_err(|fault| Error::of_io(&path, fault))?;
        self.disk.sync_parent(&path)?;
        Ok((path, file))
    }

    /// Reads the new records of other processes.
    pub(crate) fn refresh(&self) -> Result<(), Error> {
        let mut made = self.made();
        self.read(&mut made)
    }

    /// Checks every region again. Those whose files differ from their records count as not made.
    pub(crate) fn look(&self) -> Result<(), Error> {
        let mut again = Made::of(self.regions);
        self.read(&mut again)?;
        *self.made() = again;
        Ok(())
    }

    fn read(&self, made: &mut Made) -> Result<(), Error> {
        let at = |fault| Error::of_io(&self.folder, fault);
        for line in std::mem::take(&mut made.doubtful) {
            made.line(self.regions, line)?;
        }
        for entry in fs::read_dir(&self.folder).map_err(at)? {
            let entry = entry.map_err(at)?;
            if entry.file_name().to_string_lossy().starts_with("part-") {
                let path = entry.path();
                for line in made.lines(&path)? {
                    made.line(self.regions, line)?;
                }
            }
        }
        Ok(())
    }
}

impl Made {
    fn of(regions: &dyn Regions) -> Self {
        let levels = regions.unwritten();
        Self {
            seen: vec![Seen::default(); levels.len()],
            levels,
            ..Self::default()
        }
    }

    fn count(&self, level: usize) -> u64 {
        let words = self.levels[level].iter();
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    fn set(&mut self, line: Line) {
        let Line {
            level,
            number,
            made,
        } = line;
        let word = &mut self.levels[level][usize_of(number / 64)];
        let bit = 1 << (number % 64);
        // Two processes may have made the same region.
        if *word & bit == 0 {
            *word |= bit;
            self.seen[level] = self.seen[level].and(made.seen.unwrap_or_default());
        }
    }

    /// Accepts a line whose region has the recorded file, or none.
    fn line(&mut self, regions: &dyn Regions, line: Line) -> Result<(), Error> {
        let counts = regions.counts();
        if counts
            .get(line.level)
            .is_none_or(|&count| line.number >= count)
        {
            return Ok(());
        }
        let path = regions.file(line.level, line.number);
        match regular::metadata(&path) {
            Ok(metadata) if Some(metadata.len()) == line.made.size => self.set(line),
            Err(fault) if fault.kind() == ErrorKind::NotFound && line.made.size.is_none() => {
                self.set(line);
            }
            Err(fault) if fault.kind() != ErrorKind::NotFound => {
                return Err(Error::of_io(&path, fault).in_level(line.level));
            }
            _ => self.doubtful.push(line),
        }
        Ok(())
    }

    /// Reads the new lines of a file.
    fn lines(&mut self, path: &Path) -> Result<Vec<Line>, Error> {
        let at = |fault| Error::of_io(path, fault);
        let mut file = regular::open_regular(path).map_err(at)?;
        let begin = self.read.get(path).copied().unwrap_or_default();
        file.seek(SeekFrom::Start(begin)).map_err(at)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(at)?;
        let end = text
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        self.read.insert(path.to_owned(), begin + end as u64);
        let lines = String::from_utf8_lossy(&text[..end]);
        Ok(lines.lines().filter_map(Line::of).collect())
    }
}

impl Line {
    fn of(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (level, number, size) = (words.next()?, words.next()?, words.next()?);
        let seen = match (words.next(), words.next()) {
            (None, _) => None,
            (Some(error), Some(reserved)) => Some(Seen {
                largest_error: f64::from_bits(u64::from_str_radix(error, 16).ok()?),
                reserved: reserved.parse().ok()?,
            }),
            (Some(_), None) => return None,
        };
        let size = match size {
            "-" => None,
            _ => Some(size.parse().ok()?),
        };
        Some(Self {
            level: level.parse().ok()?,
            number: number.parse().ok()?,
            made: Region { size, seen },
        })
        .filter(|_| words.next().is_none())
    }

    fn text(&self) -> String {
        let Region { size, seen } = self.made;
        let size = size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        let seen = seen.map(|seen| {
            let error = seen.largest_error.to_bits();
            format!(" {error:016x} {}", seen.reserved)
        });
        let seen = seen.unwrap_or_default();
        format!("{} {} {size}{seen}\n", self.level, self.number)
    }
}
