//! Folders of documents.

use std::fs;

use super::*;

/// A separate folder, which is removed at the end.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let name = format!("exactum-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        Self(folder)
    }

    pub(super) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, text).expect("written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn code(paths: &[&Path]) -> String {
    format!("{:?}", run(&args(paths)).expect("standard output"))
}

fn exit(code: u8) -> String {
    format!("{:?}", ExitCode::from(code))
}

/// Returns the report about every document of a store, with the paths below it.
pub(super) fn reported(folder: &Folder, strict: bool) -> String {
    let mut report = report::Report::new(Format::Text, false, false);
    let args = Args {
        strict,
        ..args(&[])
    };
    for path in store::search(&folder.0).documents {
        let bytes = fs::read(&path).expect("read");
        let name = path.strip_prefix(&folder.0).expect("below");
        report.add(
            &name_of(name),
            &bytes,
            &judge_at(&path, &bytes, None, &args),
        );
    }
    let mut text = report.take();
    text.push_str(&report.end());
    text
}

const GROUP: &str = r#"{"zarr_format": 3, "node_type": "group", "attributes": {"a": [[]]}}"#;

#[test]
fn paths() {
    let folder = Folder::new("paths");
    // A folder without a document cannot be read.
    assert_eq!(code(&[&folder.0]), exit(2));
    let good = folder.write("zarr.json", &document(&[]));
    assert_eq!(code(&[&folder.0]), exit(0));
    let bad = folder.write("bad.json", "{}");
    assert_eq!(code(&[&good, &bad, &good]), exit(1));
    assert_eq!(code(&[&folder.0.join("none"), &bad]), exit(2));
}

/// Links, folders whose names are not Unicode, and invalid node names are reported; everything else is
/// judged.
#[cfg(unix)]
#[test]
fn what_is_not_searched_is_reported() {
    let folder = Folder::new("unread");
    folder.write("zarr.json", GROUP);
    folder.write("a/zarr.json", &document(&[]));
    assert_eq!(code(&[&folder.0]), exit(0));
    let unread = |folder: &Folder| -> Vec<String> {
        let found = store::search(&folder.0);
        assert_eq!(found.documents.len(), 2);
        let unread = found.unread.iter();
        unread
            .map(|(path, error)| format!("{}: {error}", name_of(path)))
            .collect()
    };
    std::os::unix::fs::symlink("..", folder.0.join("link")).expect("a link");
    let reported = unread(&folder);
    assert!(
        matches!(&reported[..], [one] if one.contains("link: a link to a folder is not followed")),
        "{reported:?}"
    );
    assert_eq!(code(&[&folder.0]), exit(2));
    fs::remove_file(folder.0.join("link")).expect("removed");

    // A loop of links cannot be examined, which does not mean that nothing exists.
    std::os::unix::fs::symlink("zarr.json", folder.0.join("a/zarr.json.new")).expect("a link");
    fs::create_dir(folder.0.join("b")).expect("a folder");
    std::os::unix::fs::symlink("zarr.json", folder.0.join("b/zarr.json")).expect("a link");
    let reported = unread(&folder);
    assert!(
        matches!(&reported[..], [one] if one.contains("/b: ")),
        "{reported:?}"
    );
    assert_eq!(code(&[&folder.0]), exit(2));
}

#[test]
fn names_of_nodes() {
    let folder = Folder::new("names");
    folder.write("zarr.json", GROUP);
    for (name, expected) in [
        ("_a", exit(0)),
        ("__a", exit(1)),
        ("...", exit(1)),
        ("zarr.json.d", exit(0)),
    ] {
        let path = folder.write(&format!("{name}/zarr.json"), &document(&[]));
        assert_eq!(code(&[&folder.0]), expected, "{name}");
        // By itself, it is a document like any other.
        assert_eq!(code(&[&path]), exit(0), "{name}");
        fs::remove_dir_all(path.parent().expect("a folder")).expect("removed");
    }
}

#[test]
fn remote_stores_are_not_read() {
    for path in ["https://example.org/a.zarr", "s3://bucket/a.zarr"] {
        let error = read(Path::new(path), MAX_MIB).expect_err("remote");
        assert!(
            error.to_string().contains("remote stores cannot be read"),
            "{error}"
        );
    }
    let error = read(Path::new("a://"), MAX_MIB).expect_err("none");
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
}

