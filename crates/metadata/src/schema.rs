//! JSON Schema (2020-12) of the documents, generated from the types that write them.
//!
//! A schema accepts every document that the reader accepts, and rejects those whose fault is one
//! of structure. It cannot see how a number is written (`1.0` is an integer to it), what fits a
//! data type that stands elsewhere, or whether a shape divides another.

use std::borrow::Cow;

use exactum_model::{DataType, FloatFormat, Format, OutOfRange, PaddingEncoding, Rounding};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::codec::fixed_scale_offset;
use crate::document::{
    ArrayMetadata, BitIndex, BytesConfiguration, CastValueConfiguration, ChunkKeyEncoding, Codec,
    DataTypeName, EndianName, Extension, FillValue, FixedScaleOffsetConfiguration,
    LegacyDataTypeName, LegacyParameter, OutOfRangeName, PackBitsConfiguration,
    PaddingEncodingName, Parameter, RealDataTypeName, ReshapeConfiguration, ReshapeExtent,
    RoundingName, ScaleOffsetConfiguration, ShardingConfiguration, TransposeConfiguration,
};

/// The files of `spec/schema`, in the order of [`all`].
pub const FILES: [&str; 8] = [
    "array.json",
    "bytes.json",
    "cast_value.json",
    "data_type.json",
    "fill_value.json",
    "numcodecs.fixedscaleoffset.json",
    "packbits.json",
    "scale_offset.json",
];

/// Every schema with the name of its file.
#[must_use]
pub fn all() -> Vec<(&'static str, Value)> {
    let [
        array,
        bytes,
        cast_value,
        data_type,
        fill_value,
        fixed_scale_offset,
        packbits,
        scale_offset,
    ] = FILES;
    vec![
        (array, root::<ArrayMetadata>()),
        (bytes, root::<BytesConfiguration>()),
        (cast_value, root::<CastValueConfiguration>()),
        (data_type, root::<DataTypeName>()),
        (fill_value, root::<FillValue>()),
        (fixed_scale_offset, root::<FixedScaleOffsetConfiguration>()),
        (packbits, root::<PackBitsConfiguration>()),
        (scale_offset, root::<ScaleOffsetConfiguration>()),
    ]
}

fn root<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// What the derived schema of an array document cannot say: which members may be added, and which
/// fill values a data type has.
pub(crate) fn array(schema: &mut Schema) {
    schema.insert(
        "additionalProperties".into(),
        json!({
            "type": "object",
            "properties": {"must_understand": {"const": false}},
            "required": ["must_understand"],
        }),
    );
    let rules: Vec<Value> = DataType::ALL
        .iter()
        .map(|data_type| {
            json!({
                "if": {"properties": {"data_type": is_data_type(&[data_type.name()])}},
                "then": {"properties": {"fill_value": {"$ref": reference(*data_type)}}},
            })
        })
        .collect();
    schema.insert("allOf".into(), rules.into());
}

/// Wrapping is for integers (cast_value.range.wrap-integers-only).
pub(crate) fn cast_value(schema: &mut Schema) {
    let floats: Vec<&str> = DataType::ALL
        .iter()
        .filter(|data_type| matches!(data_type.format(), Format::Float(_)))
        .map(|data_type| data_type.name())
        .collect();
    schema.insert(
        "if".into(),
        json!({"properties": {"data_type": is_data_type(&floats)}}),
    );
    schema.insert(
        "then".into(),
        json!({"properties": {"out_of_range": {"not": {"const": OutOfRange::Wrap.name()}}}}),
    );
}

/// A scale is not zero (scale_offset.scale.zero, scale_offset.legacy.scale.zero).
pub(crate) fn scale_offset(schema: &mut Schema) {
    schema.insert(
        "not".into(),
        json!({"properties": {"scale": {"const": 0}}, "required": ["scale"]}),
    );
}

/// A data type, in short or as an object, has one of these names.
fn is_data_type(names: &[&str]) -> Value {
    json!({"anyOf": [
        {"enum": names},
        {"type": "object", "properties": {"name": {"enum": names}}, "required": ["name"]},
    ]})
}

fn reference(data_type: DataType) -> String {
    format!("#/$defs/{data_type}")
}

/// A data type of this list: its name, or an object with the name and an empty configuration.
fn data_type_form(names: &[&str]) -> Schema {
    json_schema!({"anyOf": [
        {"enum": names},
        {
            "type": "object",
            "properties": {
                "name": {"enum": names},
                "configuration": {"type": "object", "maxProperties": 0},
                "must_understand": {"const": true},
            },
            "required": ["name"],
            "additionalProperties": false,
        },
    ]})
}

/// The spellings of a float: a number, the names of what the format has, the bits.
fn float_form(float: FloatFormat) -> Value {
    let mut names = Vec::new();
    if float.nan_bits().is_some() {
        names.push("NaN");
    }
    if float.infinity_bits().is_some() {
        names.extend(["Infinity", "-Infinity"]);
    }
    let mut number = json!({"type": "number"});
    if float.infinity_bits().is_none() {
        let [smallest, largest] = bounds(&float);
        number["minimum"] = json!(smallest);
        number["maximum"] = json!(largest);
    }
    let pattern = match float.bits() {
        4 => "^0x0[0-9a-fA-F]$".into(),
        6 => "^0x[0-3][0-9a-fA-F]$".into(),
        bits => format!("^0x[0-9a-fA-F]{{{}}}$", bits / 4),
    };
    let mut forms = vec![number, json!({"type": "string", "pattern": pattern})];
    if !names.is_empty() {
        forms.push(json!({"enum": names}));
    }
    json!({"anyOf": forms})
}

