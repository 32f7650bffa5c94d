//! The code of planes run by run, for machines that do not move bits to the places of a mask in a few cycles: a run is a
//! test that is a one, the zeros before the next one, and that one.

use super::super::bits::{BitReader, Cursor, MOST, low};
use super::at_most;

/// Writes a plane of `SIZE` coefficients, given those that were significant before it, and returns those that are now.
#[inline(always)]
pub(super) fn put<const SIZE: u32>(mut significant: u32, plane: u64, out: &mut Cursor<'_>) -> u32 {
    out.put(plane & low(significant), significant);
    let mut rest = plane.checked_shr(significant).unwrap_or(0);
    while significant < SIZE {
        if rest == 0 {
            out.put(0, 1);
            break;
        }
        let zeros = rest.trailing_zeros();
        // The one of the last coefficient is implied.
        if significant + zeros < SIZE - 1 {
            out.put(1 | 2 << zeros, zeros + 2);
        } else {
            out.put(1, zeros + 1);
        }
        rest = rest >> zeros >> 1;
        significant += zeros + 1;
    }
    significant
}

/// Like [`put`], of a plane of 256 coefficients.
#[inline(always)]
pub(super) fn put_four(mut significant: u32, plane: [u64; 4], out: &mut Cursor<'_>) -> u32 {
    for (word, before) in plane.into_iter().zip([0, 64, 128, 192]) {
        let count = significant.saturating_sub(before).min(64);
        if count == 0 {
            break;
        }
        out.put(word & low(count), count);
    }
    while significant < 256 {
        let part = significant as usize / 64;
        let mut rest = plane[part] >> (significant % 64);
        let mut next = significant;
        for (&word, first) in plane.iter().zip([0, 64, 128, 192]).skip(part + 1) {
            if rest != 0 {
                break;
            }
            (next, rest) = (first, word);
        }
        if rest == 0 {
            out.put(0, 1);
            break;
        }
        next += rest.trailing_zeros();
        out.put(1, 1);
        out.zeros(u64::from(next - significant));
        if next < 255 {
            out.put(1, 1);
        }
        significant = next + 1;
    }
    significant
}

/// Reads the code of at most the given number of coefficients, and hands out those that are ones. Returns how many
/// coefficients have become significant.
#[inline(always)]
pub(super) fn take(
    most: u32,
    left: &mut u64,
    bits: &mut BitReader<'_>,
    mut add: impl FnMut(u32),
) -> u32 {
    let mut done = 0;
    while done < most && *left > 0 {
        bits.refill();
        let test = bits.window() & 1;
        bits.skip(1);
        *left -= 1;
        if test == 0 {
            break;
        }
        loop {
            let zeros_at_most = at_most(*left, most - 1 - done);
            let limit = zeros_at_most.min(MOST - 1);
            bits.refill();
            let zeros = (bits.window() | 1 << limit).trailing_zeros();
            done += zeros;
            let read = if zeros < limit { zeros + 1 } else { zeros };
            bits.skip(read);
            *left -= u64::from(read);
            if zeros < limit || limit == zeros_at_most {
                break;
            }
        }
        add(done);
        done += 1;
    }
    done
}
