//! `bitround`, `cast_value` and `scale_offset`: array -> array codecs that convert each element by itself.

mod partial;
mod run;

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;
use std::num::NonZeroU64;
use std::sync::Arc;

use exactum_metadata::document;
use exactum_model::{ArrayCodec, BitRound, CastValue, DataType, Reason, Rejection, ScaleOffset};
use serde_json::Value;
use zarrs::array::{
    ArrayBytes, ArrayCodecTraits, ArrayPartialDecoderTraits, ArrayPartialEncoderTraits,
    ArrayToArrayCodecTraits, ChunkShape, Codec, CodecError, CodecOptions, CodecSpecificOptions,
    CodecTraitsV3, FillValue, RecommendedConcurrency,
};
use zarrs::metadata::Configuration;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};

use partial::ElementwisePartial;
use run::{Direction, fill, run};

use super::configuration::Configured;
use super::elements;
use super::fault::{codec_error, create_error};
use super::places::{Member, in_place_of};
use super::traits::codec_traits;
use crate::data_type;

/// The `bitround` codec for zarrs (spec/bitround.md).
pub type BitRoundCodec = ElementwiseCodec<BitRound>;

/// The `scale_offset` codec for zarrs (spec/scale_offset.md).
pub type ScaleOffsetCodec = ElementwiseCodec<ScaleOffset>;

/// The `cast_value` codec for zarrs (spec/cast_value.md).
pub type CastValueCodec = ElementwiseCodec<CastValue>;

/// An operation that converts each element into another one. It is implemented for [`BitRound`],
/// [`CastValue`] and [`ScaleOffset`], and for no other type.
///
/// ```
/// use exactum_model::{DataType, ScaleOffset};
/// use exactum_zarrs_plugins::Elementwise;
///
/// let codec = <ScaleOffset as Elementwise>::parse(r#"{"offset": 5}"#, DataType::Int8)?;
/// assert_eq!(codec.offset, Some(5));
/// assert_eq!(codec.configuration()["offset"], 5);
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
pub trait Elementwise: Clone + Debug + Send + Sync + 'static + sealed::Sealed {
    /// The name of the codec.
    const NAME: &'static str;

    /// The clause that lists the data types.
    const DATA_TYPES: &'static str;

    /// Reads a configuration, which is the text of an object, for an array of this data type.
    ///
    /// # Errors
    /// The clauses of the codec about documents.
    fn parse(configuration: &str, data_type: DataType) -> Result<Self, Rejection>;

    /// Returns the configuration of this operation, which is an object.
    fn configuration(&self) -> Value;

    /// Returns the data types before and after encoding.
    fn data_types(&self) -> (DataType, DataType);

    /// Encodes little-endian elements.
    ///
    /// # Errors
    /// The rejection of the first element that breaks a clause.
    fn encode_into(&self, input: &[u8], output: &mut [u8]) -> Result<(), Rejection>;

    /// Decodes little-endian elements.
    ///
    /// # Errors
    /// The rejection of the first element that breaks a clause.
    fn decode_into(&self, input: &[u8], output: &mut [u8]) -> Result<(), Rejection>;

    /// Returns the operation as a codec of a chain.
    fn array_codec(&self) -> ArrayCodec;
}

mod sealed {
    pub trait Sealed {}
}

