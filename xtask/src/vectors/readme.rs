//! The section of `vectors/README.md` about the operations of codecs, generated from the table of codecs.

use exactum_model::with_codecs;

/// The text before the first row of the operations, and the text at the first row that does not belong to a codec.
const BEGIN: &str = "| `op` | other members of the request | members of `ok` |\n|---|---|---|\n";
const END: &str = "| `fill_value.parse`";

macro_rules! kinds {
    (
        []
        elementwise { $($element:ident $_e:ident $_p:ident $types:ident $_m:tt;)* }
        in_chains $_i:tt
        array_to_bytes { $($bytes:ident $_b:ident $_q:ident $_r:ident $_n:tt;)* }
    ) => {
        /// The codecs that return arrays, each with the rule for the data type of its output.
        const TO_ARRAYS: &[(&str, &str)] = &[$((stringify!($element), stringify!($types))),*];
        /// The codecs that return bytes.
        const TO_BYTES: &[&str] = &[$(stringify!($bytes)),*];
    };
}

with_codecs!(kinds);

/// Returns the page with the rows of all codecs.
pub(super) fn with_operations(page: &str) -> Result<String, String> {
    let begin = page.find(BEGIN).map(|at| at + BEGIN.len());
    let (Some(begin), Some(end)) = (begin, page.find(END)) else {
        return Err("README.md: the table of operations is not found".into());
    };
    let named = |names: &[&str], ways: &[&str]| {
        let names = names.iter().flat_map(|name| {
            let name = *name;
            ways.iter().map(move |way| format!("`{name}.{way}`"))
        });
        names.collect::<Vec<String>>().join(", ")
    };
    let of = |types: &str| -> Vec<&str> {
        let codecs = TO_ARRAYS.iter().filter(|(_, its)| *its == types);
        codecs.map(|(name, _)| *name).collect()
    };
    let (same, retyped) = (of("Same"), of("Retyped"));
    let rows = [
        (
            named(TO_BYTES, &["encode"]),
            "`configuration`, `input`",
            "`bytes` (hex)",
        ),
        (
            named(TO_BYTES, &["decode"]),
            "`configuration`, `data_type`, `shape`, `bytes`",
            "`output`, of this type and shape",
        ),
        (
            named(&retyped, &["encode"]),
            "`configuration`, `input`",
            "`output`",
        ),
        (
            named(&retyped, &["decode"]),
            "`configuration`, `data_type` of the result, `input`",
            "`output`",
        ),
        (
            named(&same, &["encode", "decode"]),
            "`configuration`, `input`",
            "`output`",
        ),
    ];
    let rows = rows.map(|(names, asked, answered)| format!("| {names} | {asked} | {answered} |\n"));
    Ok([&page[..begin], &rows.concat(), &page[end..]].concat())
}
