//! Views of non-numeric elements. Elements are moved by their places in the source. If elements have to be
//! compared, they are numbered in their order, and the numbers are downsampled.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::slice;

use exactum_model::{
    Array, DataType, Domain, Downsample, Json, Level, Method, Placed, Rejection, Source, Text,
    Texts,
};

use super::{How, View, select};

/// Reads a view of non-numeric elements: applies its levels one after another, and then the transform to the
/// last one. Among equal JSON values in different notation, any notation may be returned
/// (downsample.mode.json).
///
/// # Errors
/// The rejections of [`Downsample::answer_of_texts`] and [`Texts::pick`].
///
/// ```
/// use exactum_optimized::downsample;
/// use exactum_optimized::model::{Domain, Downsample, Level, Method, Text, TextType, Texts};
///
/// let elements = ["b", "a", "b"].map(|text| Text::String(text.into())).to_vec();
/// let texts = Texts::new(TextType::String, Domain::of_shape(&[3])?, elements)?;
/// let view = Downsample { levels: vec![Level::new(vec![3], Method::Mode)?], transform: None };
/// let read = downsample::read_texts(&view, &texts)?;
/// assert_eq!(read.elements(), [Text::String("b".into())]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn read_texts(view: &Downsample, source: &Texts) -> Result<Texts, Rejection> {
    read_at(How::best(), view, source)
}

pub(crate) fn read_at(how: How, view: &Downsample, source: &Texts) -> Result<Texts, Rejection> {
    let (domains, result) = view.answer_of_texts(source)?;
    let compares = |level: &Level| level.method() == Method::Mode && !level.is_identity();
    let order = view
        .levels
        .iter()
        .any(compares)
        .then(|| Order::of(source.elements()));
    let all = 0..source.elements().len() as u64;
    let mut places = numbers(&domains[0], all)?;
    for (level, domain) in view.levels.iter().zip(&domains[1..]) {
        let read = |numbers: &Placed| View::at(how, numbers, level)?.read(domain);
        places = match &order {
            Some(order) if compares(level) => {
                let components = places.array().components();
                let ranks = components.map(|place| order.ranks[index(place)]);
                let ranks = read(&numbers(&places.domain(), ranks)?)?;
                let first = ranks.components().map(|rank| order.places[index(rank)]);
                numbers(domain, first)?
            }
            _ => Placed::new(read(&places)?, domain.origin().to_vec())?,
        };
    }
    let places = match &view.transform {
        Some(transform) => select::select(transform, &places)?,
        None => places.array().clone(),
    };
    let places: Vec<usize> = places.components().map(index).collect();
    source.pick(result, &places)
}

/// Returns numbers at the positions of a box.
fn numbers(domain: &Domain, numbers: impl IntoIterator<Item = u64>) -> Result<Placed, Rejection> {
    let array = Array::from_components(DataType::Uint64, domain.shape().to_vec(), numbers)?;
    Placed::new(array, domain.origin().to_vec())
}

/// Converts a number back to an index.
fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The order of elements, in which equal elements have the same number.
struct Order {
    /// The number of each element.
    ranks: Vec<u64>,
    /// The place of the first element with each number.
    places: Vec<u64>,
}

impl Order {
    fn of(elements: &[Text]) -> Self {
        let keys: Vec<Cow<'_, [u8]>> = elements.iter().map(key).collect();
        let mut sorted: Vec<usize> = (0..keys.len()).collect();
        // Equal elements keep their order.
        sorted.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
        let mut order = Self {
            ranks: vec![0; keys.len()],
            places: Vec::new(),
        };
        for run in sorted.chunk_by(|&a, &b| keys[a] == keys[b]) {
            for &place in run {
                order.ranks[place] = order.places.len() as u64;
            }
            order.places.push(run[0] as u64);
        }
        order
    }
}

/// Returns bytes with the same order as the elements of a data type (downsample.mode.texts,
/// downsample.mode.others).
fn key(element: &Text) -> Cow<'_, [u8]> {
    match element {
        Text::Byte(byte) => slice::from_ref(byte).into(),
        // The bytes of UTF-8 have the same order as the characters.
        Text::String(text) => text.as_bytes().into(),
        Text::Json(json) => {
            let mut key = Vec::new();
            push_json(&mut key, &json.value);
            key.into()
        }
    }
}

/// Appends bytes with the same order as JSON values (downsample.mode.json). No value's bytes are a prefix of
/// another's, so that following bytes are compared only if these are equal.
fn push_json(key: &mut Vec<u8>, value: &Json) {
    match value {
        Json::Null => key.push(0),
        Json::Bool(false) => key.push(1),
        Json::Bool(true) => key.push(2),
        Json::Number(number) => {
            key.push(3);
            let sign = match (number.digits(), number.is_negative()) {
                ("", _) => 1,
                (_, true) => 0,
                (_, false) => 2,
            };
            key.push(sign);
            // A larger number comes later: the sign bit of the exponent is inverted, digits are followed by a
            // byte that is less than any digit, and everything is inverted for negative numbers.
            let turned = if sign == 0 { u8::MAX } else { 0 };
            let exponent = (number.exponent() ^ i64::MIN).to_be_bytes();
            let bytes = exponent.into_iter().chain(number.digits().bytes());
            key.extend(bytes.chain([0]).map(|byte| byte ^ turned));
        }
        Json::Object(members) => {
            key.push(4);
            for (name, value) in members {
                key.push(1);
                push_string(key, name);
                push_json(key, value);
            }
            key.push(0);
        }
        Json::Array(elements) => {
            key.push(5);
            for element in elements {
                key.push(1);
                push_json(key, element);
            }
            key.push(0);
        }
        Json::String(text) => {
            key.push(6);
            push_string(key, text);
        }
    }
}

/// Appends the bytes of a string. Each zero byte is followed by a byte that is greater than the end.
fn push_string(key: &mut Vec<u8>, text: &str) {
    for byte in text.bytes() {
        key.push(byte);
        if byte == 0 {
            key.push(u8::MAX);
        }
    }
    key.extend([0, 0]);
}
