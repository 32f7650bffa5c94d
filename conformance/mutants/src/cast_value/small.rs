//! Mutants of `cast_value`: types of 8 bits and less, and bfloat16.

use exactum_conformance::model::{DataType, FloatFormat, IntegerFormat, Nan};

use super::zero::is_three;
use super::*;
use crate::arithmetic::BINARY32;

/// Returns the format, if its only NaN is the bit pattern of -0.
fn fnuz(format: &Format) -> Option<FloatFormat> {
    format
        .float()
        .filter(|format| format.zero && !format.negative_zero)
}

fn small_integer(format: &Format) -> Option<IntegerFormat> {
    integer(format).filter(|format| format.bits < 8)
}

impl Element<'_> {
    /// Returns the float format of the output, if it has a sign but no infinities.
    fn finite_float(&self) -> Option<FloatFormat> {
        self.to.float().filter(|to| !to.infinity && to.zero)
    }

    /// Returns the byte in which a small integer is held.
    fn byte(&self) -> Option<IntegerFormat> {
        small_integer(&self.to).map(|to| IntegerFormat { bits: 8, ..to })
    }

    fn between(&self, from: DataType, to: DataType) -> Option<&Self> {
        self.when(self.cast.from == from && self.cast.to == to)
    }
}

pub(super) fn mutants() -> Vec<Mutant> {
    [
        narrow_integers(),
        floats_without_specials(),
        floats_without_zero(),
    ]
    .concat()
}

#[rustfmt::skip] // A table.
fn narrow_integers() -> Vec<Mutant> {
    vec![
        mutant("small-floats-through-binary32", "cast_value.rounding.once",
            "float64 reaches the small floats through float32 (ml_dtypes 0.6.0, zarrs): 1 + 2^-4 + 2^-40 gives 1 in float8_e4m3.",
            |it| {
                it.to_float()?
                    .when(it.to.component_bits() <= 8)?
                    .via(&BINARY32)
            }),
        mutant("bfloat16-cut-off", "cast_value.rounding.nearest-even",
            "The lower 16 bits of a float32 are cut off: the usual way to bfloat16 in a hurry.",
            |it| {
                it.between(DataType::Float32, DataType::Bfloat16)?
                    .mode(Rounding::NearestEven)?
                    .finite()?;
                give(it.bits >> 16)
            }),
        mutant("bfloat16-nan-rounded", "cast_value.special.nan",
            "Rounding by an addition to the bits precedes the check for NaN: the NaN with all bits set becomes -0.",
            |it| {
                it.between(DataType::Float32, DataType::Bfloat16)?.nan()?;
                let rounded = it.bits.wrapping_add(0x7fff + (it.bits >> 16 & 1));
                give(rounded >> 16 & 0xffff)
            }),
        mutant("int4-wrapped-in-8-bits", "cast_value.range.wrap",
            "int4 is held in a byte and wraps where the byte does: 200 becomes -56, which is not an int4.",
            |it| {
                let byte = it.over(WRAP)?.byte()?;
                give(modulo(
                    &IntegerFormat {
                        signed: true,
                        ..byte
                    },
                    it.far(),
                ))
            }),
        mutant("int4-in-the-range-of-a-byte", "cast_value.range.error",
            "The range of the byte that holds the element is tested: 100 counts as an int4.",
            |it| {
                let byte = Format::Integer(it.over(ABSENT)?.byte()?);
                match round(it.far(), &byte, it.cast.rounding) {
                    Rounded::Bits(bits) => give(bits),
                    _ => None,
                }
            }),
        mutant("int4-clamped-to-the-byte", "cast_value.range.clamp",
            "Clamping goes to the limits of the byte that holds the element: 1000 becomes 127 in int4.",
            |it| {
                let byte = it.over(CLAMP)?.byte()?;
                give(clamp(&Format::Integer(byte), it.above()))
            }),
        mutant("int4-without-its-sign", "cast_value.exact",
            "The sign of int2 and int4 is not extended: -1 is read as 15.",
            |it| {
                let from = small_integer(&it.from)?;
                it.when(from.signed && it.bits >> (from.bits - 1) == 1)?
                    .read_as(&Exact::integer(it.bits.into()))
            }),
        mutant("uint4-with-a-sign", "cast_value.exact",
            "Unsigned nibbles pass through the code of the signed ones: 15 is read as -1.",
            |it| {
                let from = small_integer(&it.from)?;
                it.when(!from.signed && it.bits >> (from.bits - 1) == 1)?
                    .read_as(&Exact::integer(i128::from(it.bits) - (1 << from.bits)))
            }),
    ]
}

