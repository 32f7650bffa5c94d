//! Bad documents as people write them, in `bad/*.txt`, and the reports about them: one snapshot for each
//! file.

use super::stores::{Folder, reported};
use super::{args, document};
use crate::render::Text;
use crate::validate::{judge_at, report};
use std::path::Path;

/// Returns the report about each case of a file. A case is a name after `==` followed by the members in which
/// an array differs from a good one, by a whole document, or by documents that each follow `>` and a path.
fn snapshot(name: &str, cases: &str) {
    let mut cases = cases.split("\n== ");
    let about = cases.next().and_then(|line| line.trim().strip_prefix("= "));
    let mut text = format!("{}\n", about.expect("a line about the cases"));
    for case in cases {
        let (title, body) = case.split_once('\n').expect("a case");
        let reported = reported_of(name, body.trim_end());
        // Every document here is bad: only good ones have no findings.
        let says = reported.contains("Error: ") || reported.contains("Warning: ");
        assert!(says, "{name}, {title}: {reported}");
        text.push_str(&format!("\n== {title}\n{}\n", reported.trim_end()));
    }
    insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!(format!("bad-{name}"), text);
    });
}

fn reported_of(name: &str, body: &str) -> String {
    if let Some(files) = body.strip_prefix("> ") {
        let folder = Folder::new(&format!("bad-{name}"));
        for file in files.split("\n> ") {
            let (path, text) = file.split_once('\n').expect("a file");
            folder.write(path, text);
        }
        return reported(&folder, false);
    }
    let whole = match body.starts_with('{') {
        true => format!("{body}\n"),
        // A member without a value is left out.
        false => {
            let members = body
                .lines()
                .map(|it| it.split_once(' ').unwrap_or((it, "")));
            document(&members.collect::<Vec<_>>())
        }
    };
    // Standard input has no documents beside it.
    let judgement = judge_at(Path::new("-"), whole.as_bytes(), None, &args(&[]));
    let text = Text::new(whole.as_bytes());
    report::words("zarr.json", &text, &judgement, false, false)
}

macro_rules! files {
    ($($file:ident)*) => {
        $(#[test]
        fn $file() {
            snapshot(stringify!($file), include_str!(concat!("bad/", stringify!($file), ".txt")));
        })*
    };
}

files! { members groups types fill_values grids numbers codecs shards views data_sets ome }
