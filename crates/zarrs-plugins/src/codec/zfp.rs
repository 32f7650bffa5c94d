//! `zfp`: an array -> bytes codec that compresses blocks of four elements along each dimension.

use std::borrow::Cow;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;

use exactum_metadata::document;
use exactum_metadata::parse_zfp;
use exactum_model::{DataType, Reason, Rejection, Zfp};
use exactum_optimized::zfp;
use serde_json::Value;
use zarrs::array::codec::api::InvalidBytesLengthError;
use zarrs::array::{
    ArrayBytes, ArrayBytesRaw, ArrayCodecTraits, ArrayToBytesCodecTraits, BytesRepresentation,
    Codec, CodecError, CodecOptions, CodecTraitsV3, FillValue, RecommendedConcurrency,
};
use zarrs::metadata::Configuration;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};

use super::configuration::Configured;
use super::elements;
use super::fault::{codec_error, create_error};
use super::traits::codec_traits;
use crate::data_type::{self, native};

const NAME: &str = "zfp";

/// The number of elements of a chunk above which a further thread is worthwhile.
const PER_THREAD: usize = 1 << 16;

/// The `zfp` codec for zarrs (spec/zfp.md).
///
/// It supports the data types of the registry for which zfp is defined. The meaning of a configuration also
/// depends on the number of dimensions of a chunk, which is not known before the first chunk.
///
/// ```
/// use exactum_model::{DataType, Zfp};
/// use exactum_zarrs_plugins::ZfpCodec;
///
/// let lossless = ZfpCodec::from_operation(&Zfp::reversible(DataType::Float32, 2))?;
/// // The same codec, made from its configuration.
/// let configuration = serde_json::json!({"mode": "reversible"});
/// let serde_json::Value::Object(configuration) = configuration else { unreachable!() };
/// let same = ZfpCodec::new(configuration.into())?;
/// # let _ = (lossless, same);
/// # Ok::<(), zarrs::plugin::PluginCreateError>(())
/// ```
#[derive(Debug)]
pub struct ZfpCodec {
    configuration: Configuration,
    /// The configurations by number of dimensions, 0 to 4. A rate may be too high for some of them.
    by_rank: [Result<Configured<Zfp>, Rejection>; 5],
}

impl ZfpCodec {
    /// Makes a codec from its configuration.
    ///
    /// # Errors
    /// A fault that exists for every data type and rank of the array, with the clause and the place. A fault that
    /// exists only for some of them is found when the codec is used with one of those.
    pub fn new(configuration: Configuration) -> Result<Self, PluginCreateError> {
        let of_rank = |parse| {
            let all = DataType::ALL.iter().copied();
            Configured::new(configuration.clone(), all, parse)
        };
        let by_rank = [
            of_rank(|text, data_type| parse_zfp(text, data_type, 0)),
            of_rank(|text, data_type| parse_zfp(text, data_type, 1)),
            of_rank(|text, data_type| parse_zfp(text, data_type, 2)),
            of_rank(|text, data_type| parse_zfp(text, data_type, 3)),
            of_rank(|text, data_type| parse_zfp(text, data_type, 4)),
        ];
        if let [Err(rejection), Err(_), Err(_), Err(_), Err(_)] = &by_rank {
            return Err(create_error(NAME, rejection));
        }
        Ok(Self {
            configuration,
            by_rank,
        })
    }

    /// Returns the codec for this operation. It writes the canonical configuration.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new). They do not occur for operations that come from
    /// `exactum-metadata`.
    pub fn from_operation(operation: &Zfp) -> Result<Self, PluginCreateError> {
        match serde_json::to_value(document::Configuration::from(operation)) {
            Ok(Value::Object(configuration)) => Self::new(configuration.into()),
            _ => Self::new(Configuration::default()),
        }
    }

