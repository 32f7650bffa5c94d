//! The second oracle of views of non-numeric elements. It parses JSON by hand and sorts the elements into a table,
//! whose row numbers are downsampled as numbers.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use exactum_model::{Array, DataType, Downsample, Placed, Reason, Source, Text, Texts};

use super::decimal::Decimal;
use super::downsample;

/// The largest number of bytes that fit into an answer.
const MOST_BYTES: usize = 64 << 20;

/// An element in sortable form: JSON values are ordered by their kind, and strings by their characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sorted {
    Null,
    Truth(bool),
    Number(Number),
    Object(BTreeMap<Vec<char>, Sorted>),
    List(Vec<Sorted>),
    Characters(Vec<char>),
}

/// A number, as a sign and a magnitude.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Number {
    is_negative: bool,
    magnitude: Decimal,
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (negative, _) if negative => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

/// Computes the elements of a view.
///
/// # Errors
/// If there is no result, with the reason.
pub(crate) fn read(view: &Downsample, source: &Texts) -> Result<Texts, Reason> {
    let methods = view.levels.iter().map(|level| level.method());
    for method in methods {
        if !["stride", "mode"].contains(&method.name()) {
            return Err(Reason::UnsupportedDataType);
        }
    }
    let sorted: Vec<Sorted> = source.elements().iter().map(sorted).collect();
    let table: BTreeSet<&Sorted> = sorted.iter().collect();
    let table: Vec<&Sorted> = table.into_iter().collect();
    let row = |element: &Sorted| table.binary_search(&element).map(|row| row as u64);
    let rows = sorted
        .iter()
        .map(|element| row(element).unwrap_or_default());
    let domain = source.domain();
    let rows = Array::from_components(DataType::Uint64, domain.shape().to_vec(), rows);
    let rows = rows.and_then(|rows| Placed::new(rows, domain.origin().to_vec()));
    let read = downsample::read(view, &rows.map_err(|why| why.reason)?)?;
    let elements = read.array().components().map(|row| {
        let found = sorted.iter().position(|element| {
            usize::try_from(row).is_ok_and(|row| Some(&element) == table.get(row))
        });
        found.map(|place| source.elements()[place].clone())
    });
    let elements: Option<Vec<Text>> = elements.collect();
    let elements = elements.ok_or(Reason::Shape)?;
    let sizes = elements.iter().map(|element| match element {
        Text::Byte(_) => 17,
        Text::String(text) => 16 + text.len(),
        Text::Json(json) => 16 + json.text.len(),
    });
    if sizes.sum::<usize>() > MOST_BYTES {
        return Err(Reason::Shape);
    }
    Texts::new(source.data_type(), read.domain(), elements).map_err(|why| why.reason)
}

fn sorted(element: &Text) -> Sorted {
    match element {
        // A byte is a list of one character, which is only compared with other bytes.
        Text::Byte(byte) => Sorted::Characters(vec![char::from(*byte)]),
        Text::String(text) => Sorted::Characters(text.chars().collect()),
        Text::Json(json) => {
            let mut reader = Reader(json.text.trim());
            reader.value()
        }
    }
}

/// The unread rest of a text that is known to be valid JSON.
struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    fn value(&mut self) -> Sorted {
        self.space();
        match self.0.as_bytes().first() {
            Some(b'n') => {
                self.take(4);
                Sorted::Null
            }
            Some(b't') => {
                self.take(4);
                Sorted::Truth(true)
            }
            Some(b'f') => {
                self.take(5);
                Sorted::Truth(false)
            }
            Some(b'"') => Sorted::Characters(self.characters()),
            Some(b'[') => {
                let mut list = Vec::new();
                self.each(']', |reader| list.push(reader.value()));
                Sorted::List(list)
            }
            Some(b'{') => {
                let mut members = BTreeMap::new();
                self.each('}', |reader| {
                    let name = reader.characters();
                    reader.space();
                    reader.take(1);
                    members.insert(name, reader.value());
                });
                Sorted::Object(members)
            }
            _ => {
                let ends =
                    |letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter);
                let length = self.0.find(ends).unwrap_or(self.0.len());
                let (is_negative, magnitude) = Decimal::read(self.take(length))
                    .unwrap_or_else(|| (false, Decimal::binary(0, 0)));
                Sorted::Number(Number {
                    is_negative: is_negative && !magnitude.is_zero(),
                    magnitude,
                })
            }
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn space(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    /// Reads the items between brackets, which are separated by commas.
    fn each(&mut self, end: char, mut one: impl FnMut(&mut Self)) {
        self.take(1);
        self.space();
        while !self.0.is_empty() && !self.0.starts_with(end) {
            one(self);
            self.space();
            if self.0.starts_with(',') {
                self.take(1);
                self.space();
            }
        }
        self.take(1);
    }

    /// Returns the characters of a string, with escapes resolved.
    fn characters(&mut self) -> Vec<char> {
        self.take(1);
        let mut units = Vec::new();
        while let Some(letter) = self.0.chars().next() {
            self.take(letter.len_utf8());
            let letter = match letter {
                '"' => break,
                '\\' => match self.take(1) {
                    "u" => {
                        units.push(u16::from_str_radix(self.take(4), 16).unwrap_or_default());
                        continue;
                    }
                    "b" => '\u{8}',
                    "f" => '\u{c}',
                    "n" => '\n',
                    "r" => '\r',
                    "t" => '\t',
                    other => other.chars().next().unwrap_or_default(),
                },
                letter => letter,
            };
            units.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
        }
        let characters = char::decode_utf16(units).map(Result::unwrap_or_default);
        characters.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use exactum_vectors::read_json;

    use super::{Reader, Sorted};

    fn value(text: &str) -> Sorted {
        Reader(text).value()
    }

    #[test]
    fn values_are_sorted() {
        let ascending = [
            "null",
            "false",
            "true",
            "-1e3",
            "-10",
            "-1.5",
            "0",
            "1e-400",
            "9007199254740992",
            "9007199254740993",
            "1E400",
            "{}",
            r#"{"a": 1}"#,
            r#"{"b": 0, "a": 1}"#,
            r#"{"a": 2}"#,
            "[]",
            "[ 1 ]",
            "[1, [ ]]",
            "[2]",
            r#""""#,
            r#""\u0061""#,
            r#""a\n""#,
            r#""ab""#,
            r#""\uffff""#,
            r#""\ud800\udc00""#,
        ];
        for (index, first) in ascending.iter().enumerate() {
            read_json(first).expect("JSON");
            for (other, second) in ascending.iter().enumerate() {
                let order = value(first).cmp(&value(second));
                assert_eq!(order, index.cmp(&other), "{first} {second}");
            }
        }
        let same = |a: &str, b: &str| assert_eq!(value(a).cmp(&value(b)), Ordering::Equal);
        same("-0", "0.0");
        same("30e-1", "3");
        same(r#"{"a":[],"b":"\/"}"#, r#" { "b" : "/" , "a" : [ ] } "#);
    }
}
