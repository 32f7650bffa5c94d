//! Mutants of the documents of groups.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        refused("groups-with-attributes-refused", "chain.group",
            "Attributes belong to arrays.",
            |text| {
                let document = read(text);
                document["node_type"] == "group" && !document["attributes"].is_null()
            }),
        unchecked("unchecked-chain.consolidated",
            "Consolidated metadata is accepted in any form, even null (zarr-python 3.0.0 to 3.1.3 wrote it)."),
        refused("copies-refused", "chain.consolidated",
            "Documents of groups have no further members.",
            |text| read(text)["consolidated_metadata"].is_object()),
        unchecked("unchecked-chain.node.name",
            "A path in consolidated metadata is any string."),
        refused("underscores-refused", "chain.node.name",
            "Names begin with a letter.",
            |text| {
                let document = read(text);
                let copies = document["consolidated_metadata"]["metadata"].as_object();
                copies.is_some_and(|copies| copies.keys().any(|path| path.starts_with('_')))
            }),
    ]
}
