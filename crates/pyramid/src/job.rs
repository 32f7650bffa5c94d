//! The shared procedure that writes arrays region by region, for pyramids, views and packed arrays. Existing files are
//! checked, regions are recorded in a journal once they are durable, and nothing is reported as complete before
//! everything has been checked again.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::{Value, json};

use crate::budget::{DOCUMENT_BYTES, RUN_BYTES, THREADS};
use crate::disk::Disk;
use crate::error::Error;
use crate::input::DOCUMENT;
use crate::journal::{Journal, Region, Regions};
use crate::needed::Needed;
use crate::output::Writer;
use crate::plan::{LevelPlan, Part, usize_of};
use crate::record::{Record, Times, each_chunk};
use crate::regular;
use crate::store::StoredArray;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything exists, including the document that marks it as complete.
    Complete,
    /// This number of regions are not made yet: they belong to other parts, or depend on regions of other
    /// parts.
    Waiting(u64),
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of regions that exist, as known to this process.
    pub made: u64,
    /// The number of all regions.
    pub all: u64,
}

/// An array to write.
pub(crate) struct Output {
    pub(crate) folder: PathBuf,
    pub(crate) document: String,
    pub(crate) array: StoredArray,
    /// Its chunks, which are the regions of a level.
    pub(crate) plan: LevelPlan,
}

impl Output {
    /// Returns the file of a region.
    pub(crate) fn file(&self, region: &[u64]) -> PathBuf {
        self.array.file(&self.folder, region)
    }

    fn record(&self) -> Result<Record, Error> {
        Record::of(&self.folder, &self.array, &self.plan.chunks, Times::DoNot)
    }
}

/// Arrays to write or to complete.
pub(crate) struct Job<'a> {
    /// The folder that contains all of them, with the document that is written last.
    pub(crate) folder: &'a Path,
    /// The name of the journal in it.
    pub(crate) journal: &'static str,
    /// A noun for the output.
    pub(crate) noun: &'static str,
    /// The arrays by level; `None` for a level that is not written.
    pub(crate) outputs: &'a [Option<Output>],
    /// The folders and documents of the groups below that folder.
    pub(crate) groups: &'a [(PathBuf, String)],
    /// Whether the folder itself is an array. Its document is then written last, after those of the others.
    pub(crate) is_array: bool,
    /// Whether the values are examined, and the result is part of the document that is written last.
    pub(crate) has_seen: bool,
    /// The description of the output and of how it is made, without the arrays from which it is made.
    pub(crate) description: Value,
    /// The regions that have to be made, by level. All regions are made if this is `None`.
    pub(crate) needed: Option<&'a Needed>,
    /// Examines the arrays from which everything is made.
    pub(crate) sources: &'a (dyn Fn() -> Result<Value, Error> + Sync),
    /// Returns the document that is written last. It contains its argument: the arrays from which everything
    /// is made, and the files that were written.
    pub(crate) document: &'a (dyn Fn(Value) -> Value + Sync),
    pub(crate) disk: &'a Disk,
}

impl Regions for Job<'_> {
    fn counts(&self) -> Vec<u64> {
        let outputs = self.outputs.iter();
        outputs
            .map(|output| output.as_ref().map_or(0, |it| it.plan.regions))
            .collect()
    }

    fn unwritten(&self) -> Vec<Vec<u64>> {
        let counts = self.counts().into_iter().enumerate();
        counts
            .map(|(level, count)| match self.needed {
                Some(needed) if count > 0 => needed.others(level, count),
                _ => vec![0; usize_of(count.div_ceil(64))],
            })
            .collect()
    }

    fn file(&self, level: usize, number: u64) -> PathBuf {
        match &self.outputs[level] {
            Some(output) => output.file(&output.plan.region(number)),
            None => self.folder.to_owned(),
        }
    }
}

