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
        match self.codec.dimensions() {
            1 => self
                .level
                .transposing(Typed::<_, S, 1>(encoding, PhantomData)),
            2 => self
                .level
                .transposing(Typed::<_, S, 2>(encoding, PhantomData)),
            3 => self
                .level
                .transposing(Typed::<_, S, 3>(encoding, PhantomData)),
            _ => self
                .level
                .transposing(Typed::<_, S, 4>(encoding, PhantomData)),
        }
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
        match self.codec.dimensions() {
            1 => self
                .level
                .transposing(Typed::<_, S, 1>(decoding, PhantomData)),
            2 => self
                .level
                .transposing(Typed::<_, S, 2>(decoding, PhantomData)),
            3 => self
                .level
                .transposing(Typed::<_, S, 3>(decoding, PhantomData)),
            _ => self
                .level
                .transposing(Typed::<_, S, 4>(decoding, PhantomData)),
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

/// A job for elements of one type and blocks of `D` dimensions.
struct Typed<J, S, const D: usize>(J, PhantomData<S>);

struct Encoding<'a> {
    codec: &'a Zfp,
    layout: &'a Layout,
    elements: &'a [u8],
    checked: bool,
    memory: Vec<u8>,
}

impl<S: Scalar, const D: usize> Transposing for Typed<Encoding<'_>, S, D> {
    type Output = Option<BitWriter>;

    #[inline(always)]
    fn run<T: Transpose>(self, arch: T) -> Option<BitWriter> {
        let Encoding {
            codec,
            layout,
            elements,
            checked,
            memory,
        } = self.0;
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

impl<S: Scalar, const D: usize> Transposing for Typed<Decoding<'_>, S, D> {
    type Output = ();

    #[inline(always)]
    fn run<T: Transpose>(self, arch: T) {
        let Decoding {
            codec,
            layout,
            bits,
            elements,
        } = self.0;
        decode::blocks::<S, D, T>(arch, codec, layout, bits, elements);
    }
}
