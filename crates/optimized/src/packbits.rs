//! `packbits`: a range of bits of every component, one after another (spec/packbits.md).

use exactum_model::{Array, Format, PackBits, PaddingEncoding, Reason, Rejection};

/// Packs an array.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] for an array of another data type than the codec's.
pub fn encode(codec: &PackBits, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input.data_type(), codec.data_type, "chain.data_type")?;
    let layout = Layout::of(codec, input.len() as u64)?;
    let mut output = vec![0; layout.bytes];
    pack(codec, &layout, input.data(), &mut output);
    Ok(output)
}

/// As [`encode`], from elements as an array has them into memory of the caller.
///
/// # Errors
/// [`Reason::Shape`] when the input is not a whole number of elements or the output has not as
/// many bytes as they take.
pub fn encode_into(codec: &PackBits, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    let layout = fitting(codec, input.len(), output.len())?;
    pack(codec, &layout, input, output);
    Ok(())
}

/// Unpacks an array. Padding bits are not looked at (packbits.padding.ignored).
///
/// # Errors
/// [`Reason::Truncated`] when the number of bytes is not that of the shape (packbits.length);
/// [`Reason::Padding`] when the padding byte does not tell the number of padding bits
/// (packbits.padding.count).
pub fn decode(codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    let data_type = codec.data_type;
    let size = Array::bytes_of(data_type, shape)?;
    let elements = size / data_type.element_bytes() as u64;
    let layout = Layout::of(codec, elements)?;
    if bytes.len() != layout.bytes {
        return Err(Rejection::new(
            Reason::Truncated,
            "packbits.length",
            format!(
                "a chunk of {shape:?} {data_type}, {} bits an element, takes {} bytes, not {}",
                element_bits(codec),
                layout.bytes,
                bytes.len()
            ),
        ));
    }
    layout.check_padding(codec, bytes)?;
    // No longer than 512 times the bytes that are there.
    let mut data = vec![0; usize::try_from(size).map_err(|_| too_large(elements))?];
    unpack(codec, &layout, bytes, &mut data);
    Array::new(data_type, shape.to_vec(), data)
}

/// As [`decode`], into memory of the caller; its length says how many elements there are.
///
/// # Errors
/// [`Reason::Shape`] when the output is not a whole number of elements or they do not take as many
/// bytes as there are; [`Reason::Padding`] as for [`decode`].
pub fn decode_into(codec: &PackBits, bytes: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    let layout = fitting(codec, output.len(), bytes.len())?;
    layout.check_padding(codec, bytes)?;
    unpack(codec, &layout, bytes, output);
    Ok(())
}

/// The bytes of so many elements, the padding byte among them; `None` beyond 64 bits.
pub(crate) fn encoded_bytes(codec: &PackBits, elements: u64) -> Option<u64> {
    let bits = u128::from(elements) * u128::from(element_bits(codec));
    let own = u128::from(codec.padding != PaddingEncoding::None);
    u64::try_from(bits.div_ceil(8) + own).ok()
}

/// The bits of one element, all components together.
fn element_bits(codec: &PackBits) -> u32 {
    let components = if codec.data_type.format().components() == 2 {
        2
    } else {
        1
    };
    components * (codec.last_bit - codec.first_bit + 1)
}

fn too_large(elements: u64) -> Rejection {
    Rejection::new(
        Reason::Shape,
        "chain.shape",
        format!("{elements} elements are too many to hold"),
    )
}

/// What a number of elements takes when packed.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// All bytes.
    bytes: usize,
    /// The bits behind the last element, 0 to 7.
    padding: u8,
}

impl Layout {
    fn of(codec: &PackBits, elements: u64) -> Result<Self, Rejection> {
        let bytes = encoded_bytes(codec, elements)
            .and_then(|bytes| usize::try_from(bytes).ok())
            .ok_or_else(|| too_large(elements))?;
        let used = (elements % 8) * u64::from(element_bits(codec)) % 8;
        Ok(Self {
            bytes,
            padding: ((8 - used) % 8).to_le_bytes()[0],
        })
    }