impl Job<'_> {
    /// Runs `work` for a part, and completes everything once all regions exist. The process may be stopped at
    /// any time and run again; existing regions are not made again.
    pub(crate) fn run(
        &self,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
        work: &(dyn Fn(&Run<'_>) -> Result<(), Error> + Sync),
    ) -> Result<Outcome, Error> {
        if threads.get() > THREADS {
            return Err(Error::Options(format!(
                "{threads} threads are more than the maximum of {THREADS}"
            )));
        }
        let sources = (self.sources)()?;
        if self.is_complete(&sources)? {
            self.end()?;
            return Ok(Outcome::Complete);
        }
        let outcome = self.attempt(part, threads, progress, work, &sources);
        // Another process may have completed everything, and removed the journal while this one needed it.
        match outcome {
            Ok(Outcome::Complete) => Ok(Outcome::Complete),
            other if matches!(self.is_complete(&sources), Ok(true)) => {
                drop(other);
                self.end()?;
                Ok(Outcome::Complete)
            }
            other => other,
        }
    }

    fn attempt(
        &self,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
        work: &(dyn Fn(&Run<'_>) -> Result<(), Error> + Sync),
        sources: &Value,
    ) -> Result<Outcome, Error> {
        let mut description = json!({ "what": self.description, "sources": sources });
        if !self.disk.sync {
            // If one part has not synced its files, no other part may report completion as if it had.
            description["synced"] = false.into();
        }
        let description = format!("{description:#}\n");
        let folder = self.folder.join(self.journal);
        let journal = Journal::open(&folder, &description, self, part, self.disk)?;
        if self.is_complete(sources)? {
            self.end()?;
            return Ok(Outcome::Complete);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build()
            .map_err(|fault| {
                Error::Options(format!("{threads} threads cannot be started: {fault}"))
            })?;
        let counts = self.counts();
        let run = Run {
            writer: journal.writer(),
            made: AtomicU64::new((0..counts.len()).map(|level| journal.count(level)).sum()),
            all: counts.iter().sum(),
            journal: &journal,
            outputs: self.outputs,
            progress,
        };
        let worked = pool.install(|| work(&run));
        journal.sync()?;
        worked?;
        journal.refresh()?;
        let missing = |journal: &Journal<'_>| -> u64 {
            let levels = counts.iter().enumerate();
            levels
                .map(|(level, count)| count - journal.count(level))
                .sum()
        };
        match missing(&journal) {
            0 => {}
            missing => return Ok(Outcome::Waiting(missing)),
        }
        journal.look()?;
        if missing(&journal) > 0 {
            return Err(Error::Output(format!(
                "some chunks of {} are missing, or differ in size from what was written; run the command again",
                self.folder.display()
            )));
        }
        if (self.sources)()? != *sources {
            return Err(Error::Input(format!(
                "the input of {} has changed in the meantime; remove the output, and run the command again",
                self.folder.display()
            )));
        }
        let seen = match self.has_seen {
            true => (0..counts.len())
                .map(|level| journal.seen(level).document())
                .collect(),
            false => Value::Null,
        };
        self.complete(&run.writer, sources, seen)?;
        Ok(Outcome::Complete)
    }

    /// Writes the missing documents. The one that marks completion is written last.
    fn complete(&self, writer: &Writer, sources: &Value, seen: Value) -> Result<(), Error> {
        for (folder, text) in self.documents() {
            writer.document(&folder.join(DOCUMENT), text)?;
        }
        let mut record = json!({ "sources": sources, "written": self.written()? });
        if !seen.is_null() {
            record["seen"] = seen;
        }
        let document = (self.document)(record);
        let path = self.folder.join(DOCUMENT);
        writer.document(&path, &format!("{document:#}\n"))?;
        self.end()
    }

    /// Returns the documents that are written before the last one, with their folders.
    fn documents(&self) -> impl Iterator<Item = (&Path, &str)> {
        let groups = self.groups.iter().map(|(at, text)| (&**at, &**text));
        let outputs = self.outputs.iter().flatten().filter(|_| !self.is_array);
        groups.chain(outputs.map(|it| (&*it.folder, &*it.document)))
    }

    /// Returns the chunk files of all arrays.
    fn written(&self) -> Result<Value, Error> {
        let outputs = self.outputs.iter().flatten();
        outputs
            .map(|output| Ok(output.record()?.document()))
            .collect()
    }

    /// Removes the journal.
    fn end(&self) -> Result<(), Error> {
        self.disk.remove_tree(&self.folder.join(self.journal))
    }

    /// Returns whether everything exists already, and was made from the same input.
    fn is_complete(&self, sources: &Value) -> Result<bool, Error> {
        let path = self.folder.join(DOCUMENT);
        let text =
            regular::text(&path, DOCUMENT_BYTES).map_err(|fault| Error::of_io(&path, fault))?;
        let Some(text) = text else {
            return match is_empty(self.folder)?
                || Journal::is_there(&self.folder.join(self.journal))?
                // Another process has completed the output in the meantime.
                || !regular::is_missing(&path).map_err(|fault| Error::of_io(&path, fault))?
            {
                true => Ok(false),
                false => Err(Error::Output(format!(
                    "{} is not empty; choose another folder",
                    self.folder.display()
                ))),
            };
        };
        let there: Value = serde_json::from_str(&text).unwrap_or_default();
        let own = |document: &Value| document["attributes"]["exactum"].clone();
        let (mut bare, made) = (there.clone(), own(&there));
        if let Some(attributes) = bare["attributes"].as_object_mut() {
            attributes.remove("exactum");
        }
        // Numbers are compared in the form that they have after parsing.
        let expected = (self.document)(Value::Null).to_string();
        let mut expected: Value = serde_json::from_str(&expected).unwrap_or_default();
        if let Some(attributes) = expected["attributes"].as_object_mut() {
            attributes.remove("exactum");
        }
        let shown = self.folder.display();
        if bare != expected {
            return Err(Error::Output(format!(
                "{shown} already exists, but is not this {}; choose another folder, or remove it",
                self.noun
            )));
        }
        if made["sources"] != *sources {
            return Err(Error::Output(format!(
                "{shown} already exists, but was made from {}; choose another folder, or remove it",
                difference(&made["sources"], sources)
            )));
        }
        for (folder, expected) in self.documents() {
            self.look(folder, expected)?;
        }
        let written = self.written()?;
        if written != made["written"] {
            return Err(Error::Output(format!(
                "{shown} was changed after it was written: {}; remove it, and run the command again",
                self.damage(&made["written"], &written)
            )));
        }
        Ok(true)
    }

    /// Checks a document of a complete output.
    fn look(&self, folder: &Path, expected: &str) -> Result<(), Error> {
        let path = folder.join(DOCUMENT);
        let text =
            regular::text(&path, DOCUMENT_BYTES).map_err(|fault| Error::of_io(&path, fault))?;
        match text.is_some_and(|text| text == expected) {
            true => Ok(()),
            false => Err(Error::Output(format!(
                "{} was changed after it was written: {} is missing or different; remove the whole \
                 folder, and run the command again",
                self.folder.display(),
                path.display()
            ))),
        }
    }

    /// Describes the first array whose files are not those that were written.
    fn damage(&self, written: &Value, found: &Value) -> String {
        let outputs = self.outputs.iter().flatten();
        for (at, output) in outputs.enumerate() {
            let (written, found) = (&written[at], &found[at]);
            if written != found {
                return format!(
                    "{} has {} chunks with {} bytes, but {} with {} bytes were written",
                    output.folder.display(),
                    found["files"],
                    found["bytes"],
                    written["files"],
                    written["bytes"]
                );
            }
        }
        "its document was changed".into()
    }
}

/// Describes how the recorded input differs from the current one.
fn difference(made: &Value, asked: &Value) -> String {
    let lists = [made, asked].map(|it| it.as_array().map_or(&[][..], Vec::as_slice));
    let pairs = std::iter::zip(lists[0], lists[1]);
    for (made, asked) in pairs {
        if made["path"] != asked["path"] {
            return format!("{}, not from {}", made["path"], asked["path"]);
        }
        if made != asked {
            return format!("an earlier state of {}", made["path"]);
        }
    }
    "something else".into()
}

/// Returns whether a folder is empty or does not exist.
fn is_empty(folder: &Path) -> Result<bool, Error> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            regular::is_missing(folder).map_err(|fault| Error::of_io(folder, fault))
        }
        Err(fault) => Err(Error::of_io(folder, fault)),
    }
}

