//! Random changes to a request.

use exactum_conformance::Request;
use exactum_conformance::model::DataType;
use serde_json::{Map, Value, json};

use exactum_peers::random::Random;

/// The requests to mutate, and the texts in them from which pieces are taken.
pub(super) struct Corpus {
    requests: Vec<Request>,
    texts: Vec<String>,
}

/// Members whose text is a document.
const DOCUMENTS: &[&str] = &["configuration", "metadata", "document", "json"];

/// Values that are hard to parse or hard to reject.
const VALUES: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "1.0",
    "1e3",
    "1e400",
    "-1e-400",
    "1e999999999",
    "0.1",
    "null",
    "true",
    "false",
    "\"NaN\"",
    "\"Infinity\"",
    "\"-Infinity\"",
    "\"+Infinity\"",
    "\"0x00\"",
    "\"0x7ff8000000000001\"",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "[]",
    "{}",
    "[1, 2]",
    "{\"name\": \"bytes\"}",
    "\"int4\"",
    "\"float8_e8m0fnu\"",
    "\"complex64\"",
    "4294967296",
    "[4294967296, 4294967296]",
    "0.30000000000000004",
    "\"\\u004e\\u0061N\"",
    "\"clamp\"",
    "\"wrap\"",
    "\"towards-zero\"",
    "\"little\"",
    "\"big\"",
    "\"uint8\"",
    "\"float32\"",
];

/// Pieces of text that do not belong in a document.
const PIECES: &[&str] = &[
    "NaN",
    "[[[[",
    "]]",
    "{\"",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    ",",
    ":",
    "\u{feff}",
    "\u{fffd}",
    "\u{1f600}",
    " ",
    "\n",
    "\t",
    "\"configuration\": {}",
    "\"must_understand\": false",
];

impl Corpus {
    /// Returns a corpus of some requests.
    pub(super) fn new(requests: Vec<Request>) -> Self {
        let mut texts: Vec<String> = requests
            .iter()
            .flat_map(|request| DOCUMENTS.iter().filter_map(|key| request.text(key)))
            .map(str::to_owned)
            .collect();
        texts.sort();
        texts.dedup();
        Self { requests, texts }
    }

    /// Returns a request of the corpus, occasionally unchanged, and otherwise mutated up to four times.
    pub(super) fn bent(&self, random: &mut Random) -> Request {
        let mut request = random.pick(&self.requests).clone();
        if random.percent(5) {
            return request;
        }
        let bends = if random.percent(60) {
            1
        } else {
            1 + random.below(4)
        };
        for _ in 0..bends {
            self.bend(random, request.members_mut());
        }
        request
    }

    fn bend(&self, random: &mut Random, members: &mut Map<String, Value>) {
        let keys: Vec<String> = members.keys().filter(|key| *key != "op").cloned().collect();
        if keys.is_empty() {
            return;
        }
        let key = random.pick(&keys).clone();
        let Some(value) = members.get_mut(&key) else {
            return;
        };
        match (key.as_str(), &mut *value) {
            (key, Value::String(text)) if DOCUMENTS.contains(&key) => {
                *text = self.bend_text(random, text);
            }
            ("data_type", _) if random.percent(90) => *value = data_type(random),
            ("shape", _) => bend_shape(random, value),
            ("bits" | "bytes", Value::String(hex)) => *hex = bend_hex(random, hex),
            ("input", Value::Object(array)) => match random.below(10) {
                0 if random.percent(50) => {
                    array.insert("data_type".into(), data_type(random));
                }
                1 if random.percent(50) => {
                    bend_shape(random, array.entry("shape").or_insert(json!([])))
                }
                2 if random.percent(20) => {
                    let keys: Vec<String> = array.keys().cloned().collect();
                    // A data set may have no members.
                    if !keys.is_empty() {
                        array.shift_remove(random.pick(&keys));
                    }
                }
                _ => {
                    if let Some(Value::String(hex)) = array.get_mut("data") {
                        *hex = if random.percent(80) {
                            overwrite_hex(random, hex)
                        } else {
                            bend_hex(random, hex)
                        };
                    }
                }
            },
            _ if random.percent(10) => {
                members.shift_remove(&key);
            }
            _ if random.percent(10) => *value = json!(random.below(3)),
            _ => {}
        }
    }

