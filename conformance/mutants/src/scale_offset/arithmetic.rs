//! Mutants of `scale_offset`: the arithmetic of the data type.

use super::*;

const ARITHMETIC: &[&str] = &["scale_offset.arithmetic"];
const ROUNDING: &[&str] = &["scale_offset.arithmetic.rounding"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
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
                    let single = through(&done.exact, &crate::arithmetic::BINARY32);
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
];