    /// The place of the packed bits.
    fn packed(&self, codec: &PackBits) -> std::ops::Range<usize> {
        match codec.padding {
            PaddingEncoding::None => 0..self.bytes,
            PaddingEncoding::FirstByte => 1..self.bytes,
            PaddingEncoding::LastByte => 0..self.bytes - 1,
        }
    }

    /// The place of the padding byte.
    fn padding_byte(&self, codec: &PackBits) -> Option<usize> {
        match codec.padding {
            PaddingEncoding::None => None,
            PaddingEncoding::FirstByte => Some(0),
            PaddingEncoding::LastByte => Some(self.bytes - 1),
        }
    }

    fn check_padding(&self, codec: &PackBits, bytes: &[u8]) -> Result<(), Rejection> {
        match self.padding_byte(codec).map(|place| bytes[place]) {
            Some(count) if count != self.padding => Err(Rejection::new(
                Reason::Padding,
                "packbits.padding.count",
                format!(
                    "the padding byte says {count}, but {} bits are padding",
                    self.padding
                ),
            )),
            _ => Ok(()),
        }
    }
}

/// The layout of elements of so many bytes, which must take so many packed ones.
fn fitting(codec: &PackBits, elements: usize, packed: usize) -> Result<Layout, Rejection> {
    let data_type = codec.data_type;
    let width = data_type.element_bytes();
    let layout = Layout::of(codec, (elements / width) as u64)?;
    if elements.is_multiple_of(width) && layout.bytes == packed {
        return Ok(layout);
    }
    Err(Rejection::new(
        Reason::Shape,
        "chain.shape",
        format!("{elements} bytes of {data_type} and {packed} packed bytes do not fit each other"),
    ))
}

fn pack(codec: &PackBits, layout: &Layout, input: &[u8], output: &mut [u8]) {
    if let Some(place) = layout.padding_byte(codec) {
        output[place] = layout.padding;
    }
    let output = &mut output[layout.packed(codec)];
    let format = codec.data_type.format();
    let bits = codec.last_bit - codec.first_bit + 1;
    let mask = u64::MAX >> (64 - bits);
    let mut at = 0;
    let mut pending = 0u128;
    let mut filled = 0;
    for component in input.chunks_exact(format.component_bytes()) {
        let mut wide = [0; 8];
        wide[..component.len()].copy_from_slice(component);
        let value = u64::from_le_bytes(wide) >> codec.first_bit & mask;
        pending |= u128::from(value) << filled;
        filled += bits;
        if filled >= 64 {
            output[at..at + 8].copy_from_slice(&pending.to_le_bytes()[..8]);
            at += 8;
            pending >>= 64;
            filled -= 64;
        }
    }
    let rest = &mut output[at..];
    rest.copy_from_slice(&pending.to_le_bytes()[..rest.len()]);
}

fn unpack(codec: &PackBits, layout: &Layout, bytes: &[u8], output: &mut [u8]) {
    let packed = &bytes[layout.packed(codec)];
    let format = codec.data_type.format();
    let bits = codec.last_bit - codec.first_bit + 1;
    let mask = u64::MAX >> (64 - bits);
    let signed = matches!(format, Format::Integer(integer) if integer.signed);
    let mut words = packed.chunks(8);
    let mut pending = 0u128;
    let mut left = 0;
    for component in output.chunks_exact_mut(format.component_bytes()) {
        if left < bits {
            let mut wide = [0; 8];
            let word = words.next().unwrap_or_default();
            wide[..word.len()].copy_from_slice(word);
            pending |= u128::from(u64::from_le_bytes(wide)) << left;
            left += 64;
        }
        let [low, ..] = halves(pending);
        let mut value = (low & mask) << codec.first_bit;
        if signed && low >> (bits - 1) & 1 == 1 {
            value |= format.component_mask() & !(u64::MAX >> (63 - codec.last_bit));
        }
        pending >>= bits;
        left -= bits;
        component.copy_from_slice(&value.to_le_bytes()[..component.len()]);
    }
}

/// The low and the high half.
fn halves(wide: u128) -> [u64; 2] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = wide.to_le_bytes();
    [
        u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        u64::from_le_bytes([i, j, k, l, m, n, o, p]),
    ]
}
