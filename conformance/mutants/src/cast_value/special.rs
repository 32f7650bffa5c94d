//! Mutants of `cast_value`: NaN and infinity.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("nan-becomes-zero", "cast_value.special.nan",
            "NaN becomes 0 between floats: a sanitising step that was meant for integers.",
            |it| it.nan()?.to_float().and_then(|_| give(0))),
        mutant("nan-rejected", "cast_value.special.nan",
            "NaN is rejected wherever it is not mapped: one check for all types.",
            |it| it.nan().and_then(|_| reject())),
        mutant("nan-payload-shifted-out", "cast_value.special.nan",
            "Narrowing shifts the mantissa, so a NaN whose payload is in the lost bits becomes \
             infinity: a classic of hand-written float16 code.",
            |it| {
                let (from, to) = (it.nan()?.from.float()?, it.to.float()?);
                let lost = from.mantissa_bits.checked_sub(to.mantissa_bits)?;
                it.when(lost > 0)?;
                give(to.infinity_bits()? | (it.bits & from.mantissa_mask()) >> lost)
            }),
        mutant("nan-error-gives-zero", "cast_value.special.nan-error",
            "NaN becomes integer 0: Rust's `as`, and ARM's conversion.",
            |it| it.rule(ABSENT)?.nan()?.to_integer().and_then(|_| give(0))),
        mutant("nan-error-gives-minimum", "cast_value.special.nan-error",
            "NaN becomes the smallest integer: the x86 conversion, and therefore C and numpy on x86.",
            |it| it.nan()?.to_integer()?.largest(false)),
        mutant("nan-error-clamped", "cast_value.special.nan-error",
            "Under clamp, `max(min, x)` with a NaN gives the bound: fmax and fmin skip NaN.",
            |it| it.rule(CLAMP)?.nan()?.to_integer()?.largest(false)),
        mutant("nan-error-wrapped", "cast_value.special.nan-error",
            "Under wrap NaN becomes 0, as in JavaScript's ToInt32 and its typed arrays.",
            |it| it.rule(WRAP)?.nan()?.to_integer().and_then(|_| give(0))),
        mutant("infinity-out-of-range", "cast_value.special.infinity",
            "Infinity is greater than the largest finite value, so the range test rejects it between floats too.",
            |it| it.infinite().and_then(|_| reject())),
        mutant("infinity-becomes-largest-finite", "cast_value.special.infinity",
            "Infinity saturates to the largest finite value, as in conversions for machine learning.",
            |it| {
                it.infinite()?
                    .to_float()?
                    .when(it.cast.from != it.cast.to)?
                    .largest(it.above())
            }),
        mutant("infinity-loses-sign", "cast_value.special.infinity",
            "The sign is dropped where the exponent is all ones: a branch for special values that forgets it.",
            |it| {
                it.infinite()?.negative()?;
                give(it.to.float()?.infinity_bits()?)
            }),
        mutant("infinity-error-clamped", "cast_value.special.infinity-error",
            "Clamp turns infinity into the largest integer (cast-value-rs 0.4.2, whose own test expects it).",
            |it| it.no_infinity(CLAMP)?.largest(it.above())),
        mutant("infinity-error-wrapped", "cast_value.special.infinity-error",
            "Wrap turns infinity into 0, as JavaScript's typed arrays do.",
            |it| it.no_infinity(WRAP).and_then(|_| give(0))),
        mutant("infinity-error-saturates", "cast_value.special.infinity-error",
            "Without out_of_range infinity becomes the largest integer (cast-value-rs 0.4.2 from float16).",
            |it| it.no_infinity(ABSENT)?.largest(it.above())),
    ]
}
