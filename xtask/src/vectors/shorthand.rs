//! A shorthand for array documents: `TYPE FILL [SHAPE] CODEC.. MEMBER=TEXT..`.
//!
//! A codec is JSON, `$` (the text of the case), or the name of a text, which may be followed by `:` and the replacement
//! for `$` in it. Codecs inside a codec are written in `()`. A member replaces the same member of the small document
//! below; a member without a text removes it, and `+TEXT` appends one. If the first word is a member, the data type,
//! fill value and codecs are those of the small document. `raw TEXT` is a document that is used unchanged.

use std::collections::BTreeMap;

/// The members of a small document, in order. Codecs are written as objects here and in all documents except those
/// about short forms: a reader that does not know bare names would otherwise refuse every document, including those
/// that must be rejected for another reason, and would teach nothing about that reason.
const MEMBERS: [(&str, &str); 8] = [
    ("zarr_format", "3"),
    ("node_type", "\"array\""),
    ("shape", "[4]"),
    ("data_type", "\"uint8\""),
    (
        "chunk_grid",
        r#"{"name":"regular","configuration":{"chunk_shape":[4]}}"#,
    ),
    ("chunk_key_encoding", r#"{"name":"default"}"#),
    ("fill_value", "0"),
    ("codecs", r#"[{"name":"bytes"}]"#),
];

/// Changes a small document: `MEMBER=TEXT..` replaces members, `MEMBER=` removes one, and `+TEXT` adds one.
pub(super) fn members(small: &[(&str, &str)], text: &str) -> Result<String, String> {
    let (mut changes, mut added) = (Vec::new(), Vec::new());
    for word in words(text)? {
        match (word.strip_prefix('+'), member(&word)) {
            (Some(text), _) => added.push(text.to_owned()),
            (None, Some((name, text))) => changes.push((name.into(), text.into())),
            (None, None) => return Err(format!("{word}: MEMBER=TEXT")),
        }
    }
    Ok(composed(small, &changes, &added))
}

/// Returns a small document with other members; an empty text removes a member.
fn composed(small: &[(&str, &str)], changes: &[(String, String)], added: &[String]) -> String {
    let changed = |name: &str| changes.iter().rev().find(|(it, _)| it == name);
    let known = small
        .iter()
        .map(|&(name, text)| (name, changed(name).map_or(text, |(_, text)| text)));
    let further = changes
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .filter(|(name, _)| !small.iter().any(|(known, _)| known == name));
    let members: Vec<String> = known
        .chain(further)
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| format!("\"{name}\":{text}"))
        .chain(added.iter().cloned())
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Returns the document that a text describes.
pub(super) fn document(texts: &BTreeMap<String, String>, text: &str) -> Result<String, String> {
    if let Some(raw) = text.strip_prefix("raw ") {
        return Ok(raw.into());
    }
    let words = words(text)?;
    let mut changes: Vec<(String, String)> = Vec::new();
    let mut added = Vec::new();
    let mut plain = Vec::new();
    for word in &words {
        if let Some(text) = word.strip_prefix('+') {
            added.push(text.to_owned());
        } else if let Some((name, text)) = member(word) {
            changes.push((name.into(), text.into()));
        } else {
            plain.push(word.as_str());
        }
    }
    let given = match plain.as_slice() {
        [] => Vec::new(),
        [data_type, fill_value, rest @ ..] => {
            let (shape, codecs) = match rest.split_first() {
                Some((shape, codecs)) if shape.starts_with('[') => (*shape, codecs),
                _ => ("[4]", rest),
            };
            let codecs = codecs.iter().map(|word| codec(texts, word));
            let codecs: Vec<String> = codecs.collect::<Result<_, _>>()?;
            let grid = format!(r#"{{"name":"regular","configuration":{{"chunk_shape":{shape}}}}}"#);
            [
                ("shape", shape.to_owned()),
                ("data_type", format!("\"{data_type}\"")),
                ("chunk_grid", grid),
                ("fill_value", (*fill_value).to_owned()),
                ("codecs", format!("[{}]", codecs.join(","))),
            ]
            .map(|(name, text)| (name.to_owned(), text))
            .into()
        }
        [word] => return Err(format!("{word}: a data type needs a fill value")),
    };
    changes.splice(0..0, given);
    Ok(composed(&MEMBERS, &changes, &added))
}

/// Splits a word that names a member of the document from its text.
fn member(word: &str) -> Option<(&str, &str)> {
    let (name, text) = word.split_once('=')?;
    let plain = |it: u8| it.is_ascii_lowercase() || it == b'_';
    (!name.is_empty() && name.bytes().all(plain)).then_some((name, text))
}

/// Returns the JSON of a codec.
fn codec(texts: &BTreeMap<String, String>, word: &str) -> Result<String, String> {
    if word.starts_with(['{', '"', '$']) {
        return Ok(word.into());
    }
    let (name, argument) = match word.split_once(':') {
        Some((name, argument)) => (name, Some(argument)),
        None => (word, None),
    };
    let text = texts
        .get(name)
        .ok_or_else(|| format!("{name} is not the name of a codec"))?;
    if text.contains('$') != argument.is_some() {
        return Err(format!("{word}: wrong argument of {name}: {text}"));
    }
    let inner = argument.and_then(|it| it.strip_prefix('(')?.strip_suffix(')'));
    let argument = match (inner, argument) {
        (Some(inner), _) => {
            let inner = words(inner)?;
            let inner = inner.iter().map(|word| codec(texts, word));
            format!("[{}]", inner.collect::<Result<Vec<_>, _>>()?.join(","))
        }
        (None, argument) => argument.unwrap_or_default().into(),
    };
    Ok(text.replace('$', &argument))
}

/// Splits a text into words. Spaces in JSON strings and within `()` do not separate words.
pub(super) fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for letter in text.chars() {
        if letter == ' ' && depth == 0 && !quoted {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            continue;
        }
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.checked_sub(1).ok_or("`)` without `(`")?,
            _ => {}
        }
        word.push(letter);
    }
    if quoted || depth > 0 {
        return Err(format!("{text}: `\"` or `(` is left open"));
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{document, words};

    #[test]
    fn documents_are_composed() {
        let texts = BTreeMap::from([
            ("last".to_owned(), "{\"name\":\"a\"}".to_owned()),
            ("in".to_owned(), "{\"name\":\"b\",\"codecs\":$}".to_owned()),
        ]);
        let front = r#"{"zarr_format":3,"node_type":"array","#;
        let keys = r#""chunk_key_encoding":{"name":"default"},"#;
        for (text, expected) in [
            ("raw {", "{".to_owned()),
            (
                "int8 -1 [2] in:(last \"x\") a=[1] +\"b\":1 chunk_grid=",
                format!(
                    r#"{front}"shape":[2],"data_type":"int8",{keys}"fill_value":-1,"codecs":[{{"name":"b","codecs":[{{"name":"a"}},"x"]}}],"a":[1],"b":1}}"#
                ),
            ),
            (
                "shape=7",
                format!(
                    r#"{front}"shape":7,"data_type":"uint8","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[4]}}}},{keys}"fill_value":0,"codecs":[{{"name":"bytes"}}]}}"#
                ),
            ),
        ] {
            assert_eq!(document(&texts, text), Ok(expected), "{text}");
        }
        for text in ["int8", "int8 0 first", "int8 0 last:1", "int8 0 in"] {
            assert!(document(&texts, text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_are_parted() {
        let parted = words(r#"a "b c" d:(e f)  "\" g""#);
        let expected = ["a", "\"b c\"", "d:(e f)", r#""\" g""#].map(str::to_owned);
        assert_eq!(parted, Ok(expected.into()));
        for text in ["\"a", "(a", "a)"] {
            assert!(words(text).is_err(), "{text}");
        }
    }
}
