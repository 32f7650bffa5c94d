//! The features of a document that may keep a reader from opening it: forms that some readers do not accept,
//! codecs, and the fill value.

use std::collections::BTreeSet;

use exactum_metadata::ARRAY_MEMBERS;
use exactum_model::DataType;
use serde_json::Value;

/// The extent above which some readers have limits.
const HUGE: u64 = 1 << 31;

/// The number of levels of nesting up to which no reader is known to refuse a document.
const SHALLOW: usize = 16;

/// A notation that some readers do not accept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// Escapes, white space within tokens, repeated keys, or numbers that are not written plainly.
    UnusualJson,
    Deep,
    UnknownMember,
    ShortCodec,
    ShortKeyEncoding,
    /// `must_understand` of a member or of one of the codecs.
    MustUnderstand(&'static str),
    DataTypeAsObject,
    CastToObject,
    EmptyArray,
    Scalar,
    Grid(String),
    KeyEncoding(String),
    /// A fill value of this data type in hex.
    HexFillValue(String),
    /// An extent, or the product of the extents of a chunk, above 2^31.
    Huge,
    /// A dimension without a name, or with an empty one, among `dimension_names`.
    NoDimensionName,
    /// A member that is optional.
    Optional(&'static str),
}

impl Form {
    /// Returns whether a reader that refuses one document of this form is assumed to refuse the other documents of this
    /// form, too.
    pub(super) fn is_enough(&self) -> bool {
        !matches!(self, Form::Optional(_))
    }
}

/// The features of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Features {
    pub(super) forms: BTreeSet<Form>,
    /// The names of all codecs, including those of shards.
    pub(super) codecs: BTreeSet<String>,
    pub(super) data_type: String,
    /// The text of the fill value.
    pub(super) fill_value: String,
    pub(super) rank: usize,
}

impl Features {
    /// Returns the features of a document, or nothing if the text is not a document.
    pub(super) fn of(text: &str) -> Option<Self> {
        let document: Value = serde_json::from_str(text).ok()?;
        let shape = document["shape"].as_array()?;
        let mut features = Self {
            data_type: name(&document["data_type"]).to_owned(),
            fill_value: document["fill_value"].to_string(),
            rank: shape.len(),
            ..Self::default()
        };
        let forms = &mut features.forms;
        let mut note = |is: bool, form: Form| {
            if is {
                forms.insert(form);
            }
        };
        let (grid, keys) = (&document["chunk_grid"], &document["chunk_key_encoding"]);
        let fill_value = &document["fill_value"];
        let written = document.to_string();
        note(without_space(text) != written, Form::UnusualJson);
        note(depth(&document) > SHALLOW, Form::Deep);
        let members = document.as_object()?.keys();
        let is_unknown = |name: &String| !ARRAY_MEMBERS.contains(&name.as_str());
        note(members.clone().any(is_unknown), Form::UnknownMember);
        note(shape.is_empty(), Form::Scalar);
        note(shape.iter().any(|extent| *extent == 0), Form::EmptyArray);
        note(name(grid) != "regular", Form::Grid(name(grid).into()));
        note(keys.is_string(), Form::ShortKeyEncoding);
        let known = ["default", "v2"].contains(&name(keys));
        note(!known, Form::KeyEncoding(name(keys).into()));
        let data_type = &document["data_type"];
        let is_number = features.data_type.parse::<DataType>().is_ok();
        note(data_type.is_object() && is_number, Form::DataTypeAsObject);
        for member in ["data_type", "chunk_grid", "chunk_key_encoding"] {
            let flag = &document[member]["must_understand"];
            note(!flag.is_null(), Form::MustUnderstand(member));
        }
        note(
            is_hex(fill_value),
            Form::HexFillValue(features.data_type.clone()),
        );
        for member in ["attributes", "storage_transformers", "dimension_names"] {
            note(!document[member].is_null(), Form::Optional(member));
        }
        let names = document["dimension_names"].as_array().into_iter().flatten();
        let mut names = names.map(|name| name.as_str().unwrap_or_default());
        note(names.any(str::is_empty), Form::NoDimensionName);
        let chunk = grid["configuration"]["chunk_shape"].as_array();
        let extents = |shape: &[Value]| -> Vec<u64> {
            let extents = shape
                .iter()
                .map(|extent| extent.as_u64().unwrap_or(u64::MAX));
            extents.collect()
        };
        let chunk = extents(chunk.map_or(&[][..], |chunk| chunk.as_slice()));
        let size = chunk
            .iter()
            .fold(1u64, |size, &extent| size.saturating_mul(extent));
        let largest = extents(shape).into_iter().max().unwrap_or(0);
        note(size.max(largest) > HUGE, Form::Huge);
        let mut lists = vec![&document["codecs"]];
        while let Some(list) = lists.pop() {
            for codec in list.as_array().into_iter().flatten() {
                let configuration = &codec["configuration"];
                note(codec.is_string(), Form::ShortCodec);
                let flag = &codec["must_understand"];
                note(!flag.is_null(), Form::MustUnderstand("codecs"));
                let is_cast = name(codec) == "cast_value";
                let target = &configuration["data_type"];
                note(is_cast && target.is_object(), Form::CastToObject);
                features.codecs.insert(name(codec).to_owned());
                lists.push(&configuration["codecs"]);
                lists.push(&configuration["index_codecs"]);
            }
        }
        Some(features)
    }
}

/// Returns the name of an extension in either form.
fn name(extension: &Value) -> &str {
    let name = extension.as_str().or_else(|| extension["name"].as_str());
    name.unwrap_or_default()
}

/// Returns whether a fill value is written in hex.
pub(super) fn is_hex(fill_value: &Value) -> bool {
    let text = fill_value.as_str().unwrap_or_default();
    text.starts_with("0x") || text.starts_with("0X")
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Returns a JSON text without the white space between its tokens.
fn without_space(text: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let keep = |letter: &char| {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        quoted || !letter.is_ascii_whitespace()
    };
    text.chars().filter(keep).collect()
}
