//! Mutants of `fill_value`: values that a type does not have, and digits that are ignored.

use super::*;

/// Returns the digits of a decimal's magnitude, cut off after a number of significant ones.
fn cut_off(text: &str, count: usize) -> String {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut kept = 0;
    let digits: String = mantissa
        .chars()
        .map(|character| {
            if character.is_ascii_digit() && (kept > 0 || character != '0') {
                kept += 1;
            }
            if kept > count && character.is_ascii_digit() {
                '0'
            } else {
                character
            }
        })
        .collect();
    format!("{digits}e{exponent}")
}

pub(super) fn mutants() -> Vec<Mutant> {
    [numbers_and_names(), limits_and_texts()].concat()
}

#[rustfmt::skip] // A table.
fn numbers_and_names() -> Vec<Mutant> {
    vec![
        reads("decimal-through-binary32", "fill_value.float.number",
            "Decimals are read as binary32 and narrowed, which seems enough for small types.",
            |it| {
                it.number().filter(|float| float.bits() <= 16)?;
                let single: f32 = it.text.parse().ok()?;
                let value = Exact::from_bits(&BINARY32, single.to_bits().into());
                nearest(it.data_type, &value, Rounding::NearestEven)
            }),
        reads("decimal-ties-away", "fill_value.float.number",
            "Ties go away from zero; the core says half to even since its pull request 377.",
            |it| {
                it.number().filter(|float| float.mantissa_bits > 0)?;
                nearest(it.data_type, &double(it.text)?, Rounding::NearestAway)
            }),
        reads("tie-to-the-even-exponent", "fill_value.float.no-even",
            "Bits are rounded to even bits, whatever they mean: 3 in float8_e8m0fnu is 2.",
            |it| {
                let float = it
                    .number()
                    .filter(|float| !float.zero && it.bits() % 2 == 1)?;
                // The right answer is a third larger than a tie.
                let exact = Exact::from_bits(&Format::Float(float), it.bits());
                let tie = exact
                    .multiply(&Exact::integer(3))
                    .divide(&Exact::integer(4));
                if same(&double(it.text)?, &tie) {
                    it.give(it.bits() - 1)
                } else {
                    None
                }
            }),
        reads("decimal-nineteen-digits", "fill_value.float.number",
            "Digits beyond a 64-bit mantissa are dropped: the fast path of a decimal parser without its slow path.",
            |it| {
                it.number()
                    .and_then(|_| parse_fill_value(it.data_type, &cut_off(it.text, 19)).ok())
            }),
        reads("decimal-eight-hundred-digits", "fill_value.float.number",
            "Digits beyond those of any tie are dropped, so that a number just above a tie looks like the tie.",
            |it| {
                it.number()
                    .and_then(|_| parse_fill_value(it.data_type, &cut_off(it.text, 800)).ok())
            }),
        accepts("absent-nan-is-negative-zero", "fill_value.float.names",
            r#""NaN" in a type without one is -0: its bits are those of another NaN, cut down (zarrs, float4_e2m1fn)."#,
            |to, text| {
                let float = float_of(to).filter(|_| text == "\"NaN\"")?;
                Some(real(to, float.sign_mask()))
            }),
        accepts("absent-infinity-is-nan", "fill_value.float.names",
            r#""Infinity" in a type without one is NaN (zarrs and tensorstore, the fnuz types)."#,
            |to, text| {
                let float = float_of(to).filter(|_| text.contains("Infinity\""))?;
                Some(real(to, float.nan_bits()?))
            }),
        accepts("absent-infinity-is-the-largest", "fill_value.float.names",
            r#""Infinity" in a type without one is its largest value: conversions that saturate."#,
            |to, text| {
                let above = match text {
                    "\"Infinity\"" => true,
                    "\"-Infinity\"" => false,
                    _ => return None,
                };
                float_of(to).map(|_| real(to, largest(&to.format(), above)))
            }),
    ]
}

#[rustfmt::skip] // A table.
fn limits_and_texts() -> Vec<Mutant> {
    vec![
        refuses("escapes-not-decoded", "fill_value.float.names",
            "Names are compared with the text between the quotation marks, escapes and all.",
            |it| {
                let escaped = string(it.text).is_some_and(|text| text.contains('\\'));
                escaped && it.float().is_some()
            }),
        accepts("range-saturates", "fill_value.float.range",
            "A number beyond the range of a type without infinities is its largest value (zarrs, float4_e2m1fn).",
            |to, text| {
                let above = !text.starts_with('-');
                float_of(to).map(|_| real(to, largest(&to.format(), above)))
            }),
        accepts("range-is-nan", "fill_value.float.range",
            "A number that the type does not have is NaN (zarrs: 1000 in the fnuz types, 0 and -1 in float8_e8m0fnu).",
            |to, _| Some(real(to, float_of(to)?.nan_bits()?))),
        accepts("range-zero-is-the-smallest", "fill_value.float.range",
            "0 in float8_e8m0fnu is the smallest value, whose bits are all 0 (tensorstore accepts it).",
            |to, text| {
                float_of(to).filter(|float| !float.zero && float.bits() == 8)?;
                let small =
                    double(text)?.compare(&Exact::integer(1)) == Some(std::cmp::Ordering::Less);
                small.then(|| real(to, 0))
            }),
        accepts("hex-bits-above-dropped", "fill_value.float.hex",
            r#"Bits above a sub-byte type's own are dropped: "0x17" as a float4_e2m1fn (zarrs, tensorstore)."#,
            |to, text| {
                let digits =
                    hex(text).filter(|digits| digits.len() == 2 * to.format().component_bytes())?;
                Some(real(to, u64::from_str_radix(digits, 16).ok()?))
            }),
        accepts("hex-capital-x", "fill_value.float.hex",
            r#""0X" is accepted for "0x", as by scanf and int()."#,
            |to, text| {
                let digits = string(text)?.strip_prefix("0X")?;
                parse_fill_value(to, &format!("\"0x{digits}\"")).ok()
            }),
        accepts("complex-further-parts-ignored", "fill_value.complex",
            "A longer list is accepted, and its first two elements are used.",
            |to, text| {
                let mut parts = list(text)?.split(',');
                let (real, imaginary) = (parts.next()?, parts.next()?);
                parse_fill_value(to, &format!("[{real},{imaginary}]")).ok()
            }),
        accepts("complex-one-part-is-real", "fill_value.complex",
            "A list of one element has no imaginary part.",
            |to, text| parse_fill_value(to, &format!("[{}, 0]", list(text)?)).ok()),
        format("canonical-negative-zero-dropped", "fill_value.canonical",
            "-0 is written as 0.0.",
            |scalar| (canonical(scalar) == "-0.0").then(|| "0.0".into())),
        format("canonical-hex-of-one-width", "fill_value.canonical",
            "The hex of a NaN has eight digits, regardless of the width of the type.",
            |scalar| {
                let (float, bits) = (float_of(scalar.data_type())?, scalar.component(0));
                let other = float.is_nan(bits) && float.nan_bits() != Some(bits);
                (float.bits() < 32 && other).then(|| format!("\"0x{bits:08x}\""))
            }),
    ]
}
