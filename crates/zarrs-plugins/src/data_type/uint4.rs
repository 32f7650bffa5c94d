//! `uint4`: an unsigned integer of 4 bits, 0 to 15 (registry, `data-types/uint4`).
//!
//! In memory an element is a byte with the value in its low bits. `bytes` stores that byte; `packbits` stores two
//! elements in a byte. The upper four bits of a stored byte are ignored when it is read, as the README of the registry
//! requires (the `uint4` of zarrs returns them), and are zeros when it is written.
//!
//! zarrs has a data type of this name. While the one of this crate is registered, documents with `uint4` are read with
//! it, since zarrs first asks the plugins that were registered at run time. Its elements are [`Uint4`], which cannot
//! hold a value above 15, instead of `u8`, which can. Arrays that were opened before keep their data type.

use std::borrow::Cow;

use exactum_model::{DataType, Scalar};
use zarrs::array::data_type::api::{DataTypeFillValueError, DataTypeFillValueMetadataError};
use zarrs::array::{Endianness, FillValueMetadata};

use super::NotAValue;
use super::element::{self, Swapped, fixed_size, in_bytes, named, packed_unsigned};

/// The data type `uint4`; see the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct Uint4DataType;

/// An element of [`Uint4DataType`]: 0 to 15.
///
/// ```
/// use exactum_zarrs_plugins::data_type::uint4::{Uint4, Uint4DataType};
/// use zarrs::array::DataType;
///
/// let element = Uint4::try_from(15)?;
/// assert_eq!((element.get(), element), (15, Uint4::MAX));
/// assert_eq!(Uint4::from_ne_bytes(element.to_ne_bytes()), element);
/// let data_type = DataType::new(Uint4DataType);
/// # let _ = data_type;
/// # Ok::<(), exactum_zarrs_plugins::data_type::NotAValue>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uint4(u8);

const NAME: &str = "uint4";
const MASK: u8 = 0x0f;

impl Uint4 {
    /// The number of bytes of an element in memory.
    pub const SIZE: usize = 1;
    /// The largest value.
    pub const MAX: Self = Self(15);

    /// Returns the value.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the element's byte.
    #[must_use]
    pub const fn to_ne_bytes(self) -> [u8; Self::SIZE] {
        [self.0]
    }

    /// Returns the element of a byte, whose upper four bits are ignored.
    #[must_use]
    pub const fn from_ne_bytes(bytes: [u8; Self::SIZE]) -> Self {
        Self(bytes[0] & MASK)
    }
}

impl TryFrom<u8> for Uint4 {
    type Error = NotAValue;

    /// Refuses a value above 15.
    fn try_from(value: u8) -> Result<Self, NotAValue> {
        if value > Self::MAX.0 {
            return Err(NotAValue::new(value, NAME, "0 to 15"));
        }
        Ok(Self(value))
    }
}

impl From<Uint4> for u8 {
    fn from(element: Uint4) -> Self {
        element.0
    }
}

named!(Uint4DataType, NAME);
fixed_size!(Uint4, Uint4DataType, read, write);
in_bytes!(Uint4DataType, cleared, cleared);
packed_unsigned!(Uint4DataType, 4);

fn read(metadata: &FillValueMetadata) -> Result<Vec<u8>, DataTypeFillValueMetadataError> {
    Ok(element::parse(DataType::Uint4, metadata)?.to_bytes())
}

fn write(bytes: &[u8]) -> Result<FillValueMetadata, DataTypeFillValueError> {
    match bytes {
        &[value] if value <= Uint4::MAX.0 => {
            element::write(&Scalar::new(DataType::Uint4, value.into()))
        }
        _ => Err(DataTypeFillValueError),
    }
}

fn cleared(bytes: Cow<'_, [u8]>, _endianness: Option<Endianness>) -> Swapped<'_> {
    Ok(element::clear(bytes, MASK))
}
