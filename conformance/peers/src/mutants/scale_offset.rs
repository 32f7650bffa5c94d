//! Mutants of `scale_offset`.

use exactum_conformance::model::{
    ArrayCodec, Format, IntegerFormat, Rejection, Rounding, Scalar, ScaleOffset,
};
use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_reference::scale_offset::{decode_element, encode_element};

use super::arithmetic::{BINARY64, bits_through_binary64, floor, is_integer, saturated, through};
use super::{Direction, FillPart, Mutant, Parts, RIGHT, ScalePart, Witness, refuse, walk};

/// A mutant of elements.
const fn mutant(
    name: &'static str,
    breaks: &'static [&'static str],
    scale: ScalePart,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            scale: Some(scale),
            ..RIGHT
        },
        witness,
    }
}

/// A mutant of the fill value.
const fn fill(
    name: &'static str,
    breaks: &'static [&'static str],
    part: FillPart,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            fill: Some(part),
            ..RIGHT
        },
        witness,
    }
}

fn right(codec: &ScaleOffset, direction: Direction, bits: u64) -> Result<u64, Rejection> {
    match direction {
        Direction::Encode => encode_element(codec, bits),
        Direction::Decode => decode_element(codec, bits),
    }
}

/// One operation on exact values.
type Operation = fn(&Exact, &Exact) -> Exact;

/// One step of the codec: the operands as bits, the exact result, the result as the clauses have
/// it.
struct Done<'a> {
    format: &'a Format,
    a: Exact,
    b: Exact,
    exact: Exact,
    right: Result<u64, Rejection>,
}

/// The steps of a direction: the parameter and the operation.
fn steps(codec: &ScaleOffset, direction: Direction) -> [(Option<u64>, Operation); 2] {
    match direction {
        Direction::Encode => [
            (codec.offset, Exact::subtract as Operation),
            (codec.scale, Exact::multiply),
        ],
        Direction::Decode => [
            (codec.scale, Exact::divide as Operation),
            (codec.offset, Exact::add),
        ],
    }
}

/// The codec of the first or of the second step alone.
fn alone(codec: &ScaleOffset, direction: Direction, first: bool) -> ScaleOffset {
    if first == (direction == Direction::Encode) {
        ScaleOffset {
            scale: None,
            ..*codec
        }
    } else {
        ScaleOffset {
            offset: None,
            ..*codec
        }
    }
}

