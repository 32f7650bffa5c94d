//! Conversion of planes of bits to a string of bits and back (zfp.planes).
//!
//! The code of a plane is determined for all its bits at once. Let `before` be the coefficients that were
//! significant before the plane, and `after` those that are significant once it has been coded: both are ones
//! up to some coefficient, and zeros from there on. Every coefficient has two places, one for a test and one
//! for its bit. The bit of a coefficient is written if it is in `after`. A test is written for the first
//! coefficient that is not in `before`, and for every other one that follows a one; it states whether its
//! coefficient is in `after`. The test of the last coefficient implies its bit, which is then not written.
//! The code consists of the places that are written, moved together.
//!
//! A limit of bits is merely the end of that string: the encoder writes whole planes and removes the excess,
//! and the decoder, at the end, reads bits that make it stop.

mod line;
mod rest;
mod runs;

pub(super) use line::decode as decode_line;
pub(super) use runs::put_line;

use super::bits::{BitReader, Cursor, MOST, low};
use crate::arch::Transpose;
use rest::{Code, EVEN};

/// The encoder of planes of `SIZE` coefficients. As many planes as fit into 64 bits are encoded side by side,
/// with the highest plane in the lowest bits.
pub(super) struct Encoder<const SIZE: u32> {
    /// The coefficients that are significant.
    before: u64,
}

impl<const SIZE: u32> Encoder<SIZE> {
    /// The number of planes side by side.
    const LANES: u32 = 64 / SIZE;
    /// The first and the last coefficient of every plane.
    const FIRST: u64 = u64::MAX / low(SIZE);
    const LAST: u64 = Self::FIRST << (SIZE - 1);

    /// Returns the encoder of a block without significant coefficients.
    pub(super) fn new() -> Self {
        Self { before: 0 }
    }

    /// Writes the given number of planes.
    #[inline(always)]
    pub(super) fn put<T: Transpose>(
        &mut self,
        arch: T,
        planes: u64,
        count: u32,
        out: &mut Cursor<'_>,
    ) {
        let own = low(SIZE * count);
        let planes = planes & own;
        // The code of each of these planes is a single zero.
        if SIZE < 64 && planes | self.before == 0 {
            out.put(0, count);
            return;
        }
        if self.before == low(SIZE) {
            out.put(planes, SIZE * count);
            return;
        }
        if !T::MOVES_BITS {
            let mut significant = self.before.count_ones();
            for lane in (0..SIZE * count).step_by(SIZE as usize) {
                significant = runs::put::<SIZE>(significant, planes >> lane & low(SIZE), out);
            }
            self.before = low(significant);
            return;
        }
        let mut after = planes | self.before;
        // A coefficient that is significant in a plane is also significant in the following ones.
        let mut lanes = 1;
        while lanes < Self::LANES {
            after |= after << (SIZE * lanes);
            lanes *= 2;
        }
        let after = up_to_highest::<SIZE>(after);
        let before = if SIZE == 64 {
            self.before
        } else {
            after << (SIZE % 64) | self.before
        };
        self.before = after >> (64 - SIZE);
        let tests = !before & ((before | planes) << 1 & !Self::FIRST | Self::FIRST) & own;
        let bits = (after & !Self::LAST | before & Self::LAST) & own;
        put_places(arch, tests, after, bits, planes, out);
    }
}

/// Like [`Encoder::put`], for a plane of 256 coefficients.
#[inline(always)]
pub(super) fn put_four<T: Transpose>(
    arch: T,
    plane: [u64; 4],
    significant: &mut [u64; 4],
    out: &mut Cursor<'_>,
) {
    if !T::MOVES_BITS {
        let before = significant.iter().map(|part| part.count_ones()).sum();
        let after = runs::put_four(before, plane, out);
        *significant = [0, 64, 128, 192].map(|part| low(after.saturating_sub(part)));
        return;
    }
    let mut all = 0;
    let mut after: [u64; 4] = core::array::from_fn(|part| plane[part] | significant[part]);
    for part in after.iter_mut().rev() {
        *part = up_to_highest::<64>(*part) | all;
        if *part != 0 {
            all = u64::MAX;
        }
    }
    let mut follows = 1;
    for (part, last) in [0, 0, 0, 1 << 63].into_iter().enumerate() {
        let (before, after) = (significant[part], after[part]);
        let ones = before | plane[part];
        let tests = !before & (ones << 1 | follows);
        follows = ones >> 63;
        if tests | after == 0 {
            break;
        }
        if before == u64::MAX {
            out.put(plane[part], 64);
        } else {
            let bits = after & !last | before & last;
            put_places(arch, tests, after, bits, plane[part], out);
        }
    }
    *significant = after;
}

/// Returns, for every lane of `SIZE` bits, ones from the lowest bit up to its highest one.
#[inline(always)]
fn up_to_highest<const SIZE: u32>(mut lanes: u64) -> u64 {
    if SIZE == 64 {
        return u64::MAX.checked_shr(lanes.leading_zeros()).unwrap_or(0);
    }
    let mut shift = 1;
    while shift < SIZE {
        let own = u64::MAX / low(SIZE) * low(SIZE - shift);
        lanes |= lanes >> shift & own;
        shift *= 2;
    }
    lanes
}

