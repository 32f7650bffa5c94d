//! The code of planes run by run, for machines that do not move bits to the places of a mask in a few cycles: a run is a
//! test that is a one, the zeros before the next one, and that one.

use super::super::bits::{BitReader, Cursor, MOST, low};
use super::at_most;

/// Writes a plane of `SIZE` coefficients, given those that were significant before it, and returns those that are now.
#[inline(always)]
pub(super) fn put<const SIZE: u32>(mut significant: u32, plane: u64, out: &mut Cursor<'_>) -> u32 {
    let (mut code, mut length) = (plane & low(significant), significant);
    let mut rest = plane.checked_shr(significant).unwrap_or(0);
    while significant < SIZE {
        let zeros = rest.trailing_zeros();
        // The one of the last coefficient is implied. A test that is a zero ends the code.
        let (bits, count) = match rest {
            0 => (0, 1),
            _ if significant + zeros < SIZE - 1 => (1 | 2 << zeros, zeros + 2),
            _ => (1, zeros + 1),
        };
        // A plane of 16 coefficients takes no more than 32 bits.
        if SIZE > 16 && length + count > 64 {
            out.put(code, length);
            (code, length) = (0, 0);
        }
        code |= bits << length;
        length += count;
        if rest == 0 {
            break;
        }
        rest = rest >> zeros >> 1;
        significant += zeros + 1;
    }
    out.put(code, length);
    significant
}

/// The codes of planes of four coefficients, by the number of significant ones and the plane: their bits, their length
/// and the number afterwards.
static FOUR: [[u16; 16]; 5] = {
    let mut table = [[0; 16]; 5];
    let mut significant = 0;
    while significant < 5 {
        let mut plane = 0;
        while plane < 16 {
            table[significant as usize][plane as usize] = of_four(significant, plane);
            plane += 1;
        }
        significant += 1;
    }
    table
};

const fn of_four(mut significant: u16, plane: u16) -> u16 {
    let (mut code, mut length) = (plane & ((1 << significant) - 1), significant);
    while significant < 4 {
        let rest = plane >> significant;
        if rest != 0 {
            code |= 1 << length;
        }
        length += 1;
        if rest == 0 {
            break;
        }
        while significant < 3 {
            let bit = plane >> significant & 1;
            code |= bit << length;
            length += 1;
            if bit == 1 {
                break;
            }
            significant += 1;
        }
        significant += 1;
    }
    code | length << 8 | significant << 12
}

/// Writes planes of four coefficients that lie side by side.
#[inline(always)]
pub(super) fn put_lines(
    mut significant: u32,
    planes: u64,
    count: u32,
    out: &mut Cursor<'_>,
) -> u32 {
    let (mut code, mut length) = (0, 0);
    for lane in (0..4 * count).step_by(4) {
        let entry = FOUR[significant as usize][(planes >> lane & 15) as usize];
        // A plane takes no more than seven bits.
        if length > 57 {
            out.put(code, length);
            (code, length) = (0, 0);
        }
        code |= u64::from(entry & 0xff) << length;
        length += u32::from(entry >> 8 & 15);
        significant = u32::from(entry >> 12);
    }
    out.put(code, length);
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
        let zeros = next - significant;
        let last = u32::from(next < 255);
        if zeros <= 62 {
            out.put(1 | u64::from(last) << (zeros + 1), zeros + 1 + last);
        } else {
            out.put(1, 1);
            out.zeros(zeros.into());
            out.put(last.into(), last);
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
        let mut sure = MOST - 1;
        loop {
            let zeros_at_most = at_most(*left, most - 1 - done);
            let limit = zeros_at_most.min(sure);
            let zeros = (bits.window() | 1 << limit).trailing_zeros();
            done += zeros;
            let read = if zeros < limit { zeros + 1 } else { zeros };
            bits.skip(read);
            *left -= u64::from(read);
            if zeros < limit || limit == zeros_at_most {
                break;
            }
            bits.refill();
            sure = MOST;
        }
        add(done);
        done += 1;
    }
    done
}

/// Reads a plane of 16 coefficients, whose code has no limit, and returns it with the number of those that are then
/// significant and the bits that it took.
#[inline(always)]
pub(super) fn plane_of_16(mut significant: u32, bits: &mut BitReader<'_>) -> (u64, u32, u32) {
    bits.refill();
    let mut window = bits.window();
    let mut plane = window & low(significant);
    window >>= significant;
    let mut length = significant;
    while significant < 16 {
        length += 1;
        if window & 1 == 0 {
            break;
        }
        window >>= 1;
        let limit = 15 - significant;
        let zeros = (window | 1 << limit).trailing_zeros();
        let read = zeros + u32::from(zeros < limit);
        window >>= read;
        length += read;
        significant += zeros;
        plane |= 1 << significant;
        significant += 1;
    }
    bits.skip(length);
    (plane, significant, length)
}
