//! The codecs that replace others in a chain: one does the work of all of them, and the others pass on their input.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use zarrs::array::codec::api::{PartialDecoderCapability, PartialEncoderCapability};
use zarrs::array::{
    ArrayBytes, ArrayBytesRaw, ArrayCodecTraits, ArrayPartialDecoderTraits,
    ArrayPartialEncoderTraits, ArrayToArrayCodecTraits, ArrayToBytesCodecTraits,
    BytesPartialDecoderTraits, BytesPartialEncoderTraits, BytesRepresentation, CodecError,
    CodecMetadataOptions, CodecOptions, CodecTraits, DataType, FillValue, RecommendedConcurrency,
};
use zarrs::metadata::Configuration;
use zarrs::plugin::{ExtensionName, ZarrVersion};

use super::{Representation, Run};
use crate::codec::elements;
use crate::codec::packbits::PackBitsCodec;

/// Implements the traits that a codec shares with the one that it replaces.
macro_rules! in_the_place_of {
    ($codec:ty, $it:ident => $original:expr) => {
        impl ExtensionName for $codec {
            fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
                let $it = self;
                $original.name(version)
            }
        }

        impl CodecTraits for $codec {
            fn as_any(&self) -> &dyn std::any::Any {
                self
            }

            fn configuration(
                &self,
                version: ZarrVersion,
                options: &CodecMetadataOptions,
            ) -> Option<Configuration> {
                let $it = self;
                $original.configuration(version, options)
            }

            fn partial_decoder_capability(&self) -> PartialDecoderCapability {
                let $it = self;
                $original.partial_decoder_capability()
            }

            fn partial_encoder_capability(&self) -> PartialEncoderCapability {
                let $it = self;
                $original.partial_encoder_capability()
            }
        }

        impl ArrayCodecTraits for $codec {
            fn recommended_concurrency(
                &self,
                _shape: &[NonZeroU64],
                _data_type: &DataType,
            ) -> Result<RecommendedConcurrency, CodecError> {
                Ok(RecommendedConcurrency::new_maximum(1))
            }
        }
    };
}

in_the_place_of!(Head, it => it.first);
in_the_place_of!(Passed, it => it.0);
in_the_place_of!(Whole, it => it.last);

/// The first of several array -> array codecs, which does the work of all of them.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) first: Arc<dyn ArrayToArrayCodecTraits>,
    pub(super) run: Arc<Run>,
}

impl ArrayToArrayCodecTraits for Head {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToArrayCodecTraits> {
        self
    }

    fn encoded_data_type(&self, decoded: &DataType) -> Result<DataType, CodecError> {
        self.run.encoded_data_type(decoded)
    }

