//! Array documents with some members replaced.

/// The members of a plain document of two dimensions.
const PLAIN: [(&str, &str); 8] = [
    ("zarr_format", "3"),
    ("node_type", "\"array\""),
    ("shape", "[40, 60]"),
    ("data_type", "\"float64\""),
    (
        "chunk_grid",
        r#"{"name": "regular", "configuration": {"chunk_shape": [20, 30]}}"#,
    ),
    ("chunk_key_encoding", r#"{"name": "default"}"#),
    ("fill_value", "0"),
    (
        "codecs",
        r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#,
    ),
];

/// Returns the plain document, with members replaced, added or (where the value is empty) removed.
pub(crate) fn document(members: &[(&str, &str)]) -> String {
    let mut all = PLAIN.to_vec();
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
    format!("{{\n{}\n}}", lines.join(",\n"))
}
