//! Coverage on vectors of two or three cases.

use exactum_conformance::vectors::spec::{self, Clause};
use exactum_conformance::vectors::{Expect, File, Group, Level, Request};
use serde_json::{Value, json};

use super::{CellCoverage, Fate, Status, cover, render};
use crate::cells;
use crate::{Mutant, NONE, Overrides, all, mutant};

fn clauses() -> Vec<Clause> {
    let text = "**row.ties** (MUST; upstream \"x\"): Ties.\n\n\
        **row.other** (MUST; upstream \"x\"): Another.\n\n\
        **row.document** (MUST, document; upstream \"x\"): Documents.\n\n\
        **row.excused** (RULING 1; upstream \"x\"): Excused.\nUncovered: nothing can show it.\n";
    spec::parse("row", text).expect("clauses")
}

fn request(value: Value) -> Request {
    match value {
        Value::Object(members) => members,
        _ => panic!("a request is an object"),
    }
}

/// Adds a float64 to int8 cast of one element, 2.5 or 2.0.
fn cast<'a>(file: &'a mut File, id: &str, clauses: &[&str], bits: &str) -> &'a mut Group {
    let group = file.group(
        id,
        Level::Must,
        clauses,
        request(json!({"op": "cast_value.encode", "configuration": "{\"data_type\":\"int8\"}"})),
    );
    let input = json!({"data_type": "float64", "shape": [1], "data": bits});
    let output = json!({"output": {"data_type": "int8", "shape": [1], "data": "02"}});
    group.case(
        "only",
        &[],
        request(json!({"input": input})),
        Expect::ok(output),
    );
    group
}

const TIE: &str = "0000000000000440";
const EXACT: &str = "0000000000000040";

fn file() -> File {
    File::new("row", "topic", "upstream@commit")
}

/// Returns a mutant that rounds ties away from zero.
fn ties(clauses: &'static str) -> Mutant {
    mutant(
        "ties",
        clauses,
        "A fault.",
        like("nearest-even-is-nearest-away"),
    )
}

/// Returns the overrides of the named mutant.
fn like(name: &str) -> Overrides {
    let mut mutants = all().into_iter();
    mutants
        .find(|mutant| mutant.name == name)
        .expect("the mutant")
        .overrides
}

/// Returns the findings for one file and some mutants, without the document clause.
fn findings(file: &File, mutants: &[Mutant]) -> Vec<String> {
    let clauses: Vec<Clause> = clauses()
        .into_iter()
        .filter(|clause| !clause.document && clause.id != "row.other")
        .collect();
    cover(&clauses, &[file], mutants, &[])
        .expect("vectors")
        .findings()
}

#[test]
fn a_clause_is_covered_by_a_killed_mutant() {
    let mut file = file();
    cast(&mut file, "tie", &["row.ties"], TIE);
    assert_eq!(findings(&file, &[ties("row.ties")]), Vec::<String>::new());
}

#[test]
fn a_citation_alone_covers_nothing() {
    let mut file = file();
    cast(&mut file, "exact", &["row.ties"], EXACT);
    assert_eq!(
        findings(&file, &[ties("row.ties")]),
        [
            "row.ties: no mutant that breaks it is killed by a vector that cites it",
            "ties: survives every vector: A fault.",
        ]
    );
    assert_eq!(findings(&file, &[]), ["row.ties: no mutant breaks it"]);
}

#[test]
fn a_clause_without_vectors_is_uncovered() {
    assert_eq!(findings(&file(), &[])[..], ["row.ties: no vector cites it"]);
}

#[test]
fn a_mutant_without_a_fault_survives() {
    let mut file = file();
    cast(&mut file, "tie", &["row.ties"], TIE);
    let right = Overrides {
        fill: Some(std::sync::Arc::new(|it| Some(it.of(it.before)))),
        ..NONE
    };
    let liar = mutant("liar", "row.ties", "A fault.", right);
    assert_eq!(
        findings(&file, &[ties("row.ties"), liar]),
        ["liar: survives every vector: A fault."]
    );
}

#[test]
fn a_kill_by_a_vector_of_another_clause_is_reported() {
    let mut file = file();
    cast(&mut file, "exact", &["row.ties"], EXACT);
    cast(&mut file, "tie", &[], TIE);
    assert_eq!(
        findings(&file, &[ties("row.ties")]),
        [
            "row.ties: no mutant that breaks it is killed by a vector that cites it",
            "ties: killed, but by no vector that cites row.ties: row/topic/tie/only",
        ]
    );
}

