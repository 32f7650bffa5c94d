//! The runner: sends the request of every case and judges the answer.

mod judge;
mod selection;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

use exactum_vectors::{Case, Group, Suite, side_by_side};

use crate::compare::Difference;
use crate::hello::Hello;
use crate::implementation::{Failure, Implementation, Incident};
use crate::request::Request;
use crate::verdict::Verdict;
use judge::judge_request;

pub(crate) use judge::single_of;
pub use judge::{Judged, judge_alone, judge_case, request_of};
pub use selection::Selection;

/// The results of an implementation on a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The implementation's introduction.
    pub hello: Hello,
    /// Every selected case, in the order of the suite.
    pub cases: Vec<Judged>,
    /// Faults that did not repeat, in the order of the suite.
    pub notices: Vec<Notice>,
}

/// A fault that is not a verdict: it did not repeat when the request was sent alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The case that it is attributed to.
    pub case: String,
    /// The verdict that it would have been.
    pub verdict: Verdict,
    /// The description of the incident.
    pub words: String,
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}: {}", self.case, self.verdict, self.words)
    }
}

/// Creates an implementation; called once for each worker.
pub type Factory<'a> = &'a (dyn Fn() -> Box<dyn Implementation> + Sync);

/// Returns the number of workers that judge an implementation in this process: the number of rayon's threads.
#[must_use]
pub fn in_process_workers() -> NonZeroUsize {
    NonZeroUsize::new(rayon::current_num_threads()).unwrap_or(NonZeroUsize::MIN)
}

/// The number of workers that judge an external program, each with its own process.
pub const PROCESS_WORKERS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

/// A case with its request, which is parsed at most once for all implementations.
#[derive(Debug)]
struct Question<'a> {
    group: &'a Group,
    case: &'a Case,
    id: String,
    request: Request,
}

/// The selected cases of a suite, ready to be asked. Whatever is parsed for one implementation is reused for the next.
#[derive(Debug)]
pub struct Questions<'a> {
    suite: &'a Suite,
    all: bool,
    questions: Vec<Question<'a>>,
}

impl<'a> Questions<'a> {
    /// Prepares the requests of the selected cases.
    ///
    /// # Errors
    /// If a request cannot be made, which is a fault of the suite.
    pub fn new(suite: &'a Suite, selection: &Selection) -> Result<Self, String> {
        let cases: Vec<_> = selection.cases(suite).collect();
        let requests = side_by_side(&cases, |(group, case, id)| {
            request_of(group, case).map_err(|what| format!("{id}: {what}"))
        });
        let questions = cases
            .into_iter()
            .zip(requests)
            .map(|((group, case, id), request)| {
                Ok(Question {
                    group,
                    case,
                    id,
                    request: request?,
                })
            })
            .collect::<Result<_, String>>()?;
        Ok(Self {
            suite,
            all: selection.is_all(),
            questions,
        })
    }

    /// Asks an implementation. The given number of workers, each with its own instance, take the cases from one queue.
    /// `progress` is called once for each case. The report is in the order of the suite, regardless of the order in
    /// which the workers finish.
    ///
    /// # Errors
    /// If the suite is at fault: an expectation cannot be read, or the numbers of groups and cases differ from those in
    /// the manifest.
    pub fn ask(
        &self,
        make: Factory<'_>,
        workers: NonZeroUsize,
        progress: &(dyn Fn() + Sync),
    ) -> Result<Report, String> {
        let questions = &self.questions;
        let mut first = make();
        let hello = match first.hello() {
            Ok(hello) => hello,
            Err(failure) => return Ok(not_run(questions, &failure)),
        };
        let queue = AtomicUsize::new(0);
        let work = |mut implementation: Box<dyn Implementation>| {
            let mut judged = Vec::new();
            loop {
                let place = queue.fetch_add(1, Ordering::Relaxed);
                let Some(question) = questions.get(place) else {
                    break;
                };
                let outcome = question.judge(implementation.as_mut(), &hello);
                let fault = outcome.is_err();
                judged.push((place, outcome));
                progress();
                if fault {
                    // The other workers can stop, too.
                    queue.fetch_max(questions.len(), Ordering::Relaxed);
                    break;
                }
            }
            (judged, implementation.finish())
        };
        let (mut judged, mut incidents) = (Vec::new(), Vec::new());
        thread::scope(|scope| {
            let others: Vec<_> = (1..workers.get().min(questions.len()))
                .map(|_| scope.spawn(|| work(make())))
                .collect();
            let mut done = vec![work(first)];
            for other in others {
                match other.join() {
                    Ok(part) => done.push(part),
                    Err(payload) => panic::resume_unwind(payload),
                }
            }
            for (part, noticed) in done {
                judged.extend(part);
                incidents.extend(noticed);
            }
        });
        judged.sort_unstable_by_key(|(place, _)| *place);
        let judged = judged
            .into_iter()
            .map(|(_, outcome)| outcome)
            .collect::<Result<Vec<Judged>, String>>()?;
        if self.all {
            count(self.suite, &judged)?;
        }
        let mut report = Report {
            hello,
            cases: judged,
            notices: Vec::new(),
        };
        report.take(questions, incidents);
        Ok(report)
    }
}

