//! `zfp`: transforms and truncates blocks of 4 elements in each dimension (spec/zfp.md).
//!
//! A float is never rounded before it is written to a stream, because zfp truncates it. When it is read, it is
//! rounded as often as zfp rounds it, each time by the same function.

mod block;
mod layout;
mod number;
mod planes;
mod transform;

use exactum_model::{
    Array, DataType, FloatFormat, IntegerFormat, Reason, Rejection, Rounding, Zfp, ZfpScalar,
    zfp_order,
};

use crate::Reference;
use crate::bits::{BitReader, BitWriter};
use block::Block;
use layout::Layout;
pub use number::Float;
pub use transform::{Transform, Width};

/// The decisions that the codec makes. Each method implements its clause. Overriding a method runs the codec with
/// one decision that is deliberately wrong.
pub trait Coding {
    /// Returns the header before the first block and its number of bits. A stream has no header (zfp.stream).
    fn header(&self) -> (u64, u32) {
        (0, 0)
    }

    /// Returns the number of bits in a word. A stream is padded with zeros to whole words (zfp.stream.words).
    fn word_bits(&self) -> u64 {
        64
    }

    /// Returns the dimensions of the shape that are zfp's x, y, z and w (zfp.blocks).
    fn axes(&self, rank: usize) -> Vec<usize> {
        (0..rank).rev().collect()
    }

    /// Returns the axes in the order in which blocks follow each other, the fastest-varying first
    /// (zfp.blocks.order).
    fn block_axes(&self) -> [usize; 4] {
        [0, 1, 2, 3]
    }

    /// Pads a line of a partial block, of which only the first `valid` elements are in the chunk
    /// (zfp.blocks.partial).
    fn padded(&self, [a, b, c, d]: [u64; 4], valid: usize) -> [u64; 4] {
        match valid {
            1 => [a, a, a, a],
            2 => [a, b, b, a],
            3 => [a, b, c, a],
            _ => [a, b, c, d],
        }
    }

    /// Returns the number of bits after which a block is truncated (zfp.block, zfp.rate.bits).
    fn max_bits(&self, codec: &Zfp) -> u64 {
        codec.max_bits.into()
    }

    /// Returns the number of bits to which a block of `bits` bits is extended with zeros (zfp.block,
    /// zfp.rate.bits).
    fn filled(&self, codec: &Zfp, bits: u64) -> u64 {
        bits.max(codec.min_bits.into())
    }

    /// Returns the places of the coefficients in the order in which they are coded (zfp.block.order).
    fn order(&self, dimensions: usize) -> Vec<usize> {
        zfp_order(dimensions)
            .iter()
            .copied()
            .map(usize::from)
            .collect()
    }

    /// Returns the transform of a block (zfp.lift.reversible, zfp.lift.lossy).
    fn transform(&self, codec: &Zfp) -> Transform {
        match codec.is_reversible() {
            true => Transform::Differences,
            false => Transform::Lifting,
        }
    }

    /// Returns the mean of two integers in the lossy transform, given their sum (zfp.lift.lossy).
    fn mean(&self, width: Width, sum: i128) -> i128 {
        width.wrap(sum) >> 1
    }

    /// Returns the digits of a coefficient in the form in which they are coded (zfp.block.negabinary).
    fn digits(&self, width: Width, coefficient: i128) -> u64 {
        width.to_negabinary(coefficient)
    }

    /// Returns the coefficient with these digits (zfp.block.negabinary).
    fn coefficient(&self, width: Width, digits: u64) -> i128 {
        width.of_negabinary(digits)
    }

    /// Returns whether a block of integers begins with the number of its planes (zfp.integer,
    /// zfp.reversible.integer).
    fn is_counted(&self, codec: &Zfp, _scalar: ZfpScalar) -> bool {
        codec.is_reversible()
    }

    /// Returns the number of planes down to the last plane that is not zero, given the bitwise "or" of all
    /// coefficients (zfp.reversible.integer).
    fn used_planes(&self, width: Width, any: u64) -> u32 {
        width.0.saturating_sub(any.trailing_zeros())
    }

    /// Returns the number of planes for which 0 is written (zfp.reversible.integer).
    fn least_planes(&self) -> u32 {
        1
    }

