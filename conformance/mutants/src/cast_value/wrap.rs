//! Mutants of `cast_value`: values out of range, wrapped.

use super::*;

const WRAP: &[&str] = &["cast_value.range.wrap"];
const WRAP_INTO_FLOAT: &[&str] = &["cast_value.range.wrap-into-float"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "wrap-in-binary64",
        WRAP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, rounded, _| {
                    let Format::Integer(to) = cast.to.format() else {
                        return None;
                    };
                    let low = Exact::integer(to.min());
                    let all = modulus(&to);
                    let shifted = through(&through(rounded, &BINARY64).subtract(&low), &BINARY64);
                    let turns = floor(&shifted.divide(&all));
                    let rest = shifted.subtract(&turns.multiply(&all));
                    Some(Ok(saturated(
                        &through(&rest.add(&low), &BINARY64),
                        &cast.to.format(),
                    )))
                },
            )
        },
        "`(v - low) mod 2^N + low` in binary64: the low end is absorbed, 2^60 into int8 gives -128 (zarrita 0.7.5, cast-value-rs 0.4.2).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","out_of_range":"wrap"}"#,
            "[1152921504606846976]",
        ),
    ),
    mutant(
        "wrap-of-integers-through-binary64",
        WRAP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, rounded, _| match cast.to.format() {
                    Format::Integer(to) => Some(Ok(wrap(&to, &through(rounded, &BINARY64)))),
                    _ => None,
                },
            )
        },
        "Integers above 2^53 lose their low bits before they wrap: 2^53 + 3 into uint16 gives 4 (zarrita 0.7.5).",
        Witness::Cast(
            "int64",
            r#"{"data_type":"uint16","out_of_range":"wrap"}"#,
            "[9007199254740995]",
        ),
    ),
    mutant(
        "wrap-through-saturated-int64",
        WRAP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, rounded, above| match (cast.from.format(), cast.to.format()) {
                    (Format::Float(_), Format::Integer(to)) => {
                        let int64 = exactum_conformance::model::DataType::Int64.format();
                        beyond(rounded, &int64).map(|_| {
                            Ok(wrap(&to, &Exact::from_bits(&int64, largest(&int64, above))))
                        })
                    }
                    _ => None,
                },
            )
        },
        "Floats are converted to int64 first and wrap from there: what lies beyond 2^63 has saturated.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","out_of_range":"wrap"}"#,
            "[1e19]",
        ),
    ),
    mutant(
        "wrap-by-one-less",
        WRAP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, rounded, _| match cast.to.format() {
                    Format::Integer(to) => {
                        let span = modulus(&to).subtract(&Exact::integer(1));
                        let low = Exact::integer(to.min());
                        let shifted = rounded.subtract(&low);
                        let turns = floor(&shifted.divide(&span));
                        let rest = shifted.subtract(&turns.multiply(&span));
                        Some(Ok(wrap(&to, &rest.add(&low))))
                    }
                    _ => None,
                },
            )
        },
        "The modulus is `max - min`, one too small.",
        Witness::Cast(
            "int32",
            r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
            "[256]",
        ),
    ),
    mutant(
        "wrap-by-remainder",
        WRAP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, rounded, above| match cast.to.format() {
                    Format::Integer(to) if !to.signed && !above => {
                        let magnitude = rounded.negate();
                        let all = modulus(&to);
                        let turns = floor(&magnitude.divide(&all));
                        Some(Ok(wrap(&to, &magnitude.subtract(&turns.multiply(&all)))))
                    }
                    _ => None,
                },
            )
        },
        "A remainder that takes the sign of the dividend, then its magnitude: -1 into uint8 gives 1.",
        Witness::Cast(
            "int16",
            r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
            "[-1]",
        ),
    ),
    mutant(
        "wrap-ignored",
        WRAP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, _, _| {
                    matches!(cast.from.format(), Format::Float(_))
                        .then(|| Err(refuse("cast_value.range.wrap")))
                },
            )
        },
        "Floats out of range are rejected under wrap too (cast-value 0.2.1 raises FloatingPointError).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","out_of_range":"wrap"}"#,
            "[128]",
        ),
    ),
    mutant(
        "wrap-truncates",
        WRAP,
        |codec, direction, bits| {
            let cast = side(codec, direction);
            out_of_range(Some(OutOfRange::Wrap), codec, direction, bits, |_, _, _| {
                let truncating = Cast {
                    rounding: Rounding::TowardsZero,
                    map: &[],
                    ..cast
                };
                matches!(cast.to.format(), Format::Integer(_))
                    .then(|| cast_element(&truncating, bits))
            })
        },
        "The wrapping path converts to an integer by truncation and skips the rounding.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
            "[257.75]",
        ),
    ),
    mutant(
        "wrap-into-float-gives-infinity",
        WRAP_INTO_FLOAT,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, _, above| {
                    matches!(cast.to.format(), Format::Float(_))
                        .then(|| Ok(clamp(&cast.to.format(), above)))
                },
            )
        },
        "Decoding into a float under wrap overflows to infinity: nothing is left to wrap, so nothing is checked.",
        Witness::Uncast(
            "float16",
            r#"{"data_type":"uint32","out_of_range":"wrap"}"#,
            "[65536]",
        ),
    ),
    mutant(
        "wrap-into-float-gives-largest",
        WRAP_INTO_FLOAT,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, _, above| {
                    matches!(cast.to.format(), Format::Float(_))
                        .then(|| Ok(largest(&cast.to.format(), above)))
                },
            )
        },
        "Decoding into a float under wrap stops at its largest finite value.",
        Witness::Uncast(
            "float16",
            r#"{"data_type":"uint32","out_of_range":"wrap"}"#,
            "[65536]",
        ),
    ),
];
