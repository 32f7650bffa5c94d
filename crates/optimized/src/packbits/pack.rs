//! Converts components to packed bits.

use super::lanes::Lanes;
use super::{BLOCK, Range, blocks, small};
use crate::arch::{Compress, Flags, Kernel, NO_FLAGS, SimdLevel};

/// Packs components into their packed bytes.
pub(super) fn run(level: SimdLevel, range: &Range, input: &[u8], output: &mut [u8]) {
    if range.is_whole() {
        output.copy_from_slice(input);
        return;
    }
    match (range.width, range.bits) {
        (1, 1) => whole_bytes(range, input, output, |components, bytes| {
            level.pack_bits(range.first, components, bytes);
        }),
        (1, 2) => whole_bytes(range, input, output, |components, bytes| {
            level.run(&small::Pack::<2>::of(range), components, bytes);
        }),
        (1, 4) => whole_bytes(range, input, output, |components, bytes| {
            level.run(&small::Pack::<4>::of(range), components, bytes);
        }),
        (1, _) => all::<8>(level, range, input, output),
        (2, _) => all::<16>(level, range, input, output),
        (4, _) => all::<32>(level, range, input, output),
        _ => all::<64>(level, range, input, output),
    }
}

/// Packs one-byte components, a whole number per byte, none straddling.
fn whole_bytes(range: &Range, input: &[u8], output: &mut [u8], pack: impl Fn(&[u8], &mut [u8])) {
    let components = 8 / range.bits as usize;
    let sizes = (input.len(), output.len());
    for block in blocks(sizes, range) {
        block.prefetch(input, output);
        let (source, target) = (&input[block.memory], &mut output[block.packed]);
        let whole = source.len() / components;
        let (source, rest) = source.split_at(whole * components);
        let (target, last) = target.split_at_mut(whole);
        pack(source, target);
        if !rest.is_empty() {
            let mut padded = [0; 8];
            padded[..rest.len()].copy_from_slice(rest);
            pack(&padded[..components], last);
        }
    }
}

/// Joins the ranges of each 64 bits of memory, and then the resulting words.
fn all<const LANE: u32>(level: SimdLevel, range: &Range, input: &[u8], output: &mut [u8]) {
    let join = Join(Lanes::<LANE>::of(range));
    let bits = 64 / LANE as usize * range.bits as usize;
    let compress = Compress::of(level, bits, input.len() / 8);
    let mut words = [0; BLOCK];
    let sizes = (input.len(), output.len());
    for block in blocks(sizes, range) {
        block.prefetch(input, output);
        // The target has more room than a block takes, for stores that extend into the next block.
        let (source, target) = (&input[block.memory], &mut output[block.packed.start..]);
        let (whole, rest) = source.as_chunks::<8>();
        let (joined, left) = words.split_at_mut(whole.len() * 8);
        level.run(&join, whole.as_flattened(), joined);
        let mut count = whole.len() * 8;
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            join.run(&last, &mut left[..8]);
            count += 8;
        }
        compress.run(&words[..count], target);
    }
}

/// Converts words of memory to words of ranges.
struct Join<const LANE: u32>(Lanes<LANE>);

impl<const LANE: u32> Kernel for Join<LANE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.0.join_all(source, target);
        NO_FLAGS
    }
}
