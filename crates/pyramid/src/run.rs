//! A pyramid, and how it is made.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use exactum_zarrs_plugins::Registration;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::Value;
use zarrs::array::CodecOptions;

use crate::blosc;
use crate::error::Error;
use crate::input::{DOCUMENT, Input, Stored, open};
use crate::journal::{Journal, writer};
use crate::multiscale::{description, group};
use crate::output::Writer;
use crate::plan::{BYTES, Options, Part, Plan};
use crate::region::{Making, file};

/// Bytes that all threads together may hold, where one alone does not take more.
pub(crate) const MEMORY: u64 = 256 << 20;

/// A pyramid that is to be made, or to be completed.
#[derive(Debug)]
pub struct Pyramid {
    folder: PathBuf,
    input: Input,
    plan: Plan,
    description: Value,
    /// The codecs and data types of ours, as long as arrays are open.
    registration: Registration,
    _blosc: blosc::Registered,
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All levels are there, and so is the group's document.
    Complete,
    /// So many regions are not made yet, since they are made of those of other parts.
    Waiting(u64),
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The regions of all levels that are there, as far as this process knows.
    pub made: u64,
    /// The regions of all levels.
    pub all: u64,
}

impl Pyramid {
    /// Plans the pyramid of the array in `input`, a folder of Zarr 3, or of the first level of an image of OME-Zarr 0.5
    /// there. It is written to the folder `output`, one array a level, named by its number. Nothing is written yet.
    ///
    /// # Errors
    /// When the array cannot be read, or the options do not go with it; when `output` is a pyramid of something else.
    pub fn open(input: &Path, output: &Path, options: &Options) -> Result<Self, Error> {
        let registration = exactum_zarrs_plugins::register();
        let blosc = blosc::register();
        let input = Input::find(input)?;
        let plan = Plan::new(input.data_type, &input.shape, &input.chunk_shape, options)?;
        let description = description(&plan, &input.text);
        let pyramid = Self {
            folder: output.to_owned(),
            input,
            plan,
            description,
            registration,
            _blosc: blosc,
        };
        pyramid.is_complete()?;
        Ok(pyramid)
    }

    /// The shapes of all levels; the first is that of the array.
    pub fn shapes(&self) -> impl Iterator<Item = &[u64]> {
        self.plan.levels.iter().map(|level| &level.shape[..])
    }

    /// Makes what a part has to make, and whatever else can be made then. It may be stopped at any time, and be run
    /// again: what is there is not made twice.
    ///
    /// # Errors
    /// When something cannot be read or written; when `output` holds something else.
    pub fn run(
        &self,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Outcome, Error> {
        if self.is_complete()? {
            return Ok(Outcome::Complete);
        }
        let description = format!("{:#}\n", self.description);
        let journal = Journal::open(&self.folder, &description, &self.plan, part)?;
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build()
            .map_err(|fault| Error::Options(fault.to_string()))?;
        let count = |level| journal.count(level);
        let run = Run {
            pyramid: self,
            journal: &journal,
            writer: writer(&self.folder),
            made: AtomicU64::new(self.plan.written().map(count).sum()),
            all: self
                .plan
                .written()
                .map(|it| self.plan.levels[it].regions)
                .sum(),
            progress,
        };
        threads.install(|| run.part(part))?;
        let missing = self.missing(&journal)?;
        if missing > 0 && !self.is_complete()? {
            return Ok(Outcome::Waiting(missing));
        }
        let group = group(&self.plan, &self.description, self.input.image.as_ref());
        run.writer
            .put(&self.folder.join(DOCUMENT), group.as_bytes())?;
        Journal::end(&self.folder)?;
        Ok(Outcome::Complete)
    }

    /// The regions that nobody has made.
    fn missing(&self, journal: &Journal) -> Result<u64, Error> {
        journal.refresh()?;
        let of_level = |level: usize| self.plan.levels[level].regions - journal.count(level);
        Ok(self.plan.written().map(of_level).sum())
    }

    /// Whether the pyramid is there already.
    fn is_complete(&self) -> Result<bool, Error> {
        let path = self.folder.join(DOCUMENT);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                let is_ours = is_empty(&self.folder)? || Journal::is_there(&self.folder);
                return match is_ours || path.exists() {
                    true => Ok(false),
                    false => Err(Error::Output(format!(
                        "{} is not empty; name another folder",
                        self.folder.display()
                    ))),
                };
            }
            Err(fault) => return Err(Error::of_file(&path, &fault)),
        };
        let there: Value = serde_json::from_str(&text).unwrap_or_default();
        if there["attributes"]["exactum_downsample"] == self.description {
            return Ok(true);
        }
        Err(Error::Output(format!(
            "{} is there already, and is not this pyramid; name another folder, or remove it",
            self.folder.display()
        )))
    }

    /// The folder of a level; that of level 0 as it is read.
    fn source(&self, level: usize) -> PathBuf {
        match level {
            0 => self.input.folder.clone(),
            _ => self.folder.join(level.to_string()),
        }
    }
}

