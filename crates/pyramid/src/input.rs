//! The array from which a pyramid is made.

use std::fs;
use std::path::{Component, Path, PathBuf};

use exactum_metadata::{
    Accepted, ArrayDocument, Document, DocumentKind, Judged, Report, parse_array,
    parse_array_of_any_grid,
};
use exactum_model::{ArrayToBytes, DataType, Rejection};
use serde_json::Value;

use crate::budget::{AXIS_CHUNKS, DOCUMENT_BYTES};
use crate::error::Error;
use crate::regular;

/// The name of a document.
pub(crate) const DOCUMENT: &str = "zarr.json";

/// The documents that Zarr v2 has instead of it.
const V2: [(&str, &str); 3] = [
    (".zarray", "an array"),
    (".zgroup", "a group"),
    (".zmetadata", "a group"),
];

/// The maximum number of arrays of a group that a message lists.
const NAMED: usize = 10;

/// An array to read.
#[derive(Debug)]
pub(crate) struct Input {
    /// The folder of the array.
    pub(crate) folder: PathBuf,
    /// The text of its document.
    pub(crate) text: String,
    pub(crate) data_type: DataType,
    pub(crate) shape: Vec<u64>,
    pub(crate) chunk_shape: Vec<u64>,
    /// The shape of the parts that can be read separately: a chunk, or an inner chunk of a shard.
    pub(crate) readable: Vec<u64>,
    /// Whether the elements are times, for which the least integer is NaT.
    pub(crate) is_of_times: bool,
    /// The OME-Zarr image of which the array is the first level.
    pub(crate) image: Option<Image>,
}

/// Judges the text of an array document.
fn judge(text: &str) -> Result<Judged, Report> {
    Document::scan_as(text.as_bytes(), DocumentKind::Array)?.array(Accepted::All)
}

/// The member `ome` of a group's attributes. Its `multiscales` has at least one entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Image(pub(crate) Value);

impl Image {
    /// Returns the first entry of `multiscales`.
    pub(crate) fn multiscale(&self) -> &Value {
        &self.0["multiscales"][0]
    }
}

impl Input {
    /// Finds the array of a folder whose chunks all have the same shape: the folder itself, or the first
    /// level of an image.
    pub(crate) fn find(folder: &Path) -> Result<Self, Error> {
        Self::find_by(folder, parse_array)
    }

    /// Finds the array of a folder as [`find`](Self::find) does, but also with a rectilinear grid. Its chunk
    /// shape is then the largest one along each dimension.
    pub(crate) fn find_of_any_grid(folder: &Path) -> Result<Self, Error> {
        let input = Self::find_by(folder, parse_array_of_any_grid)?;
        require_countable(&input)?;
        Ok(input)
    }

    /// Finds the array of a folder as [`find`](Self::find) does, but also with times as elements. They are
    /// read as 64-bit integers, the least of which is NaT.
    pub(crate) fn find_with_times(folder: &Path) -> Result<Self, Error> {
        Self::find_by(folder, |text| {
            match judge(text).map(|judged| judged.array) {
                Ok(Some(document)) if document.is_of_times && document.lengths.is_none() => {
                    Ok(*document)
                }
                _ => parse_array(text),
            }
        })
    }

    /// Finds the array of a folder whose chunks are copied unchanged. Its elements may have any data type.
    pub(crate) fn find_to_copy(folder: &Path) -> Result<Self, Error> {
        let text = document(folder)?;
        let path = folder.join(DOCUMENT);
        let wrong = |what: &dyn std::fmt::Display| Error::of_file(&path, what);
        let judged = judge(&text).map_err(|report| wrong(&Rejection::from(report)))?;
        let value: Value = serde_json::from_str(&text).map_err(|fault| wrong(&fault))?;
        let extents = |list: &Value| -> Option<Vec<u64>> {
            list.as_array()?.iter().map(Value::as_u64).collect()
        };
        let shape = extents(&value["shape"]);
        let chunks = extents(&value["chunk_grid"]["configuration"]["chunk_shape"]);
        let (Some(shape), Some(chunk_shape)) = (shape, chunks) else {
            return Err(wrong(&"only arrays with the regular chunk grid are copied"));
        };
        Ok(Self {
            folder: folder.to_owned(),
            text,
            // Nothing is computed from the elements. If they are not numbers, their size is not known.
            data_type: judged
                .array
                .map_or(DataType::Uint8, |document| document.chain.data_type),
            shape,
            readable: chunk_shape.clone(),
            chunk_shape,
            is_of_times: false,
            image: None,
        })
    }

    fn find_by(folder: &Path, parse: Parse) -> Result<Self, Error> {
        let text = document(folder)?;
        let value: Value = serde_json::from_str(&text).map_err(|fault| {
            Error::Input(format!("{}: {fault}", folder.join(DOCUMENT).display()))
        })?;
        if value.get("node_type").and_then(Value::as_str) != Some("group") {
            return Self::of_array(folder, text, None, parse);
        }
        let (image, path) = image(&value).ok_or_else(|| {
            Error::Input(format!(
                "{} is a group, but not an OME-Zarr 0.5 image; {}",
                folder.display(),
                to_name(folder, &value)
            ))
        })?;
        let inner = folder.join(path);
        let text = document(&inner)?;
        Self::of_array(&inner, text, Some(image), parse)
    }

