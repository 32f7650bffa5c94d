//! `packbits`: an array -> bytes codec that stores a range of bits of every component in sequence.

mod packing;
mod partial;

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use exactum_metadata::document;
use exactum_metadata::parse_packbits;
use exactum_model::{DataType, PackBits, Reason, Rejection};
use exactum_optimized::packbits;
use serde_json::Value;
use zarrs::array::codec::PackBitsDataTypeExt;
use zarrs::array::codec::api::InvalidBytesLengthError;
use zarrs::array::{
    ArrayBytes, ArrayBytesRaw, ArrayCodecTraits, ArrayPartialDecoderTraits,
    ArrayToBytesCodecTraits, BytesPartialDecoderTraits, BytesRepresentation, Codec, CodecError,
    CodecOptions, CodecSpecificOptions, CodecTraitsV3, FillValue, RecommendedConcurrency,
};
use zarrs::metadata::Configuration;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};

use packing::Packing;
use partial::PackBitsPartial;

use super::configuration::Configured;
use super::elements;
use super::fault::{codec_error, create_error};
use super::places::in_place_of_bytes;
use super::traits::codec_traits;
use crate::data_type::{self, native};

const NAME: &str = "packbits";

/// The `packbits` codec for zarrs (spec/packbits.md).
///
/// It supports the data types of the registry, and any other that tells zarrs how many bits its components
/// have (`PackBitsDataTypeTraits`), if a component is held in 1, 2, 4 or 8 bytes.
///
/// ```
/// use std::sync::Arc;
///
/// use exactum_model::{DataType, PackBits};
/// use exactum_zarrs_plugins::PackBitsCodec;
/// use zarrs::array::{ArrayBuilder, data_type};
/// use zarrs::storage::store::MemoryStore;
///
/// let lowest = PackBits::whole(DataType::Uint8).bits(0, 0);
/// let codec = PackBitsCodec::from_operation(&lowest)?;
/// let array = ArrayBuilder::new(vec![16], vec![16], data_type::uint8(), 0_u8)
///     .array_to_bytes_codec(Arc::new(codec))
///     .build(Arc::new(MemoryStore::new()), "/")?;
/// array.store_chunk(&[0], &[1_u8; 16])?;
/// assert_eq!(array.retrieve_encoded_chunk(&[0])?, Some(vec![255, 255]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackBitsCodec {
    configured: Arc<Configured<PackBits>>,
}

impl PackBitsCodec {
    /// Makes a codec from its configuration.
    ///
    /// # Errors
    /// A fault that exists for every data type of the array, with the clause and the place. A fault for a
    /// single data type is found when the codec is used with it.
    pub fn new(configuration: Configuration) -> Result<Self, PluginCreateError> {
        let all = DataType::ALL.iter().copied();
        let configured = Configured::new(configuration, all, parse_packbits)
            .map_err(|rejection| create_error(NAME, &rejection))?;
        Ok(Self {
            configured: Arc::new(configured),
        })
    }

    /// Returns the codec for this operation. It writes the canonical configuration.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new). They do not occur for operations that come from
    /// `exactum-metadata`.
    pub fn from_operation(operation: &PackBits) -> Result<Self, PluginCreateError> {
        match serde_json::to_value(document::Configuration::from(operation)) {
            Ok(Value::Object(configuration)) => Self::new(configuration.into()),
            _ => Self::new(Configuration::default()),
        }
    }

    /// Returns the operation on elements of a data type of the registry.
    pub(super) fn operation(&self, data_type: &zarrs::array::DataType) -> Option<PackBits> {
        self.configured
            .get(data_type::model(data_type)?)
            .ok()
            .map(|codec| *codec)
    }

    fn resolve(&self, data_type: &zarrs::array::DataType) -> Result<Packing, CodecError> {
        let found = match data_type::model(data_type) {
            Some(data_type) => self.configured.get(data_type).map(|codec| Packing {
                codec: *codec,
                parts: 1,
            }),
            None => self.resolve_foreign(data_type),
        };
        found.map_err(|rejection| codec_error(NAME, &rejection))
    }

