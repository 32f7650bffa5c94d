//! `packbits`: stores a range of bits of every component in sequence (spec/packbits.md).
//!
//! The ranges in each 64 bits of memory are moved together, or apart, by shifts that the compiler turns into
//! vector loops (`lanes`). The resulting words are then written in sequence (`pack`), or extracted from the
//! bytes (`unpack`).

mod lanes;
mod pack;
mod small;
mod unpack;

use alloc::vec::Vec;

use exactum_model::{Array, Format, PackBits, PaddingEncoding, Reason, Rejection};

use crate::arch::{SimdLevel, prefetch};
use crate::fault::{Fault, Message, PackedMessage};

/// Packs an array.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] if the data type of the array is not the codec's.
///
/// ```
/// use exactum_optimized::model::{Array, DataType, PackBits};
/// use exactum_optimized::packbits;
///
/// // Three integers of four bits each, two to a byte.
/// let codec = PackBits::whole(DataType::Uint4);
/// let array = Array::new(DataType::Uint4, vec![3], vec![1, 2, 15])?;
/// let packed = packbits::encode(&codec, &array)?;
/// assert_eq!(packed, [0x21, 0x0f]);
/// assert_eq!(packbits::decode(&codec, &[3], &packed)?, array);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &PackBits, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input.data_type(), codec.data_type, "chain.data_type")?;
    let layout = Layout::of(codec, input.len() as u64)?;
    let mut output = vec![0; layout.bytes];
    pack(SimdLevel::best(), codec, &layout, input.data(), &mut output);
    Ok(output)
}

/// Like [`encode`], from elements in array layout into the caller's memory.
///
/// # Errors
/// [`Reason::Shape`] if the input is not a whole number of elements, or the length of the output is not that
/// of their packed bits.
///
/// ```
/// use exactum_optimized::model::{DataType, PackBits};
/// use exactum_optimized::packbits;
///
/// let codec = PackBits::whole(DataType::Uint8).bits(0, 3);
/// let (mut packed, mut back) = ([0], [0; 2]);
/// packbits::encode_into(&codec, &[1, 2], &mut packed)?;
/// assert_eq!(packed, [0x21]);
/// packbits::decode_into(&codec, &packed, &mut back)?;
/// assert_eq!(back, [1, 2]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_into(codec: &PackBits, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(encode_into_at(SimdLevel::best(), codec, input, output)?)
}

pub(crate) fn encode_into_at(
    level: SimdLevel,
    codec: &PackBits,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let layout = fitting(codec, input.len(), output.len())?;
    pack(level, codec, &layout, input, output);
    Ok(())
}

/// Unpacks an array. Padding bits are ignored (packbits.padding.ignored).
///
/// # Errors
/// [`Reason::Truncated`] if the number of bytes does not fit the shape (packbits.length); [`Reason::Padding`]
/// if the padding byte does not contain the number of padding bits (packbits.padding.count).
pub fn decode(codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    require_length(codec, shape, bytes.len())?;
    // The memory is at most 64 times as long as the input.
    let mut data = crate::zeros(codec.data_type, shape)?;
    decode_into_at(SimdLevel::best(), codec, bytes, &mut data)?;
    Array::new(codec.data_type, shape.to_vec(), data)
}

/// Requires the length that all encoded chunks of a shape have (packbits.length).
pub(crate) fn require_length(codec: &PackBits, shape: &[u64], actual: usize) -> Result<(), Fault> {
    let data_type = codec.data_type;
    let size = Array::bytes_of(data_type, shape)?;
    let layout = Layout::of(codec, size / data_type.element_bytes() as u64)?;
    if actual == layout.bytes {
        return Ok(());
    }
    let words = Message::OtherSize {
        shape: shape.to_vec(),
        data_type,
        bits: Some(element_bits(codec)),
        expected: layout.bytes as u64,
        actual,
    };
    Err(Fault::new(Reason::Truncated, "packbits.length", words))
}

/// Like [`decode`], into the caller's memory, whose length determines the number of elements.
///
/// # Errors
/// [`Reason::Shape`] if the output is not a whole number of elements, or their packed length differs from the
/// input; [`Reason::Padding`] as for [`decode`].
pub fn decode_into(codec: &PackBits, bytes: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(decode_into_at(SimdLevel::best(), codec, bytes, output)?)
}

