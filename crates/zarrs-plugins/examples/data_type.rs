//! A user-defined data type for zarrs 0.23, from its element to an array, with the public interface of zarrs
//! and without macros of zarrs or of this crate.
//!
//! `example.percent` is an integer of 0 to 100 in one byte, of which `packbits` stores seven bits. It takes
//! six steps; `Cargo.toml` needs `zarrs` and `inventory`, and this crate for `packbits`.
//!
//! `cargo run -p exactum-zarrs-plugins --example data_type`

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::error::Error;
use std::sync::Arc;

use zarrs::array::codec::{
    BytesCodecEndiannessMissingError, BytesDataTypePlugin, BytesDataTypeTraits,
    PackBitsDataTypePlugin, PackBitsDataTypeTraits,
};
use zarrs::array::data_type::api::{
    DataTypeFillValueError, DataTypeFillValueMetadataError, DataTypeRuntimePluginV3,
    register_data_type_v3, unregister_data_type_v3,
};
use zarrs::array::{
    ArrayBytes, ArraySubset, DataType, DataTypeSize, DataTypeTraits, DataTypeTraitsV3, Element,
    ElementError, ElementOwned, Endianness, FillValue, FillValueMetadata,
};
use zarrs::metadata::Configuration;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits as _};

const NAME: &str = "example.percent";
const MOST: u8 = 100;

/// Step 1: the data type, which has no configuration.
#[derive(Clone, Copy, Debug)]
struct PercentDataType;

impl ExtensionName for PercentDataType {
    fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
        (version == ZarrVersion::V3).then_some(Cow::Borrowed(NAME))
    }
}

impl DataTypeTraitsV3 for PercentDataType {
    fn create(metadata: &MetadataV3) -> Result<DataType, PluginCreateError> {
        if metadata.configuration_is_none_or_empty() {
            return Ok(DataType::new(Self));
        }
        let words = format!("{NAME} has no configuration");
        Err(PluginCreateError::Other(words))
    }
}

/// Step 2: its size, and the conversion of its fill values from and to JSON.
impl DataTypeTraits for PercentDataType {
    fn configuration(&self, _version: ZarrVersion) -> Configuration {
        Configuration::default()
    }

    fn size(&self) -> DataTypeSize {
        DataTypeSize::Fixed(1)
    }

    fn fill_value(
        &self,
        metadata: &FillValueMetadata,
        _version: ZarrVersion,
    ) -> Result<FillValue, DataTypeFillValueMetadataError> {
        let value = metadata.as_u64().and_then(|value| u8::try_from(value).ok());
        let value = value.filter(|value| *value <= MOST);
        let value = value.ok_or(DataTypeFillValueMetadataError)?;
        Ok(FillValue::from([value]))
    }

    fn metadata_fill_value(
        &self,
        fill_value: &FillValue,
    ) -> Result<FillValueMetadata, DataTypeFillValueError> {
        match fill_value.as_ne_bytes() {
            [value] if *value <= MOST => Ok(FillValueMetadata::from(*value)),
            _ => Err(DataTypeFillValueError),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Step 3: the bytes that the codec `bytes` stores. A single byte has no order.
impl BytesDataTypeTraits for PercentDataType {
    fn encode<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        _endianness: Option<Endianness>,
    ) -> Result<Cow<'a, [u8]>, BytesCodecEndiannessMissingError> {
        Ok(bytes)
    }

    fn decode<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        _endianness: Option<Endianness>,
    ) -> Result<Cow<'a, [u8]>, BytesCodecEndiannessMissingError> {
        Ok(bytes)
    }
}

inventory::submit! {
    BytesDataTypePlugin {
        type_id: TypeId::of::<PercentDataType>(),
        caster: |any| any.downcast_ref::<PercentDataType>().map(|it| it as &dyn BytesDataTypeTraits),
    }
}

/// Step 4: the bits that the codec `packbits` stores.
impl PackBitsDataTypeTraits for PercentDataType {
    fn component_size_bits(&self) -> u64 {
        7
    }

    fn num_components(&self) -> u64 {
        1
    }

    fn sign_extension(&self) -> bool {
        false
    }
}

inventory::submit! {
    PackBitsDataTypePlugin {
        type_id: TypeId::of::<PercentDataType>(),
        caster: |any| any.downcast_ref::<PercentDataType>().map(|it| it as &dyn PackBitsDataTypeTraits),
    }
}

/// Step 5: the element in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Percent(u8);

impl Element for Percent {
    fn validate_data_type(data_type: &DataType) -> Result<(), ElementError> {
        if data_type.is::<PercentDataType>() {
            return Ok(());
        }
        Err(ElementError::IncompatibleElementType)
    }

    fn to_array_bytes<'a>(
        data_type: &DataType,
        elements: &'a [Self],
    ) -> Result<ArrayBytes<'a>, ElementError> {
        Self::validate_data_type(data_type)?;
        if elements.iter().any(|element| element.0 > MOST) {
            return Err(ElementError::InvalidElementValue);
        }
        let bytes: Vec<u8> = elements.iter().map(|element| element.0).collect();
        Ok(ArrayBytes::new_flen(bytes))
    }

    fn into_array_bytes(
        data_type: &DataType,
        elements: Vec<Self>,
    ) -> Result<ArrayBytes<'static>, ElementError> {
        Ok(Self::to_array_bytes(data_type, &elements)?.into_owned())
    }
}

impl ElementOwned for Percent {
    fn from_array_bytes(
        data_type: &DataType,
        bytes: ArrayBytes<'_>,
    ) -> Result<Vec<Self>, ElementError> {
        Self::validate_data_type(data_type)?;
        // A chunk may contain anything.
        let element = |byte: &u8| match *byte {
            value @ 0..=MOST => Ok(Percent(value)),
            _ => Err(ElementError::InvalidElementValue),
        };
        bytes.into_fixed()?.iter().map(element).collect()
    }
}

const DOCUMENT: &str = r#"{
  "zarr_format": 3, "node_type": "array", "shape": [16], "data_type": "example.percent", "fill_value": 50,
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8]}},
  "chunk_key_encoding": {"name": "default"}, "codecs": ["packbits"]}"#;

/// Step 6: registers the data type under its name, and uses it in arrays.
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let handle = register_data_type_v3(DataTypeRuntimePluginV3::new(
        |name| name == NAME,
        PercentDataType::create,
    ));
    let codecs = exactum_zarrs_plugins::register_codecs();

    let store = Arc::new(MemoryStore::new());
    store.set(
        &StoreKey::new("zarr.json")?,
        DOCUMENT.as_bytes().to_vec().into(),
    )?;
    let array = zarrs::array::Array::open(store, "/")?;
    let part = ArraySubset::new_with_start_shape(vec![0], vec![8])?;
    let written: Vec<Percent> = (0..8).map(|tens| Percent(10 * tens)).collect();
    array.store_array_subset(&part, &written)?;

    let read: Vec<Percent> = array.retrieve_array_subset(&part)?;
    assert_eq!(read, written);
    // Eight elements of seven bits.
    let chunk = array.retrieve_encoded_chunk(&[0])?;
    assert_eq!(chunk.map(|bytes| bytes.len()), Some(7));
    let rest: Vec<Percent> =
        array.retrieve_array_subset(&ArraySubset::new_with_start_shape(vec![8], vec![8])?)?;
    assert_eq!(rest, [Percent(50); 8]);
    assert!(array.store_array_subset(&part, &[Percent(101); 8]).is_err());

    drop(codecs);
    unregister_data_type_v3(&handle);
    Ok(())
}