/// Goes through the steps; the fault may replace the result of each.
fn each_step(
    codec: &ScaleOffset,
    direction: Direction,
    bits: u64,
    fault: impl Fn(&Done<'_>) -> Option<Result<u64, Rejection>>,
) -> Result<u64, Rejection> {
    let format = codec.data_type.format();
    let mut bits = bits;
    for (index, (parameter, operation)) in steps(codec, direction).into_iter().enumerate() {
        let Some(parameter) = parameter else {
            continue;
        };
        let (a, b) = (
            Exact::from_bits(&format, bits),
            Exact::from_bits(&format, parameter),
        );
        let done = Done {
            format: &format,
            exact: operation(&a, &b),
            a,
            b,
            right: right(&alone(codec, direction, index == 0), direction, bits),
        };
        bits = match fault(&done) {
            Some(result) => result?,
            None => done.right?,
        };
    }
    Ok(bits)
}

/// Other operations, one after another.
fn computed(
    codec: &ScaleOffset,
    bits: u64,
    operations: &[(Option<u64>, Operation)],
) -> Result<u64, Rejection> {
    let format = codec.data_type.format();
    let mut bits = bits;
    for &(parameter, operation) in operations {
        if let Some(parameter) = parameter {
            let (a, b) = (
                Exact::from_bits(&format, bits),
                Exact::from_bits(&format, parameter),
            );
            bits = stored(&operation(&a, &b), &format)?;
        }
    }
    Ok(bits)
}

/// A result put into the data type as the clauses have it.
fn stored(value: &Exact, format: &Format) -> Result<u64, Rejection> {
    if matches!(format, Format::Integer(_)) && matches!(value, Exact::Finite(_)) && !is_integer(value)
    {
        return Err(refuse("scale_offset.integer.division"));
    }
    match round(value, format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Ok(bits),
        _ => Err(refuse("scale_offset.range.overflow")),
    }
}

/// The exact value of both steps without anything between them.
fn fused(codec: &ScaleOffset, direction: Direction, bits: u64) -> Exact {
    let format = codec.data_type.format();
    let mut value = Exact::from_bits(&format, bits);
    for (parameter, operation) in steps(codec, direction) {
        if let Some(parameter) = parameter {
            value = operation(&value, &Exact::from_bits(&format, parameter));
        }
    }
    value
}

fn is_finite(value: &Exact) -> bool {
    matches!(value, Exact::Zero { .. } | Exact::Finite(_))
}

/// Whether a finite result of finite operands lies outside the range.
fn overflows(done: &Done<'_>) -> Option<bool> {
    match round(&done.exact, done.format, Rounding::NearestEven) {
        Rounded::OutOfRange { above, .. } if is_finite(&done.a) && is_finite(&done.b) => Some(above),
        _ => None,
    }
}

/// An overflow of an integer step.
fn integer_overflow<'a>(done: &'a Done<'_>) -> Option<(&'a IntegerFormat, bool)> {
    match done.format {
        Format::Integer(format) if is_integer(&done.exact) => {
            overflows(done).map(|above| (format, above))
        }
        _ => None,
    }
}

const ENCODE: &[&str] = &["scale_offset.encode"];
const DECODE: &[&str] = &["scale_offset.decode"];
const OFFSET_ABSENT: &[&str] = &["scale_offset.offset.absent"];
const SCALE_ABSENT: &[&str] = &["scale_offset.scale.absent"];
const PARAMETERS_EXACT: &[&str] = &["scale_offset.parameters.exact"];
const ARITHMETIC: &[&str] = &["scale_offset.arithmetic"];
const ROUNDING: &[&str] = &["scale_offset.arithmetic.rounding"];
const INTERMEDIATE: &[&str] = &["scale_offset.range.intermediate"];
const OVERFLOW: &[&str] = &["scale_offset.range.overflow"];
const DIVISION: &[&str] = &["scale_offset.integer.division"];
const NAN: &[&str] = &["scale_offset.special.nan"];
const INFINITY: &[&str] = &["scale_offset.special.infinity"];
const INVALID: &[&str] = &["scale_offset.special.invalid"];
const SIGNED_ZERO: &[&str] = &["scale_offset.signed-zero"];
const FILL: &[&str] = &["scale_offset.fill"];

