//! What every mutant must be before it is worth anything: different from the reference, in the
//! way that it says, and named after clauses that exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use exactum_conformance::model::ArrayToBytes;
use exactum_conformance::vectors::spec;
use exactum_conformance::{Answer, Request};
use exactum_reference::chain::{Reference, Steps};

use super::{Coder, Mutated, NONE, Overrides, SdsFaults, all, witness};

fn answer(implementation: Mutated, request: &Request) -> Answer {
    let mut implementation = implementation.implementation();
    implementation.call(request).expect("an answer")
}

/// Every witness is a request that the reference and the mutant understand and answer
/// differently. And the base of all mutants is right: with overrides that repeat the reference it
/// is answered as by the reference.
#[test]
fn witnesses_tell_mutants_from_the_reference() {
    let repeated = Mutated::new("repeated", repeating());
    let result = |answer: &Answer| match answer {
        Answer::Ok(success) => Some(success.clone()),
        Answer::Reject(_) => None,
        other => panic!("{other:?}"),
    };
    let mut alike = Vec::new();
    for mutant in all() {
        let name = mutant.name;
        let request = witness::request(mutant.witness);
        let request = request.unwrap_or_else(|error| panic!("{name}: {error}"));
        let op = request.op();
        assert!(mutant.overrides.touches(op), "{name}: {op} is not touched");
        let right = answer(Mutated::right(), &request);
        let wrong = answer(mutant.codecs(), &request);
        let same = answer(repeated.clone(), &request);
        assert_eq!(result(&right), result(&same), "{name}");
        if result(&right) == result(&wrong) {
            alike.push(name);
        }
    }
    assert!(alike.is_empty(), "witnesses tell nothing of {alike:?}");
}

/// Every part as the reference has it.
fn repeating() -> Overrides {
    fn coder<C: Copy>(codec: fn(C) -> ArrayToBytes) -> Coder<C> {
        Coder::NONE
            .encoding(move |it, array| Reference.to_bytes(&codec(*it), array))
            .decoding(move |it, shape, bytes| Reference.to_array(&codec(*it), shape, bytes))
    }
    Overrides {
        element: Some((
            "every codec",
            Arc::new(|codec, direction, bits| Some(Reference.element(codec, direction, bits))),
        )),
        fill: Some(Arc::new(|it| Some(it.of(it.before)))),
        bytes: coder(ArrayToBytes::Bytes),
        packbits: coder(ArrayToBytes::PackBits),
        zfp: coder(ArrayToBytes::Zfp),
        view: Some(Arc::new(|view, source| {
            Some(exactum_reference::downsample::read(view, source))
        })),
        texts: Some(Arc::new(|view, source| {
            Some(exactum_reference::downsample::read_texts(view, source))
        })),
        resolved: Some(|_, _, _| ()),
        sds: SdsFaults {
            answer: Some(Arc::new(|_, right| right)),
            lowered: Some(|_, right| right),
            mask: Some(|_, right| right),
            untold: None,
            planned: Some(Arc::new(|_, right| right)),
            codecs: Some(|_, _| ()),
        },
        ..NONE
    }
}

#[test]
fn names_are_unique_and_plain() {
    let mut names = BTreeSet::new();
    for mutant in all() {
        let name = mutant.name;
        assert!(names.insert(name), "{name} stands twice");
        let plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
        assert!(name.bytes().all(plain), "{name}");
        assert!(!mutant.breaks.is_empty(), "{name} breaks nothing");
        assert!(mutant.fault.ends_with('.'), "{name}: {}", mutant.fault);
    }
}

#[test]
fn clauses_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let clauses = spec::clauses(&root).expect("the specification");
    for mutant in all() {
        for id in mutant.breaks {
            let exists = clauses.iter().any(|clause| clause.id == *id);
            assert!(exists, "{}: no clause {id}", mutant.name);
        }
    }
}
