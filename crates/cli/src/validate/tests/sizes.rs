//! Large, deep and damaged documents.

use super::*;
use crate::validate::files::read_limited;

/// Ten times as many problems take at most ten times as long, and a hundred of them are shown.
#[test]
fn many_problems_are_counted() {
    let entries = |entry: &str, n: usize| format!("{entry},").repeat(n);
    let unknown = |n| document(&[("codecs", &format!("[{}\"bytes\"]", entries("\"aa\"", n)))]);
    let transformers = |n| {
        let list = format!("[{}\"aa\"]", entries("\"aa\"", n - 1));
        document(&[("storage_transformers", &list)])
    };
    let infinite = |n| {
        let offset = r#"{"name": "scale_offset", "configuration": {"offset": "NaN"}}"#;
        document(&[(
            "codecs",
            &format!("[{}\n\"zarrs.vlen\"]", entries(offset, n)),
        )])
    };
    let kinds: [(&dyn Fn(usize) -> String, Verdict); 3] = [
        (&unknown, Verdict::NotJudged),
        (&transformers, Verdict::NotJudged),
        (&infinite, Verdict::Valid),
    ];
    for (kind, expected) in kinds {
        grows_tenfold(|n| {
            let (text, verdict) = show(kind(n).as_bytes(), false);
            assert_eq!(verdict, expected, "{text}");
            let more = format!("{} more problems are not shown", n - 100);
            assert!(text.contains(&more), "{text}");
            assert_eq!(text.matches("Warning:").count(), 100);
        });
        let (_, verdict) = show(kind(200).as_bytes(), true);
        assert_eq!(verdict, Verdict::Rejected);
    }
    // The number of listed errors is limited in the same way, and everything after them is still judged.
    let names = |n| document(&[("dimension_names", &format!("[{}0]", entries("1", n - 2)))]);
    let codecs = |n| document(&[("codecs", &format!("[{}\"bytes\"]", entries("1", n)))]);
    let members = |n: usize| {
        let all: String = (1..n).map(|key| format!(", \"k{key}\": 0")).collect();
        document(&[("fill_value", &format!("null{all}"))])
    };
    let map = |n| {
        let map = format!("{{\"encode\": [{}[0, 0]]}}", entries("[0, 300]", n));
        let configuration = format!("{{\"data_type\": \"uint8\", \"scalar_map\": {map}}}");
        codec(
            "float64",
            "0",
            &format!("{{\"name\": \"cast_value\", \"configuration\": {configuration}}}"),
        )
    };
    let kinds: [&dyn Fn(usize) -> String; 4] = [&names, &codecs, &members, &map];
    for kind in kinds {
        grows_tenfold(|n| {
            let (text, verdict) = show(kind(n).as_bytes(), false);
            assert_eq!(verdict, Verdict::Rejected);
            let more = format!("{} more problems are not shown", n - 100);
            assert!(text.contains(&more), "{text}");
            assert_eq!(text.matches("Error:").count(), 100, "{text}");
        });
    }
    let keys = |n: usize| {
        let keys: String = (0..n).map(|key| format!(", \"k{key}\": 0")).collect();
        format!("{{\"zarr_format\": 3{keys}}}")
    };
    grows_tenfold(|n| {
        let (_, verdict) = show(keys(n).as_bytes(), false);
        assert_eq!(verdict, Verdict::Rejected);
    });
}

/// Documents that exceed the limit are not read.
#[test]
fn large_documents_are_asked_for() {
    let large = vec![b' '; (2 << 20) + 1];
    assert_eq!(
        read_limited(&large[..2 << 20], 2).expect("read").len(),
        2 << 20
    );
    let error = read_limited(&large[..], 2).expect_err("too large");
    assert!(error.to_string().contains("--max-size"), "{error}");
    assert!(read_limited(&large[..], 3).is_ok());
}

/// Ten million brackets inside `attributes` are treated as text.
#[test]
fn deep_attributes_are_skipped() {
    let deep = 10_000_000;
    let attributes = format!("{{\"deep\": {}{}}}", "[".repeat(deep), "]".repeat(deep));
    let (text, verdict) = show(document(&[("attributes", &attributes)]).as_bytes(), true);
    assert_eq!(verdict, Verdict::Valid, "{text}");
}

/// Replaces every byte of a document by a few others, and tests every prefix of it: there must never be a
/// panic, and every fault can be shown.
#[test]
fn damaged_documents_are_judged() {
    let good = document(&[("codecs", PACKED)]).into_bytes();
    for end in 0..good.len() {
        show(&good[..end], false);
    }
    for index in 0..good.len() {
        for byte in [0, b'"', b'{', b']', b',', b'9', b'-', b'\\', 0x80, 0xff] {
            let mut damaged = good.clone();
            damaged[index] = byte;
            show(&damaged, true);
        }
    }
}
