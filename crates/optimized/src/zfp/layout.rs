//! The places of the elements of a block in a chunk (zfp.blocks).

#[cfg(feature = "std")]
use alloc::vec::Vec;

use exactum_model::{Array, Reason, Zfp};

use super::word::Word;
use crate::fault::{Fault, Message, ZfpMessage};

/// The extents of a chunk and its blocks along x, y, z and w; x is the last dimension of the shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    extents: [usize; 4],
    blocks: [usize; 4],
    /// The distance between neighbours along each dimension.
    strides: [usize; 4],
}

/// A block of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The coordinates of its first element, in blocks.
    at: [usize; 4],
    /// The index of its first element.
    start: usize,
    /// Whether the whole block is inside the chunk.
    whole: bool,
}

impl Layout {
    pub(super) fn of(codec: &Zfp, shape: &[u64]) -> Result<Self, Fault> {
        if shape.len() != codec.rank || codec.rank > 4 || shape.contains(&0) {
            let words = Message::Zfp(ZfpMessage::Rank {
                rank: codec.rank,
                shape: shape.to_vec(),
            });
            return Err(Fault::new(Reason::Shape, "zfp.rank", words));
        }
        Array::bytes_of(codec.data_type, shape)?;
        let mut extents = [1; 4];
        for (extent, &own) in extents.iter_mut().zip(shape.iter().rev()) {
            *extent = usize::try_from(own).map_err(|_| Fault::too_large(shape))?;
        }
        let [nx, ny, nz, _] = extents;
        Ok(Self {
            extents,
            strides: [1, nx, nx * ny, nx * ny * nz],
            blocks: extents.map(|extent| extent.div_ceil(4)),
        })
    }

    pub(super) fn elements(&self) -> usize {
        self.extents.iter().product()
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks.iter().product()
    }

    /// Returns layers along the slowest axis, of sizes as equal as possible. Their elements, and their
    /// blocks, are consecutive.
    #[cfg(feature = "std")]
    pub(super) fn slabs(&self, count: usize) -> Vec<Self> {
        let slowest = (0..4)
            .rev()
            .find(|&axis| self.extents[axis] > 1)
            .unwrap_or(0);
        let blocks = self.blocks[slowest];
        let count = count.clamp(1, blocks);
        let bound = |slab: usize| blocks * slab / count;
        (0..count)
            .map(|slab| {
                let mut own = *self;
                own.blocks[slowest] = bound(slab + 1) - bound(slab);
                let end = self.extents[slowest].min(4 * bound(slab + 1));
                own.extents[slowest] = end - 4 * bound(slab);
                own
            })
            .collect()
    }

    /// Returns all blocks, with x fastest, as an endless iterator.
    #[inline(always)]
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let layout = *self;
        let strides = self.strides;
        let mut at = [0; 4];
        core::iter::repeat_with(move || {
            let start = (0..4).map(|axis| 4 * at[axis] * strides[axis]).sum();
            let axes = layout.extents.iter().zip(at);
            // If a chunk has fewer dimensions, so do its blocks.
            let whole = axes.fold(true, |whole, (&extent, at)| {
                whole & (4 * at + 4 <= extent || extent == 1)
            });
            let place = Place { at, start, whole };
            at[0] += 1;
            for axis in 0..3 {
                if at[axis] < layout.blocks[axis] {
                    break;
                }
                at[axis] = 0;
                at[axis + 1] += 1;
            }
            place
        })
    }

    /// Returns a block of elements.
    #[inline(always)]
    pub(super) fn gather<W: Word, const D: usize>(
        &self,
        place: &Place,
        elements: &[u8],
        block: &mut [W],
    ) {
        if self.is_whole::<D>(place) {
            let strides = self.strides;
            let elements = &elements[place.start * W::BYTES..];
            let rows = row_starts::<D>(&strides);
            for (start, words) in rows.zip(block.as_chunks_mut::<4>().0) {
                let start = start * W::BYTES;
                let bytes = &elements[start..start + 4 * W::BYTES];
                for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(W::BYTES)) {
                    *word = W::load(bytes);
                }
            }
        } else {
            self.gather_part::<W, D>(place, elements, block);
        }
    }

    /// Copies a block into its chunk.
    #[inline(always)]
    pub(super) fn scatter<W: Word, const D: usize>(
        &self,
        place: &Place,
        block: &[W],
        elements: &mut [u8],
    ) {
        if self.is_whole::<D>(place) {
            let strides = self.strides;
            let elements = &mut elements[place.start * W::BYTES..];
            let rows = row_starts::<D>(&strides);
            for (start, words) in rows.zip(block.as_chunks::<4>().0) {
                let start = start * W::BYTES;
                let bytes = &mut elements[start..start + 4 * W::BYTES];
                for (word, bytes) in words.iter().zip(bytes.chunks_exact_mut(W::BYTES)) {
                    word.store(bytes);
                }
            }
        } else {
            self.scatter_part::<W, D>(place, block, elements);
        }
    }

    #[inline(always)]
    fn is_whole<const D: usize>(&self, place: &Place) -> bool {
        place.whole && (0..D).all(|axis| self.extents[axis] >= 4)
    }

    /// Returns the number of elements of a block that are inside the chunk, along each axis.
    fn valid(&self, place: &Place) -> [usize; 4] {
        core::array::from_fn(|axis| (self.extents[axis] - 4 * place.at[axis]).min(4))
    }

    /// Returns a block at the end of its chunk, padded along x, then along the other axes
    /// (zfp.blocks.partial).
    #[inline(never)]
    fn gather_part<W: Word, const D: usize>(
        &self,
        place: &Place,
        elements: &[u8],
        block: &mut [W],
    ) {
        let valid = self.valid(place);
        let strides = self.strides;
        for (index, word) in block.iter_mut().enumerate() {
            let mut element = place.start;
            for axis in 0..D {
                let step = index >> (2 * axis) & 3;
                element += source(valid[axis], step) * strides[axis];
            }
            *word = W::load(&elements[element * W::BYTES..(element + 1) * W::BYTES]);
        }

        /// Returns the source of the element at a step of an axis.
        fn source(valid: usize, step: usize) -> usize {
            match (valid, step) {
                (_, step) if step < valid => step,
                (2, 2) => 1,
                _ => 0,
            }
        }
    }

    #[inline(never)]
    fn scatter_part<W: Word, const D: usize>(
        &self,
        place: &Place,
        block: &[W],
        elements: &mut [u8],
    ) {
        let valid = self.valid(place);
        let strides = self.strides;
        for (index, word) in block.iter().enumerate() {
            let steps: [usize; D] = core::array::from_fn(|axis| index >> (2 * axis) & 3);
            if steps.iter().zip(valid).all(|(&step, valid)| step < valid) {
                let steps = steps.iter().zip(strides);
                let element =
                    place.start + steps.map(|(step, stride)| step * stride).sum::<usize>();
                word.store(&mut elements[element * W::BYTES..(element + 1) * W::BYTES]);
            }
        }
    }
}

/// Returns the offsets of the rows of a block from its first element.
#[inline(always)]
fn row_starts<const D: usize>(strides: &[usize; 4]) -> impl Iterator<Item = usize> + use<D> {
    let [_, y, z, w] = *strides;
    (0..1 << (2 * (D - 1))).map(move |row| (row & 3) * y + (row >> 2 & 3) * z + (row >> 4) * w)
}
