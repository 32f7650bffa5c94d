//! Mutants of `scale_offset`: types of 8 bits and less.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        of_elements("small-floats-in-binary32", "scale_offset.arithmetic",
            "Small floats are widened to float32, and only the result is rounded, because no \
             library has arithmetic for them.",
            |it| {
                let small = it.format.component_bits() <= 8 && is_finite(&it.value);
                it.float()?
                    .when(small)?
                    .with_steps(|value| through(&value, &BINARY32))
            }),
        step("int4-steps-in-a-byte", "scale_offset.range.intermediate",
            "The range of the byte that holds the element is tested: int4 wraps silently.",
            |it| {
                let format = it.integer_over().filter(|format| format.bits < 8)?;
                let byte = Format::Integer(IntegerFormat { bits: 8, ..format });
                match round(&it.exact, &byte, Rounding::NearestEven) {
                    Rounded::Bits(bits) => give(bits & format.mask()),
                    _ => None,
                }
            }),
        of_elements("no-zero-needs-an-offset", "scale_offset.offset.absent",
            "Without an offset, 0 is subtracted; since float8_e8m0fnu has no 0, every element is rejected.",
            |it| {
                it.when(!it.format.float()?.zero && it.codec.offset.is_none())
                    .and_then(|_| reject())
            }),
        step("fnuz-negative-product-is-nan", "scale_offset.signed-zero",
            "0 times a negative number gets its sign bit in a fnuz type, where 80 is NaN.",
            |it| {
                let float = it
                    .format
                    .float()
                    .filter(|float| float.zero && !float.negative_zero)?;
                it.when(matches!(it.exact, Exact::Zero { negative: true }))?;
                give(float.sign_mask())
            }),
    ]
}
