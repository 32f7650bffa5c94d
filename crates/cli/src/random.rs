//! The random cases of `exactum run --fresh N --seed S`, which are requests that no vector contains.

use std::time::{SystemTime, UNIX_EPOCH};

use exactum_conformance::Verdict;
use exactum_conformance::expectations::Expectations;
use exactum_conformance::report::{self, Answered};
use exactum_conformance::run::{self, Selection, judge_case, request_of};
use exactum_peers::random;
use exactum_vectors::Suite;
use exactum_vectors::spec::Clause;

use crate::chosen::Chosen;

/// The number of failing cases that are shown for one implementation.
const SHOWN: usize = 3;

/// The random cases of a seed.
pub(crate) struct RandomCases {
    suite: Suite,
    selection: Selection,
    count: usize,
    seed: u64,
}

/// The results of the random cases for one implementation.
pub(crate) struct RandomReport {
    /// A line for the summary, and the failing cases that no expectation explains.
    pub(crate) text: String,
    /// The number of failing cases that are not as expected.
    pub(crate) findings: usize,
    /// Whether any case was judged.
    pub(crate) any: bool,
}

impl RandomCases {
    /// Makes the given number of requests from a seed or, without one, from the clock.
    ///
    /// # Errors
    /// If the reference does not answer, which is a bug of Exactum.
    pub(crate) fn make(
        count: usize,
        seed: Option<u64>,
        selection: &Selection,
        clauses: &[Clause],
    ) -> Result<Self, String> {
        let seed = seed.unwrap_or_else(clock);
        Ok(Self {
            suite: random::suite(count, seed, clauses)?,
            selection: selection.clone(),
            count,
            seed,
        })
    }

    /// Returns the number of selected cases.
    pub(crate) fn cases(&self) -> usize {
        self.selection.cases(&self.suite).count()
    }

    /// Returns the headline of the section.
    pub(crate) fn title(&self) -> String {
        format!(
            "\nrandom: {} cases of {} requests, seed {}\n",
            self.cases(),
            self.count,
            self.seed
        )
    }

    /// Judges an implementation. A failure is expected if expectations list a fault of the same topic. No
    /// pattern can say which fault it is, because the case did not exist before.
    ///
    /// # Errors
    /// If the cases are faulty.
    pub(crate) fn judge(
        &self,
        chosen: &Chosen,
        expectations: &Expectations,
        clauses: &[Clause],
    ) -> Result<RandomReport, String> {
        let Chosen {
            name,
            make,
            workers,
            ..
        } = chosen;
        let report = run::run(&self.suite, &self.selection, &**make, *workers, &|| {})?;
        let version = &report.hello.version;
        let (known, new): (Vec<_>, Vec<_>) = report
            .failures()
            .partition(|judged| expectations.knows_topic_of(&judged.case, version));
        let counts: Vec<String> = report
            .verdicts()
            .into_iter()
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect();
        let mut text = format!(
            "  {name}: {}; {} in topics with known faults, {} not as expected\n",
            counts.join(", "),
            known.len(),
            new.len()
        );
        for judged in new.iter().take(SHOWN) {
            text.push_str(&self.show(chosen, clauses, &judged.case)?);
        }
        Ok(RandomReport {
            any: report.verdicts().into_keys().any(Verdict::is_judged),
            text,
            findings: new.len(),
        })
    }

    /// Returns a failing case, shrunk and explained, with the command that repeats it.
    fn show(&self, chosen: &Chosen, clauses: &[Clause], id: &str) -> Result<String, String> {
        let name = &chosen.name;
        let (group, case) =
            random::find(&self.suite, id).ok_or_else(|| format!("there is no case {id}"))?;
        let mut implementation = (chosen.make)();
        let hello = implementation
            .hello()
            .map_err(|failure| format!("{name}: {}", failure.words()))?;
        let group = &random::shrink(implementation.as_mut(), &hello, group, case)?;
        let case = &group.cases[0];
        let request = request_of(group, case)?;
        let judged = judge_case(implementation.as_mut(), &hello, group, case)?;
        let answer =
            (judged.verdict != Verdict::Unsupported).then(|| implementation.call(&request));
        let answered = Answered {
            name: name.clone(),
            judged,
            answer,
            known: String::new(),
            smallest: String::new(),
        };
        let explained = report::explain(group, case, clauses, &[answered])?;
        let line = random::line(&request);
        let seed = random::seed_of(id).unwrap_or(self.seed);
        Ok(format!(
            "\n{explained}\n  as a line: {line}\n  again: exactum run --fresh 1 --seed {seed} --only '{id}'\n\n"
        ))
    }
}

/// Returns a different seed each time.
fn clock() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| {
            u64::from(time.subsec_nanos()) << 32 | time.as_secs()
        })
}