/// Implements the operations, each given by the module that performs it and the function that reads its
/// configuration.
macro_rules! elementwise {
    ($($Operation:ident $module:ident $parse:ident;)*) => {$(
        impl sealed::Sealed for $Operation {}

        impl Elementwise for $Operation {
            const NAME: &'static str = stringify!($module);
            const DATA_TYPES: &'static str = concat!(stringify!($module), ".data_types");

            fn parse(configuration: &str, data_type: DataType) -> Result<Self, Rejection> {
                exactum_metadata::$parse(configuration, data_type)
            }

            fn configuration(&self) -> Value {
                serde_json::to_value(document::Configuration::from(self)).unwrap_or_default()
            }

            fn data_types(&self) -> (DataType, DataType) {
                exactum_model::Elementwise::data_types(self)
            }

            fn encode_into(&self, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
                exactum_optimized::$module::encode_into(self, input, output)
            }

            fn decode_into(&self, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
                exactum_optimized::$module::decode_into(self, input, output)
            }

            fn array_codec(&self) -> ArrayCodec {
                self.clone().into()
            }
        }
    )*

        /// Returns a codec of this kind in the form that can run together with its neighbours.
        pub(super) fn member(codec: &dyn Any) -> Option<Arc<dyn Member>> {
            $(
                if let Some(codec) = codec.downcast_ref::<ElementwiseCodec<$Operation>>() {
                    return Some(Arc::new(codec.clone()));
                }
            )*
            None
        }
    };
}

elementwise! {
    BitRound bitround parse_bitround;
    CastValue cast_value parse_cast_value;
    ScaleOffset scale_offset parse_scale_offset;
}

/// An array -> array codec of zarrs that applies `T` to each element.
///
/// ```
/// use exactum_model::{DataType, ScaleOffset};
/// use exactum_zarrs_plugins::{ElementwiseCodec, ScaleOffsetCodec};
///
/// let operation = ScaleOffset::new(DataType::Int8).offset(5);
/// let codec: ElementwiseCodec<ScaleOffset> = ElementwiseCodec::from_operation(&operation)?;
/// // The same codec, made from its configuration.
/// let configuration = serde_json::json!({"offset": 5});
/// let serde_json::Value::Object(configuration) = configuration else { unreachable!() };
/// let same = ScaleOffsetCodec::new(configuration.into())?;
/// # let _ = (codec, same);
/// # Ok::<(), zarrs::plugin::PluginCreateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ElementwiseCodec<T> {
    configured: Arc<Configured<T>>,
}

impl<T: Elementwise> ElementwiseCodec<T> {
    /// Makes a codec from its configuration.
    ///
    /// # Errors
    /// A fault that exists for every data type of the array, with the clause and the place. A fault for a
    /// single data type is found when the codec is used with it.
    pub fn new(configuration: Configuration) -> Result<Self, PluginCreateError> {
        let real = DataType::ALL.iter().copied().filter(|it| it.is_real());
        let configured = Configured::new(configuration, real, T::parse)
            .map_err(|rejection| create_error(T::NAME, &rejection))?;
        Ok(Self {
            configured: Arc::new(configured),
        })
    }

    /// Returns the codec for this operation. It writes the canonical configuration.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new). They do not occur for operations that come from
    /// `exactum-metadata`.
    pub fn from_operation(operation: &T) -> Result<Self, PluginCreateError> {
        match operation.configuration() {
            Value::Object(configuration) => Self::new(configuration.into()),
            _ => Self::new(Configuration::default()),
        }
    }

    fn resolve(&self, data_type: &zarrs::array::DataType) -> Result<Arc<T>, CodecError> {
        data_type::model(data_type)
            .ok_or_else(|| {
                Rejection::new(
                    Reason::UnsupportedDataType,
                    T::DATA_TYPES,
                    format!(
                        "{} is defined for integers and floats, not for {data_type}",
                        T::NAME
                    ),
                )
            })
            .and_then(|data_type| self.configured.get(data_type))
            .map_err(|rejection| codec_error(T::NAME, &rejection))
    }
}

impl<T: Elementwise> Member for ElementwiseCodec<T> {
    fn operation(&self, data_type: &zarrs::array::DataType) -> Result<ArrayCodec, CodecError> {
        Ok(self.resolve(data_type)?.array_codec())
    }
}

impl<T: Elementwise> ExtensionName for ElementwiseCodec<T> {
    fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
        (version == ZarrVersion::V3).then_some(Cow::Borrowed(T::NAME))
    }
}

