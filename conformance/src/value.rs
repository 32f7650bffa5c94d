//! Elements as human-readable text.

use exactum_model::{FloatFormat, Format, Scalar};
use exactum_vectors::hex;

/// Returns the value of an element in decimal: `-3`, `0.1`, `NaN`, `-Infinity`, `true`, `(1.0, 2.0)`.
///
/// Floats are shown with the digits of a binary64 that holds them exactly, so that two elements
/// that differ look different.
#[must_use]
pub(crate) fn text(element: &Scalar) -> String {
    let bits = element.component(0);
    match element.data_type().format() {
        Format::Bool => match bits {
            0 => "false".into(),
            1 => "true".into(),
            other => format!("neither false nor true: {other}"),
        },
        Format::Integer(format) => {
            let negative = format.signed && bits >> (format.bits - 1) & 1 == 1;
            let modulus = if negative { 1i128 << format.bits } else { 0 };
            (i128::from(bits) - modulus).to_string()
        }
        Format::Float(format) => float_text(&format, bits),
        Format::Complex(format) => format!(
            "({}, {})",
            float_text(&format, bits),
            float_text(&format, element.component(1))
        ),
    }
}

/// Returns the bits of an element as a number in hex, most significant digit first.
#[must_use]
pub(crate) fn bits_text(element: &Scalar) -> String {
    let mut bytes = element.to_bytes();
    bytes.reverse();
    format!("0x{}", hex::encode(bytes))
}

fn float_text(format: &FloatFormat, bits: u64) -> String {
    let value = float(format, bits);
    if value.is_nan() {
        "NaN".into()
    } else if value.is_infinite() {
        if value < 0.0 { "-Infinity" } else { "Infinity" }.into()
    } else {
        format!("{value:?}")
    }
}

/// Returns the value of a float's bits. Every format here has at most binary64's range and precision.
pub(crate) fn float(format: &FloatFormat, bits: u64) -> f64 {
    if *format == FloatFormat::FLOAT64 {
        return f64::from_bits(bits);
    }
    if format.is_nan(bits) {
        return f64::NAN;
    }
    let negative = bits & format.sign_mask() != 0;
    let magnitude = if format.is_infinite(bits) {
        f64::INFINITY
    } else {
        let field = bits >> format.mantissa_bits & format.max_exponent_field();
        let fraction = bits & format.mantissa_mask();
        // A format without zero has no subnormal values: its exponent field 0 is an ordinary exponent.
        let subnormal = field == 0 && format.zero;
        let implicit = if subnormal {
            0
        } else {
            1 << format.mantissa_bits
        };
        let field = i32::try_from(field)
            .unwrap_or(i32::MAX)
            .max(i32::from(subnormal));
        let exponent = field - format.bias - i32::try_from(format.mantissa_bits).unwrap_or(0);
        let mantissa = u32::try_from(fraction | implicit).unwrap_or(u32::MAX);
        f64::from(mantissa) * 2f64.powi(exponent)
    };
    if negative { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::{bits_text, float, text};
    use exactum_model::{DataType, FloatFormat, Scalar};

    #[test]
    fn elements_are_readable() {
        let rows = [
            (DataType::Int8, 0xff, "-1", "0xff"),
            (DataType::Int4, 0x8, "-8", "0x08"),
            (
                DataType::Uint64,
                u128::from(u64::MAX),
                "18446744073709551615",
                "0xffffffffffffffff",
            ),
            (DataType::Float16, 0x3c01, "1.0009765625", "0x3c01"),
            (DataType::Float16, 0x8000, "-0.0", "0x8000"),
            (DataType::Float16, 0x0001, "5.960464477539063e-8", "0x0001"),
            (DataType::Float32, 0xff80_0000, "-Infinity", "0xff800000"),
            (DataType::Float32, 0x7fc0_0001, "NaN", "0x7fc00001"),
            (
                DataType::Float64,
                0x3fb9_9999_9999_999a,
                "0.1",
                "0x3fb999999999999a",
            ),
            (
                DataType::Float8E8m0fnu,
                0x00,
                "5.877471754111438e-39",
                "0x00",
            ),
            (DataType::Bool, 1, "true", "0x01"),
        ];
        for (data_type, bits, value, digits) in rows {
            let element = Scalar::new(data_type, bits);
            assert_eq!(text(&element), value, "{data_type}");
            assert_eq!(bits_text(&element), digits, "{data_type}");
        }
        let pair = Scalar::complex(DataType::Complex64, 0x3f80_0000, 0xbf80_0000);
        assert_eq!(text(&pair), "(1.0, -1.0)");
    }

    #[test]
    fn binary32_is_decoded_as_the_machine_does() {
        for bits in (0..=u32::MAX).step_by(65_537) {
            let ours = float(&FloatFormat::FLOAT32, bits.into());
            let machine = f64::from(f32::from_bits(bits));
            assert!(
                ours.to_bits() == machine.to_bits() || (ours.is_nan() && machine.is_nan()),
                "{bits:08x}"
            );
        }
    }
}
