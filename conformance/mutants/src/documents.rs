//! Mutants of documents: rules that are not enforced, and valid documents that are refused.

use exactum_conformance::{Fault, Outcome};
use serde_json::Value;

use super::{Mutant, Parts, RIGHT, Witness, Wrong, refuse};

/// `metadata.validate` with a mutant's faults.
pub(super) fn validate(wrong: &Wrong, parts: &Parts, kind: &str, document: &str) -> Outcome<()> {
    match exactum_conformance::validate(wrong, kind, document) {
        Err(Fault::Reject(rejection)) if Some(rejection.clause) == parts.lenient => Ok(()),
        Ok(()) if parts.refuses.is_some_and(|refuses| refuses(document)) => {
            Err(refuse("chain.members").into())
        }
        outcome => outcome,
    }
}

/// A rule that is not enforced.
macro_rules! unchecked {
    ($clause:literal, $fault:literal, $witness:expr) => {
        Mutant {
            name: concat!("unchecked-", $clause),
            breaks: &[$clause],
            fault: $fault,
            parts: Parts {
                lenient: Some($clause),
                ..RIGHT
            },
            witness: $witness,
        }
    };
}

const fn refused(
    name: &'static str,
    breaks: &'static [&'static str],
    refuses: fn(&str) -> bool,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            refuses: Some(refuses),
            ..RIGHT
        },
        witness,
    }
}

/// A document of one uint8 chunk with other members before its codecs.
macro_rules! document {
    ($members:literal) => {
        concat!(
            r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "#,
            $members,
            r#""codecs": ["bytes"]}"#
        )
    };
}

/// A codec list of one cast and little-endian bytes.
macro_rules! cast {
    ($codec:literal) => {
        concat!(
            "[",
            $codec,
            r#", {"name": "bytes", "configuration": {"endian": "little"}}]"#
        )
    };
}

// Behind the macros that it uses.
pub(super) mod data_types;
pub(super) mod legacy;
mod reading;

use reading::{
    KNOWN_CODECS, KNOWN_MEMBERS, any_codec, codecs, is_float, is_hex, map_scalars, name, read,
};

