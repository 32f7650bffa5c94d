//! Mutants of documents: rules that are not enforced, and valid documents that are refused.

mod data_types;
mod fixed_scale_offset;
mod groups;
mod others;
mod reading;
mod zfp;

use std::sync::Arc;

use serde_json::Value;

use super::{Mutant, NONE, Overrides};
use reading::{
    KNOWN_CODECS, KNOWN_MEMBERS, any_codec, codecs, is_float, is_hex, map_scalars, name, read,
};

pub(super) fn mutants() -> Vec<Mutant> {
    [
        plain(),
        data_types::mutants(),
        fixed_scale_offset::mutants(),
        groups::mutants(),
        others::mutants(),
        zfp::mutants(),
    ]
    .concat()
}

/// Returns a mutant that does not enforce a rule. Its name is `unchecked-` followed by the clause.
fn unchecked(name: &'static str, fault: &'static str) -> Mutant {
    let clause = name.trim_start_matches("unchecked-");
    let overrides = Overrides {
        lenient: Some(clause),
        ..NONE
    };
    super::mutant(name, clause, fault, overrides)
}

/// Returns a mutant that refuses valid documents.
fn refused(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    refuses: fn(&str) -> bool,
) -> Mutant {
    let overrides = Overrides {
        refuses: Some(Arc::new(refuses)),
        ..NONE
    };
    super::mutant(name, clause, fault, overrides)
}

/// Returns a mutant that refuses valid documents because of one of their codecs.
fn refused_codec(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    refuses: fn(&Value) -> bool,
) -> Mutant {
    let overrides = Overrides {
        refuses: Some(Arc::new(move |text| any_codec(text, refuses))),
        ..NONE
    };
    super::mutant(name, clause, fault, overrides)
}

/// Returns a member of a codec's configuration.
fn member<'a>(codec: &'a Value, key: &str) -> &'a Value {
    &codec["configuration"][key]
}

fn plain() -> Vec<Mutant> {
    [unchecked_codecs(), unchecked_values(), refused_documents()].concat()
}

