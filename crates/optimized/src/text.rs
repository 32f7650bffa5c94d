//! Elements in messages.

use core::fmt;

use exactum_model::{DataType, Format};

/// The value of an element, given by its bits. Floats are written in the digits of float64, which holds every
/// one of them exactly.
pub(crate) struct Value(pub(crate) DataType, pub(crate) u64);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(data_type, bits) = self;
        let format = match data_type.format() {
            Format::Integer(format) => return write!(f, "{}", format.value(bits)),
            Format::Bool => return write!(f, "{}", bits & 1),
            Format::Float(format) | Format::Complex(format) => format,
        };
        let bits = bits & format.mask();
        if format.is_nan(bits) {
            return f.write_str("NaN");
        }
        if bits & format.sign_mask() != 0 {
            f.write_str("-")?;
        }
        if format.is_infinite(bits) {
            return f.write_str("Infinity");
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
        // The power is applied as two factors, because 2^-1074 is a float64 but its reciprocal is not. Both
        // products are exact.
        let (half, rest) = (exponent / 2, exponent - exponent / 2);
        #[expect(
            clippy::cast_precision_loss,
            reason = "a significand has at most 53 bits"
        )]
        let value = significand as f64 * power_of_two(half) * power_of_two(rest);
        write!(f, "{value:?}")
    }
}

/// Returns 2 to a power between those of the smallest normal float64 and the largest.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::from((1023 + exponent).cast_unsigned()) << 52)
}
