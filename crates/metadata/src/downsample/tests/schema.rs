//! The constraints of a schema, compared with an array: met or rejected as in TensorStore 0.1.86, except where a
//! comment says otherwise.

use super::{STORED, open, view_of};
use exactum_model::At;

/// The owner of the schema.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    View,
    Base,
}

/// Opens a view with a schema. `wrong` is the place below it that is rejected.
fn check(base: &str, factors: &str, of: Of, rest: &str, cases: &[(&str, Option<&str>)]) {
    for (schema, wrong) in cases {
        let member = format!(r#", "schema": {schema}"#);
        let (text, above) = match of {
            Of::View => (view_of(base, factors, &format!("{rest}{member}")), ""),
            Of::Base => {
                let base = format!("{}{member}}}", base.strip_suffix('}').expect("an object"));
                (view_of(&base, factors, rest), "/base")
            }
        };
        let fault = open(&text).err();
        let rejection = fault.map(|fault| fault.rejection);
        let Some(place) = wrong else {
            assert_eq!(rejection, None, "{text}");
            continue;
        };
        let rejection = rejection.unwrap_or_else(|| panic!("{text} is opened"));
        assert_eq!(rejection.clause, "downsample.document.schema", "{text}");
        let pointer = format!("{above}/schema{place}");
        assert_eq!(rejection.at, Some(At::Pointer(pointer)), "{text}");
        assert!(rejection.help.is_some(), "{text}");
    }
}

const FOUR: &str = r#"{"driver": "array", "dtype": "uint8", "array": [1, 2, 3, 4]}"#;

/// Codecs that a schema can demand of [`STORED`], and those that it cannot.
const CODECS: &[(&str, Option<&str>)] = &[
    (r#"{"codec": {"driver": "zarr3"}}"#, None),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", "gzip", "crc32c"]}}"#,
        None,
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["gzip", {"name": "crc32c"}]}}"#,
        None,
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "gzip", "configuration": {"level": 5.0}}, "crc32c"]}}"#,
        None,
    ),
    // An additional or a missing transpose concerns only the layout.
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}}, "bytes", "gzip", "crc32c"]}}"#,
        None,
    ),
    // So does a shard around them.
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["sharding_indexed"]}}"#,
        None,
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "sharding_indexed", "configuration": {"codecs": ["bytes", "gzip", "crc32c"]}}]}}"#,
        None,
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "sharding_indexed", "configuration": {"codecs": ["bytes", "gzip"]}}]}}"#,
        Some("/codec/codecs/0/configuration/codecs"),
    ),
    (r#"{"codec": {}}"#, Some("/codec")),
    (r#"{"codec": []}"#, Some("/codec")),
    (r#"{"codec": {"driver": 3}}"#, Some("/codec/driver")),
    (r#"{"codec": {"driver": "n5"}}"#, Some("/codec/driver")),
    (
        r#"{"codec": {"driver": "zarr3", "foo": 1}}"#,
        Some("/codec/foo"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": "bytes"}}"#,
        Some("/codec/codecs"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": []}}"#,
        Some("/codec/codecs"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", "gzip"]}}"#,
        Some("/codec/codecs"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", "crc32c", "gzip"]}}"#,
        Some("/codec/codecs/1"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", {"name": "gzip", "configuration": {"level": 6}}, "crc32c"]}}"#,
        Some("/codec/codecs/1/configuration/level"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "gzip", "crc32c"]}}"#,
        Some("/codec/codecs/0/configuration/endian"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "bytes", "configuration": {"foo": 1}}, "gzip", "crc32c"]}}"#,
        Some("/codec/codecs/0/configuration/foo"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["transpose", "bytes", "gzip", "crc32c"]}}"#,
        Some("/codec/codecs/0"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["nonsense"]}}"#,
        Some("/codec/codecs/0"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["crc32c", "bytes"]}}"#,
        Some("/codec/codecs/1"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", "bytes"]}}"#,
        Some("/codec/codecs/1"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [7]}}"#,
        Some("/codec/codecs/0"),
    ),
    (
        r#"{"codec": {"driver": "zarr3", "codecs": [{"configuration": {}}]}}"#,
        Some("/codec/codecs/0"),
    ),
];

