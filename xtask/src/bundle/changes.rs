//! The changes of a release of the vectors, determined from the ids and the contents of its cases.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use exactum_vectors::{Suite, Withdrawn};
use serde_json::{Value, json};

/// The number of cases in a topic that are listed by id; further cases are only counted.
const NAMED: usize = 20;

/// Returns every case by its id, with its topic, its request and its expectation.
fn cases(suite: &Suite) -> BTreeMap<String, (String, Value)> {
    let mut cases = BTreeMap::new();
    for (file, _) in &suite.files {
        for group in &file.groups {
            for case in &group.cases {
                let meaning = json!([
                    group.case_request(case),
                    case.expect,
                    case.per_element,
                    group.level,
                ]);
                let topic = format!("{}/{}", file.row, file.topic);
                cases.insert(group.case_id(case), (topic, meaning));
            }
        }
    }
    cases
}

/// Returns the section of CHANGELOG.md about the changes since the previous release.
///
/// # Errors
/// If a case has changed under the same id, or has been removed without being withdrawn.
pub(super) fn changes(
    before: Option<&Suite>,
    now: &Suite,
    withdrawn: &Withdrawn,
) -> Result<String, Vec<String>> {
    let manifest = &now.manifest;
    let mut text = format!(
        "# Changes to the vectors\n\n## {}\n\n{} cases in {} groups and {} files.\n",
        manifest.suite,
        manifest.cases,
        manifest.groups,
        manifest.files.len()
    );
    let Some(before) = before else {
        text.push_str("The first release.\n");
        return Ok(text);
    };
    let (then, now) = (cases(before), cases(now));
    let mut findings = Vec::new();
    let (mut added, mut gone) = (BTreeMap::new(), BTreeMap::new());
    for (id, (topic, meaning)) in &now {
        match then.get(id) {
            None => added.entry(topic).or_insert_with(Vec::new).push(id),
            Some((_, before)) if before == meaning => {}
            Some(_) => findings.push(format!("{id}: the case has changed under the same id")),
        }
    }
    for (id, (topic, _)) in then.iter().filter(|(id, _)| !now.contains_key(*id)) {
        gone.entry(topic).or_insert_with(Vec::new).push(id);
        if !withdrawn.has(id) {
            findings.push(format!("{id}: removed, but not listed in withdrawn.json"));
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    for (title, topics) in [("Added", added), ("Withdrawn", gone)] {
        let count: usize = topics.values().map(Vec::len).sum();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n### {title}: {count} cases\n");
        for (topic, ids) in topics {
            let _ = writeln!(text, "- `{topic}`: {}", ids.len());
            for id in ids.iter().take(if title == "Added" { 0 } else { NAMED }) {
                let _ = writeln!(text, "  - `{id}`");
            }
        }
    }
    let _ = writeln!(text, "\nSince {}.", before.manifest.suite);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use exactum_vectors::{Expect, File, Level, Manifest, Request};

    use super::*;

    fn suite(cases: &[(&str, &str)]) -> Suite {
        let mut file = File::new("bytes", "int8", "upstream@0");
        let group = file.group("group", Level::Must, &[], Request::new());
        for (id, bytes) in cases {
            group.case(id, &[], Request::new(), Expect::ok(json!({"bytes": bytes})));
        }
        let files = vec![(file, String::new())];
        Suite {
            manifest: Manifest::of(&files),
            files,
        }
    }

    #[test]
    fn what_comes_and_goes_is_told_and_what_changes_is_refused() {
        let none = Withdrawn {
            format: "exactum-withdrawn".into(),
            version: 1,
            ids: Vec::new(),
        };
        let withdrawn = Withdrawn {
            ids: vec!["bytes/int8/group/old".into()],
            ..none.clone()
        };
        let then = suite(&[("old", "01"), ("same", "02")]);
        let now = suite(&[("new", "03"), ("same", "02")]);
        let text = changes(Some(&then), &now, &withdrawn).expect("changes");
        assert!(
            text.contains("Added: 1 cases\n\n- `bytes/int8`: 1\n"),
            "{text}"
        );
        assert!(text.contains("  - `bytes/int8/group/old`\n"), "{text}");
        assert_eq!(
            changes(Some(&then), &now, &none).map_err(|found| found.len()),
            Err(1)
        );
        let other = suite(&[("old", "01"), ("same", "ff")]);
        assert!(changes(Some(&then), &other, &none).is_err());
        assert!(changes(None, &now, &none).is_ok());
    }
}
