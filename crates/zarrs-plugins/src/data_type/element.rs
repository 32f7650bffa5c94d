//! The trait implementations for zarrs that all data types of this crate share.

use std::any::{Any, TypeId};
use std::borrow::Cow;

use exactum_metadata::document;
use exactum_metadata::parse_fill_value;
use exactum_model::{DataType, Scalar};
use zarrs::array::codec::{
    BytesCodecEndiannessMissingError, BytesDataTypePlugin, BytesDataTypeTraits,
    PackBitsDataTypePlugin, PackBitsDataTypeTraits,
};
use zarrs::array::data_type::api::{DataTypeFillValueError, DataTypeFillValueMetadataError};
use zarrs::array::{Endianness, FillValueMetadata};
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::PluginCreateError;

use crate::json;

/// Elements in a byte order.
pub(super) type Swapped<'a> = Result<Cow<'a, [u8]>, BytesCodecEndiannessMissingError>;

/// Refuses a data type with a configuration, because no data type here has one.
pub(super) fn without_configuration(metadata: &MetadataV3) -> Result<(), PluginCreateError> {
    if metadata.configuration_is_none_or_empty() {
        return Ok(());
    }
    Err(PluginCreateError::Other(format!(
        "{}: the data type must have no configuration, not {}",
        metadata.name(),
        metadata
            .configuration()
            .map_or_else(String::new, |it| json::text_of_object(it))
    )))
}

/// Reads a fill value of a data type of the registry.
pub(super) fn parse(
    data_type: DataType,
    metadata: &FillValueMetadata,
) -> Result<Scalar, DataTypeFillValueMetadataError> {
    parse_fill_value(data_type, &json::text_of_fill_value(metadata))
        .map_err(|_| DataTypeFillValueMetadataError)
}

/// Writes a fill value of a data type of the registry, in canonical text.
pub(super) fn write(scalar: &Scalar) -> Result<FillValueMetadata, DataTypeFillValueError> {
    serde_json::to_value(document::FillValue::new(scalar))
        .and_then(serde_json::from_value)
        .map_err(|_| DataTypeFillValueError)
}

/// Returns whether the byte order of a `bytes` codec is the native one. An element of more than one byte
/// requires a byte order.
pub(super) fn is_native(
    endianness: Option<Endianness>,
) -> Result<bool, BytesCodecEndiannessMissingError> {
    endianness
        .map(|endianness| endianness == Endianness::native())
        .ok_or(BytesCodecEndiannessMissingError)
}

/// Clears the bits of every byte that are not in `mask`.
pub(super) fn clear(bytes: Cow<'_, [u8]>, mask: u8) -> Cow<'_, [u8]> {
    if bytes.iter().all(|byte| byte & !mask == 0) {
        return bytes;
    }
    let mut bytes = bytes.into_owned();
    bytes.iter_mut().for_each(|byte| *byte &= mask);
    Cow::Owned(bytes)
}

/// Returns the functions that the `bytes` codec of zarrs needs from a data type.
pub(super) const fn bytes_plugin<T: BytesDataTypeTraits + 'static>() -> BytesDataTypePlugin {
    fn caster<T: BytesDataTypeTraits + 'static>(any: &dyn Any) -> Option<&dyn BytesDataTypeTraits> {
        any.downcast_ref::<T>()
            .map(|it| it as &dyn BytesDataTypeTraits)
    }
    BytesDataTypePlugin {
        type_id: TypeId::of::<T>(),
        caster: caster::<T>,
    }
}

/// Returns the functions that the `packbits` codecs of zarrs and of Exactum need from a data type.
pub(super) const fn packbits_plugin<T: PackBitsDataTypeTraits + 'static>() -> PackBitsDataTypePlugin
{
    fn caster<T: PackBitsDataTypeTraits + 'static>(
        any: &dyn Any,
    ) -> Option<&dyn PackBitsDataTypeTraits> {
        any.downcast_ref::<T>()
            .map(|it| it as &dyn PackBitsDataTypeTraits)
    }
    PackBitsDataTypePlugin {
        type_id: TypeId::of::<T>(),
        caster: caster::<T>,
    }
}