/// Groups, arrays below them, and Zarr v2 beside them; chunks are not examined.
#[test]
fn stores_are_searched() {
    let folder = Folder::new("search");
    folder.write("zarr.json", GROUP);
    folder.write("a/zarr.json", &document(&[]));
    // This is the name of a chunk, not of a document.
    folder.write("a/c/0/zarr.json", "no document");
    folder.write("b/zarr.json", GROUP);
    folder.write(
        "b/string/zarr.json",
        &document(&[("data_type", "\"string\"")]),
    );
    folder.write("old/.zgroup", r#"{"zarr_format": 2}"#);
    folder.write("old/x/.zarray", r#"{"zarr_format": 2}"#);
    assert_eq!(code(&[&folder.0]), exit(0));
    insta::assert_snapshot!("store", reported(&folder, false));
    folder.write("b/c/zarr.json", &document(&[("fill_value", "null")]));
    assert_eq!(code(&[&folder.0]), exit(1));
}

#[test]
fn groups() {
    let folder = Folder::new("groups");
    for (text, expected) in [
        (GROUP, Verdict::Valid),
        (
            r#"{"zarr_format": 3, "node_type": "group"}"#,
            Verdict::Valid,
        ),
        (
            r#"{"zarr_format": 3, "node_type": "group", "x": {"must_understand": false}}"#,
            Verdict::Valid,
        ),
        (
            r#"{"zarr_format": 3, "node_type": "group", "consolidated_metadata": null}"#,
            Verdict::Rejected,
        ),
        (
            r#"{"zarr_format": 3, "node_type": "group", "x": {}}"#,
            Verdict::Rejected,
        ),
        (
            r#"{"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {"../out": {}}}}"#,
            Verdict::Rejected,
        ),
        (
            r#"{"zarr_format": 2, "node_type": "group"}"#,
            Verdict::Rejected,
        ),
        (
            r#"{"zarr_format": 3, "node_type": "group", "attributes": []}"#,
            Verdict::Rejected,
        ),
        (
            r#"{"zarr_format": 3, "node_type": "group", "consolidated_metadata": []}"#,
            Verdict::Rejected,
        ),
    ] {
        let path = folder.write("zarr.json", text);
        let judgement = judge_at(&path, text.as_bytes(), None, &args(&[]));
        assert_eq!(judgement.verdict, expected, "{text}");
        assert_eq!(judgement.kind, DocumentKind::Group, "{text}");
    }
}

/// Copies that differ from their originals, and copies without an original.
#[test]
fn consolidated_documents_are_compared() {
    let folder = Folder::new("consolidated");
    let array = document(&[]);
    let other = document(&[("fill_value", "0")]);
    let nested = r#"{"node_type": "group", "zarr_format": 3, "attributes": {"a": [[]]}, "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {}}}"#;
    let metadata = format!(
        "{{\n\"same\": {array},\n\"other\": {other},\n\"group\": {nested},\n\"gone\": {array}}}"
    );
    let root = format!(
        r#"{{"zarr_format": 3, "node_type": "group", "consolidated_metadata": {{"kind": "inline", "must_understand": false, "metadata": {metadata}}}}}"#
    );
    folder.write("zarr.json", &root);
    folder.write("same/zarr.json", &array.replace('\n', " "));
    folder.write("other/zarr.json", &array);
    folder.write("group/zarr.json", GROUP);
    insta::assert_snapshot!("consolidated", reported(&folder, false));
    let judgement = judge_at(
        &folder.0.join("zarr.json"),
        root.as_bytes(),
        None,
        &Args {
            strict: true,
            ..args(&[])
        },
    );
    assert_eq!(judgement.verdict, Verdict::Rejected);
    assert_eq!(judgement.problems.len(), 2);
}

/// A store is searched once: the groups below reuse the result and do not search again.
#[test]
fn stores_are_searched_once() {
    let folder = Folder::new("once");
    let array = document(&[]);
    let group = |copies: &str| {
        format!(
            r#"{{"zarr_format": 3, "node_type": "group", "attributes": {{"a": [[]]}}, "consolidated_metadata": {{"kind": "inline", "must_understand": false, "metadata": {{{copies}}}}}}}"#
        )
    };
    let inner = group(&format!("\"x\": {array}"));
    let outer = group(&format!(
        "\"in\": {GROUP}, \"in/x\": {array}, \"z\": {array}"
    ));
    folder.write("in/x/zarr.json", &array);
    folder.write("in/y/zarr.json", &array);
    folder.write("z/zarr.json", &array);
    let root = folder.write("zarr.json", &outer);
    let below = folder.write("in/zarr.json", &inner);
    for (path, text, left_out) in [
        (root, outer, "in/y/zarr.json"),
        (below, inner, "y/zarr.json"),
    ] {
        let found = store::search(&folder.0).documents;
        let index = found.iter().position(|it| *it == path).expect("found");
        let reported = |below| {
            let judgement = judge_at(&path, text.as_bytes(), below, &args(&[]));
            let messages = judgement
                .problems
                .into_iter()
                .map(|it| it.diagnostic.rejection.message);
            messages.collect::<Vec<_>>()
        };
        let expected = [format!("{left_out} is not in consolidated_metadata")];
        assert_eq!(reported(None), expected);
        assert_eq!(reported(Some(&found[index..])), expected);
        // Documents that were not found by the search are not looked for.
        assert!(reported(Some(&found[index..=index])).is_empty());
    }
}
