//! The mean.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the number of elements is rounded to a float; comments explain why sums fit"
)]

use core::marker::PhantomData;

use alloc::vec::Vec;

use exactum_model::{
    Array, CastSpec, DataType, Format, NanPolicy, Omission, OutOfRange, Rejection, Rounding, Scalar,
};

use super::blocks::Blocks;
use super::fold::{Fold, fold, halve};
use super::keys::{Keys, Unsigned, Whole};
use super::omit::{Omit, Rest, Same, floating};
use super::pairs::CHUNK;
use crate::arch::SimdLevel;
use crate::cast_value::cast_into_at;
use crate::lanes::Lane;
use crate::soft::{self, Number, Rounded};

/// Computes the mean of each block; for complex numbers, part by part.
pub(super) fn mean(
    level: SimdLevel,
    omission: &Omission,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
) {
    let format = blocks.data_type.format();
    if omission.skip_value.is_some() || omission.nan == Some(NanPolicy::Skip) {
        return of_rest(level, omission, blocks, data, output);
    }
    let most = blocks.most_elements();
    // The narrowest sums that cannot overflow.
    match (format, format.component_bytes()) {
        (Format::Float(_) | Format::Complex(_), 8) => {
            fold(level, Floats::<f64>(PhantomData), blocks, data, output);
        }
        (Format::Float(_) | Format::Complex(_), _) => {
            fold(level, Floats::<f32>(PhantomData), blocks, data, output);
        }
        (_, 1) if most <= 257 => integers::<u8, u16>(level, blocks, data, output),
        (_, 1) => integers::<u8, u64>(level, blocks, data, output),
        (_, 2) if most <= 65_537 => integers::<u16, u32>(level, blocks, data, output),
        (_, 2) => integers::<u16, u64>(level, blocks, data, output),
        (_, 4) => integers::<u32, u64>(level, blocks, data, output),
        (_, _) => fold(
            level,
            Halves(Whole::new(&format, false)),
            blocks,
            data,
            output,
        ),
    }
}

fn integers<U: Unsigned, S: Total>(
    level: SimdLevel,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
) {
    let keys = Whole::<U>::new(&blocks.data_type.format(), false);
    fold(level, Sums::<U, S>(keys, PhantomData), blocks, data, output);
}

/// Computes the mean of the remaining elements of each block.
fn of_rest(level: SimdLevel, omission: &Omission, blocks: &Blocks, data: &[u8], output: &mut [u8]) {
    fn rest<F: Fold, O: Omit<Element = F::Element>>(
        (fold_of, omit): (F, O),
        level: SimdLevel,
        blocks: &Blocks,
        data: &[u8],
        output: &mut [u8],
    ) {
        let rest = Rest {
            fold: fold_of,
            omit,
        };
        fold(level, rest, blocks, data, output);
    }
    fn integers<U: Unsigned>(omission: &Omission, format: &Format) -> (Sums<U, u64>, Same<U>) {
        let value = omission.skip_value.map_or(0, |value| value.component(0));
        let same = Same {
            mask: U::of(format.component_mask()),
            value: U::of(value),
        };
        (Sums(Whole::new(format, false), PhantomData), same)
    }
    let format = blocks.data_type.format();
    match (format, format.component_bytes()) {
        (Format::Float(_) | Format::Complex(_), 8) => {
            let omit = floating(omission, f64::NAN, f64::from_bits);
            rest(
                (Floats::<f64>(PhantomData), omit),
                level,
                blocks,
                data,
                output,
            );
        }
        (Format::Float(_) | Format::Complex(_), _) => {
            let omit = floating(omission, f32::NAN, |bits| f32::from_bits(bits as u32));
            rest(
                (Floats::<f32>(PhantomData), omit),
                level,
                blocks,
                data,
                output,
            );
        }
        (_, 1) => rest(
            integers::<u8>(omission, &format),
            level,
            blocks,
            data,
            output,
        ),
        (_, 2) => rest(
            integers::<u16>(omission, &format),
            level,
            blocks,
            data,
            output,
        ),
        (_, 4) => rest(
            integers::<u32>(omission, &format),
            level,
            blocks,
            data,
            output,
        ),
        _ => {
            let (Sums(keys, _), same) = integers::<u64>(omission, &format);
            rest((Halves(keys), same), level, blocks, data, output);
        }
    }
}

/// Returns the skipped values as float32 numbers.
pub(super) fn widened_omission(
    level: SimdLevel,
    component: DataType,
    omission: &Omission,
) -> Result<Omission, Rejection> {
    let widened = |value: Scalar| -> Result<Scalar, Rejection> {
        let one = Array::new(component, Vec::new(), value.to_bytes())?;
        let wide = widen(level, component, &one)?;
        Ok(wide.element(0))
    };
    Ok(Omission {
        skip_value: omission.skip_value.map(widened).transpose()?,
        ..*omission
    })
}