    /// Returns the packing for a data type outside of the registry, which is treated as the integers that
    /// hold its components. Their upper bits are not packed.
    fn resolve_foreign(&self, data_type: &zarrs::array::DataType) -> Result<Packing, Rejection> {
        let refused = || {
            Rejection::new(
                Reason::UnsupportedDataType,
                "packbits.data_types",
                format!("{data_type} does not define which of its bits are packed"),
            )
        };
        let support = data_type.codec_packbits().map_err(|_| refused())?;
        let size = data_type.fixed_size().ok_or_else(refused)?;
        let parts = usize::try_from(support.num_components()).map_err(|_| refused())?;
        let bits = u32::try_from(support.component_size_bits()).map_err(|_| refused())?;
        let width = size
            .checked_div(parts)
            .filter(|width| width * parts == size);
        let holder = match (width, support.sign_extension()) {
            (Some(1), false) => DataType::Uint8,
            (Some(1), true) => DataType::Int8,
            (Some(2), false) => DataType::Uint16,
            (Some(2), true) => DataType::Int16,
            (Some(4), false) => DataType::Uint32,
            (Some(4), true) => DataType::Int32,
            (Some(8), false) => DataType::Uint64,
            (Some(8), true) => DataType::Int64,
            _ => return Err(refused()),
        };
        if !(1..=holder.format().component_bits()).contains(&bits) {
            return Err(refused());
        }
        let mut codec = *self.configured.get(holder)?;
        let last = self.configured.configuration().get("last_bit");
        if last.is_none_or(Value::is_null) {
            codec.last_bit = bits - 1;
        }
        if codec.last_bit >= bits {
            return Err(Rejection::new(
                Reason::Metadata,
                "packbits.bits.width",
                format!(
                    "{data_type} has no bit {}: it has {bits} bits per component",
                    codec.last_bit
                ),
            )
            .at_pointer("/last_bit"));
        }
        if codec.last_bit < codec.first_bit {
            return Err(Rejection::new(
                Reason::Metadata,
                "packbits.bits.order",
                format!(
                    "last_bit {} is less than first_bit {}",
                    codec.last_bit, codec.first_bit
                ),
            )
            .at_pointer("/first_bit"));
        }
        Ok(Packing { codec, parts })
    }
}

impl ExtensionName for PackBitsCodec {
    fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
        (version == ZarrVersion::V3).then_some(Cow::Borrowed(NAME))
    }
}

impl CodecTraitsV3 for PackBitsCodec {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let configuration = metadata.configuration().cloned().unwrap_or_default();
        Ok(Codec::ArrayToBytes(Arc::new(Self::new(configuration)?)))
    }
}

// Elements share bytes, so that a part cannot be written without the chunk around it.
codec_traits! {
    impl[] PackBitsCodec,
    configuration: |it| it.configured.configuration(),
    reads_parts: true,
    writes_parts: false,
}

impl ArrayCodecTraits for PackBitsCodec {
    /// Recommends a single thread, which already runs at the speed of memory, while zarrs processes several chunks at
    /// once.
    fn recommended_concurrency(
        &self,
        _shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
    ) -> Result<RecommendedConcurrency, CodecError> {
        self.resolve(data_type)?;
        Ok(RecommendedConcurrency::new_maximum(1))
    }
}

impl ArrayToBytesCodecTraits for PackBitsCodec {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToBytesCodecTraits> {
        self
    }

    fn with_codec_specific_options(
        self: Arc<Self>,
        options: &CodecSpecificOptions,
    ) -> Arc<dyn ArrayToBytesCodecTraits> {
        in_place_of_bytes(self, options)
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        _fill_value: &FillValue,
    ) -> Result<BytesRepresentation, CodecError> {
        let packing = self.resolve(data_type)?;
        packing
            .encoded_bytes(elements(shape) as u64)
            .map(BytesRepresentation::FixedSize)
            .ok_or_else(|| {
                CodecError::Other(format!(
                    "{NAME}: a chunk of shape {shape:?} has too many elements"
                ))
            })
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        _fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let packing = self.resolve(data_type)?;
        let bytes = bytes.into_fixed()?;
        let elements = elements(shape);
        let expected = elements.saturating_mul(packing.element_bytes());
        if bytes.len() != expected {
            return Err(InvalidBytesLengthError::new(bytes.len(), expected).into());
        }
        let input = native::to_little(packing.codec.data_type, bytes);
        let length = packing
            .encoded_bytes(elements as u64)
            .and_then(|length| usize::try_from(length).ok())
            .ok_or(InvalidBytesLengthError::new(usize::MAX, expected))?;
        let mut output = vec![0; length];
        packbits::encode_into(&packing.codec, &input, &mut output)
            .map_err(|rejection| codec_error(NAME, &rejection))?;
        Ok(Cow::Owned(output))
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        _fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let packing = self.resolve(data_type)?;
        let parts = elements(shape).saturating_mul(packing.parts) as u64;
        let array = packbits::decode(&packing.codec, &[parts], &bytes)
            .map_err(|rejection| codec_error(NAME, &rejection))?;
        let mut output = array.into_data();
        native::from_little(packing.codec.data_type, &mut output);
        Ok(ArrayBytes::new_flen(output))
    }

    fn partial_decoder(
        self: Arc<Self>,
        input_handle: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        let packing = self.resolve(data_type)?;
        Ok(Arc::new(PackBitsPartial::new(
            input_handle,
            packing,
            shape,
            data_type,
            fill_value,
        )))
    }
}
