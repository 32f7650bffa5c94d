//! Data types in documents (spec/data_type.md).

use exactum_model::{DataType, Reason, Rejection};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::description::{Form, Written, define};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::Node;
use crate::members::Extension;
use crate::words::quoted;

/// Data types of the core and the registry that are not numbers of a fixed format: known, so that
/// the message can say why they are refused.
const NOT_COVERED: &[&str] = &[
    "string",
    "bytes",
    "struct",
    "structured",
    "fixed_length_utf32",
    "numpy.datetime64",
    "numpy.timedelta64",
];

/// What other programs call a data type.
const OTHER_NAMES: &[(&str, &[&str])] = &[
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

/// Finds a data type by its registered name.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] with `data_type.name` for a name that is not on Exactum's list.
pub fn parse_data_type(name: &str) -> Result<DataType, Rejection> {
    name.parse().map_err(|()| unknown(name))
}

/// Whether a name is that of raw bits, such as `r16`.
fn is_raw(name: &str) -> bool {
    name.strip_prefix('r')
        .is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a name may be that of a data type of others: it is not one of ours, and no slip in one.
fn may_be_foreign(name: &str) -> bool {
    is_raw(name)
        || NOT_COVERED.contains(&name)
        || (meant(name).is_none() && name.parse::<DataType>().is_err())
}

/// The rejection of a name that no data type here has.
fn unknown(name: &str) -> Rejection {
    let reject = |message: String, help: String| {
        Rejection::new(Reason::UnsupportedDataType, "data_type.name", message).help(help)
    };
    if is_raw(name) || NOT_COVERED.contains(&name) {
        return reject(
            format!(
                "{} is not among the numeric data types that Exactum knows",
                quoted(name)
            ),
            "it is a valid data type all the same; Exactum has those whose elements are numbers of a fixed format, or pairs of them".into(),
        );
    }
    let help = if name == "float8_e4m3fn" {
        "the registry has float8_e4m3 and float8_e4m3fnuz; neither is float8_e4m3fn".into()
    } else if let Some(meant) = meant(name) {
        format!("write \"{meant}\", the registered name")
    } else {
        "the names are those of the registry: bool, int8, uint16, float32, complex64 and so on"
            .into()
    };
    reject(
        format!("{} is not a registered numeric data type", quoted(name)),
        help,
    )
}

/// The data type that a misspelled name very likely means.
fn meant(name: &str) -> Option<DataType> {
    // No name is as long; a long text is no misspelling of one.
    const LONGEST: usize = 40;
    if name.len() > LONGEST {
        return None;
    }
    let plain = name
        .trim()
        .trim_start_matches(['<', '>', '|', '='])
        .to_ascii_lowercase()
        .replace('-', "_");
    let plain = plain.strip_prefix("numpy.").unwrap_or(&plain);
    if let Ok(data_type) = plain.parse() {
        return Some(data_type);
    }
    if let Some((meant, _)) = OTHER_NAMES
        .iter()
        .find(|(_, others)| others.contains(&plain))
    {
        return meant.parse().ok();
    }
    // One letter wrong, missing or too many, where only one name is so near.
    let mut near = DataType::ALL
        .iter()
        .filter(|data_type| is_one_edit(plain, data_type.name()));
    match (near.next(), near.next()) {
        (Some(only), None) => Some(*only),
        _ => None,
    }
}

/// Whether one letter changed, added or removed makes one text of the other.
fn is_one_edit(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    a.len().max(b.len()) - end == 1
}

/// The clauses by which a data type is refused where it stands.
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

/// Reads a data type: its name, or an object with the name and nothing in its configuration
/// (data_type.form, data_type.core-object).
pub(crate) fn read(node: Node<'_>, clauses: &Clauses, owner: &str) -> Read<DataType> {
    let extension = Extension::read(node, clauses.form, owner)?.must_be_understood(owner)?;
    let data_type = parse_data_type(&extension.name).map_err(|mut rejection| {
        rejection.clause = clauses.name;
        node.place_rejection(rejection)
    })?;
    extension.without_configuration(
        clauses.configuration,
        &format!("the configuration of {data_type}"),
    )?;
    Ok(data_type)
}

/// The data type of an array, or why one that may be of others is not known here.
pub(crate) fn of_array(node: Node<'_>) -> Read<Result<DataType, Box<Diagnostic>>> {
    let owner = "the data type";
    let extension = Extension::read(node, OF_ARRAY.form, owner)?.must_be_understood(owner)?;
    if may_be_foreign(&extension.name) {
        return Ok(Err(node.place_rejection(unknown(&extension.name))));
    }
    read(node, &OF_ARRAY, owner).map(Ok)
}

/// An integer or a float, the target of a cast.
pub(crate) struct RealDataType;

impl Form for RealDataType {
    /// The data type and where it stands. Whether it is real, the codec says.
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

/// A data type, in short or as an object, has one of these names.
pub(crate) fn is_data_type(names: &[&str]) -> Value {
    json!({"anyOf": [
        {"enum": names},
        {"type": "object", "properties": {"name": {"enum": names}}, "required": ["name"]},
    ]})
}

/// A data type of this list: its name, or an object with the name and an empty configuration.
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
