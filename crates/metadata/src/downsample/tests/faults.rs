//! All faults of a document.

use exactum_model::At;

use super::{FOUR, document, judge, view};

const ARRAY: &str = "downsample.document.base.array";
const FACTORS: &str = "downsample.document.factors";
const SCHEMA: &str = "downsample.document.schema";
const TRANSFORM: &str = "downsample.document.transform";
const DTYPE: &str = "downsample.document.dtype";
const RANK: &str = "downsample.document.rank";

/// Checks all faults of a document. They are given by their clauses and places, in the order of the text.
fn check_faults(text: &str, expected: &[(&str, &str)]) {
    let faults = judge(text).expect_err(text);
    let reported: Vec<(&str, &str)> = faults
        .listed
        .iter()
        .map(|fault| match &fault.rejection.at {
            Some(At::Pointer(pointer)) => (fault.rejection.clause, pointer.as_str()),
            at => panic!("{text}: {at:?}"),
        })
        .collect();
    assert_eq!(reported, expected, "{text}");
    assert!(faults.more_errors.is_empty());
}

/// Each part is judged by itself, and follow-on errors are not reported.
#[test]
fn all_faults_are_reported() {
    let members = r#""context": [], "dtype": "float", "rank": 33, "base": {"driver": "zarr9"}"#;
    let own = [
        ("downsample.document.context", "/context"),
        (DTYPE, "/dtype"),
        (RANK, "/rank"),
        ("downsample.document.base", "/base/driver"),
    ];
    let factors = r#""downsample_factors": [0, 2, 1.5]"#;
    let method = r#""downsample_method": "mean""#;
    let of_factors = [
        (FACTORS, "/downsample_factors/0"),
        (FACTORS, "/downsample_factors/2"),
    ];
    check_faults(
        &document(&format!("{members}, {factors}, {method}")),
        &[&own[..], &of_factors].concat(),
    );
    // Faults are also reported after a member with a wrong form, and when another member is missing.
    let average = ("downsample.document.method", "/downsample_method");
    check_faults(
        &document(&format!(
            r#"{members}, {factors}, "downsample_method": "average""#
        )),
        &[&own[..], &of_factors, &[average]].concat(),
    );
    check_faults(
        &document(&format!("{members}, {method}")),
        &[&[(FACTORS, "")], &own[..]].concat(),
    );
}

/// Rules about two members, and both views if one is inside the other.
#[test]
fn faults_of_several_members_are_reported() {
    let strings = r#"{"driver": "zarr3", "rank": 3, "dtype": "string"}"#;
    check_faults(
        &view(strings, ""),
        &[
            ("downsample.factors.rank", "/downsample_factors"),
            ("downsample.data_types", "/downsample_method"),
        ],
    );
    let inner = r#"{"driver": "downsample", "dtype": "int8", "base": "", "downsample_factors": [-1], "downsample_method": "max"}"#;
    check_faults(
        &view(inner, r#", "dtype": "int16", "rank": 2"#),
        &[
            (DTYPE, "/base/dtype"),
            ("downsample.document.base", "/base/base"),
            (FACTORS, "/base/downsample_factors/0"),
            (RANK, "/downsample_factors"),
        ],
    );
}

#[test]
fn faults_inside_members_are_reported() {
    check_faults(
        &view(
            FOUR,
            r#", "transform": {"input_rank": -1, "input_shape": ["a", 2, []], "output": [{"offset": "b", "stride": 0.5}, {"input_dimension": -1}, {"index_array": [0, "c", null]}]}"#,
        ),
        &[
            (TRANSFORM, "/transform/input_rank"),
            (TRANSFORM, "/transform/input_shape/0"),
            (TRANSFORM, "/transform/input_shape/2"),
            (TRANSFORM, "/transform/output/0/offset"),
            (TRANSFORM, "/transform/output/0/stride"),
            (TRANSFORM, "/transform/output/1/input_dimension"),
            (TRANSFORM, "/transform/output/2/index_array/1"),
            (TRANSFORM, "/transform/output/2/index_array/2"),
        ],
    );
    check_faults(
        &view(
            r#"{"driver": "zarr3"}"#,
            r#", "schema": {"dtype": "Int8", "rank": "one", "domain": {"shape": [1.5], "inclusive_max": [true]}, "codec": [], "dimension_units": ["4 nm", true, {}]}"#,
        ),
        &[
            (SCHEMA, "/schema/dtype"),
            (SCHEMA, "/schema/rank"),
            (SCHEMA, "/schema/domain/shape"),
            (SCHEMA, "/schema/domain/shape/0"),
            (SCHEMA, "/schema/domain/inclusive_max/0"),
            (SCHEMA, "/schema/codec"),
            (SCHEMA, "/schema/dimension_units/1"),
            (SCHEMA, "/schema/dimension_units/2"),
        ],
    );
    check_faults(
        &view(
            r#"{"driver": "array", "dtype": "uint8", "array": [[1, 256], [-1, 4]]}"#,
            "",
        ),
        &[(ARRAY, "/base/array/0/1"), (ARRAY, "/base/array/1/0")],
    );
    check_faults(
        &view(r#"{"driver": "array"}"#, ""),
        &[(ARRAY, "/base"), (ARRAY, "/base")],
    );
}