#[test]
fn codecs() {
    check(STORED, "[2, 2]", Of::Base, "", CODECS);
    // The codecs of a view are those of its base, regardless of the transforms between them.
    let rest =
        r#", "transform": {"input_rank": 1, "output": [{"input_dimension": 0}, {"offset": 1}]}"#;
    check(STORED, "[2, 2]", Of::View, rest, CODECS);
    check(
        &view_of(STORED, "[2, 1]", rest),
        "[2]",
        Of::View,
        "",
        CODECS,
    );
    let any = [(r#"{"codec": {"driver": "zarr3"}}"#, Some("/codec"))];
    check(FOUR, "[2]", Of::View, "", &any);
    check(FOUR, "[2]", Of::Base, "", &any);
}

#[test]
fn codecs_of_shards() {
    let base = STORED.replace("a/b", "shards");
    check(
        &base,
        "[2, 2]",
        Of::View,
        "",
        &[
            (
                r#"{"codec": {"driver": "zarr3", "codecs": ["sharding_indexed"]}}"#,
                None,
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", "zstd"]}}"#,
                None,
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": ["zstd"]}}"#,
                None,
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 2], "index_codecs": ["bytes", "crc32c"], "index_location": "end"}}]}}"#,
                None,
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "transpose", "configuration": {"order": "F"}}, "bytes", "zstd"]}}"#,
                None,
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "transpose", "configuration": {"order": "C"}}, "bytes", "zstd"]}}"#,
                Some("/codec/codecs/0/configuration/order"),
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", {"name": "zstd", "configuration": {"checksum": true}}]}}"#,
                Some("/codec/codecs/1/configuration/checksum"),
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": ["bytes", "gzip"]}}"#,
                Some("/codec/codecs/1"),
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [4, 2]}}]}}"#,
                Some("/codec/codecs/0/configuration/chunk_shape"),
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "sharding_indexed", "configuration": {"index_codecs": ["bytes"]}}]}}"#,
                Some("/codec/codecs/0/configuration/index_codecs"),
            ),
            (
                r#"{"codec": {"driver": "zarr3", "codecs": [{"name": "sharding_indexed", "configuration": {"index_location": "start"}}]}}"#,
                Some("/codec/codecs/0/configuration/index_location"),
            ),
        ],
    );
}

