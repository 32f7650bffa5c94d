//! Tests the JSON scanner and all readers of documents: they never panic, every place lies within the text,
//! and they accept as JSON exactly what serde_json accepts.

#![no_main]

use exactum_metadata::{Accepted, Diagnostic, Document, DocumentKind, Report, modernize};
use serde_json::value::RawValue;

/// Checks that the places of a diagnostic can be shown.
fn check(input: &[u8], diagnostic: &Diagnostic) {
    let places = diagnostic.related.iter().map(|related| &related.place);
    for place in places.chain([&diagnostic.place]) {
        assert!(
            place.start <= place.end && place.end <= input.len(),
            "{diagnostic:?}"
        );
    }
}

/// Reads a document of the given kind. Returns its first error, or all of its errors.
fn read(input: &[u8], kind: DocumentKind, all: bool) -> Result<(), Report> {
    let mut document = Document::scan_as(input, kind)?;
    if all {
        document = document.all_errors();
    }
    match kind {
        DocumentKind::Array => document.array(Accepted::All).map(drop),
        DocumentKind::Group => document.group().map(drop),
        DocumentKind::Downsample => document.view(None).map(drop),
        DocumentKind::Sds => document.data_sets(None).map(drop),
        DocumentKind::Cf => document.variable().map(drop),
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let is_json = serde_json::from_slice::<&RawValue>(input).is_ok();
    if let Err(report) = Document::scan(input) {
        let fault = &report.listed[0];
        // A lone surrogate is JSON according to the grammar, but is not a character.
        let grammar = fault.rejection.clause == "chain.json";
        let surrogate = fault.rejection.message.contains("surrogate");
        assert!(!grammar || surrogate || !is_json, "{fault:?}");
    } else {
        assert!(is_json, "a document that is not JSON was accepted");
    }
    for kind in DocumentKind::ALL {
        match (read(input, kind, false), read(input, kind, true)) {
            (Ok(()), Ok(())) => {}
            (Err(first), Err(all)) => {
                let faults = first.listed.iter().chain(&all.listed);
                faults.for_each(|fault| check(input, fault));
                let is_listed = all.listed.contains(&first.listed[0]);
                assert!(
                    is_listed || !all.more_errors.is_empty(),
                    "{first:?} {all:?}"
                );
            }
            (one, other) => panic!("{kind:?} {one:?} {other:?}"),
        }
    }
    if let Ok(document) = Document::scan_as(input, DocumentKind::Array)
        && let Err(report) = document.numbers()
    {
        report.listed.iter().for_each(|fault| check(input, fault));
    }
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    match modernize(text) {
        Ok(modernized) => {
            let again = modernize(&modernized.text).expect("the modernized text is a document");
            assert_eq!(again.text, modernized.text);
        }
        Err(report) => report.listed.iter().for_each(|fault| check(input, fault)),
    }
});