#[test]
fn cases_that_the_reference_fails_cover_nothing() {
    let mut file = file();
    // 2.0 is expected although the input is 3.0.
    cast(&mut file, "wrong", &["row.ties"], "0000000000000840");
    assert_eq!(
        findings(&file, &[ties("row.ties")]),
        [
            "row/topic/wrong/only: the reference fails it",
            "row.ties: no mutant that breaks it is killed by a vector that cites it",
            "ties: survives every vector: A fault.",
        ]
    );
}

#[test]
fn unknown_clauses_are_reported() {
    let mut file = file();
    cast(&mut file, "tie", &["row.ties", "row.gone"], TIE);
    assert_eq!(
        findings(&file, &[ties("row.ties")]),
        ["row/topic/tie/only cites row.gone, which is not a clause"]
    );
}

#[test]
fn an_excuse_that_is_not_needed_is_reported() {
    let mut file = file();
    cast(&mut file, "tie", &["row.ties", "row.excused"], TIE);
    assert_eq!(
        findings(&file, &[ties("row.ties row.excused")]),
        ["row.excused: covered, although its text says why it cannot be covered"]
    );
}

#[test]
fn each_element_of_a_rejected_case_counts() {
    let mut file = file();
    let group = file.group(
        "beyond",
        Level::Must,
        &["row.ties"],
        request(json!({"op": "cast_value.encode", "configuration": "{\"data_type\":\"int8\"}"})),
    );
    // 300 and 127.5: the latter is in range if ties are not rounded to even.
    let input = json!({
        "data_type": "float64", "shape": [2], "data": "0000000000c072400000000000e05f40",
    });
    group
        .case(
            "each",
            &[],
            request(json!({"input": input})),
            Expect::reject(exactum_conformance::model::Reason::OutOfRange),
        )
        .per_element();
    let truncating = like("nearest-even-truncates");
    let truncating = mutant("truncating", "row.ties", "A fault.", truncating);
    assert_eq!(findings(&file, &[truncating]), Vec::<String>::new());
}

#[test]
fn sweeps_run_for_what_nothing_else_kills() {
    let mut file = file();
    let group = file.group(
        "sweep",
        Level::Must,
        &["row.ties"],
        request(json!({"op": "cast_value.encode", "configuration": "{\"data_type\":\"int8\"}"})),
    );
    // float16 from 1.5 to 2.5, every value.
    let input = json!({"data_type": "float16", "ranges": [["3e00", "4100"]]});
    let values = (0x3e00u64..=0x4100).map(|_| 2);
    let output = exactum_conformance::model::Array::from_components(
        exactum_conformance::model::DataType::Int8,
        vec![0x301],
        values,
    )
    .expect("an array");
    let crc32 = exactum_conformance::vectors::checksums(&output);
    group.case(
        "all",
        &[],
        request(json!({"input": input})),
        Expect::ok(json!({"output": {"data_type": "int8", "shape": [0x301], "crc32": crc32}})),
    );
    assert_eq!(findings(&file, &[ties("row.ties")]), Vec::<String>::new());
}

#[test]
fn a_document_clause_needs_both_answers() {
    let clauses: Vec<Clause> = clauses()
        .into_iter()
        .filter(|clause| clause.document)
        .collect();
    let validate = |file: &mut File, id: &str, expect: Expect, codecs: &str| {
        let document = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"uint8","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[4]}}}},"chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":{codecs}}}"#
        );
        let members = json!({"op": "metadata.validate", "kind": "array", "document": document});
        file.group(id, Level::Must, &["row.document"], Request::new())
            .case("only", &[], request(members), expect);
    };
    let status = |file: &File| {
        let coverage = cover(&clauses, &[file], &[], &[]).expect("vectors");
        coverage.clauses[0].status.clone()
    };
    let mut file = file();
    validate(&mut file, "accepted", Expect::ok(json!({})), r#"["bytes"]"#);
    assert_eq!(
        status(&file),
        Status::Uncovered("no rejected document cites it")
    );
    validate(
        &mut file,
        "rejected",
        Expect::reject(exactum_conformance::model::Reason::Metadata),
        "[]",
    );
    assert_eq!(status(&file), Status::Documents);
}

