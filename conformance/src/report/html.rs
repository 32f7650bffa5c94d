//! The report for browsers: one self-contained page.

use std::collections::{BTreeMap, BTreeSet};

use exactum_vectors::spec::Clause;
use maud::{DOCTYPE, Markup, html};

use super::failures::command;
use super::{Absent, Outline, Reviewed, Tally, level_name};
use crate::expectations::describe;
use crate::verdict::Verdict;

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem;
  color: #1b1f24; background: #fff }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #d8dee4; text-align: left;
  vertical-align: top }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
th.row { padding-top: 1.2rem; border-bottom: 2px solid #57606a }
td.pass { background: #e6f4ea } td.known { background: #fff3cd } td.bad { background: #fde2e1 }
td.none { color: #8c959f }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
.level { color: #57606a; font-size: 13px }
details { margin: .4rem 0 } summary { cursor: pointer }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117 } th, td { border-color: #30363d }
  td.pass { background: #12301c } td.known { background: #3b2e08 } td.bad { background: #4a1513 }
}";

/// The page: implementations x clauses, then every failure down to the element, each with the
/// command that shows it again.
#[must_use]
pub fn html(outline: &Outline, clauses: &[Clause], all: &[Reviewed], absent: &[Absent]) -> String {
    let texts: BTreeMap<&str, &Clause> = clauses
        .iter()
        .map(|clause| (clause.id.as_str(), clause))
        .collect();
    let tallies: Vec<BTreeMap<String, Tally>> = all
        .iter()
        .map(|reviewed| outline.by_clause(reviewed))
        .collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Exactum " (outline.version) }
                style { (STYLE) }
            }
            body {
                h1 { "Exactum " (outline.version) }
                (summary(all))
                @for absent in absent {
                    p { strong { (absent.name) " is missing: " } (absent.why) " " em { (absent.remedy) } }
                }
                h2 { "Clauses" }
                p { "Passing cases; " code { "!" } " known failures; " code { "✗" }
                    " unexpected failures; " code { "?" } " open cases. Level "
                    em { "ruling" } ": the upstream text is open, a difference is not a "
                    "non-conformance." }
                (matrix(&texts, &tallies, all))
                h2 { "Failures" }
                @for (place, reviewed) in all.iter().enumerate() {
                    (failures(outline, place, reviewed))
                }
            }
        }
    }
    .into_string()
}

fn summary(all: &[Reviewed]) -> Markup {
    let seen: BTreeSet<Verdict> = all
        .iter()
        .flat_map(|reviewed| reviewed.tally().verdicts.into_keys())
        .collect();
    html! {
        table {
            tr {
                th { "implementation" } th { "version" } th { "language" }
                @for verdict in &seen { th { (verdict) } }
                th { "not as expected" }
            }
            @for reviewed in all {
                @let tally = reviewed.tally();
                tr {
                    td { (reviewed.name) }
                    td { (reviewed.report.hello.version) }
                    td { (reviewed.report.hello.language) }
                    @for verdict in &seen { td.n { (tally.of(*verdict)) } }
                    td.n { (reviewed.review.findings.len()) }
                }
            }
        }
    }
}

fn matrix(
    texts: &BTreeMap<&str, &Clause>,
    tallies: &[BTreeMap<String, Tally>],
    all: &[Reviewed],
) -> Markup {
    let ids: BTreeSet<&String> = tallies.iter().flat_map(BTreeMap::keys).collect();
    let mut rows: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for id in ids {
        let row = id.split('.').next().unwrap_or_default();
        rows.entry(row).or_default().push(id);
    }
    html! {
        table {
            tr {
                th { "clause" }
                @for reviewed in all { th { (reviewed.name) } }
            }
            @for (row, ids) in &rows {
                tr { th.row colspan=(all.len() + 1) { (row) } }
                @for id in ids {
                    tr {
                        td {
                            details {
                                summary {
                                    code { (id) }
                                    @if let Some(clause) = texts.get(id.as_str()) {
                                        " " span.level { (level_name(clause.level)) }
                                    }
                                }
                                @if let Some(clause) = texts.get(id.as_str()) { (clause.text) }
                            }
                        }
                        @for (place, tallies) in tallies.iter().enumerate() {
                            (cell(place, id, tallies.get(id.as_str())))
                        }
                    }
                }
            }
        }
    }
}

fn cell(place: usize, clause: &str, tally: Option<&Tally>) -> Markup {
    let none = Tally::default();
    let tally = tally.unwrap_or(&none);
    let (pass, open) = (tally.of(Verdict::Pass), tally.of(Verdict::Observed));
    let class = match (tally.unknown, tally.known, pass + open) {
        (0, 0, 0) => "n none",
        (0, 0, _) => "n pass",
        (0, _, _) => "n known",
        _ => "n bad",
    };
    html! {
        td class=(class) {
            @if class == "n none" { "-" } @else { (pass) }
            @if tally.known + tally.unknown > 0 {
                " " a href={ "#" (anchor(place, clause)) } {
                    @if tally.known > 0 { "!" (tally.known) }
                    @if tally.unknown > 0 { " ✗" (tally.unknown) }
                }
            }
            @if open > 0 { " ?" (open) }
        }
    }
}

fn anchor(place: usize, clause: &str) -> String {
    format!("i{place}-{clause}")
}

fn failures(outline: &Outline, place: usize, reviewed: &Reviewed) -> Markup {
    let mut by_clause: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, judged) in reviewed.report.cases.iter().enumerate() {
        if judged.verdict.is_failure() {
            for clause in outline.clauses(&judged.case) {
                by_clause.entry(clause).or_default().push(index);
            }
        }
    }
    html! {
        h3 { (reviewed.name) }
        @if by_clause.is_empty() { p { "None." } }
        @for (clause, indices) in &by_clause {
            details open[!reviewed.review.findings.is_empty()] id=(anchor(place, clause)) {
                summary { code { (clause) } ": " (indices.len()) }
                table {
                    tr { th { "case" } th { "level" } th { "what happened" } th { "expected?" } }
                    @for &index in indices {
                        @let judged = &reviewed.report.cases[index];
                        tr {
                            td {
                                code { (judged.case) } br;
                                code.level { (command(&judged.case, reviewed)) }
                            }
                            td { (outline.level(&judged.case).map(level_name).unwrap_or_default()) }
                            td { (describe(judged)) }
                            td { (reason(reviewed, &judged.case)) }
                        }
                    }
                }
            }
        }
        @if !reviewed.report.notices.is_empty() {
            h4 { "Faults that did not repeat when the request was sent alone" }
            ul {
                @for notice in &reviewed.report.notices { li { (notice.to_string()) } }
            }
        }
        @if !reviewed.review.findings.is_empty() {
            h4 { "Not as expected" }
            ul {
                @for finding in &reviewed.review.findings { li { (finding.to_string()) } }
            }
        }
    }
}

fn reason(reviewed: &Reviewed, case: &str) -> Markup {
    let entry = reviewed
        .review
        .expected
        .get(case)
        .and_then(|&place| reviewed.expectations.entries.get(place));
    html! {
        @match entry {
            Some(entry) => {
                (entry.kind.name()) ": " (entry.reason)
                @if entry.link.starts_with("https://") {
                    " " a href=(entry.link) { (entry.link) }
                } @else {
                    " " (entry.link)
                }
            }
            None => "no",
        }
    }
}
