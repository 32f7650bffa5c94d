//! What every mutant must be before it is worth anything: different from the reference, in the
//! way that it says, and named after clauses that exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use exactum_conformance::vectors::spec;
use exactum_conformance::{Answer, Implementation, InProcess};

use super::{Coder, Direction, Mutant, RIGHT, all, walk};
use crate::right;

/// Answers to the mutant's witness: the reference's and the mutant's.
fn answers(mutant: &Mutant) -> (Answer, Answer) {
    let request = mutant.witness.request().unwrap_or_else(|error| {
        panic!("{}: the witness: {error}", mutant.name);
    });
    assert!(
        mutant.touches(request.op()),
        "{}: {} is not touched",
        mutant.name,
        request.op()
    );
    let mut reference = InProcess::new(Arc::new(right()));
    let right = reference.call(&request).expect("an answer");
    let wrong = mutant.implementation().call(&request).expect("an answer");
    (right, wrong)
}

#[test]
fn every_mutant_differs_from_the_reference() {
    let same: Vec<&str> = all()
        .iter()
        .filter(|mutant| {
            let (right, wrong) = answers(mutant);
            right == wrong
        })
        .map(|mutant| mutant.name)
        .collect();
    assert_eq!(same, Vec::<&str>::new());
}

#[test]
fn witnesses_are_requests_that_the_reference_understands() {
    for mutant in all() {
        let (right, wrong) = answers(&mutant);
        for answer in [right, wrong] {
            assert!(
                matches!(answer, Answer::Ok(_) | Answer::Reject(_)),
                "{}: {answer:?}",
                mutant.name
            );
        }
    }
}

#[test]
fn names_are_unique_and_plain() {
    let mut names = BTreeSet::new();
    for mutant in all() {
        assert!(names.insert(mutant.name), "{} stands twice", mutant.name);
        assert!(
            mutant
                .name
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.')),
            "{}",
            mutant.name
        );
        assert!(!mutant.breaks.is_empty(), "{} breaks nothing", mutant.name);
        assert!(
            mutant.fault.ends_with('.'),
            "{}: {}",
            mutant.name,
            mutant.fault
        );
    }
}

#[test]
fn clauses_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let clauses = spec::clauses(&root).expect("the specification");
    for mutant in all() {
        for id in mutant.breaks {
            assert!(
                clauses.iter().any(|clause| clause.id == *id),
                "{}: no clause {id}",
                mutant.name
            );
        }
    }
}

/// The base of all mutants is right: with parts that repeat the reference, element by element,
/// every witness is answered as by the reference.
#[test]
fn without_a_fault_the_walk_is_the_reference() {
    let none = Mutant {
        name: "no-fault",
        breaks: &[],
        fault: "None.",
        parts: super::Parts {
            cast: Some(|codec, direction, bits| {
                let cast = match direction {
                    Direction::Encode => codec.encoding(),
                    Direction::Decode => codec.decoding(),
                };
                exactum_reference::cast_value::cast_element(&cast, bits)
            }),
            scale: Some(|codec, direction, bits| match direction {
                Direction::Encode => exactum_reference::scale_offset::encode_element(codec, bits),
                Direction::Decode => exactum_reference::scale_offset::decode_element(codec, bits),
            }),
            legacy: Some(|codec, direction, bits| match direction {
                Direction::Encode => {
                    exactum_reference::scale_offset::legacy::encode_element(codec, bits)
                }
                Direction::Decode => {
                    exactum_reference::scale_offset::legacy::decode_element(codec, bits)
                }
            }),
            fill: Some(|_, step, before| walk::fill(&RIGHT, step, before)),
            bytes: Coder {
                encode: Some(exactum_reference::bytes::encode),
                decode: Some(exactum_reference::bytes::decode),
            },
            packbits: Coder {
                encode: Some(exactum_reference::packbits::encode),
                decode: Some(exactum_reference::packbits::decode),
            },
            ..RIGHT
        },
        witness: all()[0].witness,
    };
    let kind = |answer: Answer| match answer {
        Answer::Reject(_) => None,
        answer => Some(answer),
    };
    for mutant in all() {
        let request = mutant.witness.request().expect("a witness");
        let mut reference = InProcess::new(Arc::new(right()));
        let expected = reference.call(&request).expect("an answer");
        let answer = none.implementation().call(&request).expect("an answer");
        assert_eq!(kind(expected), kind(answer), "{}", mutant.name);
    }
}
