//! Mutants of `cast_value`: rounding.

use exactum_conformance::Request;
use serde_json::{Map, Value};

use super::*;
use crate::arithmetic::{BINARY32, half, magnitude};

const DEFAULT: &[&str] = &["cast_value.rounding.default"];
const NEAREST_EVEN: &[&str] = &["cast_value.rounding.nearest-even"];
const TOWARDS_ZERO: &[&str] = &["cast_value.rounding.towards-zero"];
const TOWARDS_POSITIVE: &[&str] = &["cast_value.rounding.towards-positive"];
const TOWARDS_NEGATIVE: &[&str] = &["cast_value.rounding.towards-negative"];
const NEAREST_AWAY: &[&str] = &["cast_value.rounding.nearest-away"];
const ONCE: &[&str] = &["cast_value.rounding.once"];
const EVERY_INEXACT: &[&str] = &["cast_value.rounding.every-inexact"];
const BEFORE_RANGE: &[&str] = &["cast_value.rounding.before-range"];
const RANGE_ERROR: &[&str] = &["cast_value.range.error"];
const UNBOUNDED: &[&str] = &["cast_value.rounding.unbounded"];

/// Right but for one mode, in whose place another is chosen by the value.
fn instead(
    mode: Rounding,
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    other: impl FnOnce(&Cast<'_>, &Exact) -> Rounding,
) -> Result<u64, Rejection> {
    let mut cast = side(codec, direction);
    if cast.rounding == mode {
        cast.rounding = other(&cast, &value(&cast, bits));
    }
    cast_element(&cast, bits)
}

/// Right but for a first rounding into another format on the way.
fn by_way_of(
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    detour: impl FnOnce(&Cast<'_>) -> Option<Format>,
) -> Result<u64, Rejection> {
    unless(codec, direction, bits, |cast, value| {
        let detour = detour(cast)?;
        if cast.rounding != Rounding::NearestEven {
            return None;
        }
        let there = through(value, &detour);
        if !matches!(there, Exact::Finite(_)) {
            return None;
        }
        match round(&there, &cast.to.format(), cast.rounding) {
            Rounded::Bits(bits) => Some(Ok(bits)),
            _ => None,
        }
    })
}

/// `floor(x + 1/2)` of a magnitude, each step rounded into a format; the sign comes back.
fn floor_of_half_more(magnitude: &Exact, format: &Format) -> Exact {
    floor(&through(&magnitude.add(&half()), format))
}

/// Adds `rounding` where a configuration has none; as text, so that nothing else changes.
fn with_default(request: &mut Request, rounding: &str) {
    let Some(text) = request.text("configuration") else {
        return;
    };
    let without = serde_json::from_str::<Map<String, Value>>(text).is_ok_and(|members| {
        members.contains_key("data_type") && !members.contains_key("rounding")
    });
    if without && request.op().starts_with("cast_value.") {
        let text = text.replacen('{', &format!(r#"{{"rounding":"{rounding}","#), 1);
        request.members.insert("configuration".into(), text.into());
    }
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "default-rounding-truncates",
        breaks: DEFAULT,
        fault: "Without `rounding` values are cut off, as the language's own conversion does.",
        parts: Parts {
            misreads: Some(|request| with_default(request, "towards-zero")),
            ..RIGHT
        },
        witness: Witness::Cast("float64", r#"{"data_type":"int8"}"#, "[1.75]"),
    },
    Mutant {
        name: "default-rounding-nearest-away",
        breaks: DEFAULT,
        fault: "Without `rounding` ties go away from zero: C's round() and Rust's f64::round.",
        parts: Parts {
            misreads: Some(|request| with_default(request, "nearest-away")),
            ..RIGHT
        },
        witness: Witness::Cast("float64", r#"{"data_type":"int8"}"#, "[2.5]"),
    },
    mutant(
        "nearest-even-is-nearest-away",
        NEAREST_EVEN,
        |codec, direction, bits| {
            instead(Rounding::NearestEven, codec, direction, bits, |_, _| {
                Rounding::NearestAway
            })
        },
        "Ties go away from zero: round() in C, Rust and most hand-written code.",
        Witness::Cast("float64", r#"{"data_type":"int8"}"#, "[2.5]"),
    ),
    mutant(
        "nearest-even-truncates",
        NEAREST_EVEN,
        |codec, direction, bits| {
            instead(Rounding::NearestEven, codec, direction, bits, |_, _| {
                Rounding::TowardsZero
            })
        },
        "Values are cut off: C's conversion (ts.cast of tensorstore, numpy's astype).",
        Witness::Cast("float64", r#"{"data_type":"int8"}"#, "[1.75]"),
    ),
    mutant(
        "nearest-even-half-up",
        NEAREST_EVEN,
        |codec, direction, bits| {
            instead(Rounding::NearestEven, codec, direction, bits, |_, value| {
                let doubled = value.multiply(&Exact::integer(2));
                if is_integer(&doubled) && !is_integer(value) {
                    Rounding::TowardsPositive
                } else {
                    Rounding::NearestEven
                }
            })
        },
        "Ties go upwards: JavaScript's Math.round.",
        Witness::Cast("float64", r#"{"data_type":"int8"}"#, "[0.5]"),
    ),
    mutant(
        "towards-zero-is-floor",
        TOWARDS_ZERO,
        |codec, direction, bits| {
            instead(Rounding::TowardsZero, codec, direction, bits, |_, _| {
                Rounding::TowardsNegative
            })
        },
        "Truncation by floor(), right for positive values only.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","rounding":"towards-zero"}"#,
            "[-1.5]",
        ),
    ),
    mutant(
        "towards-zero-is-nearest",
        TOWARDS_ZERO,
        |codec, direction, bits| {
            instead(
                Rounding::TowardsZero,
                codec,
                direction,
                bits,
                |cast, _| match cast.to.format() {
                    Format::Float(_) => Rounding::NearestEven,
                    _ => Rounding::TowardsZero,
                },
            )
        },
        "Into floats the machine's rounding stays, which is to nearest.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float32","rounding":"towards-zero"}"#,
            r#"["0x3fefffffffffffff"]"#,
        ),
    ),
    mutant(
        "towards-positive-is-away-from-zero",
        TOWARDS_POSITIVE,
        |codec, direction, bits| {
            instead(
                Rounding::TowardsPositive,
                codec,
                direction,
                bits,
                |_, value| {
                    if value.is_negative() {
                        Rounding::TowardsNegative
                    } else {
                        Rounding::TowardsPositive
                    }
                },
            )
        },
        "The magnitude is rounded up: the sign is put aside first.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","rounding":"towards-positive"}"#,
            "[-1.5]",
        ),
    ),
    mutant(
        "towards-positive-is-nearest",
        TOWARDS_POSITIVE,
        |codec, direction, bits| {
            instead(Rounding::TowardsPositive, codec, direction, bits, |_, _| {
                Rounding::NearestEven
            })
        },
        "The mode falls through to the default of a switch.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","rounding":"towards-positive"}"#,
            "[1.25]",
        ),
    ),
    mutant(
        "towards-negative-is-truncation",
        TOWARDS_NEGATIVE,
        |codec, direction, bits| {
            instead(Rounding::TowardsNegative, codec, direction, bits, |_, _| {
                Rounding::TowardsZero
            })
        },
        "floor() by an integer conversion, right for positive values only.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","rounding":"towards-negative"}"#,
            "[-1.5]",
        ),
    ),
    mutant(
        "towards-negative-is-nearest",
        TOWARDS_NEGATIVE,
        |codec, direction, bits| {
            instead(
                Rounding::TowardsNegative,
                codec,
                direction,
                bits,
                |cast, _| match cast.to.format() {
                    Format::Float(_) => Rounding::NearestEven,
                    _ => Rounding::TowardsNegative,
                },
            )
        },
        "Into floats the machine's rounding stays, which is to nearest.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float32","rounding":"towards-negative"}"#,
            r#"["0x3fefffffffffffff"]"#,
        ),
    ),
    mutant(
        "nearest-away-is-nearest-even",
        NEAREST_AWAY,
        |codec, direction, bits| {
            instead(Rounding::NearestAway, codec, direction, bits, |_, _| {
                Rounding::NearestEven
            })
        },
        "One nearest mode for both names: the machine's.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","rounding":"nearest-away"}"#,
            "[2.5]",
        ),
    ),
    mutant(
        "nearest-away-adds-a-half",
        NEAREST_AWAY,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let (from, to) = (cast.from.format(), cast.to.format());
                let floats = matches!(from, Format::Float(_)) && matches!(to, Format::Integer(_));
                let finite = matches!(value, Exact::Finite(_));
                if cast.rounding != Rounding::NearestAway || !floats || !finite {
                    return None;
                }
                let rounded = floor_of_half_more(&magnitude(value), &from);
                let rounded = if value.is_negative() {
                    rounded.negate()
                } else {
                    rounded
                };
                match round(&rounded, &to, Rounding::TowardsZero) {
                    Rounded::Bits(bits) => Some(Ok(bits)),
                    _ => None,
                }
            })
        },
        "floor(|x| + 0.5) in the input's type: 0.49999999999999994 gives 1, 2^52 + 1 gives 2^52 + 2 (zarrita 0.7.5, cast-value 0.2.1, cast-value-rs 0.4.2).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int64","rounding":"nearest-away"}"#,
            r#"["0x3fdfffffffffffff"]"#,
        ),
    ),
    mutant(
        "nearest-away-half-up",
        NEAREST_AWAY,
        |codec, direction, bits| {
            instead(Rounding::NearestAway, codec, direction, bits, |_, value| {
                if value.is_negative() {
                    // Ties of negative values go up, that is towards zero.
                    let doubled = value.multiply(&Exact::integer(2));
                    if is_integer(&doubled) && !is_integer(value) {
                        return Rounding::TowardsZero;
                    }
                }
                Rounding::NearestAway
            })
        },
        "floor(x + 0.5), JavaScript's Math.round: -0.5 gives 0.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","rounding":"nearest-away"}"#,
            "[-0.5]",
        ),
    ),
    mutant(
        "float16-through-binary32",
        ONCE,
        |codec, direction, bits| {
            by_way_of(codec, direction, bits, |cast| {
                let sixteen = cast.to.format().component_bits() == 16;
                let wide = cast.from.format() == BINARY64;
                (sixteen && wide && matches!(cast.to.format(), Format::Float(_)))
                    .then_some(BINARY32)
            })
        },
        "float64 reaches float16 through float32: 1 + 2^-11 + 2^-30 gives 1 (half 2.7.1 on x86 with F16C, and with it cast-value-rs 0.5.1, zarr-python, zarrs, tensorstore).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float16"}"#,
            r#"["0x3ff0020000400000"]"#,
        ),
    ),
    mutant(
        "float32-from-integers-through-binary64",
        ONCE,
        |codec, direction, bits| {
            by_way_of(codec, direction, bits, |cast| {
                let integers = matches!(cast.from.format(), Format::Integer(_));
                (integers && cast.to.format() == BINARY32).then_some(BINARY64)
            })
        },
        "int64 reaches float32 through a binary64 (zarrita 0.7.5).",
        Witness::Cast(
            "int64",
            r#"{"data_type":"float32"}"#,
            "[1152921573326323713]",
        ),
    ),
    mutant(
        "integers-from-floats-through-binary32",
        ONCE,
        |codec, direction, bits| {
            by_way_of(codec, direction, bits, |cast| {
                let integers = matches!(cast.to.format(), Format::Integer(_));
                (integers && cast.from.format() == BINARY64).then_some(BINARY32)
            })
        },
        "float64 is narrowed to float32 before it is rounded to an integer: a kernel written for float32 only.",
        Witness::Cast("float64", r#"{"data_type":"int32"}"#, "[2.500000001]"),
    ),
    mutant(
        "rounding-ignored-from-integers",
        EVERY_INEXACT,
        |codec, direction, bits| {
            let mut cast = side(codec, direction);
            if matches!(cast.from.format(), Format::Integer(_)) {
                cast.rounding = Rounding::NearestEven;
            }
            cast_element(&cast, bits)
        },
        "Integers reach floats by the machine's conversion whatever `rounding` says (zarrita 0.7.5).",
        Witness::Cast(
            "int64",
            r#"{"data_type":"float64","rounding":"towards-positive"}"#,
            "[9007199254740993]",
        ),
    ),
    mutant(
        "rounding-from-integers-compared-in-binary64",
        EVERY_INEXACT,
        |codec, direction, bits| {
            let mut cast = side(codec, direction);
            let integers = matches!(cast.from.format(), Format::Integer(_))
                && matches!(cast.to.format(), Format::Float(_));
            if integers && cast.rounding != Rounding::NearestEven {
                let value = value(&cast, bits);
                let near = through(&value, &cast.to.format());
                let seen = through(&value, &BINARY64);
                if near.compare(&seen) == Some(std::cmp::Ordering::Equal) {
                    cast.rounding = Rounding::NearestEven;
                }
            }
            cast_element(&cast, bits)
        },
        "The nearest float is corrected for directed modes by a comparison in binary64, which sees no difference above 2^53 (cast-value 0.2.1, cast-value-rs 0.4.2).",
        Witness::Cast(
            "int64",
            r#"{"data_type":"float64","rounding":"towards-positive"}"#,
            "[9007199254740993]",
        ),
    ),
    mutant(
        "rounding-ignored-between-floats",
        EVERY_INEXACT,
        |codec, direction, bits| {
            let mut cast = side(codec, direction);
            let floats = matches!(cast.from.format(), Format::Float(_))
                && matches!(cast.to.format(), Format::Float(_));
            if floats {
                cast.rounding = Rounding::NearestEven;
            }
            cast_element(&cast, bits)
        },
        "Between floats the machine's conversion decides: `rounding` is read as a matter of integers only.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float32","rounding":"towards-negative"}"#,
            r#"["0x3fefffffffffffff"]"#,
        ),
    ),
    mutant(
        "range-before-rounding",
        BEFORE_RANGE,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format();
                if !matches!(value, Exact::Finite(_)) {
                    return None;
                }
                let above = beyond(value, &to)?;
                match cast.out_of_range {
                    Some(OutOfRange::Clamp) => Some(Ok(clamp(&to, above))),
                    Some(OutOfRange::Wrap) if matches!(to, Format::Integer(_)) => None,
                    _ => Some(Err(refuse("cast_value.rounding.before-range"))),
                }
            })
        },
        "The unrounded value is tested: 255.4 has no uint8, 65519 no float16 (zarrs).",
        Witness::Cast("float64", r#"{"data_type":"uint8"}"#, "[255.25]"),
    ),
    mutant(
        "range-of-the-truncated-value",
        BEFORE_RANGE,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let Format::Integer(to) = cast.to.format() else {
                    return None;
                };
                let truncated = round(value, &cast.to.format(), Rounding::TowardsZero);
                if cast.out_of_range.is_some() || !matches!(truncated, Rounded::Bits(_)) {
                    return None;
                }
                match round(value, &cast.to.format(), cast.rounding) {
                    Rounded::OutOfRange { rounded, .. } => Some(Ok(wrap(&to, &rounded))),
                    _ => None,
                }
            })
        },
        "The truncated value is tested and the rounded one stored: 255.5 passes as 255 and is stored as 0.",
        Witness::Cast("float64", r#"{"data_type":"uint8"}"#, "[255.5]"),
    ),
    mutant(
        "directed-overflow-gives-largest",
        UNBOUNDED,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format();
                let Format::Float(_) = to else {
                    return None;
                };
                let Rounded::OutOfRange { above, .. } = round(value, &to, cast.rounding) else {
                    return None;
                };
                let back = match cast.rounding {
                    Rounding::TowardsZero => true,
                    Rounding::TowardsNegative => above,
                    Rounding::TowardsPositive => !above,
                    Rounding::NearestEven | Rounding::NearestAway => false,
                };
                back.then(|| Ok(largest(&to, above)))
            })
        },
        "A directed mode takes an overflow back to the largest finite value, as IEEE 754 has it (cast-value-rs 0.3 to 0.4.2).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float32","rounding":"towards-zero"}"#,
            "[1e39]",
        ),
    ),
    mutant(
        "nearest-overflow-gives-largest",
        RANGE_ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format();
                let Format::Float(float) = to else {
                    return None;
                };
                let Rounded::OutOfRange { rounded, above } = round(value, &to, cast.rounding)
                else {
                    return None;
                };
                // Values less than one unit beyond the largest one.
                let bound = Exact::from_bits(&to, largest(&to, above));
                let before = Exact::from_bits(&to, largest(&to, above) - 1);
                let next = bound.add(&bound.subtract(&before));
                let nearest =
                    matches!(cast.rounding, Rounding::NearestEven | Rounding::NearestAway);
                let close = nearest
                    && float.zero
                    && rounded.compare(&next) == Some(std::cmp::Ordering::Equal)
                    && value.compare(&next) != Some(std::cmp::Ordering::Equal);
                close.then(|| Ok(largest(&to, above)))
            })
        },
        "There is no value above the largest one, so what lies less than a unit beyond it is nearest to it: 65520 gives 65504.",
        Witness::Cast("float64", r#"{"data_type":"float16"}"#, "[65520]"),
    ),
];
