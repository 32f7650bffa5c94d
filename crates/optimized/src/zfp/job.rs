//! Encodes or decodes a chunk on one thread or several.

use alloc::vec::Vec;
use core::marker::PhantomData;
#[cfg(feature = "std")]
use std::thread;

use exactum_model::Zfp;

use super::bits::{BitReader, BitWriter};
use super::layout::Layout;
use super::word::Scalar;
#[cfg(feature = "std")]
use super::word::Word;
use super::{decode, encode};
use crate::arch::{SimdLevel, Transpose, Transposing};

/// A chunk that is encoded or decoded.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) level: SimdLevel,
    pub(super) codec: &'a Zfp,
    pub(super) layout: Layout,
    #[cfg_attr(
        not(feature = "std"),
        expect(dead_code, reason = "without `std` there is one thread")
    )]
    pub(super) threads: usize,
}

impl Job<'_> {
    /// Returns the stream, which reuses the given memory, or `None` if the codec cannot hold all elements.
    pub(super) fn encode<S: Scalar>(
        &self,
        elements: &[u8],
        checked: bool,
        memory: Vec<u8>,
    ) -> Option<Vec<u8>> {
        #[cfg(feature = "std")]
        if self.threads > 1 {
            return self.encode_side_by_side::<S>(elements, checked, memory);
        }
        let stream = self.encode_slab::<S>(&self.layout, elements, checked, memory)?;
        Some(stream.into_bytes())
    }

    fn encode_slab<S: Scalar>(
        &self,
        layout: &Layout,
        elements: &[u8],
        checked: bool,
        mut memory: Vec<u8>,
    ) -> Option<BitWriter> {
        // The stream is rarely larger than the elements themselves.
        memory.reserve(elements.len().saturating_sub(memory.len()));
        let encoding = Encoding {
            codec: self.codec,
            layout,
            elements,
            checked,
            memory,
        };
        self.run::<S, _>(encoding)
    }

    #[cfg(feature = "std")]
    fn encode_side_by_side<S: Scalar>(
        &self,
        elements: &[u8],
        checked: bool,
        memory: Vec<u8>,
    ) -> Option<Vec<u8>> {
        let slabs = self.layout.slabs(self.threads);
        let mut rest = elements;
        let parts: Vec<_> = slabs
            .iter()
            .map(|layout| {
                let (own, after) = rest.split_at(layout.elements() * S::Word::BYTES);
                rest = after;
                (layout, own)
            })
            .collect();
        let (&(layout, own), others) = parts.split_first()?;
        let (whole, others) = thread::scope(|scope| {
            let spawn = |&(layout, own): &(_, _)| {
                scope.spawn(move || self.encode_slab::<S>(layout, own, checked, Vec::new()))
            };
            let running: Vec<_> = others.iter().map(spawn).collect();
            let whole = self.encode_slab::<S>(layout, own, checked, memory);
            let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().ok().flatten();
            (whole, running.into_iter().map(join).collect::<Vec<_>>())
        });
        let mut whole = whole?;
        for other in others {
            whole.append(&other?);
        }
        Some(whole.into_bytes())
    }

    pub(super) fn decode<S: Scalar>(&self, bytes: &[u8], elements: &mut [u8]) {
        // The starts of the blocks are known only if all blocks have the same size.
        #[cfg(feature = "std")]
        if self.threads > 1 && self.codec.min_bits == self.codec.max_bits {
            return self.decode_side_by_side::<S>(bytes, elements);
        }
        self.decode_slab::<S>(&self.layout, BitReader::new(bytes, 0), elements);
    }

    fn decode_slab<S: Scalar>(&self, layout: &Layout, bits: BitReader<'_>, elements: &mut [u8]) {
        let decoding = Decoding {
            codec: self.codec,
            layout,
            bits,
            elements,
        };
        self.run::<S, _>(decoding);
    }

    /// Runs a task in a function of its own for each number of dimensions. A single function for all of them
    /// would take much longer to compile.
    fn run<S: Scalar, J: Task<S>>(&self, task: J) -> J::Output {
        let level = self.level;
        match self.codec.dimensions() {
            1 => level.transposing(Typed::<_, S, 1>(task, PhantomData)),
            2 => level.transposing(Typed::<_, S, 2>(task, PhantomData)),
            3 => level.transposing(Typed::<_, S, 3>(task, PhantomData)),
            _ => level.transposing(Typed::<_, S, 4>(task, PhantomData)),
        }
    }

    #[cfg(feature = "std")]
    fn decode_side_by_side<S: Scalar>(&self, bytes: &[u8], elements: &mut [u8]) {
        let slabs = self.layout.slabs(self.threads);
        let mut left = elements;
        let mut position = 0;
        thread::scope(|scope| {
            for (index, layout) in slabs.iter().enumerate() {
                let (own, rest) =
                    core::mem::take(&mut left).split_at_mut(layout.elements() * S::Word::BYTES);
                left = rest;
                let bits = BitReader::new(bytes, position);
                position += layout.blocks() as u64 * u64::from(self.codec.max_bits);
                if index + 1 < slabs.len() {
                    scope.spawn(move || self.decode_slab::<S>(layout, bits, own));
                } else {
                    self.decode_slab::<S>(layout, bits, own);
                }
            }
        });
    }
}

/// A part of a job, for elements of one type.
trait Task<S> {
    type Output;

    /// Must be `#[inline(always)]`, so that it is compiled with the caller's target features.
    fn run<const D: usize, T: Transpose>(self, arch: T) -> Self::Output;
}

/// A task for blocks of `D` dimensions.
struct Typed<J, S, const D: usize>(J, PhantomData<S>);

impl<S, J: Task<S>, const D: usize> Transposing for Typed<J, S, D> {
    type Output = J::Output;

    #[inline(always)]
    fn run<T: Transpose>(self, arch: T) -> J::Output {
        self.0.run::<D, T>(arch)
    }
}

struct Encoding<'a> {
    codec: &'a Zfp,
    layout: &'a Layout,
    elements: &'a [u8],
    checked: bool,
    memory: Vec<u8>,
}

impl<S: Scalar> Task<S> for Encoding<'_> {
    type Output = Option<BitWriter>;

    #[inline(always)]
    fn run<const D: usize, T: Transpose>(self, arch: T) -> Option<BitWriter> {
        let Encoding {
            codec,
            layout,
            elements,
            checked,
            memory,
        } = self;
        let mut out = BitWriter::over(memory);
        encode::blocks::<S, D, T>(arch, codec, checked, layout, elements, &mut out).then_some(out)
    }
}

struct Decoding<'a> {
    codec: &'a Zfp,
    layout: &'a Layout,
    bits: BitReader<'a>,
    elements: &'a mut [u8],
}

impl<S: Scalar> Task<S> for Decoding<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const D: usize, T: Transpose>(self, arch: T) {
        let Decoding {
            codec,
            layout,
            bits,
            elements,
        } = self;
        decode::blocks::<S, D, T>(arch, codec, layout, bits, elements);
    }
}
