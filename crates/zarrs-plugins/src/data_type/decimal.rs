//! `exactum.decimal`: a data type of variable size. Its elements are decimal numbers of any length, of which
//! no digit is lost.
//!
//! An element is its ASCII text: an optional `-`, digits without leading zeros, and an optional point
//! followed by digits. `bytes` and `packbits` are for elements of a fixed size; this type is stored by the
//! codecs for variable sizes, such as `vlen-utf8` and `zarrs.vlen`. A fill value is the text as a JSON
//! string, because a JSON number would be read as a binary64 float.

use std::any::Any;
use std::fmt;

use zarrs::array::data_type::api::{DataTypeFillValueError, DataTypeFillValueMetadataError};
use zarrs::array::{
    ArrayBytes, ArrayBytesOffsets, DataTypeSize, DataTypeTraits, Element, ElementError,
    ElementOwned, FillValue, FillValueMetadata,
};
use zarrs::metadata::Configuration;
use zarrs::plugin::ZarrVersion;

use super::NotAValue;
use super::element::named;

/// The data type `exactum.decimal`; see the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct DecimalDataType;

/// An element of [`DecimalDataType`]. Two elements are equal if their texts are: `1.0` does not equal `1.00`.
///
/// ```
/// use exactum_zarrs_plugins::data_type::decimal::{Decimal, DecimalDataType};
/// use zarrs::array::DataType;
///
/// assert_eq!(Decimal::try_from("-1.50")?.as_str(), "-1.50");
/// assert!(Decimal::try_from("1e3").is_err());
/// let data_type = DataType::new(DecimalDataType);
/// # let _ = data_type;
/// # Ok::<(), exactum_zarrs_plugins::data_type::NotAValue>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal(String);

const NAME: &str = "exactum.decimal";

impl Decimal {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads the bytes of an element.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        is_decimal(text).then(|| Self(text.to_owned()))
    }
}

fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = text
        .split_once('.')
        .map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}

impl TryFrom<&str> for Decimal {
    type Error = NotAValue;

    /// Converts the text of a decimal number, and refuses any other text.
    fn try_from(text: &str) -> Result<Self, NotAValue> {
        if is_decimal(text) {
            return Ok(Self(text.to_owned()));
        }
        let text = format!("{text:?}");
        Err(NotAValue::new(text, NAME, "decimals such as -12.50"))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Element for Decimal {
    fn validate_data_type(data_type: &zarrs::array::DataType) -> Result<(), ElementError> {
        if data_type.is::<DecimalDataType>() {
            return Ok(());
        }
        Err(ElementError::IncompatibleElementType)
    }

    fn to_array_bytes<'a>(
        data_type: &zarrs::array::DataType,
        elements: &'a [Self],
    ) -> Result<ArrayBytes<'a>, ElementError> {
        Self::validate_data_type(data_type)?;
        let mut bytes = Vec::new();
        let mut offsets = vec![0];
        for element in elements {
            bytes.extend_from_slice(element.0.as_bytes());
            offsets.push(bytes.len());
        }
        let other = |error: &dyn fmt::Display| ElementError::Other(error.to_string());
        let offsets = ArrayBytesOffsets::new(offsets).map_err(|error| other(&error))?;
        ArrayBytes::new_vlen(bytes, offsets).map_err(|error| other(&error))
    }

    fn into_array_bytes(
        data_type: &zarrs::array::DataType,
        elements: Vec<Self>,
    ) -> Result<ArrayBytes<'static>, ElementError> {
        Ok(Self::to_array_bytes(data_type, &elements)?.into_owned())
    }
}

impl ElementOwned for Decimal {
    fn from_array_bytes(
        data_type: &zarrs::array::DataType,
        bytes: ArrayBytes<'_>,
    ) -> Result<Vec<Self>, ElementError> {
        Self::validate_data_type(data_type)?;
        let (bytes, offsets) = bytes.into_variable()?.into_parts();
        offsets
            .windows(2)
            .map(|ends| {
                bytes
                    .get(ends[0]..ends[1])
                    .and_then(Self::from_bytes)
                    .ok_or(ElementError::InvalidElementValue)
            })
            .collect()
    }
}

named!(DecimalDataType, NAME);

impl DataTypeTraits for DecimalDataType {
    fn configuration(&self, _version: ZarrVersion) -> Configuration {
        Configuration::default()
    }

    fn size(&self) -> DataTypeSize {
        DataTypeSize::Variable
    }

    fn fill_value(
        &self,
        metadata: &FillValueMetadata,
        _version: ZarrVersion,
    ) -> Result<FillValue, DataTypeFillValueMetadataError> {
        let FillValueMetadata::String(text) = metadata else {
            return Err(DataTypeFillValueMetadataError);
        };
        let element =
            Decimal::try_from(text.as_str()).map_err(|_| DataTypeFillValueMetadataError)?;
        Ok(FillValue::new(element.0.into_bytes()))
    }

    fn metadata_fill_value(
        &self,
        fill_value: &FillValue,
    ) -> Result<FillValueMetadata, DataTypeFillValueError> {
        Decimal::from_bytes(fill_value.as_ne_bytes())
            .map(|element| FillValueMetadata::String(element.0))
            .ok_or(DataTypeFillValueError)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