/// The mutants of this file.
pub(super) const MUTANTS: &[Mutant] = &[
    unchecked!(
        "cast_value.configuration",
        "A missing configuration means an identity cast.",
        Witness::Codecs("uint8", "0", r#"["cast_value", "bytes"]"#)
    ),
    unchecked!(
        "cast_value.configuration.keys",
        "Unknown keys are ignored (zarrita 0.7.5; zarr-python inside scalar_map).",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "int16", "roundng": "towards-zero"}}"#
            )
        )
    ),
    unchecked!(
        "cast_value.data_type",
        "A missing or odd data_type passes the validator and fails on use.",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(r#"{"name": "cast_value", "configuration": {"data_type": 8}}"#)
        )
    ),
    unchecked!(
        "cast_value.data_types",
        "Any data type is taken, complex64 and bool too (the published JSON Schema).",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(r#"{"name": "cast_value", "configuration": {"data_type": "complex64"}}"#)
        )
    ),
    unchecked!(
        "cast_value.rounding.values",
        "Any word is taken and fails on use (zarrita 0.7.5).",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "int16", "rounding": "banana"}}"#
            )
        )
    ),
    unchecked!(
        "cast_value.out_of_range.values",
        "An unknown rule counts as absent (zarrita 0.7.5; cast-value 0.2.1 returns nothing at all).",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "int16", "out_of_range": "error"}}"#
            )
        )
    ),
    unchecked!(
        "cast_value.range.wrap-integers-only",
        "wrap is taken beside a float data_type (zarrita 0.7.5, the published JSON Schema).",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "float32", "out_of_range": "wrap"}}"#
            )
        )
    ),
    unchecked!(
        "cast_value.scalar_map.form",
        "Entries of another length and objects are taken (zarrita 0.7.5 takes three elements).",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "int16", "scalar_map": {"encode": [[1, 2, 3]]}}}"#
            )
        )
    ),
    unchecked!(
        "cast_value.scalar_map.scalars",
        "Scalars are not checked against their types: 256 is stored as a uint8 (zarrita 0.7.5).",
        Witness::Codecs(
            "int16",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "uint8", "scalar_map": {"encode": [[1, 256]]}}}"#
            )
        )
    ),
    unchecked!(
        "scale_offset.configuration.keys",
        "Unknown keys are ignored, those of the legacy codec among them.",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(r#"{"name": "scale_offset", "configuration": {"offset": 1, "astype": "uint8"}}"#)
        )
    ),
    unchecked!(
        "scale_offset.data_types",
        "Any data type is taken, as numpy computes with any.",
        Witness::Codecs("complex64", "[0, 0]", cast!(r#""scale_offset""#))
    ),
    unchecked!(
        "scale_offset.parameters",
        "Parameters are numbers of the host language: 0.1 for int16, true, \"5\" (zarr-python 3.3.0).",
        Witness::Codecs(
            "int16",
            "0",
            cast!(r#"{"name": "scale_offset", "configuration": {"offset": 0.1}}"#)
        )
    ),
    unchecked!(
        "scale_offset.scale.zero",
        "A scale of zero is taken, spelled as a string at least (zarr-python 3.3.0, zarrita 0.7.5).",
        Witness::Codecs(
            "float32",
            "0",
            cast!(r#"{"name": "scale_offset", "configuration": {"scale": 0}}"#)
        )
    ),
    unchecked!(
        "chain.json",
        "A lenient JSON reader: comments, trailing commas, NaN (Python's json takes NaN).",
        Witness::Document(document!(r#""attributes": {"a": 1,}, "#))
    ),
    unchecked!(
        "chain.json.duplicates",
        "The last of repeated keys is taken, as most JSON readers do.",
        Witness::Document(document!(r#""node_type": "array", "#))
    ),
    unchecked!(
        "chain.json.depth",
        "Nesting has no limit, and the stack of a recursive reader runs out.",
        Witness::Document(document!(
            r#""extra": {"must_understand": false, "a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}, "#
        ))
    ),
    unchecked!(
        "chain.members",
        "Missing members have defaults, as in the second version of the format.",
        Witness::Document(
            r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "codecs": ["bytes"]}"#
        )
    ),
    unchecked!(
        "chain.members.unknown",
        "Unknown members are ignored.",
        Witness::Document(document!(r#""order": "C", "#))
    ),
    unchecked!(
        "chain.codec.form",
        "A codec of another kind is skipped.",
        Witness::Codecs("uint8", "0", r#"[7, "bytes"]"#)
    ),
    unchecked!(
        "chain.codec.must_understand",
        "must_understand of any kind is taken, and ignored.",
        Witness::Codecs("uint8", "0", r#"[{"name": "bytes", "must_understand": 1}]"#)
    ),
    unchecked!(
        "chain.codecs",
        "The kinds of codecs and their order are not looked at.",
        Witness::Codecs("uint8", "0", r#"["bytes", "bytes"]"#)
    ),
    unchecked!(
        "chain.grid",
        "The chunk shape is not compared with the shape.",
        Witness::Document(
            r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [0]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"]}"#
        )
    ),
    unchecked!(
        "chain.size",
        "Products of extents wrap around and look small.",
        Witness::Document(
            r#"{"zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "uint8", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4294967296, 4294967296]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"]}"#
        )
    ),
    unchecked!(
        "bytes.endian",
        "A missing endian is the machine's, or little (tensorstore).",
        Witness::Codecs("int16", "0", r#"["bytes"]"#)
    ),
    unchecked!(
        "bytes.configuration",
        "Keys that nobody knows are passed over, and a misspelt one with them.",
        Witness::Codecs(
            "int16",
            "0",
            r#"[{"name":"bytes","configuration":{"endian":"big","order":"C"}}]"#
        )
    ),
    unchecked!(
        "packbits.configuration.keys",
        "Keys that nobody knows are passed over: start_bit of the published schema is ignored.",
        Witness::Codecs(
            "uint8",
            "0",
            r#"[{"name":"packbits","configuration":{"start_bit":1}}]"#
        )
    ),
    unchecked!(
        "packbits.padding_encoding",
        "Whatever is not known as a padding encoding is none.",
        Witness::Codecs(
            "uint8",
            "0",
            r#"[{"name":"packbits","configuration":{"padding_encoding":null}}]"#
        )
    ),
    unchecked!(
        "packbits.bits",
        "Texts and negative numbers are taken for the default.",
        Witness::Codecs(
            "uint8",
            "0",
            r#"[{"name":"packbits","configuration":{"first_bit":-1}}]"#
        )
    ),
    unchecked!(
        "packbits.bits.order",
        "A last bit below the first is found when the first chunk is written.",
        Witness::Codecs(
            "uint8",
            "0",
            r#"[{"name":"packbits","configuration":{"first_bit":2,"last_bit":1}}]"#
        )
    ),
    unchecked!(
        "packbits.bits.width",
        "Bits that the type does not have are found by a panic (zarrs 0.23.14).",
        Witness::Codecs(
            "uint4",
            "0",
            r#"[{"name":"packbits","configuration":{"last_bit":4}}]"#
        )
    ),
    unchecked!(
        "fill_value.bool",
        "0 and 1 pass as booleans (zarr-python).",
        Witness::Codecs("bool", "1", r#"["bytes"]"#)
    ),
    unchecked!(
        "fill_value.integer.lexical",
        "1.0 passes as an integer (tensorstore, zarr-python).",
        Witness::Codecs("uint8", "1.0", r#"["bytes"]"#)
    ),
    unchecked!(
        "fill_value.integer.range",
        "Integers out of range pass and wrap (zarrita 0.7.5).",
        Witness::Codecs("uint8", "256", r#"["bytes"]"#)
    ),
    unchecked!(
        "fill_value.float.names",
        "Other names of infinity and NaN pass (zarr-python 3.3.0).",
        Witness::Codecs("float32", "\"+Infinity\"", LITTLE)
    ),
    unchecked!(
        "fill_value.float.hex",
        "Hex of any width passes (zarr-python, tensorstore).",
        Witness::Codecs("float32", "\"0x3fc0\"", LITTLE)
    ),
    unchecked!(
        "fill_value.float.kind",
        "null passes as a float: the type's default.",
        Witness::Codecs("float32", "null", LITTLE)
    ),
    unchecked!(
        "fill_value.complex",
        "A bare number passes as a complex one.",
        Witness::Codecs("complex64", "1", LITTLE)
    ),
    refused(
        "short-form-refused",
        &["chain.codec.form"],
        |text| any_codec(text, Value::is_string),
        "A codec must be an object (zarr-python 3.3.0 \"Expected dict\", zarrita 0.7.5).",
        Witness::Codecs("uint8", "0", r#"["bytes"]"#),
    ),
    refused(
        "must-understand-refused",
        &["chain.codec.must_understand"],
        |text| any_codec(text, |codec| codec.get("must_understand").is_some()),
        "must_understand is an unknown key on a codec (the published JSON Schemas).",
        Witness::Codecs(
            "uint8",
            "0",
            r#"[{"name": "bytes", "must_understand": false}]"#,
        ),
    ),
    refused(
        "unknown-members-refused",
        &["chain.members.unknown"],
        |text| {
            read(text).as_object().is_some_and(|members| {
                members
                    .keys()
                    .any(|key| !KNOWN_MEMBERS.contains(&key.as_str()))
            })
        },
        "Unknown members are refused even with must_understand false.",
        Witness::Document(document!(r#""extra": {"must_understand": false}, "#)),
    ),
    refused(
        "attributes-read-recursively",
        &["chain.json.depth"],
        |text| serde_json::from_str::<Value>(text).is_err(),
        "attributes are read like everything else, by a recursive reader with a limit (serde_json).",
        Witness::Document(document!(
            r#""attributes": {"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}, "#
        )),
    ),
    refused(
        "large-arrays-refused",
        &["chain.size"],
        |text| {
            let shape = read(text)["shape"].clone();
            let elements = shape
                .as_array()
                .into_iter()
                .flatten()
                .try_fold(1u64, |product, extent| {
                    product.checked_mul(extent.as_u64()?)
                });
            elements.is_none_or(|elements| elements >= 1 << 63)
        },
        "The size of the whole array is computed in 64 bits, although nobody holds it whole.",
        Witness::Document(
            r#"{"zarr_format": 3, "node_type": "array", "shape": [4294967296, 4294967296], "data_type": "uint8", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"]}"#,
        ),
    ),
    refused(
        "endian-always-needed",
        &["bytes.endian"],
        |text| {
            any_codec(text, |codec| {
                name(codec) == "bytes" && codec["configuration"]["endian"].is_null()
            })
        },
        "endian is asked for where it says nothing: bytes of single-byte elements.",
        Witness::Codecs("uint8", "0", r#"["bytes"]"#),
    ),
    refused(
        "packbits-configuration-needed",
        &["packbits.configuration"],
        |text| {
            any_codec(text, |codec| {
                name(codec) == "packbits" && codec.get("configuration").is_none()
            })
        },
        "packbits without a configuration is refused, as the published schema refuses its short form.",
        Witness::Codecs("uint8", "0", r#"["packbits"]"#),
    ),
    refused(
        "packbits-null-refused",
        &["packbits.bits"],
        |text| {
            any_codec(text, |codec| {
                name(codec) == "packbits"
                    && ["first_bit", "last_bit"]
                        .iter()
                        .any(|key| codec["configuration"].get(key) == Some(&Value::Null))
            })
        },
        "Null is no bit.",
        Witness::Codecs(
            "uint8",
            "0",
            r#"[{"name":"packbits","configuration":{"first_bit":null}}]"#,
        ),
    ),
    refused(
        "foreign-codecs-refused",
        &["chain.foreign"],
        |text| any_codec(text, |codec| !KNOWN_CODECS.contains(&name(codec))),
        "A codec that is not known makes the document invalid.",
        Witness::Codecs("uint8", "0", r#"["bytes", {"name": "example.lzma"}]"#),
    ),
    refused(
        "data-type-object-refused",
        &["cast_value.data_type"],
        |text| {
            any_codec(text, |codec| {
                name(codec) == "cast_value" && codec["configuration"]["data_type"].is_object()
            })
        },
        "data_type must be a string (zarr-python 3.3.0 AttributeError, zarrita 0.7.5).",
        Witness::Codecs(
            "uint8",
            "0",
            cast!(r#"{"name": "cast_value", "configuration": {"data_type": {"name": "int16"}}}"#),
        ),
    ),
    refused(
        "hex-scalars-refused",
        &["cast_value.scalar_map.scalars"],
        |text| any_codec(text, |codec| map_scalars(codec).any(is_hex)),
        "Hex is no number for float(), so a map with it cannot be used (zarr-python 3.3.0).",
        Witness::Codecs(
            "float32",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "float64", "scalar_map": {"encode": [["0x7fc00001", 0.0]]}}}"#
            ),
        ),
    ),
    refused(
        "wrap-judged-by-the-array-type",
        &["cast_value.range.wrap-integers-only"],
        |text| {
            let document = read(text);
            let wraps = |codec: &&Value| {
                name(codec) == "cast_value" && codec["configuration"]["out_of_range"] == "wrap"
            };
            is_float(&document["data_type"]) && codecs(&document).iter().any(wraps)
        },
        "wrap is tested against the array's own type (zarr-python before #3938).",
        Witness::Codecs(
            "float32",
            "0",
            cast!(
                r#"{"name": "cast_value", "configuration": {"data_type": "int16", "out_of_range": "wrap"}}"#
            ),
        ),
    ),
    refused(
        "scale-offset-needs-configuration",
        &["scale_offset.configuration"],
        |text| {
            any_codec(text, |codec| {
                name(codec) == "scale_offset" && codec["configuration"].is_null()
            })
        },
        "scale_offset without configuration is refused (zarrita 0.7.5 TypeError).",
        Witness::Codecs("uint8", "0", r#"["scale_offset", "bytes"]"#),
    ),
    refused(
        "non-finite-parameters-refused",
        &["scale_offset.parameters.non-finite"],
        |text| {
            any_codec(text, |codec| {
                let parameters = &codec["configuration"];
                name(codec) == "scale_offset"
                    && [&parameters["offset"], &parameters["scale"]]
                        .iter()
                        .any(|parameter| parameter.is_string() && !is_hex(parameter))
            })
        },
        "NaN and infinities are refused as parameters: no array comes back from them.",
        Witness::Codecs(
            "float32",
            "0",
            cast!(r#"{"name": "scale_offset", "configuration": {"offset": "NaN"}}"#),
        ),
    ),
];

/// Little-endian bytes.
const LITTLE: &str = r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#;
