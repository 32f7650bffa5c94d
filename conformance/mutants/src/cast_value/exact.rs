//! Mutants of `cast_value`: exactness and decoding.

use super::*;
use crate::arithmetic::is_subnormal;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        mutant("exact-integers-through-binary64", "cast_value.exact",
            "Integers go through a binary64, as in a language whose only numbers they are (zarrita 0.7.5).",
            |it| {
                it.of_integer()?.to_integer()?.result()?;
                give(saturated(&through(&it.value, &BINARY64), &it.to))
            }),
        mutant("exact-bound-out-of-range", "cast_value.exact",
            "The range is tested with `>=`: the largest integer is rejected. An ordinary slip.",
            |it| {
                it.rule(ABSENT)?.when(same(&it.value, &it.limit(true)))?;
                reject()
            }),
        mutant("exact-subnormal-inputs-flushed", "cast_value.exact",
            "Subnormal inputs count as zero: code that runs with the CPU's denormals-are-zero mode.",
            |it| {
                let from = it.from.float().filter(|from| is_subnormal(from, it.bits))?;
                Some(cast_element(&it.cast, it.bits & from.sign_mask()))
            }),
        mutant("exact-subnormal-results-flushed", "cast_value.exact",
            "Subnormal results are flushed to zero: the CPU's flush-to-zero mode, or a table of normal exponents only.",
            |it| {
                let result = it.with(|_| ())?.ok()?;
                let to = it.to.float().filter(|to| is_subnormal(to, result))?;
                give(result & to.sign_mask())
            }),
        mutant("decode-rounds-to-nearest", "cast_value.decode",
            "Decoding forgets the configured rounding: only the encoder is given it.",
            |it| it.decoding()?.by(Rounding::NearestEven)),
        mutant("decode-forgets-out-of-range", "cast_value.decode",
            "Decoding forgets the configured rule and rejects what it should clamp or wrap.",
            |it| it.decoding()?.with(|cast| cast.out_of_range = None)),
        mutant("decode-is-a-plain-conversion", "cast_value.decode",
            "Decoding is the language's conversion: it is believed to be exact, since encoding was the lossy side.",
            |it| {
                it.decoding()?.with(|cast| {
                    (cast.rounding, cast.out_of_range) = match it.to_integer() {
                        Some(_) => (Rounding::TowardsZero, WRAP),
                        None => (Rounding::NearestEven, CLAMP),
                    }
                })
            }),
        mutant("decode-input-through-binary64", "cast_value.decode",
            "Decoding always goes through binary64 (zarrita 0.7.5 decodes int64 that way).",
            |it| {
                it.decoding()?;
                let unmapped = Cast {
                    map: &[],
                    ..it.cast
                };
                Some(cast_element(
                    &unmapped,
                    bits_through_binary64(&it.from, it.bits),
                ))
            }),
    ]
}
