//! Resolved codec chains.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::Bytes;
use crate::data_type::DataType;
use crate::elementwise::Elementwise;
use crate::names::Names;
use crate::packbits::PackBits;
use crate::scalar::Scalar;
use crate::zfp::Zfp;

/// The direction of data through a codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the array to the store.
    Encode,
    /// From the store to the array.
    Decode,
}

/// The codecs of an array, together with the data type, chunk shape and fill value that enter the first codec.
/// Resolving a document into a chain determines every intermediate data type and shape. Passing the fill value
/// through the codecs requires arithmetic and is left to the implementations.
///
/// ```
/// use exactum_model::{
///     ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, Chain, CodecPipeline, DataType, Direction,
///     Resolution, Scalar, ScaleOffset, Stage,
/// };
///
/// let data_type = DataType::Uint8;
/// let codec = ArrayCodec::from(ScaleOffset::new(data_type).offset(1));
/// assert_eq!(codec.data_types(), codec.types(Direction::Encode));
/// assert_eq!(codec.fill_clause(), "scale_offset.fill");
/// let fill_value = Scalar::new(data_type, 1);
/// let scaled = ArrayToArray {
///     name: "scale_offset".into(),
///     pointer: "/codecs/0".into(),
///     codec,
///     data_type,
///     shape: vec![4],
/// };
/// let bytes = ArrayToBytes::Bytes(Bytes::new(data_type, None));
/// let whole = Chain {
///     data_type,
///     chunk_shape: vec![4],
///     fill_value,
///     pipeline: CodecPipeline::new(vec![scaled], bytes),
/// };
/// assert_eq!(whole.pipeline.all_array_to_array().count(), 1);
/// // An implementation carries the fill value through.
/// let array = Stage { codec: None, data_type, shape: vec![4], fill_value };
/// let start = Resolution { stages: vec![array], encoded_bytes: Some(4), round_trips: true };
/// assert_eq!(start.stages[0].shape, whole.chunk_shape);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The array's data type.
    pub data_type: DataType,
    /// The shape of a chunk.
    pub chunk_shape: Vec<u64>,
    /// The array's fill value.
    pub fill_value: Scalar,
    /// The codecs.
    pub pipeline: CodecPipeline,
}

/// A list of codecs, either of the array or of a shard's inner chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodecPipeline {
    /// The array -> array codecs, in encoding order.
    pub array_to_array: Vec<ArrayToArray>,
    /// The array -> bytes codec.
    pub array_to_bytes: ArrayToBytes,
    /// The bytes -> bytes codecs by name, in encoding order.
    pub bytes_to_bytes: Names,
}

/// One array -> array codec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayToArray {
    /// The codec's name, as written in the document.
    pub name: String,
    /// The JSON pointer of the codec in its document.
    pub pointer: String,
    /// The operation.
    pub codec: ArrayCodec,
    /// The data type of the codec's output.
    pub data_type: DataType,
    /// The shape of the codec's output.
    pub shape: Vec<u64>,
}

