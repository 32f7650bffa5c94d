//! `packbits`: stores a range of bits of every component in sequence (spec/packbits.md).

use exactum_model::{Array, Format, PackBits, PaddingEncoding, Reason, Rejection};

use crate::Reference;
use crate::bits::{BitReader, BitWriter};

/// The decisions that the codec makes. Each method implements its clause. Overriding a method runs the codec with
/// one decision that is deliberately wrong.
pub trait Packing {
    /// Returns the lowest bit of a component that is packed, and the number of bits (packbits.extract).
    fn range(&self, codec: &PackBits) -> (u32, u32) {
        (codec.first_bit, codec.last_bit - codec.first_bit + 1)
    }

    /// Returns the indices of the bits of a range in the order in which they are packed (packbits.order.lsb).
    fn order(&self, bits: u32) -> Vec<u32> {
        (0..bits).collect()
    }

    /// Returns the component to pack, without the unused bits of its memory (packbits.own-bits).
    fn component(&self, _codec: &PackBits, input: &Array, index: usize) -> u64 {
        input.component(index)
    }

    /// Returns the number of components of an element that are packed separately (packbits.complex).
    fn parts(&self, codec: &PackBits) -> usize {
        codec.data_type.format().components()
    }

    /// Returns the index of the component that is packed at a position (packbits.order.elements,
    /// packbits.complex).
    fn index(&self, _codec: &PackBits, _elements: usize, position: usize) -> usize {
        position
    }

    /// Returns the number of bits of a packed element, including all of its components (packbits.width).
    fn element_bits(&self, codec: &PackBits) -> u64 {
        let (_, bits) = self.range(codec);
        u64::try_from(self.parts(codec)).unwrap_or(u64::MAX) * u64::from(bits)
    }

    /// Returns the bit with which the last byte is filled after the last element (packbits.padding.zeros).
    fn padding_bit(&self) -> bool {
        false
    }

    /// Returns where the number of padding bits is written, for a sequence of `bits` bits
    /// (packbits.padding.none, packbits.padding.first-byte, packbits.padding.last-byte).
    fn padding_byte(&self, codec: &PackBits, _bits: u128) -> PaddingEncoding {
        codec.padding
    }

    /// Returns the number of bits, 0 to 7, that pad a sequence of `bits` bits to whole bytes.
    fn padding(&self, bits: u128) -> u128 {
        bits.next_multiple_of(8) - bits
    }

    /// Returns whether the padding byte contains the number of padding bits (packbits.padding.count).
    fn counts(&self, byte: u8, padding: u128) -> bool {
        u128::from(byte) == padding
    }

    /// Moves a decoded range of bits to its place in the component. The bits below it are zeros (packbits.shift).
    fn shifted(&self, codec: &PackBits, bits: u64) -> u64 {
        let (first, _) = self.range(codec);
        bits << first
    }

    /// Returns whether the bits above a range are copies of its highest bit (packbits.sign-extension) or zeros
    /// (packbits.zero-extension).
    fn is_signed(&self, format: &Format) -> bool {
        matches!(format, Format::Integer(integer) if integer.signed)
    }

    /// Returns the exclusive end of the bits above bit `last` that are copies of the sign (packbits.sign-extension).
    fn sign_end(&self, format: &Format, _last: u32) -> u32 {
        format.component_bits()
    }
}

impl Packing for Reference {}

/// Packs an array bit by bit and pads it to whole bytes.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] if the data type of the array is not the codec's.
pub fn encode(codec: &PackBits, input: &Array) -> Result<Vec<u8>, Rejection> {
    encode_with(&Reference, codec, input)
}

/// Does the same as [`encode`], with the given decisions.
///
/// # Errors
/// The same as for [`encode`].
pub fn encode_with(
    by: &dyn Packing,
    codec: &PackBits,
    input: &Array,
) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input, codec.data_type, "chain.data_type")?;
    let (first, bits) = by.range(codec);
    let (order, parts) = (by.order(bits), by.parts(codec));
    let mut packed = BitWriter::default();
    let mut end = 0;
    for element in 0..input.len() {
        for position in element * parts..(element + 1) * parts {
            let index = by.index(codec, input.len(), position);
            let component = by.component(codec, input, index) >> first;
            for place in &order {
                packed.push(component >> place & 1 == 1);
            }
        }
        end += by.element_bits(codec);
        packed.pad(end);
    }
    while packed.len() < end.next_multiple_of(8) {
        packed.push(by.padding_bit());
    }
    let mut packed = packed.into_bytes();
    let count = u8::try_from(by.padding(end.into())).unwrap_or(u8::MAX);
    match by.padding_byte(codec, end.into()) {
        PaddingEncoding::None => {}
        PaddingEncoding::FirstByte => packed.insert(0, count),
        PaddingEncoding::LastByte => packed.push(count),
    }
    Ok(packed)
}

