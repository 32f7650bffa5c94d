//! Demanded fill values (downsample.document.schema).

use exactum_model::Scalar;

use super::super::number::integer;
use crate::diagnostic::Read;
use crate::json::{Kind, Node};
use crate::scalar::parse_fill_value;

/// Requires a fill value to equal that of the array, bit by bit.
pub(super) fn require(demanded: Node<'_>, own: &Scalar) -> Read<()> {
    const CLAUSE: &str = "downsample.document.schema";
    let data_type = own.data_type();
    let is_complex = data_type.format().components() == 2;
    let mut value = demanded;
    // Brackets around one value make an array that is the same everywhere.
    while value.kind() == Kind::Array {
        let (mut elements, count) = (value.elements(), value.elements().count());
        match elements.next() {
            Some(first) if is_complex && count == 2 && first.kind() != Kind::Array => break,
            Some(only) if count == 1 => value = only,
            _ => {
                return Err(demanded
                    .reject(CLAUSE, "the fill value of an array is a single value")
                    .help("write it once"));
            }
        }
    }
    let same = |text: &str| parse_fill_value(data_type, text).is_ok_and(|value| value == *own);
    let is_same = same(value.raw())
        || match value.kind() {
            // An integer may have a fraction of zero, or be written in quotes.
            Kind::Number => integer(value).is_some_and(|value| same(&value.to_string())),
            Kind::String => {
                let text = value.text()?;
                let number = text.trim().parse::<i128>();
                number.is_ok_and(|number| same(&number.to_string()))
            }
            _ => false,
        };
    if is_same {
        return Ok(());
    }
    Err(demanded
        .reject(
            CLAUSE,
            format!("the fill value of the array is not {}", value.describe()),
        )
        .help("leave it out, or demand what the zarr.json of the array says"))
}
