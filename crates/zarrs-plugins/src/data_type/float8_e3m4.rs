//! `float8_e3m4`: an 8-bit float with 3 exponent bits and 4 mantissa bits (registry,
//! `data-types/float8_e3m4`). It is IEEE-like with bias 3, finite up to 15.5, with infinities, NaNs and both
//! zeros.
//!
//! In memory an element is one byte, and `bytes` stores that byte. The specification of `packbits` does not
//! list 8-bit floats; here it packs all 8 bits, as the codec of zarrs does.
//!
//! zarrs has a data type of this name, whose elements are available only with its feature `microfloat`, and which
//! rounds decimal fill values twice. While the one of this crate is registered, documents with `float8_e3m4` are read
//! with it.

use std::borrow::Cow;
use std::cmp::Ordering;

use exactum_model::{Cast, DataType, OutOfRange, Rounding, Scalar};
use exactum_optimized::cast_value::cast_element;
use zarrs::array::data_type::api::{DataTypeFillValueError, DataTypeFillValueMetadataError};
use zarrs::array::{Endianness, FillValueMetadata};

use super::NotAValue;
use super::element::{self, Swapped, fixed_size, in_bytes, named, packed_unsigned};

/// The data type `float8_e3m4`; see the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct Float8E3m4DataType;

/// An element of [`Float8E3m4DataType`]. It compares as a float: NaN equals nothing, and the zeros equal each
/// other.
///
/// ```
/// use exactum_zarrs_plugins::data_type::float8_e3m4::{Float8E3m4, Float8E3m4DataType};
/// use zarrs::array::DataType;
///
/// let element = Float8E3m4::round(15.4);
/// assert_eq!((element.to_bits(), element.to_f64()), (0x6f, 15.5));
/// assert_eq!(Float8E3m4::from_ne_bytes(element.to_ne_bytes()), Float8E3m4::from_bits(0x6f));
/// let data_type = DataType::new(Float8E3m4DataType);
/// # let _ = data_type;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Float8E3m4(u8);

const NAME: &str = "float8_e3m4";

impl Float8E3m4 {
    /// The number of bytes of an element in memory.
    pub const SIZE: usize = 1;
    /// The largest finite value, 15.5.
    pub const MAX: Self = Self(0x6f);
    /// Positive infinity.
    pub const INFINITY: Self = Self(0x70);
    /// The NaN with the name `"NaN"`.
    pub const NAN: Self = Self(0x78);

    /// Returns the element with these bits.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Returns the bits.
    #[must_use]
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    /// Returns the element's byte.
    #[must_use]
    pub const fn to_ne_bytes(self) -> [u8; Self::SIZE] {
        [self.0]
    }

    /// Returns the element of a byte.
    #[must_use]
    pub const fn from_ne_bytes(bytes: [u8; Self::SIZE]) -> Self {
        Self(bytes[0])
    }

    /// Returns the nearest element. A tie goes to the element with an even mantissa; a value out of range
    /// becomes an infinity.
    #[must_use]
    pub fn round(value: f64) -> Self {
        // NaN, both infinities and all values between them can be converted: nothing is rejected.
        convert(DataType::Float64, DataType::Float8E3m4, value.to_bits())
            .and_then(|bits| u8::try_from(bits).ok())
            .map_or(Self::NAN, Self)
    }

    /// Returns the value, which every `f64` holds exactly; a NaN becomes some NaN.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        convert(DataType::Float8E3m4, DataType::Float64, self.0.into())
            .map_or(f64::NAN, f64::from_bits)
    }
}

fn convert(from: DataType, to: DataType, bits: u64) -> Option<u64> {
    let cast = Cast::new(from, to, Rounding::NearestEven, Some(OutOfRange::Clamp));
    cast_element(&cast, bits).ok()
}

impl TryFrom<f64> for Float8E3m4 {
    type Error = NotAValue;

    /// Refuses a value that would have to be rounded; [`Float8E3m4::round`] rounds.
    fn try_from(value: f64) -> Result<Self, NotAValue> {
        let element = Self::round(value);
        if element.to_f64() == value || value.is_nan() {
            return Ok(element);
        }
        Err(NotAValue::new(value, NAME, "5 significant bits up to 15.5"))
    }
}

impl From<Float8E3m4> for f64 {
    fn from(element: Float8E3m4) -> Self {
        element.to_f64()
    }
}

impl PartialEq for Float8E3m4 {
    fn eq(&self, other: &Self) -> bool {
        self.to_f64() == other.to_f64()
    }
}

impl PartialOrd for Float8E3m4 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.to_f64().partial_cmp(&other.to_f64())
    }
}

named!(Float8E3m4DataType, NAME);
fixed_size!(Float8E3m4, Float8E3m4DataType, read, write);
in_bytes!(Float8E3m4DataType, unchanged, unchanged);
packed_unsigned!(Float8E3m4DataType, 8);

fn read(metadata: &FillValueMetadata) -> Result<Vec<u8>, DataTypeFillValueMetadataError> {
    Ok(element::parse(DataType::Float8E3m4, metadata)?.to_bytes())
}

fn write(bytes: &[u8]) -> Result<FillValueMetadata, DataTypeFillValueError> {
    let scalar = Scalar::from_bytes(DataType::Float8E3m4, bytes);
    element::write(&scalar.ok_or(DataTypeFillValueError)?)
}

fn unchanged(bytes: Cow<'_, [u8]>, _endianness: Option<Endianness>) -> Swapped<'_> {
    Ok(bytes)
}
