//! The files embedded in this crate.
//!
//! ```
//! use exactum_suite::carried;
//!
//! assert!(carried::paths().any(|path| path == "spec/bytes.md"));
//! assert!(carried::text("vectors/manifest.json")?.contains("cases"));
//! let clauses = carried::clauses()?;
//! assert!(clauses.iter().any(|clause| clause.id == "bytes.length"));
//! // The faults that are known of an implementation by its name.
//! assert!(carried::expectations("unknown-library")?.entries.is_empty());
//! # Ok::<(), String>(())
//! ```

use std::collections::BTreeMap;
use std::sync::LazyLock;

use exactum_conformance::expectations::Expectations;
use exactum_conformance::results::Results;
use exactum_vectors::Suite;
use exactum_vectors::spec::{self, Clause};

/// The archive created by `pack.rs`.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/suite.bin"));

/// A file: the length of its text, and the text, deflated.
type Packed = (usize, &'static [u8]);

static FILES: LazyLock<BTreeMap<&'static str, Packed>> =
    LazyLock::new(|| index(PACKED).unwrap_or_default());

/// Returns the files of a pack by path, or `None` if it is malformed.
fn index(mut packed: &'static [u8]) -> Option<BTreeMap<&'static str, Packed>> {
    let mut files = BTreeMap::new();
    while !packed.is_empty() {
        let mut length = || {
            let (length, rest) = packed.split_first_chunk::<4>()?;
            packed = rest;
            usize::try_from(u32::from_le_bytes(*length)).ok()
        };
        let (name, text, deflated) = (length()?, length()?, length()?);
        let (name, rest) = packed.split_at_checked(name)?;
        let (deflated, rest) = rest.split_at_checked(deflated)?;
        files.insert(std::str::from_utf8(name).ok()?, (text, deflated));
        packed = rest;
    }
    Some(files)
}

/// Returns the paths of the files, relative to the root of a checkout: `spec/bytes.md`, `vectors/manifest.json`.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.keys().copied()
}

/// Returns the text of a file.
///
/// # Errors
/// If there is no file with this path.
pub fn text(path: &str) -> Result<String, String> {
    let (length, deflated) = FILES
        .get(path)
        .ok_or_else(|| format!("this program does not contain {path}"))?;
    let text = miniz_oxide::inflate::decompress_to_vec_with_limit(deflated, *length)
        .map_err(|error| format!("{path}: {error}"))?;
    String::from_utf8(text).map_err(|error| format!("{path}: {error}"))
}

/// Returns the vectors.
///
/// # Errors
/// If they do not match their manifest.
///
/// ```no_run
/// let suite = exactum_suite::carried::suite()?;
/// assert!(suite.manifest.files.len() == suite.files.len());
/// # Ok::<(), String>(())
/// ```
pub fn suite() -> Result<Suite, String> {
    Suite::of(|path| text(&format!("vectors/{path}")))
}

/// Returns the clauses of the specification.
///
/// # Errors
/// If a specification contains text that cannot be parsed as a clause.
pub fn clauses() -> Result<Vec<Clause>, String> {
    let mut clauses = Vec::new();
    for path in paths() {
        let row = path.strip_prefix("spec/");
        if let Some(row) = row.and_then(|file| file.strip_suffix(".md")) {
            clauses.extend(spec::parse(row, &text(path)?)?);
        }
    }
    Ok(clauses)
}

/// Returns the known faults of an implementation, or empty expectations for an unknown implementation.
///
/// # Errors
/// If its expectations or results cannot be read.
pub fn expectations(name: &str) -> Result<Expectations, String> {
    let path = format!("conformance/expectations/{name}.toml");
    if !FILES.contains_key(path.as_str()) {
        return Ok(Expectations::default());
    }
    let results = results(name)?;
    Expectations::parse(&text(&path)?)
        .and_then(|entries| entries.with_results(results.as_ref()))
        .map_err(|error| format!("{path}: {error}"))
}

/// Returns the committed results of an implementation, or `None` if it was never judged.
///
/// # Errors
/// If its file cannot be parsed as results.
///
/// ```
/// for name in exactum_suite::carried::judged() {
///     let results = exactum_suite::carried::results(name)?;
///     assert!(results.is_some_and(|it| it.implementation.name == name));
/// }
/// # Ok::<(), String>(())
/// ```
pub fn results(name: &str) -> Result<Option<Results>, String> {
    let path = format!("conformance/results/{name}.json");
    if !FILES.contains_key(path.as_str()) {
        return Ok(None);
    }
    let results = Results::parse(&text(&path)?, name);
    results
        .map(Some)
        .map_err(|error| format!("{path}: {error}"))
}

/// Returns the names of the implementations that were judged.
pub fn judged() -> impl Iterator<Item = &'static str> {
    let names = paths().filter_map(|path| path.strip_prefix("conformance/results/"));
    names.filter_map(|file| file.strip_suffix(".json"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use exactum_conformance::checkout::Checkout;

    use super::*;

    #[test]
    fn the_files_of_the_checkout_are_carried() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let checkout = Checkout::at(&root);
        let there = checkout.suite().expect("the vectors");
        let here = suite().expect("the vectors");
        assert_eq!(here.manifest, there.manifest);
        assert!(here.files == there.files);
        assert_eq!(clauses(), checkout.clauses());
        let zarrita = expectations("zarrita").expect("expectations");
        assert_eq!(Expectations::load(&checkout, "zarrita"), Ok(zarrita));
        assert_eq!(expectations("unknown-library"), Ok(Expectations::default()));
        assert!(judged().any(|name| name == "zarrita"));
        assert_eq!(
            Results::load(&checkout.results(), "zarrita"),
            results("zarrita")
        );
        assert_eq!(results("unknown-library"), Ok(None));
        assert!(text("vectors/nothing.json").is_err());
    }

    #[test]
    fn a_pack_that_is_cut_off_is_none() {
        assert!(index(PACKED).is_some_and(|files| files.len() > 600));
        for length in [1, 11, 13, 100, PACKED.len() - 1] {
            assert!(index(&PACKED[..length]).is_none(), "{length}");
        }
    }
}
