//! The table of the adapters' ways lists every adapter, and libraries that do the same thing are called in the same
//! way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use exactum_peers::lock::Lock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a file")
}

/// Returns the last cell of each row, by adapter.
fn ways(text: &str) -> BTreeMap<String, String> {
    let (_, section) = text
        .split_once("## The ways of the adapters")
        .expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| {
        let (name, _) = row.split_once('`')?;
        let way = row.trim_end_matches(" |").rsplit(" | ").next()?;
        Some((name.to_owned(), way.to_owned()))
    })
    .collect()
}

/// Returns the part of a way about one subject, such as "missing".
fn about<'a>(way: &'a str, subject: &str) -> Option<&'a str> {
    let mut parts = way.split("; ");
    parts.find_map(|part| part.strip_prefix(subject)?.strip_prefix(": "))
}

#[test]
fn every_adapter_has_a_row() {
    let lock = Lock::load(&root()).expect("a lock");
    let adapters = lock.peers.iter().map(|(name, peer)| {
        let folder = peer.adapter.as_deref().and_then(|it| it.split('/').next());
        folder.unwrap_or(name).to_owned()
    });
    let adapters: BTreeSet<String> = adapters.collect();
    let listed: BTreeSet<String> = ways(&read("conformance/adapters/README.md"))
        .into_keys()
        .collect();
    assert_eq!(listed, adapters);
}

#[test]
fn equals_are_treated_equally() {
    let ways = ways(&read("conformance/adapters/README.md"));
    for (subject, names) in [
        ("behind a stream", &["zarrs-zfp", "zfp-c", "zfpy"][..]),
        ("missing", &["astropy", "fitsio", "gdal", "xarray"]),
        ("types", &["astropy", "fitsio"]),
    ] {
        let of: BTreeSet<&str> = names
            .iter()
            .map(|name| about(&ways[*name], subject).unwrap_or_else(|| panic!("{name}: {subject}")))
            .collect();
        assert_eq!(of.len(), 1, "{subject}: {of:?}");
    }
}

/// All three programs around C zfp have the fence named in the table, and none uses zeros.
#[test]
fn the_fence_behind_a_stream_is_the_same() {
    for (path, fence) in [
        ("conformance/adapters/zfpy/adapter.py", "FENCE = b\"\\xa5\""),
        ("conformance/zfp-c/src/zfp.rs", "const FENCE: u8 = 0xa5;"),
        (
            "conformance/zarrs-zfp/src/fence.rs",
            "const BYTE: u8 = 0xa5;",
        ),
    ] {
        assert!(read(path).contains(fence), "{path}");
    }
}

#[test]
fn every_judged_library_says_what_it_claims() {
    let lock = Lock::load(&root()).expect("a lock");
    let folder = root().join("conformance/expectations");
    let files = fs::read_dir(folder).expect("a folder");
    for file in files {
        let name = file.expect("a file").path();
        let name = name
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or_default()
            .to_owned();
        assert!(lock.claims.contains_key(&name), "{name}");
    }
}