    fn encoded_fill_value(
        &self,
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<FillValue, CodecError> {
        self.run.encoded_fill_value(data_type, fill_value)
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Representation, CodecError> {
        let (_, after) = self.run.representations(shape, data_type, fill_value)?;
        Ok(after)
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let bytes = bytes.into_fixed()?;
        let encoded = self
            .run
            .encode(&bytes, elements(shape), data_type, fill_value);
        if let Some(encoded) = encoded {
            return Ok(ArrayBytes::new_flen(encoded));
        }
        let before = (shape.to_vec(), data_type.clone(), fill_value.clone());
        let bytes = ArrayBytes::new_flen(bytes);
        let (bytes, _) = self.run.encode_by_steps(bytes, before, options)?;
        Ok(bytes)
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let bytes = bytes.into_fixed()?;
        let decoded = self
            .run
            .decode(&bytes, elements(shape), data_type, fill_value);
        if let Some(decoded) = decoded {
            return Ok(ArrayBytes::new_flen(decoded));
        }
        let (before, _) = self.run.representations(shape, data_type, fill_value)?;
        self.run
            .decode_by_steps(ArrayBytes::new_flen(bytes), &before, options)
    }

    fn partial_decoder(
        self: Arc<Self>,
        handle: Arc<dyn ArrayPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        let (before, _) = self.run.representations(shape, data_type, fill_value)?;
        self.run.partial_decoder(handle, &before, options)
    }

    fn partial_encoder(
        self: Arc<Self>,
        handle: Arc<dyn ArrayPartialEncoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialEncoderTraits>, CodecError> {
        let (before, _) = self.run.representations(shape, data_type, fill_value)?;
        self.run.partial_encoder(handle, &before, options)
    }
}

/// A codec whose work is done by another one.
#[derive(Debug)]
pub(super) struct Passed(pub(super) Arc<dyn ArrayToArrayCodecTraits>);

impl ArrayToArrayCodecTraits for Passed {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToArrayCodecTraits> {
        self
    }

    fn encoded_data_type(&self, decoded: &DataType) -> Result<DataType, CodecError> {
        Ok(decoded.clone())
    }

    fn encoded_fill_value(
        &self,
        _data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<FillValue, CodecError> {
        Ok(fill_value.clone())
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        _shape: &[NonZeroU64],
        _data_type: &DataType,
        _fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        Ok(bytes)
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        _shape: &[NonZeroU64],
        _data_type: &DataType,
        _fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        Ok(bytes)
    }

    fn partial_decoder(
        self: Arc<Self>,
        handle: Arc<dyn ArrayPartialDecoderTraits>,
        _shape: &[NonZeroU64],
        _data_type: &DataType,
        _fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        Ok(handle)
    }

    fn partial_encoder(
        self: Arc<Self>,
        handle: Arc<dyn ArrayPartialEncoderTraits>,
        _shape: &[NonZeroU64],
        _data_type: &DataType,
        _fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialEncoderTraits>, CodecError> {
        Ok(handle)
    }
}

/// `packbits` with the elementwise codecs before it.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) last: Arc<PackBitsCodec>,
    pub(super) run: Arc<Run>,
}

impl ArrayToBytesCodecTraits for Whole {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToBytesCodecTraits> {
        self
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<BytesRepresentation, CodecError> {
        let (_, (shape, data_type, fill_value)) =
            self.run.representations(shape, data_type, fill_value)?;
        self.last
            .encoded_representation(&shape, &data_type, &fill_value)
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let bytes = bytes.into_fixed()?;
        let encoded = self
            .run
            .encode(&bytes, elements(shape), data_type, fill_value);
        if let Some(encoded) = encoded {
            return Ok(Cow::Owned(encoded));
        }
        let before = (shape.to_vec(), data_type.clone(), fill_value.clone());
        let bytes = ArrayBytes::new_flen(bytes);
        let (bytes, (shape, data_type, fill_value)) =
            self.run.encode_by_steps(bytes, before, options)?;
        self.last
            .encode(bytes, &shape, &data_type, &fill_value, options)
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let decoded = self
            .run
            .decode(&bytes, elements(shape), data_type, fill_value);
        if let Some(decoded) = decoded {
            return Ok(ArrayBytes::new_flen(decoded));
        }
        let (before, (shape, data_type, fill_value)) =
            self.run.representations(shape, data_type, fill_value)?;
        let bytes = self
            .last
            .decode(bytes, &shape, &data_type, &fill_value, options)?;
        self.run.decode_by_steps(bytes, &before, options)
    }

    fn partial_decoder(
        self: Arc<Self>,
        handle: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        let (before, (shape, data_type, fill_value)) =
            self.run.representations(shape, data_type, fill_value)?;
        let last = self.last.clone();
        let handle = last.partial_decoder(handle, &shape, &data_type, &fill_value, options)?;
        self.run.partial_decoder(handle, &before, options)
    }

    fn partial_encoder(
        self: Arc<Self>,
        handle: Arc<dyn BytesPartialEncoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialEncoderTraits>, CodecError> {
        let (before, (shape, data_type, fill_value)) =
            self.run.representations(shape, data_type, fill_value)?;
        let last = self.last.clone();
        let handle = last.partial_encoder(handle, &shape, &data_type, &fill_value, options)?;
        self.run.partial_encoder(handle, &before, options)
    }
}
