//! Mutants of `scale_offset`: types of 8 bits and less.

use super::*;
use crate::arithmetic::BINARY32;

const ARITHMETIC: &[&str] = &["scale_offset.arithmetic"];
const INTERMEDIATE: &[&str] = &["scale_offset.range.intermediate"];
const OFFSET_ABSENT: &[&str] = &["scale_offset.offset.absent"];
const SIGNED_ZERO: &[&str] = &["scale_offset.signed-zero"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "small-floats-in-binary32",
        ARITHMETIC,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            let value = Exact::from_bits(&format, bits);
            let small = format.component_bits() <= 8 && matches!(format, Format::Float(_));
            if !small || !is_finite(&value) {
                return right(codec, direction, bits);
            }
            let mut value = value;
            for (parameter, operation) in steps(codec, direction) {
                if let Some(parameter) = parameter {
                    let exact = operation(&value, &Exact::from_bits(&format, parameter));
                    value = through(&exact, &BINARY32);
                }
            }
            stored(&value, &format)
        },
        "Small floats are widened to float32, and only the end is rounded: there is no arithmetic for them anywhere else.",
        Witness::Scale(
            "float8_e4m3",
            r#"{"offset":1,"scale":1.5}"#,
            r#"["0x40", "0x4d", "0x2d"]"#,
        ),
    ),
    mutant(
        "int4-steps-in-a-byte",
        INTERMEDIATE,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                let (format, _) = integer_overflow(done)?;
                let byte = Format::Integer(IntegerFormat { bits: 8, ..*format });
                match round(&done.exact, &byte, Rounding::NearestEven) {
                    Rounded::Bits(bits) if format.bits < 8 => Some(Ok(bits & format.mask())),
                    _ => None,
                }
            })
        },
        "The range that is tested is that of the byte which holds the element: int4 wraps silently.",
        Witness::Scale("int4", r#"{"scale":2}"#, "[7]"),
    ),
    mutant(
        "no-zero-needs-an-offset",
        OFFSET_ABSENT,
        |codec, direction, bits| {
            let without_zero = codec
                .data_type
                .format()
                .float()
                .is_some_and(|format| !format.zero);
            if without_zero && codec.offset.is_none() {
                return Err(refuse("scale_offset.offset.absent"));
            }
            right(codec, direction, bits)
        },
        "Without an offset 0 is subtracted, and float8_e8m0fnu has no 0: nothing goes through.",
        Witness::Scale("float8_e8m0fnu", r#"{"scale":2}"#, "[1.0]"),
    ),
    mutant(
        "fnuz-negative-product-is-nan",
        SIGNED_ZERO,
        |codec, direction, bits| {
            each_step(codec, direction, bits, |done| {
                let format = done
                    .format
                    .float()
                    .filter(|it| it.zero && !it.negative_zero)?;
                matches!(done.exact, Exact::Zero { negative: true }).then(|| Ok(format.sign_mask()))
            })
        },
        "0 times a negative number gets its sign bit in a fnuz type, where 80 is NaN.",
        Witness::Scale("float8_e4m3fnuz", r#"{"scale":-2}"#, "[0.0]"),
    ),
];
