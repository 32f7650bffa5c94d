//! The layout of blocks in a chunk (zfp.blocks).

use exactum_model::{Array, Reason, Rejection, Zfp};

use super::{Coding, too_large};

/// The blocks of a chunk.
pub(super) struct Layout {
    /// The extents along x, y, z and w. Missing dimensions have the extent 1.
    extents: [usize; 4],
    /// The distances in the chunk between neighbours along x, y, z and w, in elements.
    strides: [usize; 4],
    /// The number of dimensions.
    dimensions: usize,
}

impl Layout {
    pub(super) fn of(by: &dyn Coding, codec: &Zfp, shape: &[u64]) -> Result<Self, Rejection> {
        if shape.len() != codec.rank || codec.rank > 4 || shape.contains(&0) {
            return Err(Rejection::new(
                Reason::Shape,
                "zfp.rank",
                format!(
                    "zfp of rank {} does not support a chunk of shape {shape:?}",
                    codec.rank
                ),
            ));
        }
        if Array::bytes_of(codec.data_type, shape)? > Zfp::MAX_BYTES {
            return Err(too_large(shape));
        }
        let (mut extents, mut strides) = ([1; 4], [1; 4]);
        for (place, dimension) in by.axes(shape.len()).into_iter().enumerate() {
            let size = |extent| usize::try_from(extent).map_err(|_| too_large(shape));
            extents[place] = size(shape[dimension])?;
            strides[place] = size(shape[dimension + 1..].iter().product())?;
        }
        Ok(Self {
            extents,
            strides,
            dimensions: codec.dimensions(),
        })
    }

    fn elements(&self) -> usize {
        self.extents.iter().product()
    }

    pub(super) fn blocks(&self) -> u128 {
        let blocks = self.extents.iter().map(|extent| extent.div_ceil(4));
        blocks
            .map(|blocks| u128::try_from(blocks).unwrap_or(u128::MAX))
            .product()
    }

    /// Returns the origins of the blocks in the order in which they are coded.
    pub(super) fn origins(&self, by: &dyn Coding) -> impl Iterator<Item = [usize; 4]> + use<> {
        let counts = self.extents.map(|extent| extent.div_ceil(4));
        let axes = by.block_axes();
        let count: usize = counts.iter().product();
        (0..count).map(move |mut index| {
            let mut origin = [0; 4];
            for axis in axes {
                origin[axis] = 4 * (index % counts[axis]);
                index /= counts[axis];
            }
            origin
        })
    }

    /// Returns the place in the block and the place in the chunk of every element of a block that is not padding.
    fn places(&self, origin: [usize; 4]) -> impl Iterator<Item = (usize, usize)> + use<> {
        let strides = self.strides;
        let axis = move |axis: usize, extent: usize| {
            let start = origin[axis];
            (start..extent.min(start + 4)).map(move |coordinate| {
                (
                    (coordinate - start) << (2 * axis),
                    coordinate * strides[axis],
                )
            })
        };
        let [x, y, z, w] = [0, 1, 2, 3].map(|index| axis(index, self.extents[index]));
        let add = |one: (usize, usize), two: (usize, usize)| (one.0 + two.0, one.1 + two.1);
        w.flat_map(move |w| {
            let (x, y) = (x.clone(), y.clone());
            z.clone().flat_map(move |z| {
                let x = x.clone();
                y.clone()
                    .flat_map(move |y| x.clone().map(move |x| add(add(w, z), add(y, x))))
            })
        })
    }

    /// Collects the elements of a block from the chunk. A block at the end of the chunk is padded along x, then
    /// along the other axes (zfp.blocks.partial).
    pub(super) fn gather(
        &self,
        by: &dyn Coding,
        element: impl Fn(usize) -> u64,
        origin: [usize; 4],
    ) -> Vec<u64> {
        let mut block = vec![0; 1 << (2 * self.dimensions)];
        for (index, place) in self.places(origin) {
            block[index] = element(place);
        }
        let axes = self.extents.iter().zip(origin).take(self.dimensions);
        for (axis, (extent, start)) in axes.enumerate() {
            let stride = 1 << (2 * axis);
            let valid = (extent - start).min(4);
            for first in (0..block.len()).filter(|index| (index / stride).is_multiple_of(4)) {
                let places = [0, 1, 2, 3].map(|step| first + step * stride);
                let line = by.padded(places.map(|place| block[place]), valid);
                for (place, element) in places.into_iter().zip(line) {
                    block[place] = element;
                }
            }
        }
        block
    }

    /// Copies a block, without its padding, into the bytes of its chunk.
    pub(super) fn scatter(&self, block: &[u64], origin: [usize; 4], data: &mut [u8]) {
        let width = data.len() / self.elements();
        for (index, place) in self.places(origin) {
            let bytes = &mut data[place * width..(place + 1) * width];
            bytes.copy_from_slice(&block[index].to_le_bytes()[..width]);
        }
    }
}
