//! Paths of arrays and documents, which are local files and folders. Remote stores are not read.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Command, value_parser};

/// Makes every path of every subcommand reject addresses such as `s3://bucket/array`.
pub(crate) fn refused(command: Command) -> Command {
    let paths = value_parser!(PathBuf).type_id();
    command.mut_subcommands(|subcommand| {
        subcommand.mut_args(|argument| {
            if argument.get_value_parser().type_id() == paths {
                argument.value_parser(OsStringValueParser::new().try_map(local))
            } else {
                argument
            }
        })
    })
}

/// Parses an argument as a local path.
fn local(argument: OsString) -> Result<PathBuf, String> {
    let text = argument.to_string_lossy();
    match text.split_once("://") {
        Some((scheme, _)) if is_scheme(scheme) => Err(format!(
            "stores at {scheme}:// cannot be read; copy the array to a local folder"
        )),
        _ => Ok(argument.into()),
    }
}

/// Returns whether a text may be the scheme of an address (RFC 3986, 3.1).
fn is_scheme(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_refuses_addresses() {
        use clap::CommandFactory as _;
        let command = refused(crate::Cli::command());
        for arguments in [
            "validate https://example.org/a.zarr/zarr.json",
            "prove s3://bucket/zarr.json --range 0..1",
            "plan --scan s3://bucket/a.zarr --target int8",
            "downsample a.zarr s3://bucket/b.zarr --factors 2 --method mean",
            "run --html https://example.org/report.html",
        ] {
            let words = arguments.split(' ');
            let parsed = command
                .clone()
                .try_get_matches_from(std::iter::once("exactum").chain(words));
            let why = parsed.map(|_| ()).expect_err(arguments).to_string();
            assert!(why.contains(":// cannot be read"), "{arguments}: {why}");
        }
    }

    #[test]
    fn addresses_are_not_paths() {
        for address in [
            "https://example.org/a.zarr",
            "s3://bucket/a",
            "gs://b",
            "file:///a",
        ] {
            let why = local(address.into()).expect_err("an address");
            assert!(why.contains("cannot be read"), "{why}");
        }
        for path in ["a.zarr", "/a/b", "-", "a:b", "./s3://a", "C:\\a"] {
            assert_eq!(local(path.into()), Ok(PathBuf::from(path)));
        }
    }
}
