//! Converts packed bits to components.

use super::lanes::Lanes;
use super::{BLOCK, Range, blocks, small};
use crate::arch::{Expand, Flags, Kernel, NO_FLAGS, SimdLevel};

/// Unpacks as many components as fit into the output.
pub(super) fn run(level: SimdLevel, range: &Range, input: &[u8], output: &mut [u8]) {
    if range.is_whole() {
        output.copy_from_slice(input);
        return;
    }
    match (range.width, range.bits) {
        (1, 1) => {
            let one = Lanes::<8>::of(range).component(1);
            whole_bytes(range, input, output, |bytes, components| {
                level.unpack_bits(one, bytes, components);
            });
        }
        (1, 2) => whole_bytes(range, input, output, |bytes, components| {
            level.run(&small::Unpack::<2>::of(range), bytes, components);
        }),
        (1, 4) => whole_bytes(range, input, output, |bytes, components| {
            level.run(&small::Unpack::<4>::of(range), bytes, components);
        }),
        (1, _) => all::<8>(level, range, input, output),
        (2, _) => all::<16>(level, range, input, output),
        (4, _) => all::<32>(level, range, input, output),
        _ => all::<64>(level, range, input, output),
    }
}

/// Unpacks one-byte components, packed a whole number per byte, none straddling.
fn whole_bytes(range: &Range, input: &[u8], output: &mut [u8], unpack: impl Fn(&[u8], &mut [u8])) {
    let components = 8 / range.bits as usize;
    let sizes = (output.len(), input.len());
    for block in blocks(sizes, range) {
        block.prefetch(output, input);
        let (source, target) = (&input[block.packed], &mut output[block.memory]);
        let whole = target.len() / components;
        let (source, last) = source.split_at(whole);
        let (target, rest) = target.split_at_mut(whole * components);
        unpack(source, target);
        if !rest.is_empty() {
            let mut padded = [0; 8];
            unpack(last, &mut padded[..components]);
            rest.copy_from_slice(&padded[..rest.len()]);
        }
    }
}

/// Extracts words with as many ranges as 64 bits of memory hold, and then spreads them over memory.
fn all<const LANE: u32>(level: SimdLevel, range: &Range, input: &[u8], output: &mut [u8]) {
    let part = Part(Lanes::<LANE>::of(range));
    let bits = 64 / LANE as usize * range.bits as usize;
    let expand = Expand::of(level, bits, output.len() / 8);
    let mut words = [0; BLOCK];
    let sizes = (output.len(), input.len());
    for block in blocks(sizes, range) {
        block.prefetch(output, input);
        // The source has more bytes than a block, for loads that extend into the next block.
        let (source, target) = (&input[block.packed.start..], &mut output[block.memory]);
        let words = &mut words[..target.len().div_ceil(8) * 8];
        expand.run(source, words);
        let (whole, rest) = target.as_chunks_mut::<8>();
        let (words, last) = words.split_at(whole.len() * 8);
        level.run(&part, words, whole.as_flattened_mut());
        if !rest.is_empty() {
            let mut memory = [0; 8];
            part.run(last, &mut memory);
            rest.copy_from_slice(&memory[..rest.len()]);
        }
    }
}

/// Converts words of ranges to words of memory.
struct Part<const LANE: u32>(Lanes<LANE>);

impl<const LANE: u32> Kernel for Part<LANE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.0.part_all(source, target);
        NO_FLAGS
    }
}
