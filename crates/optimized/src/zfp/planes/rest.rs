//! The code of the coefficients that were not significant before a plane.
//!
//! The code consists of a test and, if the test is a one, bits up to and including the next one, and so on.
//! Every one-bit is therefore followed by a test, and every test that is a one is followed by bits. In a run
//! of ones that begins with a bit, bits and tests alternate, and the code ends after the first run with an
//! odd number of ones, whose last test is a zero. The first test belongs to a run that begins with an
//! imaginary one before it.

use super::super::bits::{BitReader, MOST, low};
use super::{at_most, runs};
use crate::arch::Transpose;

/// The bits at even positions.
pub(super) const EVEN: u64 = u64::MAX / 3;
const ODD: u64 = !EVEN;

/// The next 63 bits after the imaginary one.
#[derive(Clone, Copy)]
pub(super) struct Code {
    string: u64,
    /// Marks the bits of coefficients, up to the end.
    bits: u64,
    /// The test that ends the code, or 64 if it is not among them.
    end: u32,
}

impl Code {
    /// Interprets the next bits. `first` is one if they begin with a test, and zero if they begin with the
    /// bits after a test.
    #[inline(always)]
    pub(super) fn of(window: u64, first: u64) -> Self {
        let string = window << 1 | first;
        let starts = string & !(string << 1);
        // The sum carries each start to the end of its run of ones.
        let of_even = string.wrapping_add(starts & EVEN);
        let of_odd = string.wrapping_add(starts & ODD);
        let end = (of_even & ODD | of_odd & EVEN) & !string;
        let even = string & !of_even;
        let tests = even & ODD | (string ^ even) & EVEN;
        Self {
            string,
            bits: !tests,
            end: end.trailing_zeros(),
        }
    }

    /// Returns the bits of the coefficients, their number, and the length of the code, if it ends before the
    /// last of `most` coefficients and within the given number of bits.
    #[inline(always)]
    pub(super) fn whole<T: Transpose>(
        &self,
        arch: T,
        most: u32,
        limit: u32,
    ) -> Option<(u64, u32, u32)> {
        // Computing these without checking for an end first shortens the path to the next plane.
        let bits = self.bits & 1u64.wrapping_shl(self.end).wrapping_sub(1);
        let count = bits.count_ones().wrapping_sub(1);
        if self.end > limit || count >= most {
            return None;
        }
        Some((arch.extract(self.string, bits) >> 1, count, self.end))
    }
}

/// Reads the code of at most the given number of coefficients, of any length, and passes on their bits
/// together with the index of the first of them. Returns how many coefficients have become significant.
#[inline(always)]
pub(super) fn rest<T: Transpose>(
    arch: T,
    most: u32,
    left: &mut u64,
    reader: &mut BitReader<'_>,
    mut add: impl FnMut(u64, u32),
) -> u32 {
    let mut done = 0;
    let mut first = 1;
    loop {
        reader.refill();
        let code = Code::of(reader.window(), first);
        let limit = at_most(*left, MOST);
        if let Some((bits, count, length)) = code.whole(arch, most - done, limit) {
            reader.skip(length);
            *left -= u64::from(length);
            add(bits, done);
            return done + count;
        }
        // The last coefficient must be a one if the code reaches it, and so must the coefficient at the
        // limit.
        let last = if most - done < 64 {
            arch.deposit(1 << (most - done), code.bits).trailing_zeros()
        } else {
            64
        };
        let ends = last <= limit + 1 && last < code.end;
        let upto = if ends { last } else { limit + 1 };
        let bits = code.bits & low(upto);
        let count = bits.count_ones() - 1;
        let word = arch.extract(code.string, bits) >> 1;
        // Whether the last bit is a one whose test lies beyond the limit.
        let open = !ends && code.string & bits & 1 << limit != 0;
        let is_limit = u64::from(limit) == *left;
        let length = if ends {
            last - 1
        } else {
            limit - u32::from(open && !is_limit)
        };
        reader.skip(length);
        *left -= u64::from(length);
        if ends || (is_limit && !open) {
            add(word | 1 << count, done);
            return done + count + 1;
        }
        if is_limit {
            add(word, done);
            return done + count;
        }
        let open = u32::from(open);
        add(word & low(count - open), done);
        done += count - open;
        first = 0;
    }
}

/// Like [`rest`], for up to 64 coefficients whose code is not of the usual form.
#[cold]
#[inline(never)]
pub(super) fn rest_of_64<T: Transpose>(
    arch: T,
    most: u32,
    left: &mut u64,
    reader: &mut BitReader<'_>,
) -> (u64, u32) {
    let mut bits = 0;
    if !T::MOVES_BITS {
        let added = runs::take(most, left, reader, |at| bits |= 1 << at);
        return (bits, added);
    }
    let added = rest(arch, most, left, reader, |some, at| bits |= some << at);
    (bits, added)
}
