//! The second oracle of `packbits`: strings of the digits 0 and 1. The width and the signedness of a type are derived
//! from its name.

use exactum_model::{Array, DataType, PackBits, PaddingEncoding, Reason};

use super::bytes::elements;

/// Encodes an array to bytes.
///
/// # Errors
/// If the array cannot be encoded, with the reason.
pub(crate) fn encode(codec: &PackBits, input: &Array) -> Result<Vec<u8>, Reason> {
    if input.data_type() != codec.data_type {
        return Err(Reason::UnsupportedDataType);
    }
    let (width, _) = component(codec.data_type);
    let range = range(codec);
    let mut stream = String::new();
    for index in 0..input.len() {
        for part in 0..parts(codec.data_type) {
            let bits = input.element(index).component(part);
            stream.push_str(&backwards(&format!("{bits:0width$b}"))[range.clone()]);
        }
    }
    let mut padding = 0;
    while !stream.len().is_multiple_of(8) {
        stream.push('0');
        padding += 1;
    }
    let count = format!("{padding:03b}");
    let count = format!("{}00000", backwards(&count));
    let stream = match codec.padding {
        PaddingEncoding::None => stream,
        PaddingEncoding::FirstByte => count + &stream,
        PaddingEncoding::LastByte => stream + &count,
    };
    let digits: Vec<char> = stream.chars().collect();
    digits
        .chunks(8)
        .map(|byte| {
            let text: String = byte.iter().rev().collect();
            u8::from_str_radix(&text, 2).map_err(|_| Reason::OutOfRange)
        })
        .collect()
}

/// Decodes bytes to an array.
///
/// # Errors
/// If the bytes cannot be decoded, with the reason.
pub(crate) fn decode(codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Result<Array, Reason> {
    let mut stream: String = bytes
        .iter()
        .map(|byte| backwards(&format!("{byte:08b}")))
        .collect();
    let count = match codec.padding {
        PaddingEncoding::None => None,
        _ if bytes.is_empty() => return Err(Reason::Truncated),
        PaddingEncoding::FirstByte => Some(stream.drain(..8).collect::<String>()),
        PaddingEncoding::LastByte => Some(stream.split_off(stream.len() - 8)),
    };
    let range = range(codec);
    let parts = parts(codec.data_type);
    let components = u128::from(elements(shape)?) * parts as u128;
    let used = components * range.len() as u128;
    let rest = (stream.len() as u128)
        .checked_sub(used)
        .filter(|&rest| rest < 8)
        .ok_or(Reason::Truncated)?;
    if let Some(count) = count {
        let count = u128::from_str_radix(&backwards(&count), 2).map_err(|_| Reason::OutOfRange)?;
        if count != rest {
            return Err(Reason::Padding);
        }
    }
    let (width, signed) = component(codec.data_type);
    let mut data = Vec::new();
    for _ in 0..components {
        let taken: String = stream.drain(..range.len()).collect();
        let sign = match taken.chars().last() {
            Some('1') if signed => "1",
            _ => "0",
        };
        let above = sign.repeat(width - range.end);
        let text = format!("{}{taken}{above}", "0".repeat(range.start));
        let bits = u64::from_str_radix(&backwards(&text), 2).map_err(|_| Reason::OutOfRange)?;
        data.extend_from_slice(&bits.to_le_bytes()[..width.div_ceil(8)]);
    }
    Array::new(codec.data_type, shape.to_vec(), data).map_err(|_| Reason::Shape)
}

/// Returns the number of bytes to which a number of elements is encoded.
pub(crate) fn encoded_bytes(codec: &PackBits, elements: u64) -> Option<u64> {
    let bits = u128::from(elements) * (parts(codec.data_type) * range(codec).len()) as u128;
    let whole = bits / 8 + u128::from(!bits.is_multiple_of(8));
    let count = match codec.padding {
        PaddingEncoding::None => 0,
        PaddingEncoding::FirstByte | PaddingEncoding::LastByte => 1,
    };
    u64::try_from(whole + count).ok()
}

/// Returns the positions of the digits that are kept, counted from the least significant one.
fn range(codec: &PackBits) -> std::ops::Range<usize> {
    codec.first_bit as usize..codec.last_bit as usize + 1
}

fn backwards(digits: &str) -> String {
    digits.chars().rev().collect()
}

/// Returns the number of components in an element.
fn parts(data_type: DataType) -> usize {
    if data_type.name().starts_with("complex") {
        2
    } else {
        1
    }
}

/// Returns the number of bits in a component, and whether its sign must be extended.
fn component(data_type: DataType) -> (usize, bool) {
    let name = data_type.name();
    let (name, halves) = match name.strip_prefix("complex_") {
        Some(real) => (real, false),
        None => (name, name.starts_with("complex")),
    };
    let digits: String = name
        .chars()
        .skip_while(char::is_ascii_alphabetic)
        .take_while(char::is_ascii_digit)
        .collect();
    // A type whose name has no digits is bool.
    let bits = digits.parse().unwrap_or(1);
    let bits = if halves { bits / 2 } else { bits };
    (bits, name.starts_with("int"))
}

#[cfg(test)]
mod tests {
    use exactum_model::DataType;

    use super::component;

    #[test]
    fn names_tell_what_formats_tell() {
        for &data_type in DataType::ALL {
            let format = data_type.format();
            let (bits, signed) = component(data_type);
            assert_eq!(bits, format.component_bits() as usize, "{data_type}");
            let integer = matches!(format, exactum_model::Format::Integer(it) if it.signed);
            assert_eq!(signed, integer, "{data_type}");
        }
    }
}
