//! Values in a notation for people: what they type in commands, and what messages show.

use exactum_model::{DataType, Format, Reason, Rejection, Rounding, Scalar};

use crate::canonical::canonical;
use crate::literal::{Literal, parse};
use crate::round::{Rounded, clamp, round};
use crate::value::Exact;

/// Reads a value of a data type as a person types it: a number, `NaN`, `Infinity`, `-Infinity`, or the bits in
/// hex. The names of NaN and the infinities may be in any case, and `inf` is accepted as a short form.
///
/// # Errors
/// [`Reason::FillValue`] with the clause of `fill_value.*` that the text violates.
pub fn read(data_type: DataType, text: &str) -> Result<u64, Rejection> {
    if let (Some(hex), Format::Integer(format)) = (text.strip_prefix("0x"), data_type.format()) {
        return u64::from_str_radix(hex, 16)
            .ok()
            .filter(|bits| bits & !format.mask() == 0)
            .ok_or_else(|| {
                let message = format!("{text} is not a bit pattern of {data_type}");
                Rejection::new(Reason::FillValue, "fill_value.integer.range", message)
            });
    }
    let literal = match Exact::decimal(text) {
        Some(_) => Literal::Number(text.to_owned()),
        None => Literal::Text(match text.to_ascii_lowercase().as_str() {
            "nan" => "NaN".to_owned(),
            "inf" | "infinity" => "Infinity".to_owned(),
            "-inf" | "-infinity" => "-Infinity".to_owned(),
            _ => text.to_owned(),
        }),
    };
    parse(data_type, &literal).map(|scalar| scalar.component(0))
}

/// Formats a value of a real data type in its canonical form, without quotation marks.
#[must_use]
pub fn shown(data_type: DataType, bits: u64) -> String {
    let text = canonical(&Scalar::new(data_type, bits.into()));
    text.trim_matches('"').to_owned()
}

/// Rounds an exact value into a float type and returns its bits. A value out of range becomes an infinity, or the
/// nearest end of the range if the type has no infinities.
#[must_use]
pub fn saturated(value: &Exact, data_type: DataType, mode: Rounding) -> u64 {
    let format = data_type.format();
    match round(value, &format, mode) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => clamp(&format, above),
        // These do not occur for binary32 and binary64, which represent NaN and the infinities.
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}
