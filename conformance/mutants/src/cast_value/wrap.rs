//! Mutants of `cast_value`: values out of range, wrapped.

use exactum_conformance::model::DataType;

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("wrap-in-binary64", "cast_value.range.wrap",
            "`(v - low) mod 2^N + low` in binary64: the low end is absorbed, 2^60 into int8 gives -128 (zarrita 0.7.5, cast-value-rs 0.4.2).",
            |it| {
                let to = integer(&it.over(WRAP)?.to)?;
                let (low, all) = (Exact::integer(to.min()), modulus(&to));
                let shifted = through(&through(it.far(), &BINARY64).subtract(&low), &BINARY64);
                let turns = floor(&shifted.divide(&all));
                let rest = shifted.subtract(&turns.multiply(&all));
                give(saturated(&through(&rest.add(&low), &BINARY64), &it.to))
            }),
        mutant("wrap-of-integers-through-binary64", "cast_value.range.wrap",
            "Integers above 2^53 lose their low bits before they wrap: 2^53 + 3 into uint16 gives 4 (zarrita 0.7.5).",
            |it| it.over(WRAP)?.wrap(&through(it.far(), &BINARY64))),
        mutant("wrap-through-saturated-int64", "cast_value.range.wrap",
            "Floats are converted to int64 first and wrap from there: what lies beyond 2^63 has saturated.",
            |it| {
                let int64 = DataType::Int64.format();
                beyond(it.over(WRAP)?.of_float()?.far(), &int64)?;
                it.wrap(&Exact::from_bits(&int64, largest(&int64, it.above())))
            }),
        mutant("wrap-by-one-less", "cast_value.range.wrap",
            "The modulus is `max - min`, one too small.",
            |it| {
                let to = integer(&it.over(WRAP)?.to)?;
                let (low, span) = (
                    Exact::integer(to.min()),
                    modulus(&to).subtract(&Exact::integer(1)),
                );
                let shifted = it.far().subtract(&low);
                let turns = floor(&shifted.divide(&span));
                it.wrap(&shifted.subtract(&turns.multiply(&span)).add(&low))
            }),
        mutant("wrap-by-remainder", "cast_value.range.wrap",
            "A remainder that takes the sign of the dividend, then its magnitude: -1 into uint8 gives 1.",
            |it| {
                let to = integer(&it.over(WRAP)?.to).filter(|to| !to.signed && !it.above())?;
                let (magnitude, all) = (it.far().negate(), modulus(&to));
                let turns = floor(&magnitude.divide(&all));
                it.wrap(&magnitude.subtract(&turns.multiply(&all)))
            }),
        mutant("wrap-ignored", "cast_value.range.wrap",
            "Floats out of range are rejected under wrap too (cast-value 0.2.1 raises FloatingPointError).",
            |it| it.over(WRAP)?.of_float().and_then(|_| reject())),
        mutant("wrap-truncates", "cast_value.range.wrap",
            "The wrapping path converts to an integer by truncation and skips the rounding.",
            |it| it.over(WRAP)?.to_integer()?.by(Rounding::TowardsZero)),
        mutant("wrap-into-float-gives-infinity", "cast_value.range.wrap-into-float",
            "Decoding into a float under wrap overflows to infinity: nothing is left to wrap, so nothing is checked.",
            |it| it.over(WRAP)?.to_float()?.clamp(it.above())),
        mutant("wrap-into-float-gives-largest", "cast_value.range.wrap-into-float",
            "Decoding into a float under wrap stops at its largest finite value.",
            |it| it.over(WRAP)?.to_float()?.largest(it.above())),
    ]
}
