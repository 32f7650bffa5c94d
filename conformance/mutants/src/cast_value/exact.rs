//! Mutants of `cast_value`: exactness and decoding.

use super::*;

const EXACT: &[&str] = &["cast_value.exact"];
const DECODE: &[&str] = &["cast_value.decode"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "exact-integers-through-binary64",
        EXACT,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format();
                let exact = is_integer(value) && beyond(value, &to).is_none();
                let integers = matches!(cast.from.format(), Format::Integer(_))
                    && matches!(to, Format::Integer(_));
                (exact && integers).then(|| Ok(saturated(&through(value, &BINARY64), &to)))
            })
        },
        "Integers go through a binary64, as in a language whose only numbers they are (zarrita 0.7.5).",
        Witness::Cast("int64", r#"{"data_type":"uint64"}"#, "[9007199254740993]"),
    ),
    mutant(
        "exact-bound-out-of-range",
        EXACT,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format();
                let bound = Exact::from_bits(&to, largest(&to, true));
                (cast.out_of_range.is_none()
                    && value.compare(&bound) == Some(std::cmp::Ordering::Equal))
                .then(|| Err(refuse("cast_value.exact")))
            })
        },
        "The range is tested with `>=`: the largest integer is rejected. An ordinary slip.",
        Witness::Cast("int32", r#"{"data_type":"int8"}"#, "[127]"),
    ),
    mutant(
        "exact-subnormal-inputs-flushed",
        EXACT,
        |codec, direction, bits| {
            let format = side(codec, direction).from.format();
            let subnormal = match format {
                Format::Float(float) => {
                    float.zero
                        && bits >> float.mantissa_bits & float.max_exponent_field() == 0
                        && !float.is_nan(bits)
                }
                _ => false,
            };
            let sign = format.float().map_or(0, |float| float.sign_mask());
            unless(codec, direction, bits, |cast, _| {
                subnormal.then(|| cast_element(cast, bits & sign))
            })
        },
        "Subnormal inputs count as zero: code that runs with the CPU's denormals-are-zero mode.",
        Witness::Cast("float32", r#"{"data_type":"float64"}"#, r#"["0x00000001"]"#),
    ),
    mutant(
        "exact-subnormal-results-flushed",
        EXACT,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, _| {
                let Format::Float(to) = cast.to.format() else {
                    return None;
                };
                let result = cast_element(cast, bits).ok()?;
                let subnormal = to.zero
                    && !to.is_nan(result)
                    && result >> to.mantissa_bits & to.max_exponent_field() == 0;
                subnormal.then_some(Ok(result & to.sign_mask()))
            })
        },
        "Subnormal results are flushed to zero: the CPU's flush-to-zero mode, or a table of normal exponents only.",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, "[1e-40]"),
    ),
    mutant(
        "decode-rounds-to-nearest",
        DECODE,
        |codec, direction, bits| {
            let mut cast = side(codec, direction);
            if direction == Direction::Decode {
                cast.rounding = Rounding::NearestEven;
            }
            cast_element(&cast, bits)
        },
        "Decoding forgets the configured rounding: only the encoder is given it.",
        Witness::Uncast(
            "int8",
            r#"{"data_type":"float64","rounding":"towards-positive"}"#,
            "[1.25]",
        ),
    ),
    mutant(
        "decode-forgets-out-of-range",
        DECODE,
        |codec, direction, bits| {
            let mut cast = side(codec, direction);
            if direction == Direction::Decode {
                cast.out_of_range = None;
            }
            cast_element(&cast, bits)
        },
        "Decoding forgets the configured rule and rejects what it should clamp or wrap.",
        Witness::Uncast(
            "int8",
            r#"{"data_type":"uint8","out_of_range":"clamp"}"#,
            "[200]",
        ),
    ),
    mutant(
        "decode-is-a-plain-conversion",
        DECODE,
        |codec, direction, bits| {
            let cast = side(codec, direction);
            if direction == Direction::Encode || mapped(&cast, bits).is_some() {
                return cast_element(&cast, bits);
            }
            let plain = Cast {
                rounding: match cast.to.format() {
                    Format::Integer(_) => Rounding::TowardsZero,
                    _ => Rounding::NearestEven,
                },
                out_of_range: Some(match cast.to.format() {
                    Format::Integer(_) => OutOfRange::Wrap,
                    _ => OutOfRange::Clamp,
                }),
                ..cast
            };
            cast_element(&plain, bits)
        },
        "Decoding is the language's conversion: it is believed to be exact, since encoding was the lossy side.",
        Witness::Uncast("int8", r#"{"data_type":"float64"}"#, "[1.75]"),
    ),
    mutant(
        "decode-input-through-binary64",
        DECODE,
        |codec, direction, bits| {
            let cast = side(codec, direction);
            if direction == Direction::Encode || mapped(&cast, bits).is_some() {
                return cast_element(&cast, bits);
            }
            let unmapped = Cast { map: &[], ..cast };
            cast_element(&unmapped, bits_through_binary64(&cast.from.format(), bits))
        },
        "Decoding goes through binary64 whatever the types are (zarrita 0.7.5 decodes int64 that way).",
        Witness::Uncast("int64", r#"{"data_type":"uint64"}"#, "[9007199254740993]"),
    ),
];
