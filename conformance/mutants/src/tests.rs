//! Requirements on every mutant: it equals the reference except for its fault, and names clauses that exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use exactum_conformance::model::ArrayToBytes;
use exactum_conformance::run::request_of;
use exactum_conformance::vectors::{Suite, spec};
use exactum_conformance::{Answer, Codecs};
use exactum_reference::chain::{Reference, Steps};

use super::{Coder, Mutated, NONE, Overrides, SdsFaults, all};

/// The base of all mutants is right: with overrides that repeat the reference, the first case of every tenth group gets
/// the same answer as from the reference.
#[test]
fn overrides_that_repeat_the_reference_are_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let suite = Suite::load(&root.join("vectors")).expect("the vectors");
    let repeated = Mutated::new("repeated", repeating());
    let groups = suite.files.iter().flat_map(|(file, _)| &file.groups);
    let mut compared = 0;
    for group in groups.step_by(10) {
        let request = request_of(group, &group.cases[0]).expect("a request");
        let Ok(call) = request.call() else { continue };
        let right: Answer = Mutated::right().call(call).into();
        let same: Answer = repeated.call(call).into();
        assert_eq!(right, same, "{}", group.case_id(&group.cases[0]));
        compared += 1;
    }
    assert!(compared > 100, "only {compared} cases");
}

/// Overrides every part with the reference's own behaviour.
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
            omitted: None,
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
        assert!(names.insert(name), "{name} is used twice");
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
