//! Packed arrays: written with other codecs, read back, and compared with the arrays from which they were
//! made.

mod check;
mod compare;
mod document;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use exactum_model::Domain;
use exactum_zarrs_plugins::{Registration, from_little};
use serde_json::{Value, json};

use crate::budget::{DOCUMENT_BYTES, MEMBERS};
use crate::disk::Disk;
use crate::elements::scatter;
use crate::error::Error;
use crate::input::{DOCUMENT, Input};
use crate::job::{Job, Outcome, Output, Progress, Run};
use crate::journal::{Region, Seen};
use crate::needed::Needed;
use crate::place::{require_apart, source};
use crate::plan::{LevelPlan, Part, require_holdable};
use crate::present::Present;
use crate::record::{Record, Times};
use crate::region::Target;
use crate::regular;
use crate::store::{self, Concurrency, StoredArray};
use crate::tiles::tiles;

pub use check::check;
use compare::Comparison;
use document::packed;
pub use document::{Compression, Packing};

/// The name of the journal in the output folder.
const JOURNAL: &str = ".exactum-pack";

/// A job that packs arrays, or completes their packing.
pub struct Pack {
    folder: PathBuf,
    /// The document of the group, if the input is one.
    group: Option<Value>,
    /// The folders and documents of the groups below it.
    groups: Vec<(PathBuf, String)>,
    members: Vec<Member>,
    outputs: Vec<Option<Output>>,
    pub(crate) disk: Disk,
    /// The registration of the codecs and data types of Exactum, while arrays are open.
    _registration: Registration,
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pack")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// An array to read.
struct Member {
    /// The path in the group, which is empty for a single array.
    path: String,
    input: Input,
    base: StoredArray,
    /// The largest error that is promised; `None` for an array that is copied.
    bound: Option<f64>,
}

/// The result of packing an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The path in the group, which is empty for a single array.
    pub path: String,
    /// The number of bytes of the chunks that were read.
    pub before: u64,
    /// The number of bytes of the chunks that were written.
    pub after: u64,
    /// The largest error that is promised.
    pub promised: f64,
    /// The results of comparing the values.
    pub seen: Seen,
}

/// Returns the arrays of a folder: the path of each, relative to the folder, and its document. The path of a
/// single array is empty.
///
/// # Errors
/// If a document cannot be read, or the folder is neither a Zarr 3 array nor a Zarr 3 group.
pub fn arrays(folder: &Path) -> Result<Vec<(String, Value)>, Error> {
    Ok(members(folder)?
        .into_iter()
        .filter(|(_, document)| !is_group(document))
        .collect())
}

fn is_group(document: &Value) -> bool {
    document["node_type"] == "group"
}

