//! Views of non-numeric elements.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use exactum_model::{Decimal, Domain, Downsample, Json, Level, Method, Rejection, Text, Texts};

/// Reads a view of non-numeric elements. Its levels are computed one after another, and the transform then selects
/// elements of the last level.
///
/// # Errors
/// The rejections of [`Downsample::answer_of_texts`] and [`Texts::pick`].
pub fn read(view: &Downsample, source: &Texts) -> Result<Texts, Rejection> {
    let (domains, result) = view.answer_of_texts(source)?;
    // Each level consists of elements of the source, which are represented by their indices there.
    let mut level = Places {
        domain: source.domain().clone(),
        places: (0..source.elements().len()).collect(),
    };
    for (asked, domain) in view.levels.iter().zip(&domains[1..]) {
        level = level.downsampled(asked, domain, source.elements());
    }
    if let Some(transform) = &view.transform {
        let positions = transform.domain().positions();
        level.places = positions
            .map(|position| level.at(&transform.apply(&position)))
            .collect();
    }
    source.pick(result, &level.places)
}

/// For each position of a box, in C order, the index of an element of the source.
struct Places {
    domain: Domain,
    places: Vec<usize>,
}

impl Places {
    /// Returns the index of the source element at a position, which must be in the box.
    fn at(&self, position: &[i64]) -> usize {
        self.domain
            .place(position)
            .map_or(0, |place| self.places[place])
    }

    fn downsampled(&self, level: &Level, domain: &Domain, elements: &[Text]) -> Self {
        let one = |position: Vec<i64>| {
            let block = level.block(&self.domain, &position);
            let places: Vec<usize> = block.positions().map(|at| self.at(&at)).collect();
            match level.method() {
                Method::Mode if !level.is_identity() => mode(&places, elements),
                // A single element is returned unchanged (downsample.stride, downsample.identity).
                _ => places[0],
            }
        };
        Self {
            domain: domain.clone(),
            places: domain.positions().map(one).collect(),
        }
    }
}

/// Returns the index of the most frequent element. If several elements are equally frequent, the smallest of them
/// is the mode (downsample.mode, downsample.mode.texts, downsample.mode.others). Of equal elements, the first is
/// returned.
fn mode(places: &[usize], elements: &[Text]) -> usize {
    let order = |a: &usize, b: &usize| compare(&elements[*a], &elements[*b]);
    let mut sorted = places.to_vec();
    sorted.sort_by(order);
    let runs = sorted.chunk_by(|a, b| order(a, b) == Ordering::Equal);
    // `max_by_key` returns the last of the longest runs, so the runs are reversed to find the smallest element.
    let longest = runs.rev().max_by_key(|run| run.len());
    longest.map_or(places[0], |run| run[0])
}

/// Compares two elements of the same data type.
fn compare(a: &Text, b: &Text) -> Ordering {
    match (a, b) {
        // Elements of `byte` and `char` are ordered from 0 to 255.
        (Text::Byte(a), Text::Byte(b)) => a.cmp(b),
        (Text::String(a), Text::String(b)) => compare_strings(a, b),
        (Text::Json(a), Text::Json(b)) => compare_json(&a.value, &b.value),
        // All elements of an array have the same data type.
        _ => Ordering::Equal,
    }
}

/// Compares two strings by the code points of their characters. If one is a prefix of the other, the shorter is
/// smaller. The bytes of UTF-8 have the same order.
fn compare_strings(a: &str, b: &str) -> Ordering {
    a.chars().cmp(b.chars())
}

/// Compares two JSON values by kind, then by value (downsample.mode.json).
fn compare_json(a: &Json, b: &Json) -> Ordering {
    match (a, b) {
        (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
        (Json::Number(a), Json::Number(b)) => compare_numbers(a, b),
        (Json::Object(a), Json::Object(b)) => compare_objects(a, b),
        (Json::Array(a), Json::Array(b)) => {
            let pairs = a.iter().zip(b);
            let first = pairs.map(|(a, b)| compare_json(a, b));
            first_difference(first).then(a.len().cmp(&b.len()))
        }
        (Json::String(a), Json::String(b)) => compare_strings(a, b),
        _ => kind(a).cmp(&kind(b)),
    }
}

fn kind(value: &Json) -> u8 {
    match value {
        Json::Null => 0,
        Json::Bool(_) => 1,
        Json::Number(_) => 2,
        Json::Object(_) => 3,
        Json::Array(_) => 4,
        Json::String(_) => 5,
    }
}

/// Compares two objects member by member, in the order of the names. Members are compared by name, then by value.
fn compare_objects(a: &BTreeMap<String, Json>, b: &BTreeMap<String, Json>) -> Ordering {
    let pairs = a.iter().zip(b);
    let first = pairs.map(|((name_a, a), (name_b, b))| {
        compare_strings(name_a, name_b).then_with(|| compare_json(a, b))
    });
    first_difference(first).then(a.len().cmp(&b.len()))
}

fn first_difference(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    let different = orders.find(|order| *order != Ordering::Equal);
    different.unwrap_or(Ordering::Equal)
}

/// Compares two numbers exactly, by value.
fn compare_numbers(a: &Decimal, b: &Decimal) -> Ordering {
    let sign = |number: &Decimal| match (number.is_negative(), number.digits()) {
        (_, "") => 0,
        (true, _) => -1,
        (false, _) => 1,
    };
    let magnitude = || {
        // In both numbers, the first digit that is not zero directly follows the point.
        let exponents = a.exponent().cmp(&b.exponent());
        exponents.then_with(|| a.digits().cmp(b.digits()))
    };
    sign(a).cmp(&sign(b)).then_with(|| match sign(a) {
        0 => Ordering::Equal,
        1 => magnitude(),
        _ => magnitude().reverse(),
    })
}
