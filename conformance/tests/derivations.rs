//! Derivations end in what the vectors expect, and state the reason.

use exactum_conformance::Request;
use exactum_conformance::checkout::Checkout;
use exactum_conformance::report::derivation;
use exactum_conformance::run::request_of;
use exactum_vectors::{Expect, array_from_json, hex};
use serde_json::{Value, json};

/// The number of elements of a case whose derivations are compared.
const ELEMENTS: usize = 12;

/// Returns the derivation of an element as `exactum explain` prints it.
fn text(request: &Request, place: usize) -> String {
    let (place, steps) = derivation(request, Some(place)).expect("this is derived");
    let mut text = String::new();
    for step in steps {
        text.push_str(&format!("element {place}: {}\n", step.title));
        for (name, fact) in step.facts {
            text.push_str(&format!("  {name:<12} {fact}\n"));
        }
    }
    text
}

#[test]
fn a_derivation_names_the_neighbours_and_the_rule() {
    fn check(op: &str, configuration: Value, data_type: &str, data: &str) -> String {
        let request = json!({
            "op": op, "configuration": configuration.to_string(),
            "input": { "data_type": data_type, "shape": [1], "data": data },
        });
        let members = request.as_object().expect("an object").clone();
        format!(
            "{op} {configuration}\n{}\n",
            text(&Request::new(members), 0)
        )
    }
    let cast = "cast_value.encode";
    let scale = "scale_offset.encode";
    let all = [
        check(cast, json!({"data_type": "int8"}), "float32", "0000fd42"),
        check(
            cast,
            json!({"data_type": "float16", "rounding": "towards-zero"}),
            "float64",
            "9a9999999999b93f",
        ),
        check(
            cast,
            json!({"data_type": "int8", "out_of_range": "clamp"}),
            "float32",
            "0000167f",
        ),
        check(
            cast,
            json!({"data_type": "uint8", "out_of_range": "wrap"}),
            "int16",
            "ffff",
        ),
        check(cast, json!({"data_type": "uint8"}), "int16", "ffff"),
        check(cast, json!({"data_type": "int8"}), "float32", "0000c07f"),
        check(
            cast,
            json!({"data_type": "int8", "scalar_map": {"encode": [["NaN", -128]]}}),
            "float32",
            "0000c07f",
        ),
        check(
            cast,
            json!({"data_type": "float32"}),
            "float64",
            "0000000000003640",
        ),
        check(
            scale,
            json!({"offset": 5, "scale": 0.1}),
            "float32",
            "0000c040",
        ),
        check(scale, json!({"offset": 100, "scale": 2}), "int8", "9c"),
        check("scale_offset.decode", json!({"scale": -2}), "int2", "01"),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn a_derivation_ends_in_what_is_expected() {
    let checkout = Checkout::find().expect("the tests run in a checkout");
    let suite = checkout.suite().expect("the vectors can be read");
    let (mut compared, mut rejected) = (0, 0);
    let groups = suite.files.iter().flat_map(|(file, _)| &file.groups);
    for group in groups {
        for case in group.cases.iter().step_by(5) {
            let request = request_of(group, case).expect("a request");
            let derived = |place| derivation(&request, Some(place));
            let result = |place| {
                let (_, steps) = derived(place)?;
                let (_, fact) = steps.last()?.facts.last()?.clone();
                Some(fact)
            };
            let Some(input) = request.input().filter(|_| derived(0).is_some()) else {
                continue;
            };
            let places = 0..input.len().min(ELEMENTS);
            let id = group.case_id(case);
            match &case.expect {
                Expect::Ok(members) => {
                    let Some(output) = members
                        .get("output")
                        .and_then(|it| array_from_json(it).ok())
                    else {
                        continue;
                    };
                    for place in places {
                        let mut bytes = output.element(place).to_bytes();
                        bytes.reverse();
                        let hex = format!("0x{}", hex::encode(bytes));
                        let result = result(place).expect("a result");
                        let is_nan = result.starts_with("NaN ");
                        assert!(
                            result.contains(&hex) || is_nan,
                            "{id}, element {place}: {result}, expected {hex}"
                        );
                        compared += 1;
                    }
                }
                Expect::Reject(_) if input.len() <= ELEMENTS => {
                    let all: Vec<String> = places.filter_map(result).collect();
                    let is_rejected = |it: &String| it.starts_with("rejected (");
                    let is_right = match case.per_element {
                        true => all.iter().all(is_rejected),
                        false => all.iter().any(is_rejected),
                    };
                    assert!(is_right, "{id}: {all:?}");
                    rejected += 1;
                }
                _ => {}
            }
        }
    }
    assert!(compared > 10_000, "{compared} derivations were compared");
    assert!(rejected > 100, "{rejected} rejections were derived");
}
