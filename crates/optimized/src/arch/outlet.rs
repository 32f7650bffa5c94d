//! Writes a long output block by block, in the way in which the machine accesses memory fastest.
//!
//! An ordinary store first reads the cache line from memory, even if the whole line is overwritten.
//! Non-temporal stores avoid this read, as `memcpy` of the C library does for long copies. The kernels need
//! not know: they write to a block that stays in the first-level cache. From there it is streamed to memory
//! while the input of the next block is prefetched.
//!
//! Measured on an AMD processor of Zen 1, float32 plus 1 on 64 MiB: ordinary stores take 1.6 times as long as
//! `memcpy`, with or without prefetching; blocks of 4 KiB take 1.02 times as long, blocks of 2 KiB 1.2 times,
//! and blocks of 8 KiB 1.3 times.
//!
//! Newer Intel processors do not read a line before it is completely overwritten, but a loop waits for its input as soon
//! as it computes anything. There, input and output are prefetched far ahead, in blocks so short that their prefetches do
//! not fill the queue of the first-level cache. Measured on a Sapphire Rapids with AVX-512, float64 to uint8: 1.6 times as
//! long as `memcpy` without prefetching, 1.3 times with blocks of 4 KiB, and 1.1 times with blocks of 1 KiB, 8 KiB ahead.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a function whose stores must be followed by a fence"
    )
)]

use core::ops::Range;

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Flags, Kernel, NO_FLAGS, SimdLevel};

/// The largest block, in bytes.
pub(crate) const BLOCK: usize = 4096;

/// The largest block if input and output are prefetched far ahead.
const STEP: usize = 1024;

/// The distance at which they are prefetched.
const AHEAD: usize = 8 << 10;

/// If input and output together exceed this number of bytes, they do not stay in the second-level cache. Tests use a lower
/// threshold.
pub(crate) const UNCACHED: usize = if cfg!(test) { STEP } else { 1 << 20 };

/// If input and output together have fewer bytes than this, they may still be in the caches when they are
/// next needed. Tests use a lower threshold.
const LONG: usize = if cfg!(test) { BLOCK } else { 16 << 20 };

/// The number of bytes in a cache line.
const LINE: usize = 64;

/// The destination of the blocks of an output.
pub(crate) struct Outlet {
    way: Way,
}

/// How blocks are written.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each call, and its block must not be allocated"
)]
enum Way {
    /// Directly to the output.
    Near,
    /// Directly to the output, while memory far ahead is prefetched.
    Ahead,
    /// To a block in the first-level cache, and from there to memory.
    Stream(Block),
}

#[repr(align(64))]
struct Block([u8; BLOCK]);

impl Outlet {
    /// Writes through the caches, however long the output is.
    pub(crate) const NEAR: Self = Self { way: Way::Near };

    /// Returns the outlet for an output of `output` bytes that is computed from `input` bytes. If the kernel takes the
    /// processor about as long as the memory access (`is_slow`), streaming its blocks would only delay it.
    pub(crate) fn of(input: usize, output: usize, is_slow: bool) -> Self {
        let bytes = input.saturating_add(output);
        let way = if !streams_pay(bytes) {
            if bytes > UNCACHED && cfg!(target_arch = "x86_64") {
                Way::Ahead
            } else {
                Way::Near
            }
        } else if bytes >= LONG && !is_slow {
            // The block is filled with zeros, which would not pay for a short output.
            Way::Stream(Block([0; BLOCK]))
        } else {
            Way::Near
        };
        Self { way }
    }

    /// Returns whether blocks bypass the caches.
    pub(crate) fn streams(&self) -> bool {
        matches!(self.way, Way::Stream(_))
    }

    /// Returns whether blocks go through the caches without any prefetching by [`put`](Self::put).
    pub(crate) fn is_near(&self) -> bool {
        matches!(self.way, Way::Near)
    }

    /// Returns the largest size in bytes that the input and the output of a block should have, unless it takes
    /// long to begin a block.
    pub(crate) fn block(&self) -> usize {
        match self.way {
            Way::Near => usize::MAX,
            Way::Ahead => STEP,
            Way::Stream(_) => BLOCK,
        }
    }

