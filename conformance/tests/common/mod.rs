//! A hand-written suite and hand-written implementations.

#![allow(dead_code, reason = "every test file uses its own part")]

use std::sync::Arc;

use exactum_conformance::expectations::Expectations;
use exactum_conformance::model::{Array, CastValue, DataType, Reason, Rejection};
use exactum_conformance::report::{Outline, Reviewed};
use exactum_conformance::run::{self, Factory, Report, Selection};
use exactum_conformance::vectors::{
    Expect, File, Group, Level, Manifest, Suite, array_to_json, sweep_input,
};
use exactum_conformance::{Call, Codec, Codecs, Fault, Hello, InProcess, Outcome};
use serde_json::{Map, Value, json};

/// Returns the members of a JSON object.
pub(crate) fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not an object"),
    }
}

/// Returns a one-dimensional uint8 array.
pub(crate) fn bytes(data: &[u8]) -> Array {
    let shape = vec![data.len() as u64];
    Array::new(DataType::Uint8, shape, data.to_vec()).expect("an array")
}

/// Reviews a report on a whole suite against the text of expectations.
pub(crate) fn reviewed(name: &str, suite: &Suite, report: Report, expectations: &str) -> Reviewed {
    let expectations = Expectations::parse(expectations).expect("expectations");
    Reviewed {
        name: name.into(),
        command: None,
        review: expectations.review(&report, &Outline::of(suite), &Selection::default()),
        report,
        expectations,
    }
}

/// Returns a suite with the file `cast_value/by-hand`, which has one group whose requests cast uint8 elements to int8.
pub(crate) fn suite(fill: impl FnOnce(&mut Group)) -> Suite {
    let mut file = File::new("cast_value", "by-hand", "upstream@0");
    let group = file.group(
        "group",
        Level::Must,
        &["cast_value.exact"],
        members(json!({"op": "cast_value.encode", "configuration": r#"{"data_type":"int8"}"#})),
    );
    fill(group);
    let files = vec![(file, String::new())];
    Suite {
        manifest: Manifest::of(&files),
        files,
    }
}

/// Adds a case with this input and expectation.
pub(crate) fn case(group: &mut Group, id: &str, input: &[u8], expect: Expect) {
    let request = members(json!({"input": array_to_json(&bytes(input))}));
    group.case(id, &[], request, expect);
}

/// Adds a case whose input is every uint8.
pub(crate) fn sweep(group: &mut Group, id: &str, expect: Expect) {
    let request = members(json!({"input": sweep_input(DataType::Uint8, &[(0, 255)])}));
    group.case(id, &[], request, expect);
}

/// Returns an expected int8 output.
pub(crate) fn output(data: &[u8]) -> Expect {
    Expect::output(&int8(data))
}

/// Returns a one-dimensional int8 array.
pub(crate) fn int8(data: &[u8]) -> Array {
    let shape = vec![data.len() as u64];
    Array::new(DataType::Int8, shape, data.to_vec()).expect("an array")
}

/// A cast from uint8 to int8 with faults: it panics at 100, answers `unsupported` at 101 and `error` at 102, turns 103
/// into 7, and rejects values from 128 upwards, except for 200.
pub(crate) struct Faulty;

impl Codecs for Faulty {
    fn hello(&self) -> Hello {
        Hello::new("faulty", "1.0", "rust").offering_part(
            "cast_value.encode",
            &[("from", vec!["uint8".into()]), ("to", vec!["int8".into()])],
        )
    }

    fn call(&self, call: &Call) -> Outcome {
        match call {
            Call::Encode(Codec::CastValue(codec), input) => Ok(self.cast(codec, input)?.into()),
            call => call.not_offered(),
        }
    }
}

impl Faulty {
    fn cast(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        let mut data = Vec::new();
        for (index, bits) in input.components().enumerate() {
            match bits {
                100 => panic!("element {index} is 100"),
                101 => return Err(Fault::Unsupported("no 101 here".into())),
                102 => return Err(Fault::Error("the adapter lost its way".into())),
                103 => data.push(7),
                200 => data.push(0xc8),
                0..128 => data.push(input.data()[index]),
                _ => {
                    return Err(Rejection::new(
                        Reason::OutOfRange,
                        "cast_value.range.error",
                        format!("{bits} is out of range"),
                    )
                    .at_element(index as u64)
                    .into());
                }
            }
        }
        Ok(Array::new(codec.encoded, input.shape().to_vec(), data)?)
    }
}

/// Runs all cases with [`Faulty`].
pub(crate) fn run_faulty(suite: &Suite, selection: &Selection) -> Result<Report, String> {
    let make: Factory<'_> = &|| Box::new(InProcess::new(Arc::new(Faulty)));
    run::run(suite, selection, make, run::in_process_workers(), &|| {})
}