#[test]
fn fill_values() {
    let own = [
        (r#"{"fill_value": 7}"#, None),
        (r#"{"fill_value": 7.0}"#, None),
        (r#"{"fill_value": "7"}"#, None),
        (r#"{"fill_value": [[[7]]]}"#, None),
        (r#"{"fill_value": 8}"#, Some("/fill_value")),
        (r#"{"fill_value": [7, 7]}"#, Some("/fill_value")),
        (r#"{"fill_value": []}"#, Some("/fill_value")),
        (r#"{"fill_value": 7.5}"#, Some("/fill_value")),
        (r#"{"fill_value": null}"#, Some("/fill_value")),
        (r#"{"fill_value": {"a": 1}}"#, Some("/fill_value")),
    ];
    check(STORED, "[2, 2]", Of::Base, "", &own);
    check(STORED, "[1, 1]", Of::View, "", &own);
    // The effect of the factors on it is not known.
    let any = [(r#"{"fill_value": 7}"#, Some("/fill_value"))];
    check(STORED, "[1, 2]", Of::View, "", &any);
    check(FOUR, "[1]", Of::View, "", &any);
    check(FOUR, "[1]", Of::Base, "", &any);
    check(&view_of(STORED, "[2, 1]", ""), "[1, 1]", Of::View, "", &any);
}

/// A fill value is visible through a transform that moves, reverses or swaps, even if that belongs to a base.
#[test]
fn fill_values_through_transforms() {
    for (output, is_seen) in [
        (
            r#"[{"input_dimension": 1, "stride": -1, "offset": 6}, {"input_dimension": 0}]"#,
            true,
        ),
        (r#"[{"input_dimension": 1}, {"input_dimension": 1}]"#, false),
        (
            r#"[{"input_dimension": 0, "stride": 2}, {"input_dimension": 1}]"#,
            false,
        ),
        (r#"[{"offset": 3}, {"input_dimension": 1}]"#, false),
        (
            r#"[{"index_array": [[1], [0]]}, {"input_dimension": 1}]"#,
            false,
        ),
    ] {
        let transform = format!(
            r#", "transform": {{"input_inclusive_min": [1, 2], "input_shape": [2, 2], "output": {output}}}"#
        );
        let wrong = (!is_seen).then_some("/fill_value");
        let moved = format!(
            "{}{transform}}}",
            STORED.strip_suffix('}').expect("an object")
        );
        check(
            &moved,
            "[1, 1]",
            Of::View,
            "",
            &[(r#"{"fill_value": 7}"#, wrong)],
        );
        check(
            &view_of(STORED, "[1, 1]", &transform),
            "[1, 1]",
            Of::View,
            "",
            &[(r#"{"fill_value": 7}"#, wrong)],
        );
        // The transform of the view itself comes after the schema.
        check(
            STORED,
            "[1, 1]",
            Of::View,
            &transform,
            &[(r#"{"fill_value": 7}"#, None)],
        );
        check(
            &moved,
            "[1, 1]",
            Of::Base,
            "",
            &[(r#"{"fill_value": 7}"#, None)],
        );
    }
}

#[test]
fn fill_values_of_floats_and_complex_numbers() {
    let floats = STORED.replace("a/b", "floats");
    check(
        &floats,
        "[1, 1]",
        Of::View,
        "",
        &[
            (r#"{"fill_value": -0.0}"#, None),
            (r#"{"fill_value": 0.0}"#, Some("/fill_value")),
            (r#"{"fill_value": "NaN"}"#, Some("/fill_value")),
        ],
    );
    let complex = STORED.replace("a/b", "complex");
    // TensorStore does not compare complex numbers.
    check(
        &complex,
        "[1, 1]",
        Of::View,
        "",
        &[
            (r#"{"fill_value": [1, "NaN"]}"#, None),
            (r#"{"fill_value": [[1, "NaN"]]}"#, None),
            (r#"{"fill_value": [1, 2]}"#, Some("/fill_value")),
            (r#"{"fill_value": [1]}"#, Some("/fill_value")),
        ],
    );
}

#[test]
fn labels() {
    let own = [
        (r#"{"domain": {"labels": ["y", "x"]}}"#, None),
        (r#"{"domain": {"labels": ["", ""]}}"#, None),
        (r#"{"domain": {"labels": ["", "x"]}}"#, None),
        (
            r#"{"domain": {"labels": ["x", "y"]}}"#,
            Some("/domain/labels"),
        ),
        (
            r#"{"domain": {"labels": ["y", "z"]}}"#,
            Some("/domain/labels"),
        ),
        (
            r#"{"domain": {"labels": ["y", "y"]}}"#,
            Some("/domain/labels/1"),
        ),
    ];
    check(STORED, "[2, 2]", Of::Base, "", &own);
    check(STORED, "[2, 2]", Of::View, "", &own);
    check(&view_of(STORED, "[1, 2]", ""), "[2, 2]", Of::View, "", &own);
    // These are the labels before the transform of the same document.
    let turned = r#", "transform": {"input_rank": 2, "input_labels": ["a", "b"], "output": [{"input_dimension": 1}, {"input_dimension": 0}]}"#;
    check(STORED, "[2, 2]", Of::View, turned, &own);
    let base = format!("{}{turned}}}", STORED.strip_suffix('}').expect("an object"));
    check(&base, "[2, 2]", Of::Base, "", &own);
    // The labels after the transform of the base also apply. TensorStore demands them of the array, too.
    let new = [
        (r#"{"domain": {"labels": ["a", ""]}}"#, None),
        (
            r#"{"domain": {"labels": ["y", "x"]}}"#,
            Some("/domain/labels"),
        ),
    ];
    check(&base, "[2, 2]", Of::View, "", &new);
    check(
        &view_of(STORED, "[1, 1]", turned),
        "[2, 2]",
        Of::View,
        "",
        &new,
    );
    let array = FOUR.replace('}', r#", "transform": {"input_labels": ["a"]}}"#);
    check(
        &array,
        "[2]",
        Of::View,
        "",
        &[
            (r#"{"domain": {"labels": ["a"]}}"#, None),
            (r#"{"domain": {"labels": ["b"]}}"#, Some("/domain/labels")),
        ],
    );
    let none = view_of(STORED, "[1, 1]", r#", "transform": {"input_rank": 2}"#);
    check(
        &none,
        "[2, 2]",
        Of::View,
        "",
        &[(r#"{"domain": {"labels": ["q", "r"]}}"#, None)],
    );
}

/// For the positions before the transform, a stated bound must be the actual one.
#[test]
fn domains() {
    let transform = r#", "transform": {"input_inclusive_min": [10, 20, 30], "input_shape": [2, 2, 2], "output": [{"input_dimension": 0, "offset": -10}, {"input_dimension": 1, "offset": -20}]}"#;
    for rest in ["", transform] {
        check(
            STORED,
            "[2, 2]",
            Of::View,
            rest,
            &[
                (r#"{"rank": 2, "domain": {"shape": [4, 6]}}"#, None),
                (r#"{"domain": {"rank": 2}}"#, None),
                (
                    r#"{"domain": {"inclusive_min": [0, ["-inf"]], "exclusive_max": [["+inf"], 6]}}"#,
                    None,
                ),
                (r#"{"domain": {"shape": [[4], [6]]}}"#, None),
                (r#"{"domain": {"shape": [[5], [6]]}}"#, Some("/domain")),
                (
                    r#"{"domain": {"shape": ["+inf", ["+inf"]]}}"#,
                    Some("/domain"),
                ),
                (
                    r#"{"domain": {"inclusive_min": ["-inf", ["-inf"]]}}"#,
                    Some("/domain"),
                ),
                (
                    r#"{"domain": {"inclusive_min": [[1], 0]}}"#,
                    Some("/domain"),
                ),
                (
                    r#"{"domain": {"exclusive_max": [["-inf"], 6]}}"#,
                    Some("/domain/exclusive_max/0"),
                ),
                (
                    r#"{"domain": {"inclusive_min": [10, 20], "shape": [2, 2]}}"#,
                    Some("/domain"),
                ),
                (r#"{"dimension_units": ["8nm", null]}"#, None),
                (r#"{"dimension_units": ["4nm", null]}"#, Some("")),
                (
                    r#"{"chunk_layout": {"read_chunk": {"shape": [2, 2]}}}"#,
                    None,
                ),
                (
                    r#"{"chunk_layout": {"read_chunk": {"shape": [4, 4]}}}"#,
                    Some(""),
                ),
                (
                    r#"{"chunk_layout": {"chunk": {"shape_soft_constraint": [9, 9]}}}"#,
                    None,
                ),
                (
                    r#"{"chunk_layout": {"inner_order": [0, 1]}}"#,
                    Some("/chunk_layout/inner_order"),
                ),
            ],
        );
    }
}
