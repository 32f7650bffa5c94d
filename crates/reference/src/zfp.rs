//! `zfp`: blocks of 4 elements in each dimension, transformed and cut off (spec/zfp.md).
//!
//! A float is never rounded on its way into a stream: zfp truncates it. On the way out it is
//! rounded as often as zfp does it, each time by the one function.

mod block;
mod number;
mod planes;
mod transform;

use exactum_model::{Array, Reason, Rejection, Zfp, ZfpScalar};

use crate::bits::{BitReader, BitWriter};

/// Encodes a chunk: its blocks one after another, padded with zeros to 8 bytes (zfp.stream).
///
/// # Errors
/// [`Reason::UnsupportedDataType`] and [`Reason::Shape`] for another chunk than the codec's;
/// [`Reason::OutOfRange`] (zfp.unsigned.range, zfp.lossy.range) and [`Reason::NotFinite`]
/// (zfp.lossy.finite) for elements that the codec cannot hold.
pub fn encode(codec: &Zfp, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input, codec.data_type, "chain.data_type")?;
    let (scalar, layout) = (scalar(codec)?, Layout::of(codec, input.shape())?);
    let least = u128::from(codec.min_bits).checked_mul(layout.blocks());
    if least.is_none_or(|bits| bits > 8 * u128::from(Zfp::MAX_BYTES)) {
        return Err(too_large(input.shape()));
    }
    let mut elements = Vec::with_capacity(input.len());
    for (index, bits) in (0u64..).zip(input.components()) {
        let promoted = number::promote(codec, scalar, bits);
        elements.push(promoted.map_err(|rejection| rejection.at_element(index))?);
    }
    let mut out = BitWriter::default();
    for origin in layout.origins() {
        let block = layout.gather(&elements, origin);
        block::encode(codec, scalar, &block, &mut out);
    }
    out.pad(out.len().next_multiple_of(64));
    Ok(out.into_bytes())
}

/// Decodes a chunk. Bits that are missing are zeros, and what follows the last block is not looked at
/// (zfp.stream.end).
///
/// # Errors
/// [`Reason::Shape`] for another rank than the codec's, an extent of 0, and a chunk of more than
/// [`Zfp::MAX_BYTES`].
pub fn decode(codec: &Zfp, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    let scalar = scalar(codec)?;
    let layout = Layout::of(codec, shape)?;
    let mut elements = Vec::new();
    elements
        .try_reserve_exact(layout.elements())
        .map_err(|_| too_large(shape))?;
    elements.resize(layout.elements(), 0);
    let mut bits = BitReader::new(bytes);
    for origin in layout.origins() {
        let block = block::decode(codec, scalar, &mut bits);
        layout.scatter(&block, origin, &mut elements);
    }
    let elements = elements
        .into_iter()
        .map(|bits| number::demote(codec.data_type, scalar, bits));
    Array::from_components(codec.data_type, shape.to_vec(), elements)
}

/// The bytes of a chunk whose blocks all have the same number of bits (zfp.rate.size); `None` where
/// they may differ, and beyond 64 bits.
#[must_use]
pub fn encoded_bytes(codec: &Zfp, shape: &[u64]) -> Option<u64> {
    if codec.min_bits != codec.max_bits {
        return None;
    }
    let blocks = shape.iter().try_fold(1u64, |blocks, extent| {
        blocks.checked_mul(extent.div_ceil(4))
    })?;
    let bits = u128::from(blocks) * u128::from(codec.max_bits);
    u64::try_from(bits.div_ceil(64) * 8).ok()
}

fn scalar(codec: &Zfp) -> Result<ZfpScalar, Rejection> {
    codec.scalar().ok_or_else(|| {
        Rejection::new(
            Reason::UnsupportedDataType,
            "zfp.data_type",
            format!("zfp is not defined for {}", codec.data_type),
        )
    })
}

fn too_large(shape: &[u64]) -> Rejection {
    Rejection::new(
        Reason::Shape,
        "chain.shape",
        format!("a chunk of shape {shape:?} is too large to hold"),
    )
}

