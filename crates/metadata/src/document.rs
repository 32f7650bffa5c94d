//! Documents as they are written: the types behind the JSON Schema, and the way back from the
//! nouns to JSON.
//!
//! Reading does not go through these types: a reader needs places, number texts and repeated
//! keys, and none of them survives a deserializer.

use exactum_model::{
    CastValue, DataType, Endian, FixedScaleOffset, LegacyNumber, MapEntry, OutOfRange, PackBits,
    PaddingEncoding, Rounding, Scalar, ScaleOffset,
};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::codec::fixed_scale_offset;

/// An array document of Zarr v3.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "Zarr v3 array document", transform = crate::schema::array)]
pub struct ArrayMetadata {
    #[schemars(extend("const" = 3))]
    zarr_format: u8,
    #[schemars(extend("const" = "array"))]
    node_type: &'static str,
    /// The extents of the array.
    pub shape: Vec<u64>,
    /// The data type of the array.
    pub data_type: DataTypeName,
    /// How the array is divided.
    pub chunk_grid: ChunkGrid,
    /// How chunks are named in the store.
    pub chunk_key_encoding: ChunkKeyEncoding,
    /// The value of elements that were never written, in the encoding of the data type.
    pub fill_value: FillValue,
    /// The codecs: array -> array, then one array -> bytes, then bytes -> bytes.
    #[schemars(length(min = 1))]
    pub codecs: Vec<Codec>,
    /// What the user likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub attributes: Option<serde_json::Map<String, serde_json::Value>>,
    /// Storage transformers; the core defines none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Extension>")]
    pub storage_transformers: Option<Vec<Extension>>,
    /// A name or null for each dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Option<String>>")]
    pub dimension_names: Option<Vec<Option<String>>>,
}

impl ArrayMetadata {
    /// A document with the regular grid, default chunk keys and no optional member.
    #[must_use]
    pub fn new(
        shape: Vec<u64>,
        chunk_shape: Vec<u64>,
        fill_value: &Scalar,
        codecs: Vec<Codec>,
    ) -> Self {
        Self {
            zarr_format: 3,
            node_type: "array",
            shape,
            data_type: DataTypeName(fill_value.data_type()),
            chunk_grid: ChunkGrid {
                name: "regular",
                configuration: RegularGrid { chunk_shape },
                must_understand: None,
            },
            chunk_key_encoding: ChunkKeyEncoding { name: "default" },
            fill_value: FillValue::new(fill_value),
            codecs,
            attributes: None,
            storage_transformers: None,
            dimension_names: None,
        }
    }
}

/// The regular chunk grid.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ChunkGrid {
    #[schemars(extend("const" = "regular"))]
    name: &'static str,
    /// The shape of all chunks.
    pub configuration: RegularGrid,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool", extend("const" = true))]
    must_understand: Option<bool>,
}

/// The configuration of the regular chunk grid.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RegularGrid {
    /// One positive extent for each dimension of the array.
    #[schemars(inner(range(min = 1)))]
    pub chunk_shape: Vec<u64>,
}

/// How chunks are named; written without configuration.
#[derive(Clone, Debug, Serialize)]
pub struct ChunkKeyEncoding {
    pub(crate) name: &'static str,
}

/// An extension of the core, known by its form only.
#[derive(Clone, Debug, Serialize)]
pub struct Extension {
    /// The registered name.
    pub name: String,
    /// The configuration, a JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Box<RawValue>>,
    /// False where a reader may ignore it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub must_understand: Option<bool>,
}

/// A codec.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Codec(pub Extension);

impl Codec {
    /// A codec without configuration.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(Extension {
            name: name.into(),
            configuration: None,
            must_understand: None,
        })
    }

    fn configured(name: &str, configuration: &impl Serialize) -> Self {
        let mut codec = Self::named(name);
        // The types here have string keys and JSON texts only, so there is nothing to fail.
        codec.0.configuration = to_raw_value(configuration).ok();
        codec
    }

    /// `bytes`.
    #[must_use]
    pub fn bytes(endian: Option<Endian>) -> Self {
        match endian {
            None => Self::named("bytes"),
            Some(endian) => Self::configured(
                "bytes",
                &BytesConfiguration {
                    endian: Some(EndianName(endian)),
                },
            ),
        }
    }

    /// `cast_value`.
    #[must_use]
    pub fn cast_value(codec: &CastValue) -> Self {
        Self::configured("cast_value", &CastValueConfiguration::from(codec))
    }

    /// `numcodecs.fixedscaleoffset`.
    #[must_use]
    pub fn fixed_scale_offset(codec: &FixedScaleOffset) -> Self {
        Self::configured(
            fixed_scale_offset::NAME,
            &FixedScaleOffsetConfiguration::from(codec),
        )
    }

    /// `packbits`.
    #[must_use]
    pub fn packbits(codec: &PackBits) -> Self {
        Self::configured("packbits", &PackBitsConfiguration::from(codec))
    }

    /// `scale_offset`.
    #[must_use]
    pub fn scale_offset(codec: &ScaleOffset) -> Self {
        Self::configured("scale_offset", &ScaleOffsetConfiguration::from(codec))
    }
}