macro_rules! array_codecs {
    (
        []
        elementwise { $($element:ident $Element:ident $_p:ident $_t:ident $_m:tt;)* }
        in_chains { $($inner:ident $Inner:ident;)* }
        array_to_bytes $_a:tt
    ) => {
        array_codecs!($($element $Element)* $($inner $Inner)*);
    };
    ($($element:ident $Element:ident)*) => {
        /// An array -> array codec.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum ArrayCodec {
            $(#[doc = concat!("`", stringify!($element), "`.")] $Element(crate::$Element),)*
            /// `transpose`: dimension `i` of the output is dimension `order[i]` of the input. The list is the
            /// order.
            Transpose(Vec<usize>),
            /// `reshape`: the output has the same elements in the same order under another shape.
            Reshape,
        }

        impl ArrayCodec {
            /// Returns the data types before and after encoding, or `None` if the codec only moves elements.
            #[must_use]
            pub fn data_types(&self) -> Option<(DataType, DataType)> {
                match self {
                    $(ArrayCodec::$Element(codec) => Some(codec.data_types()),)*
                    ArrayCodec::Transpose(_) | ArrayCodec::Reshape => None,
                }
            }

            /// Returns the clause by which the codec rejects a fill value that it cannot convert.
            #[must_use]
            pub const fn fill_clause(&self) -> &'static str {
                match self {
                    $(ArrayCodec::$Element(_) => <crate::$Element as Elementwise>::FILL,)*
                    ArrayCodec::Transpose(_) | ArrayCodec::Reshape => "chain.fill",
                }
            }
        }

        $(
            impl From<crate::$Element> for ArrayCodec {
                fn from(codec: crate::$Element) -> Self {
                    ArrayCodec::$Element(codec)
                }
            }

            impl<'a> TryFrom<&'a ArrayCodec> for &'a crate::$Element {
                type Error = ();

                fn try_from(codec: &'a ArrayCodec) -> Result<Self, ()> {
                    match codec {
                        ArrayCodec::$Element(codec) => Ok(codec),
                        _ => Err(()),
                    }
                }
            }
        )*
    };
}

with_codecs!(array_codecs);

impl ArrayCodec {
    /// Returns the data types of the input and the output in a direction, or `None` if the codec only moves
    /// elements.
    #[must_use]
    pub fn types(&self, direction: Direction) -> Option<(DataType, DataType)> {
        self.data_types().map(|(decoded, encoded)| match direction {
            Direction::Encode => (decoded, encoded),
            Direction::Decode => (encoded, decoded),
        })
    }
}

/// The array -> bytes codec at the end of a [`CodecPipeline`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayToBytes {
    /// `bytes`.
    Bytes(Bytes),
    /// `packbits`.
    PackBits(PackBits),
    /// `zfp`.
    Zfp(Zfp),
    /// `sharding_indexed`.
    Sharding {
        /// The shape of an inner chunk.
        chunk_shape: Vec<u64>,
        /// The codecs of the inner chunks.
        pipeline: Box<CodecPipeline>,
    },
    /// A codec that is known only by name; nothing is known about its output.
    Foreign(String),
}

/// The state between two codecs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The codec whose output this is; `None` for the array itself.
    pub codec: Option<String>,
    /// The data type at this stage.
    pub data_type: DataType,
    /// The shape of a chunk at this stage.
    pub shape: Vec<u64>,
    /// The fill value at this stage.
    pub fill_value: Scalar,
}

/// A chain with its fill value at every stage, which is the result of `chain.resolve`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The array itself, followed by one stage for each array -> array codec. The stages of a shard's inner
    /// chunks come last and have the inner shape.
    pub stages: Vec<Stage>,
    /// The number of bytes of an encoded chunk, if the shape alone determines it.
    pub encoded_bytes: Option<u64>,
    /// Whether the fill value is unchanged after being encoded by every codec and decoded again.
    pub round_trips: bool,
}

impl CodecPipeline {
    /// Creates a list without bytes -> bytes codecs.
    #[must_use]
    pub fn new(array_to_array: Vec<ArrayToArray>, array_to_bytes: ArrayToBytes) -> Self {
        Self {
            array_to_array,
            array_to_bytes,
            bytes_to_bytes: Names::default(),
        }
    }

    /// Returns all array -> array codecs. Those of nested shards follow the outer ones.
    pub fn all_array_to_array(&self) -> impl Iterator<Item = &ArrayToArray> {
        let mut pipeline = Some(self);
        core::iter::from_fn(move || {
            let current = pipeline?;
            pipeline = match &current.array_to_bytes {
                ArrayToBytes::Sharding { pipeline, .. } => Some(pipeline),
                _ => None,
            };
            Some(current.array_to_array.iter())
        })
        .flatten()
    }
}
