//! Array documents for writing, and their JSON Schema.
//!
//! Documents are not read by means of these types: a reader needs places, number texts and repeated keys, and
//! none of them survives a deserializer.

use std::borrow::Cow;

use exactum_model::{
    BitRound, CastValue, DataType, Endian, FixedScaleOffset, PackBits, Scalar, ScaleOffset, Zfp,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::json;
use serde_json::value::RawValue;

use crate::codec::{CODECS, fixed_scale_offset};
use crate::data_type::data_type_form;
use crate::data_type::others::{self, NAME_PATTERN};
pub use crate::description::Configuration;
use crate::description::{added_members, raw};
use crate::grid;
use crate::rules;
use crate::scalar::fill_value_schema;

/// An array document of Zarr v3.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "Zarr v3 array document", transform = demand)]
pub struct ArrayMetadata {
    #[schemars(extend("const" = 3))]
    zarr_format: u8,
    #[schemars(extend("const" = "array"))]
    node_type: &'static str,
    /// The extents of the array.
    pub shape: Vec<u64>,
    /// The data type of the array.
    #[schemars(with = "DataTypeForm")]
    pub data_type: DataTypeName,
    /// The division of the array into chunks.
    #[schemars(with = "ChunkGridForm")]
    pub chunk_grid: ChunkGrid,
    /// The names of the chunks in the store.
    pub chunk_key_encoding: ChunkKeyEncoding,
    /// The value of elements that were never written, in the encoding of the data type.
    #[schemars(with = "FillValueForm")]
    pub fill_value: FillValue,
    /// The codecs: array -> array, then one array -> bytes, then bytes -> bytes.
    #[schemars(with = "CodecList")]
    pub codecs: Vec<Codec>,
    /// The user's attributes.
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
    /// Returns a document with the regular grid, default chunk keys and no optional members.
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

/// The names of chunks in the store. It is written without a configuration.
#[derive(Clone, Debug, Serialize)]
pub struct ChunkKeyEncoding {
    pub(crate) name: &'static str,
}

/// An extension of the core that is known only by its form.
#[derive(Clone, Debug, Serialize)]
pub struct Extension {
    /// The registered name.
    pub name: String,
    /// The configuration, a JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Box<RawValue>>,
    /// False if a reader may ignore the extension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub must_understand: Option<bool>,
}

/// The schema of the data types that a document may have, which are more than can be written here.
struct DataTypeForm;
struct FillValueForm;
struct ChunkGridForm;
struct CodecList;

/// A codec.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Codec(pub Extension);

impl Codec {
    /// Returns a codec without a configuration.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(Extension {
            name: name.into(),
            configuration: None,
            must_understand: None,
        })
    }

    fn configured(name: &str, configuration: impl Into<Configuration>) -> Self {
        let mut codec = Self::named(name);
        codec.0.configuration = Some(configuration.into().into_raw());
        codec
    }

    /// Returns `bitround`.
    #[must_use]
    pub fn bitround(codec: &BitRound) -> Self {
        Self::configured("bitround", codec)
    }

    /// Returns `bytes`.
    #[must_use]
    pub fn bytes(endian: Option<Endian>) -> Self {
        match endian {
            None => Self::named("bytes"),
            endian => Self::configured("bytes", endian),
        }
    }

    /// Returns `cast_value`.
    #[must_use]
    pub fn cast_value(codec: &CastValue) -> Self {
        Self::configured("cast_value", codec)
    }

    /// Returns `numcodecs.fixedscaleoffset`.
    #[must_use]
    pub fn fixed_scale_offset(codec: &FixedScaleOffset) -> Self {
        Self::configured(fixed_scale_offset::NAME, codec)
    }

    /// Returns `packbits`.
    #[must_use]
    pub fn packbits(codec: &PackBits) -> Self {
        Self::configured("packbits", codec)
    }

    /// Returns `scale_offset`.
    #[must_use]
    pub fn scale_offset(codec: &ScaleOffset) -> Self {
        Self::configured("scale_offset", codec)
    }

    /// Returns `zfp`, in the mode `reversible` if the codec is lossless, and in the mode `expert` otherwise.
    #[must_use]
    pub fn zfp(codec: &Zfp) -> Self {
        Self::configured("zfp", codec)
    }
}

/// A data type by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataTypeName(pub DataType);

impl Serialize for DataTypeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