/// Returns the component whose mean is computed in float32, for data types other than float32 and float64 or
/// their complex types.
pub(super) fn widened(data_type: DataType) -> Option<DataType> {
    let component = data_type.component();
    let float = component.format().float().is_some();
    (float && !matches!(component, DataType::Float32 | DataType::Float64)).then_some(component)
}

/// Converts the numbers of an array to float32.
pub(super) fn widen(
    level: SimdLevel,
    component: DataType,
    array: &Array,
) -> Result<Array, Rejection> {
    let to = match array.data_type().format() {
        Format::Complex(_) => DataType::Complex64,
        _ => DataType::Float32,
    };
    let bytes = Array::bytes_of(to, array.shape())?;
    let mut data = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
    cast_into_at(
        level,
        &cast(component, DataType::Float32),
        array.data(),
        &mut data,
    )?;
    Array::new(to, array.shape().to_vec(), data)
}

/// Computes the mean of each block of float32 numbers, and converts it to the component's data type
/// (downsample.mean.overflow).
pub(super) fn narrowed(
    level: SimdLevel,
    omission: &Omission,
    component: DataType,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
) -> Result<(), Rejection> {
    let count = output.len() / component.element_bytes();
    let mut means = vec![0; count * size_of::<f32>()];
    mean(level, omission, blocks, data, &mut means);
    let format = component.format();
    if format.float().is_some_and(|format| format.infinity) {
        let cast = cast(DataType::Float32, component);
        return Ok(cast_into_at(level, &cast, &means, output)?);
    }
    for index in 0..count {
        let bits = crate::element_bits(DataType::Float32, &means, index);
        let value = Number::from_bits(&DataType::Float32.format(), bits);
        let bits = match soft::round(value, &format, Rounding::NearestEven) {
            Rounded::Bits(bits) => bits,
            Rounded::OutOfRange { above, .. } => beyond(&format, above),
            Rounded::NotFinite | Rounded::NotANumber => {
                beyond(&format, !f32::from_bits(bits as u32).is_sign_negative())
            }
        };
        crate::set_element_bits(component, output, index, bits);
    }
    Ok(())
}

/// Returns the result for a value out of the range of a format without infinity.
fn beyond(format: &Format, above: bool) -> u64 {
    match format.float() {
        // An unsigned format has only its smallest value at the lower end.
        Some(float) if above || float.signed => float
            .nan_bits()
            .unwrap_or_else(|| soft::clamp(format, above)),
        _ => soft::clamp(format, above),
    }
}

fn cast(from: DataType, to: DataType) -> CastSpec<'static> {
    CastSpec {
        from,
        to,
        rounding: Rounding::NearestEven,
        // In a type with infinities, clamping gives an infinity.
        out_of_range: Some(OutOfRange::Clamp),
        map: &[],
    }
}

/// Sums of integers.
trait Total: Unsigned {
    /// Returns the sum divided by a count, with ties to even.
    fn divided(self, count: u64) -> Self;
}

macro_rules! totals {
    ($($lane:ty)*) => {$(
        impl Total for $lane {
            #[inline(always)]
            fn divided(self, count: u64) -> Self {
                // The width was chosen so that the sum fits even if every element is the largest one.
                let count = count as $lane;
                if count == 1 {
                    return self;
                }
                if count.is_power_of_two() {
                    // The addend carries if the remainder is above one half, or is exactly one half and the
                    // quotient is odd.
                    let shift = count.trailing_zeros();
                    return (self + (count / 2 - 1) + ((self >> shift) & 1)) >> shift;
                }
                let (quotient, remainder) = (self / count, self % count);
                let twice = 2 * remainder;
                let up = (twice > count) | ((twice == count) & (quotient & 1 == 1));
                quotient + <$lane>::from(up)
            }
        }
    )*};
}

totals!(u16 u32 u64);

/// Exact sums of integers. Signed integers are counted from the smallest one, which is even, so that ties are
/// rounded in the same direction.
#[derive(Clone, Copy)]
struct Sums<U, S>(Whole<U>, PhantomData<S>);

impl<U: Unsigned, S: Total> Fold for Sums<U, S> {
    type Element = U;
    type Sum = S;

    #[inline(always)]
    fn start(&self) -> S {
        S::default()
    }

    #[inline(always)]
    fn step(&self, sum: S, element: U) -> S {
        sum.plus(S::of(self.0.key(element).wide()))
    }

    #[inline(always)]
    fn finish(&self, sum: S, count: u64) -> U {
        self.0.element(U::of(sum.divided(count).wide()))
    }