/// The mutants of this file.
pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "encode-adds-offset",
        ENCODE,
        |codec, direction, bits| match direction {
            Direction::Encode => computed(
                codec,
                bits,
                &[(codec.offset, Exact::add), (codec.scale, Exact::multiply)],
            ),
            Direction::Decode => right(codec, direction, bits),
        },
        "Encoding adds the offset: the decoding formula of CF, taken for encoding.",
        Witness::Scale("int16", r#"{"offset":5}"#, "[7]"),
    ),
    mutant(
        "encode-divides-by-scale",
        ENCODE,
        |codec, direction, bits| match direction {
            Direction::Encode => computed(
                codec,
                bits,
                &[(codec.offset, Exact::subtract), (codec.scale, Exact::divide)],
            ),
            Direction::Decode => right(codec, direction, bits),
        },
        "Encoding divides by the scale, as CF and GDAL define scale_factor.",
        Witness::Scale("int16", r#"{"scale":2}"#, "[6]"),
    ),
    mutant(
        "encode-scales-first",
        ENCODE,
        |codec, direction, bits| match direction {
            Direction::Encode => computed(
                codec,
                bits,
                &[(codec.scale, Exact::multiply), (codec.offset, Exact::subtract)],
            ),
            Direction::Decode => right(codec, direction, bits),
        },
        "in * scale - offset: the steps in the other order.",
        Witness::Scale("int16", r#"{"offset":5,"scale":2}"#, "[7]"),
    ),
    mutant(
        "decode-multiplies-by-scale",
        DECODE,
        |codec, direction, bits| match direction {
            Direction::Encode => right(codec, direction, bits),
            Direction::Decode => computed(
                codec,
                bits,
                &[(codec.scale, Exact::multiply), (codec.offset, Exact::add)],
            ),
        },
        "Decoding multiplies, as CF and GDAL define scale_factor and many users expect.",
        Witness::Unscale("int16", r#"{"scale":2}"#, "[6]"),
    ),
    mutant(
        "decode-multiplies-by-the-reciprocal",
        DECODE,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            match (direction, codec.scale, format) {
                (Direction::Decode, Some(scale), Format::Float(_)) => {
                    let scale = Exact::from_bits(&format, scale);
                    let reciprocal = stored(&Exact::integer(1).divide(&scale), &format);
                    let unchanged = !matches!(scale, Exact::Finite(_));
                    match (reciprocal, unchanged) {
                        (Ok(reciprocal), false) => computed(
                            codec,
                            bits,
                            &[(Some(reciprocal), Exact::multiply), (codec.offset, Exact::add)],
                        ),
                        _ => right(codec, direction, bits),
                    }
                }
                _ => right(codec, direction, bits),
            }
        },
        "Decoding multiplies by 1 / scale, computed once because it is faster: 3 / 10 gives 0.30000000000000004.",
        Witness::Unscale("float64", r#"{"scale":10}"#, "[3]"),
    ),
    mutant(
        "decode-subtracts-offset",
        DECODE,
        |codec, direction, bits| match direction {
            Direction::Encode => right(codec, direction, bits),
            Direction::Decode => computed(
                codec,
                bits,
                &[(codec.scale, Exact::divide), (codec.offset, Exact::subtract)],
            ),
        },
        "Decoding subtracts the offset: the sign is not turned with the direction.",
        Witness::Unscale("int16", r#"{"offset":5}"#, "[7]"),
    ),
    mutant(
        "decode-adds-first",
        DECODE,
        |codec, direction, bits| match direction {
            Direction::Encode => right(codec, direction, bits),
            Direction::Decode => computed(
                codec,
                bits,
                &[(codec.offset, Exact::add), (codec.scale, Exact::divide)],
            ),
        },
        "(in + offset) / scale: the steps in encoding order.",
        Witness::Unscale("int16", r#"{"offset":4,"scale":2}"#, "[6]"),
    ),
    mutant(
        "absent-offset-adds-zero",
        OFFSET_ABSENT,
        |codec, direction, bits| {
            let result = right(codec, direction, bits)?;
            let format = codec.data_type.format();
            let added = codec.offset.is_none() && direction == Direction::Decode;
            Ok(match format.float() {
                Some(float) if added && float.is_zero(result) => 0,
                _ => result,
            })
        },
        "The missing offset is a 0 that is added: -0 decodes to +0 (zarr-python, zarrita; upstream's identity element read literally).",
        Witness::Unscale("float32", r#"{"scale":2}"#, "[-0.0]"),
    ),
    mutant(
        "absent-offset-is-rejected",
        OFFSET_ABSENT,
        |codec, direction, bits| {
            if codec.offset.is_none() {
                return Err(refuse("scale_offset.offset.absent"));
            }
            right(codec, direction, bits)
        },
        "Both parameters are taken for granted (zarrita 0.7.5 throws without a configuration).",
        Witness::Scale("float32", r#"{"scale":2}"#, "[1]"),
    ),
    mutant(
        "absent-scale-is-zero",
        SCALE_ABSENT,
        |codec, direction, bits| {
            if codec.scale.is_none() && direction == Direction::Encode {
                right(codec, direction, bits)?;
                return Ok(0);
            }
            right(codec, direction, bits)
        },
        "The missing scale is the type's default, 0.",
        Witness::Scale("int16", r#"{"offset":1}"#, "[5]"),
    ),
    mutant(
        "absent-scale-skips-the-offset",
        SCALE_ABSENT,
        |codec, direction, bits| {
            if codec.scale.is_none() {
                return Ok(bits);
            }
            right(codec, direction, bits)
        },
        "Without a scale the whole codec is left out.",
        Witness::Scale("int16", r#"{"offset":1}"#, "[5]"),
    ),
    mutant(
        "parameters-through-binary64",
        PARAMETERS_EXACT,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            let seen = |parameter: Option<u64>| {
                parameter.map(|bits| bits_through_binary64(&format, bits))
            };
            let codec = ScaleOffset {
                offset: seen(codec.offset),
                scale: seen(codec.scale),
                ..*codec
            };
            right(&codec, direction, bits)
        },
        "The parameters are JSON numbers in binary64: integers above 2^53 are off (zarrita 0.7.5).",
        Witness::Scale("int64", r#"{"offset":9007199254740993}"#, "[9007199254740994]"),
    ),
    mutant(
        "integers-computed-in-binary64",
        ARITHMETIC,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Integer(_) if done.right.is_ok() => {
                    let double = through(&done.exact, &BINARY64);
                    Some(Ok(saturated(&double, done.format)))
                }
                _ => None,
            })
        },
        "int64 is computed in binary64: a language with one kind of number, or a kernel that serves all types.",
        Witness::Scale("int64", r#"{"offset":1}"#, "[9007199254740994]"),
    ),
    mutant(
        "promoted-to-binary64",
        ARITHMETIC,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            let right = right(codec, direction, bits);
            if !matches!(format, Format::Float(_)) || format == BINARY64 || right.is_err() {
                return right;
            }
            let mut value = Exact::from_bits(&format, bits);
            for (parameter, operation) in steps(codec, direction) {
                if let Some(parameter) = parameter {
                    value = through(
                        &operation(&value, &Exact::from_bits(&format, parameter)),
                        &BINARY64,
                    );
                }
            }
            stored(&value, &format)
        },
        "float16 and float32 are computed in binary64 and rounded once (zarrita 0.7.5).",
        Witness::Unscale("float32", r#"{"offset":-10.1,"scale":0.1}"#, "[1]"),
    ),
    mutant(
        "fused",
        ARITHMETIC,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            let right = right(codec, direction, bits);
            if !matches!(format, Format::Float(_)) || right.is_err() {
                return right;
            }
            stored(&fused(codec, direction, bits), &format)
        },
        "Both steps are rounded once: a fused multiply-add, which compilers may choose.",
        Witness::Unscale("float64", r#"{"offset":-30.1,"scale":0.1}"#, "[3]"),
    ),
    mutant(
        "integers-divided-in-binary32",
        ARITHMETIC,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Integer(_) if done.right.is_ok() => {
                    let single = through(&done.exact, &super::arithmetic::BINARY32);
                    Some(Ok(saturated(&single, done.format)))
                }
                _ => None,
            })
        },
        "Integer elements are computed in float32: a kernel on a GPU, where that is what is fast.",
        Witness::Scale("int32", r#"{"offset":1}"#, "[16777218]"),
    ),
    mutant(
        "inexact-steps-rejected",
        ROUNDING,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                let floats = matches!(done.format, Format::Float(_));
                let result = Exact::from_bits(done.format, *done.right.as_ref().ok()?);
                let inexact = matches!(done.exact, Exact::Finite(_))
                    && result.compare(&done.exact) != Some(std::cmp::Ordering::Equal);
                (floats && inexact).then(|| Err(refuse("scale_offset.arithmetic.rounding")))
            })
        },
        "\"Not representable\" read literally: every inexact step of a float is rejected.",
        Witness::Scale("float32", r#"{"scale":0.1}"#, "[3]"),
    ),
    mutant(
        "steps-truncate",
        ROUNDING,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                done.right.as_ref().ok()?;
                match (
                    done.format,
                    round(&done.exact, done.format, Rounding::TowardsZero),
                ) {
                    (Format::Float(_), Rounded::Bits(bits)) => Some(Ok(bits)),
                    _ => None,
                }
            })
        },
        "Steps are cut off instead of rounded: a software float, or a CPU in another rounding mode.",
        Witness::Scale("float32", r#"{"scale":0.1}"#, "[3]"),
    ),
    mutant(
        "steps-round-ties-away",
        ROUNDING,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                done.right.as_ref().ok()?;
                match (
                    done.format,
                    round(&done.exact, done.format, Rounding::NearestAway),
                ) {
                    (Format::Float(_), Rounded::Bits(bits)) => Some(Ok(bits)),
                    _ => None,
                }
            })
        },
        "Ties of a step go away from zero: a software float that adds half a unit.",
        Witness::Scale("float32", r#"{"offset":-1}"#, "[16777216]"),
    ),
    mutant(
        "subnormal-steps-flushed",
        ROUNDING,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                let float = done.format.float()?;
                let result = *done.right.as_ref().ok()?;
                let field = result >> float.mantissa_bits & float.max_exponent_field();
                (float.zero && field == 0 && !float.is_nan(result))
                    .then(|| Ok(result & float.sign_mask()))
            })
        },
        "Subnormal results are flushed to zero, the CPU's fast mode.",
        Witness::Scale("float32", r#"{"scale":0.5}"#, r#"["0x00800000"]"#),
    ),
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
        "overflow-is-infinity",
        OVERFLOW,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| match done.format {
                Format::Float(_) => {
                    overflows(done).map(|above| Ok(clamp(done.format, above)))
                }
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
                Format::Float(_) => overflows(done)
                    .map(|above| Ok(super::arithmetic::largest(done.format, above))),
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
    mutant(
        "nan-rejected-when-scaled",
        NAN,
        |codec, direction, bits| {
            if Exact::from_bits(&codec.data_type.format(), bits) == Exact::Nan {
                return Err(refuse("scale_offset.special.nan"));
            }
            right(codec, direction, bits)
        },
        "A check that every value is finite stands in front of the codec.",
        Witness::Scale("float32", r#"{"scale":2}"#, r#"["NaN"]"#),
    ),
    mutant(
        "nan-scaled-to-zero",
        NAN,
        |codec, direction, bits| {
            if Exact::from_bits(&codec.data_type.format(), bits) == Exact::Nan {
                return Ok(0);
            }
            right(codec, direction, bits)
        },
        "NaN becomes 0: missing values are filled before the arithmetic.",
        Witness::Scale("float32", r#"{"scale":2}"#, r#"["NaN"]"#),
    ),
    mutant(
        "infinity-rejected-when-scaled",
        INFINITY,
        |codec, direction, bits| {
            let value = Exact::from_bits(&codec.data_type.format(), bits);
            if matches!(value, Exact::Infinite { .. }) {
                return Err(refuse("scale_offset.special.infinity"));
            }
            right(codec, direction, bits)
        },
        "The result is infinite, so the check for overflows rejects it: nobody asked what the input was.",
        Witness::Scale("float32", r#"{"scale":2}"#, r#"["Infinity"]"#),
    ),
    mutant(
        "infinity-keeps-its-sign",
        INFINITY,
        |codec, direction, bits| {
            let result = right(codec, direction, bits)?;
            let value = Exact::from_bits(&codec.data_type.format(), bits);
            Ok(if matches!(value, Exact::Infinite { .. }) {
                bits
            } else {
                result
            })
        },
        "Infinities are passed by as they are, past a negative scale too.",
        Witness::Scale("float32", r#"{"scale":-2}"#, r#"["Infinity"]"#),
    ),
    mutant(
        "invalid-gives-nan",
        INVALID,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                let arises =
                    done.exact == Exact::Nan && done.a != Exact::Nan && done.b != Exact::Nan;
                arises
                    .then(|| done.format.float().and_then(|float| float.nan_bits()))
                    .flatten()
                    .map(Ok)
            })
        },
        "Infinity less infinity gives NaN, as IEEE 754 has it (zarr-python 3.3.0, zarrita 0.7.5).",
        Witness::Scale("float32", r#"{"offset":"Infinity"}"#, r#"["Infinity"]"#),
    ),
    mutant(
        "zeros-lose-their-sign",
        SIGNED_ZERO,
        |codec, direction, bits| {
            let result = right(codec, direction, bits)?;
            let computed = codec.offset.is_some() || codec.scale.is_some();
            Ok(match codec.data_type.format().float() {
                Some(float) if computed && float.is_zero(result) => 0,
                _ => result,
            })
        },
        "Every zero comes out positive: results are normalised by adding 0.",
        Witness::Scale("float32", r#"{"scale":-1}"#, "[0.0]"),
    ),
    mutant(
        "difference-is-negative-zero",
        SIGNED_ZERO,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                let float = done.format.float()?;
                let cancelled = matches!((&done.a, &done.b), (Exact::Finite(_), Exact::Finite(_)))
                    && matches!(done.exact, Exact::Zero { .. });
                cancelled.then(|| Ok(float.sign_mask()))
            })
        },
        "x - x gives -0: the rule of the rounding mode towards negative.",
        Witness::Scale("float32", r#"{"offset":5}"#, "[5]"),
    ),
    mutant(
        "zero-product-is-positive",
        SIGNED_ZERO,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                let zero = matches!(
                    (&done.a, &done.b, &done.exact),
                    (
                        Exact::Zero { .. },
                        Exact::Finite(_),
                        Exact::Zero { negative: true }
                    )
                );
                zero.then_some(Ok(0))
            })
        },
        "A zero is passed by: 0 times -1 stays 0, and -0 divided by anything becomes 0.",
        Witness::Scale("float32", r#"{"scale":-1}"#, "[0.0]"),
    ),
    fill(
        "scale-offset-fill-unchanged",
        FILL,
        |_, step, before| match &step.codec {
            ArrayCodec::ScaleOffset(_) => Ok(before),
            _ => walk::fill(&RIGHT, step, before),
        },
        "The fill value is left as it is (zarrita 0.7.5: the published uint16 example cannot be read).",
        Witness::Resolve("int16", "1000", "[4]", OFFSET_1000),
    ),
    fill(
        "scale-offset-fill-decoded",
        FILL,
        |_, step, before| match &step.codec {
            ArrayCodec::ScaleOffset(_) => walk::decoded_fill(&RIGHT, step, before),
            _ => walk::fill(&RIGHT, step, before),
        },
        "The fill value is transformed in the decoding direction.",
        Witness::Resolve("int16", "1000", "[4]", OFFSET_1000),
    ),
    fill(
        "scale-offset-fill-must-be-representable",
        FILL,
        |_, step, before| match &step.codec {
            ArrayCodec::ScaleOffset(_) => {
                let after = walk::encoded_fill(&RIGHT, step, before);
                Ok(after.unwrap_or_else(|_| Scalar::new(step.data_type, 0)))
            }
            _ => walk::fill(&RIGHT, step, before),
        },
        "A fill value that the codec rejects becomes 0 instead of making the metadata invalid.",
        Witness::Resolve("uint16", "999", "[4]", OFFSET_1000),
    ),
];

/// `scale_offset` with offset 1000, and the bytes behind it.
const OFFSET_1000: &str = r#"[{"name":"scale_offset","configuration":{"offset":1000}},{"name":"bytes","configuration":{"endian":"little"}}]"#;
