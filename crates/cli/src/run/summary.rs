//! The text that a run prints.

use std::fmt::Write as _;

use exactum_conformance::output;
use exactum_conformance::report::{self, Reviewed};
use exactum_peers::registry::SET_UP;

use super::{Run, RunReport};
use crate::style;

/// The number of implementations above which a table of clauses is too wide.
const MANY: usize = 6;

impl Run<'_> {
    /// Returns the text that is printed. Its last line counts the cases that were sent to the implementations.
    pub(super) fn summary(&self, outcome: &RunReport) -> String {
        let all = outcome.reviewed.as_slice();
        let sum = |count: fn(&Reviewed) -> usize| all.iter().map(count).sum::<usize>();
        let findings = sum(|reviewed| reviewed.review.findings.len());
        let known = sum(|reviewed| reviewed.review.expected.len());
        let mut text = if self.args.all {
            let table = if all.len() > MANY {
                report::overview(all)
            } else {
                report::table(&self.outline, all)
            };
            table + &report::failures(&self.outline, all)
        } else {
            report::summary(&self.outline, all, style::width())
        };
        let idle = all
            .iter()
            .filter(|reviewed| reviewed.has_nothing_to_judge());
        let idle: Vec<&str> = idle.map(|reviewed| reviewed.name.as_str()).collect();
        // Writing to a String cannot fail.
        if !idle.is_empty() {
            let _ = write!(
                text,
                "\nNothing to judge: {}. No case uses the operations they offer.\n",
                idle.join(", ")
            );
        }
        text.push_str(&output::missing(&outcome.absent));
        let missing = match outcome.absent.len() {
            0 => String::new(),
            count => {
                format!(", {count} missing (`{SET_UP}` sets them up, `--without NAME` skips one)")
            }
        };
        let _ = writeln!(
            text,
            "\nsuite {}: {}; {known} known failures, {findings} not as expected{missing}",
            self.suite.manifest.suite,
            asked(all, self.cases),
        );
        text
    }
}

/// Returns the number of selected cases that each implementation was sent.
fn asked(all: &[Reviewed], cases: usize) -> String {
    let counts = all.iter().map(Reviewed::asked);
    let (least, most) = (counts.clone().min(), counts.max());
    match (all, least.unwrap_or_default(), most.unwrap_or_default()) {
        ([one], asked, _) => format!("{} ran {asked} of {cases} cases", one.name),
        (all, least, most) if least == most => {
            format!("{} implementations ran {most} of {cases} cases", all.len())
        }
        (all, least, most) => format!(
            "{} implementations ran {least} to {most} of {cases} cases",
            all.len()
        ),
    }
}
