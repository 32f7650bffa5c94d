//! Processes 64 bits of memory at a time: components in lanes, and their ranges side by side.

use super::Range;
use crate::lanes::map_lanes;

/// Returns a word whose lowest bits, at least one, are ones.
const fn field(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// Returns the same bits in every lane of this width.
const fn repeated(lane: u32, bits: u64) -> u64 {
    let mut word = bits;
    let mut width = lane;
    while width < 64 {
        word |= word << width;
        width *= 2;
    }
    word
}

/// Components in lanes of `LANE` bits, which is their width in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes<const LANE: u32> {
    first: u32,
    bits: u32,
    /// The range in every lane, moved to the bottom.
    ranges: u64,
    /// The bits of the lower one of two adjacent items: lanes, pairs of lanes, and so on.
    lower: [u64; 3],
    /// The highest bit of every range, moved down with it, if it is a sign.
    signs: u64,
    /// The bits that a component may have, moved down with its range, in every lane.
    own: u64,
}

impl<const LANE: u32> Lanes<LANE> {
    /// The number of steps in which neighbouring lanes join.
    const JOINS: usize = (64 / LANE).trailing_zeros() as usize;

    pub(super) fn of(range: &Range) -> Self {
        let mut lower = [0; 3];
        for (join, lower) in lower.iter_mut().enumerate().take(Self::JOINS) {
            *lower = repeated((2 * LANE) << join, field(range.bits << join));
        }
        Self {
            first: range.first,
            bits: range.bits,
            ranges: repeated(LANE, field(range.bits)),
            lower,
            signs: repeated(LANE, range.sign()),
            own: repeated(LANE, range.own >> range.first),
        }
    }

    /// Returns the widths in bits, in memory and packed, of the items that a join combines, and the mask of
    /// the lower one.
    #[inline(always)]
    fn join(&self, join: usize) -> (u32, u32, u64) {
        (LANE << join, self.bits << join, self.lower[join])
    }

    /// Returns the ranges of 64 bits of memory side by side, from the lowest bit up, with zeros above them.
    #[inline(always)]
    pub(super) fn joined(&self, memory: u64) -> u64 {
        let mut word = memory >> self.first & self.ranges;
        for join in 0..Self::JOINS {
            let (lane, bits, lower) = self.join(join);
            word = word & lower | word >> (lane - bits) & lower << bits;
        }
        word
    }

    /// Spreads adjacent ranges over 64 bits of memory, ignoring bits above the ranges.
    #[inline(always)]
    pub(super) fn parted(&self, mut word: u64) -> u64 {
        for join in (0..Self::JOINS).rev() {
            let (lane, bits, lower) = self.join(join);
            word = word & lower | word << (lane - bits) & lower << lane;
        }
        (word & self.ranges) << self.first
    }

    /// Converts words of memory to words of ranges.
    #[inline(always)]
    pub(super) fn join_all(&self, source: &[u8], target: &mut [u8]) {
        map_lanes(source, target, |memory: u64| self.joined(memory));
    }

    /// Converts words of ranges to words of memory.
    #[inline(always)]
    pub(super) fn part_all(&self, source: &[u8], target: &mut [u8]) {
        if self.signs == 0 {
            map_lanes(source, target, |word: u64| self.parted(word));
        } else {
            map_lanes(source, target, |word: u64| self.extended(word));
        }
    }

    /// Returns the component of a range.
    pub(super) fn component(&self, range: u8) -> u8 {
        let mut memory = [0; 8];
        self.part_all(&u64::from(range).to_le_bytes(), &mut memory);
        memory[0]
    }

    /// Like [`parted`](Self::parted), for ranges whose highest bit is a sign.
    #[inline(always)]
    pub(super) fn extended(&self, word: u64) -> u64 {
        let word = self.parted(word) >> self.first;
        // Sets the bits of each lane above a sign that is set, by subtracting twice the sign from the end of
        // the lane. In the whole word, the subtraction cancels the borrow from one lane to the next.
        let signs = word & self.signs;
        let above = (signs << (LANE - self.bits) << 1).wrapping_sub(signs << 1);
        ((word | above) & self.own) << self.first
    }
}