/// Writes the tests and bits of coefficients, if there are any.
#[inline(always)]
fn put_places<T: Transpose>(
    arch: T,
    tests: u64,
    after: u64,
    bits: u64,
    planes: u64,
    out: &mut Cursor<'_>,
) {
    let places = |tests: u64, bits: u64| arch.deposit(tests, EVEN) | arch.deposit(bits, EVEN) << 1;
    for half in [0, 32] {
        let written = places(tests >> half, bits >> half);
        let code = arch.extract(places(after >> half, planes >> half), written);
        out.put(code, written.count_ones());
    }
}

/// Reads the planes of a block of 16 or 64 coefficients and adds them to `planes`, `SIZE` bits from `shift`
/// on, from `planes[highest - 1]` down to `planes[lowest]`. Reading stops at `end`.
#[inline(always)]
pub(super) fn decode<const SIZE: u32, T: Transpose>(
    arch: T,
    planes: &mut [u64],
    shift: u32,
    lowest: u32,
    end: u64,
    bits: &mut BitReader<'_>,
) {
    let mut significant = 0;
    let mut left = end.saturating_sub(bits.position());
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 planes")]
    let highest = planes.len() as u32;
    let highest = highest - empty(highest - lowest, &mut left, bits);
    let mut planes = &mut planes[lowest as usize..highest as usize];
    while left > 0 {
        // Once all coefficients are significant, several planes are read at once.
        if significant == SIZE {
            let some = planes.len().min(64 / SIZE as usize);
            let (rest, own) = planes.split_at_mut(planes.len() - some);
            if own.is_empty() {
                break;
            }
            #[expect(clippy::cast_possible_truncation, reason = "at most 64 bits")]
            let count = at_most(left, SIZE * own.len() as u32);
            let word = bits.take(count);
            left -= u64::from(count);
            for (plane, lane) in own.iter_mut().rev().zip((0..64).step_by(SIZE as usize)) {
                *plane |= (word >> lane & low(SIZE)) << shift;
            }
            planes = rest;
            continue;
        }
        let Some((plane, rest)) = planes.split_last_mut() else {
            break;
        };
        planes = rest;
        // The code of 16 coefficients takes at most 32 bits, and few runs. Reading them one by one is faster than
        // determining all of them at once, since the processor predicts where each one ends.
        if SIZE == 16 {
            let (word, after, length) = if left >= 32 {
                runs::plane_of_16::<false>(significant, 32, bits)
            } else {
                runs::plane_of_16::<true>(significant, at_most(left, 32), bits)
            };
            left -= u64::from(length);
            *plane |= word << shift;
            significant = after;
            continue;
        }
        let count = at_most(left, significant);
        let word = bits.take(count);
        left -= u64::from(count);
        let most = SIZE - significant;
        bits.refill();
        if !T::MOVES_BITS {
            let mut new = 0;
            let added = runs::take(most, &mut left, bits, |at| new |= 1 << at);
            *plane |= (word | new << significant) << shift;
            significant += added;
            continue;
        }
        let code = Code::of(bits.window(), 1);
        let (new, added) = match code.whole(arch, most, at_most(left, MOST)) {
            Some((new, added, length)) => {
                bits.skip(length);
                left -= u64::from(length);
                (new, added)
            }
            None => {
                let mut new = 0;
                let added = rest::rest(arch, most, &mut left, bits, |bits, at| new |= bits << at);
                (new, added)
            }
        };
        *plane |= (word | new << significant) << shift;
        significant += added;
    }
}

/// Like [`decode`], for 256 coefficients in four parts of 64.
#[inline(always)]
pub(super) fn decode_four<T: Transpose>(
    arch: T,
    mut parts: [&mut [u64]; 4],
    lowest: u32,
    end: u64,
    bits: &mut BitReader<'_>,
) {
    let mut significant = 0u32;
    let mut left = end.saturating_sub(bits.position());
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 planes")]
    let highest = parts[0].len() as u32;
    let highest = highest - empty(highest - lowest, &mut left, bits);
    for plane in (lowest as usize..highest as usize).rev() {
        if left == 0 {
            break;
        }
        for (words, before) in parts.iter_mut().zip([0u32, 64, 128, 192]) {
            if significant <= before {
                break;
            }
            let count = at_most(left, (significant - before).min(64));
            words[plane] = bits.take(count);
            left -= u64::from(count);
        }
        if significant < 256 && !T::MOVES_BITS {
            significant += runs::take(256 - significant, &mut left, bits, |at| {
                let at = significant + at;
                parts[(at / 64) as usize][plane] |= 1 << (at % 64);
            });
        } else if significant < 256 {
            let add = |bits: u64, at: u32| {
                let at = significant + at;
                let (part, within) = ((at / 64) as usize, at % 64);
                parts[part][plane] |= bits << within;
                let over = bits >> 1 >> (63 - within);
                if over != 0 {
                    parts[part + 1][plane] |= over;
                }
            };
            significant += rest::rest(arch, 256 - significant, &mut left, bits, add);
        }
    }
}

/// Skips planes without any bits, up to the given number.
#[inline(always)]
fn empty(planes: u32, left: &mut u64, bits: &mut BitReader<'_>) -> u32 {
    let mut skipped = 0;
    loop {
        let most = at_most(*left, MOST).min(planes - skipped);
        bits.refill();
        let zeros = (bits.window() | 1 << most).trailing_zeros();
        bits.skip(zeros);
        *left -= u64::from(zeros);
        skipped += zeros;
        if zeros < MOST {
            return skipped;
        }
    }
}

/// Returns the lesser of two numbers.
#[inline(always)]
fn at_most(left: u64, most: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "at most `most`, a u32")]
    let count = left.min(u64::from(most)) as u32;
    count
}
