//! Mutants of `fill_value`: canonical text.

use super::*;

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    format(
        "canonical-of-binary64",
        |scalar| {
            Ok(as_double(scalar)
                .and_then(|value| serde_json::to_string(&value).ok())
                .unwrap_or_else(|| canonical(scalar)))
        },
        "Narrow floats are written with the digits that a binary64 needs: 0.1 as 0.10000000149011612 (Python, JavaScript).",
        Witness::Format("float32", "0.1"),
    ),
    format(
        "canonical-seventeen-digits",
        |scalar| {
            Ok(as_double(scalar)
                .filter(|value| *value != 0.0)
                .map_or_else(|| canonical(scalar), |value| format!("{value:.16e}")))
        },
        "Always seventeen digits, which are always enough: C's %.17g.",
        Witness::Format("float64", "0.1"),
    ),
    format(
        "canonical-integral-floats-plain",
        |scalar| {
            let text = canonical(scalar);
            Ok(match (float(scalar.data_type()), text.strip_suffix(".0")) {
                (Some(_), Some(whole)) => whole.to_owned(),
                _ => text,
            })
        },
        "1.0 is written as 1, JavaScript's way.",
        Witness::Format("float32", "1.0"),
    ),
    format(
        "canonical-every-nan-is-nan",
        |scalar| {
            let nan =
                float(scalar.data_type()).is_some_and(|format| format.is_nan(scalar.component(0)));
            Ok(if nan {
                "\"NaN\"".into()
            } else {
                canonical(scalar)
            })
        },
        "Other NaNs are written as \"NaN\" and lose their bits.",
        Witness::Format("float32", "\"0x7fc00001\""),
    ),
    format(
        "canonical-uppercase-hex",
        |scalar| {
            let text = canonical(scalar);
            Ok(match text.strip_prefix("\"0x") {
                Some(digits) => format!("\"0x{}", digits.to_uppercase()),
                None => text,
            })
        },
        "Hex digits in upper case.",
        Witness::Format("float32", "\"0x7fc00001\""),
    ),
    format(
        "canonical-unsigned-as-signed",
        |scalar| {
            let data_type = scalar.data_type();
            Ok(match data_type.format() {
                Format::Integer(format) if !format.signed => {
                    let bits = i128::from(scalar.component(0));
                    let negative = bits >> (format.bits - 1) & 1 == 1;
                    let modulus = if negative { 1i128 << format.bits } else { 0 };
                    (bits - modulus).to_string()
                }
                _ => canonical(scalar),
            })
        },
        "Unsigned integers are printed as signed ones: a language without unsigned types (Java).",
        Witness::Format("uint64", "18446744073709551615"),
    ),
    format(
        "canonical-integer-through-binary64",
        |scalar| {
            let data_type = scalar.data_type();
            Ok(match data_type.format() {
                Format::Integer(_) => {
                    let format = data_type.format();
                    let value = crate::arithmetic::through(
                        &Exact::from_bits(&format, scalar.component(0)),
                        &BINARY64,
                    );
                    canonical(&real(data_type, saturated(&value, &format)))
                }
                _ => canonical(scalar),
            })
        },
        "Integers pass through a binary64 on their way to text (JavaScript).",
        Witness::Format("int64", "9007199254740993"),
    ),
];