/// A fill value, in canonical text.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct FillValue(Box<RawValue>);

impl FillValue {
    /// Returns the canonical text of a scalar.
    #[must_use]
    pub fn new(scalar: &Scalar) -> Self {
        Self(raw(exactum_exact::canonical(scalar)))
    }
}

/// Adds what the derived schema of an array document cannot express: which members may be added, and what
/// follows from the data type.
fn demand(schema: &mut Schema) {
    schema.insert("additionalProperties".into(), added_members());
    schema.insert("allOf".into(), rules::of_data_types().into());
}

macro_rules! schemas {
    ($($name:ident($generator:ident) $inline:literal $schema:expr;)*) => {
        $(
            impl JsonSchema for $name {
                fn inline_schema() -> bool {
                    $inline
                }

                fn schema_name() -> Cow<'static, str> {
                    stringify!($name).into()
                }

                fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                    $schema
                }
            }
        )*
    };
}

schemas! {
    DataTypeName(_generator) false {
        let names: Vec<&str> = DataType::ALL.iter().map(|it| it.name()).collect();
        let mut schema = data_type_form(&names);
        schema.insert("title".into(), "Numeric data type".into());
        schema
    };
    FillValue(generator) false fill_value_schema(generator);
    DataTypeForm(generator) false {
        let mut forms = vec![generator.subschema_for::<DataTypeName>().to_value()];
        forms.extend(others::forms(generator));
        let numbers = DataType::ALL.iter().map(|it| it.name());
        let names: Vec<&str> = numbers.chain(others::NAMES).collect();
        forms.extend(others::unknown(&names));
        json_schema!({"title": "Data type", "anyOf": forms})
    };
    // The form follows from the data type.
    FillValueForm(generator) false {
        fill_value_schema(generator);
        rules::define_first_codecs(generator);
        json_schema!({"title": "Fill value"})
    };
    ChunkGridForm(generator) false {
        let regular = generator.subschema_for::<ChunkGrid>().to_value();
        let rectilinear = json!({
            "type": "object",
            "properties": {
                "name": {"const": "rectilinear"},
                "configuration": grid::CONFIGURATION.reference(generator),
                "must_understand": {"const": true},
            },
            "required": ["name", "configuration"],
            "additionalProperties": false,
        });
        let unknown = others::unknown_extension(json!([{"enum": grid::NAMES}]));
        let forms = [vec![regular, rectilinear], unknown].concat();
        json_schema!({"title": "Chunk grid", "anyOf": forms})
    };
    CodecList(generator) false {
        generator.subschema_for::<Codec>();
        rules::codec_list()
    };
    Extension(_generator) false extension_form();
    ChunkKeyEncoding(_generator) false {
        let mut schema = extension_form();
        schema.insert("properties".into(), json!({"must_understand": {"const": true}}));
        schema.insert("if".into(), json!({
            "type": "object",
            "properties": {"name": {"enum": ["default", "v2"]}},
            "required": ["name"],
        }));
        schema.insert("then".into(), json!({"properties": {"configuration": {
            "properties": {"separator": {"enum": ["/", "."]}},
            "additionalProperties": false,
        }}}));
        schema
    };
    Codec(generator) false {
        let mut rules = Vec::new();
        let mut no_short_form = Vec::new();
        for codec in CODECS {
            let Some(configuration) = codec.configuration else { continue };
            let reference = configuration.reference(generator);
            let mut then = json!({"properties": {"configuration": reference}});
            if configuration.is_required() {
                no_short_form.push(codec.name);
                then["required"] = json!(["configuration"]);
            }
            rules.push(json!({
                "if": {"type": "object", "properties": {"name": {"const": codec.name}}, "required": ["name"]},
                "then": then,
            }));
        }
        rules.push(json!({"not": {"enum": no_short_form}}));
        let mut schema = extension_form();
        schema.insert("allOf".into(), rules.into());
        schema
    };
}

/// Returns the form of an extension: a name, or an object with a name, a configuration and `must_understand`.
fn extension_form() -> Schema {
    json_schema!({"anyOf": [
        {"type": "string", "pattern": NAME_PATTERN},
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": NAME_PATTERN},
                "configuration": {"type": "object"},
                "must_understand": {"type": "boolean"},
            },
            "required": ["name"],
            "additionalProperties": false,
        },
    ]})
}