impl Question<'_> {
    fn judge(
        &self,
        implementation: &mut dyn Implementation,
        hello: &Hello,
    ) -> Result<Judged, String> {
        let Self {
            group,
            case,
            request,
            ..
        } = self;
        if request.is_generated() {
            // The input is short to write but large in memory: it is generated anew each time and not kept.
            return judge_request(implementation, hello, group, case, &request.unread());
        }
        judge_request(implementation, hello, group, case, request)
    }
}

/// Runs the selected cases of a suite; see [`Questions::ask`].
///
/// # Errors
/// If the suite is at fault: a request or an expectation cannot be read, or the numbers of groups and cases differ from
/// those in the manifest.
pub fn run(
    suite: &Suite,
    selection: &Selection,
    make: Factory<'_>,
    workers: NonZeroUsize,
    progress: &(dyn Fn() + Sync),
) -> Result<Report, String> {
    Questions::new(suite, selection)?.ask(make, workers, progress)
}

/// Checks that the numbers of judged groups and cases match the manifest.
fn count(suite: &Suite, judged: &[Judged]) -> Result<(), String> {
    let mut groups: Vec<&str> = judged
        .iter()
        .filter_map(|judged| judged.case.rsplit_once('/'))
        .map(|(group, _)| group)
        .collect();
    groups.dedup();
    let manifest = &suite.manifest;
    if (groups.len(), judged.len()) == (manifest.groups, manifest.cases) {
        return Ok(());
    }
    Err(format!(
        "{} groups and {} cases ran; the manifest has {} and {}",
        groups.len(),
        judged.len(),
        manifest.groups,
        manifest.cases
    ))
}

fn not_run(questions: &[Question<'_>], failure: &Failure) -> Report {
    let why = failure.words();
    let judged = questions.iter().map(|question| Judged {
        case: question.id.clone(),
        verdict: Verdict::NotRun,
        difference: Some(Difference::whole("an answer", why)),
        digest: Verdict::NotRun.name().into(),
        accident: None,
    });
    Report {
        hello: Hello::new("unknown", "unknown", "unknown"),
        cases: judged.collect(),
        notices: Vec::new(),
    }
}

impl Report {
    /// Records faults that were not answers: those that repeated become verdicts, the others notices.
    fn take(&mut self, questions: &[Question<'_>], incidents: Vec<Incident>) {
        let mut notices = Vec::new();
        for incident in incidents {
            let place = questions
                .iter()
                .position(|question| question.id == incident.case);
            if let (true, Some(place)) = (incident.repeated, place) {
                self.cases[place].fails(questions[place].case, &incident.failure);
            } else {
                let notice = Notice {
                    case: incident.case,
                    verdict: incident.failure.verdict(),
                    words: incident.failure.words().to_owned(),
                };
                notices.push((place, notice));
            }
        }
        notices.sort_by_key(|(place, _)| *place);
        self.notices = notices.into_iter().map(|(_, notice)| notice).collect();
    }

    /// Counts the cases by verdict.
    #[must_use]
    pub fn verdicts(&self) -> BTreeMap<Verdict, usize> {
        let mut counts = BTreeMap::new();
        for judged in &self.cases {
            *counts.entry(judged.verdict).or_default() += 1;
        }
        counts
    }

    /// Returns the cases that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Judged> {
        self.cases
            .iter()
            .filter(|judged| judged.verdict.is_failure())
    }
}
