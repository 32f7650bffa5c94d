//! Planes of bits to a string of bits and back (zfp.planes).
//!
//! A limit of bits is nothing but the end of that string: the encoder writes whole planes and takes
//! back what is too much, and the decoder, when it comes to the end, reads what makes it stop.

use super::bits::{BitReader, BitWriter, MOST, low};

/// Writes the planes of a block of up to 64 coefficients, from `planes[highest - 1]` down to
/// `planes[lowest]`, as far as `end` at most. The coefficients are `SIZE` bits from `shift` on.
#[inline(always)]
pub(super) fn encode<const SIZE: u32>(
    planes: &[u64],
    shift: u32,
    lowest: u32,
    end: u64,
    out: &mut BitWriter,
) {
    let mut significant = 0;
    for plane in planes[lowest as usize..].iter().rev() {
        let mut rest = plane >> shift & low(SIZE);
        if significant > 0 {
            out.put_wide(rest & low(significant), significant);
            rest = rest.checked_shr(significant).unwrap_or(0);
        }
        let mut code = 0u64;
        let mut length = 0;
        while rest != 0 {
            let zeros = rest.trailing_zeros();
            // Room for one more bit behind it.
            if length + zeros + 3 > MOST {
                out.put(code, length);
                (code, length) = (0, 0);
            }
            // That there is a one, the zeros up to it, and itself, unless it is the last bit.
            significant += zeros + 1;
            let implied = u32::from(significant == SIZE);
            if zeros + 3 > MOST {
                out.put(1, 1);
                out.zeros(zeros.into());
                out.put(u64::from(1 - implied), 1 - implied);
            } else {
                code |= (1 | u64::from(1 - implied) << (zeros + 1)) << length;
                length += zeros + 2 - implied;
            }
            rest = (rest >> zeros) >> 1;
        }
        // That there is none.
        length += u32::from(significant < SIZE);
        out.put(code, length);
        if out.len() >= end {
            break;
        }
    }
    if out.len() > end {
        out.truncate(end);
    }
}

/// As [`encode`], of 256 coefficients: 64 of them in each part.
#[inline(always)]
pub(super) fn encode_four(parts: [&[u64]; 4], lowest: u32, end: u64, out: &mut BitWriter) {
    let mut significant = 0u32;
    for plane in (lowest as usize..parts[0].len()).rev() {
        let bits = parts.map(|part| part[plane]);
        for (&word, before) in bits.iter().zip([0u32, 64, 128, 192]) {
            let count = significant.saturating_sub(before).min(64);
            out.put_wide(word & low(count), count);
        }
        loop {
            let Some(next) = next_one(&bits, significant) else {
                if significant < 256 {
                    out.put(0, 1);
                }
                break;
            };
            let zeros = next - significant;
            significant = next + 1;
            let implied = u32::from(significant == 256);
            if zeros + 2 > MOST {
                out.put(1, 1);
                out.zeros(zeros.into());
                out.put(u64::from(1 - implied), 1 - implied);
            } else {
                let code = 1 | u64::from(1 - implied) << (zeros + 1);
                out.put(code, zeros + 2 - implied);
            }
        }
        if out.len() >= end {
            break;
        }
    }
    if out.len() > end {
        out.truncate(end);
    }
}

/// The first bit that is set, from bit `from` on.
#[inline(always)]
fn next_one(bits: &[u64; 4], from: u32) -> Option<u32> {
    let mut before = from / 64 * 64;
    let mut word = *bits.get((before / 64) as usize)? & !low(from % 64);
    while word == 0 {
        before += 64;
        word = *bits.get((before / 64) as usize)?;
    }
    Some(before + word.trailing_zeros())
}

/// Reads the planes of a block of up to 64 coefficients and adds them to `planes`, `SIZE` bits from
/// `shift` on. Nothing is read from `end` on.
#[inline(always)]
pub(super) fn decode<const SIZE: u32>(
    planes: &mut [u64],
    shift: u32,
    lowest: u32,
    end: u64,
    bits: &mut BitReader<'_>,
) {
    let mut significant = 0;
    for plane in planes[lowest as usize..].iter_mut().rev() {
        let left = end.saturating_sub(bits.position());
        if left == 0 {
            break;
        }
        let mut word = bits.take(significant.min(at_most(left)));
        let mut peeked = bits.peek();
        let mut have = MOST;
        while significant < SIZE && bits.position() < end {
            if have < 2 {
                peeked = bits.peek();
                have = MOST;
            }
            bits.skip(1);
            if peeked & 1 == 0 {
                break;
            }
            (peeked, have) = (peeked >> 1, have - 1);
            // As many zeros as there can be: then a one follows that is not there.
            let left = at_most(end - bits.position());
            let most = left.min(SIZE - 1 - significant);
            let mut zeros = (peeked | 1 << have).trailing_zeros();
            if zeros >= have && zeros < most {
                zeros = run(bits, most);
                have = 0;
            } else {
                zeros = zeros.min(most);
                let read = zeros + u32::from(zeros < most);
                bits.skip(read);
                (peeked, have) = (peeked >> read, have - read);
            }
            significant += zeros;
            word |= 1 << significant;
            significant += 1;
        }
        *plane |= word << shift;
    }
}

/// As [`decode`], of 256 coefficients: 64 of them in each part.
#[inline(always)]
pub(super) fn decode_four(
    mut parts: [&mut [u64]; 4],
    lowest: u32,
    end: u64,
    bits: &mut BitReader<'_>,
) {
    let mut significant = 0u32;
    for plane in (lowest as usize..parts[0].len()).rev() {
        if bits.position() >= end {
            break;
        }
        for (words, before) in parts.iter_mut().zip([0u32, 64, 128, 192]) {
            let left = at_most(end - bits.position());
            let count = significant.saturating_sub(before).min(64).min(left);
            words[plane] = bits.take(count);
        }
        while significant < 256 && bits.position() < end {
            let peeked = bits.peek();
            bits.skip(1);
            if peeked & 1 == 0 {
                break;
            }
            let most = at_most(end - bits.position()).min(255 - significant);
            let zeros = (peeked >> 1).trailing_zeros();
            let zeros = if zeros < MOST - 1 || most < MOST - 1 {
                let zeros = zeros.min(most);
                bits.skip(zeros + u32::from(zeros < most));
                zeros
            } else {
                run(bits, most)
            };
            significant += zeros;
            parts[(significant / 64) as usize][plane] |= 1 << (significant % 64);
            significant += 1;
        }
    }
}

/// The zeros up to the next one, which is read as well; at most so many.
#[cold]
fn run(bits: &mut BitReader<'_>, most: u32) -> u32 {
    let mut zeros = 0;
    while zeros < most {
        let some = bits.peek().trailing_zeros().min(MOST).min(most - zeros);
        zeros += some;
        bits.skip(some);
        if some < MOST && zeros < most {
            bits.skip(1);
            break;
        }
    }
    zeros
}

/// A number of bits that is left, as far as it matters.
#[inline(always)]
fn at_most(left: u64) -> u32 {
    left.min(1 << 20) as u32
}
