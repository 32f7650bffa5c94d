//! `exactum.sample`: a data type of a fixed size whose parts have different widths, here a time and a value
//! that was measured at that time.
//!
//! An element has 12 bytes without padding: `time`, a 64-bit signed integer, followed by `value`, a binary32
//! float. `bytes` stores each part in the configured byte order, and refuses to store them without one. A
//! fill value is an object with both parts, each written as a fill value of its own data type:
//! `{"time": -1, "value": "NaN"}`.

use std::borrow::Cow;
use std::collections::HashMap;

use exactum_model::{DataType, Scalar};
use zarrs::array::data_type::api::{DataTypeFillValueError, DataTypeFillValueMetadataError};
use zarrs::array::{Endianness, FillValueMetadata};

use super::element::{self, Swapped, fixed_size, in_bytes, named};

/// The data type `exactum.sample`; see the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct SampleDataType;

/// An element of [`SampleDataType`].
///
/// ```
/// use exactum_zarrs_plugins::data_type::sample::{Sample, SampleDataType};
/// use zarrs::array::DataType;
///
/// let sample = Sample { time: -1, value: 0.5 };
/// assert_eq!(Sample::from_ne_bytes(sample.to_ne_bytes()), sample);
/// let data_type = DataType::new(SampleDataType);
/// # let _ = data_type;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// The time, in a unit of the user's choice.
    pub time: i64,
    /// The measured value.
    pub value: f32,
}

const NAME: &str = "exactum.sample";
/// The number of bytes of the first part.
const TIME: usize = 8;

impl Sample {
    /// The number of bytes of an element in codecs.
    pub const SIZE: usize = 12;

    /// Returns both parts, each in native byte order.
    #[must_use]
    pub fn to_ne_bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..TIME].copy_from_slice(&self.time.to_ne_bytes());
        bytes[TIME..].copy_from_slice(&self.value.to_ne_bytes());
        bytes
    }

    /// Reads both parts.
    #[must_use]
    pub fn from_ne_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let [a, b, c, d, e, f, g, h, value @ ..] = bytes;
        Self {
            time: i64::from_ne_bytes([a, b, c, d, e, f, g, h]),
            value: f32::from_ne_bytes(value),
        }
    }
}

named!(SampleDataType, NAME);
fixed_size!(Sample, SampleDataType, read, write);
in_bytes!(SampleDataType, swap, swap);

fn read(metadata: &FillValueMetadata) -> Result<Vec<u8>, DataTypeFillValueMetadataError> {
    let FillValueMetadata::Object(parts) = metadata else {
        return Err(DataTypeFillValueMetadataError);
    };
    let (Some(time), Some(value), 2) = (parts.get("time"), parts.get("value"), parts.len()) else {
        return Err(DataTypeFillValueMetadataError);
    };
    let time = element::parse(DataType::Int64, time)?.component(0);
    let value = element::parse(DataType::Float32, value)?.component(0);
    let value = u32::try_from(value).map_err(|_| DataTypeFillValueMetadataError)?;
    let sample = Sample {
        time: time.cast_signed(),
        value: f32::from_bits(value),
    };
    Ok(sample.to_ne_bytes().to_vec())
}

fn write(bytes: &[u8]) -> Result<FillValueMetadata, DataTypeFillValueError> {
    let bytes = <[u8; Sample::SIZE]>::try_from(bytes).map_err(|_| DataTypeFillValueError)?;
    let Sample { time, value } = Sample::from_ne_bytes(bytes);
    let time = Scalar::new(DataType::Int64, time.cast_unsigned().into());
    let value = Scalar::new(DataType::Float32, value.to_bits().into());
    Ok(FillValueMetadata::Object(HashMap::from([
        ("time".to_owned(), element::write(&time)?),
        ("value".to_owned(), element::write(&value)?),
    ])))
}

/// Swaps the bytes of each part unless the byte order is the native one, in either direction.
fn swap(mut bytes: Cow<'_, [u8]>, endianness: Option<Endianness>) -> Swapped<'_> {
    if !element::is_native(endianness)? {
        for element in bytes.to_mut().as_chunks_mut::<{ Sample::SIZE }>().0 {
            element[..TIME].reverse();
            element[TIME..].reverse();
        }
    }
    Ok(bytes)
}
