//! Documents with `cast_value` and `scale_offset`.

use super::{Group, array};

/// float64 elements through a `cast_value` of this configuration to single bytes.
fn cast(configuration: &str) -> String {
    cast_of("float64", "0", configuration)
}

fn cast_of(data_type: &str, fill_value: &str, configuration: &str) -> String {
    let codecs = format!(
        r#"[{{"name":"cast_value","configuration":{configuration}}},{{"name":"bytes","configuration":{{"endian":"little"}}}}]"#
    );
    array(data_type, fill_value, &codecs)
}

/// A whole codec before `bytes`.
fn codec(data_type: &str, fill_value: &str, codec: &str) -> String {
    let codecs = format!(r#"[{codec},{{"name":"bytes","configuration":{{"endian":"little"}}}}]"#);
    array(data_type, fill_value, &codecs)
}

pub(super) fn cast_value() -> Vec<Group> {
    [forms(), words(), maps(), fills()].concat()
}

fn forms() -> Vec<Group> {
    vec![
        Group::must("configuration", "cast_value.configuration")
            .accept("object", cast(r#"{"data_type":"uint8"}"#))
            .reject("short-form", codec("float64", "0", "\"cast_value\""))
            .reject("no-configuration", codec("float64", "0", r#"{"name":"cast_value"}"#))
            .reject(
                "no-configuration-must-understand",
                codec("float64", "0", r#"{"name":"cast_value","must_understand":true}"#),
            ),
        Group::must("configuration-kind", "cast_value.configuration")
            .by("chain.codec.form")
            .reject("null", cast("null"))
            .reject("list", cast(r#"["uint8"]"#))
            .reject("string", cast("\"uint8\"")),
        Group::must("keys", "cast_value.configuration.keys")
            .accept(
                "all",
                cast(r#"{"scalar_map":{"decode":[],"encode":[]},"out_of_range":"clamp","rounding":"nearest-away","data_type":"uint8"}"#),
            )
            .accept("empty-map", cast(r#"{"data_type":"uint8","scalar_map":{}}"#))
            .reject_all(
                &[
                    ("misspelled", r#"{"data_type":"uint8","roundng":"towards-zero"}"#),
                    ("other-case", r#"{"data_type":"uint8","Rounding":"towards-zero"}"#),
                    ("foreign", r#"{"data_type":"uint8","scale":1}"#),
                    ("null-value", r#"{"data_type":"uint8","x":null}"#),
                    ("empty-key", r#"{"data_type":"uint8","":0}"#),
                    ("in-the-map", r#"{"data_type":"uint8","scalar_map":{"encode":[],"both":[]}}"#),
                    ("in-the-map-other-case", r#"{"data_type":"uint8","scalar_map":{"Decode":[]}}"#),
                ],
                cast,
            ),
        Group::must("data-type", "cast_value.data_type")
            .accept("name", cast(r#"{"data_type":"uint8"}"#))
            .accept("object", cast(r#"{"data_type":{"name":"uint8"}}"#))
            .accept("object-with-configuration", cast(r#"{"data_type":{"name":"uint8","configuration":{}}}"#))
            .reject_all(
                &[
                    ("missing", "{}"),
                    ("missing-beside-others", r#"{"rounding":"towards-zero"}"#),
                    ("null", r#"{"data_type":null}"#),
                    ("number", r#"{"data_type":8}"#),
                    ("list", r#"{"data_type":["uint8"]}"#),
                    ("object-without-name", r#"{"data_type":{}}"#),
                    ("object-with-number", r#"{"data_type":{"name":8}}"#),
                    ("object-with-other-key", r#"{"data_type":{"name":"uint8","bits":8}}"#),
                ],
                cast,
            ),
        Group::must("data-types", "cast_value.data_types")
            .accept("int64", cast(r#"{"data_type":"int64"}"#))
            .accept("float16", cast(r#"{"data_type":"float16"}"#))
            .accept("uint4", cast(r#"{"data_type":"uint4"}"#))
            .accept("float8", cast(r#"{"data_type":"float8_e4m3fnuz"}"#))
            .accept("of-int4", cast_of("int4", "-8", r#"{"data_type":"int8"}"#))
            .reject_all(
                &[
                    ("bool", r#"{"data_type":"bool"}"#),
                    ("complex64", r#"{"data_type":"complex64"}"#),
                    ("complex128", r#"{"data_type":"complex128"}"#),
                    ("raw", r#"{"data_type":"r8"}"#),
                    ("string", r#"{"data_type":"string"}"#),
                    ("unknown", r#"{"data_type":"uint7"}"#),
                    ("other-case", r#"{"data_type":"Uint8"}"#),
                    ("numpy", r#"{"data_type":"|u1"}"#),
                ],
                cast,
            )
            .reject("of-bool", cast_of("bool", "true", r#"{"data_type":"uint8"}"#))
            .reject("of-complex64", cast_of("complex64", "[0,0]", r#"{"data_type":"float32"}"#))
            .reject("of-complex64-to-itself", cast_of("complex64", "[0,0]", r#"{"data_type":"complex64"}"#)),
    ]
}

fn words() -> Vec<Group> {
    let modes = [
        (
            "nearest-even",
            r#"{"data_type":"uint8","rounding":"nearest-even"}"#,
        ),
        (
            "towards-zero",
            r#"{"data_type":"uint8","rounding":"towards-zero"}"#,
        ),
        (
            "towards-positive",
            r#"{"data_type":"uint8","rounding":"towards-positive"}"#,
        ),
        (
            "towards-negative",
            r#"{"data_type":"uint8","rounding":"towards-negative"}"#,
        ),
        (
            "nearest-away",
            r#"{"data_type":"uint8","rounding":"nearest-away"}"#,
        ),
    ];
    vec![
        Group::must("rounding", "cast_value.rounding.values")
            .accept_all(&modes, cast)
            .reject_all(
                &[
                    ("unknown", r#"{"data_type":"uint8","rounding":"banana"}"#),
                    ("nearest", r#"{"data_type":"uint8","rounding":"nearest"}"#),
                    (
                        "underscore",
                        r#"{"data_type":"uint8","rounding":"nearest_even"}"#,
                    ),
                    (
                        "other-case",
                        r#"{"data_type":"uint8","rounding":"Nearest-Even"}"#,
                    ),
                    ("empty", r#"{"data_type":"uint8","rounding":""}"#),
                    ("null", r#"{"data_type":"uint8","rounding":null}"#),
                    ("number", r#"{"data_type":"uint8","rounding":0}"#),
                ],
                cast,
            ),
        Group::must("out-of-range", "cast_value.out_of_range.values")
            .accept(
                "clamp",
                cast(r#"{"data_type":"uint8","out_of_range":"clamp"}"#),
            )
            .accept(
                "wrap",
                cast(r#"{"data_type":"uint8","out_of_range":"wrap"}"#),
            )
            .accept(
                "clamp-into-float",
                cast(r#"{"data_type":"float16","out_of_range":"clamp"}"#),
            )
            .reject_all(
                &[
                    ("error", r#"{"data_type":"uint8","out_of_range":"error"}"#),
                    (
                        "saturate",
                        r#"{"data_type":"uint8","out_of_range":"saturate"}"#,
                    ),
                    (
                        "other-case",
                        r#"{"data_type":"uint8","out_of_range":"Clamp"}"#,
                    ),
                    ("null", r#"{"data_type":"uint8","out_of_range":null}"#),
                    ("boolean", r#"{"data_type":"uint8","out_of_range":false}"#),
                ],
                cast,
            ),
        Group::must("wrap", "cast_value.range.wrap-integers-only")
            .accept(
                "float-to-int8",
                cast(r#"{"data_type":"int8","out_of_range":"wrap"}"#),
            )
            .accept(
                "float-to-uint64",
                cast(r#"{"data_type":"uint64","out_of_range":"wrap"}"#),
            )
            .accept(
                "integer-to-uint8",
                cast_of(
                    "int32",
                    "0",
                    r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
                ),
            )
            .reject_all(
                &[
                    (
                        "float16",
                        r#"{"data_type":"float16","out_of_range":"wrap"}"#,
                    ),
                    (
                        "float32",
                        r#"{"data_type":"float32","out_of_range":"wrap"}"#,
                    ),
                    (
                        "float64",
                        r#"{"data_type":"float64","out_of_range":"wrap"}"#,
                    ),
                    (
                        "float8",
                        r#"{"data_type":"float8_e5m2","out_of_range":"wrap"}"#,
                    ),
                ],
                cast,
            )
            .reject(
                "of-an-integer",
                cast_of(
                    "int32",
                    "0",
                    r#"{"data_type":"float32","out_of_range":"wrap"}"#,
                ),
            ),
    ]
}

fn maps() -> Vec<Group> {
    let map = |map: &str| cast(&format!(r#"{{"data_type":"uint8","scalar_map":{map}}}"#));
    vec![
        Group::must("map-form", "cast_value.scalar_map.form")
            .accept("empty", map("{}"))
            .accept("empty-lists", map(r#"{"encode":[],"decode":[]}"#))
            .accept("encode", map(r#"{"encode":[["NaN",0]]}"#))
            .accept("decode", map(r#"{"decode":[[255,"NaN"]]}"#))
            .accept("repeated-key", map(r#"{"encode":[["NaN",0],["NaN",1]]}"#))
            .reject_all(
                &[
                    ("null", "null"),
                    ("list", r#"[["NaN",0]]"#),
                    ("object-of-objects", r#"{"encode":{"NaN":0}}"#),
                    ("null-list", r#"{"encode":null}"#),
                    ("flat", r#"{"encode":["NaN",0]}"#),
                    ("one-element", r#"{"encode":[["NaN"]]}"#),
                    ("three-elements", r#"{"encode":[["NaN",0,1]]}"#),
                    ("empty-entry", r#"{"decode":[[]]}"#),
                    ("object-entry", r#"{"decode":[{"input":0,"output":"NaN"}]}"#),
                ],
                map,
            ),
        Group::must("map-scalars", "cast_value.scalar_map.scalars")
            .accept("names", map(r#"{"encode":[["NaN",0],["Infinity",1],["-Infinity",2]]}"#))
            .accept("hex", map(r#"{"encode":[["0x7ff8000000000001",0]],"decode":[[255,"0xfff8000000000000"]]}"#))
            .accept("numbers", map(r#"{"encode":[[-1.5e3,0],[300,255]],"decode":[[255,-0.5]]}"#))
            .accept(
                "beyond-2-53",
                cast_of("int64", "0", r#"{"data_type":"uint8","scalar_map":{"encode":[[9007199254740993,1]]}}"#),
            )
            .reject_all(
                &[
                    ("plus-infinity", r#"{"encode":[["NaN",0],["+Infinity",0]]}"#),
                    ("output-above", r#"{"encode":[["NaN",256]]}"#),
                    ("output-below", r#"{"encode":[["NaN",-1]]}"#),
                    ("output-fraction", r#"{"encode":[["NaN",0.5]]}"#),
                    ("output-integral-fraction", r#"{"encode":[["NaN",0.0]]}"#),
                    ("output-nan", r#"{"encode":[["NaN","NaN"]]}"#),
                    ("output-null", r#"{"encode":[["NaN",null]]}"#),
                    ("key-null", r#"{"encode":[[null,0]]}"#),
                    ("key-boolean", r#"{"encode":[[true,0]]}"#),
                    ("key-number-in-a-string", r#"{"encode":[["1.5",0]]}"#),
                    ("key-hex-of-another-width", r#"{"encode":[["0x7fc00000",0]]}"#),
                    ("decode-key-above", r#"{"decode":[[256,"NaN"]]}"#),
                    ("decode-key-nan", r#"{"decode":[["NaN",0]]}"#),
                    ("decode-output-hex-of-another-width", r#"{"decode":[[0,"0x7fc00000"]]}"#),
                    ("second-entry", r#"{"decode":[[0,"NaN"],[1,"nan"]]}"#),
                ],
                map,
            )
            .reject(
                "key-fraction-of-an-integer",
                cast_of("int16", "0", r#"{"data_type":"uint8","scalar_map":{"encode":[[0.5,0]]}}"#),
            )
            .reject(
                "key-above-an-integer",
                cast_of("int16", "0", r#"{"data_type":"uint8","scalar_map":{"encode":[[32768,0]]}}"#),
            ),
    ]
}

/// A float64 fill value wrapped into int8, mapped back on the way home, and then cast to uint8.
fn wrapped_twice(fill_value: &str) -> String {
    let back = |wrapped: &str| {
        format!(
            r#"{{"data_type":"int8","out_of_range":"wrap","scalar_map":{{"decode":[[{wrapped},{fill_value}]]}}}}"#
        )
    };
    let first = back(match fill_value {
        "200" => "-56",
        "300" => "44",
        _ => "0",
    });
    let codecs = format!(
        r#"[{{"name":"cast_value","configuration":{first}}},{{"name":"cast_value","configuration":{{"data_type":"uint8"}}}},{{"name":"bytes"}}]"#
    );
    array("float64", fill_value, &codecs)
}

fn fills() -> Vec<Group> {
    let uint8 = r#"{"data_type":"uint8"}"#;
    let clamp = r#"{"data_type":"uint8","out_of_range":"clamp"}"#;
    let one_way = r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#;
    let both_ways =
        r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]],"decode":[[0,"NaN"]]}}"#;
    vec![
        Group::must("fill-cast", "cast_value.fill.cast")
            .accept("exact", cast_of("float64", "7", uint8))
            .accept("mapped", cast_of("float64", "\"NaN\"", both_ways))
            .reject("above", cast_of("float64", "300", uint8))
            .reject("nan", cast_of("float64", "\"NaN\"", uint8))
            .reject("infinity-clamp", cast_of("float64", "\"Infinity\"", clamp)),
        // A second cast shows what the first one made of the fill value.
        Group::must("fill-wrapped", "cast_value.fill.cast")
            .also("cast_value.range.wrap")
            .accept("far-above", wrapped_twice("1152921504606846976"))
            .accept("farther-above", wrapped_twice("9.0e30"))
            .accept("far-below", wrapped_twice("-1152921504606846976"))
            .accept("above", wrapped_twice("300"))
            .reject("above-wrapped-below-zero", wrapped_twice("200")),
        Group::must("fill-survives", "cast_value.fill.survives")
            .accept("exact", cast_of("float64", "255", clamp))
            .reject("fraction", cast_of("float64", "1.5", uint8))
            .reject("clamped", cast_of("float64", "300", clamp))
            .reject("nan-one-way", cast_of("float64", "\"NaN\"", one_way))
            .reject(
                "tenth",
                cast_of("float64", "0.1", r#"{"data_type":"float32"}"#),
            ),
        Group::ruling("fill-by-value", "cast_value.fill.by-value")
            .accept("negative-zero", cast_of("float64", "-0.0", uint8))
            .accept(
                "payload",
                cast_of(
                    "float64",
                    "\"0x7ff8000000000001\"",
                    r#"{"data_type":"float32"}"#,
                ),
            ),
    ]
}

pub(super) fn scale_offset() -> Vec<Group> {
    let scaled = |data_type: &str, fill: &str, configuration: &str| {
        codec(
            data_type,
            fill,
            &format!(r#"{{"name":"scale_offset","configuration":{configuration}}}"#),
        )
    };
    let int16 = |configuration: &str| scaled("int16", "7", configuration);
    let float32 = |configuration: &str| scaled("float32", "7", configuration);
    vec![
        Group::must("configuration", "scale_offset.configuration")
            .accept("short-form", codec("int16", "7", "\"scale_offset\""))
            .accept("no-configuration", codec("int16", "7", r#"{"name":"scale_offset"}"#))
            .accept("empty", int16("{}"))
            .accept("offset", int16(r#"{"offset":5}"#))
            .accept("scale", int16(r#"{"scale":5}"#))
            .accept("both", int16(r#"{"scale":5,"offset":5}"#)),
        Group::must("configuration-kind", "scale_offset.configuration")
            .by("chain.codec.form")
            .reject_all(&[("null", "null"), ("number", "5"), ("list", "[5,1]"), ("boolean", "true")], int16),
        Group::must("keys", "scale_offset.configuration.keys")
            .accept("both", float32(r#"{"offset":5,"scale":0.1}"#))
            .reject_all(
                &[
                    ("dtype", r#"{"offset":5,"scale":1,"dtype":"<f4"}"#),
                    ("astype", r#"{"offset":5,"scale":1,"astype":"|u1"}"#),
                    ("data-type", r#"{"offset":5,"data_type":"uint8"}"#),
                    ("other-case", r#"{"Scale":1}"#),
                    ("misspelled", r#"{"ofset":5}"#),
                    ("null-value", r#"{"x":null}"#),
                    ("empty-key", r#"{"":0}"#),
                ],
                float32,
            ),
        Group::must("data-types", "scale_offset.data_types")
            .accept("int16", int16("{}"))
            .accept("float16", scaled("float16", "7", r#"{"scale":0.5}"#))
            .accept("uint2", scaled("uint2", "3", r#"{"offset":1}"#))
            .reject("bool", scaled("bool", "true", "{}"))
            .reject("bool-short-form", codec("bool", "true", "\"scale_offset\""))
            .reject("complex64", scaled("complex64", "[0,0]", r#"{"scale":2}"#))
            .reject("complex128", scaled("complex128", "[0,0]", "{}")),
        Group::must("parameters-integers", "scale_offset.parameters")
            .accept("largest", int16(r#"{"offset":7,"scale":32767}"#))
            .accept("negative", int16(r#"{"offset":-5,"scale":-1}"#))
            .accept("beyond-2-53", scaled("int64", "7", r#"{"offset":9007199254740993}"#))
            .accept("largest-uint64", scaled("uint64", "18446744073709551615", r#"{"offset":18446744073709551615}"#))
            .reject_all(
                &[
                    ("fraction", r#"{"offset":0.1}"#),
                    ("scale-fraction", r#"{"scale":0.1}"#),
                    ("integral-fraction", r#"{"scale":2.0}"#),
                    ("exponent", r#"{"scale":1e1}"#),
                    ("above", r#"{"offset":32768}"#),
                    ("below", r#"{"offset":-32769}"#),
                    ("string", r#"{"offset":"5"}"#),
                    ("true", r#"{"scale":true}"#),
                    ("null", r#"{"offset":null}"#),
                    ("list", r#"{"offset":[5]}"#),
                    ("nan", r#"{"offset":"NaN"}"#),
                    ("hex", r#"{"offset":"0x0005"}"#),
                ],
                int16,
            )
            .reject("uint8-above", scaled("uint8", "7", r#"{"offset":256}"#))
            .reject("uint8-below", scaled("uint8", "7", r#"{"offset":-1}"#))
            .reject(
                "of-the-type-before-a-cast",
                array(
                    "float64",
                    "7",
                    r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},{"name":"scale_offset","configuration":{"offset":0.5}},{"name":"bytes"}]"#,
                ),
            ),
        Group::must("parameters-floats", "scale_offset.parameters")
            .accept("numbers", float32(r#"{"offset":5,"scale":-2.5e-1}"#))
            .accept("hex", float32(r#"{"offset":"0x40A00000"}"#))
            .accept("negative-zero-offset", float32(r#"{"offset":-0.0}"#))
            .reject_all(
                &[
                    ("number-in-a-string", r#"{"offset":"5"}"#),
                    ("plus-infinity", r#"{"offset":"+Infinity"}"#),
                    ("nan-lower-case", r#"{"scale":"nan"}"#),
                    ("true", r#"{"scale":true}"#),
                    ("null", r#"{"scale":null}"#),
                    ("object", r#"{"scale":{}}"#),
                    ("hex-short", r#"{"offset":"0x40a0"}"#),
                    ("hex-long", r#"{"offset":"0x4014000000000000"}"#),
                    ("hex-capital-x", r#"{"offset":"0X40a00000"}"#),
                ],
                float32,
            ),
        Group::ruling("scale-zero", "scale_offset.scale.zero")
            .accept("zero-offset", float32(r#"{"offset":0}"#))
            .accept("smallest", float32(r#"{"scale":"0x00000001"}"#))
            .reject("integer", int16(r#"{"scale":0}"#))
            .reject("integer-negative", int16(r#"{"scale":-0}"#))
            .reject_all(
                &[
                    ("zero", r#"{"scale":0}"#),
                    ("fraction", r#"{"scale":0.0}"#),
                    ("negative", r#"{"scale":-0.0}"#),
                    ("hex", r#"{"scale":"0x00000000"}"#),
                    ("hex-negative", r#"{"scale":"0x80000000"}"#),
                    ("becomes-zero", r#"{"scale":1e-50}"#),
                    ("beside-offset", r#"{"offset":5,"scale":0}"#),
                ],
                float32,
            ),
        Group::ruling("parameters-non-finite", "scale_offset.parameters.non-finite")
            .by("scale_offset.parameters")
            .accept("offset-nan", scaled("float32", "\"NaN\"", r#"{"offset":"NaN"}"#))
            .accept("scale-nan", scaled("float32", "\"NaN\"", r#"{"scale":"NaN"}"#))
            .accept("scale-infinity", scaled("float32", "\"NaN\"", r#"{"scale":"Infinity"}"#))
            .accept("offset-negative-infinity", scaled("float32", "\"NaN\"", r#"{"offset":"-Infinity"}"#))
            .accept("scale-nan-in-hex", scaled("float32", "\"NaN\"", r#"{"scale":"0xffc00001"}"#))
            .reject("integer-nan", int16(r#"{"scale":"NaN"}"#))
            .reject("integer-infinity", int16(r#"{"offset":"Infinity"}"#))
            .reject("plus-infinity", float32(r#"{"scale":"+Infinity"}"#)),
        Group::must("fill", "scale_offset.fill")
            .accept("in-range", scaled("uint16", "1000", r#"{"offset":1000}"#))
            .reject("below", scaled("uint16", "999", r#"{"offset":1000}"#))
            .reject("on-the-way", scaled("int16", "32767", r#"{"offset":-1,"scale":-1}"#)),
    ]
}