pub(crate) fn decode_into_at(
    level: SimdLevel,
    codec: &PackBits,
    bytes: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let layout = fitting(codec, output.len(), bytes.len())?;
    layout.check_padding(codec, bytes)?;
    unpack(level, codec, &layout, bytes, output);
    Ok(())
}

/// Returns the number of bytes to which a given number of elements is encoded, including the padding byte, or
/// `None` if it does not fit into 64 bits.
///
/// ```
/// use exactum_optimized::model::{DataType, PackBits};
/// use exactum_optimized::packbits;
///
/// let codec = PackBits::whole(DataType::Int4);
/// assert_eq!(packbits::encoded_bytes(&codec, 3), Some(2));
/// ```
#[must_use]
pub fn encoded_bytes(codec: &PackBits, elements: u64) -> Option<u64> {
    let bits = u128::from(elements) * u128::from(element_bits(codec));
    let own = u128::from(codec.padding != PaddingEncoding::None);
    u64::try_from(bits.div_ceil(8) + own).ok()
}

/// Like [`encoded_bytes`], if memory can hold them.
pub(crate) fn packed_bytes(codec: &PackBits, elements: u64) -> Result<usize, Fault> {
    Ok(Layout::of(codec, elements)?.bytes)
}

/// Returns the place of the packed bits among the bytes of all elements.
pub(crate) fn body(codec: &PackBits, bytes: usize) -> core::ops::Range<usize> {
    Layout { bytes, padding: 0 }.packed(codec)
}

/// Writes the padding byte, if there is one, into the bytes of all elements.
pub(crate) fn write_padding(
    codec: &PackBits,
    elements: u64,
    output: &mut [u8],
) -> Result<(), Fault> {
    Layout::of(codec, elements)?.write_padding(codec, output);
    Ok(())
}

/// Requires the padding byte, if there is one, to belong to this number of elements (packbits.padding.count).
pub(crate) fn check_padding(codec: &PackBits, elements: u64, bytes: &[u8]) -> Result<(), Fault> {
    Layout::of(codec, elements)?.check_padding(codec, bytes)
}

/// Returns the number of bits of one element with all its components.
pub(crate) fn element_bits(codec: &PackBits) -> u32 {
    let components = if codec.data_type.format().components() == 2 {
        2
    } else {
        1
    };
    components * (codec.last_bit - codec.first_bit + 1)
}

/// The packed size of a number of elements.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// The number of bytes in total.
    bytes: usize,
    /// The number of bits after the last element, 0 to 7.
    padding: u8,
}

impl Layout {
    fn of(codec: &PackBits, elements: u64) -> Result<Self, Fault> {
        let bytes = encoded_bytes(codec, elements)
            // A vector may be no longer than half of the address space.
            .and_then(|bytes| isize::try_from(bytes).ok()?.try_into().ok())
            .ok_or_else(|| Fault::new(Reason::Shape, "chain.shape", Message::TooMany(elements)))?;
        let used = (elements % 8) * u64::from(element_bits(codec)) % 8;
        Ok(Self {
            bytes,
            padding: ((8 - used) % 8).to_le_bytes()[0],
        })
    }

    /// Returns the place of the packed bits.
    fn packed(&self, codec: &PackBits) -> core::ops::Range<usize> {
        match codec.padding {
            PaddingEncoding::None => 0..self.bytes,
            PaddingEncoding::FirstByte => 1..self.bytes,
            PaddingEncoding::LastByte => 0..self.bytes - 1,
        }
    }

    /// Returns the place of the padding byte.
    fn padding_byte(&self, codec: &PackBits) -> Option<usize> {
        match codec.padding {
            PaddingEncoding::None => None,
            PaddingEncoding::FirstByte => Some(0),
            PaddingEncoding::LastByte => Some(self.bytes - 1),
        }
    }

    fn write_padding(&self, codec: &PackBits, output: &mut [u8]) {
        if let Some(place) = self.padding_byte(codec) {
            output[place] = self.padding;
        }
    }

