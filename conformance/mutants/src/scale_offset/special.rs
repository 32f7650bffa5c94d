//! Mutants of `scale_offset`: NaN, infinity and zeros.

use super::*;

const NAN: &[&str] = &["scale_offset.special.nan"];
const INFINITY: &[&str] = &["scale_offset.special.infinity"];
const INVALID: &[&str] = &["scale_offset.special.invalid"];
const SIGNED_ZERO: &[&str] = &["scale_offset.signed-zero"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
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
];