    fn bend_text(&self, random: &mut Random, text: &str) -> String {
        let (from, to) = span(random, text);
        let (head, middle, tail) = (&text[..from], &text[from..to], &text[to..]);
        match random.below(10) {
            // Omit a piece, or write it twice.
            0 => format!("{head}{tail}"),
            1 => format!("{head}{middle}{middle}{tail}"),
            2 => format!("{head}{}{tail}", random.pick(PIECES)),
            // Insert a piece of another text.
            3 if !self.texts.is_empty() => {
                let other = random.pick(&self.texts);
                let (from, to) = span(random, other);
                format!("{head}{}{tail}", &other[from..to])
            }
            // Replace a value by a long number or by another value.
            4 => {
                let (from, to) = token(random, text);
                let digit = random.below(10).to_string();
                let count = random.below(400);
                format!("{}{}{}", &text[..from], digit.repeat(count), &text[to..])
            }
            _ => {
                let (from, to) = token(random, text);
                format!("{}{}{}", &text[..from], random.pick(VALUES), &text[to..])
            }
        }
    }
}

/// Returns two places in a text, at character boundaries, usually close to each other.
fn span(random: &mut Random, text: &str) -> (usize, usize) {
    let mut from = random.below(text.len() + 1);
    let reach = if random.percent(80) { 8 } else { text.len() };
    let mut to = (from + random.below(reach + 1)).min(text.len());
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    while !text.is_char_boundary(to) {
        to += 1;
    }
    (from, to)
}

/// Returns the place of a value, which is the text between two punctuation marks of JSON.
fn token(random: &mut Random, text: &str) -> (usize, usize) {
    let (at, _) = span(random, text);
    let is_mark = |c: char| matches!(c, ',' | ':' | '[' | ']' | '{' | '}');
    let from = text[..at].rfind(is_mark).map_or(0, |place| place + 1);
    let to = text[at..]
        .find(is_mark)
        .map_or(text.len(), |place| at + place);
    (from, to.max(from))
}

fn data_type(random: &mut Random) -> Value {
    if random.percent(5) {
        return json!(*random.pick(&["complex_float8_e4m3fn", "r16", "string", "", "Int8"]));
    }
    json!(random.pick(DataType::ALL).name())
}

fn bend_shape(random: &mut Random, shape: &mut Value) {
    const EXTENTS: &[u64] = &[0, 1, 2, 3, 7, 1 << 20, 1 << 31, 1 << 40, 1 << 63, u64::MAX];
    let Some(extents) = shape.as_array_mut() else {
        *shape = json!([1]);
        return;
    };
    let place = random.below(extents.len());
    match (random.below(4), extents.is_empty()) {
        (0, _) | (_, true) => extents.push(json!(random.pick(EXTENTS))),
        (1, false) => {
            extents.remove(place);
        }
        (2, false) if random.percent(30) => {
            extents[place] = json!(*random.pick(&[-1.0, 0.5, 2.0, 1e300]));
        }
        _ => extents[place] = json!(random.pick(EXTENTS)),
    }
}

/// Overwrites bytes; their number stays the same.
fn overwrite_hex(random: &mut Random, hex: &str) -> String {
    let mut digits: Vec<u8> = hex.bytes().collect();
    if digits.is_empty() {
        return String::new();
    }
    for _ in 0..=random.below(8) {
        let place = random.below(digits.len());
        digits[place] = *random.pick(b"0123456789abcdef");
    }
    String::from_utf8_lossy(&digits).into_owned()
}

/// Adds or removes digits, or inserts characters that are not digits.
fn bend_hex(random: &mut Random, hex: &str) -> String {
    let (from, to) = span(random, hex);
    match random.below(4) {
        0 => format!("{}{}", &hex[..from], &hex[to..]),
        1 => format!("{}{}{}", &hex[..to], &hex[from..to], &hex[to..]),
        2 => format!("{}{:02x}{}", &hex[..from], random.below(256), &hex[from..]),
        _ => format!(
            "{}{}{}",
            &hex[..from],
            random.pick(&["g", " ", "0x", "F"]),
            &hex[to..]
        ),
    }
}

/// Returns a line with mutated bytes, as may arrive from any source.
pub(super) fn bytes(random: &mut Random, line: &[u8]) -> Vec<u8> {
    let mut bytes = line.to_vec();
    for _ in 0..random.below(4) {
        let place = random.below(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, b'\n'),
            2 => bytes.insert(place, random.bits().to_le_bytes()[0]),
            _ if place < bytes.len() => {
                bytes.remove(place);
            }
            _ => {}
        }
    }
    bytes.push(b'\n');
    bytes
}