/// The configuration of `bytes`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, title = "Configuration of bytes")]
pub struct BytesConfiguration {
    /// The byte order; required where a number has more than one byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EndianName")]
    pub endian: Option<EndianName>,
}

/// The configuration of `packbits`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, title = "Configuration of packbits")]
pub struct PackBitsConfiguration {
    /// Where the number of padding bits is written; nowhere by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PaddingEncodingName")]
    pub padding_encoding: Option<PaddingEncodingName>,
    /// The lowest bit of a component that is packed; 0 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_bit: Option<BitIndex>,
    /// The highest bit of a component that is packed; by default the highest there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_bit: Option<BitIndex>,
}

/// The configuration of `numcodecs.fixedscaleoffset`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(
    deny_unknown_fields,
    title = "Configuration of numcodecs.fixedscaleoffset",
    transform = crate::schema::scale_offset
)]
pub struct FixedScaleOffsetConfiguration {
    /// Subtracted first when encoding.
    pub offset: LegacyParameter,
    /// Multiplied by then; not zero.
    pub scale: LegacyParameter,
    /// The data type of the array.
    pub dtype: LegacyDataTypeName,
    /// The data type of what is stored.
    pub astype: LegacyDataTypeName,
}

/// A number of `numcodecs.fixedscaleoffset`.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct LegacyParameter(Box<RawValue>);

impl LegacyParameter {
    /// Writes a number: with a fraction or an exponent where it is not an integer of the array's
    /// type (scale_offset.legacy.integers).
    #[must_use]
    pub fn new(number: LegacyNumber) -> Self {
        match number {
            LegacyNumber::Integer(integer) => Self(raw(integer.to_string())),
            LegacyNumber::Binary64(bits) => {
                Self(canonical(&Scalar::new(DataType::Float64, bits.into())))
            }
        }
    }
}

/// A data type of `numcodecs.fixedscaleoffset`, written as Zarr v2 does, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegacyDataTypeName(pub DataType);

impl Serialize for LegacyDataTypeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&fixed_scale_offset::spelling(self.0))
    }
}

/// The index of a bit of a component, from the least significant one.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct BitIndex(pub u32);

/// The configuration of `transpose`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TransposeConfiguration {
    /// A permutation: dimension `i` of the output is dimension `order[i]` of the input.
    #[schemars(extend("uniqueItems" = true))]
    pub order: Vec<u64>,
}

/// The configuration of `reshape`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReshapeConfiguration {
    /// The extents of the output.
    pub shape: Vec<ReshapeExtent>,
}

/// An extent of `reshape`.
#[derive(Clone, Debug)]
pub enum ReshapeExtent {
    /// A positive size.
    Size(u64),
    /// What is left: `-1`.
    Rest,
    /// The product of these dimensions of the input.
    Dimensions(Vec<u64>),
}

impl Serialize for ReshapeExtent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ReshapeExtent::Size(size) => serializer.serialize_u64(*size),
            ReshapeExtent::Rest => serializer.serialize_i64(-1),
            ReshapeExtent::Dimensions(dimensions) => dimensions.serialize(serializer),
        }
    }
}

/// The configuration of `sharding_indexed`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ShardingConfiguration {
    /// The shape of the inner chunks; it divides that of the shard.
    #[schemars(inner(range(min = 1)))]
    pub chunk_shape: Vec<u64>,
    /// The codecs of the inner chunks.
    #[schemars(length(min = 1))]
    pub codecs: Vec<Codec>,
    /// The codecs of the index; their output does not vary in size.
    #[schemars(length(min = 1))]
    pub index_codecs: Vec<Codec>,
    /// Where the index stands; at the end by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["start", "end"]))]
    pub index_location: Option<&'static str>,
}

/// The configuration of `cast_value`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(
    deny_unknown_fields,
    title = "Configuration of cast_value",
    transform = crate::schema::cast_value
)]
pub struct CastValueConfiguration {
    /// The data type that encoding casts to: an integer or a float.
    pub data_type: RealDataTypeName,
    /// The rounding of both directions; nearest-even by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RoundingName")]
    pub rounding: Option<RoundingName>,
    /// What becomes of values out of range; by default they are rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "OutOfRangeName")]
    pub out_of_range: Option<OutOfRangeName>,
    /// Values that are replaced before anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ScalarMap")]
    pub scalar_map: Option<ScalarMap>,
}

