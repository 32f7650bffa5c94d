//! Reads planes of blocks of four coefficients, two planes at a time, with a table.

use super::super::bits::{BitReader, MOST};
use super::{at_most, empty, rest::rest_of_64};
use crate::arch::Transpose;

/// The maximum number of bits of two planes.
const PAIR: u32 = 11;

/// Two planes by the number of significant coefficients and the next bits of the stream: the bits of the
/// planes, the length of their code, and the number of significant coefficients afterwards.
static PAIRS: [[u16; 1 << PAIR]; 4] = pairs();

#[expect(
    clippy::cast_possible_truncation,
    reason = "lengths up to 11 bits, four coefficients"
)]
const fn pairs() -> [[u16; 1 << PAIR]; 4] {
    let mut table = [[0; 1 << PAIR]; 4];
    let mut significant = 0;
    while significant < 4 {
        let mut window = 0;
        while window < 1 << PAIR {
            let (first, length, after) = plane(significant, window);
            let (second, more, after) = plane(after, window >> length);
            table[significant as usize][window as usize] =
                first | second << 4 | ((length + more) as u16) << 8 | (after as u16) << 12;
            window += 1;
        }
        significant += 1;
    }
    table
}

/// Returns a plane: its bits, the length of its code, and the number of significant coefficients after it.
#[expect(clippy::cast_possible_truncation, reason = "four bits")]
const fn plane(significant: u32, window: u32) -> (u16, u32, u32) {
    let mut word = window & ((1 << significant) - 1);
    let (mut at, mut after) = (significant, significant);
    while after < 4 {
        at += 1;
        if window >> (at - 1) & 1 == 0 {
            break;
        }
        while after < 3 {
            at += 1;
            if window >> (at - 1) & 1 == 1 {
                break;
            }
            after += 1;
        }
        word |= 1 << after;
        after += 1;
    }
    (word as u16, at, after)
}

/// Reads the given number of planes of a block of four coefficients, stopping at `end`. They are side by side
/// in words of 64 bits, with the highest plane lowest.
#[inline(always)]
pub(in super::super) fn decode<T: Transpose>(
    arch: T,
    planes: u32,
    end: u64,
    bits: &mut BitReader<'_>,
) -> [u64; 4] {
    let mut words = [0; 5];
    let mut left = end.saturating_sub(bits.position());
    let mut plane = empty(planes, &mut left, bits);
    let mut significant = 0;
    while plane < planes && significant < 4 && left > 0 {
        bits.refill();
        // The number of pairs that the window is guaranteed to contain.
        let mut pairs = MOST / PAIR;
        while pairs > 0 && plane + 1 < planes && significant < 4 {
            let pair = PAIRS[significant as usize][(bits.window() % (1 << PAIR)) as usize];
            let length = u32::from(pair >> 8 & 15);
            if u64::from(length) > left {
                break;
            }
            bits.skip(length);
            left -= u64::from(length);
            add(&mut words, plane, (pair & 0xff).into());
            significant = u32::from(pair >> 12);
            plane += 2;
            pairs -= 1;
        }
        if pairs == MOST / PAIR {
            let count = at_most(left, significant);
            let mut word = bits.take(count);
            left -= u64::from(count);
            let (new, added) = rest_of_64(arch, 4 - significant, &mut left, bits);
            word |= new << significant;
            significant += added;
            add(&mut words, plane, word);
            plane += 1;
        }
    }
    while plane < planes && left > 0 {
        let count = at_most(left, (4 * (planes - plane)).min(64));
        add(&mut words, plane, bits.take(count));
        left -= u64::from(count);
        plane += 16;
    }
    let [first, second, third, fourth, _] = words;
    [first, second, third, fourth]
}

/// Adds up to 16 planes.
#[inline(always)]
fn add(words: &mut [u64; 5], plane: u32, bits: u64) {
    let (at, within) = ((plane / 16) as usize, 4 * (plane % 16));
    words[at & 3] |= bits << within;
    words[(at & 3) + 1] |= bits >> 1 >> (63 - within);
}
