//! Mutants of views of elements that are not numbers. They compare elements as if they were others, or reduce blocks in
//! another way.

mod taken;

use std::cmp::Ordering;
use std::sync::Arc;

use exactum_conformance::Request;
use exactum_conformance::model::{
    Array, DataType, Domain, Downsample, Level, Method, Placed, Rejection, Source, Text, Texts,
};
use exactum_reference::Reference;
use exactum_reference::downsample::{Downsampling, read_texts, read_with};
use serde_json::{Map, Value};

use super::reader::{Block, Made};
use super::{blocks, where_rejected};
use crate::{Mutant, NONE, Overrides, Wrong, misread, mutant, reject};
use taken::*;

/// Compares elements as if they were others when the mode is determined.
fn taken_for(taken: Taken) -> Overrides {
    overrides(move |view, texts| {
        let elements = texts.elements().iter().map(|it| taken.of(it));
        Some(read_ranked(view, texts, elements.collect(), &Reference))
    })
}

/// Reduces blocks with wrong decisions; the bits of a block are the ranks of its elements.
fn reduced(wrong: impl Downsampling + Send + Sync + 'static) -> Overrides {
    overrides(move |view, texts| {
        let elements = texts.elements().to_vec();
        Some(read_ranked(view, texts, elements, &wrong))
    })
}

/// Does not enforce a clause: requests that it rejects are answered with the base.
fn unchecked(clause: &'static str) -> Overrides {
    overrides(move |view, texts| match view.answer_of_texts(texts) {
        Err(rejection) if rejection.clause == clause => Some(Ok(texts.clone())),
        _ => None,
    })
}

/// Detects too late that an answer is too large.
fn unlimited() -> Overrides {
    overrides(|view, texts| match read_texts(view, texts) {
        Err(rejection) if rejection.clause == "downsample.limit" => Some(Ok(texts.clone())),
        _ => None,
    })
}

/// Rejects all views of such elements.
fn refused() -> Overrides {
    overrides(|_, _| reject())
}

pub(super) fn overrides(
    part: impl Fn(&Downsample, &Texts) -> Wrong<Texts> + Send + Sync + 'static,
) -> Overrides {
    Overrides {
        texts: Some(Arc::new(part)),
        ..NONE
    }
}

/// Reads a view of the ranks that elements have when they are compared as if they were others.
pub(super) fn read_ranked(
    view: &Downsample,
    texts: &Texts,
    taken: Vec<Text>,
    by: &dyn Downsampling,
) -> Result<Texts, Rejection> {
    let (_, result) = view.answer_of_texts(texts)?;
    let order = |a: &Text, b: &Text| order(texts, a, b);
    let mut sorted: Vec<usize> = (0..taken.len()).collect();
    sorted.sort_by(|&a, &b| order(&taken[a], &taken[b]));
    let mut ranks = vec![0; taken.len()];
    let mut first = Vec::new();
    for run in sorted.chunk_by(|&a, &b| taken[a] == taken[b]) {
        for &place in run {
            ranks[place] = first.len() as u64;
        }
        first.push(run[0]);
    }
    let domain = texts.domain();
    let ranks = Array::from_components(DataType::Uint64, domain.shape().to_vec(), ranks)?;
    let ranks = Placed::new(ranks, domain.origin().to_vec())?;
    let read = read_with(by, view, &ranks)?;
    let rank = |rank: u64| usize::try_from(rank).ok().and_then(|rank| first.get(rank));
    // The result of reducing a block may not be a valid rank.
    let places = read.array().components();
    let places: Vec<usize> = places.map(|it| rank(it).copied().unwrap_or(0)).collect();
    debug_assert_eq!(read.domain(), result);
    texts.pick(result, &places)
}

/// Orders two elements as the reference does: the mode of both is the smaller one.
fn order(texts: &Texts, a: &Text, b: &Text) -> Ordering {
    let smaller = || {
        let domain = Domain::of_shape(&[2]).ok()?;
        let both = Texts::new(texts.data_type(), domain, vec![a.clone(), b.clone()]).ok()?;
        let level = Level::new(vec![2], Method::Mode).ok()?;
        let view = Downsample {
            levels: vec![level],
            transform: None,
        };
        Some(read_texts(&view, &both).ok()?.elements()[0] == *a)
    };
    match smaller() {
        _ if a == b => Ordering::Equal,
        Some(true) => Ordering::Less,
        _ => Ordering::Greater,
    }
}

/// Replaces a value that is not JSON.
fn null_for_what_is_none(members: &mut Map<String, Value>) {
    let values = members
        .get_mut("input")
        .and_then(|input| input.get_mut("values"));
    for value in values.and_then(Value::as_array_mut).into_iter().flatten() {
        let text = value.as_str().unwrap_or_default();
        if exactum_conformance::vectors::read_json(text).is_err() {
            *value = "null".into();
        }
    }
}

/// Returns the first element of a block.
fn first(block: &Block) -> Option<Vec<u64>> {
    block.bits.first().map(|&place| vec![place])
}

pub(super) fn mutants() -> Vec<Mutant> {
    [modes_of_texts(), modes_of_json()].concat()
}

