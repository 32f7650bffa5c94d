//! `cargo xtask bundle`: the vectors as a release, for languages that do not build this repository. It consists of an
//! archive, a package for Python, and a package for npm that also contains the helper for test runners. If `wasm/build`
//! has been run, the package `exactum-wasm` is written as well.

mod archive;
mod changes;

use std::fs;
use std::path::{Path, PathBuf};

use exactum_vectors::{Suite, Withdrawn};
use serde_json::json;
use sha2::{Digest, Sha256};

use archive::{Entry, tar_gz, zip};

/// The folder that receives the packages.
const FOLDER: &str = "target/bundle";

/// Writes the release.
///
/// # Errors
/// If a file cannot be read or written, or if the vectors have changed since `before` in a way that the rules forbid.
pub(crate) fn bundle(root: &Path, before: Option<&Path>) -> Result<String, Vec<String>> {
    let one = |why: String| vec![why];
    let suite = Suite::load(&root.join("vectors")).map_err(one)?;
    let before = before.map(Suite::load).transpose().map_err(one)?;
    let withdrawn = read(&root.join("vectors/withdrawn.json")).map_err(one)?;
    let withdrawn: Withdrawn =
        serde_json::from_slice(&withdrawn).map_err(|error| one(error.to_string()))?;
    let changes = changes::changes(before.as_ref(), &suite, &withdrawn)?;
    let version = suite.manifest.suite.clone();
    let files = contents(root, changes).map_err(one)?;
    let mut packages = vec![
        (
            format!("exactum-vectors-{version}.tar.gz"),
            tar_gz(&below(&format!("exactum-vectors-{version}"), &files)),
        ),
        (
            format!("npm/exactum-vectors-{version}.tgz"),
            tar_gz(&npm(root, &version, &files).map_err(one)?),
        ),
        (
            format!("python/exactum_vectors-{version}-py3-none-any.whl"),
            zip(&wheel(&version, &files)),
        ),
    ];
    if root.join("wasm/npm/exactum.wasm").is_file() {
        packages.push(wasm(root).map_err(one)?);
    }
    let folder = root.join(FOLDER);
    let mut lines = Vec::new();
    for (name, package) in packages {
        let package = package.map_err(one)?;
        let path = folder.join(&name);
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, &package))
            .map_err(|error| one(format!("{}: {error}", path.display())))?;
        lines.push(format!(
            "{}  {FOLDER}/{name}",
            hex(&Sha256::digest(&package))
        ));
    }
    Ok(lines.join("\n"))
}

/// Returns the files of a release with their paths: vectors, schemas, specification, guide and licences.
fn contents(root: &Path, changes: String) -> Result<Vec<Entry>, String> {
    let mut paths = vec![
        PathBuf::from("LICENSE-APACHE"),
        PathBuf::from("LICENSE-MIT"),
    ];
    for (folder, ending) in [("spec", "md"), ("vectors", "json"), ("vectors", "md")] {
        list(root, Path::new(folder), ending, &mut paths)?;
    }
    let mut files = vec![("CHANGELOG.md".to_owned(), changes.into_bytes())];
    for path in paths {
        let bytes = read(&root.join(&path))?;
        let name: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        files.push((name.join("/"), bytes));
    }
    files.sort();
    Ok(files)
}