    /// Returns the operation for chunks of this shape.
    fn resolve(
        &self,
        data_type: &zarrs::array::DataType,
        shape: &[NonZeroU64],
    ) -> Result<Arc<Zfp>, CodecError> {
        let refused =
            |clause, message| Rejection::new(Reason::UnsupportedDataType, clause, message);
        let found = match (data_type::model(data_type), self.by_rank.get(shape.len())) {
            (Some(data_type), Some(Ok(configured))) => configured.get(data_type),
            (Some(_), Some(Err(rejection))) => Err(rejection.clone()),
            // For more than four dimensions, the message comes from the reader of the document.
            (Some(data_type), None) => {
                let text = crate::json::text_of_object(&self.configuration);
                parse_zfp(&text, data_type, shape.len()).map(Arc::new)
            }
            (None, _) => Err(refused(
                "zfp.data_type.others",
                format!("zfp is not defined for the data type {data_type}"),
            )),
        };
        found.map_err(|rejection| codec_error(NAME, &rejection))
    }
}

/// Returns a shape in the form that the codec takes.
fn extents(shape: &[NonZeroU64]) -> Vec<u64> {
    shape.iter().map(|extent| extent.get()).collect()
}

/// Returns the number of threads: the number that zarrs allows, or fewer if there is not enough work.
fn threads(shape: &[NonZeroU64], options: &CodecOptions) -> NonZeroUsize {
    let useful = elements(shape) / PER_THREAD;
    NonZeroUsize::new(useful.min(options.concurrent_target())).unwrap_or(NonZeroUsize::MIN)
}

impl ExtensionName for ZfpCodec {
    fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
        (version == ZarrVersion::V3).then_some(Cow::Borrowed(NAME))
    }
}

impl CodecTraitsV3 for ZfpCodec {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let configuration = metadata.configuration().cloned().unwrap_or_default();
        Ok(Codec::ArrayToBytes(Arc::new(Self::new(configuration)?)))
    }
}

// Blocks have different lengths and follow one another, so that a chunk is decoded as a whole.
codec_traits! {
    impl[] ZfpCodec,
    configuration: |it| it.configuration,
    reads_parts: false,
    writes_parts: false,
}

impl ArrayCodecTraits for ZfpCodec {
    fn recommended_concurrency(
        &self,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
    ) -> Result<RecommendedConcurrency, CodecError> {
        self.resolve(data_type, shape)?;
        let useful = elements(shape) / PER_THREAD;
        Ok(RecommendedConcurrency::new_maximum(useful.max(1)))
    }
}

impl ArrayToBytesCodecTraits for ZfpCodec {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToBytesCodecTraits> {
        self
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        _fill_value: &FillValue,
    ) -> Result<BytesRepresentation, CodecError> {
        let codec = self.resolve(data_type, shape)?;
        Ok(match zfp::encoded_bytes(&codec, &extents(shape)) {
            Some(bytes) => BytesRepresentation::FixedSize(bytes),
            None => BytesRepresentation::UnboundedSize,
        })
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        _fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let codec = self.resolve(data_type, shape)?;
        let input = native::to_little(codec.data_type, bytes.into_fixed()?);
        zfp::encode_slice(&codec, &extents(shape), &input, threads(shape, options))
            .map(Cow::Owned)
            .map_err(|rejection| codec_error(NAME, &rejection))
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &zarrs::array::DataType,
        _fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let codec = self.resolve(data_type, shape)?;
        let size = elements(shape).saturating_mul(codec.data_type.element_bytes());
        let mut output = Vec::new();
        output
            .try_reserve_exact(size)
            .map_err(|_| InvalidBytesLengthError::new(bytes.len(), size))?;
        output.resize(size, 0);
        let threads = threads(shape, options);
        zfp::decode_into(&codec, &extents(shape), &bytes, &mut output, threads)
            .map_err(|rejection| codec_error(NAME, &rejection))?;
        native::from_little(codec.data_type, &mut output);
        Ok(ArrayBytes::new_flen(output))
    }
}
