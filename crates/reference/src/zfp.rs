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
    for (index, bits) in (0u64..).zip(input.components()) {
        number::check(codec, bits).map_err(|rejection| rejection.at_element(index))?;
    }
    let promoted = |place| number::promote(codec.data_type, scalar, input.component(place));
    let mut out = BitWriter::default();
    for origin in layout.origins() {
        let block = layout.gather(promoted, origin);
        block::encode(codec, scalar, &block, &mut out);
    }
    out.pad(out.len().next_multiple_of(64));
    Ok(out.into_bytes())
}

/// Decodes a chunk. Bits that are missing are zeros, and what follows the last block is not looked at
/// (zfp.stream.end). Beside the chunk itself only one block is held.
///
/// # Errors
/// [`Reason::Shape`] for another rank than the codec's, an extent of 0, and a chunk of more than
/// [`Zfp::MAX_BYTES`].
pub fn decode(codec: &Zfp, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    let scalar = scalar(codec)?;
    let layout = Layout::of(codec, shape)?;
    let mut data = Vec::new();
    let size = usize::try_from(Array::bytes_of(codec.data_type, shape)?);
    let size = size.map_err(|_| too_large(shape))?;
    data.try_reserve_exact(size).map_err(|_| too_large(shape))?;
    data.resize(size, 0);
    let mut bits = BitReader::new(bytes);
    // Behind the end of the stream all blocks are the same.
    let mut behind = None;
    for origin in layout.origins() {
        if behind.is_none() && bits.is_at_end() {
            behind = Some(decoded(codec, scalar, &mut bits));
        }
        let block = match &behind {
            Some(block) => block,
            None => &decoded(codec, scalar, &mut bits),
        };
        layout.scatter(block, origin, &mut data);
    }
    Array::new(codec.data_type, shape.to_vec(), data)
}

/// The elements of the next block.
fn decoded(codec: &Zfp, scalar: ZfpScalar, bits: &mut BitReader<'_>) -> Vec<u64> {
    let mut block = block::decode(codec, scalar, bits);
    for bits in &mut block {
        *bits = number::demote(codec.data_type, scalar, *bits);
    }
    block
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
            "zfp.data_type.others",
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

    /// The elements of a block that are none of its padding: their places in the block and in the
    /// chunk.
    fn places(&self, origin: [usize; 4]) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [nx, ny, nz, _] = self.extents;
        let strides = [1, nx, nx * ny, nx * ny * nz];
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

    /// A block of a chunk, of the elements at its places; one at its end is padded along x, then
    /// along the other axes (zfp.blocks.partial).
    fn gather(&self, element: impl Fn(usize) -> u64, origin: [usize; 4]) -> Vec<u64> {
        let mut block = vec![0; 1 << (2 * self.dimensions)];
        for (index, place) in self.places(origin) {
            block[index] = element(place);
        }
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

    /// Puts a block into the bytes of its chunk; what pads it is left out.
    fn scatter(&self, block: &[u64], origin: [usize; 4], data: &mut [u8]) {
        let width = data.len() / self.elements();
        for (index, place) in self.places(origin) {
            let bytes = &mut data[place * width..(place + 1) * width];
            bytes.copy_from_slice(&block[index].to_le_bytes()[..width]);
        }
    }
}
