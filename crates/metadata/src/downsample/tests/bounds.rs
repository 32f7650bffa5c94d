//! Bounds that a transform leaves open, compared with those that TensorStore 0.1.86 derives from the same
//! documents.

use super::{STORED, open, view_of};

const BOUNDS: &str = "downsample.transform.bounds";
const DOCUMENT: &str = "downsample.document.transform";
const FORM: &str = "downsample.transform.form";

/// A case: a transform, and the resulting positions, or the clause by which it is rejected.
type Case = (&'static str, Result<&'static [(i64, i64)], &'static str>);

fn check(base: &str, factors: &str, cases: &[Case]) {
    for (transform, expected) in cases {
        let text = view_of(base, factors, &format!(r#", "transform": {transform}"#));
        let opened = open(&text);
        let domain = opened.as_ref().map(|view| view.domain.clone());
        match (domain, expected) {
            (Ok(Some(domain)), Ok(expected)) => {
                let intervals = domain.intervals().map(|it| (it.start, it.end));
                assert_eq!(intervals.collect::<Vec<_>>(), *expected, "{transform}");
                // The derived positions are those that are read.
                let view = opened.expect("a view");
                assert_eq!(view.transform.expect("a transform").domain(), &domain);
            }
            (Err(fault), Err(clause)) => {
                assert_eq!(fault.rejection.clause, *clause, "{transform}: {fault:?}");
                assert!(fault.rejection.help.is_some(), "{transform}");
                let place = &text[fault.place.clone()];
                assert!(!place.is_empty(), "{transform}");
            }
            (got, expected) => panic!("{transform}: {got:?}, {expected:?}"),
        }
    }
}

/// Transforms of the five positions of [`of_elements`].
const OF_ELEMENTS: &[Case] = &[
    (r#"{"input_rank":1}"#, Ok(&[(0, 5)])),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":2}]}"#,
        Ok(&[(0, 3)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":-1}]}"#,
        Ok(&[(-4, 1)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":-2,"offset":3}]}"#,
        Ok(&[(0, 2)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":7,"offset":-10}]}"#,
        Ok(&[(2, 3)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":20,"offset":-1}]}"#,
        Ok(&[(1, 1)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":-20,"offset":30}]}"#,
        Ok(&[(2, 2)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":9223372036854775807}]}"#,
        Ok(&[(0, 1)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"offset":9223372036854775807,"stride":-1}]}"#,
        Err(BOUNDS),
    ),
    (r#"{"input_rank":1,"output":[{"offset":1}]}"#, Err(DOCUMENT)),
    (
        r#"{"input_rank":1,"output":[{"input_dimension":0,"stride":0,"offset":1}]}"#,
        Err(DOCUMENT),
    ),
    (
        r#"{"input_rank":2,"output":[{"input_dimension":1}]}"#,
        Err(DOCUMENT),
    ),
    (r#"{"input_inclusive_min":[1]}"#, Ok(&[(1, 5)])),
    (r#"{"input_inclusive_min":[[1]]}"#, Ok(&[(0, 5)])),
    (r#"{"input_inclusive_min":[9]}"#, Ok(&[(9, 9)])),
    (r#"{"input_inclusive_min":["-inf"]}"#, Err(BOUNDS)),
    (r#"{"input_inclusive_min":[["-inf"]]}"#, Ok(&[(0, 5)])),
    (r#"{"input_inclusive_min":["+inf"]}"#, Err(DOCUMENT)),
    (r#"{"input_exclusive_max":["+inf"]}"#, Err(BOUNDS)),
    (r#"{"input_exclusive_max":[["+inf"]]}"#, Ok(&[(0, 5)])),
    (r#"{"input_exclusive_max":["-inf"]}"#, Err(DOCUMENT)),
    (r#"{"input_exclusive_max":[3]}"#, Ok(&[(0, 3)])),
    (r#"{"input_exclusive_max":[[3]]}"#, Ok(&[(0, 5)])),
    (r#"{"input_exclusive_max":[-3]}"#, Ok(&[(0, 0)])),
    (r#"{"input_inclusive_max":[3]}"#, Ok(&[(0, 4)])),
    (
        r#"{"input_inclusive_max":[9223372036854775807]}"#,
        Err(DOCUMENT),
    ),
    (r#"{"input_shape":[3]}"#, Ok(&[(0, 3)])),
    (r#"{"input_shape":[[3]]}"#, Ok(&[(0, 5)])),
    (r#"{"input_shape":[[9]]}"#, Ok(&[(0, 5)])),
    (r#"{"input_shape":[9]}"#, Err(BOUNDS)),
    (r#"{"input_shape":["+inf"]}"#, Err(BOUNDS)),
    (
        r#"{"input_inclusive_min":[2],"input_shape":[["+inf"]]}"#,
        Ok(&[(2, 5)]),
    ),
    (
        r#"{"input_inclusive_min":["-inf"],"input_shape":[3]}"#,
        Err(BOUNDS),
    ),
    (
        r#"{"input_inclusive_min":[["-inf"]],"input_shape":[3]}"#,
        Ok(&[(0, 0)]),
    ),
    (
        r#"{"input_inclusive_min":[["-inf"]],"input_shape":[1]}"#,
        Err(DOCUMENT),
    ),
    (
        r#"{"input_inclusive_min":[["-inf"]],"input_shape":[["+inf"]]}"#,
        Ok(&[(0, 5)]),
    ),
    (
        r#"{"input_inclusive_min":[-3],"input_exclusive_max":[[9]]}"#,
        Err(BOUNDS),
    ),
    (
        r#"{"input_inclusive_min":[[-3]],"input_exclusive_max":[[9]]}"#,
        Ok(&[(0, 5)]),
    ),
    (
        r#"{"input_inclusive_min":[[3]],"input_exclusive_max":[[2]]}"#,
        Err(DOCUMENT),
    ),
    (
        r#"{"input_inclusive_min":[70],"input_exclusive_max":[[70]]}"#,
        Ok(&[(70, 70)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"index_array":[1,0,4]}]}"#,
        Err(FORM),
    ),
    (
        r#"{"input_shape":[[3]],"output":[{"index_array":[1,0,4]}]}"#,
        Err(FORM),
    ),
    (
        r#"{"input_inclusive_min":[5],"output":[{"index_array":[1,0,4]}]}"#,
        Err(FORM),
    ),
    (
        r#"{"input_shape":["+inf"],"output":[{"index_array":[1,0,4]}]}"#,
        Err(FORM),
    ),
    (
        r#"{"input_shape":[3],"output":[{"index_array":[1,0,4]}]}"#,
        Ok(&[(0, 3)]),
    ),
    (
        r#"{"input_rank":1,"output":[{"index_array":[1]}]}"#,
        Err(DOCUMENT),
    ),
    (
        r#"{"input_shape":[3],"output":[{"index_array":[[1,0,4]]}]}"#,
        Err(FORM),
    ),
    (
        r#"{"input_shape":[2],"output":[{"index_array":[3,1],"index_array_bounds":[0,3]}]}"#,
        Ok(&[(0, 2)]),
    ),
    (
        r#"{"input_shape":[2],"output":[{"index_array":[3,1],"index_array_bounds":["-inf","+inf"]}]}"#,
        Ok(&[(0, 2)]),
    ),
    (
        r#"{"input_shape":[2],"output":[{"index_array":[3,1],"index_array_bounds":[0,2]}]}"#,
        Err(BOUNDS),
    ),
    (
        r#"{"input_shape":[2],"output":[{"index_array":[3,1],"index_array_bounds":7}]}"#,
        Err(DOCUMENT),
    ),
    (
        r#"{"input_shape":[2],"output":[{"index_array":[7,1],"stride":0,"offset":2}]}"#,
        Ok(&[(0, 2)]),
    ),
    (
        r#"{"input_shape":[2],"output":[{"offset":7}]}"#,
        Err(BOUNDS),
    ),
    (
        r#"{"input_shape":[2],"output":[{"offset":9223372036854775807}]}"#,
        Err(BOUNDS),
    ),
    (
        r#"{"input_shape":[0],"output":[{"offset":7}]}"#,
        Ok(&[(0, 0)]),
    ),
    (r#"{"output":[{"input_dimension":0}]}"#, Err(DOCUMENT)),
];

/// A view of five positions, all of which are stated.
#[test]
fn of_elements() {
    const TEN: &str =
        r#"{"driver": "array", "dtype": "uint8", "array": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}"#;
    check(TEN, "[2]", OF_ELEMENTS);
}

/// A view of four by six positions, whose ends are implicit. TensorStore opens positions beyond them, and
/// does not read them; here they are not opened.
#[test]
fn of_an_array_that_can_grow() {
    let cases: &[Case] = &[
        (r#"{"input_rank":2}"#, Ok(&[(0, 4), (0, 6)])),
        (
            r#"{"input_rank":2,"output":[{"input_dimension":1},{"input_dimension":0}]}"#,
            Ok(&[(0, 6), (0, 4)]),
        ),
        (
            r#"{"input_rank":2,"output":[{"input_dimension":1,"stride":-1},{"input_dimension":0,"stride":3,"offset":1}]}"#,
            Ok(&[(0, 2), (-3, 1)]),
        ),
        (
            r#"{"input_rank":1,"output":[{"input_dimension":0},{"input_dimension":0}]}"#,
            Ok(&[(0, 4)]),
        ),
        (
            r#"{"input_rank":1,"output":[{"input_dimension":0},{"input_dimension":0,"stride":-1,"offset":5}]}"#,
            Err(BOUNDS),
        ),
        (
            r#"{"input_rank":1,"output":[{"offset":3},{"input_dimension":0}]}"#,
            Ok(&[(0, 6)]),
        ),
        (
            r#"{"input_rank":1,"output":[{"offset":4},{"input_dimension":0}]}"#,
            Err(BOUNDS),
        ),
        (
            r#"{"input_exclusive_max":[["+inf"],3]}"#,
            Ok(&[(0, 4), (0, 3)]),
        ),
        (r#"{"input_exclusive_max":[9,["+inf"]]}"#, Err(BOUNDS)),
        (
            r#"{"input_inclusive_min":[0,["-inf"]],"input_exclusive_max":[2,["+inf"]],"output":[{"index_array":[[1],[0]]},{"input_dimension":1}]}"#,
            Ok(&[(0, 2), (0, 6)]),
        ),
        (
            r#"{"input_rank":2,"output":[{"index_array":[[1]]},{"input_dimension":1}]}"#,
            Err(DOCUMENT),
        ),
    ];
    check(STORED, "[2, 2]", cases);
}

/// An intermediate view without bounds gets them from an outer transform.
#[test]
fn of_what_has_no_bounds() {
    let base = STORED.replace(
        "}}",
        r#"}, "transform": {"input_rank": 2, "output": [{"offset": 1}, {"input_dimension": 1}]}}"#,
    );
    let cases: &[Case] = &[
        (r#"{"input_rank":2}"#, Err(DOCUMENT)),
        (
            r#"{"input_inclusive_min":[3,0],"input_shape":[2,2]}"#,
            Ok(&[(3, 5), (0, 2)]),
        ),
        (
            r#"{"input_inclusive_min":[-3,0],"input_exclusive_max":[-1,["+inf"]]}"#,
            Ok(&[(-3, -1), (0, 6)]),
        ),
        (
            r#"{"input_rank":1,"output":[{"offset":7},{"input_dimension":0}]}"#,
            Ok(&[(0, 6)]),
        ),
        (
            r#"{"input_rank":1,"output":[{"input_dimension":0},{"input_dimension":0}]}"#,
            Ok(&[(0, 6)]),
        ),
        (
            r#"{"input_inclusive_min":[5,0],"input_shape":[2,7]}"#,
            Err(BOUNDS),
        ),
    ];
    check(&base, "[2, 2]", cases);
    let alone = open(&view_of(&base, "[2, 2]", ""));
    let fault = alone.expect_err("it has no bounds");
    assert!(
        fault
            .rejection
            .message
            .contains("dimension 0 has no bounds"),
        "{fault:?}"
    );
    // Beyond a bound that the document does not state, the array continues.
    let implied = base.replace(r#""input_rank": 2"#, r#""input_exclusive_max": [[3], 12]"#);
    check(
        &implied,
        "[1, 1]",
        &[
            (
                r#"{"input_inclusive_min":[7,0],"input_shape":[2,2]}"#,
                Ok(&[(7, 9), (0, 2)]),
            ),
            (
                r#"{"input_inclusive_min":[0,0],"input_exclusive_max":[["+inf"],13]}"#,
                Err(BOUNDS),
            ),
        ],
    );
}
