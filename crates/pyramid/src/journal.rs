//! What has been made already: a folder beside what is being written, in which every process writes a file of its own.
//!
//! A line of such a file is a level, the number of a region, the bytes of its file, or `-` where it has none because all
//! of its elements are the fill value, and, where values are packed, what was seen of them. It stands there once the file is in its place, and durable there. Whoever
//! reads a line looks at the file: a region whose file is missing, or of another size, is made again. A process that is
//! killed within a line leaves one without an end, which counts as not written. No process appends to a file of another
//! one, so none completes such a line by accident.

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

/// What is being made, below the folder.
const PLAN: &str = "plan.json";

/// The regions of something.
pub(crate) trait Regions: Sync {
    /// How many regions each level has.
    fn counts(&self) -> Vec<u64>;

    /// A bit for each region of each level, which is set where nothing has to be made.
    fn unwritten(&self) -> Vec<Vec<u64>>;

    /// The file of a region.
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
    /// After an error nothing is noted.
    is_stopped: bool,
}

#[derive(Default)]
struct Made {
    /// A bit for each region of each level.
    levels: Vec<Vec<u64>>,
    /// What was seen of the values of each level.
    seen: Vec<Seen>,
    /// How far the files were read.
    read: BTreeMap<PathBuf, u64>,
    /// Lines whose files were not there yet, as this machine sees it.
    doubtful: Vec<Line>,
}

#[derive(Clone, Copy)]
struct Line {
    level: usize,
    number: u64,
    made: Region,
}

/// What is noted of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Region {
    /// The bytes of its file; `None` if it has none.
    pub(crate) size: Option<u64>,
    /// What was seen of its values.
    pub(crate) seen: Option<Seen>,
}

impl Region {
    /// A region of a file, or of none, of whose values nothing is of interest.
    pub(crate) fn of_size(size: Option<u64>) -> Self {
        Self { size, seen: None }
    }
}

/// What was seen of values that were packed and read back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// The largest error.
    pub largest_error: f64,
    /// The number of values that are read back as the fill value, and were not it.
    pub reserved: u64,
}

impl Seen {
    /// What was seen of both.
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
    /// Opens the journal in a folder, or begins one. `description` says what is being made.
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
            // That of another process, if there was one at the same time.
            there = regular::text(&path, PLAN_BYTES).map_err(at)?;
        }
        if there.as_deref() != Some(description) {
            let output = folder.parent().unwrap_or(folder);
            return Err(Error::Output(format!(
                "{} holds something that is not complete: of another array, of this one before it was changed, or with \
                 other options; complete it with those, or remove it",
                output.display()
            )));
        }
        // Another process may have written the plan, and not have synced it yet.
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

    /// Whether something is being made in a folder.
    pub(crate) fn is_there(folder: &Path) -> Result<bool, Error> {
        let missing = regular::is_missing(folder);
        Ok(!missing.map_err(|fault| Error::of_io(folder, fault))?)
    }

    /// What writes files by way of the folder, and goes with it in the end.
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

    /// The regions of a level, of which there are `count`, that are not made.
    pub(crate) fn missing(&self, level: usize, count: u64) -> Vec<u64> {
        let words: Vec<u64> = self.made().levels[level].iter().map(|word| !word).collect();
        numbers(&words).take_while(|&it| it < count).collect()
    }

    /// How many regions of a level were made.
    pub(crate) fn count(&self, level: usize) -> u64 {
        self.made().count(level)
    }

    /// What was seen of the values of a level.
    pub(crate) fn seen(&self, level: usize) -> Seen {
        self.made().seen[level]
    }

    /// Notes that a region was written.
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
        // In one piece: either all of the line is there, or the end of it is not.
        self.disk
            .write(path, file, line.text().as_bytes())
            .map_err(|fault| Error::of_io(path, fault))?;
        self.made().set(line);
        Ok(())
    }

    /// Notes nothing any more.
    pub(crate) fn stop(&self) {
        self.own().is_stopped = true;
    }

    /// Makes durable what this process has noted.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        match &self.own().file {
            Some((path, file)) => self
                .disk
                .sync_file(path, file)
                .map_err(|fault| Error::of_io(path, fault)),
            None => Ok(()),
        }
    }

    /// A file that no other process has.
    fn begin(&self) -> Result<(PathBuf, File), Error> {
        let (index, count) = (self.part.index(), self.part.count());
        let name = self.disk.unique(&format!("part-{index}-of-{count}"));
        let path = self.folder.join(name);
        let file = self.disk.create_new(&path);
        let file = file.map_err(|fault| Error::of_io(&path, fault))?;
        self.disk.sync_parent(&path)?;
        Ok((path, file))
    }

    /// Reads what others have noted since.
    pub(crate) fn refresh(&self) -> Result<(), Error> {
        let mut made = self.made();
        self.read(&mut made)
    }

    /// Looks at every region again. Those whose files are not there as they were noted count as not made.
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

    /// Takes a line whose region has the file that it says, or none.
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

    /// Reads the lines of a file that are new.
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
