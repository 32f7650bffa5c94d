//! Mutants of `scale_offset`: NaN, infinity and zeros.

use super::*;

impl Element<'_> {
    fn nan(&self) -> Option<&Self> {
        self.when(self.value == Exact::Nan)
    }

    fn infinite(&self) -> Option<&Self> {
        self.when(matches!(self.value, Exact::Infinite { .. }))
    }
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        of_elements("nan-rejected-when-scaled", "scale_offset.special.nan",
            "The codec first checks that every value is finite.",
            |it| it.nan().and_then(|_| reject())),
        of_elements("nan-scaled-to-zero", "scale_offset.special.nan",
            "NaN becomes 0: missing values are filled before the arithmetic.",
            |it| it.nan().and_then(|_| give(0))),
        of_elements("infinity-rejected-when-scaled", "scale_offset.special.infinity",
            "An infinite result is rejected as an overflow, even if the input is infinite.",
            |it| it.infinite().and_then(|_| reject())),
        of_elements("infinity-keeps-its-sign", "scale_offset.special.infinity",
            "Infinities are not transformed, not even by a negative scale.",
            |it| it.infinite()?.right().ok().and_then(|_| give(it.bits))),
        of_elements("zeros-lose-their-sign", "scale_offset.signed-zero",
            "Every zero becomes positive: results are normalised by adding 0.",
            |it| {
                it.codec.offset.or(it.codec.scale)?;
                let result = it.right().ok()?;
                it.format
                    .float()
                    .filter(|float| float.is_zero(result))
                    .and_then(|_| give(0))
            }),
        step("difference-is-negative-zero", "scale_offset.signed-zero",
            "x - x gives -0: the rule of the rounding mode towards negative.",
            |it| {
                let finite = matches!((&it.a, &it.b), (Exact::Finite(_), Exact::Finite(_)));
                it.when(finite && matches!(it.exact, Exact::Zero { .. }))?;
                give(it.format.float()?.sign_mask())
            }),
        step("zero-product-is-positive", "scale_offset.signed-zero",
            "Zeros are not transformed: 0 times -1 stays 0, and -0 divided by anything becomes 0.",
            |it| {
                let (Exact::Zero { .. }, Exact::Finite(_)) = (&it.a, &it.b) else {
                    return None;
                };
                it.when(matches!(it.exact, Exact::Zero { negative: true }))
                    .and_then(|_| give(0))
            }),
    ]
}
