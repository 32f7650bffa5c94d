//! Mutants of `cast_value`: values out of range, rejected or clamped.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("range-error-saturates", "cast_value.range.error",
            "Without out_of_range integers saturate: Rust's `as`, which every careless port has.",
            |it| it.over(ABSENT)?.to_integer()?.clamp(it.above())),
        mutant("range-error-wraps", "cast_value.range.error",
            "Without out_of_range integers wrap: numpy's and C's conversion (ts.cast of tensorstore).",
            |it| it.over(ABSENT)?.wrap(it.far())),
        mutant("range-error-float-overflow-is-infinity", "cast_value.range.overflow",
            "Without out_of_range floats overflow to infinity silently (zarrita 0.7.5; cast-value-rs 0.4.2 for integers into float16).",
            |it| it.over(ABSENT)?.to_float()?.clamp(it.above())),
        mutant("range-error-bound-rounded-to-the-input-type", "cast_value.range.error",
            "The largest integer is rounded up to a float before the comparison, so 2^63 passes as int64 and saturates (cast-value-rs 0.4.2).",
            |it| {
                it.rule(ABSENT)?.of_float()?.to_integer()?.finite()?;
                let bound = through(&it.limit(true), &it.from);
                let within = it.value.compare(&bound) != Some(std::cmp::Ordering::Greater);
                it.when(within && beyond(&it.value, &it.to) == Some(true))?
                    .largest(true)
            }),
        mutant("range-error-only-when-encoding", "cast_value.range.error",
            "Decoding trusts the stored values to be in range and saturates: only the encoder checks.",
            |it| it.decoding()?.over(ABSENT)?.clamp(it.above())),
        mutant("clamp-ignored", "cast_value.range.clamp",
            "The key is accepted and forgotten: values out of range are rejected under clamp too.",
            |it| it.over(CLAMP)?.to_integer().and_then(|_| reject())),
        mutant("clamp-symmetric", "cast_value.range.clamp",
            "Clamps below to -max instead of min, as quantisation code often does on purpose.",
            |it| {
                let to = integer(&it.over(CLAMP)?.to).filter(|to| to.signed && !it.above())?;
                give(to.mask() & !largest(&it.to, true) | 1)
            }),
        mutant("clamp-wraps", "cast_value.range.clamp",
            "The two rules are exchanged in a table.",
            |it| it.over(CLAMP)?.wrap(it.far())),
        mutant("clamp-negative-is-large", "cast_value.range.clamp",
            "A negative integer is compared after a conversion to unsigned, C's usual arithmetic conversion, and clamps to the top.",
            |it| {
                let signed = |format: &Format| integer(format).map(|format| format.signed);
                let crossed = signed(&it.from) == Some(true) && signed(&it.to) == Some(false);
                it.over(CLAMP)?.when(crossed && !it.above())?.clamp(true)
            }),
        mutant("clamp-gives-largest-finite", "cast_value.range.clamp-infinity",
            "Clamp into a float gives its largest finite value, as numpy.clip with finfo limits does.",
            |it| it.over(CLAMP)?.to_float()?.largest(it.above())),
        mutant("clamp-into-floats-rejected", "cast_value.range.clamp-infinity",
            "An overflow into a float is rejected even with clamp (cast-value 0.2.1, numpy).",
            |it| it.over(CLAMP)?.to_float().and_then(|_| reject())),
        mutant("clamp-infinity-loses-sign", "cast_value.range.clamp-infinity",
            "Every overflow becomes positive infinity: the magnitude is tested and the sign forgotten.",
            |it| it.over(CLAMP)?.to_float()?.clamp(true)),
    ]
}
