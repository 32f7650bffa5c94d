//! The texts that users read: one document for each fault, and the output as it is printed in a pipe.

use super::*;

mod bad;
mod data_sets;
mod modernize;
mod sizes;
mod stores;
mod types;
mod unknown;
mod version2;

/// Returns an array document with some members replaced, and without those that have no value.
fn document(members: &[(&str, &str)]) -> String {
    let mut all = vec![
        ("zarr_format", "3"),
        ("node_type", "\"array\""),
        ("shape", "[10000, 1000]"),
        ("data_type", "\"float64\""),
        (
            "chunk_grid",
            r#"{"name": "regular", "configuration": {"chunk_shape": [1000, 100]}}"#,
        ),
        ("chunk_key_encoding", r#"{"name": "default"}"#),
        ("fill_value", "\"NaN\""),
        (
            "codecs",
            r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#,
        ),
    ];
    for &(name, value) in members {
        match all.iter_mut().find(|member| member.0 == name) {
            Some(member) => member.1 = value,
            None => all.push((name, value)),
        }
    }
    let lines: Vec<String> = all
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("  \"{name}\": {value}"))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Returns a document with one codec before `bytes`.
fn codec(data_type: &str, fill_value: &str, codec: &str) -> String {
    let codecs = format!(
        "[\n    {codec},\n    {{\"name\": \"bytes\", \"configuration\": {{\"endian\": \"little\"}}}}\n  ]"
    );
    document(&[
        ("data_type", &format!("\"{data_type}\"")),
        ("fill_value", fill_value),
        ("codecs", &codecs),
    ])
}

/// Returns the options when none are given.
fn args(paths: &[&Path]) -> Args {
    Args {
        paths: paths.iter().map(|path| path.to_path_buf()).collect(),
        kind: None,
        strict: false,
        format: Format::Text,
        quiet: true,
        modernize: None,
        readers: false,
        require: Vec::new(),
        max_size: MAX_MIB,
    }
}

/// Returns the text that is printed about a document, and its verdict.
fn show(bytes: &[u8], strict: bool) -> (String, Verdict) {
    let judgement = judge(bytes, strict);
    let text = report::words("zarr.json", &Text::new(bytes), &judgement, false, false);
    (text, judgement.verdict)
}

fn check(name: &str, document: impl AsRef<[u8]>, strict: bool, expected: Verdict) {
    let (text, verdict) = show(document.as_ref(), strict);
    assert_eq!(verdict, expected, "{name}: {text}");
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!(name, text);
    });
}

/// Checks a document that is rejected with and without `--strict`.
fn reject(name: &str, document: impl AsRef<[u8]>) {
    check(name, document, false, Verdict::Rejected);
}

/// Checks a document that only a ruling forbids: it is rejected with `--strict`, and not judged otherwise.
fn forbid(name: &str, document: impl AsRef<[u8]>) {
    let (text, verdict) = show(document.as_ref(), true);
    assert_eq!(verdict, Verdict::Rejected, "{name}: {text}");
    check(name, document, false, Verdict::NotJudged);
}

/// Runs a job for n and 10 n. A quadratic job takes a hundred times as long; a factor of 40 leaves room for
/// the noise of other programs.
fn grows_tenfold(mut job: impl FnMut(usize)) {
    const N: usize = 20_000;
    let mut seconds = |n: usize| {
        let runs = (0..2).map(|_| {
            let start = std::time::Instant::now();
            job(n);
            start.elapsed().as_secs_f64()
        });
        runs.fold(f64::INFINITY, f64::min)
    };
    let (one, ten) = (seconds(N), seconds(10 * N));
    assert!(ten < 40.0 * one, "{one} s for n, {ten} s for 10 n");
}

const PACKED: &str = r#"[
    {"name": "scale_offset", "configuration": {"offset": -10, "scale": 0.1}},
    {"name": "cast_value", "configuration": {
      "data_type": "uint8",
      "scalar_map": {"encode": [["NaN", 0]], "decode": [[0, "NaN"]]}
    }},
    "bytes",
    "crc32c"
  ]"#;