    fn check_padding(&self, codec: &PackBits, bytes: &[u8]) -> Result<(), Fault> {
        match self.padding_byte(codec).map(|place| bytes[place]) {
            Some(count) if count != self.padding => {
                let padding = self.padding;
                Err(Fault::new(
                    Reason::Padding,
                    "packbits.padding.count",
                    Message::Packed(PackedMessage::Padding { count, padding }),
                ))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the layout of elements, whose packed size must match.
fn fitting(codec: &PackBits, elements: usize, packed: usize) -> Result<Layout, Fault> {
    let data_type = codec.data_type;
    let width = data_type.element_bytes();
    let layout = Layout::of(codec, (elements / width) as u64)?;
    if elements.is_multiple_of(width) && layout.bytes == packed {
        return Ok(layout);
    }
    let words = Message::Packed(PackedMessage::Lengths {
        elements,
        data_type,
        packed,
    });
    Err(Fault::new(Reason::Shape, "chain.shape", words))
}

fn pack(level: SimdLevel, codec: &PackBits, layout: &Layout, input: &[u8], output: &mut [u8]) {
    layout.write_padding(codec, output);
    pack::run(
        level,
        &Range::of(codec),
        input,
        &mut output[layout.packed(codec)],
    );
}

fn unpack(level: SimdLevel, codec: &PackBits, layout: &Layout, bytes: &[u8], output: &mut [u8]) {
    unpack::run(
        level,
        &Range::of(codec),
        &bytes[layout.packed(codec)],
        output,
    );
}

/// The number of bytes of memory that are processed at a time: a whole number of words, which stay in the
/// first-level cache and whose ranges fill whole bytes.
const BLOCK: usize = 1024;

/// If memory and packed bytes together exceed this size, they do not stay in the second-level cache.
const UNCACHED: usize = 1 << 20;

/// Components in memory, and the bytes into which they are packed.
struct Block {
    memory: core::ops::Range<usize>,
    packed: core::ops::Range<usize>,
    uncached: bool,
}

impl Block {
    /// Prefetches what the block after the next one reads and writes. In measurements, this distance and
    /// blocks of 1 KiB were the best of distances from one to four and of blocks from 512 bytes to 4 KiB.
    fn prefetch(&self, memory: &[u8], packed: &[u8]) {
        if self.uncached {
            let ahead = |bytes: usize, block: &core::ops::Range<usize>| {
                let start = bytes.min(block.end + block.len());
                start..bytes.min(start + block.len())
            };
            prefetch(&memory[ahead(memory.len(), &self.memory)]);
            prefetch(&packed[ahead(packed.len(), &self.packed)]);
        }
    }
}

/// Returns the blocks, given the sizes in memory and packed.
fn blocks((memory, packed): (usize, usize), range: &Range) -> impl Iterator<Item = Block> {
    let step = BLOCK / (8 * range.width) * range.bits as usize;
    (0..memory.div_ceil(BLOCK)).map(move |index| Block {
        memory: index * BLOCK..memory.min((index + 1) * BLOCK),
        packed: index * step..packed.min((index + 1) * step),
        uncached: memory + packed > UNCACHED,
    })
}

/// The bits of a component that are packed.
#[derive(Clone, Copy, Debug)]
struct Range {
    /// The number of bytes of a component in memory.
    width: usize,
    /// The lowest bit.
    first: u32,
    /// The number of bits.
    bits: u32,
    /// The bits that a component may have.
    own: u64,
    /// Whether bits above the range are copies of its highest bit.
    signed: bool,
}

impl Range {
    fn of(codec: &PackBits) -> Self {
        let format = codec.data_type.format();
        Self {
            width: format.component_bytes(),
            first: codec.first_bit,
            bits: codec.last_bit - codec.first_bit + 1,
            own: format.component_mask(),
            signed: matches!(format, Format::Integer(integer) if integer.signed),
        }
    }

    /// Returns the highest bit of the range, moved down with it, if it is a sign, and zero otherwise.
    fn sign(&self) -> u64 {
        if self.signed { 1 << (self.bits - 1) } else { 0 }
    }

    /// Returns whether packing changes no bit.
    fn is_whole(&self) -> bool {
        self.bits as usize == 8 * self.width
    }
}
