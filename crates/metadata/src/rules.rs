//! The rules of the schema of array documents for members that depend on each other: the fill value and the first codec
//! depend on the data type, and the codecs of a list depend on each other.

use exactum_model::{DataType, Format, ZfpScalar};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::codec::CODECS;
use crate::data_type::is_data_type;
use crate::data_type::others;
use crate::pipeline::CodecKind;
use crate::scalar::reference;

/// The codecs that have a rule.
const NAMED: [&str; 10] = [
    "bitround",
    "bytes",
    "cast_value",
    "numcodecs.bitround",
    "packbits",
    "scale_offset",
    "sharding_indexed",
    "vlen-bytes",
    "vlen-utf8",
    "zfp",
];

/// `bitround` with both of its names.
const ROUNDING: [&str; 2] = ["bitround", "numcodecs.bitround"];

/// Returns the condition that a codec in either form has this name, which is one of [`NAMED`].
fn is_codec(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/is_{name}")})
}

/// Returns the condition that a codec of this name has a configuration like this.
fn configured(name: &str, configuration: Value) -> Value {
    json!({"if": is_codec(name), "then": {"properties": {"configuration": configuration}}})
}

/// Returns the condition that there are no codecs of these names.
fn never(names: &[&str]) -> Value {
    let any: Vec<Value> = names.iter().map(|name| is_codec(name)).collect();
    json!({"not": {"anyOf": any}})
}

/// Returns the name of the definition of a codec whose input is of a data type.
fn first_of(data_type: DataType) -> String {
    format!("codec_of_{data_type}")
}

/// Defines the codecs whose input is of each data type.
pub(crate) fn define_first_codecs(generator: &mut SchemaGenerator) {
    for &data_type in DataType::ALL {
        let schema = first_codec(data_type);
        generator
            .definitions_mut()
            .insert(first_of(data_type), schema);
    }
    for name in NAMED {
        generator
            .definitions_mut()
            .insert(format!("is_{name}"), is_data_type(&[name]));
    }
    for (name, endian, variable) in OTHERS {
        let schema = first_codec_of_others(name, endian, variable);
        generator.definitions_mut().insert(name.into(), schema);
    }
}

/// Returns what a schema can check about a codec whose input is of a data type.
fn first_codec(data_type: DataType) -> Value {
    let own = json!({"$ref": reference(data_type)});
    let format = data_type.format();
    let mut rules = vec![never(&["vlen-utf8", "vlen-bytes"])];
    if data_type.is_real() {
        rules.push(configured(
            "scale_offset",
            json!({"properties": {"offset": own, "scale": own}}),
        ));
        let side = |index: usize| match index {
            0 => json!({"items": {"prefixItems": [own]}}),
            _ => json!({"items": {"prefixItems": [true, own]}}),
        };
        rules.push(configured(
            "cast_value",
            json!({"properties": {"scalar_map": {"properties": {"encode": side(0), "decode": side(1)}}}}),
        ));
    } else {
        rules.push(never(&["scale_offset", "cast_value"]));
    }
    if data_type == DataType::Bool {
        rules.push(never(&ROUNDING));
    }
    if ZfpScalar::of(data_type).is_none() {
        rules.push(never(&["zfp"]));
    }
    if matches!(format, Format::Integer(_)) {
        let accuracy = json!({"properties": {"mode": {"not": {"const": "fixed_accuracy"}}}});
        rules.push(configured("zfp", accuracy));
    }
    if format.component_bytes() > 1 {
        rules.push(needs_endian());
    }
    let last = json!({"maximum": format.component_bits() - 1});
    rules.push(configured(
        "packbits",
        json!({"properties": {"first_bit": last, "last_bit": last}}),
    ));
    rules.push(sharding(&first_of(data_type)));
    json!({"allOf": rules})
}

fn needs_endian() -> Value {
    json!({
        "if": is_codec("bytes"),
        "then": {
            "properties": {"configuration": {"required": ["endian"]}},
            "required": ["configuration"],
            "type": "object",
        },
    })
}

/// Returns the rules that follow from the data type of an array.
pub(crate) fn of_data_types() -> Vec<Value> {
    let numbers = DataType::ALL.iter().map(|&data_type| {
        json!({
            "if": {"properties": {"data_type": is_data_type(&[data_type.name()])}},
            "then": {"properties": {
                "fill_value": {"$ref": reference(data_type)},
                "codecs": {"prefixItems": [{"$ref": format!("#/$defs/{}", first_of(data_type))}]},
            }},
        })
    });
    let others = others::rules()
        .into_iter()
        .map(|(data_type, fill_value, codec)| {
            json!({
                "if": {"properties": {"data_type": data_type}},
                "then": {"properties": {
                    "fill_value": fill_value,
                    "codecs": {"prefixItems": [{"$ref": format!("#/$defs/{codec}")}]},
                }},
            })
        });
    numbers
        .chain(others)
        .chain([struct_needs_endian(), keys_of_n5()])
        .collect()
}

