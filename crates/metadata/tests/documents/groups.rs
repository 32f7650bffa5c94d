//! Documents of groups: reader and JSON Schema on the same table.

use exactum_metadata::{Document, DocumentKind};
use exactum_model::Rejection;

use crate::Expect::{self, Good, Meaning, Structure};
use crate::check;

/// Checks group documents that have these members after the mandatory ones.
fn groups(rows: &[(&str, Expect)]) {
    for &(members, expect) in rows {
        let text = format!(r#"{{"zarr_format": 3, "node_type": "group"{members}}}"#);
        let read = Document::scan_as(text.as_bytes(), DocumentKind::Group)
            .and_then(|document| document.group())
            .map_err(Rejection::from);
        check("group.json", &text, read, expect);
    }
}

#[test]
fn members() {
    groups(&[
        ("", Good),
        (r#", "attributes": {"a": [[]]}"#, Good),
        (r#", "x": {"must_understand": false}"#, Good),
        (
            r#", "attributes": null"#,
            Structure("chain.members", "/attributes"),
        ),
        (r#", "x": {}"#, Structure("chain.members.unknown", "/x")),
    ]);
}

#[test]
fn consolidated_metadata() {
    let clause = "chain.consolidated";
    let rows = [
        (
            r#"{"kind": "inline", "must_understand": false, "metadata": {}}"#,
            Good,
        ),
        ("null", Structure(clause, "/consolidated_metadata")),
        ("{}", Structure(clause, "/consolidated_metadata")),
        (
            r#"{"kind": "external", "must_understand": false, "metadata": {}}"#,
            Structure(clause, "/consolidated_metadata/kind"),
        ),
        (
            r#"{"kind": "inline", "must_understand": true, "metadata": {}}"#,
            Structure(clause, "/consolidated_metadata/must_understand"),
        ),
        (
            r#"{"kind": "inline", "must_understand": false, "metadata": {"a": 1}}"#,
            Structure(clause, "/consolidated_metadata/metadata/a"),
        ),
        (
            r#"{"kind": "inline", "must_understand": false, "metadata": {}, "x": 1}"#,
            Structure("chain.extension.keys", "/consolidated_metadata/x"),
        ),
        (
            r#"{"kind": "inline", "must_understand": false, "metadata": {"__a": {}}}"#,
            Meaning("chain.node.name", "/consolidated_metadata/metadata/__a"),
        ),
    ];
    for (value, expect) in rows {
        groups(&[(&format!(r#", "consolidated_metadata": {value}"#), expect)]);
    }
}