#[rustfmt::skip] // A table.
fn unchecked_codecs() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-cast_value.configuration",
            "A missing configuration means an identity cast."),
        unchecked("unchecked-cast_value.configuration.keys",
            "Unknown keys are ignored (zarrita 0.7.5; zarr-python inside scalar_map)."),
        unchecked("unchecked-cast_value.data_type",
            "A missing or odd data_type passes the validator and fails on use."),
        unchecked("unchecked-cast_value.data_types",
            "Any data type is accepted, even complex64 and bool (the published JSON Schema)."),
        unchecked("unchecked-cast_value.rounding.values",
            "Any word is accepted and fails on use (zarrita 0.7.5)."),
        unchecked("unchecked-cast_value.out_of_range.values",
            "An unknown rule counts as absent (zarrita 0.7.5; cast-value 0.2.1 returns nothing at all)."),
        unchecked("unchecked-cast_value.range.wrap-integers-only",
            "wrap is accepted with a float data_type (zarrita 0.7.5, the published JSON Schema)."),
        unchecked("unchecked-cast_value.scalar_map.form",
            "Entries of another length and objects are accepted (zarrita 0.7.5 accepts three elements)."),
        unchecked("unchecked-cast_value.scalar_map.scalars",
            "Scalars are not checked against their types: 256 is stored as a uint8 (zarrita 0.7.5)."),
        unchecked("unchecked-scale_offset.configuration.keys",
            "Unknown keys are ignored, including those of the legacy codec."),
        super::mutant("unchecked-scale_offset.data_types", "chain.early",
            "Any data type is accepted, as numpy computes with any.",
            Overrides { lenient: Some("scale_offset.data_types"), ..NONE }),
        unchecked("unchecked-scale_offset.parameters",
            r#"Parameters are numbers of the host language: 0.1 for int16, true, "5" (zarr-python 3.3.0)."#,),
        unchecked("unchecked-scale_offset.scale.zero",
            "A scale of zero is accepted, at least if it is written as a string (zarr-python 3.3.0, zarrita 0.7.5)."),
        super::mutant("unchecked-chain.json", "chain.json",
            "A lenient JSON reader accepts comments, trailing commas and NaN (Python's json accepts NaN).",
            Overrides { lenient: Some("chain.json.grammar"), ..NONE }),
        super::mutant("left-open-json-taken", "chain.json",
            "Lone surrogates and a byte order mark are accepted (zarr-python 3.3.0, tensorstore).",
            Overrides { lenient: Some("chain.json"), ..NONE }),
        unchecked("unchecked-chain.json.duplicates",
            "Of repeated keys, the last one counts, as in most JSON readers."),
        unchecked("unchecked-chain.json.depth",
            "Nesting has no limit, and the stack of a recursive reader runs out."),
        unchecked("unchecked-chain.members",
            "Missing members have defaults, as in the second version of the format."),
        unchecked("unchecked-chain.members.unknown",
            "Unknown members are ignored."),
        unchecked("unchecked-chain.codec.form",
            "A codec of another kind is skipped."),
        unchecked("unchecked-chain.codec.must_understand",
            "must_understand is ignored on grids and key encodings (GDAL 3.12.2)."),
        unchecked("unchecked-chain.codec.optional",
            "must_understand of any JSON type is accepted, and ignored."),
        unchecked("unchecked-chain.members.integer",
            "4.0 is an integer, as many JSON readers have it (tensorstore)."),
        unchecked("unchecked-chain.extension.keys",
            "Unknown members of an extension are ignored (zarr-python 3.3.0)."),
        unchecked("unchecked-chain.codecs",
            "The kinds of codecs and their order are not checked."),
        unchecked("unchecked-chain.grid",
            "The chunk shape is not compared with the shape."),
        unchecked("unchecked-chain.size",
            "Products of extents wrap around and look small."),
        unchecked("unchecked-bytes.endian",
            "A missing endian is the machine's, or little (tensorstore)."),
        unchecked("unchecked-bytes.configuration",
            "Unknown keys are ignored, even misspelt ones."),
        unchecked("unchecked-packbits.configuration.keys",
            "Unknown keys are ignored: start_bit of the published schema is ignored."),
        unchecked("unchecked-packbits.padding_encoding",
            "An unknown padding encoding counts as none."),
        unchecked("unchecked-packbits.bits",
            "Strings and negative numbers count as the default."),
        unchecked("unchecked-packbits.bits.order",
            "A last bit below the first bit is noticed only when the first chunk is written."),
        unchecked("unchecked-packbits.bits.width",
            "Bits that the type does not have cause a panic (zarrs 0.23.14)."),
    ]
}

#[rustfmt::skip] // A table.
fn unchecked_values() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-fill_value.bool",
            "0 and 1 pass as booleans (zarr-python)."),
        unchecked("unchecked-fill_value.integer.lexical",
            "1.0 passes as an integer (tensorstore, zarr-python)."),
        unchecked("unchecked-fill_value.integer.range",
            "Integers out of range pass and wrap (zarrita 0.7.5)."),
        unchecked("unchecked-fill_value.float.names",
            "Other names of infinity and NaN pass (zarr-python 3.3.0)."),
        unchecked("unchecked-fill_value.float.hex",
            "Hex of any width passes (zarr-python, tensorstore)."),
        unchecked("unchecked-fill_value.float.kind",
            "null passes as a float: the type's default."),
        unchecked("unchecked-fill_value.complex",
            "A bare number passes as a complex one."),
        refused_codec("short-form-refused", "chain.codec.short-form",
            r#"A codec must be an object (zarr-python 3.3.0 "Expected dict", zarrita 0.7.5)."#,
            Value::is_string),
        refused_codec("must-understand-refused", "chain.codec.optional",
            "must_understand is an unknown key on a codec (the published JSON Schemas).",
            |codec| codec.get("must_understand").is_some()),
        refused_codec("optional-refused", "chain.codec.skipped",
            "An unknown codec is refused, regardless of must_understand (zarr-python 3.3.0, zarrita 0.7.5).",
            |codec| codec["name"] == "x.optional" && codec["must_understand"] == false),
        refused("escapes-refused", "chain.json.grammar",
            r"A reader without escapes: \u0061 is not an a.",
            |text| text.contains("\\u00")),
        unchecked("unchecked-chain.compressor.members",
            "Missing members of a compressor have the defaults of the library (numcodecs)."),
        unchecked("unchecked-chain.blosc",
            "The configuration of blosc is left to the library."),
        unchecked("unchecked-chain.blosc.others",
            "The name and the block size are left to the library."),
        refused_codec("highest-level-refused", "chain.gzip",
            "The range of levels ends before its last one.",
            |codec| codec["name"] == "gzip" && member(codec, "level") == 9),
        unchecked("unchecked-chain.zstd",
            "The configuration of zstd is left to the library."),
        unchecked("unchecked-chain.name",
            "Any text is the name of a codec that may exist somewhere."),
    ]
}

