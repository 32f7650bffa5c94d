//! Mutants of documents: data types that are no numbers, and codecs and grids of the registry.

use super::*;

/// An array document of these members.
macro_rules! array {
    ($data_type:literal $fill_value:literal $codecs:literal) => {
        concat!(
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "#,
            $data_type,
            r#", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": "#,
            $fill_value,
            r#", "codecs": "#,
            $codecs,
            "}"
        )
    };
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        refused("no-numbers-refused", "data_type.others",
            "Data types that are no numbers are unknown.",
            r#"metadata.validate string "" ["vlen-utf8"]"#,
            |text| {
                let name = data_type(text);
                name == "string" || name == "bytes" || name.starts_with('r')
            }),
        unchecked("unchecked-data_type.raw",
            "Raw bits are cut down to whole bytes.",
            r#"metadata.validate r12 [0] ["bytes"]"#),
        refused("raw-bits-refused", "data_type.raw",
            "Of raw bits only r8 and r16 are known.",
            r#"metadata.validate r24 [0, 0, 0] ["bytes"]"#,
            |text| {
                let name = data_type(text);
                let bits = name.strip_prefix('r').and_then(|bits| bits.parse::<u32>().ok());
                bits.is_some_and(|bits| bits > 16)
            }),
        unchecked("unchecked-data_type.time",
            "The unit of times is handed to NumPy, which takes 0 for 1 and has words of its own.",
            array!(r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 0}}"# "0" r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#)),
        refused("micro-sign-refused", "data_type.time",
            "Units are words of ASCII letters: μs is none.",
            array!(r#"{"name": "numpy.datetime64", "configuration": {"unit": "μs", "scale_factor": 10}}"# "0" r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#),
            |text| read(text)["data_type"]["configuration"]["unit"] == "μs"),
        unchecked("unchecked-data_type.utf32",
            "The length of strings is divided by four, and the rest is forgotten.",
            array!(r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 10}}"# r#""""# r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#)),
        refused("long-strings-refused", "data_type.utf32",
            "Strings have a byte for their length.",
            array!(r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 4000}}"# r#""""# r#"[{"name": "bytes", "configuration": {"endian": "big"}}]"#),
            |text| read(text)["data_type"]["configuration"]["length_bytes"].as_u64() > Some(1024)),
        unchecked("unchecked-data_type.struct",
            "Fields are read into a map, in which the last of a name wins.",
            array!(r#"{"name": "struct", "configuration": {"fields": [{"name": "x", "data_type": "uint8"}, {"name": "x", "data_type": "uint8"}]}}"# r#"{"x": 0}"# r#"["bytes"]"#)),
        refused("nested-structs-refused", "data_type.struct",
            "The fields of a struct are numbers.",
            array!(r#"{"name": "struct", "configuration": {"fields": [{"name": "p", "data_type": {"name": "struct", "configuration": {"fields": [{"name": "x", "data_type": "uint8"}]}}}]}}"# r#"{"p": {"x": 0}}"# r#"["bytes"]"#),
            |text| {
                let document = read(text);
                let fields = &document["data_type"]["configuration"]["fields"];
                let mut fields = fields.as_array().into_iter().flatten();
                fields.any(|field| field["data_type"]["name"] == "struct")
            }),
        refused("pairs-refused", "data_type.structured",
            "The older form of fields is not read any more.",
            array!(r#"{"name": "structured", "configuration": {"fields": [["x", "uint8"]]}}"# r#"{"x": 0}"# r#"["bytes"]"#),
            |text| read(text)["data_type"]["configuration"]["fields"][0].is_array()),
        unchecked("unchecked-fill_value.string",
            "Whatever the fill value is, str() makes a string of it.",
            r#"metadata.validate string 0 ["vlen-utf8"]"#),
        refused("nan-is-no-string", "fill_value.string",
            "The names of floats are taken for floats before the data type is looked at.",
            r#"metadata.validate string "NaN" ["vlen-utf8"]"#,
            |text| data_type(text) == "string" && read(text)["fill_value"] == "NaN"),
        unchecked("unchecked-fill_value.bytes",
            "A decoder of base64 skips what it does not know.",
            r#"metadata.validate bytes "AQ?=" ["vlen-bytes"]"#),
        refused("lists-of-bytes-refused", "fill_value.bytes",
            "Bytes are written in base64 only.",
            r#"metadata.validate bytes [1, 2, 3] ["vlen-bytes"]"#,
            |text| data_type(text) == "bytes" && read(text)["fill_value"].is_array()),
        unchecked("unchecked-fill_value.utf32",
            "What is too long is cut off.",
            array!(r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 4}}"# r#""ab""# r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#)),
        refused("code-points-counted-as-bytes", "fill_value.utf32",
            "The length of a string is that of its UTF-8.",
            array!(r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 12}}"# r#""üöä""# r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#),
            |text| {
                let document = read(text);
                let bytes = document["data_type"]["configuration"]["length_bytes"].as_u64();
                let text = document["fill_value"].as_str();
                bytes.is_some_and(|bytes| text.is_some_and(|text| text.len() as u64 > bytes / 4))
            }),
        unchecked("unchecked-fill_value.time",
            "NumPy reads the fill value, dates and fractions among them.",
            array!(r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}}"# r#""1970-01-01""# r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#)),
        refused("nat-refused", "fill_value.time",
            "A fill value of integers is an integer.",
            array!(r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}}"# r#""NaT""# r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#),
            |text| read(text)["fill_value"] == "NaT"),
        unchecked("unchecked-fill_value.raw",
            "What a byte holds is not looked at.",
            r#"metadata.validate r16 [0, 256] ["bytes"]"#),
        refused("large-bytes-refused", "fill_value.raw",
            "Bytes have a sign.",
            r#"metadata.validate r16 [0, 255] ["bytes"]"#,
            |text| {
                let document = read(text);
                let mut bytes = document["fill_value"].as_array().into_iter().flatten();
                data_type(text).starts_with('r') && bytes.any(|byte| byte.as_u64() > Some(127))
            }),
        unchecked("unchecked-fill_value.raw.length",
            "Raw bits are filled up with zeros, or cut off.",
            r#"metadata.validate r16 [0] ["bytes"]"#),
        refused("bits-counted", "fill_value.raw.length",
            "A raw type has an integer for each bit, as the text counts.",
            r#"metadata.validate r16 [1, 2] ["bytes"]"#,
            |text| data_type(text) == "r16" && read(text)["fill_value"].as_array().is_some_and(|it| it.len() == 2)),
        unchecked("unchecked-fill_value.struct",
            "A field without a fill value has zero.",
            array!(r#"{"name": "struct", "configuration": {"fields": [{"name": "x", "data_type": "uint8"}]}}"# "{}" r#"["bytes"]"#)),
        refused("fields-in-order", "fill_value.struct",
            "The fill values of fields stand in the order of the fields.",
            array!(r#"{"name": "struct", "configuration": {"fields": [{"name": "x", "data_type": "uint8"}, {"name": "a", "data_type": "uint8"}]}}"# r#"{"a": 0, "x": 0}"# r#"["bytes"]"#),
            |text| text.contains(r#""fill_value":{"t":"#) || text.contains(r#""fill_value": {"a":"#)),
        unchecked("unchecked-fill_value.structured",
            "The bytes of a packed fill value are not counted.",
            array!(r#"{"name": "structured", "configuration": {"fields": [["x", "uint8"]]}}"# r#""AAAA""# r#"["bytes"]"#)),
        refused("packed-refused", "fill_value.structured",
            "Fill values of structs are objects only.",
            array!(r#"{"name": "structured", "configuration": {"fields": [["x", "uint8"]]}}"# r#""AA==""# r#"["bytes"]"#),
            |text| data_type(text) == "structured" && read(text)["fill_value"].is_string()),
        unchecked("unchecked-bytes.data_types",
            "bytes writes strings one after another.",
            r#"metadata.validate string "" ["bytes"]"#),
        refused("bytes-of-numbers-only", "bytes.data_types",
            "bytes is for numbers.",
            r#"metadata.validate r8 [0] ["bytes"]"#,
            |text| data_type(text).starts_with('r')),
        unchecked("unchecked-chain.vlen",
            "Codecs of strings are tried on whatever comes.",
            r#"metadata.validate uint8 0 ["vlen-utf8"]"#),
        refused_codec("vlen-refused", "chain.vlen",
            "Codecs of variable length are unknown.",
            r#"metadata.validate string "" ["vlen-utf8"]"#,
            |codec| name(codec).starts_with("vlen-")),
        unchecked("unchecked-chain.bitround",
            "No bits may be kept, as the published schema has it.",
            r#"metadata.validate float32 0 [{"name": "bitround", "configuration": {"keepbits": 0}}, little]"#),
        refused_codec("bitround-alias-refused", "chain.bitround",
            "The older name of bitround is another codec.",
            r#"metadata.validate float32 0 [{"name": "numcodecs.bitround", "configuration": {"keepbits": 1}}, little]"#,
            |codec| name(codec) == "numcodecs.bitround"),
        unchecked("unchecked-chain.n5",
            "Any list of codecs is that of an N5 block.",
            r#"metadata.validate uint8 0 [{"name": "n5_default", "configuration": {"codecs": ["bytes"]}}]"#),
        refused_codec("n5-compressors-refused", "chain.n5",
            "Blocks of N5 are raw.",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "v2", "configuration": {"separator": "/"}}, "fill_value": 0, "codecs": [{"name": "n5_default", "configuration": {"codecs": [{"name": "transpose", "configuration": {"order": [0]}}, "bytes", {"name": "gzip", "configuration": {"level": 1}}]}}]}"#,
            |codec| name(codec) == "n5_default" && !member(codec, "codecs")[2].is_null()),
        unchecked("unchecked-chain.n5.keys",
            "Blocks of N5 are looked for by the keys of any encoding.",
            r#"metadata.validate uint8 0 [{"name": "n5_default", "configuration": {"codecs": [{"name": "transpose", "configuration": {"order": [0]}}, "bytes"]}}]"#),
        refused("n5-in-shards-refused", "chain.n5.keys",
            "Wherever blocks of N5 stand, the keys of the array are theirs.",
            r#"metadata.validate uint8 0 [{"name": "sharding_indexed", "configuration": {"chunk_shape": [4], "codecs": [{"name": "n5_default", "configuration": {"codecs": [{"name": "transpose", "configuration": {"order": [0]}}, "bytes"]}}], "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]"#,
            |text| {
                let document = read(text);
                let is_n5 = |codec: &&Value| name(codec) == "n5_default";
                let inside = document["codecs"].as_array().is_some_and(|list| !list.iter().any(|codec| is_n5(&codec)));
                inside && codecs(&document).iter().any(is_n5)
            }),
        unchecked("unchecked-chain.conditional",
            "The codecs inside are of any kind.",
            r#"metadata.validate uint8 0 ["bytes", {"name": "conditional", "configuration": {"codecs": ["bytes"]}}]"#),
        refused_codec("header-bits-refused", "chain.conditional",
            "A header has as many bits as there are codecs.",
            r#"metadata.validate uint8 0 ["bytes", {"name": "conditional", "configuration": {"codecs": [], "header_bits": 8}}]"#,
            |codec| !member(codec, "header_bits").is_null()),
        unchecked("unchecked-chain.grid.rectilinear",
            "The lengths of chunks are summed up when a chunk is read.",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[1, 2]]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"]}"#),
        refused("lengths-beyond-refused", "chain.grid.rectilinear",
            "The lengths of chunks are exactly those of the array.",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[3, 3, 3]]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"]}"#,
            |text| {
                let document = read(text);
                let lengths = &document["chunk_grid"]["configuration"]["chunk_shapes"][0];
                let sum: Option<u64> = lengths.as_array().map(|all| all.iter().filter_map(Value::as_u64).sum());
                sum.is_some_and(|sum| Some(sum) > document["shape"][0].as_u64())
            }),
    ]
}

/// The name of a document's data type.
fn data_type(text: &str) -> String {
    name(&read(text)["data_type"]).to_owned()
}
