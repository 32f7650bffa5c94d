//! The scanner: grammar, places, repeated keys, depth, and texts that are designed to be expensive.

use std::ops::Range;

use exactum_metadata::{
    Accepted, Document, DocumentKind, Report, parse_array, parse_cast_value, parse_fill_value,
};
use exactum_model::{At, DataType, Reason};

mod common;
use common::document;

/// Checks that bytes are rejected with this clause at this place of the text.
fn check(bytes: &[u8], clause: &str, expected: Range<usize>, pointer: &str) {
    let text = String::from_utf8_lossy(bytes);
    let mut report = Document::scan(bytes).expect_err(&text);
    let diagnostic = report.listed.remove(0);
    let rejection = diagnostic.rejection;
    assert_eq!(rejection.reason, Reason::Metadata, "{text}");
    assert_eq!(
        (rejection.clause, diagnostic.place),
        (clause, expected),
        "{text}\n{}",
        rejection.message
    );
    assert_eq!(rejection.at, Some(At::Pointer(pointer.into())), "{text}");
    assert!(rejection.help.is_some(), "{text}");
}

#[test]
fn faults_have_places() {
    let rows: &[(&str, Range<usize>, &str)] = &[
        ("", 0..0, ""),
        (" \n", 2..2, ""),
        ("\u{feff}{}", 0..3, ""),
        ("{", 1..1, ""),
        ("{}}", 2..3, ""),
        ("{'a': 1}", 1..2, ""),
        ("{\"a\" 1}", 5..6, ""),
        ("{\"a\": 1,}", 7..8, ""),
        ("{\"a\": [1 2]}", 9..10, "/a"),
        ("{\"a\": [0, 01]}", 10..12, "/a/1"),
        ("{\"a\": -}", 6..7, "/a"),
        ("{\"a\": 1.}", 6..8, "/a"),
        ("{\"a\": 1e+}", 6..9, "/a"),
        ("{\"a\": +1}", 6..7, "/a"),
        ("{\"a\": NaN}", 6..7, "/a"),
        ("{\"a\": truth}", 6..7, "/a"),
        ("{\"a\": \"\\x\"}", 7..8, "/a"),
        ("{\"a\": \"\\u12g4\"}", 7..8, "/a"),
        ("{\"a\": \"\t\"}", 7..8, "/a"),
        ("{\"a\": \"b}", 6..7, "/a"),
        ("{\"\\ud800\": 1}", 1..9, ""),
        ("{\"a~/b\": {\"c\": ?}}", 15..16, "/a~0~1b/c"),
        // The grammar applies inside attributes too.
        (
            "{\"attributes\": {\"a\": [1, {\"b\": 2,}]}}",
            32..33,
            "/attributes",
        ),
        ("{\"attributes\": [[[}", 18..19, "/attributes"),
    ];
    for (text, place, pointer) in rows {
        let open = text.contains('\u{feff}') || text.contains("ud800");
        let clause = if open {
            "chain.json"
        } else {
            "chain.json.grammar"
        };
        check(text.as_bytes(), clause, place.clone(), pointer);
    }
    check(b"{\"a\": \"caf\xe9\"}", "chain.json.grammar", 10..11, "");
    check(b"{\"a\": \"\xe2\x82", "chain.json.grammar", 7..9, "");
}

