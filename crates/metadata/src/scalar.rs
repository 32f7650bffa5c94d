//! Scalars: conversion of JSON text to bits and back (the row `fill_value`).

use exactum_exact::Literal;
use exactum_model::{DataType, FloatFormat, Format, Reason, Rejection, Scalar};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::description::{Form, Written, define};
use crate::diagnostic::Read;
use crate::json::{Attributes, Kind, Node, Tree};

/// The number of parts that are read. No data type has more parts than a complex number; one more part is
/// enough to detect a fault.
const PARTS: usize = 3;

/// Reads a fill value: the JSON text of a scalar.
///
/// # Errors
/// [`Reason::FillValue`] with the broken clause of `fill_value.*`; [`Reason::Metadata`] with
/// `chain.json.grammar` if the text is not JSON.
pub fn parse_fill_value(data_type: DataType, json: &str) -> Result<Scalar, Rejection> {
    let tree = Tree::scan(json, Attributes::Entered)?;
    Ok(fill_value(data_type, tree.root())?)
}

/// Reads a fill value of a document.
pub(crate) fn fill_value(data_type: DataType, node: Node<'_>) -> Read<Scalar> {
    exactum_exact::parse(data_type, &literal(node)?).map_err(|rejection| {
        let needs_help = rejection.help.is_none();
        let fault = node.place_rejection(rejection);
        if needs_help {
            fault.help(spelling(data_type))
        } else {
            fault
        }
    })
}

/// Reads a scalar of a configuration. It is encoded like a fill value, but its faults are reported as faults of the
/// metadata.
pub(crate) fn parameter(data_type: DataType, node: Node<'_>, clause: &'static str) -> Read<Scalar> {
    fill_value(data_type, node).map_err(|mut fault| {
        if fault.rejection.reason == Reason::FillValue {
            fault.rejection.reason = Reason::Metadata;
            fault.rejection.clause = clause;
        }
        fault
    })
}

/// Returns how scalars of a data type are written, for a help text.
fn spelling(data_type: DataType) -> String {
    let format = data_type.format();
    let Some(float) = format.float() else {
        return match format {
            Format::Bool => "write true or false".into(),
            _ => "write a plain JSON integer".into(),
        };
    };
    let mut forms = vec!["a JSON number"];
    if float.nan_bits().is_some() {
        forms.push("\"NaN\"");
    }
    if float.infinity_bits().is_some() {
        forms.push("\"Infinity\", \"-Infinity\"");
    }
    let forms = format!("{} or the bits in hex", forms.join(", "));
    if format.components() == 2 {
        format!("write [real, imaginary], each {forms}")
    } else {
        format!("write {forms}")
    }
}

/// Returns a value in the form that `exactum-exact` reads. Only as many elements of an array are read as a
/// scalar can have. Parts that are arrays themselves are not valid parts, and their content is ignored.
fn literal(node: Node<'_>) -> Read<Literal> {
    if node.kind() != Kind::Array {
        return part(node);
    }
    let parts = node.elements().take(PARTS).map(part);
    Ok(Literal::List(parts.collect::<Read<_>>()?))
}

fn part(node: Node<'_>) -> Read<Literal> {
    Ok(match node.kind() {
        Kind::Number => Literal::Number(node.raw().to_owned()),
        Kind::String => Literal::Text(node.text()?.into_owned()),
        Kind::True => Literal::Bool(true),
        Kind::False => Literal::Bool(false),
        Kind::Null => Literal::Null,
        Kind::Object => Literal::Object,
        Kind::Array => Literal::List(Vec::new()),
    })
}

/// A real number of a configuration whose data type is not known yet.
pub(crate) struct Parameter;

impl Form for Parameter {
    type Value<'d> = Node<'d>;

    fn read<'d>(&self, node: Node<'d>, _name: &str, _clause: &'static str) -> Read<Node<'d>> {
        Ok(node)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        define(generator, "Parameter", |_| {
            json_schema!({"anyOf": [
                {"type": "number"},
                {"enum": ["NaN", "Infinity", "-Infinity"]},
                {"type": "string", "pattern": "^0x([0-9a-fA-F]{2})+$"},
            ]})
        })
    }
}