/// `scalar_map` of `cast_value`: pairs of input and output.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ScalarMap {
    /// From the array's data type to the configuration's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub encode: Vec<[Parameter; 2]>,
    /// From the configuration's data type to the array's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decode: Vec<[Parameter; 2]>,
}

/// The configuration of `scale_offset`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(
    deny_unknown_fields,
    title = "Configuration of scale_offset",
    transform = crate::schema::scale_offset
)]
pub struct ScaleOffsetConfiguration {
    /// Subtracted first when encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Parameter")]
    pub offset: Option<Parameter>,
    /// Multiplied by then; not zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Parameter")]
    pub scale: Option<Parameter>,
}

/// A fill value, in canonical text.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct FillValue(Box<RawValue>);

impl FillValue {
    /// Writes a scalar.
    #[must_use]
    pub fn new(scalar: &Scalar) -> Self {
        Self(canonical(scalar))
    }
}

/// A real number of a configuration, in canonical text.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Parameter(Box<RawValue>);

impl Parameter {
    /// Writes the bits of a real number.
    #[must_use]
    pub fn new(data_type: DataType, bits: u64) -> Self {
        Self(canonical(&Scalar::new(data_type, bits.into())))
    }
}

fn canonical(scalar: &Scalar) -> Box<RawValue> {
    raw(exactum_exact::canonical(scalar))
}

/// The text of a number or a name is JSON; were it not, null would be refused by every reader.
fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident($inner:ty) $text:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(pub $inner);

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let text: fn($inner) -> &'static str = $text;
                    serializer.serialize_str(text(self.0))
                }
            }
        )*
    };
}

names! {
    /// A data type by its name.
    DataTypeName(DataType) DataType::name;
    /// An integer or a float by its name.
    RealDataTypeName(DataType) DataType::name;
    /// A rounding by its name.
    RoundingName(Rounding) Rounding::name;
    /// A rule for values out of range by its name.
    OutOfRangeName(OutOfRange) OutOfRange::name;
    /// A place for the number of padding bits by its name.
    PaddingEncodingName(PaddingEncoding) PaddingEncoding::name;
    /// A byte order by its name.
    EndianName(Endian) |endian| match endian {
        Endian::Little => "little",
        Endian::Big => "big",
    };
}

impl From<&CastValue> for CastValueConfiguration {
    fn from(codec: &CastValue) -> Self {
        let list = |entries: &[MapEntry], from, to| {
            let pair = |entry: &MapEntry| {
                [
                    Parameter::new(from, entry.input),
                    Parameter::new(to, entry.output),
                ]
            };
            entries.iter().map(pair).collect::<Vec<_>>()
        };
        let (decoded, encoded) = (codec.decoded, codec.encoded);
        let map = ScalarMap {
            encode: list(&codec.encode_map, decoded, encoded),
            decode: list(&codec.decode_map, encoded, decoded),
        };
        Self {
            data_type: RealDataTypeName(encoded),
            rounding: (codec.rounding != Rounding::default())
                .then_some(RoundingName(codec.rounding)),
            out_of_range: codec.out_of_range.map(OutOfRangeName),
            scalar_map: (!map.encode.is_empty() || !map.decode.is_empty()).then_some(map),
        }
    }
}

impl From<&FixedScaleOffset> for FixedScaleOffsetConfiguration {
    fn from(codec: &FixedScaleOffset) -> Self {
        Self {
            offset: LegacyParameter::new(codec.offset),
            scale: LegacyParameter::new(codec.scale),
            dtype: LegacyDataTypeName(codec.dtype),
            astype: LegacyDataTypeName(codec.astype),
        }
    }
}

impl From<&PackBits> for PackBitsConfiguration {
    fn from(codec: &PackBits) -> Self {
        let whole = PackBits::whole(codec.data_type);
        let bit = |bit: u32, default: u32| (bit != default).then_some(BitIndex(bit));
        Self {
            padding_encoding: (codec.padding != PaddingEncoding::default())
                .then_some(PaddingEncodingName(codec.padding)),
            first_bit: bit(codec.first_bit, whole.first_bit),
            last_bit: bit(codec.last_bit, whole.last_bit),
        }
    }
}

impl From<&ScaleOffset> for ScaleOffsetConfiguration {
    fn from(codec: &ScaleOffset) -> Self {
        let parameter = |bits| Parameter::new(codec.data_type, bits);
        Self {
            offset: codec.offset.map(parameter),
            scale: codec.scale.map(parameter),
        }
    }
}
