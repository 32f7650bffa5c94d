//! Mutants of documents: data types that are not numbers, and codecs and grids of the registry.

use super::*;

pub(super) fn mutants() -> Vec<Mutant> {
    [types_and_fill_values(), structures_and_codecs()].concat()
}

#[rustfmt::skip] // A table.
fn types_and_fill_values() -> Vec<Mutant> {
    vec![
        refused("no-numbers-refused", "data_type.others",
            "Data types that are not numbers are unknown.",
            |text| {
                let name = data_type(text);
                name == "string" || name == "bytes" || name.starts_with('r')
            }),
        unchecked("unchecked-data_type.raw",
            "Raw bits are cut down to whole bytes."),
        refused("raw-bits-refused", "data_type.raw",
            "Of raw bits only r8 and r16 are known.",
            |text| {
                let name = data_type(text);
                let bits = name.strip_prefix('r').and_then(|bits| bits.parse::<u32>().ok());
                bits.is_some_and(|bits| bits > 16)
            }),
        unchecked("unchecked-data_type.time",
            "The unit of times is passed to NumPy, which treats 0 as 1 and has additional words."),
        refused("micro-sign-refused", "data_type.time",
            "Units are words of ASCII letters: μs is not one.",
            |text| read(text)["data_type"]["configuration"]["unit"] == "μs"),
        unchecked("unchecked-data_type.utf32",
            "The length of strings is divided by four, and the rest is forgotten."),
        refused("long-strings-refused", "data_type.utf32",
            "Strings have a byte for their length.",
            |text| read(text)["data_type"]["configuration"]["length_bytes"].as_u64() > Some(1024)),
        unchecked("unchecked-data_type.struct",
            "Fields are read into a map, in which the last field of a name wins."),
        refused("nested-structs-refused", "data_type.struct",
            "The fields of a struct are numbers.",
            |text| {
                let document = read(text);
                let fields = &document["data_type"]["configuration"]["fields"];
                let mut fields = fields.as_array().into_iter().flatten();
                fields.any(|field| field["data_type"]["name"] == "struct")
            }),
        refused("pairs-refused", "data_type.structured",
            "The older form of fields is not read any more.",
            |text| read(text)["data_type"]["configuration"]["fields"][0].is_array()),
        unchecked("unchecked-fill_value.string",
            "Any fill value is turned into a string by str()."),
        refused("nan-is-no-string", "fill_value.string",
            "The names of floats are read as floats before the data type is considered.",
            |text| data_type(text) == "string" && read(text)["fill_value"] == "NaN"),
        unchecked("unchecked-fill_value.bytes",
            "A base64 decoder skips unknown characters."),
        refused("lists-of-bytes-refused", "fill_value.bytes",
            "Bytes are written in base64 only.",
            |text| data_type(text) == "bytes" && read(text)["fill_value"].is_array()),
        unchecked("unchecked-fill_value.utf32",
            "A value that is too long is truncated."),
        refused("code-points-counted-as-bytes", "fill_value.utf32",
            "The length of a string is that of its UTF-8.",
            |text| {
                let document = read(text);
                let bytes = document["data_type"]["configuration"]["length_bytes"].as_u64();
                let text = document["fill_value"].as_str();
                bytes.is_some_and(|bytes| text.is_some_and(|text| text.len() as u64 > bytes / 4))
            }),
        unchecked("unchecked-fill_value.time",
            "NumPy parses the fill value, and accepts dates and fractions."),
        refused("nat-refused", "fill_value.time",
            "A fill value of integers is an integer.",
            |text| read(text)["fill_value"] == "NaT"),
        unchecked("unchecked-fill_value.raw",
            "The values of bytes are not checked."),
        refused("large-bytes-refused", "fill_value.raw",
            "Bytes have a sign.",
            |text| {
                let document = read(text);
                let mut bytes = document["fill_value"].as_array().into_iter().flatten();
                data_type(text).starts_with('r') && bytes.any(|byte| byte.as_u64() > Some(127))
            }),
    ]
}

#[rustfmt::skip] // A table.
fn structures_and_codecs() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-fill_value.raw.length",
            "Raw bits are filled up with zeros, or cut off."),
        refused("bits-counted", "fill_value.raw.length",
            "A raw type has an integer for each bit, as the text counts.",
            |text| data_type(text) == "r16" && read(text)["fill_value"].as_array().is_some_and(|it| it.len() == 2)),
        unchecked("unchecked-fill_value.struct",
            "A field without a fill value has zero."),
        refused("fields-in-order", "fill_value.struct",
            "The fill values of fields are given in the order of the fields.",
            |text| text.contains(r#""fill_value":{"t":"#) || text.contains(r#""fill_value": {"a":"#)),
        unchecked("unchecked-fill_value.structured",
            "The bytes of a packed fill value are not counted."),
        refused("packed-refused", "fill_value.structured",
            "Fill values of structs are objects only.",
            |text| data_type(text) == "structured" && read(text)["fill_value"].is_string()),
        unchecked("unchecked-bytes.data_types",
            "bytes writes strings one after another."),
        refused("bytes-of-numbers-only", "bytes.data_types",
            "bytes is for numbers.",
            |text| data_type(text).starts_with('r')),
        unchecked("unchecked-chain.vlen",
            "Codecs for strings are applied to any data type."),
        refused_codec("vlen-refused", "chain.vlen",
            "Codecs of variable length are unknown.",
            |codec| name(codec).starts_with("vlen-")),
        unchecked("unchecked-bitround.keepbits",
            "Zero bits may be kept, as in the published schema."),
        unchecked("unchecked-bitround.data_types",
            "bool and strings are rounded, regardless of the meaning of their bits."),
        refused_codec("bitround-alias-refused", "bitround.keepbits",
            "The older name of bitround is another codec.",
            |codec| name(codec) == "numcodecs.bitround"),
        unchecked("unchecked-chain.n5",
            "Any list of codecs is that of an N5 block."),
        refused_codec("n5-compressors-refused", "chain.n5",
            "Blocks of N5 are raw.",
            |codec| name(codec) == "n5_default" && !member(codec, "codecs")[2].is_null()),
        unchecked("unchecked-chain.n5.keys",
            "Blocks of N5 are read with any chunk key encoding."),
        refused("n5-in-shards-refused", "chain.n5.keys",
            "The keys of the array must be those of N5 blocks, wherever the blocks are.",
            |text| {
                let document = read(text);
                let is_n5 = |codec: &&Value| name(codec) == "n5_default";
                let inside = document["codecs"].as_array().is_some_and(|list| !list.iter().any(|codec| is_n5(&codec)));
                inside && codecs(&document).iter().any(is_n5)
            }),
        unchecked("unchecked-chain.conditional",
            "The inner codecs may be of any kind."),
        refused_codec("header-bits-refused", "chain.conditional",
            "A header has as many bits as there are codecs.",
            |codec| !member(codec, "header_bits").is_null()),
        unchecked("unchecked-chain.grid.rectilinear",
            "The lengths of chunks are summed up when a chunk is read."),
        refused("lengths-beyond-refused", "chain.grid.rectilinear",
            "The lengths of chunks are exactly those of the array.",
            |text| {
                let document = read(text);
                let lengths = &document["chunk_grid"]["configuration"]["chunk_shapes"][0];
                let sum: Option<u64> = lengths.as_array().map(|all| all.iter().filter_map(Value::as_u64).sum());
                sum.is_some_and(|sum| Some(sum) > document["shape"][0].as_u64())
            }),
    ]
}

/// Returns the name of a document's data type.
fn data_type(text: &str) -> String {
    name(&read(text)["data_type"]).to_owned()
}