/// Whether a folder holds nothing, or is not there.
pub(crate) fn is_empty(folder: &Path) -> Result<bool, Error> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(fault) => Err(Error::of_file(folder, &fault)),
    }
}

/// One run of a part.
struct Run<'a> {
    pyramid: &'a Pyramid,
    journal: &'a Journal,
    writer: Writer,
    made: AtomicU64,
    all: u64,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl Run<'_> {
    fn part(&self, part: Part) -> Result<(), Error> {
        let plan = &self.pyramid.plan;
        for level in plan.written() {
            self.level(level, |region| plan.belongs(part, level, region))?;
        }
        // What belongs to nobody, and what others have left: as far as all that it takes is there.
        for level in (plan.divided(part.count()) + 1)..plan.shared().len() {
            self.journal.refresh()?;
            let source = match plan.is_of_pieces(level) {
                true => 1,
                false => plan.source(level),
            };
            self.level(level, |region| {
                let mut inputs = plan.inputs(level, region).into_iter();
                inputs.all(|number| self.journal.has(source, number))
            })?;
        }
        Ok(())
    }

    /// Makes the regions of a level that are missing and chosen.
    fn level(&self, level: usize, chosen: impl Fn(&[u64]) -> bool + Sync) -> Result<(), Error> {
        let plan = &self.pyramid.plan;
        let chosen: Vec<u64> = (0..plan.levels[level].regions)
            .filter(|&number| !self.journal.has(level, number))
            .filter(|&number| chosen(&plan.levels[level].region(number)))
            .collect();
        // Also of a level without regions: its document is all that there is of it.
        let folder = self.pyramid.folder.join(level.to_string());
        let document = self.pyramid.input.document(&plan.levels[level].shape)?;
        let text = if level == 0 {
            &self.pyramid.input.text
        } else {
            &document
        };
        let path = folder.join(DOCUMENT);
        if !fs::read_to_string(&path).is_ok_and(|there| there == *text) {
            self.writer.put(&path, text.as_bytes())?;
        }
        if chosen.is_empty() {
            return Ok(());
        }
        let from = open(
            &self.pyramid.registration,
            &self.pyramid.source(plan.source(level)),
        )?;
        let to = open(&self.pyramid.registration, &folder)?;
        // Chunks are large where there are shards: then fewer are made at a time, each on several threads.
        let chunk = plan.chunk_bytes();
        let threads = rayon::current_num_threads();
        let taken = BYTES.min(chunk.saturating_mul(plan.growth(level)));
        let together = MEMORY / chunk.saturating_add(taken).saturating_mul(2).max(1);
        let together = usize::try_from(together)
            .unwrap_or(threads)
            .clamp(1, threads);
        let options = CodecOptions::default().with_concurrent_target(threads / together);
        let make = |number: u64| -> Result<(), Error> {
            let region = plan.levels[level].region(number);
            match &plan.levels[level].step {
                None => self.copy(&from, &folder, &region)?,
                Some(step) => Making {
                    plan,
                    level,
                    data_type: plan.data_type,
                    step,
                    from: &from,
                    readable: &self.pyramid.input.readable,
                    to: &to,
                    folder: &folder,
                    writer: &self.writer,
                    options: &options,
                }
                .region(&region, &plan.extent(level, &region))?,
            }
            self.journal.note(level, number)?;
            let made = self.made.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress {
                made,
                all: self.all,
            });
            Ok(())
        };
        if together == threads {
            return chosen.into_par_iter().try_for_each(make);
        }
        chosen
            .chunks(together)
            .try_for_each(|some| some.par_iter().copied().try_for_each(make))
    }

    /// A region of level 0: the chunk as it is stored.
    fn copy(&self, array: &Stored, folder: &Path, region: &[u64]) -> Result<(), Error> {
        let from = file(&self.pyramid.input.folder, array, region);
        self.writer.copy(&from, &file(folder, array, region))
    }
}