#[rustfmt::skip] // A table.
fn floats_without_specials() -> Vec<Mutant> {
    vec![
        mutant("fnuz-keeps-negative-zero", "cast_value.special.zero-sign-lost",
            "A negative value that becomes zero keeps its sign bit in a fnuz type, where 80 is NaN.",
            |it| {
                let to = fnuz(&it.negative()?.to)?;
                it.when(it.with(|_| ())?.is_ok_and(|bits| bits == 0))?;
                give(to.sign_mask())
            }),
        mutant("fnuz-with-the-bias-of-ieee", "cast_value.exact",
            "The fnuz types are read with the bias of IEEE formats: values are twice as large or more.",
            |it| {
                let from = fnuz(&it.from)?;
                let ieee = FloatFormat {
                    bias: (1 << (from.exponent_bits - 1)) - 1,
                    ..from
                };
                it.when(!from.is_nan(it.bits) && it.bits != 0)?
                    .read_as(&Exact::from_bits(&Format::Float(ieee), it.bits))
            }),
        mutant("fnuz-nan-is-the-largest", "cast_value.special.nan",
            "NaN is written with all exponent and mantissa bits set, which is the largest value of a fnuz type.",
            |it| give(fnuz(&it.nan()?.to)?.max_finite_bits())),
        mutant("finite-float-overflow-is-nan", "cast_value.range.error",
            "A value too large for a fnuz type becomes its NaN (ml_dtypes 0.6.0).",
            |it| give(it.over(ABSENT)?.finite_float()?.nan_bits()?)),
        mutant("finite-float-clamped-to-nan", "cast_value.range.clamp",
            "Even under clamp, a value too large for a fnuz type becomes its NaN, because the \
             conversion library offers nothing else.",
            |it| give(it.over(CLAMP)?.finite_float()?.nan_bits()?)),
        mutant("finite-float-overflow-is-the-largest", "cast_value.range.error",
            "A value too large for float4 and float6 saturates (ml_dtypes 0.6.0, the OCP conversions).",
            |it| {
                let to = it.over(ABSENT)?.finite_float()?;
                it.when(to.nan_bits().is_none())?.largest(it.above())
            }),
        mutant("infinity-is-the-largest-of-finite-floats", "cast_value.special.infinity-error",
            "Under clamp an infinity becomes the largest value of a type without: 6 in float4 (zarrs).",
            |it| it.no_infinity(CLAMP)?.largest(it.above())),
        mutant("infinity-is-nan-in-finite-floats", "cast_value.special.infinity-error",
            "An infinity becomes NaN in a fnuz type (ml_dtypes 0.6.0).",
            |it| {
                let to = it.infinite()?.to.float()?;
                it.when(to.infinity_bits().is_none())?;
                give(to.nan_bits()?)
            }),
        mutant("nan-is-negative-zero-in-finite-floats", "cast_value.special.nan-error",
            "NaN becomes -0 in float4 and float6 (ml_dtypes 0.6.0; zarrs, as a fill value).",
            |it| {
                let to = it.nan()?.finite_float().filter(|to| to.nan == Nan::None)?;
                give(to.sign_mask())
            }),
        mutant("float8_e4m3-is-float8_e4m3fn", "cast_value.special.infinity",
            "float8_e4m3 is read as float8_e4m3fn, which has no infinity: 78 is read as 256 (the \
             two names are mixed up in the type's own description).",
            |it| {
                it.infinite()?.when(it.cast.from == DataType::Float8E4m3)?;
                it.read_as(&Exact::integer(if it.above() { 256 } else { -256 }))
            }),
        mutant("float8_e4m3-reaches-448", "cast_value.range.overflow",
            "float8_e4m3 is treated as float8_e4m3fn, whose largest value is 448.",
            |it| {
                let finite = FloatFormat {
                    infinity: false,
                    nan: Nan::Only(0x7f),
                    ..FloatFormat::FLOAT8_E4M3
                };
                it.over(ABSENT)?
                    .when(it.cast.to == DataType::Float8E4m3 && it.above())?;
                match round(it.far(), &Format::Float(finite), it.cast.rounding) {
                    Rounded::Bits(bits) => give(bits),
                    _ => None,
                }
            }),
    ]
}

#[rustfmt::skip] // A table.
fn floats_without_zero() -> Vec<Mutant> {
    vec![
        mutant("no-zero-read-as-zero", "cast_value.exact",
            "The code 00 of float8_e8m0fnu is read as zero, as in every other format; it is 2^-127.",
            |it| {
                let from = it.from.float()?;
                it.when(!from.zero && it.bits == 0)?
                    .read_as(&Exact::Zero { negative: false })
            }),
        mutant("no-zero-nan-read-as-a-number", "cast_value.special.nan",
            "The code ff of float8_e8m0fnu is read as the next power of two, 2^128.",
            |it| {
                let from = it.from.float()?;
                let four = Exact::integer(1 << 126).multiply(&Exact::integer(4));
                it.when(!from.zero && it.bits == 0xff)?.read_as(&four)
            }),
        mutant("no-zero-ties-to-even-code", "cast_value.rounding.no-zero",
            "Ties in float8_e8m0fnu go to the even code, as the bits of any other format would have it.",
            |it| {
                it.to_no_zero()?
                    .mode(Rounding::NearestEven)?
                    .when(is_three(&it.value))?;
                let right = it.with(|_| ())?.ok()?;
                give(right & !1)
            }),
        mutant("no-zero-takes-magnitudes", "cast_value.rounding.no-zero",
            "The sign of a number is dropped on the way into float8_e8m0fnu, which has none.",
            |it| {
                it.to_no_zero()?
                    .finite()?
                    .negative()?
                    .nearest(&it.value.negate())
            }),
        mutant("no-zero-makes-nan", "cast_value.rounding.no-zero",
            "Zero and negative numbers become NaN in float8_e8m0fnu (ml_dtypes 0.6.0; zarrs, as fill values).",
            |it| {
                it.to_no_zero()?.zero().or(it.finite().and(it.negative()))?;
                give(it.to.float()?.nan_bits()?)
            }),
        mutant("no-zero-subnormal-inputs-up", "cast_value.rounding.nearest-even",
            "Subnormal float32 values just above 2^-127 become 2^-126 in float8_e8m0fnu (ml_dtypes 0.6.0).",
            |it| {
                it.between(DataType::Float32, DataType::Float8E8m0fnu)?
                    .mode(Rounding::NearestEven)?;
                let Exact::Finite(finite) = &it.value else {
                    return None;
                };
                let inexact = finite.in_quanta(-127).1.bits() != 0;
                it.when(!finite.negative && finite.floor_log2() == -127 && inexact)?;
                give(1)
            }),
    ]
}
