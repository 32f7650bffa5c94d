//! Codes planes run by run, for machines on which moving bits to the positions of a mask takes many cycles. A
//! run consists of a test that is a one, the zeros before the next one-bit, and that one-bit.

use super::super::bits::{BitReader, Cursor, MOST, low};
use super::at_most;

/// Writes a plane of `SIZE` coefficients, given the number of coefficients that were significant before it.
/// Returns the number that are significant afterwards.
#[inline(always)]
pub(super) fn put<const SIZE: u32>(mut significant: u32, plane: u64, out: &mut Cursor<'_>) -> u32 {
    let (mut code, mut length) = (plane & low(significant), significant);
    let mut rest = plane.checked_shr(significant).unwrap_or(0);
    while significant < SIZE {
        let zeros = rest.trailing_zeros();
        // The one-bit of the last coefficient is implied. A test that is a zero ends the code.
        let (bits, count) = match rest {
            0 => (0, 1),
            _ if significant + zeros < SIZE - 1 => (1 | 2 << zeros, zeros + 2),
            _ => (1, zeros + 1),
        };
        // The code of 16 coefficients takes at most 32 bits.
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

/// The codes of planes of four coefficients, by the number of significant coefficients and the plane: the
/// bits of the code, its length, and the number of significant coefficients afterwards. A code has at most
/// seven bits.
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

/// Writes the planes of four coefficients, whose bits are reversed so that the highest plane comes first, and
/// stops after `end`.
///
/// A coefficient is significant from the first plane on in which it or a later coefficient has a one. Only a
/// few planes change which coefficients are significant. Between them, the code of a plane consists of the
/// bits of the significant coefficients and a zero for a test.
#[inline(always)]
pub(in crate::zfp) fn put_line([a, b, c, d]: [u64; 4], count: u32, end: u64, out: &mut Cursor<'_>) {
    let firsts = [a | b | c | d, b | c | d, c | d, d].map(|any| any.trailing_zeros().min(count));
    let [mut done, second, third, fourth] = firsts;
    out.put(0, done);
    let mut significant = 0;
    while done < count && out.len() < end {
        let bit = |coefficient: u64| coefficient >> done & 1;
        let plane = bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3;
        let entry = FOUR[significant][(plane & 15) as usize];
        out.put((entry & 0xff).into(), u32::from(entry >> 8 & 15));
        significant = usize::from(entry >> 12);
        done += 1;
        let next = [0, second, third, fourth, count][significant % 5];
        while done < next {
            let left = next - done;
            let some = |most: u32| left.min(most);
            let bits = |coefficient: u64, count: u32| coefficient >> done & low(count);
            done += match significant {
                1 => {
                    let count = some(32);
                    out.put(in_twos(bits(a, count)), 2 * count);
                    count
                }
                2 => {
                    let count = some(21);
                    let code = in_threes(bits(a, count)) | in_threes(bits(b, count)) << 1;
                    out.put(code, 3 * count);
                    count
                }
                _ => {
                    let count = some(16);
                    // For three coefficients, the test takes the place of the fourth coefficient's bit, which
                    // is a zero too.
                    let [a, b, c, d] = [a, b, c, d].map(|it| in_fours(bits(it, count)));
                    out.put(a | b << 1 | c << 2 | d << 3, 4 * count);
                    count
                }
            };
        }
    }
}

/// Spreads the lowest 32 bits to every second position.
#[inline(always)]
fn in_twos(bits: u64) -> u64 {
    let bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
    let bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
    let bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}

/// Spreads the lowest 21 bits to every third position.
#[inline(always)]
fn in_threes(bits: u64) -> u64 {
    let bits = (bits | bits << 32) & 0x001f_0000_0000_ffff;
    let bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff;
    let bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f;
    let bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

/// Spreads the lowest 16 bits to every fourth position.
#[inline(always)]
fn in_fours(bits: u64) -> u64 {
    let bits = (bits | bits << 24) & 0x0000_00ff_0000_00ff;
    let bits = (bits | bits << 12) & 0x000f_000f_000f_000f;
    let bits = (bits | bits << 6) & 0x0303_0303_0303_0303;
    (bits | bits << 3) & 0x1111_1111_1111_1111
}

/// Like [`put`], for a plane of 256 coefficients.
#[inline(always)]
pub(super) fn put_four(mut significant: u32, plane: [u64; 4], out: &mut Cursor<'_>) -> u32 {
    for (word, before) in plane.into_iter().zip([0, 64, 128, 192]) {
        let count = significant.saturating_sub(before).min(64);
        if count == 0 {
            break;
        }
        out.put(word & low(count), count);
    }
    // The index of the first coefficient in the current word.
    let mut first = significant / 64 * 64;
    let word = |first: u32| plane.get(first as usize / 64).copied().unwrap_or(0);
    let mut rest = word(first) >> (significant % 64);
    // The index of the coefficient whose bit is the lowest of `rest`.
    let mut next = significant;
    while significant < 256 {
        while rest == 0 && first < 192 {
            first += 64;
            (rest, next) = (word(first), first);
        }
        if rest == 0 {
            out.put(0, 1);
            break;
        }
        let zeros_of_word = rest.trailing_zeros();
        next += zeros_of_word;
        rest = rest >> zeros_of_word >> 1;
        let zeros = next - significant;
        // The one-bit of the last coefficient is implied.
        let last = u32::from(next < 255);
        if zeros <= 62 {
            out.put(1 | u64::from(last) << (zeros + 1), zeros + 1 + last);
        } else {
            out.put(1, 1);
            out.zeros(zeros.into());
            out.put(last.into(), last);
        }
        next += 1;
        significant = next;
    }
    significant
}

/// Reads the code of at most the given number of coefficients, and passes the index of each one-bit to a
/// function. Returns how many coefficients have become significant.
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

/// Reads a plane of 16 coefficients, whose code ends after the given number of bits if it is `LIMITED`. Returns
/// the plane, the number of coefficients that are significant afterwards, and the length of the code in bits.
#[inline(always)]
pub(super) fn plane_of_16<const LIMITED: bool>(
    mut significant: u32,
    most: u32,
    bits: &mut BitReader<'_>,
) -> (u64, u32, u32) {
    let at_most = |count: u32, most: u32| if LIMITED { count.min(most) } else { count };
    bits.refill();
    let mut window = bits.window();
    let mut length = at_most(significant, most);
    let mut plane = window & low(length);
    window >>= length;
    while significant < 16 && (!LIMITED || length < most) {
        length += 1;
        if window & 1 == 0 {
            break;
        }
        window >>= 1;
        let limit = at_most(15 - significant, most - length);
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