    /// Adds pairs in words of twice the width, which the sums need anyway.
    #[inline(always)]
    fn halve<const ROWS: usize>(&self, rows: [&[u8]; ROWS], results: &mut [U::Bytes]) {
        if size_of::<S>() != 2 * size_of::<U>() {
            return halve(self, rows, results);
        }
        let bits = 8 * size_of::<U>();
        let (mask, flip) = self.0.doubled::<S>();
        let rows = rows.map(|row| &S::split(row)[..results.len()]);
        for (index, result) in results.iter_mut().enumerate() {
            let mut sum = S::default();
            for row in rows {
                let word = S::load(row[index]).and(mask).xor(flip).wide();
                sum = sum
                    .plus(S::of(word & U::MAX.wide()))
                    .plus(S::of(word >> bits));
            }
            *result = self.finish(sum, 2 * ROWS as u64).store();
        }
    }
}

/// Exact sums of 64-bit integers, kept as sums of their upper and of their lower halves.
#[derive(Clone, Copy)]
struct Halves(Whole<u64>);

impl Fold for Halves {
    type Element = u64;
    type Sum = (u64, u64);

    #[inline(always)]
    fn start(&self) -> (u64, u64) {
        (0, 0)
    }

    #[inline(always)]
    fn step(&self, (high, low): (u64, u64), element: u64) -> (u64, u64) {
        let key = self.0.key(element);
        (high + (key >> 32), low + (key & 0xffff_ffff))
    }

    #[inline(always)]
    fn finish(&self, (high, low): (u64, u64), count: u64) -> u64 {
        // Fewer than 2^32 elements fit in memory, so that the halves cannot overflow.
        let mean = if count.is_power_of_two() {
            let (high, low) = (high + (low >> 32), low & 0xffff_ffff);
            let shift = count.trailing_zeros();
            let quotient = (high << (32 - shift)) + (low >> shift);
            let twice = 2 * (low & (count - 1));
            let up = (twice > count) | ((twice == count) & (quotient & 1 == 1));
            quotient + u64::from(up)
        } else {
            let sum = (u128::from(high) << 32) + u128::from(low);
            let (quotient, remainder) = (sum / u128::from(count), sum % u128::from(count));
            let (quotient, twice) = (quotient as u64, 2 * remainder as u64);
            quotient + u64::from(twice > count || (twice == count && quotient & 1 == 1))
        };
        self.0.element(mean)
    }

    /// Combines the rows first, because neighbouring elements then stay in their lanes. The remainder below
    /// the elements' quotients is computed from their sum, which may overflow.
    #[inline(always)]
    fn halve<const ROWS: usize>(&self, rows: [&[u8]; ROWS], results: &mut [[u8; 8]]) {
        let count = 2 * ROWS as u64;
        let shift = count.trailing_zeros();
        let (mut quotients, mut sums) = ([0_u64; 2 * CHUNK], [0_u64; 2 * CHUNK]);
        let places = 2 * results.len();
        let (quotients, sums) = (&mut quotients[..places], &mut sums[..places]);
        let rows = rows.map(|row| &u64::split(row)[..places]);
        for index in 0..places {
            let (mut quotient, mut sum) = (0, 0_u64);
            for row in rows {
                let key = self.0.key(u64::load(row[index]));
                quotient += key >> shift;
                sum = sum.wrapping_add(key);
            }
            (quotients[index], sums[index]) = (quotient, sum);
        }
        let pairs = quotients.as_chunks::<2>().0.iter();
        for (result, (quotient, sum)) in results.iter_mut().zip(pairs.zip(sums.as_chunks::<2>().0))
        {
            let quotient = quotient[0] + quotient[1];
            let rest = sum[0].wrapping_add(sum[1]).wrapping_sub(quotient << shift);
            // As in `divided`.
            let odd = (quotient + (rest >> shift)) & 1;
            let mean = quotient + ((rest + (count / 2 - 1) + odd) >> shift);
            *result = self.0.element(mean).store();
        }
    }
}

/// Sums in the order of the positions, rounded after each step.
#[derive(Clone, Copy)]
struct Floats<T>(PhantomData<T>);

macro_rules! floats {
    ($($lane:ty, $nan:literal;)*) => {$(
        impl Fold for Floats<$lane> {
            type Element = $lane;
            type Sum = $lane;

            #[inline(always)]
            fn start(&self) -> $lane {
                0.0
            }

            #[inline(always)]
            fn step(&self, sum: $lane, element: $lane) -> $lane {
                sum + element
            }

            #[inline(always)]
            fn finish(&self, sum: $lane, count: u64) -> $lane {
                let mean = sum / count as $lane;
                // Machines produce different NaNs, so every NaN becomes the default one.
                if mean.is_nan() { <$lane>::from_bits($nan) } else { mean }
            }
        }
    )*};
}

floats! {
    f32, 0x7fc0_0000;
    f64, 0x7ff8_0000_0000_0000;
}