#[rustfmt::skip] // A table.
fn modes_of_texts() -> Vec<Mutant> {
    vec![
        mutant("downsample-texts-refused", "downsample.data_types.texts",
            "Elements that are not numbers have no views.",
            refused()),
        mutant("downsample-texts-averaged", "downsample.data_types",
            "Elements without a mean are returned as they are.",
            unchecked("downsample.data_types")),
        mutant("downsample-texts-unlimited", "downsample.limit",
            "A result that is too large is replaced by a smaller one.",
            unlimited()),
        mutant("downsample-texts-first", "downsample.mode",
            "The first element of a block is its mode.",
            reduced(Made(first))),
        mutant("downsample-texts-smallest", "downsample.mode",
            "The smallest element is the mode.",
            reduced(Made(blocks::smallest))),
        mutant("downsample-texts-tie-largest", "downsample.mode.texts downsample.mode.others",
            "Of several modes, the largest is chosen.",
            reduced(blocks::LargestOfTie)),
        mutant("downsample-texts-tie-first", "downsample.mode.texts downsample.mode.others",
            "Of several modes, the first is chosen (hash tables that keep their order).",
            reduced(Made(blocks::first_of_tie))),
        mutant("downsample-texts-by-length", "downsample.mode.texts",
            "Shorter strings come first.",
            taken_for(Taken::String(by_length))),
        mutant("downsample-texts-lower-case", "downsample.mode.texts",
            "Upper and lower case are the same.",
            taken_for(Taken::String(str::to_lowercase))),
        mutant("downsample-texts-units-of-utf16", "downsample.mode.texts.order",
            "Strings are sorted by the units of UTF-16 (JavaScript).",
            taken_for(Taken::String(units))),
        mutant("downsample-texts-trimmed", "downsample.mode",
            "Blanks at the end do not count.",
            taken_for(Taken::String(trimmed))),
        mutant("downsample-texts-end-at-nul", "downsample.mode downsample.mode.texts",
            "A string ends with its first NUL (C).",
            taken_for(Taken::String(to_the_first_nul))),
        mutant("downsample-texts-composed", "downsample.mode",
            "Normal forms of Unicode are the same.",
            taken_for(Taken::String(composed))),
        mutant("downsample-texts-as-numbers", "downsample.mode",
            "Strings of digits are numbers.",
            taken_for(Taken::String(as_numbers))),
        mutant("downsample-texts-cut", "downsample.mode",
            "Only the first 32 characters are compared.",
            taken_for(Taken::String(cut))),
        mutant("downsample-texts-signed-bytes", "downsample.mode.others",
            "Bytes have a sign (C's char on many machines).",
            taken_for(Taken::Byte(signed_bytes))),
    ]
}

#[rustfmt::skip] // A table.
fn modes_of_json() -> Vec<Mutant> {
    vec![
        mutant("downsample-json-spelling", "downsample.mode.json",
            "JSON values are compared by their spelling.",
            taken_for(Taken::Whole(spelling))),
        mutant("downsample-json-written-order", "downsample.mode.json",
            "The order of members counts.",
            taken_for(Taken::Whole(written_order))),
        mutant("downsample-json-binary64", "downsample.mode.json",
            "Numbers go through binary64.",
            taken_for(Taken::Number(binary64))),
        mutant("downsample-json-64-bits", "downsample.mode.json",
            "2^64 - 1 is -1 (TensorStore).",
            taken_for(Taken::Number(of_64_bits))),
        mutant("downsample-json-numbers-as-strings", "downsample.mode.json downsample.mode.others",
            "Numbers are compared as strings.",
            taken_for(Taken::Number(number_as_string))),
        mutant("downsample-json-whole", "downsample.mode.others",
            "Numbers are compared without their fractions.",
            taken_for(Taken::Number(without_fraction))),
        mutant("downsample-json-magnitude", "downsample.mode.json downsample.mode.others",
            "Numbers are compared without their signs.",
            taken_for(Taken::Number(magnitude))),
        mutant("downsample-json-truth-is-a-number", "downsample.mode.json",
            "False is 0 and true is 1 (Python).",
            taken_for(Taken::Json(truth_as_number))),
        mutant("downsample-json-empty-is-null", "downsample.mode.json",
            "Empty values are null.",
            taken_for(Taken::Json(empty_as_null))),
        mutant("downsample-json-lists-are-sets", "downsample.mode.json",
            "The order of a list does not count.",
            taken_for(Taken::Json(sorted_lists))),
        mutant("downsample-json-by-count", "downsample.mode.others",
            "Lists and objects are sorted by how many elements they have.",
            taken_for(Taken::Json(by_count))),
        mutant("downsample-json-keys-only", "downsample.mode.json downsample.mode.others",
            "Objects are compared by their keys.",
            taken_for(Taken::Json(keys_only))),
        mutant("downsample-json-values-first", "downsample.mode.others",
            "Objects are sorted by their values.",
            taken_for(Taken::Json(values_first))),
        mutant("downsample-json-keys-in-lower-case", "downsample.mode.json",
            "The case of a key does not count.",
            taken_for(Taken::Json(keys_in_lower_case))),
        mutant("downsample-json-kinds-by-size", "downsample.mode.others",
            "Strings come before lists, and lists before objects.",
            taken_for(Taken::Kind(kinds_by_size))),
        mutant("downsample-json-lists-before-objects", "downsample.mode.others",
            "Lists come before objects.",
            taken_for(Taken::Kind(lists_before_objects))),
        mutant("downsample-json-numbers-before-truths", "downsample.mode.others",
            "Numbers come before truth values.",
            taken_for(Taken::Kind(numbers_before_truths))),
        mutant("downsample-json-null-last", "downsample.mode.others",
            "Null comes last (SQL).",
            taken_for(Taken::Kind(null_last))),
        mutant("downsample-json-true-first", "downsample.mode.others",
            "True comes before false.",
            taken_for(Taken::Json(true_first))),
        misread("downsample-json-unchecked", "downsample.json",
            "An element that is not JSON is read as null.",
            |request: &mut Request| where_rejected(request, "downsample.json", null_for_what_is_none)),
    ]
}
