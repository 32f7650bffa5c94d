//! `exactum schema`: prints a JSON Schema.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use exactum_conformance::output;
use exactum_metadata::schema;

/// Print the JSON Schema (2020-12) of a document.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kind of document. By default, the names of all kinds are listed.
    #[arg(value_name = "DOCUMENT", value_parser = PossibleValuesParser::new(schema::names()))]
    document: Option<String>,
}

/// Prints the schema, or the names of all kinds.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let text = match &args.document {
        None => schema::names().join("\n"),
        Some(document) => text(document),
    };
    output::print(&format!("{text}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn text(document: &str) -> String {
    schema::schema(document).map_or_else(String::new, |schema| format!("{schema:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_schema() {
        for name in schema::names() {
            let schema: serde_json::Value = serde_json::from_str(&text(name)).expect("JSON");
            assert_eq!(
                schema["$schema"], "https://json-schema.org/draft/2020-12/schema",
                "{name}"
            );
        }
    }
}
