//! Mutants of `fill_value`: booleans, integers and complex numbers.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        accepts("bool-from-numbers", "fill_value.bool",
            "0 and 1 are accepted as booleans (zarr-python).",
            |to, text| match text {
                "0" => Some(real(to, 0)),
                "1" => Some(real(to, 1)),
                _ => None,
            }),
        accepts("bool-from-strings", "fill_value.bool",
            r#""true" is accepted as a boolean (zarr-python)."#,
            |to, text| match string(text)? {
                "false" => Some(real(to, 0)),
                "true" => Some(real(to, 1)),
                _ => None,
            }),
        accepts("integer-with-fraction", "fill_value.integer.lexical",
            "1.0 is accepted as an integer (tensorstore; zarr-python on purpose): a parsed number \
             does not show how it was written.",
            |to, text| parse_fill_value(to, text.strip_suffix(".0")?).ok()),
        accepts("integer-with-exponent", "fill_value.integer.lexical",
            "1e3 is accepted as an integer (tensorstore).",
            |to, text| {
                text.find(['e', 'E'])?;
                nearest(to, &double(text).filter(is_integer)?, Rounding::TowardsZero)
            }),
        accepts("integer-in-a-string", "fill_value.integer.lexical",
            r#""5" is accepted as an integer (zarr-python 3.3.0)."#,
            |to, text| parse_fill_value(to, string(text).filter(|text| is_number(text))?).ok()),
        accepts("integer-wraps", "fill_value.integer.range",
            "256 as a uint8 becomes 0: the number is stored into a typed array (zarrita 0.7.5).",
            |to, text| {
                let value: i128 = text.parse().ok()?;
                let bits = value & i128::from(to.format().component_mask());
                Some(real(to, u64::try_from(bits).ok()?))
            }),
        accepts("integer-saturates", "fill_value.integer.range",
            "256 as a uint8 becomes 255.",
            |to, text| Some(real(to, largest(&to.format(), !text.starts_with('-'))))),
        reads("integer-through-binary64", "fill_value.integer.range",
            "Integers are read as binary64 and lose what is above 2^53 (JavaScript's JSON.parse).",
            |it| {
                let format = it.data_type.format();
                integer_of(&format)?;
                it.give(bits_through_binary64(&format, it.bits()))
            }),
        refuses("integer-negative-zero-rejected", "fill_value.integer.negative-zero",
            "-0 is parsed as a float, since only floats have it, and then it is not an integer (serde_json).",
            |it| it.text == "-0" && integer_of(&it.data_type.format()).is_some()),
        accepts("complex-from-one-number", "fill_value.complex",
            "A bare number is a complex one without imaginary part, as in the second version of the format.",
            |to, text| {
                is_number(text)
                    .then(|| parse_fill_value(to, &format!("[{text}, 0]")).ok())
                    .flatten()
            }),
        reads("complex-parts-exchanged", "fill_value.complex",
            "The imaginary part comes first.",
            |it| {
                let (real, imaginary) = (it.scalar.component(0), it.scalar.component(1));
                let complex = it.data_type.format().components() == 2;
                complex.then(|| Scalar::complex(it.data_type, imaginary, real))
            }),
    ]
}
