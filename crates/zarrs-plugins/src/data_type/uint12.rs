//! `uint12`: an unsigned integer of 12 bits, 0 to 4095. The registry has no such type; this one follows the
//! pattern of its unsigned integers with 12 bits.
//!
//! In memory an element is a 16-bit integer with the value in its low bits. `bytes` stores those two bytes in
//! the configured byte order, and refuses to store them without one; `packbits` stores two elements in three
//! bytes. The upper four bits of a stored pair of bytes are ignored when it is read, and are zeros when it is
//! written.

use std::any::Any;
use std::borrow::Cow;

use exactum_model::{DataType, Scalar};
use zarrs::array::codec::{BytesCodecEndiannessMissingError, BytesDataTypeTraits};
use zarrs::array::data_type::api::{DataTypeFillValueError, DataTypeFillValueMetadataError};
use zarrs::array::{DataTypeSize, DataTypeTraits, Endianness, FillValue, FillValueMetadata};
use zarrs::metadata::Configuration;
use zarrs::plugin::ZarrVersion;

use super::element::{self, fixed_size_element, named, packed_unsigned};
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

fixed_size_element!(Uint12, Uint12DataType);
named!(Uint12DataType, NAME);

impl DataTypeTraits for Uint12DataType {
    fn configuration(&self, _version: ZarrVersion) -> Configuration {
        Configuration::default()
    }

    fn size(&self) -> DataTypeSize {
        DataTypeSize::Fixed(Uint12::SIZE)
    }

    fn fill_value(
        &self,
        metadata: &FillValueMetadata,
        _version: ZarrVersion,
    ) -> Result<FillValue, DataTypeFillValueMetadataError> {
        let scalar = element::parse(DataType::Uint16, metadata)?;
        let element = u16::try_from(scalar.component(0))
            .ok()
            .and_then(|value| Uint12::try_from(value).ok())
            .ok_or(DataTypeFillValueMetadataError)?;
        Ok(FillValue::from(element.to_ne_bytes()))
    }

    fn metadata_fill_value(
        &self,
        fill_value: &FillValue,
    ) -> Result<FillValueMetadata, DataTypeFillValueError> {
        let bytes = <[u8; Uint12::SIZE]>::try_from(fill_value.as_ne_bytes())
            .map_err(|_| DataTypeFillValueError)?;
        let element =
            Uint12::try_from(u16::from_ne_bytes(bytes)).map_err(|_| DataTypeFillValueError)?;
        element::write(&Scalar::new(DataType::Uint16, element.get().into()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl BytesDataTypeTraits for Uint12DataType {
    fn encode<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        endianness: Option<Endianness>,
    ) -> Result<Cow<'a, [u8]>, BytesCodecEndiannessMissingError> {
        let native = element::is_native(endianness)?;
        let mut bytes = clear(bytes);
        if !native {
            native::reverse(Uint12::SIZE, bytes.to_mut());
        }
        Ok(bytes)
    }

    fn decode<'a>(
        &self,
        mut bytes: Cow<'a, [u8]>,
        endianness: Option<Endianness>,
    ) -> Result<Cow<'a, [u8]>, BytesCodecEndiannessMissingError> {
        if !element::is_native(endianness)? {
            native::reverse(Uint12::SIZE, bytes.to_mut());
        }
        Ok(clear(bytes))
    }
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

packed_unsigned!(Uint12DataType, 12);
inventory::submit! { element::bytes_plugin::<Uint12DataType>() }