/// Collects the files below a folder whose names end in `ending`.
fn list(root: &Path, folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(root.join(folder)).map_err(at)? {
        let entry = entry.map_err(at)?;
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            list(root, &path, ending, found)?;
        } else if path.extension().is_some_and(|known| known == ending) {
            found.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn below(folder: &str, files: &[Entry]) -> Vec<Entry> {
    let files = files.iter();
    files
        .map(|(path, bytes)| (format!("{folder}/{path}"), bytes.clone()))
        .collect()
}

/// The description of the packages.
const SUMMARY: &str = "Golden vectors of numeric codecs for chunked arrays: data only";

/// The helper for JavaScript's test runners, which only the package for npm contains.
const HELPER: &str = "consumers/javascript/package";

/// Returns the files of the npm package: the vectors, and the helper for test runners.
fn npm(root: &Path, version: &str, files: &[Entry]) -> Result<Vec<Entry>, String> {
    let package = json!({
        "name": "exactum-vectors",
        "version": version,
        "description": "Golden vectors of numeric codecs for chunked arrays, and a helper to judge libraries by them",
        "license": "MIT OR Apache-2.0",
        "type": "module",
        "types": "./index.d.ts",
        "exports": {".": {"types": "./index.d.ts", "default": "./index.js"}, "./*": "./*"},
        "engines": {"node": ">=20"},
    });
    let mut files = below("package", files);
    for name in ["index.js", "index.d.ts", "compare.js", "files.js"] {
        let bytes = read(&root.join(HELPER).join(name))?;
        files.push((format!("package/{name}"), bytes));
    }
    files.push((
        "package/package.json".into(),
        format!("{package:#}\n").into_bytes(),
    ));
    files.sort();
    Ok(files)
}

/// Returns the package `exactum-wasm`, with the files that its manifest lists and the licences.
fn wasm(root: &Path) -> Result<(String, Result<Vec<u8>, String>), String> {
    let folder = root.join("wasm/npm");
    let manifest = read(&folder.join("package.json"))?;
    let package: serde_json::Value =
        serde_json::from_slice(&manifest).map_err(|error| format!("wasm/npm: {error}"))?;
    let version = package["version"].as_str().unwrap_or_default();
    let listed = package["files"].as_array().map(Vec::as_slice);
    let mut files = vec![("package/package.json".to_owned(), manifest)];
    let listed = listed.unwrap_or_default().iter();
    let listed = listed.filter_map(serde_json::Value::as_str);
    for name in listed.chain(["LICENSE-APACHE", "LICENSE-MIT"]) {
        let path = match name {
            "README.md" => root.join("wasm").join(name),
            "LICENSE-APACHE" | "LICENSE-MIT" => root.join(name),
            _ => folder.join(name),
        };
        files.push((format!("package/{name}"), read(&path)?));
    }
    files.sort();
    Ok((format!("npm/exactum-wasm-{version}.tgz"), tar_gz(&files)))
}

/// Returns the files of the Python package.
fn wheel(version: &str, files: &[Entry]) -> Vec<Entry> {
    const MODULE: &str = "\"\"\"Golden vectors of numeric codecs for chunked arrays: data only.\"\"\"\n\n\
        from importlib.resources import files as _files\n\n\
        #: The folder of the vectors. It contains manifest.json, and README.md describes how to read the files.\n\
        VECTORS = _files(__name__) / \"vectors\"\n";
    let info = format!("exactum_vectors-{version}.dist-info");
    let mut files = below("exactum_vectors", files);
    let metadata = format!(
        "Metadata-Version: 2.4\nName: exactum-vectors\nVersion: {version}\nSummary: {SUMMARY}\n\
         License-Expression: MIT OR Apache-2.0\nRequires-Python: >=3.9\n"
    );
    let wheel =
        "Wheel-Version: 1.0\nGenerator: exactum\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
    files.extend([
        ("exactum_vectors/__init__.py".into(), MODULE.into()),
        (format!("{info}/METADATA"), metadata.into_bytes()),
        (format!("{info}/WHEEL"), wheel.into()),
    ]);
    files.sort();
    let mut record = String::new();
    for (path, bytes) in &files {
        let digest = base64(&Sha256::digest(bytes));
        record.push_str(&format!("{path},sha256={digest},{}\n", bytes.len()));
    }
    record.push_str(&format!("{info}/RECORD,,\n"));
    files.push((format!("{info}/RECORD"), record.into_bytes()));
    files
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Encodes bytes in URL-safe Base64 without padding, as wheels record hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk
            .iter()
            .fold(0, |bits, &byte| bits << 8 | u32::from(byte))
            << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            let digit = bits >> (18 - 6 * place) & 63;
            text.push(char::from(DIGITS[digit as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_urls() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"\xff", "_w"),
            (b"\xfb\xf0", "-_A"),
            (b"Man", "TWFu"),
        ] {
            assert_eq!(base64(bytes), text);
        }
    }
}
