//! Elements in messages.

use exactum_model::{DataType, Format};

use crate::soft::integer_value;

/// An element's value for a message: floats in the digits of float64, which holds every one of
/// them exactly.
pub(crate) fn describe(data_type: DataType, bits: u64) -> String {
    let format = match data_type.format() {
        Format::Integer(format) => return integer_value(&format, bits).to_string(),
        Format::Bool => return (bits & 1).to_string(),
        Format::Float(format) | Format::Complex(format) => format,
    };
    let bits = bits & format.mask();
    if format.is_nan(bits) {
        return "NaN".to_owned();
    }
    let sign = if bits & format.sign_mask() == 0 {
        ""
    } else {
        "-"
    };
    if format.is_infinite(bits) {
        return format!("{sign}Infinity");
    }
    let field = (bits >> format.mantissa_bits) & format.max_exponent_field();
    let mantissa = bits & format.mantissa_mask();
    let implicit = field > 0 || !format.zero;
    let significand = if implicit {
        mantissa | 1 << format.mantissa_bits
    } else {
        mantissa
    };
    let field = if implicit {
        i32::try_from(field).unwrap_or_default()
    } else {
        1
    };
    let exponent = field - format.bias - format.mantissa_bits.cast_signed();
    // In two factors: 2^-1074 is a float64, its reciprocal is not. Both products are exact.
    let (half, rest) = (exponent / 2, exponent - exponent / 2);
    #[expect(
        clippy::cast_precision_loss,
        reason = "a significand has 53 bits at most"
    )]
    let value = significand as f64 * 2f64.powi(half) * 2f64.powi(rest);
    format!("{sign}{value:?}")
}
