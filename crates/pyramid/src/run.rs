//! Makes pyramids region by region.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use exactum_zarrs_plugins::Registration;
use serde_json::{Value, json};

use crate::budget::PIECE_BYTES;
use crate::disk::Disk;
use crate::error::Error;
use crate::input::{DOCUMENT, Input};
use crate::job::{Job, Outcome, Output, Progress, Run};
use crate::journal::Region;
use crate::multiscale::{description, group};
use crate::needed::Needed;
use crate::place::{require_apart, source};
use crate::plan::{Options, Part, Plan};
use crate::present::Present;
use crate::region::RegionJob;
use crate::store::{StoredArray, threads};

/// The name of the journal in the folder of the pyramid.
pub(crate) const JOURNAL: &str = ".exactum-downsample";

/// A pyramid that is made or completed.
pub struct Pyramid {
    folder: PathBuf,
    input: Input,
    /// The array to read.
    base: StoredArray,
    plan: Plan,
    outputs: Vec<Option<Output>>,
    pub(crate) disk: Disk,
    /// The registration of the codecs and data types of Exactum, while arrays are open.
    registration: Registration,
}

impl std::fmt::Debug for Pyramid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pyramid")
            .field("folder", &self.folder)
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

impl Pyramid {
    /// Plans the pyramid of the Zarr 3 array in the folder `input`, or of the first level of an OME-Zarr 0.5
    /// image there. It is written to the folder `output`, with one array for each level, named by its number.
    /// Nothing is written yet.
    ///
    /// # Errors
    /// If the array cannot be read, the options do not fit it, or one folder is inside the other.
    pub fn open(input: &Path, output: &Path, options: &Options) -> Result<Self, Error> {
        let registration = exactum_zarrs_plugins::register();
        let folder = input;
        let input = Input::find_with_times(folder)?;
        require_apart(folder, output)?;
        require_apart(&input.folder, output)?;
        let options = match input.is_of_times {
            true => &options.of_times()?,
            false => options,
        };
        let plan = Plan::new(input.data_type, &input.shape, &input.chunk_shape, options)?;
        // Faults in the document of an image are found before anything is written.
        group(&plan, input.image.as_ref(), &Value::Null)?;
        let levels = plan.levels.iter().enumerate();
        let outputs = levels.map(|(level, of)| {
            if level == 0 && !options.copy_base {
                return Ok(None);
            }
            let document = match level {
                0 => input.text.clone(),
                _ => input.document(&of.shape)?,
            };
            Ok(Some(Output {
                folder: output.join(level.to_string()),
                array: StoredArray::draft(&registration, &document)?,
                document,
                plan: of.clone(),
            }))
        });
        Ok(Self {
            folder: output.to_owned(),
            base: StoredArray::open(&registration, &input.folder)?,
            outputs: outputs.collect::<Result<_, Error>>()?,
            input,
            plan,
            disk: Disk::new(true),
            registration,
        })
    }

    /// Leaves it to the system when written data reaches the disk. After a crash of the machine, but not
    /// after the end of a process, a pyramid may then be marked as complete although files lack their
    /// content.
    pub fn without_sync(&mut self) {
        self.disk = Disk::new(false);
    }

    /// Returns the shapes of all levels; the first is that of the array.
    pub fn shapes(&self) -> impl Iterator<Item = &[u64]> {
        self.plan.levels.iter().map(|level| &level.shape[..])
    }

    /// Makes the regions of a part, and then all other regions that can be made. The process may be stopped at any time
    /// and run again; existing regions are not made again.
    ///
    /// # Errors
    /// If something cannot be read or written. Also if `output` contains something else, such as a pyramid of another
    /// array or of an earlier state of this array, or if the pyramid has lost chunks.
    pub fn run(
        &self,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Outcome, Error> {
        let needed = self.needed()?;
        let sources = || {
            let base = source(&self.folder, &self.input.folder, &self.base)?;
            Ok(json!([base]))
        };
        let image = self.input.image.as_ref();
        let job = Job {
            folder: &self.folder,
            journal: JOURNAL,
            noun: "pyramid",
            outputs: &self.outputs,
            is_array: false,
            groups: &[],
            has_seen: false,
            description: json!({
                "pyramid": description(&self.plan),
                "image": image.map(|image| &image.0),
            }),
            needed: Some(&needed),
            sources: &sources,
            // The document was already made once, when the pyramid was opened.
            document: &|record| group(&self.plan, image, &record).unwrap_or_default(),
            disk: &self.disk,
        };
        job.run(part, threads, progress, &|run| {
            self.part(run, &needed, part)
        })
    }

    /// Returns the regions that have to be made.
    fn needed(&self) -> Result<Needed, Error> {
        let grid = &self.plan.levels[0].chunks;
        let present = Present::of(&self.input.folder, &self.input.text, &self.base, grid)?;
        let fill_value = self.base.little_fill_value(self.plan.data_type);
        Ok(Needed::new(&self.plan, present.as_ref(), &fill_value))
    }

    /// Makes the regions of a part.
    fn part(&self, run: &Run<'_>, needed: &Needed, part: Part) -> Result<(), Error> {
        let plan = &self.plan;
        for level in plan.written() {
            self.level(run, needed, level, |region| {
                plan.belongs(part, level, region)
            })?;
        }
        // Make the regions that belong to no part, and those that other parts have left, if everything they
        // depend on exists.
        for level in (plan.divided(part.count()) + 1)..plan.shared().len() {
            run.journal.refresh()?;
            let source = match plan.is_of_pieces(level) {
                true => 1,
                false => plan.source(level),
            };
            self.level(run, needed, level, |region| {
                let mut inputs = plan.inputs(level, region).into_iter();
                inputs.all(|number| run.journal.has(source, number))
            })?;
        }
        Ok(())
    }

    /// Makes the chosen regions of a level that are missing.
    fn level(
        &self,
        run: &Run<'_>,
        needed: &Needed,
        level: usize,
        chosen: impl Fn(&[u64]) -> bool + Sync,
    ) -> Result<(), Error> {
        let plan = &self.plan;
        let Some(output) = run.output(level) else {
            return Ok(());
        };
        // This also applies to a level without regions, which consists only of its document.
        run.writer
            .document(&output.folder.join(DOCUMENT), &output.document)?;
        run.remove_others(level, needed)?;
        let from = match plan.source(level) {
            0 => None,
            source => Some(StoredArray::open(
                &self.registration,
                &self.folder.join(source.to_string()),
            )?),
        };
        // With shards, chunks are large: fewer of them are made at a time, each on several threads.
        let chunk = plan.chunk_bytes();
        let taken = PIECE_BYTES.min(chunk.saturating_mul(plan.growth(level)));
        let held = chunk.saturating_add(taken).saturating_mul(2);
        run.regions(level, held, chosen, |region, count| {
            let Some(step) = &plan.levels[level].step else {
                // A chunk of level 0 is copied as it is stored.
                let from = self.base.file(&self.input.folder, region);
                let copied = run.writer.copy(&from, &output.file(region))?;
                return Ok(Region::of_size(copied));
            };
            let job = RegionJob {
                plan,
                needed,
                level,
                data_type: plan.data_type,
                step,
                from: from.as_ref().unwrap_or(&self.base),
                readable: &self.input.readable,
                to: &output.array,
                folder: &output.folder,
                writer: &run.writer,
                options: &threads(count),
            };
            let size = job.region(region, &plan.extent(level, region))?;
            Ok(Region::of_size(size))
        })
    }
}