impl Written for Parameter {
    /// A data type and the bits of a number.
    type Input<'i> = (DataType, u64);

    fn text(&self, (data_type, bits): (DataType, u64)) -> String {
        exactum_exact::canonical(&Scalar::new(data_type, bits.into()))
    }
}

/// Returns the reference to the fill values of a data type.
pub(crate) fn reference(data_type: DataType) -> String {
    format!("#/$defs/{data_type}")
}

/// Returns the schema of the fill values of all data types, each in a separate definition.
pub(crate) fn fill_value_schema(generator: &mut SchemaGenerator) -> Schema {
    let mut forms = Vec::new();
    for &data_type in DataType::ALL {
        let form = fill_value_form(data_type);
        generator
            .definitions_mut()
            .insert(data_type.name().into(), form);
        forms.push(json!({"$ref": reference(data_type)}));
    }
    json_schema!({
        "title": "Fill value of one of the data types",
        "description": "The data type is given by the surrounding document; `$defs` has the form \
                        of each. An integer has no fraction and no exponent, which a schema cannot \
                        express: 1.0 and 1e3 are accepted here but are not fill values.",
        "anyOf": forms,
    })
}

/// Returns the spellings of a float: a number, the names of the special values of the format, and the bits.
fn float_form(float: FloatFormat) -> Value {
    let mut names = Vec::new();
    if float.nan_bits().is_some() {
        names.push("NaN");
    }
    if float.infinity_bits().is_some() {
        names.extend(["Infinity", "-Infinity"]);
    }
    let mut number = json!({"type": "number"});
    if float.infinity_bits().is_none() {
        let [smallest, largest] = bounds(&float);
        number["minimum"] = json!(smallest);
        number["maximum"] = json!(largest);
    }
    let pattern = match float.bits() {
        4 => "^0x0[0-9a-fA-F]$".into(),
        6 => "^0x[0-3][0-9a-fA-F]$".into(),
        bits => format!("^0x[0-9a-fA-F]{{{}}}$", bits / 4),
    };
    let mut forms = vec![number, json!({"type": "string", "pattern": pattern})];
    if !names.is_empty() {
        forms.push(json!({"enum": names}));
    }
    json!({"anyOf": forms})
}

/// Returns two bounds for the numbers that have a value in a type without infinities (fill_value.float.range). All of
/// these numbers lie between the bounds, and few others do: the bounds are the midpoints after the last values of the
/// type. A validator that rounds numbers to binary64 before it compares them does not refuse any valid one.
fn bounds(float: &FloatFormat) -> [f64; 2] {
    let power = |exponent: i32| 2f64.powi(exponent);
    let digits = i32::try_from(float.mantissa_bits).unwrap_or_default();
    let last = float.max_finite_bits();
    let field = i32::try_from(last >> float.mantissa_bits).unwrap_or_default();
    let mantissa = u32::try_from(last & float.mantissa_mask()).unwrap_or_default();
    let significand = f64::from(2 * mantissa + 1) + power(digits + 1);
    let largest = significand * power(field - float.bias - digits - 1);
    if float.signed {
        [-largest, largest]
    } else {
        [power(-float.bias - 1), largest]
    }
}

/// Returns the form of the fill values of a data type.
fn fill_value_form(data_type: DataType) -> Value {
    match data_type.format() {
        Format::Bool => json!({"type": "boolean"}),
        Format::Integer(format) => {
            let mut schema = Map::new();
            schema.insert("type".into(), "integer".into());
            // Every bound fits one of the two types.
            let bound = |value: i128| {
                i64::try_from(value)
                    .map_or_else(|_| json!(u64::try_from(value).ok()), |value| json!(value))
            };
            schema.insert("minimum".into(), bound(format.min()));
            schema.insert("maximum".into(), bound(format.max()));
            schema.into()
        }
        Format::Float(float) => float_form(float),
        Format::Complex(_) => json!({
            "type": "array",
            "items": {"$ref": reference(data_type.component())},
            "minItems": 2,
            "maxItems": 2,
        }),
    }
}
