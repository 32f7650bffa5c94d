//! Rules that keep accusations fair. A library is measured at `must` only by texts that it claims to implement, and a
//! fault names the clause that it breaks and states whether the library's authors know of it.

use std::collections::{BTreeMap, BTreeSet};

use exactum_vectors::Level;

use crate::expectations::{Entry, Expectations, Kind};
use crate::report::Outline;

/// The texts that a library claims to implement: rows of the grid, each with the place where the library says so.
pub type Claims = BTreeMap<String, String>;

/// The folder, relative to the root of the checkout, of the programs that show a fault without an adapter.
pub const PROGRAMS: &str = "conformance/reports";

/// Returns the unfair entries in the expectations of an implementation, a line for each entry and rule.
///
/// Whether the cases that an entry expects exist is checked elsewhere ([`Expectations::stale`]); unknown cases are
/// ignored here.
#[must_use]
pub fn problems(
    outline: &Outline,
    name: &str,
    expectations: &Expectations,
    claims: Option<&Claims>,
) -> Vec<String> {
    let Some(claims) = claims else {
        return vec![format!(
            "{name}: conformance/peers.lock does not say which texts it claims to implement"
        )];
    };
    let mut found = Vec::new();
    for entry in &expectations.entries {
        let mut find = |what: &str| found.push(format!("{name}: {}: {what}", entry.case));
        if let Some(what) = beyond_claims(outline, entry, claims) {
            find(&what);
        }
        if let Some(what) = clause(outline, entry) {
            find(&what);
        }
        let must = must(outline, entry).count();
        if entry.kind == Kind::SpecDispute && entry.ruling.is_none() && must > 0 {
            find(&format!(
                "{must} cases at level must are declared as spec_dispute: set `ruling` to the \
                 ruling concerned"
            ));
        }
        if entry.ruling.is_some() && must == 0 {
            find("`ruling` is unnecessary: none of its cases is at level must");
        }
        if entry.ruling.is_some() && entry.kind != Kind::SpecDispute {
            find("an entry with `ruling` must have the kind spec_dispute");
        }
        let is_fault = matches!(entry.kind, Kind::Bug | Kind::WontFix);
        if is_fault && must > 0 && entry.reported.is_none() {
            find("`reported` is missing: a link to the report upstream, or false");
        }
    }
    found
}

/// Returns the cases at level `must` that an entry expects to fail.
fn must<'a>(outline: &'a Outline, entry: &'a Entry) -> impl Iterator<Item = &'a str> {
    let cases = entry.answers.keys().map(String::as_str);
    cases.filter(|case| outline.level(case) == Some(Level::Must))
}

/// Returns the row of the grid that a clause or a case belongs to.
fn row(id: &str) -> &str {
    id.split(['.', '/']).next().unwrap_or_default()
}

/// Returns the complaint about an entry that measures a library by a text that it does not claim, or that calls a
/// claimed text unclaimed.
fn beyond_claims(outline: &Outline, entry: &Entry, claims: &Claims) -> Option<String> {
    let rows = |claimed: bool| -> BTreeSet<&str> {
        let rows = must(outline, entry).map(row);
        rows.filter(|row| claims.contains_key(*row) == claimed)
            .collect()
    };
    let listed = |rows: &BTreeSet<&str>| rows.iter().copied().collect::<Vec<_>>().join(", ");
    if entry.kind == Kind::OtherText {
        let claimed = rows(true);
        return (!claimed.is_empty()).then(|| {
            format!(
                "the library claims {}: the kind must not be other_text",
                listed(&claimed)
            )
        });
    }
    let unclaimed = rows(false);
    // A fault against the library's own documentation needs no other text.
    (!unclaimed.is_empty() && entry.promise.is_none()).then(|| {
        format!(
            "the library does not claim {}: the kind must be other_text, or `promise` must link to \
             the library's own documentation that this contradicts",
            listed(&unclaimed)
        )
    })
}

