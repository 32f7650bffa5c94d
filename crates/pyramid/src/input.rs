//! The array that a pyramid is made of.

use std::fs;
use std::path::{Component, Path, PathBuf};

use exactum_metadata::parse_array;
use exactum_model::{ArrayToBytes, DataType};
use serde_json::Value;

use crate::budget::DOCUMENT_BYTES;
use crate::error::Error;
use crate::regular;

/// The name of a document.
pub(crate) const DOCUMENT: &str = "zarr.json";

/// What Zarr v2 has in its place.
const V2: [(&str, &str); 3] = [
    (".zarray", "an array"),
    (".zgroup", "a group"),
    (".zmetadata", "a group"),
];

/// Arrays of a group that are named.
const NAMED: usize = 10;

/// What is read.
#[derive(Debug)]
pub(crate) struct Input {
    /// The folder of the array.
    pub(crate) folder: PathBuf,
    /// Its document, as it stands there.
    pub(crate) text: String,
    pub(crate) data_type: DataType,
    pub(crate) shape: Vec<u64>,
    pub(crate) chunk_shape: Vec<u64>,
    /// What can be read by itself: a chunk, or one inside a shard.
    pub(crate) readable: Vec<u64>,
    /// The image of OME-Zarr whose first level the array is.
    pub(crate) image: Option<Image>,
}

/// The member `ome` of a group's attributes, which has a first of `multiscales`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Image(pub(crate) Value);

impl Image {
    /// The first of `multiscales`.
    pub(crate) fn multiscale(&self) -> &Value {
        &self.0["multiscales"][0]
    }
}

impl Input {
    /// Finds the array of a folder: the folder itself, or the first level of an image.
    pub(crate) fn find(folder: &Path) -> Result<Self, Error> {
        let text = document(folder)?;
        let value: Value = serde_json::from_str(&text).map_err(|fault| {
            Error::Input(format!("{}: {fault}", folder.join(DOCUMENT).display()))
        })?;
        if value.get("node_type").and_then(Value::as_str) != Some("group") {
            return Self::of_array(folder, text, None);
        }
        let (image, path) = image(&value).ok_or_else(|| {
            Error::Input(format!(
                "{} is a group, and not an image of OME-Zarr 0.5; {}",
                folder.display(),
                to_name(folder, &value)
            ))
        })?;
        let inner = folder.join(path);
        let text = document(&inner)?;
        Self::of_array(&inner, text, Some(image))
    }

    fn of_array(folder: &Path, text: String, image: Option<Image>) -> Result<Self, Error> {
        let document = parse_array(&text).map_err(|fault| {
            Error::Input(format!(
                "{}: {fault}; `exactum validate` shows the place",
                folder.join(DOCUMENT).display()
            ))
        })?;
        let chain = document.chain;
        let readable = match &chain.pipeline.array_to_bytes {
            // A codec before it may turn the axes; then a piece is cut in another way, and right as well.
            ArrayToBytes::Sharding { chunk_shape, .. } => chunk_shape.clone(),
            _ => chain.chunk_shape.clone(),
        };
        Ok(Self {
            folder: folder.to_owned(),
            text,
            data_type: chain.data_type,
            shape: document.shape,
            chunk_shape: chain.chunk_shape,
            readable,
            image,
        })
    }

    /// The document of an array like this one, of another shape.
    pub(crate) fn document(&self, shape: &[u64]) -> Result<String, Error> {
        let mut value: Value =
            serde_json::from_str(&self.text).map_err(|fault| Error::Input(fault.to_string()))?;
        value["shape"] = shape.into();
        Ok(format!("{value:#}\n"))
    }
}

fn document(folder: &Path) -> Result<String, Error> {
    if fs::metadata(folder).is_ok_and(|it| !it.is_dir()) {
        return Err(Error::Input(format!(
            "{} is not a folder, and arrays are read from folders",
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
                "{} is {what} of Zarr v2, and only Zarr 3 is read; convert it first",
                folder.display()
            )));
        }
    }
    Err(Error::Input(format!(
        "{} has no {DOCUMENT}: it is neither an array nor a group of Zarr 3",
        folder.display()
    )))
}

/// How an array of a group is named, by the arrays that the group says it has, or else by those in its folder.
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
                // One that cannot be read is not named.
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
        None => "name the folder of an array".into(),
        Some(first) => format!(
            "name one of its arrays, as in {}: {shown}{}",
            folder.join(first).display(),
            if names.len() > NAMED { ", ..." } else { "" }
        ),
    }
}

/// The image of a group, and where its first level is.
fn image(group: &Value) -> Option<(Image, PathBuf)> {
    let ome = group.get("attributes")?.get("ome")?;
    let multiscale = ome.get("multiscales")?.get(0)?;
    let path = Path::new(multiscale.get("datasets")?.get(0)?.get("path")?.as_str()?);
    // Below the group, whatever the document says.
    let below = path
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    below.then(|| (Image(ome.clone()), path.to_owned()))
}