    /// Returns the number of coefficients that have separate bits in a plane, given the number that the
    /// planes above have reached (zfp.planes).
    fn reached(&self, above: usize) -> usize {
        above
    }

    /// Returns the coefficient whose one-bit is implied instead of coded, which is the case if a one is announced
    /// and no coefficient before it has one (zfp.planes.implied).
    fn implied(&self, coefficients: usize) -> usize {
        coefficients - 1
    }

    /// Returns the bit of a coefficient if a one is announced, but the block is truncated before the bit
    /// (zfp.planes.implied).
    fn unseen(&self) -> u64 {
        1
    }

    /// Returns the digits of a decoded coefficient of which `planes` planes were coded (zfp.planes,
    /// zfp.float.decode).
    fn restored(&self, _width: Width, _planes: u32, digits: u64) -> u64 {
        digits
    }

    /// Returns the exponent of a block whose largest float is below `2^magnitude` (zfp.float.exponent).
    fn exponent(&self, scalar: ZfpScalar, magnitude: i64) -> i64 {
        magnitude.max(1 - number::bias(scalar))
    }

    /// Returns whether a lossy block of floats is coded as a single 0, given its exponent and the number of its
    /// planes (zfp.float).
    fn is_zero(&self, _exponent: Option<i64>, planes: u32) -> bool {
        planes == 0
    }

    /// Returns the number of planes below the lowest exponent that are kept for the transform
    /// (zfp.float.precision).
    fn guard_planes(&self, dimensions: usize) -> usize {
        2 * dimensions + 2
    }

    /// Multiplies a float of a lossy block by `2^scale` and truncates the product to an integer
    /// (zfp.float.truncation). NaN and infinities give 0.
    fn truncated(&self, _scalar: ZfpScalar, float: Option<Float>, scale: i64) -> i128 {
        float.map_or(0, |float| float.truncated(scale).0)
    }

    /// Multiplies an integer by `2^exponent` and returns the bits of the resulting float (zfp.float.decode).
    fn scaled(&self, integer: i128, exponent: i64, format: &FloatFormat) -> u64 {
        number::scaled(integer, exponent, format)
    }

    /// Returns whether a block of floats is coded by value if all of them can be read back exactly
    /// (zfp.reversible.float).
    fn is_by_value(&self) -> bool {
        true
    }

    /// Returns whether a float is read back exactly from its integer (zfp.reversible.exact).
    fn comes_back(&self, float: Float, integer: i128, exact: bool) -> bool {
        exact && (integer != 0 || !float.negative)
    }

    /// Converts the bits of a float to an integer, such that integers have the same order as the floats. The
    /// function is its own inverse (zfp.reversible.bits).
    fn ordered(&self, width: Width, value: i128) -> i128 {
        number::ordered(width, value)
    }

    /// Returns zfp's own type to which elements are promoted (zfp.promotion).
    fn scalar(&self, codec: &Zfp) -> Option<ZfpScalar> {
        codec.scalar()
    }

    /// Requires that the codec can hold an element.
    ///
    /// # Errors
    /// If the element is out of range (zfp.unsigned.range, zfp.lossy.range) or not finite (zfp.lossy.finite).
    fn check(&self, codec: &Zfp, bits: u64) -> Result<(), Rejection> {
        number::check(codec, bits)
    }

    /// Converts the bits of an element to zfp's own type (zfp.promotion.integers, zfp.promotion.floats).
    fn promote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
        number::promote(self, data_type, scalar, bits)
    }

    /// Returns the number of bits by which a small integer is shifted up (zfp.promotion.integers).
    fn promotion_shift(&self, format: &IntegerFormat) -> u32 {
        31 - format.bits
    }

    /// Converts the bits of an element from zfp's own type (zfp.demotion).
    fn demote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
        number::demote(self, data_type, scalar, bits)
    }

    /// Shifts a small integer down (zfp.demotion).
    fn shifted_down(&self, value: i128, shift: u32) -> i128 {
        value >> shift
    }

    /// Clamps a small integer to the limits of its type (zfp.demotion).
    fn clamped(&self, format: &IntegerFormat, value: i128) -> i128 {
        value.clamp(format.min(), format.max())
    }

    /// Returns the rounding mode for the conversion of floats to a narrower type (zfp.demotion.floats).
    fn narrowing(&self) -> Rounding {
        Rounding::NearestEven
    }
}

