//! Data types in documents (spec/data_type.md).

pub(crate) mod others;

use exactum_model::{DataType, Reason, Rejection};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::description::{Form, Written, define};
use crate::diagnostic::{Diagnostic, Read};
use crate::element::{Element, Layout};
use crate::json::Node;
use crate::members::Extension;
use crate::words::{did_you_mean, quoted};

/// The names of data types in other programs.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("string", &["str", "utf8", "unicode", "text", "varchar"]),
    ("bytes", &["binary", "varbinary"]),
    ("struct", &["record", "compound"]),
    ("fixed_length_utf32", &["utf32", "fixed_length_unicode"]),
    ("numpy.datetime64", &["datetime64", "datetime", "m8"]),
    ("numpy.timedelta64", &["timedelta64", "timedelta"]),
    ("bool", &["boolean", "?", "b1"]),
    ("int8", &["i1", "byte", "char"]),
    ("int16", &["i2", "short"]),
    ("int32", &["i4", "int", "integer"]),
    ("int64", &["i8", "long"]),
    ("uint8", &["u1", "ubyte", "uchar"]),
    ("uint16", &["u2", "ushort"]),
    ("uint32", &["u4", "uint"]),
    ("uint64", &["u8", "ulong"]),
    ("float16", &["f2", "half"]),
    ("bfloat16", &["bf16", "brain16"]),
    ("float32", &["f4", "float", "single"]),
    ("float64", &["f8", "double"]),
    ("complex64", &["c8"]),
    ("complex128", &["c16", "complex"]),
];

/// The data types that the plugins for zarrs add. They are known only so that a message can name them.
const OF_PLUGINS: [&str; 3] = ["uint12", "exactum.decimal", "exactum.sample"];

/// Finds a data type by its registered name.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] with `data_type.name` if the name is not on Exactum's list.
pub fn parse_data_type(name: &str) -> Result<DataType, Rejection> {
    name.parse().map_err(|_| unknown(name))
}

/// Returns the rejection of a name that is not a numeric data type here.
fn unknown(name: &str) -> Rejection {
    let reject = |message: String, help: String| {
        Rejection::new(Reason::UnsupportedDataType, "data_type.name", message).help(help)
    };
    if others::is_other(name) {
        return reject(
            format!("elements of {} are not numbers", quoted(name)),
            "the data type is valid, but only integers, floats of a fixed format, and pairs of them are numbers"
                .into(),
        );
    }
    let help = if others::UNREGISTERED.contains(&name) {
        "zarr-python writes it, but the registry has no specification of it, so it cannot be checked"
            .into()
    } else if OF_PLUGINS.contains(&name) {
        "the crate exactum-zarrs-plugins adds it to zarrs; the effect of codecs on it is not checked"
            .into()
    } else if let Some(meant) = meant(name) {
        match others::example(meant) {
            Some(example) => format!("write {example}"),
            None => format!("write \"{meant}\", the registered name"),
        }
    } else {
        "use a name of the registry, such as bool, int8, uint16, float32 or complex64".into()
    };
    reject(
        format!("{} is not a registered data type", quoted(name)),
        help,
    )
}

/// Returns the data type that a misspelled name very likely means.
fn meant(name: &str) -> Option<&'static str> {
    // All names are shorter than this; a longer text is not a misspelling of any of them.
    const LONGEST: usize = 40;
    if name.len() > LONGEST {
        return None;
    }
    let plain = name
        .trim()
        .trim_start_matches(['<', '>', '|', '='])
        .to_ascii_lowercase()
        .replace('-', "_");
    // The length and the unit of NumPy's strings and times are dropped.
    let plain = match plain.split_once('[') {
        Some((plain, _)) => plain,
        None => &plain,
    };
    let plain = plain.strip_prefix("numpy.").unwrap_or(plain);
    if let Ok(data_type) = plain.parse::<DataType>() {
        return Some(data_type.name());
    }
    let other = OTHER_NAMES
        .iter()
        .find(|(_, others)| others.contains(&plain));
    if let Some((meant, _)) = other {
        return Some(meant);
    }
    let known = DataType::ALL.iter().map(|data_type| data_type.name());
    did_you_mean(plain, known.chain(others::NAMES))
}

/// The clauses by which a data type is refused in its context.
pub(crate) struct Clauses {
    /// About its form.
    form: &'static str,
    /// About its name.
    name: &'static str,
    /// About its configuration.
    configuration: &'static str,
}