/// Between these all numbers lie that a type without infinities has a value for, and few others
/// (fill_value.float.range): they are the middles behind its last values. A validator that rounds
/// numbers to binary64 before it compares them refuses no valid one.
fn bounds(float: &FloatFormat) -> [f64; 2] {
    let power = |exponent: i32| 2f64.powi(exponent);
    let digits = i32::try_from(float.mantissa_bits).unwrap_or_default();
    let last = float.max_finite_bits();
    let field = i32::try_from(last >> float.mantissa_bits).unwrap_or_default();
    let mantissa = u32::try_from(last & float.mantissa_mask()).unwrap_or_default();
    let significand = f64::from(2 * mantissa + 1) + power(digits + 1);
    let largest = significand * power(field - float.bias - digits - 1);
    if float.signed {
        [-largest, largest]
    } else {
        [power(-float.bias - 1), largest]
    }
}

/// The fill values of a data type.
fn fill_value_form(data_type: DataType) -> Value {
    match data_type.format() {
        Format::Bool => json!({"type": "boolean"}),
        Format::Integer(format) => {
            let mut schema = Map::new();
            schema.insert("type".into(), "integer".into());
            // Every bound fits one of the two.
            let bound = |value: i128| {
                i64::try_from(value)
                    .map_or_else(|_| json!(u64::try_from(value).ok()), |value| json!(value))
            };
            schema.insert("minimum".into(), bound(format.min()));
            schema.insert("maximum".into(), bound(format.max()));
            schema.into()
        }
        Format::Float(float) => float_form(float),
        Format::Complex(_) => json!({
            "type": "array",
            "items": {"$ref": reference(data_type.component())},
            "minItems": 2,
            "maxItems": 2,
        }),
    }
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
    RealDataTypeName(_generator) false {
        let real = DataType::ALL.iter().filter(|it| it.is_real());
        data_type_form(&real.map(|it| it.name()).collect::<Vec<_>>())
    };
    RoundingName(_generator) true {
        let names: Vec<&str> = Rounding::ALL.iter().map(|it| it.name()).collect();
        json_schema!({"enum": names})
    };
    OutOfRangeName(_generator) true {
        let names: Vec<&str> = OutOfRange::ALL.iter().map(|it| it.name()).collect();
        json_schema!({"enum": names})
    };
    PaddingEncodingName(_generator) true json_schema!({
        "enum": PaddingEncoding::ALL.map(PaddingEncoding::name),
    });
    BitIndex(_generator) true json_schema!({"anyOf": [
        {"type": "integer", "minimum": 0},
        {"type": "null"},
    ]});
    EndianName(_generator) true json_schema!({"enum": ["little", "big"]});
    Parameter(_generator) false json_schema!({"anyOf": [
        {"type": "number"},
        {"enum": ["NaN", "Infinity", "-Infinity"]},
        {"type": "string", "pattern": "^0x([0-9a-fA-F]{2})+$"},
    ]});
    LegacyParameter(_generator) true json_schema!({"type": "number"});
    LegacyDataTypeName(_generator) false json_schema!({"enum": fixed_scale_offset::spellings()});
    FillValue(generator) false {
        let mut forms = Vec::new();
        for &data_type in DataType::ALL {
            let form = fill_value_form(data_type);
            generator.definitions_mut().insert(data_type.name().into(), form);
            forms.push(json!({"$ref": reference(data_type)}));
        }
        json_schema!({
            "title": "Fill value of one of the data types",
            "description": "Which one, the document around it says: `$defs` has each. An integer is written without fraction and exponent, which no schema sees: 1.0 and 1e3 pass here and are no fill values.",
            "anyOf": forms,
        })
    };
    ReshapeExtent(_generator) false json_schema!({"anyOf": [
        {"type": "integer", "minimum": 1},
        {"const": -1},
        {"type": "array", "items": {"type": "integer", "minimum": 0}},
    ]});
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
        let configurations = [
            ("bytes", generator.subschema_for::<BytesConfiguration>(), false),
            ("cast_value", generator.subschema_for::<CastValueConfiguration>(), true),
            (fixed_scale_offset::NAME, generator.subschema_for::<FixedScaleOffsetConfiguration>(), true),
            ("packbits", generator.subschema_for::<PackBitsConfiguration>(), false),
            ("reshape", generator.subschema_for::<ReshapeConfiguration>(), true),
            ("scale_offset", generator.subschema_for::<ScaleOffsetConfiguration>(), false),
            ("sharding_indexed", generator.subschema_for::<ShardingConfiguration>(), true),
            ("transpose", generator.subschema_for::<TransposeConfiguration>(), true),
        ];
        let mut rules = Vec::new();
        let mut no_short_form = Vec::new();
        for (name, configuration, required) in configurations {
            let mut then = json!({"properties": {"configuration": configuration}});
            if required {
                no_short_form.push(name);
                then["required"] = json!(["configuration"]);
            }
            rules.push(json!({
                "if": {"type": "object", "properties": {"name": {"const": name}}, "required": ["name"]},
                "then": then,
            }));
        }
        rules.push(json!({"not": {"enum": no_short_form}}));
        let mut schema = extension_form();
        schema.insert("allOf".into(), rules.into());
        schema
    };
}

/// A name, or an object with a name, a configuration and `must_understand`.
fn extension_form() -> Schema {
    json_schema!({"anyOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "configuration": {"type": "object"},
                "must_understand": {"type": "boolean"},
            },
            "required": ["name"],
            "additionalProperties": false,
        },
    ]})
}
