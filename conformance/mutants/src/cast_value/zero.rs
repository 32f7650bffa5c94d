//! Mutants of `cast_value`: zeros.

use super::*;

/// Returns whether a finite value lies halfway between two powers of two.
pub(super) fn is_three(value: &Exact) -> bool {
    let Exact::Finite(finite) = value else {
        return false;
    };
    let (quanta, rest, _) = finite.in_quanta(finite.floor_log2() - 1);
    quanta.bits() == 2 && quanta.bit(0) && rest.bits() == 0
}

impl Element<'_> {
    /// Requires a float target type without zero.
    pub(super) fn to_no_zero(&self) -> Option<&Self> {
        self.when(self.to.float().is_some_and(|to| !to.zero))
    }
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("negative-zero-lost", "cast_value.special.signed-zero",
            "-0 becomes 0 between floats: a value that went through an integer, or had 0 added.",
            |it| it.zero()?.negative().and_then(|_| give(0))),
        mutant("rounded-zero-loses-sign", "cast_value.special.signed-zero",
            "A negative value that rounds to zero becomes +0: the path for underflow returns a constant.",
            |it| {
                let result = it.finite()?.with(|_| ())?.ok()?;
                it.to
                    .float()
                    .filter(|to| to.is_zero(result))
                    .and_then(|_| give(0))
            }),
        mutant("negative-zero-rejected", "cast_value.special.zero-sign-lost",
            "-0 into an integer is rejected, because its bits do not survive (zarrs rejects it as a fill value).",
            |it| it.zero()?.negative()?.to_integer().and_then(|_| reject())),
        mutant("negative-zero-below-unsigned", "cast_value.special.zero-sign-lost",
            "Any value whose sign bit is set, including -0, is below the range of an unsigned type.",
            |it| {
                let to = integer(&it.rule(ABSENT)?.negative()?.to)?;
                it.when(!to.signed && it.result() == Some(0))
                    .and_then(|_| reject())
            }),
        mutant("no-zero-takes-zero", "cast_value.rounding.no-zero",
            "Zero becomes the code 0, which means 2^-127 in that type (tensorstore accepts it in a fill value).",
            |it| it.to_no_zero()?.zero().and_then(|_| give(0))),
        mutant("no-zero-ties-to-smaller", "cast_value.rounding.no-zero",
            "Ties go to the smaller power of two, as if the mantissa were truncated.",
            |it| {
                it.to_no_zero()?
                    .mode(Rounding::NearestEven)?
                    .when(is_three(&it.value))?
                    .by(Rounding::TowardsZero)
            }),
    ]
}
