//! `spec/schema`: the JSON Schemas of the documents, generated from the descriptions of the documents.

use crate::generated::Files;

/// Generates the contents of `spec/schema`.
pub(crate) fn make() -> Result<Files, Vec<String>> {
    let mut files = Files::default();
    for (name, schema) in exactum_metadata::schema::all() {
        let mut text = serde_json::to_string_pretty(&schema)
            .map_err(|error| vec![format!("{name}: {error}")])?;
        text.push('\n');
        files.add(name, text)?;
    }
    Ok(files)
}
