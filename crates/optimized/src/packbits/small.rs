//! Packs two or four bits of each byte. The components that are packed into one byte are processed as a
//! single number, and the compiler turns loops over these numbers into vector code.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the joined components of a number fit into a byte"
)]

use super::Range;
use crate::arch::{Flags, Kernel, NO_FLAGS};
use crate::lanes::map_lanes;

/// Converts components to a byte.
pub(super) struct Pack<const BITS: u32> {
    first: u32,
}

/// Converts a byte to components.
pub(super) struct Unpack<const BITS: u32> {
    first: u32,
    /// The highest bit of a range, moved down with it, if it is a sign.
    sign: u8,
    /// The bits that a component may have, moved down with its range.
    own: u8,
}

impl<const BITS: u32> Pack<BITS> {
    pub(super) fn of(range: &Range) -> Self {
        Self { first: range.first }
    }
}

impl<const BITS: u32> Unpack<BITS> {
    pub(super) fn of(range: &Range) -> Self {
        Self {
            first: range.first,
            sign: range.sign() as u8,
            own: (range.own >> range.first) as u8,
        }
    }
}

impl Kernel for Pack<2> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |four: u32| {
            let ranges = four >> self.first & 0x0303_0303;
            let pairs = ranges | ranges >> 6;
            (pairs & 0x0f | pairs >> 12) as u8
        });
        NO_FLAGS
    }
}

impl Kernel for Pack<4> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |two: u16| {
            let ranges = two >> self.first & 0x0f0f;
            (ranges | ranges >> 4) as u8
        });
        NO_FLAGS
    }
}

impl Kernel for Unpack<2> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let sign = u32::from(self.sign) * 0x0101_0101;
        let own = u32::from(self.own) * 0x0101_0101;
        map_lanes(source, target, |byte: u8| {
            let byte = u32::from(byte);
            let pairs = (byte | byte << 12) & 0x000f_000f;
            let ranges = (pairs | pairs << 6) & 0x0303_0303;
            // As for all lanes (`Lanes::extended`).
            let signs = ranges & sign;
            let above = (signs << 7).wrapping_sub(signs << 1);
            ((ranges | above) & own) << self.first
        });
        NO_FLAGS
    }
}

impl Kernel for Unpack<4> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let sign = u16::from(self.sign) * 0x0101;
        let own = u16::from(self.own) * 0x0101;
        map_lanes(source, target, |byte: u8| {
            let byte = u16::from(byte);
            let ranges = (byte | byte << 4) & 0x0f0f;
            let signs = ranges & sign;
            let above = (signs << 5).wrapping_sub(signs << 1);
            ((ranges | above) & own) << self.first
        });
        NO_FLAGS
    }
}
