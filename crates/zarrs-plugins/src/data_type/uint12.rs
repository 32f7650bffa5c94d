//! `uint12`: an unsigned integer of 12 bits, 0 to 4095. The registry has no such type; this one follows the
//! pattern of its unsigned integers with 12 bits.
//!
//! In memory an element is a 16-bit integer with the value in its low bits. `bytes` stores those two bytes in
//! the configured byte order, and refuses to store them without one; `packbits` stores two elements in three
//! bytes. The upper four bits of a stored pair of bytes are ignored when it is read, and are zeros when it is
//! written.

use std::borrow::Cow;

use exactum_model::{DataType, Scalar};
use zarrs::array::data_type::api::{DataTypeFillValueError, DataTypeFillValueMetadataError};
use zarrs::array::{Endianness, FillValueMetadata};

use super::element::{self, Swapped, fixed_size, in_bytes, named, packed_unsigned};
use super::{NotAValue, native};

/// The data type `uint12`; see the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct Uint12DataType;

/// An element of [`Uint12DataType`]: 0 to 4095.
///
/// ```
/// use exactum_zarrs_plugins::data_type::uint12::{Uint12, Uint12DataType};
/// use zarrs::array::DataType;
///
/// let element = Uint12::try_from(4095)?;
/// assert_eq!((element.get(), element), (4095, Uint12::MAX));
/// assert_eq!(Uint12::from_ne_bytes(element.to_ne_bytes()), element);
/// let data_type = DataType::new(Uint12DataType);
/// # let _ = data_type;
/// # Ok::<(), exactum_zarrs_plugins::data_type::NotAValue>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uint12(u16);

const NAME: &str = "uint12";
const MASK: u16 = 0x0fff;

impl Uint12 {
    /// The number of bytes of an element in memory.
    pub const SIZE: usize = 2;
    /// The largest value.
    pub const MAX: Self = Self(4095);

    /// Returns the value.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Returns the element's bytes in native byte order.
    #[must_use]
    pub const fn to_ne_bytes(self) -> [u8; Self::SIZE] {
        self.0.to_ne_bytes()
    }

    /// Returns the element of two bytes in native byte order, whose upper four bits are ignored.
    #[must_use]
    pub const fn from_ne_bytes(bytes: [u8; Self::SIZE]) -> Self {
        Self(u16::from_ne_bytes(bytes) & MASK)
    }
}

impl TryFrom<u16> for Uint12 {
    type Error = NotAValue;

    /// Refuses a value above 4095.
    fn try_from(value: u16) -> Result<Self, NotAValue> {
        if value > Self::MAX.0 {
            return Err(NotAValue::new(value, NAME, "0 to 4095"));
        }
        Ok(Self(value))
    }
}

impl From<Uint12> for u16 {
    fn from(element: Uint12) -> Self {
        element.0
    }
}

named!(Uint12DataType, NAME);
fixed_size!(Uint12, Uint12DataType, read, write);
in_bytes!(Uint12DataType, encode, decode);
packed_unsigned!(Uint12DataType, 12);

fn read(metadata: &FillValueMetadata) -> Result<Vec<u8>, DataTypeFillValueMetadataError> {
    let scalar = element::parse(DataType::Uint16, metadata)?;
    let value = u16::try_from(scalar.component(0)).ok();
    let element = value.and_then(|value| Uint12::try_from(value).ok());
    let element = element.ok_or(DataTypeFillValueMetadataError)?;
    Ok(element.to_ne_bytes().to_vec())
}

fn write(bytes: &[u8]) -> Result<FillValueMetadata, DataTypeFillValueError> {
    let bytes = <[u8; Uint12::SIZE]>::try_from(bytes).map_err(|_| DataTypeFillValueError)?;
    let element =
        Uint12::try_from(u16::from_ne_bytes(bytes)).map_err(|_| DataTypeFillValueError)?;
    element::write(&Scalar::new(DataType::Uint16, element.get().into()))
}

fn encode(bytes: Cow<'_, [u8]>, endianness: Option<Endianness>) -> Swapped<'_> {
    swap(clear(bytes), endianness)
}

fn decode(bytes: Cow<'_, [u8]>, endianness: Option<Endianness>) -> Swapped<'_> {
    swap(bytes, endianness).map(clear)
}

fn swap(mut bytes: Cow<'_, [u8]>, endianness: Option<Endianness>) -> Swapped<'_> {
    if !element::is_native(endianness)? {
        native::reverse(Uint12::SIZE, bytes.to_mut());
    }
    Ok(bytes)
}

/// Clears the upper four bits of every element.
fn clear(bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let value = |element: &[u8; Uint12::SIZE]| u16::from_ne_bytes(*element);
    let (elements, _) = bytes.as_chunks();
    if elements.iter().all(|element| value(element) & !MASK == 0) {
        return bytes;
    }
    let mut bytes = bytes.into_owned();
    for element in bytes.as_chunks_mut().0 {
        *element = (value(element) & MASK).to_ne_bytes();
    }
    Cow::Owned(bytes)
}
