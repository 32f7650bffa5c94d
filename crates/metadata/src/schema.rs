//! JSON Schema (2020-12) of the documents, generated from their descriptions.
//!
//! A schema accepts every document that the reader accepts. It rejects documents with a fault of structure,
//! or with a first codec or fill value that does not fit the data type of the array. It cannot check how a
//! number is written (to a schema, `1.0` is an integer), what the input of a later codec is, or whether a
//! shape divides another; `tests/documents/agreement.rs` has the list.

use serde_json::Value;

use crate::codec::CODECS;
use crate::description::{Description, root_schema};
use crate::document::{ArrayMetadata, DataTypeName, FillValue};

/// Returns the names of the documents that have a schema, in ascending order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names = vec![
        "array",
        "data_type",
        "downsample",
        "fill_value",
        "group",
        "sds",
    ];
    names.extend(configurations().map(|(name, _)| name));
    names.sort_unstable();
    names
}

/// Returns the schema of a document of [`names`], with its address in the repository as its `$id`.
#[must_use]
pub fn schema(name: &str) -> Option<Value> {
    const FOLDER: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/raw/main/spec/schema");
    let mut schema = without_id(name)?;
    if let Value::Object(members) = &mut schema {
        members.insert("$id".into(), format!("{FOLDER}/{name}.json").into());
    }
    Some(schema)
}

fn without_id(name: &str) -> Option<Value> {
    match name {
        "array" => Some(root_schema::<ArrayMetadata>()),
        "data_type" => Some(root_schema::<DataTypeName>()),
        "downsample" => Some(crate::downsample::schema()),
        "fill_value" => Some(root_schema::<FillValue>()),
        "group" => Some(crate::group::schema()),
        "sds" => Some(crate::sds::schema()),
        _ => configurations()
            .find(|(codec, _)| *codec == name)
            .map(|(_, configuration)| configuration.root_schema()),
    }
}

/// Returns the configurations that have a separate file.
fn configurations() -> impl Iterator<Item = (&'static str, &'static Description)> {
    let of_codecs = CODECS.into_iter().filter_map(|codec| {
        let configuration = codec.configuration?;
        configuration
            .has_file()
            .then_some((codec.name, configuration))
    });
    of_codecs.chain([("cf", &crate::cf::DOCUMENT)])
}

/// Returns every schema with the name of its file in `spec/schema`.
#[must_use]
pub fn all() -> Vec<(String, Value)> {
    let file = |name: &str| Some((format!("{name}.json"), schema(name)?));
    names().into_iter().filter_map(file).collect()
}