/// The data type of an array.
pub(crate) const OF_ARRAY: Clauses = Clauses {
    form: "data_type.form",
    name: "data_type.name",
    configuration: "data_type.configuration",
};

/// The target of a cast.
pub(crate) const OF_CAST_VALUE: Clauses = Clauses {
    form: "cast_value.data_type",
    name: "cast_value.data_types",
    configuration: "cast_value.data_type",
};

/// Reads a data type: its name, or an object with the name and an empty configuration (data_type.form,
/// data_type.core-object).
pub(crate) fn read(node: Node<'_>, clauses: &Clauses, owner: &str) -> Read<DataType> {
    number(
        Extension::read(node, clauses.form, owner)?.must_be_understood(owner)?,
        clauses,
    )
}

fn number(extension: Extension<'_>, clauses: &Clauses) -> Read<DataType> {
    let data_type = parse_data_type(&extension.name).map_err(|mut rejection| {
        rejection.clause = clauses.name;
        extension.node.place_rejection(rejection)
    })?;
    extension.without_configuration(
        clauses.configuration,
        &format!("the configuration of {data_type}"),
    )?;
    Ok(data_type)
}

/// Returns the elements of an array, or why a data type that may belong to a third party is not known here.
pub(crate) fn of_array(node: Node<'_>) -> Read<Result<Element, Box<Diagnostic>>> {
    let owner = "the data type";
    let extension = Extension::read(node, OF_ARRAY.form, owner)?.must_be_understood(owner)?;
    if let Some(other) = others::read(&extension)? {
        return Ok(Ok(other));
    }
    let is_number = extension.name.parse::<DataType>().is_ok();
    if !is_number && extension.has_proper_name() {
        return Ok(Err(node.place_rejection(unknown(&extension.name))));
    }
    number(extension, &OF_ARRAY).map(|data_type| Ok(Element::Number(data_type)))
}

/// Returns the note on a data type whose elements are not numbers, or nothing for other data types.
pub(crate) fn no_number(element: &Element, node: Node<'_>) -> Option<Box<Diagnostic>> {
    let (message, help) = match element.layout()? {
        Layout::Time => (
            format!("elements of {element} are times"),
            "the codecs are checked by their effect on the 64-bit integers that count the units",
        ),
        _ if element.has_unknown() => (
            format!("{element} has a field of an unknown data type"),
            "that field is not checked, but everything else is",
        ),
        _ => (
            format!("elements of {element} are not numbers"),
            "the document is checked completely, but no tables of numbers are shown",
        ),
    };
    let clause = "data_type.others";
    let fault = node.reject_as(Reason::UnsupportedDataType, clause, message);
    Some(fault.help(help))
}

/// Returns the elements of a field of a struct.
pub(crate) fn of_field(node: Node<'_>) -> Read<Element> {
    Ok(of_array(node)?.unwrap_or_else(|_| Element::unknown(node.describe())))
}

/// An integer or a float, the target of a cast.
pub(crate) struct RealDataType;

impl Form for RealDataType {
    /// The data type and its place. The codec checks whether it is real.
    type Value<'d> = (DataType, Node<'d>);

    fn read<'d>(
        &self,
        node: Node<'d>,
        _name: &str,
        _clause: &'static str,
    ) -> Read<Self::Value<'d>> {
        Ok((read(node, &OF_CAST_VALUE, "the data type")?, node))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        define(generator, "RealDataTypeName", |_| {
            let real = DataType::ALL.iter().filter(|it| it.is_real());
            data_type_form(&real.map(|it| it.name()).collect::<Vec<_>>())
        })
    }
}

impl Written for RealDataType {
    type Input<'i> = DataType;

    fn text(&self, data_type: DataType) -> String {
        json!(data_type.name()).to_string()
    }
}

/// Returns the condition that a data type, as a name or as an object, has one of these names.
pub(crate) fn is_data_type(names: &[&str]) -> Value {
    json!({"anyOf": [
        {"enum": names},
        {"type": "object", "properties": {"name": {"enum": names}}, "required": ["name"]},
    ]})
}

/// Returns the form of a data type of this list: its name, or an object with the name and an empty
/// configuration.
pub(crate) fn data_type_form(names: &[&str]) -> Schema {
    json_schema!({"anyOf": [
        {"enum": names},
        {
            "type": "object",
            "properties": {
                "name": {"enum": names},
                "configuration": {"type": "object", "maxProperties": 0},
                "must_understand": {"const": true},
            },
            "required": ["name"],
            "additionalProperties": false,
        },
    ]})
}