/// Requires the keys of N5 blocks (chain.n5.keys).
fn keys_of_n5() -> Value {
    json!({
        "if": {"properties": {"codecs": {"contains": is_data_type(&["n5_default"])}}},
        "then": {"properties": {"chunk_key_encoding": {
            "type": "object",
            "properties": {
                "name": {"const": "v2"},
                "configuration": {
                    "properties": {"separator": {"const": "/"}},
                    "required": ["separator"],
                },
            },
            "required": ["name", "configuration"],
        }}},
    })
}

/// Requires a byte order for fields of several bytes. Fields of nested structs are not checked.
fn struct_needs_endian() -> Value {
    let several = |it: &&DataType| it.format().component_bytes() > 1;
    let numbers = DataType::ALL.iter().filter(several).map(|it| it.name());
    let others = [
        "numpy.datetime64",
        "numpy.timedelta64",
        "fixed_length_utf32",
    ];
    let names: Vec<&str> = numbers.chain(others).collect();
    let fields = json!({"contains": {"properties": {"data_type": is_data_type(&names)}}});
    json!({
        "if": {"properties": {"data_type": {
            "type": "object",
            "properties": {
                "name": {"const": "struct"},
                "configuration": {"type": "object", "properties": {"fields": fields}, "required": ["fields"]},
            },
            "required": ["name", "configuration"],
        }}},
        "then": {"properties": {"codecs": {"prefixItems": [needs_endian()]}}},
    })
}

/// The facts about non-numeric elements that matter to a codec: the name of its definition, whether `bytes` needs a
/// byte order, and the codecs for elements without a fixed size.
const OTHERS: [(&str, bool, &[&str]); 4] = [
    ("codec_of_string", false, &["vlen-utf8"]),
    ("codec_of_bytes", false, &["vlen-bytes"]),
    ("codec_of_utf32", true, &[]),
    ("codec_of_others", false, &[]),
];

/// Returns what a schema can check about a codec whose input is not numeric.
fn first_codec_of_others(own: &str, endian: bool, variable: &[&str]) -> Value {
    let mut rules = vec![
        never(&["scale_offset", "cast_value", "zfp"]),
        never(&ROUNDING),
    ];
    let vlen = ["vlen-utf8", "vlen-bytes"];
    let wrong = vlen.into_iter().filter(|name| !variable.contains(name));
    rules.push(never(&wrong.collect::<Vec<_>>()));
    if !variable.is_empty() {
        rules.push(never(&["bytes"]));
    }
    if endian {
        rules.push(needs_endian());
    }
    rules.push(sharding(own));
    json!({"allOf": rules})
}

/// Returns the rule for the inner codecs of a shard, whose input is the same as that of the shard, and for the codecs
/// of its index, whose input is 64-bit integers.
fn sharding(own: &str) -> Value {
    let first =
        |definition: &str| json!({"prefixItems": [{"$ref": format!("#/$defs/{definition}")}]});
    configured(
        "sharding_indexed",
        json!({"properties": {
            "codecs": first(own),
            "index_codecs": first(&first_of(DataType::Uint64)),
        }}),
    )
}

/// Returns the rule for a list of codecs: at most one is known to be array -> bytes, and at least one may be.
pub(crate) fn codec_list() -> Schema {
    let named = |is: fn(&CodecKind) -> bool| -> Vec<&str> {
        let all = CODECS.into_iter().filter(|codec| is(&codec.kind));
        all.map(|codec| codec.name).collect()
    };
    let to_bytes = named(|kind| matches!(kind, CodecKind::ArrayToBytes(_)));
    let bytes = named(|kind| matches!(kind, CodecKind::BytesToBytes(_)));
    let arrays = named(|kind| matches!(kind, CodecKind::ArrayToArray(_)));
    json_schema!({
        "type": "array",
        "items": {"$ref": "#/$defs/Codec"},
        "minItems": 1,
        "allOf": [
            {"prefixItems": [{"not": is_data_type(&bytes)}]},
            {"contains": is_data_type(&to_bytes), "minContains": 0, "maxContains": 1},
            {"contains": {"not": is_data_type(&[bytes, arrays].concat())}},
        ],
    })
}