/// Unpacks an array bit by bit. Bits outside the packed range become zeros or copies of the sign. Padding bits
/// are ignored (packbits.padding.ignored).
///
/// # Errors
/// [`Reason::Truncated`] if the number of bytes does not fit the shape (packbits.length); [`Reason::Padding`]
/// if the padding byte does not contain the number of padding bits (packbits.padding.count).
pub fn decode(codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    decode_with(&Reference, codec, shape, bytes)
}

/// Does the same as [`decode`], with the given decisions.
///
/// # Errors
/// The same as for [`decode`].
pub fn decode_with(
    by: &dyn Packing,
    codec: &PackBits,
    shape: &[u64],
    bytes: &[u8],
) -> Result<Array, Rejection> {
    let data_type = codec.data_type;
    let size = Array::bytes_of(data_type, shape)?;
    let elements = size / u64::try_from(data_type.element_bytes()).unwrap_or(u64::MAX);
    let packed = packed_bits(by, codec, elements, shape, bytes)?;

    let format = data_type.format();
    let width = format.component_bytes();
    let (first, range) = by.range(codec);
    let (order, parts) = (by.order(range), by.parts(codec));
    let end = by.sign_end(&format, first + range - 1);
    let elements = usize::try_from(elements).unwrap_or(usize::MAX);
    let mut data = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
    let mut bits = BitReader::new(packed);
    for element in 0..elements {
        let start = bits.position();
        for position in element * parts..(element + 1) * parts {
            let own = order
                .iter()
                .fold(0, |own, place| own | u64::from(bits.bit()) << place);
            let mut component = by.shifted(codec, own);
            if by.is_signed(&format) && own >> (range - 1) & 1 == 1 {
                for place in first + range..end {
                    component |= 1 << place;
                }
            }
            let at = by.index(codec, elements, position) * width;
            data[at..at + width].copy_from_slice(&component.to_le_bytes()[..width]);
        }
        bits.skip_to(start + by.element_bits(codec));
    }
    Array::new(data_type, shape.to_vec(), data)
}

/// Checks the number of bytes and the padding byte, and returns the bytes without the padding byte.
fn packed_bits<'a>(
    by: &dyn Packing,
    codec: &PackBits,
    elements: u64,
    shape: &[u64],
    bytes: &'a [u8],
) -> Result<&'a [u8], Rejection> {
    let expected = bytes_with(by, codec, elements);
    if expected.is_none() || u64::try_from(bytes.len()).ok() != expected {
        return Err(Rejection::new(
            Reason::Truncated,
            "packbits.length",
            format!(
                "a chunk of shape {shape:?} and data type {} at {} bits per element takes {} bytes, not {}",
                codec.data_type,
                by.element_bits(codec),
                expected.unwrap_or(u64::MAX),
                bytes.len()
            ),
        ));
    }
    let bits = u128::from(elements) * u128::from(by.element_bits(codec));
    let split = match by.padding_byte(codec, bits) {
        PaddingEncoding::None => None,
        PaddingEncoding::FirstByte => bytes.split_first(),
        PaddingEncoding::LastByte => bytes.split_last(),
    };
    let Some((&count, packed)) = split else {
        return Ok(bytes);
    };
    let padding = by.padding(bits);
    if !by.counts(count, padding) {
        return Err(Rejection::new(
            Reason::Padding,
            "packbits.padding.count",
            format!("the padding byte is {count}, but there are {padding} padding bits"),
        ));
    }
    Ok(packed)
}

/// Returns the number of bytes of the given number of elements, including the padding byte. Returns `None` if the
/// number does not fit into 64 bits.
#[must_use]
pub fn encoded_bytes(codec: &PackBits, elements: u64) -> Option<u64> {
    bytes_with(&Reference, codec, elements)
}

fn bytes_with(by: &dyn Packing, codec: &PackBits, elements: u64) -> Option<u64> {
    let bits = u128::from(elements) * u128::from(by.element_bits(codec));
    let own = u128::from(by.padding_byte(codec, bits) != PaddingEncoding::None);
    u64::try_from(bits.div_ceil(8) + own).ok()
}