    /// Lets `make` compute a block of the output, and prefetches what later blocks need: `next` is the input of the
    /// following one. A block of more than [`BLOCK`] bytes is never streamed.
    #[inline(always)]
    pub(crate) fn put<R>(
        &mut self,
        target: &mut [u8],
        next: &[u8],
        make: impl FnOnce(&mut [u8]) -> R,
    ) -> R {
        if let Way::Ahead = self.way {
            super::prefetch_beyond(next, AHEAD);
            super::prefetch_beyond(target, target.len());
        }
        let block = match &mut self.way {
            Way::Stream(block) => block.0.get_mut(..target.len()),
            Way::Near | Way::Ahead => None,
        };
        let Some(block) = block else {
            return make(target);
        };
        let made = make(block);
        stream(block, target, next, |_| ());
        made
    }

    /// Copies a block to the output, bypassing the caches, and prefetches `next`, the input of the following
    /// block. Returns whether `finds` is true of any part of the block. The parts are cache lines, except for
    /// the first and the last.
    #[inline(always)]
    pub(crate) fn copy(
        &self,
        source: &[u8],
        target: &mut [u8],
        next: &[u8],
        finds: impl Fn(&[u8]) -> bool,
    ) -> bool {
        let mut found = false;
        stream(source, target, next, |part| found |= finds(part));
        found
    }

    /// Returns the ranges of the blocks of an output, of `block` bytes each. Blocks that bypass the caches have at most
    /// [`BLOCK`] bytes. The first block of a long output is shortened so that the others begin at a cache line, but only
    /// by a multiple of 16 bytes, so that elements of up to 16 bytes stay whole.
    pub(crate) fn spans(
        &self,
        output: &[u8],
        block: usize,
    ) -> impl Iterator<Item = Range<usize>> + use<> {
        let (mut end, all) = (0, output.len());
        let block = if self.streams() {
            block.min(BLOCK)
        } else {
            block
        };
        let head = output.as_ptr().align_offset(LINE) & !15;
        // A short output does not repay an additional block.
        let mut size = if all >= BLOCK && (1..block).contains(&head) {
            head
        } else {
            block
        };
        core::iter::from_fn(move || {
            let start = end;
            end = all.min(start + size);
            size = block;
            (start < end).then_some(start..end)
        })
    }

    /// Completes the stores so far. Only then may the written output be read or overwritten.
    pub(crate) fn settle(&self) {
        #[cfg(target_arch = "x86_64")]
        if self.streams() {
            x86::fence();
        }
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        self.settle();
    }
}

impl SimdLevel {
    /// Runs a kernel that preserves the width of the elements, block by block where that is faster.
    pub(crate) fn run_long<K: Kernel>(self, kernel: &K, input: &[u8], output: &mut [u8]) -> Flags {
        let mut outlet = Outlet::of(input.len(), output.len(), false);
        if outlet.is_near() {
            return self.run(kernel, input, output);
        }
        let mut flags = NO_FLAGS;
        for span in outlet.spans(output, outlet.block()) {
            let next = &input[span.end..(span.end + span.len()).min(input.len())];
            flags |= outlet.put(&mut output[span.clone()], next, |target| {
                self.run(kernel, &input[span], target)
            });
        }
        flags
    }
}

/// Returns whether non-temporal stores are known to be faster on this machine. In tests, the number of bytes decides, so
/// that blocks are written in every way.
fn streams_pay(bytes: usize) -> bool {
    if cfg!(test) {
        return !bytes.is_multiple_of(3);
    }
    #[cfg(target_arch = "x86_64")]
    return x86::streams_pay();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Copies a block to the output and prefetches `next`. Every part is shown to a function.
#[inline(always)]
fn stream(block: &[u8], target: &mut [u8], next: &[u8], mut show: impl FnMut(&[u8])) {
    // Only whole lines are streamed: a line that other code writes in part must go through the caches.
    let head = target.as_ptr().align_offset(LINE).min(target.len());
    let (before, lines) = target.split_at_mut(head);
    before.copy_from_slice(&block[..head]);
    show(before);
    let (lines, after) = lines.as_chunks_mut::<LINE>();
    let (whole, rest) = block[head..].as_chunks::<LINE>();
    after.copy_from_slice(rest);
    show(rest);
    // The prefetches of the next input are spread over the stores of the output.
    let each = next
        .len()
        .div_ceil(lines.len().max(1))
        .next_multiple_of(LINE);
    let mut next = next.chunks(each.max(LINE));
    for (line, target) in whole.iter().zip(lines) {
        super::prefetch_once(next.next().unwrap_or_default());
        show(line);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Outlet` issues the fence before other code can access the output.
        unsafe {
            x86::stream(line, target);
        }
        #[cfg(not(target_arch = "x86_64"))]
        target.copy_from_slice(line);
    }
}
