//! Mutants of `scale_offset`: range and division.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        step("integers-wrap", "scale_offset.range.intermediate",
            "Integer steps wrap silently: numpy, C (zarrita 0.7.5 on decoding).",
            |it| give(modulo(&it.integer_over()?, &it.exact))),
        step("int64-wraps", "scale_offset.range.intermediate",
            "Steps are checked in a wider type, but for 64 bits the wider type also has 64 bits \
             (zarr-python 3.3.0 corrupts int64 this way).",
            |it| {
                give(modulo(
                    &it.integer_over().filter(|format| format.bits == 64)?,
                    &it.exact,
                ))
            }),
        step("integers-saturate", "scale_offset.range.intermediate",
            "Integer steps saturate, as SIMD instructions offer it.",
            |it| {
                it.integer_over()
                    .and_then(|_| give(clamp(&it.format, it.over()?)))
            }),
        of_elements("intermediates-unchecked", "scale_offset.range.intermediate",
            "Integers are computed in a wider type and only the end is checked (zarr-python 3.3.0: int8 (0 - -128) * -1 gives -128).",
            |it| {
                integer(&it.format)?;
                if let Some(scale) = it.decoding().and_then(|it| it.codec.scale) {
                    let quotient = it.value.divide(&Exact::from_bits(&it.format, scale));
                    it.when(is_integer(&quotient))?;
                }
                it.fused()
            }),
        step("no-zero-is-the-smallest", "scale_offset.range.no-zero",
            "In float8_e8m0fnu a difference of zero is stored as the code 00, which is 2^-127.",
            |it| it.no_zero().and_then(|_| give(0))),
        step("no-zero-is-nan", "scale_offset.range.no-zero",
            "In float8_e8m0fnu what is zero or negative becomes NaN, as in casts of ml_dtypes 0.6.0.",
            |it| give(it.no_zero()?.format.float()?.nan_bits()?)),
        step("overflow-is-infinity", "scale_offset.range.overflow",
            "A float step overflows to infinity (zarr-python 3.3.0 does not check, zarrita 0.7.5).",
            |it| give(clamp(&it.float()?.format, it.over()?))),
        step("overflow-saturates", "scale_offset.range.overflow",
            "A float step stops at the largest finite value.",
            |it| give(largest(&it.float()?.format, it.over()?))),
        of_elements("only-the-end-overflows", "scale_offset.range.overflow",
            "The first step runs in a wider type, so 60000 / 0.5 - 60000 fits in float16 again (zarrita 0.7.5).",
            |it| it.float()?.when(it.right().is_err())?.fused()),
        step("division-truncates", "scale_offset.integer.division",
            "7 / 2 gives 3: the language's division (zarrita 0.7.5).",
            |it| give(saturated(&it.inexact_division()?.exact, &it.format))),
        step("division-floors", "scale_offset.integer.division",
            "-7 / 2 gives -4: Python's and numpy's `//`.",
            |it| {
                it.inexact_division()?.when(is_finite(&it.exact))?;
                give(stored(&floor(&it.exact), &it.format).ok()?)
            }),
        step("division-rounds", "scale_offset.integer.division",
            "The quotient is a float that is rounded back: numpy's `/` and rint.",
            |it| {
                it.inexact_division()?
                    .when(is_finite(&it.exact))?
                    .by(Rounding::NearestEven)
            }),
    ]
}
