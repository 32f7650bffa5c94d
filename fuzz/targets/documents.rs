//! The scanner of JSON and every reader of documents: nothing panics, places lie in the text, and what is JSON or
//! not is what serde_json takes for it.

#![no_main]

use exactum_metadata::downsample::{diagnose_downsample, judge_downsample};
use exactum_metadata::sds::{diagnose_sds, judge_sds};
use exactum_metadata::{
    Diagnostic, diagnose_array, diagnose_group, is_group, judge_array, judge_group,
    judge_whole_array, modernize,
};
use serde_json::value::RawValue;

/// A diagnostic whose places can be shown.
fn check(input: &[u8], diagnostic: &Diagnostic) {
    let places = diagnostic.related.iter().map(|related| &related.place);
    for place in places.chain([&diagnostic.place]) {
        assert!(
            place.start <= place.end && place.end <= input.len(),
            "{diagnostic:?}"
        );
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let is_json = serde_json::from_slice::<&RawValue>(input).is_ok();
    match judge_array(input) {
        Ok(_) => assert!(is_json, "it was read, and is not JSON"),
        Err(fault) => {
            check(input, &fault);
            // A lone surrogate is JSON by its grammar, and no character.
            let grammar = fault.rejection.clause == "chain.json";
            let surrogate = fault.rejection.message.contains("surrogate");
            assert!(!grammar || surrogate || !is_json, "{fault:?}");
        }
    }
    match (judge_array(input), judge_whole_array(input)) {
        (Ok(_), Ok(_)) => {}
        (Err(first), Err(all)) => {
            all.listed.iter().for_each(|fault| check(input, fault));
            let is_listed = all.listed.contains(&first);
            assert!(is_listed || !all.more.is_empty(), "{first:?} {all:?}");
        }
        (one, other) => panic!("{one:?} {other:?}"),
    }
    let _ = is_group(input);
    let judged = [
        judge_group(input).err(),
        judge_downsample(input).err(),
        judge_sds(input).err(),
    ];
    for faults in judged.into_iter().flatten() {
        faults.listed.iter().for_each(|fault| check(input, fault));
    }
    for fault in [diagnose_array(input).err(), diagnose_group(input).err()] {
        if let Some(fault) = fault {
            check(input, &fault);
        }
    }
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    for fault in [diagnose_sds(text).err(), diagnose_downsample(text).err()] {
        if let Some(fault) = fault {
            check(input, &fault);
        }
    }
    match modernize(text) {
        Ok(modernized) => {
            let again = modernize(&modernized.text).expect("what was modernized is a document");
            assert_eq!(again.text, modernized.text);
        }
        Err(faults) => faults.iter().for_each(|fault| check(input, fault)),
    }
});
