//! The differences between a mutant and the reference.

use std::sync::Arc;

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, CastValue, Chain, DataType, Direction,
    Downsample, FixedScaleOffset, Level, PackBits, Placed, Rejection, Resolution, Scalar,
    ScaleOffset, Texts, Transform, Zfp,
};
use exactum_conformance::{Outcome, Request};
use exactum_reference::chain::{Reference, Steps, encode_fill_value, scalar};
use serde_json::{Map, Value};

use crate::data_sets::SdsFaults;
use crate::{give, some_rejection};

/// A wrong result that replaces that of the reference; `None` means that the reference is right.
pub type Wrong<T = u64> = Option<Result<T, Rejection>>;

/// Computes one element of an array -> array codec from the codec, the direction and the bits.
pub type ElementPart = Arc<dyn Fn(&ArrayCodec, Direction, u64) -> Wrong + Send + Sync>;

/// Overrides the elements of one codec; `name` is its name in the protocol, if it has operations of its own.
pub(crate) fn elements<C: 'static>(
    name: &'static str,
    wrong: impl Fn(&C, Direction, u64) -> Wrong + Send + Sync + 'static,
) -> Overrides
where
    for<'a> &'a C: TryFrom<&'a ArrayCodec>,
{
    Overrides {
        element: Some((
            name,
            Arc::new(move |codec, direction, bits| wrong(codec.try_into().ok()?, direction, bits)),
        )),
        ..NONE
    }
}

/// The fill value before a codec.
#[derive(Clone, Copy)]
pub struct Fill<'a> {
    /// The array's chain.
    pub chain: &'a Chain,
    /// The codec.
    pub step: &'a ArrayToArray,
    /// The fill value before the codec.
    pub before: Scalar,
}

impl Fill<'_> {
    /// Returns the right answer for another fill value.
    pub(crate) fn of(&self, before: Scalar) -> Result<Scalar, Rejection> {
        encode_fill_value(&Reference, self.step, before)
    }

    /// Returns the encoded fill value without checking that it survives.
    ///
    /// # Errors
    /// The same as for the codec.
    pub fn encoded(&self) -> Result<Scalar, Rejection> {
        scalar(&Reference, &self.step.codec, Direction::Encode, self.before)
    }

    /// Returns the decoded fill value.
    pub(crate) fn decoded(&self, after: Scalar) -> Result<Scalar, Rejection> {
        scalar(&Reference, &self.step.codec, Direction::Decode, after)
    }

    /// Returns the encoded fill value if the decoded one satisfies the condition of the fault.
    pub(crate) fn if_back(&self, comes_back: impl FnOnce(Scalar, Scalar) -> bool) -> Wrong<Scalar> {
        Some(self.encoded().and_then(|after| {
            let back = self.decoded(after)?;
            if comes_back(back, after) {
                Ok(after)
            } else {
                Err(some_rejection())
            }
        }))
    }

    /// Returns bits in the data type after the codec.
    pub(crate) fn give(&self, bits: u64) -> Wrong<Scalar> {
        give(Scalar::new(self.step.data_type, bits.into()))
    }

    /// Returns the codec, if it is a cast.
    #[must_use]
    pub fn cast(&self) -> Option<&CastValue> {
        match &self.step.codec {
            ArrayCodec::CastValue(codec) => Some(codec),
            _ => None,
        }
    }

    /// Returns the codec, if it is `scale_offset`.
    pub(crate) fn scale(&self) -> Option<&ScaleOffset> {
        match &self.step.codec {
            ArrayCodec::ScaleOffset(codec) => Some(codec),
            _ => None,
        }
    }

    /// Returns the codec, if it is `numcodecs.fixedscaleoffset`.
    pub(crate) fn fixed_scale_offset(&self) -> Option<&FixedScaleOffset> {
        match &self.step.codec {
            ArrayCodec::FixedScaleOffset(codec) => Some(codec),
            _ => None,
        }
    }
}

/// Encodes an array to bytes with a codec.
pub type EncodePart<C> = Arc<dyn Fn(&C, &Array) -> Result<Vec<u8>, Rejection> + Send + Sync>;

/// Decodes bytes to an array of a given shape with a codec.
pub type DecodePart<C> = Arc<dyn Fn(&C, &[u64], &[u8]) -> Result<Array, Rejection> + Send + Sync>;

/// A change to an array.
pub(crate) type See = fn(&Array) -> Result<Array, Rejection>;

/// Overrides of an array -> bytes codec.
#[derive(Clone)]
pub struct Coder<C: 'static> {
    /// Replaces encoding.
    pub encode: Option<EncodePart<C>>,
    /// Replaces decoding.
    pub decode: Option<DecodePart<C>>,
}