#[test]
fn good_documents() {
    check(
        "good",
        document(&[("codecs", PACKED)]),
        true,
        Verdict::Valid,
    );
    let sharded = r#"[{"name": "transpose", "configuration": {"order": [1, 0]}},
      {"name": "sharding_indexed", "configuration": {"chunk_shape": [10, 100],
        "codecs": [{"name": "cast_value", "configuration": {"data_type": "float32"}},
          {"name": "bytes", "configuration": {"endian": "big"}}, {"name": "gzip", "configuration": {"level": 1}}],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"]}}]"#;
    check(
        "good-sharded",
        document(&[("codecs", sharded)]),
        true,
        Verdict::Valid,
    );
}

#[test]
fn keys_and_members() {
    reject(
        "unknown-key",
        codec(
            "float64",
            "0",
            r#"{"name": "cast_value", "configuration": {"data_type": "uint8", "round": "nearest-even"}}"#,
        ),
    );
    reject("unknown-member", document(&[("compressor", "null")]));
    forbid(
        "duplicate-keys",
        codec(
            "float64",
            "0",
            "{\"name\": \"scale_offset\", \"configuration\": {\n      \"scale\": 2,\n      \"sc\\u0061le\": 4\n    }}",
        ),
    );
}

#[test]
fn configurations() {
    reject(
        "plus-infinity",
        codec(
            "float64",
            "0",
            r#"{"name": "cast_value", "configuration": {"data_type": "uint8", "scalar_map": {"encode": [["NaN", 0], ["+Infinity", 0]]}}}"#,
        ),
    );
    reject(
        "wrap-on-a-float",
        codec(
            "float64",
            "0",
            r#"{"name": "cast_value", "configuration": {"data_type": "float32", "out_of_range": "wrap"}}"#,
        ),
    );
    forbid(
        "scale-zero",
        codec(
            "float64",
            "0",
            r#"{"name": "scale_offset", "configuration": {"scale": 0.0}}"#,
        ),
    );
    reject(
        "fraction-as-int16-offset",
        codec(
            "int16",
            "0",
            r#"{"name": "scale_offset", "configuration": {"offset": 0.1}}"#,
        ),
    );
    reject(
        "map-entry-out-of-range",
        codec(
            "float64",
            "0",
            r#"{"name": "cast_value", "configuration": {"data_type": "uint8", "scalar_map": {"encode": [["NaN", 256]]}}}"#,
        ),
    );
    reject("missing-endian", document(&[("codecs", r#"["bytes"]"#)]));
}

#[test]
fn fill_values() {
    reject(
        "fill-value-does-not-survive",
        codec(
            "float64",
            "0.1",
            r#"{"name": "cast_value", "configuration": {"data_type": "float32"}}"#,
        ),
    );
    let lossy = codec(
        "float32",
        "10",
        r#"{"name": "scale_offset", "configuration": {"offset": 1e9, "scale": 1}}"#,
    );
    check(
        "fill-value-lost-in-the-chain",
        &lossy,
        false,
        Verdict::Valid,
    );
    check(
        "fill-value-lost-in-the-chain-strict",
        &lossy,
        true,
        Verdict::Rejected,
    );
    reject(
        "fill-value-of-another-kind",
        document(&[("fill_value", "null")]),
    );
}

#[test]
fn warnings() {
    let unknown = codec(
        "float64",
        "0",
        r#"{"name": "org.example.pack", "configuration": {"level": 3}}"#,
    );
    check("unknown-codec", &unknown, false, Verdict::NotJudged);
    check("unknown-codec-strict", &unknown, true, Verdict::Rejected);
    let infinite = codec(
        "float64",
        "\"NaN\"",
        r#"{"name": "scale_offset", "configuration": {"offset": "Infinity"}}"#,
    );
    check("infinite-offset", &infinite, false, Verdict::Valid);
}

#[test]
fn limits() {
    let deep = format!(
        r#"{{"name": "gzip", "configuration": {{"level": {}1{}}}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    forbid("deep-codec-configuration", codec("float64", "0", &deep));
    forbid(
        "chunk-size-overflows",
        document(&[
            ("shape", "[18446744073709551615, 18446744073709551615]"),
            (
                "chunk_grid",
                r#"{"name": "regular", "configuration": {"chunk_shape": [4294967296, 4294967296]}}"#,
            ),
        ]),
    );
}

#[test]
fn texts_that_are_no_documents() {
    let mut bytes = document(&[("attributes", "{\"title\": \"caf\u{e9}\"}")]).into_bytes();
    let accent = bytes
        .windows(2)
        .position(|pair| pair == "\u{e9}".as_bytes())
        .expect("the accent");
    bytes.splice(accent..accent + 2, [0xe9]);
    reject("broken-utf-8", bytes);
    reject(
        "binary",
        [
            0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d,
        ],
    );
    reject("empty", "");
    reject("blank", "  \n \n");
    reject(
        "cut-off",
        "{\n  \"zarr_format\": 3,\n  \"node_type\": \"arr",
    );
    reject(
        "terminal-commands",
        "{\"zarr_format\": 3, \"\u{1b}[2J\": 1}",
    );
}

/// A fault at the end of 20 MB in one line is shown without the 20 MB.
#[test]
fn a_long_line_is_cut() {
    let long = document(&[("codecs", "[]"), ("shape", "[1, 2]")])
        .replace('\n', " ")
        .replace(
            "\"codecs\"",
            &format!("\"attributes\": [{}0], \"codecs\"", "0, ".repeat(7_000_000)),
        );
    let (text, verdict) = show(long.as_bytes(), false);
    assert_eq!(verdict, Verdict::Rejected);
    assert!(text.len() < 2000, "{} bytes", text.len());
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!("long-line", text);
    });
}

/// A table of a thousand codecs is cut off.
#[test]
fn many_stages_are_cut() {
    let codecs = format!("[{} \"packbits\"]", "\"scale_offset\",".repeat(1000));
    let text = document(&[("codecs", &codecs)]);
    let (text, verdict) = show(text.as_bytes(), true);
    assert_eq!(verdict, Verdict::Valid, "{text}");
    assert!(text.contains("... and 801 more"), "{text}");
}

/// Legal but unknown parts are not judged, but faults in the other parts are still found.
#[test]
fn foreign_documents() {
    let grid = r#"{"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [1000, [[100, 10]]]}}"#;
    let utf8 = r#"["vlen-utf8", {"name": "zstd", "configuration": {"level": 3}}]"#;
    let string = |codecs| {
        document(&[
            ("data_type", "\"string\""),
            ("fill_value", "\"\""),
            ("codecs", codecs),
        ])
    };
    check("strings", string(utf8), false, Verdict::Valid);
    check("strings-strict", string(utf8), true, Verdict::Valid);
    reject(
        "foreign-data-type-order",
        string(r#"["zstd", "vlen-utf8"]"#),
    );
    let rectilinear = document(&[("chunk_grid", grid)]);
    check("rectilinear-grid", &rectilinear, true, Verdict::Valid);
    let rectangular = r#"{"name": "rectangular", "configuration": {"chunk_shape": [[1000], 100]}}"#;
    let rectangular = document(&[("chunk_grid", rectangular)]);
    check("foreign-grid", &rectangular, false, Verdict::NotJudged);
    let encoding = document(&[("chunk_key_encoding", "\"org.example.flat\"")]);
    check("foreign-key-encoding", &encoding, false, Verdict::NotJudged);
}

/// The texts that programs read.
#[test]
fn formats() {
    let documents = [
        ("good.json", document(&[("codecs", PACKED)])),
        (
            "string.json",
            document(&[("data_type", "\"string\""), ("codecs", "[\"vlen-utf8\"]")]),
        ),
        (
            "other.json",
            document(&[("data_type", "\"org.example.text\"")]),
        ),
        ("caf\u{e9},1.json", document(&[("fill_value", "null")])),
    ];
    for (name, format, quiet) in [
        ("format-text", Format::Text, false),
        ("format-text-quiet", Format::Text, true),
        ("format-json", Format::Json, false),
        ("format-json-quiet", Format::Json, true),
        ("format-github", Format::Github, false),
        ("format-sarif", Format::Sarif, false),
    ] {
        let mut report = report::Report::new(format, quiet, false);
        let mut text = String::new();
        for (path, document) in &documents {
            report.add(
                path,
                document.as_bytes(),
                &judge(document.as_bytes(), false),
            );
            text.push_str(&report.take());
        }
        text.push_str(&report.end());
        assert_eq!(Verdict::ALL.map(|verdict| report.count(verdict)), [2, 1, 1]);
        if matches!(format, Format::Json | Format::Sarif) {
            serde_json::from_str::<serde_json::Value>(&text).expect(name);
        }
        insta::with_settings!({omit_expression => true}, {
            insta::assert_snapshot!(name, text.replace(env!("CARGO_PKG_VERSION"), "(version)"));
        });
    }
}
