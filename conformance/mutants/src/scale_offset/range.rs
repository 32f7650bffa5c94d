//! Mutants of `scale_offset`: range and division.

use super::*;

const INTERMEDIATE: &[&str] = &["scale_offset.range.intermediate"];
const OVERFLOW: &[&str] = &["scale_offset.range.overflow"];
const NO_ZERO: &[&str] = &["scale_offset.range.no-zero"];
const DIVISION: &[&str] = &["scale_offset.integer.division"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "integers-wrap",
        INTERMEDIATE,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                integer_overflow(done).map(|(format, _)| Ok(wrap(format, &done.exact)))
            })
        },
        "Integer steps wrap silently: numpy, C (zarrita 0.7.5 on decoding).",
        Witness::Scale("int8", r#"{"offset":-100}"#, "[100]"),
    ),
    mutant(
        "int64-wraps",
        INTERMEDIATE,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                integer_overflow(done)
                    .filter(|(format, _)| format.bits == 64)
                    .map(|(format, _)| Ok(wrap(format, &done.exact)))
            })
        },
        "Steps are checked in a wider type, but the wider type of 64 bits is 64 bits (zarr-python 3.3.0 corrupts int64 so).",
        Witness::Scale("int64", r#"{"scale":2}"#, "[4611686018427387904]"),
    ),
    mutant(
        "integers-saturate",
        INTERMEDIATE,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                integer_overflow(done).map(|(_, above)| Ok(clamp(done.format, above)))
            })
        },
        "Integer steps saturate, as SIMD instructions offer it.",
        Witness::Scale("uint8", r#"{"offset":5}"#, "[3]"),
    ),
    mutant(
        "intermediates-unchecked",
        INTERMEDIATE,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            let value = fused(codec, direction, bits);
            let first = steps(codec, direction)[0];
            let inexact = direction == Direction::Decode
                && first.0.is_some_and(|scale| {
                    let [a, b] = [bits, scale].map(|bits| Exact::from_bits(&format, bits));
                    !is_integer(&a.divide(&b))
                });
            if !matches!(format, Format::Integer(_)) || inexact {
                return right(codec, direction, bits);
            }
            stored(&value, &format)
        },
        "Integers are computed in a wider type and only the end is checked (zarr-python 3.3.0: int8 (0 - -128) * -1 gives -128).",
        Witness::Scale("int8", r#"{"offset":-1,"scale":-1}"#, "[127]"),
    ),
    mutant(
        "no-zero-is-the-smallest",
        NO_ZERO,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Float(format) if !format.zero && !is_positive(&done.exact) => Some(Ok(0)),
                _ => None,
            })
        },
        "In float8_e8m0fnu a difference of zero is stored as the code 00, which is 2^-127.",
        Witness::Scale("float8_e8m0fnu", r#"{"offset":1}"#, "[1.0]"),
    ),
    mutant(
        "no-zero-is-nan",
        NO_ZERO,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Float(format) if !format.zero && !is_positive(&done.exact) => {
                    format.nan_bits().map(Ok)
                }
                _ => None,
            })
        },
        "In float8_e8m0fnu what is zero or negative becomes NaN, as in casts of ml_dtypes 0.6.0.",
        Witness::Scale("float8_e8m0fnu", r#"{"offset":2}"#, "[1.0]"),
    ),
    mutant(
        "overflow-is-infinity",
        OVERFLOW,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Float(_) => overflows(done).map(|above| Ok(clamp(done.format, above))),
                _ => None,
            })
        },
        "A float step overflows to infinity (zarr-python 3.3.0 does not check, zarrita 0.7.5).",
        Witness::Scale("float32", r#"{"scale":10}"#, "[3e38]"),
    ),
    mutant(
        "overflow-saturates",
        OVERFLOW,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Float(_) => {
                    overflows(done).map(|above| Ok(crate::arithmetic::largest(done.format, above)))
                }
                _ => None,
            })
        },
        "A float step stops at the largest finite value.",
        Witness::Scale("float16", r#"{"scale":10}"#, "[60000]"),
    ),
    mutant(
        "only-the-end-overflows",
        OVERFLOW,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            match right(codec, direction, bits) {
                Err(_) if matches!(format, Format::Float(_)) => {
                    stored(&fused(codec, direction, bits), &format)
                }
                result => result,
            }
        },
        "The first step runs in a wider type, so 60000 / 0.5 - 60000 fits in float16 again (zarrita 0.7.5).",
        Witness::Unscale("float16", r#"{"offset":-60000,"scale":0.5}"#, "[60000]"),
    ),
    mutant(
        "division-truncates",
        DIVISION,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Integer(_) if !is_integer(&done.exact) => {
                    Some(Ok(saturated(&done.exact, done.format)))
                }
                _ => None,
            })
        },
        "7 / 2 gives 3: the language's division (zarrita 0.7.5).",
        Witness::Unscale("int16", r#"{"scale":2}"#, "[7]"),
    ),
    mutant(
        "division-floors",
        DIVISION,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Integer(_) if !is_integer(&done.exact) && is_finite(&done.exact) => {
                    stored(&floor(&done.exact), done.format).ok().map(Ok)
                }
                _ => None,
            })
        },
        "-7 / 2 gives -4: Python's and numpy's `//`.",
        Witness::Unscale("int16", r#"{"scale":2}"#, "[-7]"),
    ),
    mutant(
        "division-rounds",
        DIVISION,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Integer(_) if is_finite(&done.exact) && !is_integer(&done.exact) => {
                    match round(&done.exact, done.format, Rounding::NearestEven) {
                        Rounded::Bits(bits) => Some(Ok(bits)),
                        _ => None,
                    }
                }
                _ => None,
            })
        },
        "The quotient is a float that is rounded back: numpy's `/` and rint.",
        Witness::Unscale("int16", r#"{"scale":2}"#, "[7]"),
    ),
];
