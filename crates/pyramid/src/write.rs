//! Writes a view as a separate array.

use std::iter;
use std::num::NonZeroUsize;
use std::path::Path;

use exactum_metadata::document::FillValue;
use exactum_metadata::parse_array;
use exactum_model::{DataType, Domain, Method, Scalar, Source as _};
use exactum_zarrs_plugins::from_little;
use serde_json::{Value, json};

use crate::budget::{CHUNK_BYTES, PIECE_BYTES};
use crate::disk::Disk;
use crate::elements::scatter;
use crate::error::Error;
use crate::job::{Job, Outcome, Output, Progress};
use crate::journal::Region;
use crate::needed::Needed;
use crate::plan::{LevelPlan, Options, Part, Plan, require_holdable};
use crate::region::Target;
use crate::run::JOURNAL;
use crate::store::{StoredArray, any_threads};
use crate::view::View;

impl View {
    /// Writes the view to the folder `output`, as a Zarr 3 array whose position 0 is the first position of
    /// the view. The array has the chunks and the codecs of the array from which the view is made. If a
    /// transform changes these, or there is no such array, it has chunks of at most 4 MiB with Zstandard.
    ///
    /// A chunk is written as a whole or not at all. Like [`Pyramid::run`](crate::Pyramid::run), a stopped run
    /// resumes when it is run again, and the work can be divided.
    ///
    /// # Errors
    /// If something cannot be read or written, or if `output` contains something else, or a view of an array that has
    /// been replaced since.
    pub fn write(
        &self,
        output: &Path,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Outcome, Error> {
        self.write_to(output, part, threads, progress, &Disk::new(true))
    }

    /// Does the same as [`write`](Self::write), but leaves it to the system when written data reaches the
    /// disk, as [`Pyramid::without_sync`](crate::Pyramid::without_sync) does.
    ///
    /// # Errors
    /// The same as for [`write`](Self::write).
    pub fn write_without_sync(
        &self,
        output: &Path,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Outcome, Error> {
        self.write_to(output, part, threads, progress, &Disk::new(false))
    }

    fn write_to(
        &self,
        output: &Path,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
        disk: &Disk,
    ) -> Result<Outcome, Error> {
        let stored = self.stored();
        let listed = stored.iter().try_for_each(|array| array.list());
        let outcome =
            listed.and_then(|()| self.write_listed(output, part, threads, progress, disk));
        stored.iter().for_each(|array| array.forget());
        outcome
    }

    /// Writes the view, whose stored arrays are listed.
    fn write_listed(
        &self,
        output: &Path,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
        disk: &Disk,
    ) -> Result<Outcome, Error> {
        let stored = self.stored();
        stored.iter().try_for_each(|it| it.require_apart(output))?;
        let document = self.array_document()?;
        let text = document.to_string();
        let plan = self.plan(&text)?;
        let outputs = [Some(Output {
            folder: output.to_owned(),
            array: StoredArray::draft(&self.registration, &text)?,
            document: text,
            plan: plan.levels[0].clone(),
        })];
        let needed = self.needed(&plan)?;
        let sources = || stored.iter().map(|it| it.source(output)).collect();
        let job = Job {
            folder: output,
            journal: JOURNAL,
            noun: "view",
            outputs: &outputs,
            is_array: true,
            groups: &[],
            has_seen: false,
            description: document.clone(),
            needed: needed.as_ref(),
            sources: &sources,
            document: &|record| {
                let mut document = document.clone();
                document["attributes"]["exactum"] = record;
                document
            },
            disk,
        };
        let held = plan
            .chunk_bytes()
            .saturating_add(PIECE_BYTES)
            .saturating_mul(2);
        let options = any_threads();
        job.run(part, threads, progress, &|run| {
            let Some(own) = run.output(0) else {
                return Ok(());
            };
            if let Some(needed) = &needed {
                run.remove_others(0, needed)?;
            }
            let to = Target {
                array: &own.array,
                folder: output,
                writer: &run.writer,
                options: &options,
            };
            let is_own = |region: &[u64]| plan.belongs(part, 0, region);
            run.regions(0, held, is_own, |region, _| {
                let size = to.put(region, |extents, elements| {
                    self.fill(&plan.extent(0, region), extents, elements)
                })?;
                Ok(Region::of_size(size))
            })
        })
    }

    /// Returns the chunks of the array, which are the regions of one level.
    fn plan(&self, text: &str) -> Result<Plan, Error> {
        let document = parse_array(text)?;
        let chunk_shape = document.chain.chunk_shape;
        require_holdable(self.data_type(), &chunk_shape)?;
        Ok(Plan {
            data_type: self.data_type(),
            levels: vec![LevelPlan::new(&document.shape, &chunk_shape, None)?],
            options: Options {
                from_base: true,
                ..Options::new(vec![1; chunk_shape.len()], Method::Stride)
            },
            chunk_shape,
            pass: 0,
        })
    }

    /// Returns the regions that overlap stored chunks of the array; all others have the fill value, and their
    /// chunks are not requested. Returns `None` if a list of chunks does not determine them.
    fn needed(&self, plan: &Plan) -> Result<Option<Needed>, Error> {
        let Some((array, steps)) = self.plain() else {
            return Ok(self.keeps_fill_value().then(|| {
                let own = &plan.levels[0];
                Needed::of_regions(own, |region| {
                    self.is_stored(&self.moved(&plan.extent(0, region)))
                })
            }));
        };
        let Some(present) = array.present() else {
            return Ok(None);
        };
        let mut domain = array.domain();
        // An array with too many chunks to be tracked may have a view that is small enough.
        let Ok(base) = LevelPlan::new(domain.shape(), &plan.chunk_shape, None) else {
            return Ok(None);
        };
        let mut levels = vec![base];
        for step in steps {
            domain = step.domain(&domain)?;
            let level = LevelPlan::new(domain.shape(), &plan.chunk_shape, Some(step.clone()));
            let Ok(level) = level else {
                return Ok(None);
            };
            levels.push(level);
        }
        if domain != self.domain() {
            return Ok(None);
        }
        let mut options = plan.options.clone();
        options.from_base = false;
        let plan = Plan {
            levels,
            options,
            ..plan.clone()
        };
        let needed = Needed::new(&plan, Some(&*present), &array.fill_value());
        Ok(Some(needed.of_highest()))
    }

    /// Copies the elements of a region, which begins where its chunk does, into those of the chunk.
    fn fill(&self, region: &Domain, extents: &[u64], elements: &mut [u8]) -> Result<(), Error> {
        let read = self.read(&self.moved(region))?;
        let mut made = read.into_data();
        from_little(self.data_type(), &mut made);
        let width = self.data_type().element_bytes();
        scatter(&made, region, region.origin(), extents, width, elements);
        Ok(())
    }

    /// Returns some elements of the array that the view becomes, at their positions in the view.
    fn moved(&self, region: &Domain) -> Domain {
        let domain = self.domain();
        let moved = iter::zip(region.intervals(), domain.origin());
        Domain::of_intervals(moved.map(|(own, &origin)| {
            let start = own.start.saturating_add(origin);
            start..start.saturating_add_unsigned(own.end.abs_diff(own.start))
        }))
    }

    /// Returns the document of the array that the view becomes. It describes the view and its first position.
    fn array_document(&self) -> Result<Value, Error> {
        let parsed = |text: &str| serde_json::from_str::<Value>(text);
        let wrong = |fault: serde_json::Error| Error::Input(fault.to_string());
        let domain = self.domain();
        let mut document = match self.plain() {
            Some((array, _)) => parsed(&array.text).map_err(wrong)?,
            None => {
                let mut document = plain_document(self.data_type(), domain.shape());
                if let [array] = self.stored()[..]
                    && self.keeps_fill_value()
                {
                    let of = parsed(&array.text).map_err(wrong)?;
                    document["fill_value"] = of["fill_value"].clone();
                }
                document
            }
        };
        document["shape"] = domain.shape().into();
        let mut attributes = json!({
            "exactum_downsample": {
                "view": parsed(&self.text).map_err(wrong)?,
                "origin": domain.origin(),
            },
        });
        if let Some(units) = self.dimension_units() {
            let unit = |(multiplier, name): &(f64, String)| format!("{multiplier} {name}");
            let units = units.iter().map(|it| it.as_ref().map(unit));
            attributes["dimension_units"] = units.collect::<Vec<_>>().into();
        }
        document["attributes"] = attributes;
        Ok(document)
    }
}

/// Returns the document of an array in chunks of bounded size: the first dimensions are divided first, so
/// that rows stay whole.
fn plain_document(data_type: DataType, shape: &[u64]) -> Value {
    let mut chunk: Vec<u64> = shape.iter().map(|&extent| extent.max(1)).collect();
    let width = data_type.element_bytes() as u64;
    for at in 0..chunk.len() {
        let rest: u64 = iter::once(width)
            .chain(chunk[at + 1..].iter().copied())
            .fold(1, u64::saturating_mul);
        chunk[at] = chunk[at].min((CHUNK_BYTES / rest).max(1));
    }
    let zero = match data_type.format().components() {
        2 => Scalar::complex(data_type, 0, 0),
        _ => Scalar::new(data_type, 0),
    };
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type.name(),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": serde_json::to_value(FillValue::new(&zero)).unwrap_or_default(),
        "codecs": [
            {"name": "bytes", "configuration": {"endian": "little"}},
            {"name": "zstd", "configuration": {"level": 0, "checksum": false}},
        ],
    })
}