impl<T: Elementwise> CodecTraitsV3 for ElementwiseCodec<T> {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let configuration = metadata.configuration().cloned().unwrap_or_default();
        Ok(Codec::ArrayToArray(Arc::new(Self::new(configuration)?)))
    }
}

codec_traits! {
    impl[T: Elementwise] ElementwiseCodec<T>,
    configuration: |it| it.configured.configuration(),
    reads_parts: true,
    writes_parts: true,
}

impl<T: Elementwise> ArrayCodecTraits for ElementwiseCodec<T> {
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

impl<T: Elementwise> ArrayToArrayCodecTraits for ElementwiseCodec<T> {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToArrayCodecTraits> {
        self
    }

    fn with_codec_specific_options(
        self: Arc<Self>,
        options: &CodecSpecificOptions,
    ) -> Arc<dyn ArrayToArrayCodecTraits> {
        in_place_of(self, options)
    }

    fn encoded_data_type(
        &self,
        decoded: &zarrs::array::DataType,
    ) -> Result<zarrs::array::DataType, CodecError> {
        let (from, to) = self.resolve(decoded)?.data_types();
        if from == to {
            return Ok(decoded.clone());
        }
        data_type::of_zarrs(to).map_err(|error| CodecError::Other(format!("{}: {error}", T::NAME)))
    }

    fn encoded_fill_value(
        &self,
        decoded_data_type: &zarrs::array::DataType,
        decoded_fill_value: &FillValue,
    ) -> Result<FillValue, CodecError> {
        let operation = self.resolve(decoded_data_type)?;
        Ok(fill(&*operation, decoded_fill_value)?.encoded)
    }

    /// Does the same as zarrs, except that a fill value that cannot be encoded becomes zero bytes from this codec on.
    /// To determine how many threads a chain can use, zarrs passes zero bytes through it in place of the array's fill
    /// value, and that must not fail. A failure for the array's own fill value is reported when a chunk is encoded, by
    /// [`encoded_fill_value`](ArrayToArrayCodecTraits::encoded_fill_value), and when a chunk is decoded, by the
    /// decoder.
    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        fill_value: &FillValue,
    ) -> Result<(ChunkShape, zarrs::array::DataType, FillValue), CodecError> {
        let operation = self.resolve(data_type)?;
        let encoded = match fill(&*operation, fill_value) {
            Ok(filled) => filled.encoded,
            Err(_) => FillValue::new(vec![0; operation.data_types().1.element_bytes()]),
        };
        Ok((shape.to_vec(), self.encoded_data_type(data_type)?, encoded))
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        _fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let operation = self.resolve(data_type)?;
        run(&*operation, Direction::Encode, bytes, elements(shape))
    }

    /// Refuses everything if the fill value cannot be encoded. An empty fill value, which does not occur in arrays,
    /// counts as absent, so that a codec can be called by itself.
    fn decode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let operation = self.resolve(data_type)?;
        if fill_value.size() > 0 {
            fill(&*operation, fill_value)?;
        }
        run(&*operation, Direction::Decode, bytes, elements(shape))
    }

    fn partial_decoder(
        self: Arc<Self>,
        input_handle: Arc<dyn ArrayPartialDecoderTraits>,
        _shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        let operation = self.resolve(data_type)?;
        Ok(Arc::new(ElementwisePartial::new(
            input_handle,
            operation,
            data_type,
            fill_value,
        )?))
    }

    fn partial_encoder(
        self: Arc<Self>,
        input_output_handle: Arc<dyn ArrayPartialEncoderTraits>,
        _shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        fill_value: &FillValue,
        _options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialEncoderTraits>, CodecError> {
        let operation = self.resolve(data_type)?;
        Ok(Arc::new(ElementwisePartial::new(
            input_output_handle,
            operation,
            data_type,
            fill_value,
        )?))
    }
}
