//! `packbits`: a range of bits of every component, one after another (spec/packbits.md).

use exactum_model::{Array, Format, PackBits, PaddingEncoding, Reason, Rejection};

use crate::bits::{BitReader, BitWriter};

/// Packs an array bit by bit (packbits.extract, packbits.order.elements, packbits.order.lsb) and
/// pads it with zeros to whole bytes (packbits.padding.zeros).
///
/// # Errors
/// [`Reason::UnsupportedDataType`] for an array of another data type than the codec's.
pub fn encode(codec: &PackBits, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input, codec.data_type, "chain.data_type")?;
    let mut packed = BitWriter::default();
    for component in input.components() {
        for place in codec.first_bit..=codec.last_bit {
            packed.push(component >> place & 1 == 1);
        }
    }
    let padding = packed.len().next_multiple_of(8) - packed.len();
    let padding = u8::try_from(padding).unwrap_or_default();
    let mut packed = packed.into_bytes();
    match codec.padding {
        PaddingEncoding::None => {}
        PaddingEncoding::FirstByte => packed.insert(0, padding),
        PaddingEncoding::LastByte => packed.push(padding),
    }
    Ok(packed)
}

/// Unpacks an array bit by bit; bits outside the range become zero, or copies of the sign
/// (packbits.sign-extension). Padding bits are not looked at (packbits.padding.ignored).
///
/// # Errors
/// [`Reason::Truncated`] when the number of bytes is not that of the shape (packbits.length);
/// [`Reason::Padding`] when the padding byte does not tell the number of padding bits
/// (packbits.padding.count).
pub fn decode(codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    let data_type = codec.data_type;
    let width = u64::try_from(data_type.element_bytes()).unwrap_or(u64::MAX);
    let elements = Array::bytes_of(data_type, shape)? / width;
    let expected = encoded_bytes(codec, elements);
    if expected.is_none() || u64::try_from(bytes.len()).ok() != expected {
        return Err(Rejection::new(
            Reason::Truncated,
            "packbits.length",
            format!(
                "a chunk of {shape:?} {data_type}, {} bits an element, takes {} bytes, not {}",
                element_bits(codec),
                expected.unwrap_or(u64::MAX),
                bytes.len()
            ),
        ));
    }
    let (count, packed) = match codec.padding {
        PaddingEncoding::None => (None, bytes),
        PaddingEncoding::FirstByte => bytes
            .split_first()
            .map_or((None, bytes), |(count, packed)| (Some(count), packed)),
        PaddingEncoding::LastByte => bytes
            .split_last()
            .map_or((None, bytes), |(count, packed)| (Some(count), packed)),
    };
    let padding = padding_bits(codec, elements);
    if let Some(&count) = count
        && u128::from(count) != padding
    {
        return Err(Rejection::new(
            Reason::Padding,
            "packbits.padding.count",
            format!("the padding byte says {count}, but {padding} bits are padding"),
        ));
    }

    let mut bits = BitReader::new(packed);
    let format = data_type.format();
    let signed = matches!(format, Format::Integer(integer) if integer.signed);
    let components = elements * u64::try_from(format.components()).unwrap_or(u64::MAX);
    let unpacked = (0..components).map(|_| {
        let mut component = 0u64;
        let mut last = false;
        for place in codec.first_bit..=codec.last_bit {
            last = bits.bit();
            component |= u64::from(last) << place;
        }
        if signed && last {
            for place in codec.last_bit + 1..format.component_bits() {
                component |= 1 << place;
            }
        }
        component
    });
    Array::from_components(data_type, shape.to_vec(), unpacked)
}

/// The bytes of so many elements, the padding byte among them; `None` beyond 64 bits.
#[must_use]
pub fn encoded_bytes(codec: &PackBits, elements: u64) -> Option<u64> {
    let bits = u128::from(elements) * element_bits(codec);
    let own = u128::from(codec.padding != PaddingEncoding::None);
    u64::try_from(bits.div_ceil(8) + own).ok()
}

/// The bits that pad so many elements to whole bytes, 0 to 7.
fn padding_bits(codec: &PackBits, elements: u64) -> u128 {
    let bits = u128::from(elements) * element_bits(codec);
    bits.div_ceil(8) * 8 - bits
}

/// The bits of one element, all components together (packbits.width).
fn element_bits(codec: &PackBits) -> u128 {
    let components = u128::try_from(codec.data_type.format().components()).unwrap_or(u128::MAX);
    components * u128::from(codec.last_bit - codec.first_bit + 1)
}
