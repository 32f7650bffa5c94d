//! Scalars: JSON text to bits and back (the row `fill_value`).

use exactum_exact::Literal;
use exactum_model::{DataType, Reason, Rejection, Scalar};

use crate::diagnostic::Read;
use crate::json::{Attributes, Kind, Node, Tree};

/// No data type has more parts than a complex number; one more is enough to say so.
const PARTS: usize = 3;

/// Reads a fill value: the JSON text of a scalar.
///
/// # Errors
/// [`Reason::FillValue`] with the clause of `fill_value.*` that is broken; [`Reason::Metadata`]
/// with `chain.json` where the text is not JSON.
pub fn parse_fill_value(data_type: DataType, json: &str) -> Result<Scalar, Rejection> {
    let tree = Tree::scan(json, Attributes::Entered)?;
    Ok(fill_value(data_type, tree.root())?)
}

/// A fill value of a document.
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

/// A scalar of a configuration: in the same encoding, but its faults are those of the metadata.
pub(crate) fn parameter(data_type: DataType, node: Node<'_>, clause: &'static str) -> Read<Scalar> {
    fill_value(data_type, node).map_err(|mut fault| {
        if fault.rejection.reason == Reason::FillValue {
            fault.rejection.reason = Reason::Metadata;
            fault.rejection.clause = clause;
        }
        fault
    })
}

/// How scalars of a data type are written, in a help text.
fn spelling(data_type: DataType) -> String {
    let format = data_type.format();
    let Some(float) = format.float() else {
        return match format {
            exactum_model::Format::Bool => "write true or false".into(),
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

/// A value as the exact numbers read it. Of an array, only as much as a scalar can have: parts
/// that are arrays again are no parts of anything, and what is in them is left alone.
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