impl<C> Coder<C> {
    /// No deviation from the reference.
    pub const NONE: Self = Self {
        encode: None,
        decode: None,
    };

    pub(crate) fn encoding(
        mut self,
        encode: impl Fn(&C, &Array) -> Result<Vec<u8>, Rejection> + Send + Sync + 'static,
    ) -> Self {
        self.encode = Some(Arc::new(encode));
        self
    }

    pub(crate) fn decoding(
        mut self,
        decode: impl Fn(&C, &[u64], &[u8]) -> Result<Array, Rejection> + Send + Sync + 'static,
    ) -> Self {
        self.decode = Some(Arc::new(decode));
        self
    }

    /// Changes the array before encoding and after decoding.
    pub(crate) fn seen(codec: fn(C) -> ArrayToBytes, see: See) -> Self
    where
        C: Copy,
    {
        Self::NONE
            .encoding(move |it, input| Reference.to_bytes(&codec(*it), &see(input)?))
            .decoding(move |it, shape, bytes| {
                see(&Reference.to_array(&codec(*it), shape, bytes)?)
            })
    }
}

/// Replaces the fill value after a codec.
pub type FillPart = Arc<dyn Fn(&Fill<'_>) -> Wrong<Scalar> + Send + Sync>;

/// A change to an encoded chunk.
pub type EncodedPart = fn(&Chain, &[u8]) -> Vec<u8>;

/// A replacement for parsing the fill value of a data type.
pub type ParsePart = Arc<dyn Fn(DataType, &str) -> Outcome<Scalar> + Send + Sync>;

/// A replacement for reading a view of a source.
pub type ViewPart = Arc<dyn Fn(&Downsample, &Placed) -> Wrong<Placed> + Send + Sync>;

/// A replacement for reading a view of elements that are not numbers.
pub type TextsPart = Arc<dyn Fn(&Downsample, &Texts) -> Wrong<Texts> + Send + Sync>;

/// A change to the answer about the document of a view with this level and transform.
pub(crate) type ResolvedPart = fn(&Level, Option<&Transform>, &mut Map<String, Value>);

/// Decides whether the text of a document is refused.
pub type RefusePart = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// Overrides of the reference; `None` keeps its behaviour. Faults in elements also appear in chains and fill values, as
/// they would in a real implementation.
#[derive(Clone)]
pub struct Overrides {
    /// Replaces `bytes`, also in chains.
    pub bytes: Coder<Bytes>,
    /// Replaces `packbits`, also in chains.
    pub packbits: Coder<PackBits>,
    /// Replaces `zfp`, also in chains.
    pub zfp: Coder<Zfp>,
    /// Replaces the elements of the array -> array codec with this name.
    pub element: Option<(&'static str, ElementPart)>,
    /// Replaces the fill value after an array -> array codec.
    pub fill: Option<FillPart>,
    /// Changes a chain after it has been parsed.
    pub chain: Option<fn(&mut Chain)>,
    /// Changes the resolution of a chain.
    pub resolution: Option<fn(&Chain, &mut Resolution)>,
    /// Replaces a chunk before it is encoded, or returns `None` to keep it.
    pub chunk: Option<fn(&Chain, &Array) -> Option<Array>>,
    /// Changes an encoded chunk before it is decoded.
    pub encoded: Option<EncodedPart>,
    /// Replaces the parsing of fill values.
    pub parse: Option<ParsePart>,
    /// Formats fill values, or returns `None` to keep the right text.
    pub format: Option<fn(&Scalar) -> Option<String>>,
    /// Replaces the reading of views.
    pub view: Option<ViewPart>,
    /// Replaces the reading of views of elements that are not numbers.
    pub texts: Option<TextsPart>,
    /// Changes the answer about the document of a view with these factors.
    pub resolved: Option<ResolvedPart>,
    /// Changes to answers about data sets.
    pub sds: SdsFaults,
    /// A clause about documents that is not enforced.
    pub lenient: Option<&'static str>,
    /// Decides which valid documents are refused.
    pub refuses: Option<RefusePart>,
    /// Changes the texts in a request before anything else happens, and thereby misreads its documents.
    pub misreads: Option<fn(&mut Request)>,
}

/// No fault.
pub const NONE: Overrides = Overrides {
    bytes: Coder::NONE,
    packbits: Coder::NONE,
    zfp: Coder::NONE,
    element: None,
    fill: None,
    chain: None,
    resolution: None,
    chunk: None,
    encoded: None,
    parse: None,
    format: None,
    view: None,
    texts: None,
    resolved: None,
    sds: SdsFaults::NONE,
    lenient: None,
    refuses: None,
    misreads: None,
};

impl Overrides {
    /// Returns whether the fault can show in an operation at all.
    #[must_use]
    pub fn touches(&self, op: &str) -> bool {
        let elements = self.element.is_some();
        let fill = elements || self.fill.is_some();
        let encodes = self.bytes.encode.is_some()
            || self.packbits.encode.is_some()
            || self.zfp.encode.is_some();
        let decodes = self.bytes.decode.is_some()
            || self.packbits.decode.is_some()
            || self.zfp.decode.is_some();
        let own = match op {
            "bytes.encode" => self.bytes.encode.is_some(),
            "bytes.decode" => self.bytes.decode.is_some(),
            "packbits.encode" => self.packbits.encode.is_some(),
            "packbits.decode" => self.packbits.decode.is_some(),
            "zfp.encode" => self.zfp.encode.is_some(),
            "zfp.decode" => self.zfp.decode.is_some(),
            "fill_value.parse" => self.parse.is_some(),
            "fill_value.format" => self.format.is_some(),
            "downsample.read" => self.view.is_some() || self.texts.is_some(),
            "downsample.resolve" => self.resolved.is_some(),
            "sds.lower" => self.sds.lowered.is_some(),
            "sds.missing" => self.sds.mask.is_some(),
            "sds.set" => false,
            "sds.plan" => self.sds.planned.is_some() || self.sds.codecs.is_some(),
            "sds.convert" | "sds.read" | "sds.write" => !self.sds.are_none(),
            "chain.resolve" => fill || self.resolution.is_some(),
            "chain.encode" => elements || encodes || self.chunk.is_some(),
            "chain.decode" => elements || decodes || self.encoded.is_some(),
            "metadata.validate" => fill || self.lenient.is_some() || self.refuses.is_some(),
            _ => match (op.split_once('.'), &self.element) {
                (Some((row, "encode" | "decode")), Some((name, _))) => row == *name,
                (Some((_, "encode" | "decode")), None) => false,
                _ => true,
            },
        };
        own || self.misreads.is_some() || (self.chain.is_some() && op.starts_with("chain."))
    }

    /// Returns the chain as the mutant interprets it.
    pub(crate) fn understood(&self, chain: &Chain) -> Chain {
        let mut chain = chain.clone();
        if let Some(misunderstand) = self.chain {
            misunderstand(&mut chain);
        }
        chain
    }
}

impl Steps for Overrides {
    fn element(
        &self,
        codec: &ArrayCodec,
        direction: Direction,
        bits: u64,
    ) -> Result<u64, Rejection> {
        let part = self.element.as_ref();
        part.and_then(|(_, part)| part(codec, direction, bits))
            .unwrap_or_else(|| Reference.element(codec, direction, bits))
    }

    fn to_bytes(&self, codec: &ArrayToBytes, array: &Array) -> Result<Vec<u8>, Rejection> {
        fn of<C>(coder: &Coder<C>, codec: &C, array: &Array) -> Option<Result<Vec<u8>, Rejection>> {
            Some(coder.encode.as_ref()?(codec, array))
        }
        let wrong = match codec {
            ArrayToBytes::Bytes(codec) => of(&self.bytes, codec, array),
            ArrayToBytes::PackBits(codec) => of(&self.packbits, codec, array),
            ArrayToBytes::Zfp(codec) => of(&self.zfp, codec, array),
            ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => None,
        };
        wrong.unwrap_or_else(|| Reference.to_bytes(codec, array))
    }

    fn to_array(
        &self,
        codec: &ArrayToBytes,
        shape: &[u64],
        encoded: &[u8],
    ) -> Result<Array, Rejection> {
        fn of<C>(
            coder: &Coder<C>,
            codec: &C,
            shape: &[u64],
            encoded: &[u8],
        ) -> Option<Result<Array, Rejection>> {
            Some(coder.decode.as_ref()?(codec, shape, encoded))
        }
        let wrong = match codec {
            ArrayToBytes::Bytes(codec) => of(&self.bytes, codec, shape, encoded),
            ArrayToBytes::PackBits(codec) => of(&self.packbits, codec, shape, encoded),
            ArrayToBytes::Zfp(codec) => of(&self.zfp, codec, shape, encoded),
            ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => None,
        };
        wrong.unwrap_or_else(|| Reference.to_array(codec, shape, encoded))
    }

    fn fill_value(
        &self,
        chain: &Chain,
        step: &ArrayToArray,
        before: Scalar,
    ) -> Result<Scalar, Rejection> {
        self.fill
            .as_ref()
            .and_then(|fill| {
                fill(&Fill {
                    chain,
                    step,
                    before,
                })
            })
            .unwrap_or_else(|| encode_fill_value(self, step, before))
    }
}
