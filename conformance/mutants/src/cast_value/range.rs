//! Mutants of `cast_value`: values out of range, rejected or clamped.

use super::*;

const ERROR: &[&str] = &["cast_value.range.error"];
const CLAMP: &[&str] = &["cast_value.range.clamp"];
const CLAMP_INFINITY: &[&str] = &["cast_value.range.clamp-infinity"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "range-error-saturates",
        ERROR,
        |codec, direction, bits| {
            out_of_range(None, codec, direction, bits, |cast, _, above| {
                matches!(cast.to.format(), Format::Integer(_))
                    .then(|| Ok(clamp(&cast.to.format(), above)))
            })
        },
        "Without out_of_range integers saturate: Rust's `as`, which every careless port has.",
        Witness::Cast("float64", r#"{"data_type":"int8"}"#, "[200]"),
    ),
    mutant(
        "range-error-wraps",
        ERROR,
        |codec, direction, bits| {
            out_of_range(
                None,
                codec,
                direction,
                bits,
                |cast, rounded, _| match cast.to.format() {
                    Format::Integer(to) => Some(Ok(wrap(&to, rounded))),
                    _ => None,
                },
            )
        },
        "Without out_of_range integers wrap: numpy's and C's conversion (ts.cast of tensorstore).",
        Witness::Cast("int32", r#"{"data_type":"int8"}"#, "[200]"),
    ),
    mutant(
        "range-error-float-overflow-is-infinity",
        ERROR,
        |codec, direction, bits| {
            out_of_range(None, codec, direction, bits, |cast, _, above| {
                matches!(cast.to.format(), Format::Float(_))
                    .then(|| Ok(clamp(&cast.to.format(), above)))
            })
        },
        "Without out_of_range floats overflow to infinity silently (zarrita 0.7.5; cast-value-rs 0.4.2 for integers into float16).",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, "[1e39]"),
    ),
    mutant(
        "range-error-bound-rounded-to-the-input-type",
        ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let (from, to) = (cast.from.format(), cast.to.format());
                let floats = matches!(from, Format::Float(_));
                let integers = matches!(to, Format::Integer(_));
                if !floats || !integers || cast.out_of_range.is_some() {
                    return None;
                }
                let bound = through(&Exact::from_bits(&to, largest(&to, true)), &from);
                let passes = beyond(value, &to) == Some(true)
                    && value.compare(&bound) != Some(std::cmp::Ordering::Greater)
                    && !matches!(value, Exact::Infinite { .. });
                passes.then(|| Ok(largest(&to, true)))
            })
        },
        "The largest integer is rounded up to a float before the comparison, so 2^63 passes as int64 and saturates (cast-value-rs 0.4.2).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int64"}"#,
            "[9223372036854775808]",
        ),
    ),
    mutant(
        "range-error-only-when-encoding",
        ERROR,
        |codec, direction, bits| {
            out_of_range(None, codec, direction, bits, |cast, _, above| {
                (direction == Direction::Decode).then(|| Ok(clamp(&cast.to.format(), above)))
            })
        },
        "Decoding trusts the stored values to be in range and saturates: only the encoder checks.",
        Witness::Uncast("int8", r#"{"data_type":"uint8"}"#, "[200]"),
    ),
    mutant(
        "clamp-ignored",
        CLAMP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, _| {
                    matches!(cast.to.format(), Format::Integer(_))
                        .then(|| Err(refuse("cast_value.range.clamp")))
                },
            )
        },
        "The key is accepted and forgotten: values out of range are rejected under clamp too.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","out_of_range":"clamp"}"#,
            "[300]",
        ),
    ),
    mutant(
        "clamp-symmetric",
        CLAMP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, above| match cast.to.format() {
                    Format::Integer(to) if to.signed && !above => {
                        Some(Ok(to.mask() & !(largest(&Format::Integer(to), true)) | 1))
                    }
                    _ => None,
                },
            )
        },
        "Clamps below to -max instead of min, as quantisation code often does on purpose.",
        Witness::Cast(
            "int16",
            r#"{"data_type":"int8","out_of_range":"clamp"}"#,
            "[-200]",
        ),
    ),
    mutant(
        "clamp-wraps",
        CLAMP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, rounded, _| match cast.to.format() {
                    Format::Integer(to) => Some(Ok(wrap(&to, rounded))),
                    _ => None,
                },
            )
        },
        "The two rules are exchanged in a table.",
        Witness::Cast(
            "int16",
            r#"{"data_type":"int8","out_of_range":"clamp"}"#,
            "[200]",
        ),
    ),
    mutant(
        "clamp-negative-is-large",
        CLAMP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, above| match (cast.from.format(), cast.to.format()) {
                    (Format::Integer(from), Format::Integer(to))
                        if from.signed && !to.signed && !above =>
                    {
                        Some(Ok(clamp(&cast.to.format(), true)))
                    }
                    _ => None,
                },
            )
        },
        "A negative integer is compared after a conversion to unsigned, C's usual arithmetic conversion, and clamps to the top.",
        Witness::Cast(
            "int16",
            r#"{"data_type":"uint8","out_of_range":"clamp"}"#,
            "[-1]",
        ),
    ),
    mutant(
        "clamp-gives-largest-finite",
        CLAMP_INFINITY,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, above| {
                    matches!(cast.to.format(), Format::Float(_))
                        .then(|| Ok(largest(&cast.to.format(), above)))
                },
            )
        },
        "Clamp into a float gives its largest finite value, as numpy.clip with finfo limits does.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float32","out_of_range":"clamp"}"#,
            "[1e39]",
        ),
    ),
    mutant(
        "clamp-into-floats-rejected",
        CLAMP_INFINITY,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, _| {
                    matches!(cast.to.format(), Format::Float(_))
                        .then(|| Err(refuse("cast_value.range.clamp-infinity")))
                },
            )
        },
        "An overflow into a float is rejected even with clamp (cast-value 0.2.1, numpy).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float16","out_of_range":"clamp"}"#,
            "[1e5]",
        ),
    ),
    mutant(
        "clamp-infinity-loses-sign",
        CLAMP_INFINITY,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, _| {
                    matches!(cast.to.format(), Format::Float(_))
                        .then(|| Ok(clamp(&cast.to.format(), true)))
                },
            )
        },
        "Every overflow becomes positive infinity: the magnitude is tested and the sign forgotten.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float32","out_of_range":"clamp"}"#,
            "[-1e39]",
        ),
    ),
];
