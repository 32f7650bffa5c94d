//! The constraints of a document on its view and on its base are met, or the view is not opened.

use super::*;

/// The place of a constraint in the document, its member, a value that meets it and one that does not.
type Demand = (&'static str, &'static str, Value, Value);

/// Constraints on data types, ranks, domains and units.
fn types_and_domains() -> Vec<Demand> {
    vec![
        ("", "dtype", json!("int16"), json!("uint16")),
        ("/base", "dtype", json!("int16"), json!("uint16")),
        ("", "rank", json!(2), json!(3)),
        ("/base", "rank", json!(2), json!(1)),
        (
            "",
            "schema",
            json!({"dtype": "int16", "rank": 2}),
            json!({"dtype": "int8"}),
        ),
        (
            "/base",
            "schema",
            json!({"dtype": "int16"}),
            json!({"rank": 1}),
        ),
        (
            "",
            "schema",
            json!({"domain": {"shape": [12, 11]}}),
            json!({"domain": {"shape": [23, 31]}}),
        ),
        (
            "/base",
            "schema",
            json!({"domain": {"shape": [23, 31]}}),
            json!({"domain": {"shape": [23, 30]}}),
        ),
        (
            "",
            "schema",
            json!({"domain": {"inclusive_min": [0, ["-inf"]]}}),
            json!({"domain": {"inclusive_min": [1, 0]}}),
        ),
        (
            "",
            "schema",
            json!({"dimension_units": ["8nm", null]}),
            json!({"dimension_units": ["4nm", null]}),
        ),
        (
            "/base",
            "schema",
            json!({"dimension_units": ["4nm", null]}),
            json!({"dimension_units": ["8nm", null]}),
        ),
    ]
}

/// Constraints on chunks, codecs and the document of the array.
fn storage() -> Vec<Demand> {
    vec![
        (
            "",
            "schema",
            json!({"chunk_layout": {"read_chunk": {"shape": [4, 8]}}}),
            json!({"chunk_layout": {"read_chunk": {"shape": [8, 8]}}}),
        ),
        (
            "/base",
            "schema",
            json!({"chunk_layout": {"read_chunk": {"shape": [8, 8]}}}),
            json!({"chunk_layout": {"read_chunk": {"shape": [4, 8]}}}),
        ),
        (
            "/base",
            "schema",
            json!({"chunk_layout": {"chunk": {"shape_soft_constraint": [1, 1]}}}),
            json!({"chunk_layout": {"chunk": {"shape": [8, 8]}}}),
        ),
        (
            "",
            "schema",
            json!({"codec": {"driver": "zarr3", "codecs": ["bytes", "crc32c"]}}),
            json!({"codec": {"driver": "zarr3", "codecs": ["bytes"]}}),
        ),
        (
            "/base",
            "schema",
            json!({"fill_value": 7}),
            json!({"fill_value": 8}),
        ),
        ("", "schema", json!({}), json!({"fill_value": 7})),
        (
            "",
            "schema",
            json!({"domain": {"labels": ["y", "x"]}}),
            json!({"domain": {"labels": ["x", "y"]}}),
        ),
        (
            "/base",
            "metadata",
            json!({"shape": SHAPE, "fill_value": 7, "chunk_grid": {"name": "regular"}}),
            json!({"shape": [23, 32]}),
        ),
        (
            "/base",
            "metadata",
            json!({"attributes": {"who": "me"}}),
            json!({"attributes": {"who": "you"}}),
        ),
        (
            "/base",
            "metadata",
            json!({"dimension_names": ["y", "x"]}),
            json!({"fill_value": 8}),
        ),
        ("/base", "metadata", json!({}), json!({"codecs": []})),
    ]
}

/// Constraints on the way to open an array, and on transforms.
fn transforms() -> Vec<Demand> {
    vec![
        ("/base", "open", json!(true), json!(false)),
        ("/base", "create", json!(false), json!(true)),
        (
            "",
            "transform",
            moved([0, 0], [12, 11], [0, 0]),
            moved([0, 0], [12, 11], [1, 0]),
        ),
        (
            "/base",
            "transform",
            moved([0, 0], [23, 31], [0, 0]),
            moved([0, 0], [23, 31], [0, 1]),
        ),
        (
            "/base",
            "transform",
            json!({"input_rank": 2, "output": [{"input_dimension": 0}, {"input_dimension": 1}]}),
            json!({"input_rank": 2, "output": [{"input_dimension": 0}, {"offset": 1}]}),
        ),
    ]
}

#[test]
fn what_is_demanded_is_met_or_nothing_is_opened() {
    let scratch = tempdir().expect("a folder");
    write(&scratch.path().join("array"));
    let document = view(&zarr3(&scratch.path().join("array")), &[2, 3], "mean");
    let demands = [types_and_domains(), storage(), transforms()].concat();
    for (pointer, member, right, wrong) in demands {
        let right = with(&document, pointer, member, right);
        if let Err(fault) = View::parse(&right.to_string()) {
            panic!("{right}: {fault}");
        }
        let wrong = with(&document, pointer, member, wrong);
        assert!(View::parse(&wrong.to_string()).is_err(), "{wrong}");
    }
    for (factors, method) in [(&[2][..], "mean"), (&[2, 3, 4], "mean")] {
        let document = view(&zarr3(&scratch.path().join("array")), factors, method);
        assert!(View::parse(&document.to_string()).is_err(), "{document}");
    }
}
