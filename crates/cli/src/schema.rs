//! `exactum schema`: prints a JSON Schema.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;

/// Print the JSON Schema (2020-12) of a document.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The document; without one, the names of all.
    #[arg(value_name = "DOCUMENT", value_parser = PossibleValuesParser::new(names()))]
    document: Option<String>,
}

fn names() -> Vec<&'static str> {
    exactum_metadata::schema::FILES
        .iter()
        .map(|file| file.trim_end_matches(".json"))
        .collect()
}

/// Prints the schema, or the names of all. The exit code is 2 where it cannot be written.
pub(crate) fn run(args: &Args) -> ExitCode {
    let text = match &args.document {
        None => names().join("\n"),
        Some(document) => text(document),
    };
    match writeln!(io::stdout(), "{text}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

fn text(document: &str) -> String {
    exactum_metadata::schema::all()
        .into_iter()
        .find(|(file, _)| file.trim_end_matches(".json") == document)
        .map(|(_, schema)| format!("{schema:#}"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_schema() {
        for name in names() {
            let schema: serde_json::Value = serde_json::from_str(&text(name)).expect("JSON");
            assert_eq!(
                schema["$schema"], "https://json-schema.org/draft/2020-12/schema",
                "{name}"
            );
        }
    }
}
