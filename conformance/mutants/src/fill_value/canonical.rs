//! Mutants of `fill_value`: canonical text.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        format("canonical-of-binary64", "fill_value.canonical",
            "Narrow floats are written with the digits that a binary64 needs: 0.1 as 0.10000000149011612 (Python, JavaScript).",
            |scalar| serde_json::to_string(&as_double(scalar)?).ok()),
        format("canonical-seventeen-digits", "fill_value.canonical",
            "Always seventeen digits, which are always enough: C's %.17g.",
            |scalar| {
                let value = as_double(scalar).filter(|value| *value != 0.0)?;
                Some(format!("{value:.16e}"))
            }),
        format("canonical-integral-floats-plain", "fill_value.canonical",
            "1.0 is written as 1, JavaScript's way.",
            |scalar| {
                float_of(scalar.data_type())?;
                canonical(scalar).strip_suffix(".0").map(str::to_owned)
            }),
        format("canonical-every-nan-is-nan", "fill_value.canonical",
            r#"Other NaNs are written as "NaN" and lose their bits."#,
            |scalar| {
                let float = float_of(scalar.data_type())?;
                float.is_nan(scalar.component(0)).then(|| "\"NaN\"".into())
            }),
        format("canonical-uppercase-hex", "fill_value.canonical",
            "Hex digits in upper case.",
            |scalar| {
                let text = canonical(scalar);
                Some(format!("\"0x{}", text.strip_prefix("\"0x")?.to_uppercase()))
            }),
        format("canonical-unsigned-as-signed", "fill_value.canonical",
            "Unsigned integers are printed as signed ones: a language without unsigned types (Java).",
            |scalar| {
                let format =
                    integer_of(&scalar.data_type().format()).filter(|format| !format.signed)?;
                let bits = i128::from(scalar.component(0));
                let negative = bits >> (format.bits - 1) & 1 == 1;
                negative.then(|| (bits - (1i128 << format.bits)).to_string())
            }),
        format("canonical-integer-through-binary64", "fill_value.canonical",
            "Integers pass through a binary64 on their way to text (JavaScript).",
            |scalar| {
                let format = scalar.data_type().format();
                integer_of(&format)?;
                let value = through(&Exact::from_bits(&format, scalar.component(0)), &BINARY64);
                Some(canonical(&real(
                    scalar.data_type(),
                    saturated(&value, &format),
                )))
            }),
    ]
}