    fn of_array(
        folder: &Path,
        text: String,
        image: Option<Image>,
        parse: Parse,
    ) -> Result<Self, Error> {
        let document = parse(&text).map_err(|fault| {
            Error::Input(format!(
                "{}: {fault}; `exactum validate` shows the place",
                folder.join(DOCUMENT).display()
            ))
        })?;
        let chain = document.chain;
        let chunk_shape = match document.lengths {
            Some(lengths) => lengths
                .iter()
                .map(|all| all.iter().copied().max().unwrap_or(1))
                .collect(),
            None => chain.chunk_shape,
        };
        let readable = match &chain.pipeline.array_to_bytes {
            // A codec before the sharding may permute the axes. The pieces then have another shape, which is also
            // valid.
            ArrayToBytes::Sharding { chunk_shape, .. } => chunk_shape.clone(),
            _ => chunk_shape.clone(),
        };
        Ok(Self {
            folder: folder.to_owned(),
            text,
            data_type: chain.data_type,
            shape: document.shape,
            chunk_shape,
            readable,
            is_of_times: document.is_of_times,
            image,
        })
    }

    /// Returns the document of an array like this one with another shape.
    pub(crate) fn document(&self, shape: &[u64]) -> Result<String, Error> {
        let mut value: Value =
            serde_json::from_str(&self.text).map_err(|fault| Error::Input(fault.to_string()))?;
        value["shape"] = shape.into();
        Ok(format!("{value:#}\n"))
    }
}

/// A function that reads a document.
type Parse = fn(&str) -> Result<ArrayDocument, Rejection>;

/// Refuses a rectilinear grid with more chunks along a dimension than can be counted one by one.
fn require_countable(input: &Input) -> Result<(), Error> {
    let document: Value =
        serde_json::from_str(&input.text).map_err(|fault| Error::Input(fault.to_string()))?;
    let axes = document["chunk_grid"]["configuration"]["chunk_shapes"].as_array();
    let times = |run: &Value| run.get(1).and_then(Value::as_u64).unwrap_or(1);
    let chunks = |axis: &Value| {
        let runs = axis.as_array().into_iter().flatten();
        runs.map(times).fold(0, u64::saturating_add)
    };
    match axes.into_iter().flatten().map(chunks).max() {
        Some(most) if most > AXIS_CHUNKS => Err(Error::Input(format!(
            "{}: the rectilinear grid has {most} chunks along a dimension, but at most \
             {AXIS_CHUNKS} are supported",
            input.folder.join(DOCUMENT).display()
        ))),
        _ => Ok(()),
    }
}

fn document(folder: &Path) -> Result<String, Error> {
    if fs::metadata(folder).is_ok_and(|it| !it.is_dir()) {
        return Err(Error::Input(format!(
            "{} is not a folder, but arrays are read from folders",
            folder.display()
        )));
    }
    let path = folder.join(DOCUMENT);
    let is_missing =
        |path: &Path| regular::is_missing(path).map_err(|fault| Error::of_io(path, fault));
    let text = regular::text(&path, DOCUMENT_BYTES).map_err(|fault| Error::of_io(&path, fault))?;
    if let Some(text) = text {
        return Ok(text);
    }
    if is_missing(folder)? {
        return Err(Error::Input(format!("{} does not exist", folder.display())));
    }
    for (name, what) in V2 {
        if !is_missing(&folder.join(name))? {
            return Err(Error::Input(format!(
                "{} is {what} of Zarr v2, but only Zarr 3 can be read; convert it first",
                folder.display()
            )));
        }
    }
    Err(Error::Input(format!(
        "{} has no {DOCUMENT}: it is neither an array nor a group of Zarr 3",
        folder.display()
    )))
}

/// Returns advice on how to select an array of a group. It is based on the arrays that the group lists, or otherwise on
/// those in its folder.
fn to_name(folder: &Path, group: &Value) -> String {
    let is_array = |value: &Value| value.get("node_type").and_then(Value::as_str) == Some("array");
    let listed = group
        .get("consolidated_metadata")
        .and_then(|it| it.get("metadata")?.as_object());
    let mut names: Vec<String> = match listed {
        Some(members) => {
            let arrays = members.iter().filter(|(_, value)| is_array(value));
            arrays.map(|(name, _)| name.clone()).collect()
        }
        None => {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let arrays = entries.filter(|entry| {
                // An array that cannot be read is not listed.
                let text = regular::text(&entry.path().join(DOCUMENT), DOCUMENT_BYTES);
                let text = text.ok().flatten().unwrap_or_default();
                serde_json::from_str(&text).is_ok_and(|value| is_array(&value))
            });
            arrays
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect()
        }
    };
    names.sort();
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.first() {
        None => "give the folder of an array".into(),
        Some(first) => format!(
            "give one of its arrays, as in {}: {shown}{}",
            folder.join(first).display(),
            if names.len() > NAMED { ", ..." } else { "" }
        ),
    }
}

/// Returns the image of a group, and the folder of its first level.
fn image(group: &Value) -> Option<(Image, PathBuf)> {
    let ome = group.get("attributes")?.get("ome")?;
    let multiscale = ome.get("multiscales")?.get(0)?;
    let path = Path::new(multiscale.get("datasets")?.get(0)?.get("path")?.as_str()?);
    // Only a path below the group is accepted, so that the document cannot lead out of it.
    let below = path
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    below.then(|| (Image(ome.clone()), path.to_owned()))
}
