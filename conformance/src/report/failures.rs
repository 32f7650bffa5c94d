//! Failing cases, for terminals.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use exactum_vectors::Level;

use super::{Outline, Reviewed, level_name, wrapped};
use crate::expectations::{Finding, FindingKind, Kind, NewFault};
use crate::verdict::Verdict;

/// The number of kinds of failures that are shown; the rest are only counted.
const SHOWN: usize = 10;

/// Describes the failing cases: known faults by entry, unexpected ones by their probable cause, and how to look closer.
/// Cases at level `ruling` or `may` are marked, because differing from those is not a fault.
#[must_use]
pub fn failures(outline: &Outline, all: &[Reviewed]) -> String {
    let mut text = String::new();
    for reviewed in all {
        known(&mut text, outline, reviewed);
        unknown(&mut text, outline, reviewed);
        notices(&mut text, reviewed);
    }
    text
}

/// Lists faults that are not verdicts, since they did not repeat.
pub(super) fn notices(text: &mut String, reviewed: &Reviewed) {
    let notices = &reviewed.report.notices;
    if notices.is_empty() {
        return;
    }
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\n{}: {} that did not repeat when the request was sent alone",
        reviewed.name,
        counted(notices.len(), "fault")
    );
    for notice in notices {
        let _ = writeln!(text, "  {notice}");
    }
}

fn known(text: &mut String, outline: &Outline, reviewed: &Reviewed) {
    let mut by_entry: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (case, &place) in &reviewed.review.expected {
        by_entry.entry(place).or_default().push(case);
    }
    for (place, cases) in by_entry {
        let entry = &reviewed.expectations.entries[place];
        let must = cases
            .iter()
            .filter(|case| outline.level(case) == Some(Level::Must))
            .count();
        let first = cases.first().copied().unwrap_or_default();
        let levels = match (entry.kind, entry.accuses()) {
            (Kind::OtherText, _) => "of a text that it does not claim to implement".to_owned(),
            (_, false) => "none at level must".to_owned(),
            _ => format!("{must} must, {} ruling or may", cases.len() - must),
        };
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n{}: known {}: {}\n  {} ({levels})\n",
            reviewed.name,
            entry.kind.name(),
            entry.case,
            counted(cases.len(), "case"),
        );
        for line in [&entry.reason, &entry.link] {
            if !line.is_empty() {
                let _ = writeln!(text, "{}", wrapped(line, 98, "  "));
            }
        }
        let _ = writeln!(text, "  {}", command(first, reviewed));
    }
}

fn unknown(text: &mut String, outline: &Outline, reviewed: &Reviewed) {
    let Some(unexpected) = Unexpected::of(outline, reviewed) else {
        return;
    };
    text.push_str(&unexpected.heading);
    for (_, cause) in unexpected.causes.iter().take(SHOWN) {
        text.push_str(cause);
    }
    text.push_str(&unexpected.rest(SHOWN, "--json or --html lists them all"));
}

/// The unexpected results of one implementation, as text.
pub(super) struct Unexpected {
    /// How many there are, and what did not run.
    pub(super) heading: String,
    /// The number of findings and the text for each cause, with the most frequent cause first.
    pub(super) causes: Vec<(usize, String)>,
}

impl Unexpected {
    /// Groups the findings about an implementation by their probable causes; returns `None` if there are none.
    pub(super) fn of(outline: &Outline, reviewed: &Reviewed) -> Option<Self> {
        let count = reviewed.review.findings.len();
        if count == 0 {
            return None;
        }
        let mut heading = format!(
            "\n{}: {} not as expected\n",
            reviewed.name,
            counted(count, "finding")
        );
        let (not_run, findings) = not_run(reviewed);
        for (words, count) in not_run {
            // Writing to a String cannot fail.
            let _ = writeln!(heading, "  not run: {}: {words}", counted(count, "case"));
        }
        let causes = causes(outline, reviewed, &findings).into_iter();
        Some(Self {
            heading,
            causes: causes
                .map(|cause| (cause.findings.len(), block(outline, reviewed, &cause)))
                .collect(),
        })
    }

    /// Returns the line that counts the causes beyond the given number, and names the command that lists them.
    pub(super) fn rest(&self, shown: usize, how: &str) -> String {
        let rest = self.causes.get(shown..).unwrap_or_default();
        if rest.is_empty() {
            return String::new();
        }
        let count: usize = rest.iter().map(|(count, _)| count).sum();
        format!("  and {count} more of {} other kinds ({how})\n", rest.len())
    }
}

/// Returns the text about the findings of one cause.
fn block(outline: &Outline, reviewed: &Reviewed, cause: &Cause<'_>) -> String {
    let Cause {
        words, findings, ..
    } = cause;
    let finding = findings[0];
    let level = match outline.level(&finding.case) {
        Some(level @ (Level::Ruling | Level::May)) => format!(" [{}]", level_name(level)),
        _ => String::new(),
    };
    let mut text = if findings.len() == 1 {
        format!("  {finding}{level}\n")
    } else {
        let cases: Vec<&str> = findings.iter().map(|it| it.case.as_str()).collect();
        format!(
            "  {} {}: {words}{level}\n    in {}\n    such as {}: {}\n",
            findings.len(),
            finding.kind.plural(),
            common(&cases),
            finding.case,
            finding.detail
        )
    };
    if !matches!(finding.kind, FindingKind::Stale | FindingKind::Results) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    {}", command(&finding.case, reviewed));
    }
    text
}

/// Findings that probably have one cause.
struct Cause<'a> {
    /// The clause concerned, if the findings are about cases.
    clause: Option<&'a str>,
    /// A description of the cause.
    words: String,
    findings: Vec<&'a Finding>,
}

