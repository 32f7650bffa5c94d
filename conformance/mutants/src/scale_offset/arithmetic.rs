//! Mutants of `scale_offset`: the arithmetic of the data type.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        step("integers-computed-in-binary64", "scale_offset.arithmetic",
            "int64 is computed in binary64: a language with one kind of number, or a kernel that serves all types.",
            |it| {
                it.accepted()
                    .and(integer(&it.format))
                    .and_then(|_| it.via(&BINARY64))
            }),
        of_elements("promoted-to-binary64", "scale_offset.arithmetic",
            "float16 and float32 are computed in binary64 and rounded once (zarrita 0.7.5).",
            |it| {
                it.right().ok()?;
                it.float()?
                    .when(it.format != BINARY64)?
                    .with_steps(|value| through(&value, &BINARY64))
            }),
        of_elements("fused", "scale_offset.arithmetic",
            "Both steps are rounded once: a fused multiply-add, which compilers may choose.",
            |it| it.right().ok().and(it.float())?.fused()),
        step("integers-divided-in-binary32", "scale_offset.arithmetic",
            "Integer elements are computed in float32, as in a GPU kernel, where float32 is fast.",
            |it| {
                it.accepted()
                    .and(integer(&it.format))
                    .and_then(|_| it.via(&BINARY32))
            }),
        step("inexact-steps-rejected", "scale_offset.arithmetic.rounding",
            r#""Not representable" read literally: every inexact step of a float is rejected."#,
            |it| {
                let result = Exact::from_bits(&it.format, it.float()?.accepted()?);
                let inexact = matches!(it.exact, Exact::Finite(_)) && !same(&result, &it.exact);
                it.when(inexact).and_then(|_| reject())
            }),
        step("steps-truncate", "scale_offset.arithmetic.rounding",
            "Steps are cut off instead of rounded: a software float, or a CPU in another rounding mode.",
            |it| it.accepted().and(it.float())?.by(Rounding::TowardsZero)),
        step("steps-round-ties-away", "scale_offset.arithmetic.rounding",
            "Ties of a step go away from zero: a software float that adds half a unit.",
            |it| it.accepted().and(it.float())?.by(Rounding::NearestAway)),
        step("subnormal-steps-flushed", "scale_offset.arithmetic.rounding",
            "Subnormal results are flushed to zero, the CPU's fast mode.",
            |it| {
                let result = it.accepted()?;
                let float = it
                    .format
                    .float()
                    .filter(|float| is_subnormal(float, result))?;
                give(result & float.sign_mask())
            }),
    ]
}