/// Implements a data type of a fixed size and without a configuration, given two functions that read and write fill
/// values. Also implements `Element` and `ElementOwned` for its element, which has `SIZE`,
/// `to_ne_bytes(self) -> [u8; SIZE]` and `from_ne_bytes([u8; SIZE]) -> Self`.
macro_rules! fixed_size {
    ($element:ty, $data_type:ty, $read:path, $write:path) => {
        impl zarrs::array::DataTypeTraits for $data_type {
            fn configuration(
                &self,
                _version: zarrs::plugin::ZarrVersion,
            ) -> zarrs::metadata::Configuration {
                zarrs::metadata::Configuration::default()
            }

            fn size(&self) -> zarrs::array::DataTypeSize {
                zarrs::array::DataTypeSize::Fixed(<$element>::SIZE)
            }

            fn fill_value(
                &self,
                metadata: &zarrs::array::FillValueMetadata,
                _version: zarrs::plugin::ZarrVersion,
            ) -> Result<
                zarrs::array::FillValue,
                zarrs::array::data_type::api::DataTypeFillValueMetadataError,
            > {
                $read(metadata).map(zarrs::array::FillValue::new)
            }

            fn metadata_fill_value(
                &self,
                fill_value: &zarrs::array::FillValue,
            ) -> Result<
                zarrs::array::FillValueMetadata,
                zarrs::array::data_type::api::DataTypeFillValueError,
            > {
                $write(fill_value.as_ne_bytes())
            }

            fn as_any(&self) -> &dyn std::any::Any {
                self
            }
        }

        impl zarrs::array::Element for $element {
            fn validate_data_type(
                data_type: &zarrs::array::DataType,
            ) -> Result<(), zarrs::array::ElementError> {
                if data_type.is::<$data_type>() {
                    return Ok(());
                }
                Err(zarrs::array::ElementError::IncompatibleElementType)
            }

            fn to_array_bytes<'a>(
                data_type: &zarrs::array::DataType,
                elements: &'a [Self],
            ) -> Result<zarrs::array::ArrayBytes<'a>, zarrs::array::ElementError> {
                Self::validate_data_type(data_type)?;
                let bytes: Vec<u8> = elements.iter().flat_map(|it| it.to_ne_bytes()).collect();
                Ok(zarrs::array::ArrayBytes::new_flen(bytes))
            }

            fn into_array_bytes(
                data_type: &zarrs::array::DataType,
                elements: Vec<Self>,
            ) -> Result<zarrs::array::ArrayBytes<'static>, zarrs::array::ElementError> {
                Ok(Self::to_array_bytes(data_type, &elements)?.into_owned())
            }
        }

        impl zarrs::array::ElementOwned for $element {
            fn from_array_bytes(
                data_type: &zarrs::array::DataType,
                bytes: zarrs::array::ArrayBytes<'_>,
            ) -> Result<Vec<Self>, zarrs::array::ElementError> {
                <Self as zarrs::array::Element>::validate_data_type(data_type)?;
                let bytes = bytes.into_fixed()?;
                let (elements, rest) = bytes.as_chunks::<{ <$element>::SIZE }>();
                if !rest.is_empty() {
                    return Err(zarrs::array::ElementError::InvalidElementValue);
                }
                Ok(elements.iter().map(|&it| Self::from_ne_bytes(it)).collect())
            }
        }
    };
}

/// Implements the name of a data type in zarrs, which exists in Zarr v3 and not in v2, and makes the data
/// type from a document without a configuration.
macro_rules! named {
    ($data_type:ty, $name:expr) => {
        impl zarrs::plugin::ExtensionName for $data_type {
            fn name(
                &self,
                version: zarrs::plugin::ZarrVersion,
            ) -> Option<std::borrow::Cow<'static, str>> {
                (version == zarrs::plugin::ZarrVersion::V3)
                    .then_some(std::borrow::Cow::Borrowed($name))
            }
        }

        impl zarrs::array::DataTypeTraitsV3 for $data_type {
            fn create(
                metadata: &zarrs::metadata::v3::MetadataV3,
            ) -> Result<zarrs::array::DataType, zarrs::plugin::PluginCreateError> {
                $crate::data_type::element::without_configuration(metadata)?;
                Ok(zarrs::array::DataType::new(Self))
            }
        }
    };
}

/// Offers two functions, from memory and into memory, to the codec `bytes`.
macro_rules! in_bytes {
    ($data_type:ty, $encode:path, $decode:path) => {
        impl zarrs::array::codec::BytesDataTypeTraits for $data_type {
            fn encode<'a>(
                &self,
                bytes: std::borrow::Cow<'a, [u8]>,
                endianness: Option<zarrs::array::Endianness>,
            ) -> $crate::data_type::element::Swapped<'a> {
                $encode(bytes, endianness)
            }

            fn decode<'a>(
                &self,
                bytes: std::borrow::Cow<'a, [u8]>,
                endianness: Option<zarrs::array::Endianness>,
            ) -> $crate::data_type::element::Swapped<'a> {
                $decode(bytes, endianness)
            }
        }

        inventory::submit! { $crate::data_type::element::bytes_plugin::<$data_type>() }
    };
}

/// Packs the low bits of an element that has one component and no sign to extend, and offers that to the
/// codec `packbits`.
macro_rules! packed_unsigned {
    ($data_type:ty, $bits:literal) => {
        impl zarrs::array::codec::PackBitsDataTypeTraits for $data_type {
            fn component_size_bits(&self) -> u64 {
                $bits
            }

            fn num_components(&self) -> u64 {
                1
            }

            fn sign_extension(&self) -> bool {
                false
            }
        }

        inventory::submit! { $crate::data_type::element::packbits_plugin::<$data_type>() }
    };
}

pub(super) use {fixed_size, in_bytes, named, packed_unsigned};
