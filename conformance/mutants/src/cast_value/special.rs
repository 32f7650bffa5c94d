//! Mutants of `cast_value`: NaN and infinity.

use super::*;

const NAN: &[&str] = &["cast_value.special.nan"];
const NAN_ERROR: &[&str] = &["cast_value.special.nan-error"];
const INFINITY: &[&str] = &["cast_value.special.infinity"];
const INFINITY_ERROR: &[&str] = &["cast_value.special.infinity-error"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "nan-becomes-zero",
        NAN,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                (*value == Exact::Nan && matches!(cast.to.format(), Format::Float(_)))
                    .then_some(Ok(0))
            })
        },
        "NaN becomes 0 between floats: a sanitising step that was meant for integers.",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, r#"["NaN"]"#),
    ),
    mutant(
        "nan-rejected",
        NAN,
        |codec, direction, bits| {
            unless(codec, direction, bits, |_, value| {
                (*value == Exact::Nan).then(|| Err(refuse("cast_value.special.nan")))
            })
        },
        "NaN is rejected wherever it is not mapped: one check for all types.",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, r#"["NaN"]"#),
    ),
    mutant(
        "nan-payload-shifted-out",
        NAN,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, _| {
                let (Format::Float(from), Format::Float(to)) =
                    (cast.from.format(), cast.to.format())
                else {
                    return None;
                };
                if !from.is_nan(bits) || from.mantissa_bits <= to.mantissa_bits {
                    return None;
                }
                let lost = from.mantissa_bits - to.mantissa_bits;
                let payload = (bits & from.mantissa_mask()) >> lost;
                Some(Ok(to.infinity_bits()? | payload))
            })
        },
        "Narrowing shifts the mantissa, so a NaN whose payload stands in the lost bits becomes infinity: a classic of hand-written float16 code.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float16"}"#,
            r#"["0x7ff0000000000001"]"#,
        ),
    ),
    mutant(
        "nan-error-gives-zero",
        NAN_ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let error = *value == Exact::Nan
                    && cast.out_of_range.is_none()
                    && matches!(cast.to.format(), Format::Integer(_));
                error.then_some(Ok(0))
            })
        },
        "NaN becomes integer 0: Rust's `as`, and ARM's conversion.",
        Witness::Cast("float64", r#"{"data_type":"int32"}"#, r#"["NaN"]"#),
    ),
    mutant(
        "nan-error-gives-minimum",
        NAN_ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format();
                (*value == Exact::Nan && matches!(to, Format::Integer(_)))
                    .then(|| Ok(largest(&to, false)))
            })
        },
        "NaN becomes the smallest integer: the x86 conversion, and so C and numpy there.",
        Witness::Cast("float64", r#"{"data_type":"int32"}"#, r#"["NaN"]"#),
    ),
    mutant(
        "nan-error-clamped",
        NAN_ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let error = *value == Exact::Nan
                    && cast.out_of_range == Some(OutOfRange::Clamp)
                    && matches!(cast.to.format(), Format::Integer(_));
                error.then(|| Ok(largest(&cast.to.format(), false)))
            })
        },
        "Under clamp, `max(min, x)` with a NaN gives the bound: fmax and fmin skip NaN.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","out_of_range":"clamp"}"#,
            r#"["NaN"]"#,
        ),
    ),
    mutant(
        "nan-error-wrapped",
        NAN_ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let error = *value == Exact::Nan
                    && cast.out_of_range == Some(OutOfRange::Wrap)
                    && matches!(cast.to.format(), Format::Integer(_));
                error.then_some(Ok(0))
            })
        },
        "Under wrap NaN becomes 0, as in JavaScript's ToInt32 and its typed arrays.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
            r#"["NaN"]"#,
        ),
    ),
    mutant(
        "infinity-out-of-range",
        INFINITY,
        |codec, direction, bits| {
            unless(codec, direction, bits, |_, value| {
                matches!(value, Exact::Infinite { .. })
                    .then(|| Err(refuse("cast_value.special.infinity")))
            })
        },
        "Infinity is greater than the largest finite value, so the range test rejects it between floats too.",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, r#"["Infinity"]"#),
    ),
    mutant(
        "infinity-becomes-largest-finite",
        INFINITY,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| match value {
                Exact::Infinite { negative }
                    if cast.from != cast.to && matches!(cast.to.format(), Format::Float(_)) =>
                {
                    Some(Ok(largest(&cast.to.format(), !negative)))
                }
                _ => None,
            })
        },
        "Infinity is saturated to the largest finite value, as conversions of machine learning do it.",
        Witness::Cast("float64", r#"{"data_type":"float16"}"#, r#"["-Infinity"]"#),
    ),
    mutant(
        "infinity-loses-sign",
        INFINITY,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| match value {
                Exact::Infinite { negative: true } => cast
                    .to
                    .format()
                    .float()
                    .and_then(|to| to.infinity_bits())
                    .map(Ok),
                _ => None,
            })
        },
        "The sign is dropped where the exponent is all ones: a branch for special values that forgets it.",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, r#"["-Infinity"]"#),
    ),
    mutant(
        "infinity-error-clamped",
        INFINITY_ERROR,
        |codec, direction, bits| {
            infinity_error(Some(OutOfRange::Clamp), codec, direction, bits, largest)
        },
        "Clamp takes infinity to the largest integer (cast-value-rs 0.4.2, whose own test expects it).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","out_of_range":"clamp"}"#,
            r#"["Infinity"]"#,
        ),
    ),
    mutant(
        "infinity-error-wrapped",
        INFINITY_ERROR,
        |codec, direction, bits| {
            infinity_error(Some(OutOfRange::Wrap), codec, direction, bits, |_, _| 0)
        },
        "Wrap takes infinity to 0, as JavaScript's typed arrays do.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
            r#"["Infinity"]"#,
        ),
    ),
    mutant(
        "infinity-error-saturates",
        INFINITY_ERROR,
        |codec, direction, bits| infinity_error(None, codec, direction, bits, largest),
        "Without out_of_range infinity becomes the largest integer (cast-value-rs 0.4.2 from float16).",
        Witness::Cast("float16", r#"{"data_type":"int32"}"#, r#"["Infinity"]"#),
    ),
];