/// A run of one part.
pub(crate) struct Run<'a> {
    pub(crate) journal: &'a Journal<'a>,
    pub(crate) writer: Writer,
    outputs: &'a [Option<Output>],
    made: AtomicU64,
    all: u64,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl Run<'_> {
    /// Returns the array of a level, after writing its document unless that is the last one.
    pub(crate) fn output(&self, level: usize) -> Option<&Output> {
        self.outputs[level].as_ref()
    }

    /// Removes the files of regions that do not have to be made, which are left over from another run.
    pub(crate) fn remove_others(&self, level: usize, needed: &Needed) -> Result<(), Error> {
        let Some(output) = self.output(level) else {
            return Ok(());
        };
        let plan = &output.plan;
        let mut others = Vec::new();
        each_chunk(
            &output.folder,
            &output.array,
            &plan.chunks,
            &mut |chunk, _, _| {
                if !needed.has(level, plan.number(&chunk)) {
                    others.push(output.file(&chunk));
                }
            },
        )?;
        others.iter().try_for_each(|path| self.writer.remove(path))
    }

    /// Makes the chosen regions of a level that are missing. Each of them holds `held` bytes, and as many as memory
    /// allows are made in parallel. `make` gets the number of threads that it may use, and returns the journal entry of
    /// the region.
    pub(crate) fn regions(
        &self,
        level: usize,
        held: u64,
        chosen: impl Fn(&[u64]) -> bool + Sync,
        make: impl Fn(&[u64], usize) -> Result<Region, Error> + Sync,
    ) -> Result<(), Error> {
        let Some(output) = self.output(level) else {
            return Ok(());
        };
        let plan = &output.plan;
        let missing = self.journal.missing(level, plan.regions);
        let chosen: Vec<u64> = missing
            .into_iter()
            .filter(|&number| chosen(&plan.region(number)))
            .collect();
        let threads = rayon::current_num_threads();
        let together = usize_of(RUN_BYTES / held.max(1)).clamp(1, threads);
        let one = |&number: &u64| -> Result<(), Error> {
            let made = make(&plan.region(number), threads / together).map_err(|fault| {
                self.journal.stop();
                fault.in_level(level)
            })?;
            self.journal.note(level, number, made)?;
            (self.progress)(Progress {
                made: self.made.fetch_add(1, Ordering::Relaxed) + 1,
                all: self.all,
            });
            Ok(())
        };
        if together == threads {
            return chosen.par_iter().try_for_each(one);
        }
        chosen
            .chunks(together)
            .try_for_each(|some| some.par_iter().try_for_each(one))
    }
}