#[test]
fn the_page_names_clauses_and_mutants() {
    let mut file = file();
    cast(&mut file, "tie", &["row.ties"], TIE);
    let coverage = cover(&clauses(), &[&file], &[ties("row.ties")], &[]).expect("vectors");
    let (totals, page) = render(&coverage);
    assert!(
        totals.contains("| row | 4 | 1 | 0 | 1 | 1 | 0 | 0 | 1 | 1 | 0 | 0 |"),
        "{totals}"
    );
    assert!(
        totals.contains("- row.excused: nothing can show it."),
        "{totals}"
    );
    assert!(
        page.contains("| row.ties | MUST | 1 | ties (1) |"),
        "{page}"
    );
    assert!(page.contains("| row.other | MUST | 0 | **uncovered**: no vector cites it |"));
    assert!(page.contains("| row.excused | R1 | 0 | uncovered: nothing can show it. |"));
    assert!(page.contains("| ties | row.ties | 1 | 1 |"));
    assert!(page.contains("- **ties**: A fault."));
    assert_eq!((totals, page), render(&coverage));
}

#[test]
fn a_lie_is_killed_or_a_hole_or_none() {
    let mut file = file();
    // 1.75 becomes 2.
    cast(&mut file, "inexact", &["row.ties"], "000000000000fc3f");
    let mut lies = crate::lies();
    lies.retain(|lie| (lie.cell.from, lie.cell.to) == ("float64", "int8"));
    for lie in &mut lies {
        if lie.kind != "range-unchecked" {
            lie.fits = &["row."];
        }
    }
    let coverage = cover(&clauses(), &[&file], &[], &lies).expect("vectors");
    let fate = |what: &str, kind: &str, setting: &str| {
        let mut lies = coverage.lies.iter();
        let of = |lie: &&CellCoverage| (lie.cell.what, lie.kind) == (what, kind);
        let lie = lies.find(|lie| of(lie) && lie.cell.setting == setting);
        lie.expect("a lie").fate
    };
    let encode = "cast_value.encode";
    for (what, kind, setting, expected) in [
        (encode, "as-towards-zero", "nearest-even", Fate::Killed),
        (encode, "as-towards-zero", "nearest-even clamp", Fate::Hole),
        (encode, "as-nearest-even", "towards-zero", Fate::Hole),
        (encode, "range-unchecked", "nearest-even", Fate::Hole),
        (encode, "map-ignored", "map", Fate::Hole),
        (encode, "zero-without-sign", "nearest-even", Fate::Truth),
        (
            "cast_value.decode",
            "as-towards-zero",
            "nearest-even",
            Fate::Hole,
        ),
        (
            "cast_value: fill",
            "lost-fill-accepted",
            "nearest-even",
            Fate::Hole,
        ),
    ] {
        assert_eq!(
            fate(what, kind, setting),
            expected,
            "{what} {kind} {setting}"
        );
    }
    let (_, page) = render(&coverage);
    assert!(
        page.contains("- cast_value.encode map-ignored, map: float64 -> int8\n"),
        "{page}"
    );
    let findings = coverage.findings();
    let hole = "cast_value.encode float64 int8 map map-ignored: no case that cites a fitting clause finds it";
    assert!(findings.iter().any(|it| it == hole), "{findings:?}");
}

/// A case that cites a clause that does not fit kills nothing.
#[test]
fn a_lie_dies_of_a_clause_that_fits() {
    let mut file = file();
    cast(&mut file, "inexact", &["row.ties"], "000000000000fc3f");
    let mut lies = crate::lies();
    lies.retain(|lie| {
        let cell = lie.cell;
        (cell.what, cell.from, cell.to) == ("cast_value.encode", "float64", "int8")
            && (cell.setting, lie.kind) == ("nearest-even", "as-towards-zero")
    });
    for (fits, expected) in [(&["row."], Fate::Killed), (&["other."], Fate::Hole)] {
        for lie in &mut lies {
            lie.fits = fits;
        }
        let coverage = cover(&clauses(), &[&file], &[], &lies).expect("vectors");
        assert_eq!(coverage.lies.len(), 1);
        assert_eq!(coverage.lies[0].fate, expected);
    }
}

#[test]
fn lies_are_reported_for_every_pair_of_types() {
    let numbers: Vec<_> = cells::numbers().collect();
    assert_eq!(numbers.len(), 26);
    for what in ["cast_value.encode", "cast_value.decode", "cast_value: fill"] {
        let mut pairs: Vec<_> = crate::lies()
            .iter()
            .filter(|lie| lie.cell.what == what)
            .map(|lie| (lie.cell.from, lie.cell.to))
            .filter(|&(from, to)| from != "float8_e4m3fn" && to != "float8_e4m3fn")
            .filter(|(_, to)| *to != cells::ANY)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), 26 * 26, "{what}");
    }
}
