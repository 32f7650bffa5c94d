//! Data types in documents.

use exactum_model::{DataType, Reason, Rejection};

use crate::diagnostic::{Read, quoted};
use crate::json::Node;
use crate::members::Extension;

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

/// Finds a data type by its registered name.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] for a name that is not on Exactum's list.
pub fn parse_data_type(name: &str) -> Result<DataType, Rejection> {
    name.parse().map_err(|()| {
        let raw = name
            .strip_prefix('r')
            .is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()));
        let message = if raw || NOT_COVERED.contains(&name) {
            format!(
                "{} is not a number of a fixed format, and Exactum covers no others",
                quoted(name)
            )
        } else {
            format!("{} is not a registered numeric data type", quoted(name))
        };
        let help = match name {
            "float8_e4m3fn" => "the registry has float8_e4m3 and float8_e4m3fnuz; neither is float8_e4m3fn",
            "float" | "double" => "write float32 or float64",
            "int" | "uint" => "write the width as well: int32, uint8",
            _ => "the names are those of the registry: bool, int8, uint16, float32, complex64 and so on",
        };
        Rejection::new(Reason::UnsupportedDataType, "chain.data_type", message).help(help)
    })
}

/// Reads a data type: its name, or an object with the name and nothing in its configuration.
/// `form` is the clause about its form, `list` the one about the list of names.
pub(crate) fn read(
    node: Node<'_>,
    form: &'static str,
    list: &'static str,
    owner: &str,
) -> Read<DataType> {
    let extension = Extension::read(node, form, owner)?.must_be_understood(owner)?;
    let data_type = parse_data_type(&extension.name).map_err(|mut rejection| {
        rejection.clause = list;
        node.place_rejection(rejection)
    })?;
    extension.without_configuration(form, &format!("the configuration of {data_type}"))?;
    Ok(data_type)
}