impl Coding for Reference {}

/// Encodes the blocks of a chunk in sequence and pads them with zeros to a multiple of 8 bytes (zfp.stream).
///
/// # Errors
/// [`Reason::UnsupportedDataType`] and [`Reason::Shape`] if the chunk does not fit the codec;
/// [`Reason::OutOfRange`] (zfp.unsigned.range, zfp.lossy.range) and [`Reason::NotFinite`] (zfp.lossy.finite)
/// for elements that the codec cannot hold.
pub fn encode(codec: &Zfp, input: &Array) -> Result<Vec<u8>, Rejection> {
    encode_with(&Reference, codec, input)
}

/// Does the same as [`encode`], with the given decisions.
///
/// # Errors
/// The same as for [`encode`].
pub fn encode_with(by: &dyn Coding, codec: &Zfp, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input, codec.data_type, "chain.data_type")?;
    let scalar = scalar(by, codec)?;
    let layout = Layout::of(by, codec, input.shape())?;
    let least = u128::from(codec.min_bits).checked_mul(layout.blocks());
    if least.is_none_or(|bits| bits > 8 * u128::from(Zfp::MAX_BYTES)) {
        return Err(too_large(input.shape()));
    }
    for (index, bits) in (0u64..).zip(input.components()) {
        by.check(codec, bits)
            .map_err(|rejection| rejection.at_element(index))?;
    }
    let promoted = |place| by.promote(codec.data_type, scalar, input.component(place));
    let block = Block { by, codec, scalar };
    let mut out = BitWriter::default();
    let (header, bits) = by.header();
    out.push_bits(header, bits);
    for origin in layout.origins(by) {
        block.encode(&layout.gather(by, promoted, origin), &mut out);
    }
    out.pad(out.len().next_multiple_of(by.word_bits()));
    Ok(out.into_bytes())
}

/// Decodes a chunk. Missing bits are zeros, and anything after the last block is ignored (zfp.stream.end).
/// Besides the chunk itself, only single blocks are held in memory.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] if zfp is not defined for the codec's data type; [`Reason::Shape`] if the
/// rank is not the codec's, if an extent is 0, or if the chunk takes more than [`Zfp::MAX_BYTES`].
pub fn decode(codec: &Zfp, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    decode_with(&Reference, codec, shape, bytes)
}

/// Does the same as [`decode`], with the given decisions.
///
/// # Errors
/// The same as for [`decode`].
pub fn decode_with(
    by: &dyn Coding,
    codec: &Zfp,
    shape: &[u64],
    bytes: &[u8],
) -> Result<Array, Rejection> {
    let scalar = scalar(by, codec)?;
    let layout = Layout::of(by, codec, shape)?;
    let mut data = Vec::new();
    let size = usize::try_from(Array::bytes_of(codec.data_type, shape)?);
    let size = size.map_err(|_| too_large(shape))?;
    data.try_reserve_exact(size).map_err(|_| too_large(shape))?;
    data.resize(size, 0);
    let block = Block { by, codec, scalar };
    let mut bits = BitReader::new(bytes);
    let (_, header) = by.header();
    bits.skip_to(header.into());
    let decoded = |bits: &mut BitReader<'_>| {
        let mut elements = block.decode(bits);
        for bits in &mut elements {
            *bits = by.demote(codec.data_type, scalar, *bits);
        }
        elements
    };
    // After the end of the stream, all blocks are equal, so one of them is decoded only once.
    let mut behind = None;
    for origin in layout.origins(by) {
        if behind.is_none() && bits.is_at_end() {
            behind = Some(decoded(&mut bits));
        }
        let elements = match &behind {
            Some(elements) => elements,
            None => &decoded(&mut bits),
        };
        layout.scatter(elements, origin, &mut data);
    }
    Array::new(codec.data_type, shape.to_vec(), data)
}

/// Returns the number of bytes of an encoded chunk whose blocks all have the same number of bits
/// (zfp.rate.size). Returns `None` if blocks may differ in size, or if the number does not fit into 64 bits.
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

fn scalar(by: &dyn Coding, codec: &Zfp) -> Result<ZfpScalar, Rejection> {
    by.scalar(codec).ok_or_else(|| {
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
        format!("an array of shape {shape:?} is too large"),
    )
}