#[rustfmt::skip] // A table.
fn refused_documents() -> Vec<Mutant> {
    vec![
        refused("unknown-members-refused", "chain.members.unknown",
            "Unknown members are refused even with must_understand false.",
            |text| {
                let unknown = |key: &String| !KNOWN_MEMBERS.contains(&key.as_str());
                read(text)
                    .as_object()
                    .is_some_and(|members| members.keys().any(unknown))
            }),
        refused("attributes-read-recursively", "chain.json.depth",
            "attributes are read like everything else, by a recursive reader with a limit (serde_json).",
            |text| serde_json::from_str::<Value>(text).is_err()),
        refused("large-arrays-refused", "chain.size",
            "The size of the whole array is computed in 64 bits, although no program holds all of it.",
            |text| {
                let document = read(text);
                let mut extents = document["shape"].as_array().into_iter().flatten();
                let elements = extents.try_fold(1u64, |product, extent| {
                    product.checked_mul(extent.as_u64()?)
                });
                elements.is_none_or(|elements| elements >= 1 << 63)
            }),
        refused_codec("endian-always-needed", "bytes.endian",
            "endian is required even where it has no effect: for bytes of single-byte elements.",
            |codec| name(codec) == "bytes" && member(codec, "endian").is_null()),
        refused_codec("packbits-configuration-needed", "packbits.configuration",
            "packbits without a configuration is refused, as the published schema refuses its short form.",
            |codec| name(codec) == "packbits" && codec.get("configuration").is_none()),
        refused_codec("packbits-null-refused", "packbits.bits",
            "Null is not a bit.",
            |codec| {
                let is_null = |key| codec["configuration"].get(key) == Some(&Value::Null);
                name(codec) == "packbits" && (is_null("first_bit") || is_null("last_bit"))
            }),
        refused_codec("foreign-codecs-refused", "chain.foreign",
            "A codec that is not known makes the document invalid.",
            |codec| !KNOWN_CODECS.contains(&name(codec))),
        refused_codec("data-type-object-refused", "data_type.core-object",
            "data_type must be a string (zarr-python 3.3.0 AttributeError, zarrita 0.7.5).",
            |codec| name(codec) == "cast_value" && member(codec, "data_type").is_object()),
        refused_codec("hex-scalars-refused", "cast_value.scalar_map.scalars",
            "Hex is not a number for float(), so a map with it cannot be used (zarr-python 3.3.0).",
            |codec| map_scalars(codec).any(is_hex)),
        refused("wrap-judged-by-the-array-type", "cast_value.range.wrap-integers-only",
            "wrap is tested against the array's own type (zarr-python before #3938).",
            |text| {
                let document = read(text);
                let wraps = |codec: &&Value| {
                    name(codec) == "cast_value" && member(codec, "out_of_range") == "wrap"
                };
                is_float(&document["data_type"]) && codecs(&document).iter().any(wraps)
            }),
        refused_codec("scale-offset-needs-configuration", "scale_offset.configuration",
            "scale_offset without configuration is refused (zarrita 0.7.5 TypeError).",
            |codec| name(codec) == "scale_offset" && codec["configuration"].is_null()),
        refused_codec("non-finite-parameters-refused", "scale_offset.parameters.non-finite",
            "NaN and infinities are refused as parameters, because no array survives them.",
            |codec| {
                let text = |key| member(codec, key).is_string() && !is_hex(member(codec, key));
                name(codec) == "scale_offset" && (text("offset") || text("scale"))
            }),
    ]
}