/// Returns the complaint about an entry that does not make clear which clause is broken.
fn clause(outline: &Outline, entry: &Entry) -> Option<String> {
    if !entry.clauses.is_empty() {
        return None; // Whether its cases cite them is checked with the page.
    }
    let mut cases: Vec<&str> = must(outline, entry).collect();
    if cases.is_empty() {
        cases = entry.answers.keys().map(String::as_str).collect();
    }
    let cited = cases.iter().map(|case| outline.clauses(case));
    let cited: Vec<BTreeSet<&str>> = cited
        .map(|clauses| clauses.iter().map(String::as_str).collect())
        .collect();
    let all: BTreeSet<&str> = cited.iter().flatten().copied().collect();
    (all.len() > 1).then(|| {
        let all: Vec<&str> = all.into_iter().collect();
        format!(
            "its cases cite {}: name the `clauses` that are broken",
            all.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"
[[expect]]
case = "row/t/g/*"
kind = "bug"
fault = "goes on"
reported = false
[expect.answers]
"row/t/g/must" = "ok:00"
"row/t/g/ruling" = "ok:00"
"#;

    fn check(claimed: &[&str], from: &str, to: &str, expected: &[&str]) {
        assert!(from.is_empty() || ENTRY.contains(from), "{from}");
        check_text(claimed, &ENTRY.replacen(from, to, 1), expected);
    }

    fn check_text(claimed: &[&str], text: &str, expected: &[&str]) {
        let expectations = Expectations::parse(text).expect("expectations");
        let cites = |clauses: &[&str]| clauses.iter().map(|it| (*it).to_owned()).collect();
        let outline = Outline {
            version: "1".into(),
            cases: [
                ("row/t/g/must".to_owned(), (Level::Must, cites(&["row.a"]))),
                (
                    "row/t/g/two".to_owned(),
                    (Level::Must, cites(&["row.a", "row.b"])),
                ),
                (
                    "row/t/g/ruling".to_owned(),
                    (Level::Ruling, cites(&["row.r", "row.a"])),
                ),
            ]
            .into(),
        };
        let link = |row: &&str| ((*row).to_owned(), "https://example.org".to_owned());
        let claims = claimed.iter().map(link).collect();
        let found = problems(&outline, "peer", &expectations, Some(&claims));
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn accusations_stay_within_claims() {
        check(&["row"], "", "", &[]);
        check(&["other"], "", "", &["does not claim row"]);
        check(&[], "\"bug\"", "\"unsupported\"", &["does not claim row"]);
        check(&[], "\"bug\"", "\"other_text\"", &[]);
        check(
            &["row"],
            "\"bug\"",
            "\"other_text\"",
            &["library claims row"],
        );
        let promise = "reported = false\npromise = \"https://example.org/docs\"";
        check(&[], "reported = false", promise, &[]);
        // A case of another level is not an accusation.
        check(
            &[],
            "\"row/t/g/must\" = \"ok:00\"\n",
            "",
            &["name the `clauses`"],
        );
    }

    #[test]
    fn a_fault_names_its_clause_and_whether_it_is_reported() {
        check(&["row"], "g/must\"", "g/two\"", &["cite row.a, row.b"]);
        let named = "reported = false\nclauses = [\"row.b\"]\n[expect.answers]\n\"row/t/g/two\" = \"ok:00\"";
        check(&["row"], "reported = false\n[expect.answers]", named, &[]);
        check(&["row"], "reported = false", "", &["`reported` is missing"]);
        check(
            &["row"],
            "\"bug\"",
            "\"spec_dispute\"",
            &["declared as spec_dispute"],
        );
        let ruled = "\"spec_dispute\"\nruling = 23";
        check(&["row"], "\"bug\"", ruled, &[]);
        let less = "\"row/t/g/must\" = \"ok:00\"\n";
        let entry = ENTRY.replacen("\"bug\"", ruled, 1).replacen(less, "", 1);
        assert!(entry.contains("ruling = 23") && !entry.contains("g/must\""));
        check_text(
            &["row"],
            &entry,
            &["name the `clauses`", "`ruling` is unnecessary"],
        );
        let wrong = "\"bug\"\nruling = 23";
        check(
            &["row"],
            "\"bug\"",
            wrong,
            &["must have the kind spec_dispute"],
        );
    }

    #[test]
    fn every_library_says_what_it_claims() {
        let expectations = Expectations::default();
        let outline = Outline {
            version: "1".into(),
            cases: BTreeMap::new(),
        };
        let found = problems(&outline, "peer", &expectations, None);
        assert!(found[0].contains("which texts it claims"), "{found:?}");
    }
}