/// Groups findings by their probable causes, the most frequent first. Findings of one cause have the same kind, verdict
/// and clause; of a case's clauses, the one with the largest share of failing cases counts.
fn causes<'a>(
    outline: &'a Outline,
    reviewed: &Reviewed,
    findings: &[&'a Finding],
) -> Vec<Cause<'a>> {
    let tallies = outline.by_clause(reviewed);
    // Failures per million, so that shares can be compared as integers.
    let share = |clause: &String| {
        let tally = tallies.get(clause)?;
        let asked: usize = tally.verdicts.values().sum();
        let asked = asked - tally.of(Verdict::Unsupported);
        Some((tally.unknown * 1_000_000 / asked.max(1), tally.unknown))
    };
    let verdicts: BTreeMap<&str, Verdict> = reviewed
        .report
        .cases
        .iter()
        .map(|judged| (judged.case.as_str(), judged.verdict))
        .collect();
    let mut causes: BTreeMap<(FindingKind, String), Cause<'a>> = BTreeMap::new();
    for &finding in findings {
        let clause = outline
            .clauses(&finding.case)
            .iter()
            .max_by_key(|clause| share(clause));
        let words = match (clause, verdicts.get(finding.case.as_str())) {
            (Some(clause), Some(verdict)) => format!("{clause}: {verdict}"),
            _ => finding.detail.clone(),
        };
        let cause = causes
            .entry((finding.kind, words))
            .or_insert_with_key(|key| Cause {
                clause: clause.map(String::as_str),
                words: key.1.clone(),
                findings: Vec::new(),
            });
        cause.findings.push(finding);
    }
    let mut causes: Vec<Cause<'_>> = causes.into_values().collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.findings.len()));
    causes
}

/// Groups unexpected failures by their probable causes, as the report does, so that expectations can be written from
/// them.
#[must_use]
pub fn new_faults(outline: &Outline, reviewed: &Reviewed) -> Vec<NewFault> {
    let findings = reviewed.review.findings.iter();
    let unexpected: Vec<&Finding> = findings
        .filter(|finding| finding.kind == FindingKind::UnexpectedFailure)
        .collect();
    let causes = causes(outline, reviewed, &unexpected).into_iter();
    causes
        .map(|cause| {
            let cases: Vec<&str> = cause.findings.iter().map(|it| it.case.as_str()).collect();
            NewFault {
                pattern: common(&cases),
                clause: cause.clause.map(str::to_owned),
                cases: cases.into_iter().map(str::to_owned).collect(),
            }
        })
        .collect()
}

/// Returns a pattern that matches some cases: their common beginning in each segment.
fn common(cases: &[&str]) -> String {
    let mut split = cases.iter().map(|case| case.split('/').collect::<Vec<_>>());
    let first = split.next().unwrap_or_default();
    let mut prefixes: Vec<&str> = first.clone();
    let (mut whole, mut even) = (vec![true; first.len()], true);
    for segments in split {
        even &= segments.len() == first.len();
        prefixes.truncate(segments.len());
        for (place, prefix) in prefixes.iter_mut().enumerate() {
            let same = prefix.char_indices().zip(segments[place].chars());
            let same = same
                .take_while(|((_, a), b)| a == b)
                .map(|((at, a), _)| at + a.len_utf8());
            let length = same.last().unwrap_or_default();
            whole[place] &= length == segments[place].len() && length == prefix.len();
            *prefix = &prefix[..length];
        }
    }
    let mut parts: Vec<String> = prefixes
        .iter()
        .zip(whole)
        .map(|(prefix, whole)| format!("{prefix}{}", if whole { "" } else { "*" }))
        .collect();
    if !even {
        parts.pop();
        parts.push("**".into());
    }
    parts.join("/")
}

/// Returns the findings, and, for cases that did not run, only their number for each cause.
fn not_run(reviewed: &Reviewed) -> (BTreeMap<&str, usize>, Vec<&Finding>) {
    let causes: BTreeMap<&str, &str> = reviewed
        .report
        .cases
        .iter()
        .filter(|judged| judged.verdict == Verdict::NotRun)
        .filter_map(|judged| Some((judged.case.as_str(), judged.difference.as_ref()?)))
        .map(|(case, difference)| (case, difference.got.value.as_str()))
        .collect();
    let mut counts = BTreeMap::new();
    let mut others = Vec::new();
    for finding in &reviewed.review.findings {
        match causes.get(finding.case.as_str()) {
            Some(cause) => *counts.entry(*cause).or_default() += 1,
            None => others.push(finding),
        }
    }
    (counts, others)
}

/// Returns the command that shows a case again.
pub(super) fn command(case: &str, reviewed: &Reviewed) -> String {
    match &reviewed.command {
        Some(program) => format!(
            "exactum explain {case} --command {} -- {program}",
            reviewed.name
        ),
        None => command_by_name(case, &reviewed.name),
    }
}

/// Returns the command that shows a case again for an implementation that is known by name.
pub(crate) fn command_by_name(case: &str, implementation: &str) -> String {
    format!("exactum explain {case} --implementation {implementation}")
}

pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn cases_in_common_are_a_pattern() {
        for (cases, pattern) in [
            (&["a/b/c"][..], "a/b/c"),
            (
                &["a/float32-int8/c/d", "a/float64-int8/c/d"],
                "a/float*/c/d",
            ),
            (&["a/b/c", "a/b/d"], "a/b/*"),
            (&["a/b/c", "a/b/cd"], "a/b/c*"),
            (&["a/b/c/d", "a/b/c"], "a/b/**"),
        ] {
            assert_eq!(common(cases), pattern, "{cases:?}");
        }
    }
}
