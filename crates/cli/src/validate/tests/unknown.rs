//! Faults in documents with unknown parts, and faults after those that only some readers refuse.

use super::*;

/// Everything that does not depend on an unknown part is judged, and a grid with many shapes hides no fault.
#[test]
fn nothing_hides_behind_what_is_unknown() {
    let grid = |name: &str, key: &str| {
        format!(
            r#"{{"name": "{name}", "configuration": {{"kind": "inline", "{key}": [[600, 400, 9000], [[100, 10]]]}}}}"#
        )
    };
    let (known, unknown) = (
        grid("rectilinear", "chunk_shapes"),
        grid("org.example.grid", "shapes"),
    );
    let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let before = |codec: &str| format!("[{codec}, {little}]");
    let shard = |inner: &str| {
        format!(
            r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": {inner}, "codecs": [{little}], "index_codecs": [{little}]}}}}]"#
        )
    };
    let cast = r#"{"name": "cast_value", "configuration": {"data_type": "int16"}}"#;
    let other = r#"{"name": "org.example.codec"}"#;
    let faults = [
        ("float64", "0.0", r#"["bytes"]"#.to_owned(), "bytes.endian"),
        (
            "float64",
            "0.0",
            before(r#"{"name": "scale_offset", "configuration": {"scale": "abc"}}"#),
            "scale_offset.parameters",
        ),
        (
            "float64",
            "0.0",
            before(r#"{"name": "transpose", "configuration": {"order": [0]}}"#),
            "chain.transpose",
        ),
        ("float64", "0.0", shard("[100]"), "chain.shard"),
        (
            "float64",
            "0.0",
            format!("[{cast}, \"bytes\"]"),
            "bytes.endian",
        ),
        (
            "float64",
            "0.0",
            format!("[{other}, {cast}, \"bytes\"]"),
            "bytes.endian",
        ),
    ];
    for grid in [&known, &unknown] {
        for (data_type, fill_value, codecs, clause) in &faults {
            let text = document(&[
                ("data_type", &format!("\"{data_type}\"")),
                ("fill_value", fill_value),
                ("chunk_grid", grid),
                ("codecs", codecs),
            ]);
            let (text, verdict) = show(text.as_bytes(), false);
            assert_eq!(verdict, Verdict::Rejected, "{text}");
            assert!(text.contains(&format!("[{clause}, ")), "{clause}: {text}");
        }
    }
    // Rules that depend on the shapes of chunks are checked for each of them.
    for (inner, expected) in [
        ("[200, 50]", Verdict::Valid),
        ("[600, 100]", Verdict::Rejected),
        ("[400, 100]", Verdict::Rejected),
    ] {
        let text = document(&[("chunk_grid", &known), ("codecs", &shard(inner))]);
        let (text, verdict) = show(text.as_bytes(), false);
        assert_eq!(verdict, expected, "{inner}: {text}");
    }
    // A fill value is passed through the codecs even if the grid is not regular.
    let text = document(&[("chunk_grid", &known), ("codecs", &before(cast))]);
    let (text, verdict) = show(text.as_bytes(), false);
    assert_eq!(verdict, Verdict::Rejected, "{text}");
    // Even for an unknown data type, the shapes are known.
    let text = document(&[
        ("data_type", "\"org.example.text\""),
        (
            "codecs",
            &before(r#"{"name": "transpose", "configuration": {"order": [0]}}"#),
        ),
    ]);
    let (text, verdict) = show(text.as_bytes(), false);
    assert_eq!(verdict, Verdict::Rejected, "{text}");
}

/// A fault that only some readers refuse does not hide that a text is not JSON.
#[test]
fn texts_that_are_cut_off_are_rejected() {
    let twice = document(&[]).replacen("\"shape\"", "\"node_type\": \"array\", \"shape\"", 1);
    let cut = &twice[..twice.len() - 3];
    for text in [
        "[".repeat(1_000_000),
        "{\"a\":".repeat(1000),
        cut.to_owned(),
    ] {
        let (reported, verdict) = show(text.as_bytes(), false);
        assert_eq!(verdict, Verdict::Rejected, "{reported}");
        assert!(reported.contains("chain.json.grammar"), "{reported}");
    }
}
