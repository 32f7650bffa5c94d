//! The second oracle of `bytes`: every byte is a digit of its component, written as a number in base 256.

use exactum_model::{Array, Bytes, Endian, Reason, Scalar};

/// Encodes an array to bytes.
///
/// # Errors
/// If the array cannot be encoded, with the reason.
pub(crate) fn encode(codec: &Bytes, input: &Array) -> Result<Vec<u8>, Reason> {
    if input.data_type() != codec.data_type {
        return Err(Reason::UnsupportedDataType);
    }
    let digits = codec.data_type.format().component_bytes();
    let mut bytes = Vec::new();
    for element in 0..input.len() {
        let element = input.element(element);
        for component in 0..codec.data_type.format().components() {
            let number = u128::from(element.component(component));
            for place in 0..digits {
                let digit = number / power(exponent(codec, place, digits)) % 256;
                bytes.push(u8::try_from(digit).map_err(|_| Reason::OutOfRange)?);
            }
        }
    }
    Ok(bytes)
}

/// Decodes bytes to an array.
///
/// # Errors
/// If the bytes cannot be decoded, with the reason.
pub(crate) fn decode(codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Result<Array, Reason> {
    let format = codec.data_type.format();
    let digits = format.component_bytes();
    let elements = elements(shape)?;
    let needed = u128::from(elements) * codec.data_type.element_bytes() as u128;
    if needed != bytes.len() as u128 {
        return Err(Reason::Truncated);
    }
    let mut data = Vec::new();
    for element in bytes.chunks(codec.data_type.element_bytes()) {
        let mut numbers = [0u64; 2];
        for (number, component) in numbers.iter_mut().zip(element.chunks(digits)) {
            let sum: u128 = component
                .iter()
                .enumerate()
                .map(|(place, &digit)| u128::from(digit) * power(exponent(codec, place, digits)))
                .sum();
            *number = u64::try_from(sum).map_err(|_| Reason::OutOfRange)?;
        }
        // A scalar drops the bits that its type does not have.
        let [real, imaginary] = numbers;
        let scalar = match format.components() {
            2 => Scalar::complex(codec.data_type, real, imaginary),
            _ => Scalar::new(codec.data_type, real.into()),
        };
        data.extend(scalar.to_bytes());
    }
    Array::new(codec.data_type, shape.to_vec(), data).map_err(|_| Reason::Shape)
}

/// Returns the number of elements in a shape.
pub(super) fn elements(shape: &[u64]) -> Result<u64, Reason> {
    if shape.contains(&0) {
        return Ok(0);
    }
    shape
        .iter()
        .try_fold(1u64, |product, &extent| product.checked_mul(extent))
        .ok_or(Reason::Shape)
}

/// Returns the exponent of the digit at a place.
fn exponent(codec: &Bytes, place: usize, digits: usize) -> usize {
    match codec.endian {
        Some(Endian::Big) => digits - 1 - place,
        Some(Endian::Little) | None => place,
    }
}

fn power(exponent: usize) -> u128 {
    (0..exponent).fold(1, |power, _| power * 256)
}
