//! Mutants of the documents of groups.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        refused("groups-with-attributes-refused", "chain.group",
            "Attributes belong to arrays.",
            r#"metadata.validate.group {"zarr_format": 3, "node_type": "group", "attributes": {}}"#,
            |text| {
                let document = read(text);
                document["node_type"] == "group" && !document["attributes"].is_null()
            }),
        unchecked("unchecked-chain.consolidated",
            "Consolidated metadata is taken in any form, null among them (zarr-python 3.0.0 to 3.1.3 wrote it).",
            r#"metadata.validate.group {"zarr_format": 3, "node_type": "group", "consolidated_metadata": null}"#),
        refused("copies-refused", "chain.consolidated",
            "Documents of groups have no further members.",
            r#"metadata.validate.group {"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"must_understand": false, "kind": "inline", "metadata": {}}}"#,
            |text| read(text)["consolidated_metadata"].is_object()),
        unchecked("unchecked-chain.node.name",
            "A path in consolidated metadata is any string.",
            r#"metadata.validate.group {"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"must_understand": false, "kind": "inline", "metadata": {"__a": {}}}}"#),
        refused("underscores-refused", "chain.node.name",
            "Names begin with a letter.",
            r#"metadata.validate.group {"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"must_understand": false, "kind": "inline", "metadata": {"_a": {}}}}"#,
            |text| {
                let document = read(text);
                let copies = document["consolidated_metadata"]["metadata"].as_object();
                copies.is_some_and(|copies| copies.keys().any(|path| path.starts_with('_')))
            }),
    ]
}
