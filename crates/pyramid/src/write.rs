//! A view that becomes an array of its own.

use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, iter};

use exactum_metadata::document::FillValue;
use exactum_metadata::parse_array;
use exactum_model::{DataType, Domain, Method, Scalar, Source as _};
use exactum_zarrs_plugins::from_little;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::{Value, json};
use zarrs::array::CodecOptions;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits as _};

use crate::error::Error;
use crate::input::DOCUMENT;
use crate::journal::{Journal, writer};
use crate::plan::{BYTES, LevelPlan, Options, Part, Plan, usize_of};
use crate::region::{Target, scatter};
use crate::run::{MEMORY, Outcome, Progress, is_empty};

use crate::view::View;

/// Bytes of a chunk where nothing else says how large it is.
const CHUNK: u64 = 4 << 20;

impl View {
    /// Writes the view to the folder `output`, as an array of Zarr 3 whose position 0 is the first one of the view. It
    /// has the chunks and the codecs of the array that the view is made of; where a transform turns that into something
    /// else, or there is none, it has chunks of 4 MiB at most, with Zstandard.
    ///
    /// A chunk is written whole or not at all. What is stopped goes on when it is run again, and can be divided, as
    /// [`Pyramid::run`](crate::Pyramid::run) can.
    ///
    /// # Errors
    /// When something cannot be read or written; when `output` holds something else.
    pub fn write(
        &self,
        output: &Path,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Outcome, Error> {
        let text = self.array_document()?;
        let path = output.join(DOCUMENT);
        match fs::read_to_string(&path) {
            Ok(there) if there == text => return Ok(Outcome::Complete),
            Ok(_) => {
                return Err(Error::Output(format!(
                    "{} is there already, and is not this view; name another folder, or remove it",
                    output.display()
                )));
            }
            Err(fault) if fault.kind() != ErrorKind::NotFound => {
                return Err(Error::of_file(&path, &fault));
            }
            Err(_) if is_empty(output)? || Journal::is_there(output) => {}
            Err(_) => {
                return Err(Error::Output(format!(
                    "{} is not empty; name another folder",
                    output.display()
                )));
            }
        }
        let plan = self.plan(&text)?;
        let journal = Journal::open(output, &text, &plan, part)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build()
            .map_err(|fault| Error::Options(fault.to_string()))?;
        pool.install(|| self.chunks(output, &text, &plan, &journal, part, progress))?;
        journal.refresh()?;
        let missing = plan.levels[0].regions - journal.count(0);
        if missing > 0 && !path.exists() {
            return Ok(Outcome::Waiting(missing));
        }
        writer(output).put(&path, text.as_bytes())?;
        Journal::end(output)?;
        Ok(Outcome::Complete)
    }

    /// The chunks of the array, which are regions of one level.
    fn plan(&self, text: &str) -> Result<Plan, Error> {
        let document = parse_array(text).map_err(|fault| Error::of_input(&fault))?;
        let chunk_shape = document.chain.chunk_shape;
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

    fn chunks(
        &self,
        output: &Path,
        text: &str,
        plan: &Plan,
        journal: &Journal,
        part: Part,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), Error> {
        // The document is written last, and the array is opened without it.
        let memory = Arc::new(MemoryStore::new());
        let fault = |fault: &dyn std::fmt::Display| Error::Output(fault.to_string());
        let key = StoreKey::new(DOCUMENT).map_err(|it| fault(&it))?;
        memory
            .set(&key, text.as_bytes().to_vec().into())
            .map_err(|it| fault(&it))?;
        let array = self
            .registration
            .open(memory, "/")
            .map_err(|it| fault(&it))?;
        let (writer, options) = (writer(output), CodecOptions::default());
        let to = Target {
            array: &array,
            folder: output,
            writer: &writer,
            options: &options,
        };
        let level = &plan.levels[0];
        let chosen: Vec<u64> = (0..level.regions)
            .filter(|&number| !journal.has(0, number))
            .filter(|&number| plan.belongs(part, 0, &level.region(number)))
            .collect();
        let made = AtomicU64::new(journal.count(0));
        let make = |number: u64| -> Result<(), Error> {
            let region = level.region(number);
            to.put(&region, |extents, elements| {
                self.fill(&plan.extent(0, &region), extents, elements)
            })?;
            journal.note(0, number)?;
            progress(Progress {
                made: made.fetch_add(1, Ordering::Relaxed) + 1,
                all: level.regions,
            });
            Ok(())
        };
        let held = plan.chunk_bytes().saturating_add(BYTES).saturating_mul(2);
        let together = usize_of((MEMORY / held).max(1)).min(rayon::current_num_threads());
        chosen
            .chunks(together)
            .try_for_each(|some| some.par_iter().copied().try_for_each(make))
    }

    /// Puts the elements of a region, which begins where its chunk does, into those of the chunk.
    fn fill(&self, region: &Domain, extents: &[u64], elements: &mut [u8]) -> Result<(), Error> {
        let domain = self.domain();
        let moved = iter::zip(region.intervals(), domain.origin());
        let moved = Domain::of_intervals(moved.map(|(own, &origin)| {
            let start = own.start.saturating_add(origin);
            start..start.saturating_add_unsigned(own.end.abs_diff(own.start))
        }));
        let read = self.read(&moved).map_err(|fault| Error::of_input(&fault))?;
        let mut made = read.into_data();
        from_little(self.data_type(), &mut made);
        let width = self.data_type().element_bytes();
        scatter(&made, region, region.origin(), extents, width, elements);
        Ok(())
    }

    /// The document of the array that the view becomes. It says what the view is and where it begins.
    fn array_document(&self) -> Result<String, Error> {
        let parsed = |text: &str| serde_json::from_str::<Value>(text);
        let wrong = |fault: serde_json::Error| Error::Input(fault.to_string());
        let domain = self.domain();
        let mut document = match self.plain() {
            Some(text) => parsed(text).map_err(wrong)?,
            None => plain_document(self.data_type(), domain.shape()),
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
        Ok(format!("{document:#}\n"))
    }
}

/// An array in chunks of bounded size: the first dimensions are cut first, so that rows stay whole.
fn plain_document(data_type: DataType, shape: &[u64]) -> Value {
    let mut chunk: Vec<u64> = shape.iter().map(|&extent| extent.max(1)).collect();
    let width = data_type.element_bytes() as u64;
    for at in 0..chunk.len() {
        let rest: u64 = iter::once(width)
            .chain(chunk[at + 1..].iter().copied())
            .fold(1, u64::saturating_mul);
        chunk[at] = chunk[at].min((CHUNK / rest).max(1));
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
