//! Mutants of `fill_value`: floats.

use exactum_conformance::Outcome;

use super::*;

/// Any rejection counts: the clause that rejects a string that is not a name depends on the wording.
fn number_in_a_string(data_type: DataType, json: &str) -> Outcome<Scalar> {
    parse_fill_value(data_type, json).or_else(|fault| {
        match (float_of(data_type), string(json.trim())) {
            (Some(_), Some(text)) if is_number(text) && !text.starts_with("0x") => {
                parse_fill_value(data_type, text)
            }
            _ => Err(fault),
        }
    })
}

pub(super) fn mutants() -> Vec<Mutant> {
    [decimals(), hex_strings()].concat()
}

#[rustfmt::skip] // A table.
fn decimals() -> Vec<Mutant> {
    vec![
        crate::mutant("float-in-a-string", "fill_value.float.kind",
            r#""1.5" is accepted as a number (zarr-python 3.3.0)."#,
            Overrides {
                parse: Some(Arc::new(number_in_a_string)),
                ..NONE
            }),
        accepts("float-from-booleans", "fill_value.float.kind",
            "true is accepted as 1.0 (zarr-python 3.3.0).",
            |to, text| match text {
                "true" => nearest(to, &Exact::integer(1), Rounding::NearestEven),
                "false" => Some(real(to, 0)),
                _ => None,
            }),
        accepts("float-from-null", "fill_value.float.kind",
            "null is the type's default, as in the second version of the format.",
            |to, text| (text == "null").then(|| real(to, 0))),
        reads("decimal-through-binary64", "fill_value.float.digits",
            "Decimals are rounded to binary64 first and then to the type (every implementation that was examined).",
            |it| {
                it.number()?;
                nearest(it.data_type, &double(it.text)?, Rounding::NearestEven)
            }),
        reads("decimal-cut-off", "fill_value.float.number",
            "The binary64 is narrowed by cutting off its mantissa.",
            |it| {
                it.number()?;
                nearest(it.data_type, &double(it.text)?, Rounding::TowardsZero)
            }),
        reads("decimal-zero-loses-sign", "fill_value.float.negative-zero",
            "-0.0 becomes 0: numbers that are integers are read as integers (JSON libraries that have both kinds).",
            |it| {
                it.number()
                    .filter(|float| float.is_zero(it.bits()))
                    .and_then(|_| it.give(0))
            }),
        reads("decimal-subnormal-flushed", "fill_value.float.number",
            "Decimals below the smallest normal value become zero.",
            |it| {
                let float = it.number().filter(|float| is_subnormal(float, it.bits()))?;
                it.give(it.bits() & float.sign_mask())
            }),
        refuses("decimal-overflow-rejected", "fill_value.float.overflow",
            "A number beyond the range is rejected (zarrs, where the JSON parser refuses 1e400).",
            |it| it.overflow().is_some()),
        reads("decimal-overflow-saturates", "fill_value.float.overflow",
            "A number beyond the range is the largest finite value.",
            |it| {
                let above = it.bits() & it.overflow()?.sign_mask() == 0;
                it.give(largest(&it.data_type.format(), above))
            }),
        accepts("names-of-other-languages", "fill_value.float.names",
            r#"Everything that Python's float() reads is accepted: "+Infinity", "inf", "nan" (zarr-python 3.3.0)."#,
            |to, text| {
                let name = match string(text)? {
                    "+Infinity" | "inf" | "Inf" | "+inf" | "infinity" => "\"Infinity\"",
                    "-inf" | "-Inf" | "-infinity" => "\"-Infinity\"",
                    "nan" | "NAN" | "-NaN" => "\"NaN\"",
                    _ => return None,
                };
                parse_fill_value(to, name).ok()
            }),
        reads("nan-negative", "fill_value.float.nan",
            r#""NaN" has its sign bit set: the NaN that an x86 computes."#,
            |it| it.give(it.bits() | it.nan()?.sign_mask())),
        reads("nan-all-ones", "fill_value.float.nan",
            r#""NaN" has all mantissa bits set: the default NaN of some CPUs and of CUDA."#,
            |it| it.give(it.bits() | it.nan()?.mantissa_mask())),
    ]
}

#[rustfmt::skip] // A table.
fn hex_strings() -> Vec<Mutant> {
    vec![
        accepts("hex-width-from-its-length", "fill_value.float.hex",
            r#"The width of the digits chooses the type: "0x3fc0" as a float32 is read as a float16, 1.9375 (zarr-python)."#,
            |to, text| {
                let narrow = match hex(text)?.len() {
                    4 => DataType::Float16,
                    8 => DataType::Float32,
                    16 => DataType::Float64,
                    _ => return None,
                };
                let bits = u64::from_str_radix(hex(text)?, 16).ok()?;
                nearest(
                    to,
                    &Exact::from_bits(&narrow.format(), bits),
                    Rounding::NearestEven,
                )
            }),
        accepts("hex-short", "fill_value.float.hex",
            r#"Leading zeros may be missing: "0x1" (tensorstore)."#,
            |to, text| {
                let digits =
                    hex(text).filter(|digits| digits.len() < 2 * to.format().component_bytes())?;
                Some(real(to, u64::from_str_radix(digits, 16).ok()?))
            }),
        refuses("hex-uppercase-digits-rejected", "fill_value.float.hex",
            "Digits in upper case are refused, as if the canonical form were the only one.",
            |it| {
                hex(it.text)
                    .is_some_and(|digits| digits.bytes().any(|digit| digit.is_ascii_uppercase()))
            }),
        reads("hex-little-endian", "fill_value.float.hex-bits",
            "The digits are the bytes in little-endian order.",
            |it| {
                it.float().and(hex(it.text))?;
                let mut bytes = it.scalar.to_bytes();
                bytes.reverse();
                Scalar::from_bytes(it.data_type, &bytes)
            }),
        reads("hex-nan-made-default", "fill_value.float.hex-bits",
            "Every NaN becomes the default one: the value is kept as a number of the host language.",
            |it| {
                it.give(
                    it.float()
                        .filter(|float| float.is_nan(it.bits()))?
                        .nan_bits()?,
                )
            }),
        reads("hex-nan-quieted", "fill_value.float.hex-bits",
            "A signalling NaN becomes quiet when it is converted, as float32 to a Python float and back.",
            |it| {
                let float = it
                    .float()
                    .filter(|float| float.is_nan(it.bits()) && float.mantissa_bits > 1)?;
                it.give(it.bits() | 1 << (float.mantissa_bits - 1))
            }),
    ]
}
