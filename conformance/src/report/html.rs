//! The report for browsers: one self-contained page.

use std::collections::{BTreeMap, BTreeSet};

use exactum_vectors::Level;
use exactum_vectors::spec::Clause;
use maud::{DOCTYPE, Markup, html};

use super::failures::command;
use super::{Absent, Outline, Reviewed, Tally, level_name};
use crate::expectations::describe;
use crate::run::Judged;
use crate::verdict::Verdict;

/// The number of cases shown for one cause; the others are counted.
const SHOWN: usize = 3;

/// The colours and fonts of the site (`site/assets/style.css`).
const STYLE: &str = "
:root { --paper: #fcfcfb; --raised: #fff; --ink: #1c2126; --quiet: #59636e; --line: #e2e5e8; --accent: #0d5c63;
  --all: #d9efe1; --some: #fdeecb; --few: #fbdcd8; --few-ink: #8c1d14 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181c; --raised: #1b2025; --ink: #e4e8eb; --quiet: #9aa5b0; --line: #2c333a; --accent: #6cc5c9;
    --all: #143a26; --some: #45330b; --few: #4d1d19; --few-ink: #ffb4ab } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 84rem; padding: 1.5rem 1rem; color: var(--ink);
  background: var(--paper) }
a, summary { color: var(--accent) } .text { max-width: 46rem }
.scroll { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 8px; background: var(--raised);
  margin: 1rem 0 }
table { border-collapse: separate; border-spacing: 0; font-size: 13.5px }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { position: sticky; top: 0; background: var(--raised); z-index: 2; vertical-align: bottom }
.matrix tr > :first-child { position: sticky; left: 0; background: var(--raised); z-index: 1; max-width: 24rem }
.matrix thead tr > :first-child { z-index: 3 }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
th.row { padding-top: 1rem; border-bottom: 2px solid var(--quiet) }
td.pass { background: var(--all) } td.known { background: var(--some) } td.bad { background: var(--few) }
td.none, .level { color: var(--quiet) } .level { font-size: 13px }
code { font: 12.5px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
details { margin: .4rem 0 } summary { cursor: pointer }
.cause { border-left: 4px solid var(--few-ink); padding: .1rem 0 .1rem .9rem; margin: .9rem 0 }
.cause li { margin: .3rem 0; overflow-wrap: anywhere }";

/// Returns the page: a table of implementations by clauses, followed by the failures by cause. The first cases of each
/// cause are shown down to the element, with the command that shows them again.
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
                meta name="color-scheme" content="light dark";
                title { "Exactum " (outline.version) }
                style { (STYLE) }
            }
            body {
                h1 { "Exactum " (outline.version) }
                p.text { "How implementations treat the numbers of arrays, compared with the vectors of version "
                    (outline.version) ". Each clause below is a sentence of the specification; each cause of failure has the "
                    "cases that show it." }
                div.scroll { (summary(all)) }
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
            thead { tr {
                th { "implementation" } th { "version" } th { "language" }
                @for verdict in &seen { th { (verdict) } }
                th { "not as expected" }
            } }
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
        div.scroll { table.matrix {
            thead { tr {
                th { "clause" }
                @for (place, reviewed) in all.iter().enumerate() {
                    th { a href={ "#i" (place) } { (reviewed.name) } }
                }
            } }
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
        } }
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

/// Failures with one cause: those of one entry of the expectations or, if none expects them, of one verdict.
#[derive(Default)]
struct Cause<'a> {
    cases: Vec<&'a Judged>,
    must: usize,
    /// The clauses for which this is the first cause, so that links to them lead here.
    clauses: Vec<&'a str>,
}

fn failures(outline: &Outline, place: usize, reviewed: &Reviewed) -> Markup {
    let mut causes: BTreeMap<(Option<usize>, Option<Verdict>), Cause<'_>> = BTreeMap::new();
    let mut linked = BTreeSet::new();
    for judged in &reviewed.report.cases {
        if !judged.verdict.is_failure() {
            continue;
        }
        let entry = reviewed.review.expected.get(&judged.case).copied();
        // The failures that one entry expects are one cause, regardless of their verdicts.
        let verdict = entry.is_none().then_some(judged.verdict);
        let cause = causes.entry((entry, verdict)).or_default();
        cause.cases.push(judged);
        cause.must += usize::from(outline.level(&judged.case) == Some(Level::Must));
        let clauses = outline.clauses(&judged.case).iter().map(String::as_str);
        cause
            .clauses
            .extend(clauses.filter(|clause| linked.insert(*clause)));
    }
    html! {
        h3 id={ "i" (place) } { (reviewed.name) }
        @if causes.is_empty() { p { "None." } }
        @for cause in causes.values() { (one(place, reviewed, cause)) }
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

/// Renders a cause with its first cases.
fn one(place: usize, reviewed: &Reviewed, cause: &Cause<'_>) -> Markup {
    let first = cause
        .cases
        .first()
        .map_or("", |judged| judged.case.as_str());
    html! {
        div.cause {
            @for clause in &cause.clauses { span id=(anchor(place, clause)) {} }
            p { (reason(reviewed, first)) " "
                span.level { (cause.cases.len()) " cases, " (cause.must) " at level must" } }
            ul {
                @for judged in cause.cases.iter().take(SHOWN) {
                    li { code { (judged.case) } ": " (describe(judged)) br;
                        code.level { (command(&judged.case, reviewed)) } }
                }
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
            None => strong { "Not expected." },
        }
    }
}
