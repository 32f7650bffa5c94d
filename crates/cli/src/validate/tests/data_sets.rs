//! Documents of data sets.

use super::super::*;
use super::args;

fn check(name: &str, document: &str, strict: bool, expected: Verdict) {
    let args = Args {
        strict,
        ..args(&[])
    };
    let judgement = judge_at(Path::new("-"), document.as_bytes(), None, &args);
    assert_eq!(judgement.kind, DocumentKind::Sds, "{name}");
    let text = Text::new(document.as_bytes());
    let text = report::words("set.json", &text, &judgement, false, false);
    assert_eq!(judgement.verdict, expected, "{name}: {text}");
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn data_sets() {
    let good =
        r#"{"type": "i2", "values": [1, -32768], "scaling": {"scale": 0.5}, "fill": -32768}"#;
    check("set-good", good, true, Verdict::Valid);
    let beyond = r#"{"type": "i4", "values": [0, 1073741824]}"#;
    check("set-beyond", beyond, false, Verdict::Rejected);
    let zero = r#"{"type": "i2", "values": [1], "scaling": {"scale": 0, "offset": 1}}"#;
    check("set-zero", zero, false, Verdict::NotJudged);
    let misspelt = r#"{"variables": {"v": {"type": "r4", "values": [1], "scalling": null}}}"#;
    check("set-misspelt", misspelt, true, Verdict::Rejected);
}