/// The blocks of a chunk (zfp.blocks).
struct Layout {
    /// The extents along x, y, z and w: x is the last dimension of the shape. Those that the chunk
    /// lacks are 1.
    extents: [usize; 4],
    /// How many of them there are.
    dimensions: usize,
}

impl Layout {
    fn of(codec: &Zfp, shape: &[u64]) -> Result<Self, Rejection> {
        if shape.len() != codec.rank || codec.rank > 4 || shape.contains(&0) {
            return Err(Rejection::new(
                Reason::Shape,
                "zfp.rank",
                format!("zfp of rank {} has no chunk of shape {shape:?}", codec.rank),
            ));
        }
        if Array::bytes_of(codec.data_type, shape)? > Zfp::MAX_BYTES {
            return Err(too_large(shape));
        }
        let mut extents = [1; 4];
        for (extent, &own) in extents.iter_mut().zip(shape.iter().rev()) {
            *extent = usize::try_from(own).map_err(|_| too_large(shape))?;
        }
        Ok(Self {
            extents,
            dimensions: codec.dimensions(),
        })
    }

    fn elements(&self) -> usize {
        self.extents.iter().product()
    }

    fn blocks(&self) -> u128 {
        let blocks = self.extents.iter().map(|extent| extent.div_ceil(4));
        blocks
            .map(|blocks| u128::try_from(blocks).unwrap_or(u128::MAX))
            .product()
    }

    /// Where the blocks begin: x goes fastest (zfp.blocks.order).
    fn origins(&self) -> impl Iterator<Item = [usize; 4]> + use<> {
        let [nx, ny, nz, nw] = self.extents;
        let starts = |extent: usize| (0..extent).step_by(4);
        starts(nw).flat_map(move |w| {
            starts(nz).flat_map(move |z| {
                starts(ny).flat_map(move |y| starts(nx).map(move |x| [x, y, z, w]))
            })
        })
    }

    /// The places of a block's elements in its chunk; `None` for one that pads the block.
    fn places(&self, origin: [usize; 4]) -> Vec<Option<usize>> {
        let [nx, ny, nz, _] = self.extents;
        let strides = [1, nx, nx * ny, nx * ny * nz];
        (0..1 << (2 * self.dimensions))
            .map(|index: usize| {
                (0..4).try_fold(0, |place, axis| {
                    let coordinate = origin[axis] + (index >> (2 * axis) & 3);
                    (coordinate < self.extents[axis]).then_some(place + coordinate * strides[axis])
                })
            })
            .collect()
    }

    /// A block of a chunk; one at its end is padded along x, then along the other axes
    /// (zfp.blocks.partial).
    fn gather(&self, elements: &[u64], origin: [usize; 4]) -> Vec<u64> {
        let places = self.places(origin);
        let mut block: Vec<u64> = places
            .iter()
            .map(|place| place.map_or(0, |place| elements[place]))
            .collect();
        let axes = self.extents.iter().zip(origin).take(self.dimensions);
        for (axis, (extent, start)) in axes.enumerate() {
            let stride = 1 << (2 * axis);
            let valid = (extent - start).min(4);
            for start in (0..block.len()).filter(|index| (index / stride).is_multiple_of(4)) {
                for step in valid..4 {
                    // n elements a.. become [a,a,a,a], [a,b,b,a] or [a,b,c,a].
                    let copied = match (valid, step) {
                        (2, 2) => 1,
                        _ => 0,
                    };
                    block[start + step * stride] = block[start + copied * stride];
                }
            }
        }
        block
    }

    /// Puts a block into its chunk; what pads it is left out.
    fn scatter(&self, block: &[u64], origin: [usize; 4], elements: &mut [u64]) {
        for (place, &bits) in self.places(origin).into_iter().zip(block) {
            if let Some(place) = place {
                elements[place] = bits;
            }
        }
    }
}