#[test]
fn repeated_keys() {
    let clause = "chain.json.duplicates";
    check(b"{\"a\": 1, \"b\": 2, \"a\": 3}", clause, 17..20, "");
    check(
        b"{\"a\": {\"scale\": 1, \"\\u0073cale\": 1}}",
        clause,
        19..31,
        "/a",
    );
    check(b"[[], {\"\": 1, \"\": 1}]", clause, 13..15, "/1");
    let twice = document(&[("attributes", r#"{"a": 1, "a": {"b": 1, "b": 2}}"#)]);
    assert!(parse_array(&twice).is_ok(), "attributes belong to the user");
    // `attributes` itself is a key like any other, however it is spelled.
    let text = document(&[
        ("attributes", "{}"),
        ("\\u0061ttributes", "{\"a\": 1, \"a\": 1}"),
    ]);
    let rejection = parse_array(&text).expect_err("twice");
    assert_eq!(rejection.clause, clause);
    // Only the member of the document is skipped.
    let inner = r#"[{"name": "zarrs.vlen", "configuration": {"attributes": {"a": 1, "a": 1}}}]"#;
    let rejection = parse_array(&document(&[("codecs", inner)])).expect_err("not the user's");
    assert_eq!(rejection.clause, clause);
}

#[test]
fn depth() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (levels, accepted) in [(127, true), (128, true), (129, false), (1_000_000, false)] {
        let text = nested(levels);
        let scanned = Document::scan(text.as_bytes());
        assert_eq!(scanned.is_ok(), accepted, "{levels}");
        let rejection = parse_fill_value(DataType::Int8, &text).expect_err("no integer");
        let clause = if accepted {
            "fill_value.integer.lexical"
        } else {
            "chain.json.depth"
        };
        assert_eq!(rejection.clause, clause, "{levels}");
    }
    let attributes = format!("{{\"deep\": {}}}", nested(10_000_000));
    assert!(parse_array(&document(&[("attributes", &attributes)])).is_ok());
    let objects = format!("{}0{}", "{\"a\":".repeat(1_000_000), "}".repeat(1_000_000));
    assert!(parse_array(&document(&[("attributes", &objects)])).is_ok());
    // Brackets that are never closed are a fault, not a crash.
    assert!(parse_array(&format!("{{\"attributes\": {}", "[".repeat(10_000_000))).is_err());
}

/// A lone surrogate matters where the string is read, and only there.
#[test]
fn lone_surrogates() {
    let rows = [
        ("fill_value", r#""\ud800""#, Some("chain.json")),
        ("node_type", r#""arr\udc00y""#, Some("chain.json")),
        ("codecs", r#"["\ud800"]"#, Some("chain.json")),
        ("codecs", r#"["\ud83d\ude00"]"#, Some("chain.name")),
        (
            "codecs",
            r#"[{"name": "zarrs.vlen", "configuration": {"a": "\ud800"}}]"#,
            None,
        ),
        ("attributes", r#"{"\ud800": "\udc00"}"#, None),
    ];
    for (member, value, clause) in rows {
        let result = parse_array(&document(&[(member, value)]));
        assert_eq!(
            result.as_ref().err().map(|it| it.clause),
            clause,
            "{value}: {result:?}"
        );
    }
}

#[test]
fn pointers_lead_to_places() {
    let text = r#"{"a": [10, {"b/c": "d"}], "~": null}"#;
    let rows: &[(&str, Option<&str>)] = &[
        ("", Some(text)),
        ("/a", Some(r#"[10, {"b/c": "d"}]"#)),
        ("/a/0", Some("10")),
        ("/a/1/b~1c", Some("\"d\"")),
        ("/~0", Some("null")),
        ("/a/2", None),
        ("/a/x", None),
        ("/b", None),
        ("/a/0/0", None),
        ("a", None),
    ];
    for (pointer, expected) in rows {
        let document = Document::scan(text.as_bytes()).expect("JSON");
        assert_eq!(document.value(pointer), *expected, "{pointer}");
    }
}

/// The scanner accepts any text of up to five of these characters exactly if `serde_json` does.
#[test]
fn short_texts_are_json_where_serde_json_says_so() {
    let alphabet: Vec<char> = "{}[]\",:0-1.eE+ \\n".chars().collect();
    let mut count = 0;
    for length in 0..=5u32 {
        for number in 0..alphabet.len().pow(length) {
            let mut rest = number;
            let text: String = (0..length)
                .map(|_| {
                    let character = alphabet[rest % alphabet.len()];
                    rest /= alphabet.len();
                    character
                })
                .collect();
            let expected = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            let scanned = Document::scan(text.as_bytes());
            assert_eq!(scanned.is_ok(), expected, "{text:?}");
            count += usize::from(expected);
        }
    }
    assert!(count > 1000, "only {count} of the texts are JSON");
}

/// No document here may take time or memory out of proportion to its length. With quadratic work, the test would not
/// end.
#[test]
fn long_documents() {
    // 100,000 keys in one object, then one of them again.
    let mut keys: Vec<String> = (0..100_000).map(|key| format!("\"key{key}\": 0")).collect();
    let configuration = |keys: &[String]| {
        format!(
            "[{{\"name\": \"zarrs.vlen\", \"configuration\": {{{}}}}}]",
            keys.join(", ")
        )
    };
    assert!(parse_array(&document(&[("codecs", &configuration(&keys))])).is_ok());
    keys.push("\"key0\": 0".into());
    let rejection =
        parse_array(&document(&[("codecs", &configuration(&keys))])).expect_err("twice");
    assert_eq!(rejection.clause, "chain.json.duplicates");

    // 300,000 entries of a map.
    let entries: Vec<String> = (0..300_000).map(|entry| format!("[{entry}, 0]")).collect();
    let map = format!(
        "{{\"data_type\": \"uint8\", \"scalar_map\": {{\"encode\": [{}]}}}}",
        entries.join(",")
    );
    let codec = parse_cast_value(&map, DataType::Float64).expect("a map");
    assert_eq!(codec.encode_map.len(), 300_000);

    // Numbers with a megabyte of digits.
    let long = format!("0.{}1", "0".repeat(1 << 20));
    assert_eq!(
        parse_fill_value(DataType::Float64, &long).map(|it| it.component(0)),
        Ok(0)
    );
    let long = "9".repeat(1 << 20);
    let infinity = parse_fill_value(DataType::Float32, &long).map(|it| it.component(0));
    assert_eq!(infinity, Ok(0x7f80_0000));
    let rejection = parse_fill_value(DataType::Uint64, &long).expect_err("out of range");
    assert_eq!(rejection.clause, "fill_value.integer.range");
    assert!(rejection.message.len() < 200);

    // Exponents of a megabyte, and numbers of a megabyte that an exponent or rounding reduces to a short one.
    let zeros = "0".repeat(1 << 20);
    for (text, bits) in [
        (format!("1e{}", "9".repeat(1 << 20)), 0x7f80),
        (format!("-1e-{}", "9".repeat(1 << 20)), 0x8000),
        (format!("1{zeros}e-1048576"), 0x3f80),
        (format!("0.{zeros}1e1048577"), 0x3f80),
        (format!("1.00390625{zeros}1"), 0x3f81),
    ] {
        let found = parse_fill_value(DataType::Bfloat16, &text).map(|it| it.component(0));
        assert_eq!(found, Ok(bits), "{}", &text[..12]);
    }
    let text = format!("1e{}", "9".repeat(1 << 20));
    let rejection = parse_fill_value(DataType::Float4E2m1fn, &text).expect_err("out of range");
    assert_eq!(rejection.clause, "fill_value.float.range");
    assert!(rejection.message.len() < 200);

    // Strings of a megabyte that are not a name, a hexadecimal number or a data type.
    for text in [
        format!("\"{}\"", "N".repeat(1 << 20)),
        format!("\"0x{}\"", "f".repeat(1 << 20)),
        format!("\"{}\"", "\\u0030".repeat(1 << 18)),
    ] {
        let rejection = parse_fill_value(DataType::Float32, &text).expect_err("no float");
        assert!(rejection.message.len() < 200, "{}", rejection.message);
        let members = [("data_type", text.as_str())];
        let rejection = parse_array(&document(&members)).expect_err("no data type");
        assert_eq!(rejection.clause, "data_type.name");
        assert!(rejection.message.len() < 200, "{}", rejection.message);
    }

    // Each part of a complex number is a list of lists.
    let mut nested = String::from("0");
    for _ in 0..12 {
        nested = format!("[{nested}, {nested}, {nested}]");
    }
    let rejection = parse_fill_value(DataType::Complex64, &nested).expect_err("a tree");
    assert_eq!(rejection.clause, "fill_value.complex");

    // A list where a number should be.
    let list = format!("[{}0]", "0, ".repeat(1_000_000));
    let rejection = parse_fill_value(DataType::Complex64, &list).expect_err("a list");
    assert_eq!(rejection.clause, "fill_value.complex");

    // 50,000 codecs, each of which causes a warning.
    let codecs = format!(
        "[{}\"bytes\"]",
        "{\"name\": \"scale_offset\", \"configuration\": {\"offset\": \"NaN\"}}, ".repeat(50_000)
    );
    let text = document(&[("data_type", "\"float8_e5m2\""), ("codecs", &codecs)]);
    let document = Document::scan_as(text.as_bytes(), DocumentKind::Array).expect("JSON");
    let judged = document.array(Accepted::Numbers).expect("accepted");
    assert_eq!(judged.warnings.count(), 50_000);
    assert_eq!(judged.warnings.listed.len(), Report::MAX_LISTED);
    let document = judged.array.expect("numbers");
    assert_eq!(document.chain.pipeline.array_to_array.len(), 50_000);
}

/// The number of all extents between codecs is bounded: 100 KB of text must not take gigabytes.
#[test]
fn many_codecs_on_many_dimensions() {
    let ones = format!("[{}1]", "1, ".repeat(29_999));
    let grid = format!("{{\"name\": \"regular\", \"configuration\": {{\"chunk_shape\": {ones}}}}}");
    let codecs = format!("[{}\"zarrs.vlen\"]", "\"scale_offset\", ".repeat(1000));
    let text = document(&[("shape", &ones), ("chunk_grid", &grid), ("codecs", &codecs)]);
    let rejection = parse_array(&text).expect_err("too much");
    assert_eq!(rejection.clause, "chain.size");
}