/// Returns the arrays and the groups of a folder, including itself.
fn members(folder: &Path) -> Result<Vec<(String, Value)>, Error> {
    let mut found = Vec::new();
    let mut open = vec![String::new()];
    while let Some(path) = open.pop() {
        let place = folder.join(&path);
        let file = place.join(DOCUMENT);
        let at = |fault| Error::of_io(&file, fault);
        let text = match regular::text(&file, DOCUMENT_BYTES).map_err(at)? {
            Some(text) => text,
            None if path.is_empty() => {
                return Err(Error::Input(format!(
                    "{} has no {DOCUMENT}: it is neither an array nor a group of Zarr 3",
                    folder.display()
                )));
            }
            None => continue,
        };
        let mut document: Value =
            serde_json::from_str(&text).map_err(|fault| Error::of_file(&file, &fault))?;
        if is_group(&document) {
            // The consolidated metadata describes the original arrays, and would be wrong for the packed ones.
            if let Some(own) = document.as_object_mut() {
                own.remove("consolidated_metadata");
            }
            open.extend(subfolders(&place, &path)?);
        }
        found.push((path, document));
        if found.len() + open.len() > MEMBERS {
            return Err(Error::Input(format!(
                "{} has more than {MEMBERS} members",
                folder.display()
            )));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

/// Returns the paths of the folders inside the folder of a group.
///
/// # Errors
/// If a folder cannot be read, or one of its folders is a link, which may lead back to a folder above, or to
/// something that is in the group already.
fn subfolders(place: &Path, path: &str) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for entry in fs::read_dir(place).map_err(|it| Error::of_io(place, it))? {
        let entry = entry.map_err(|it| Error::of_io(place, it))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let at = |fault| Error::of_io(&entry.path(), fault);
        let kind = entry.file_type().map_err(at)?;
        if name.starts_with('.') {
            continue;
        }
        if kind.is_symlink() && fs::metadata(entry.path()).map_err(at)?.is_dir() {
            return Err(Error::Input(format!(
                "{} is a link to a folder, and links in a group are not followed; replace it by \
                 the folder itself, or remove it",
                entry.path().display()
            )));
        }
        if kind.is_dir() {
            found.push(match path.is_empty() {
                true => name,
                false => format!("{path}/{name}"),
            });
        }
    }
    Ok(found)
}

impl Pack {
    /// Plans to pack the arrays of `input`, a Zarr 3 array or a group of arrays, into the folder `output`.
    /// `packing` returns how an array is packed, given its path in the group and its document; if it returns
    /// nothing, the array is copied. Nothing is written yet.
    ///
    /// # Errors
    /// If an array cannot be read, the codecs do not fit it, or one folder is inside the other; also any
    /// error of `packing`.
    pub fn open<E: From<Error>>(
        input: &Path,
        output: &Path,
        mut packing: impl FnMut(&str, &Value) -> Result<Option<Packing>, E>,
    ) -> Result<Self, E> {
        require_apart(input, output)?;
        let registration = exactum_zarrs_plugins::register();
        let (mut group, mut groups) = (None, Vec::new());
        let (mut members, mut outputs) = (Vec::new(), Vec::new());
        for (path, document) in self::members(input)? {
            if is_group(&document) {
                match path.is_empty() {
                    true => group = Some(document),
                    false => groups.push((output.join(&path), format!("{document:#}\n"))),
                }
                continue;
            }
            let (from, to) = match path.is_empty() {
                true => (input.to_owned(), output.to_owned()),
                false => (input.join(&path), output.join(&path)),
            };
            let packing = packing(&path, &document)?;
            let of = match packing {
                Some(_) => Input::find(&from)?,
                None => Input::find_to_copy(&from)?,
            };
            let document = match &packing {
                Some(packing) => {
                    require_holdable(of.data_type, &of.chunk_shape)?;
                    packed(&document, packing)?
                }
                None => document,
            };
            let text = format!("{document:#}\n");
            outputs.push(Some(Output {
                folder: to,
                array: StoredArray::draft(&registration, &text)?,
                document: text,
                plan: LevelPlan::new(&of.shape, &of.chunk_shape, None)?,
            }));
            members.push(Member {
                base: StoredArray::open(&registration, &from)?,
                path,
                input: of,
                bound: packing.map(|packing| packing.bound),
            });
        }
        Ok(Self {
            folder: output.to_owned(),
            group,
            groups,
            members,
            outputs,
            disk: Disk::new(true),
            _registration: registration,
        })
    }

    /// Does the same as [`Pyramid::without_sync`](crate::Pyramid::without_sync).
    pub fn without_sync(&mut self) {
        self.disk = Disk::new(false);
    }

    /// Packs the chunks of a part, as [`Pyramid::run`](crate::Pyramid::run) does. Every chunk is read back
    /// from its file and compared with the original.
    ///
    /// # Errors
    /// The same as for [`Pyramid::run`](crate::Pyramid::run), and [`Error::Promise`] for the first value that
    /// is not read back within the promised error.
    pub fn run(
        &self,
        part: Part,
        threads: NonZeroUsize,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Outcome, Error> {
        let sources = || {
            let sources = self
                .members
                .iter()
                .map(|member| source(&self.folder, &member.input.folder, &member.base));
            sources.collect()
        };
        let outputs = self.outputs.iter().flatten();
        let needed = self.needed()?;
        let job = Job {
            folder: &self.folder,
            journal: JOURNAL,
            noun: "packed array",
            outputs: &self.outputs,
            is_array: self.group.is_none(),
            groups: &self.groups,
            has_seen: true,
            description: json!({
                "arrays": outputs
                    .zip(&self.members)
                    .map(|(output, member)| json!([output.document, member.bound]))
                    .collect::<Value>(),
                "group": self.group,
                "groups": self.groups.iter().map(|(_, text)| text).collect::<Vec<_>>(),
            }),
            needed: Some(&needed),
            sources: &sources,
            document: &|record| self.document(record),
            disk: &self.disk,
        };
        job.run(part, threads, progress, &|run| {
            (0..self.members.len()).try_for_each(|level| {
                run.remove_others(level, &needed)?;
                self.member(run, level, part)
            })
        })
    }

    /// Returns the chunks that have to be made: the stored ones or, if the fill value of an array changes,
    /// all of its chunks.
    fn needed(&self) -> Result<Needed, Error> {
        let mut arrays = Vec::new();
        for (member, output) in iter::zip(&self.members, self.outputs.iter().flatten()) {
            let Input { folder, text, .. } = &member.input;
            let keeps = member.base.fill_value() == output.array.fill_value();
            let present = match member.bound.is_none() || keeps {
                true => Present::of(folder, text, &member.base, &output.plan.chunks)?,
                false => None,
            };
            arrays.push((&output.plan, present));
        }
        Ok(Needed::of_chunks(arrays.into_iter()))
    }

    /// Returns the results for the packed arrays, once everything is complete.
    ///
    /// # Errors
    /// If the document with the results cannot be read.
    pub fn report(&self) -> Result<Vec<Packed>, Error> {
        let path = self.folder.join(DOCUMENT);
        let text =
            regular::text(&path, DOCUMENT_BYTES).map_err(|fault| Error::of_io(&path, fault))?;
        let document: Value = serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default();
        let seen = &document["attributes"]["exactum"]["seen"];
        let mut all = Vec::new();
        for (level, member) in self.members.iter().enumerate() {
            let (Some(promised), Some(output)) = (member.bound, &self.outputs[level]) else {
                continue;
            };
            let chunks = &output.plan.chunks;
            let seen = Seen::of_document(&seen[level]).ok_or_else(|| {
                Error::of_file(&path, &"it does not contain the results of the comparison")
            })?;
            let (from, to) = (&member.input.folder, &output.folder);
            all.push(Packed {
                path: member.path.clone(),
                before: Record::of(from, &member.base, chunks, Times::DoNot)?.bytes(),
                after: Record::of(to, &output.array, chunks, Times::DoNot)?.bytes(),
                promised,
                seen,
            });
        }
        Ok(all)
    }

    /// Returns the document that is written last.
    fn document(&self, record: Value) -> Value {
        let mut document = match (&self.group, self.outputs.first()) {
            (Some(group), _) => group.clone(),
            (None, Some(Some(output))) => {
                serde_json::from_str(&output.document).unwrap_or_default()
            }
            (None, _) => Value::Null,
        };
        if !document["attributes"].is_object() {
            document["attributes"] = json!({});
        }
        document["attributes"]["exactum"] = record;
        document
    }

    /// Writes the regions of an array that belong to a part.
    fn member(&self, run: &Run<'_>, level: usize, part: Part) -> Result<(), Error> {
        let member = &self.members[level];
        let Some(output) = run.output(level) else {
            return Ok(());
        };
        let is_own = |region: &[u64]| part.has(output.plan.number(region), output.plan.regions);
        // This is the memory of the elements that are read, encoded, and read back.
        let held = member.chunk_bytes().saturating_mul(5);
        run.regions(level, held, is_own, |region, count| {
            let Some(bound) = member.bound else {
                let from = member.base.file(&member.input.folder, region);
                let copied = run.writer.copy(&from, &output.file(region))?;
                return Ok(Region::of_size(copied));
            };
            let options = store::threads(count);
            let to = Target {
                array: &output.array,
                folder: &output.folder,
                writer: &run.writer,
                options: &options,
            };
            let mut written = Vec::new();
            let size = to.put(region, |extents, elements| {
                member.fill(region, extents, elements, &options)?;
                written = elements.to_vec();
                Ok(())
            })?;
            let mut seen = Seen::default();
            // A chunk of fill values has no file, and is read back bit for bit.
            if size.is_some() {
                let path = output.file(region);
                let found = read_back(output, &path, region, &options)?;
                seen = member.comparison(output, bound)?.chunk(
                    &extent_of(&member.input, region),
                    &written,
                    &found,
                )?;
            }
            Ok(Region {
                size,
                seen: Some(seen),
            })
        })
    }
}

/// Returns the elements of a chunk as they are stored in its file.
fn read_back(
    output: &Output,
    path: &Path,
    region: &[u64],
    options: &Concurrency,
) -> Result<Vec<u8>, Error> {
    let encoded = regular::bytes(path).map_err(|fault| Error::of_io(path, fault))?;
    let decoded = output.array.decode(region, encoded, options);
    decoded.map_err(|fault| Error::of_file(path, &fault))
}

impl Member {
    fn chunk_bytes(&self) -> u64 {
        let width = self.input.data_type.element_bytes() as u64;
        let extents = self.input.chunk_shape.iter();
        extents.fold(width, |bytes, &extent| bytes.saturating_mul(extent))
    }

    /// Copies the elements of a region into those of its chunk, in the byte order of zarrs.
    fn fill(
        &self,
        region: &[u64],
        extents: &[u64],
        elements: &mut [u8],
        options: &Concurrency,
    ) -> Result<(), Error> {
        let (data_type, extent) = (self.input.data_type, extent_of(&self.input, region));
        let width = data_type.element_bytes();
        let factors = vec![1; extent.rank()];
        for tile in tiles(&extent, &factors, &self.input.readable, width as u64) {
            let mut read = self.base.read(data_type, &tile, options)?.into_data();
            from_little(data_type, &mut read);
            scatter(&read, &tile, extent.origin(), extents, width, elements);
        }
        Ok(())
    }

    fn comparison<'a>(&'a self, output: &'a Output, bound: f64) -> Result<Comparison<'a>, Error> {
        let data_type = self.input.data_type;
        let fill = output.array.little_fill_value(data_type);
        Comparison::new(
            &output.folder,
            data_type,
            &self.input.chunk_shape,
            &fill,
            bound,
        )
    }
}

/// Returns the elements of a chunk.
fn extent_of(of: &Input, region: &[u64]) -> Domain {
    let extents = std::iter::zip(&of.chunk_shape, &of.shape);
    Domain::of_intervals(
        std::iter::zip(region, extents).map(|(&at, (&chunk, &extent))| {
            let start = at.saturating_mul(chunk).min(extent);
            let end = start.saturating_add(chunk).min(extent);
            start.cast_signed()..end.cast_signed()
        }),
    )
}
