//! The expectations and results that a run writes.

use exactum_conformance::Verdict;
use exactum_conformance::expectations::Expectations;
use exactum_conformance::output;
use exactum_conformance::report::{self, Reviewed};
use exactum_conformance::results::Results;

use super::Run;

impl Run<'_> {
    /// Writes the expectations that the report calls for. If all cases ran and the expectations are those of a
    /// checkout, writes the results too.
    ///
    /// # Errors
    /// If they cannot be written, or the report is incomplete.
    pub(super) fn update(&self, reviewed: &mut Reviewed) -> Result<(), String> {
        let Self {
            source,
            outline,
            selection,
            ..
        } = self;
        let name = &reviewed.name;
        let mut verdicts = reviewed.report.cases.iter().map(|judged| judged.verdict);
        if verdicts.any(|verdict| verdict == Verdict::NotRun) {
            return Err(format!(
                "{name}: some cases did not run, so nothing is updated"
            ));
        }
        let is_own = source.own(name).is_some();
        if !is_own {
            self.may_replace_results(reviewed)?;
        }
        let faults = report::new_faults(outline, reviewed);
        let updated = reviewed
            .expectations
            .updated(&reviewed.report, selection, &faults);
        let written = |expectations: &Expectations| match is_own {
            true => expectations.clone(),
            false => expectations.entries_alone(),
        };
        let text = written(&updated);
        if text != written(&reviewed.expectations) {
            output::replace(&source.expectations_file(name)?, &text.render()?)?;
        }
        reviewed.review = updated.review(&reviewed.report, outline, selection);
        reviewed.expectations = updated;
        if !is_own {
            let path = Results::path(&source.checkout()?.results(), &reviewed.name);
            output::replace(&path, &Results::of(outline, reviewed).render())?;
        }
        Ok(())
    }

    /// Returns an error if the run may not replace the results of a checkout, which hold every answer.
    ///
    /// # Errors
    /// If the run covers only some of the cases, or its conditions hide recorded faults.
    fn may_replace_results(&self, reviewed: &Reviewed) -> Result<(), String> {
        let name = &reviewed.name;
        if !self.selection.is_all() {
            return Err(format!(
                "{name}: the results hold the answers to all cases, so an update needs a run without --only"
            ));
        }
        let Ok(Some(committed)) = Results::load(&self.source.checkout()?.results(), name) else {
            return Ok(());
        };
        let version = &reviewed.report.hello.version;
        let now = reviewed.expectations.conditions(version);
        let lost = committed
            .conditions
            .iter()
            .find(|(condition, held)| **held && now.get(*condition) == Some(&false));
        match lost {
            Some((condition, _)) => Err(format!(
                "{name}: the results were made with {condition}, and an update without it would lose answers"
            )),
            None => Ok(()),
        }
    }
}
