//! The runner: sends the request of every case and judges the answer.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

use exactum_model::{Array, Rejection};
use exactum_vectors::{Case, Group, Level, Suite};

use crate::compare::{self, Difference, Shown};
use crate::digest;
use crate::hello::Hello;
use crate::implementation::{Failure, Implementation, Incident};
use crate::pattern::Pattern;
use crate::protocol::Answer;
use crate::request::Request;
use crate::verdict::Verdict;

/// A case with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The full case id.
    pub case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The difference from the expected answer, or the reason why there was no answer.
    pub difference: Option<Difference>,
    /// The digest of a failing or observed answer; empty otherwise.
    pub digest: String,
    /// The exception, where the answer was a rejection that was not deliberate.
    pub accident: Option<String>,
}

/// The results of an implementation on a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Who it is.
    pub hello: Hello,
    /// Every selected case, in the order of the suite.
    pub cases: Vec<Judged>,
    /// Faults that did not repeat, in the order of the suite.
    pub notices: Vec<Notice>,
}

/// A fault that is not a verdict: it did not repeat when the request was sent alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The case that it is put down to.
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

/// Makes an implementation; once for each worker.
pub type Factory<'a> = &'a (dyn Fn() -> Box<dyn Implementation> + Sync);

/// A selection of cases.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    patterns: Vec<Pattern>,
}

impl Selection {
    /// The cases that any of the patterns matches; all where there is none.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>) -> Self {
        Self { patterns }
    }

    /// Returns whether every case runs.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns whether a case runs.
    #[must_use]
    pub fn takes(&self, case: &str) -> bool {
        self.is_all() || self.patterns.iter().any(|pattern| pattern.matches(case))
    }

    /// The cases of a suite that run, with their full ids.
    pub fn cases<'a, 's>(
        &'s self,
        suite: &'a Suite,
    ) -> impl Iterator<Item = (&'a Group, &'a Case, String)> + use<'a, 's> {
        suite
            .files
            .iter()
            .flat_map(|(file, _)| &file.groups)
            .flat_map(|group| group.cases.iter().map(move |case| (group, case)))
            .map(|(group, case)| (group, case, group.case_id(case)))
            .filter(|(_, _, id)| self.takes(id))
    }
}

/// Returns the number of workers that judge an implementation in this process: the number of rayon's threads.
#[must_use]
pub fn in_process_workers() -> NonZeroUsize {
    NonZeroUsize::new(rayon::current_num_threads()).unwrap_or(NonZeroUsize::MIN)
}

/// The number of workers that judge an external program, each with a process of its own.
pub const PROCESS_WORKERS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

/// A case with its request, of which everything is read at most once, whoever answers.
#[derive(Debug)]
struct Question<'a> {
    group: &'a Group,
    case: &'a Case,
    id: String,
    request: Request,
}

/// The selected cases of a suite, ready to be asked: what is read for one implementation is there
/// for the next.
#[derive(Debug)]
pub struct Questions<'a> {
    suite: &'a Suite,
    all: bool,
    questions: Vec<Question<'a>>,
}

impl<'a> Questions<'a> {
    /// Makes the requests of the selected cases.
    ///
    /// # Errors
    /// A request that cannot be made: a fault of the suite.
    pub fn new(suite: &'a Suite, selection: &Selection) -> Result<Self, String> {
        let questions = selection
            .cases(suite)
            .map(|(group, case, id)| {
                let request = request_of(group, case).map_err(|what| format!("{id}: {what}"))?;
                Ok(Question {
                    group,
                    case,
                    id,
                    request,
                })
            })
            .collect::<Result<_, String>>()?;
        Ok(Self {
            suite,
            all: selection.is_all(),
            questions,
        })
    }

    /// Asks an implementation: the given number of workers, each with one of its own, take the cases from one
    /// queue. `progress` is called once for each case. The report is in the order of the suite
    /// whatever the workers do.
    ///
    /// # Errors
    /// A fault of the suite: an expectation that cannot be read, or another number of groups and
    /// cases than its manifest tells.
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
                    // The others need not go on either.
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
            // Short to write and large in memory: it is made anew each time, and not kept.
            return judge_request(implementation, hello, group, case, &request.unread());
        }
        judge_request(implementation, hello, group, case, request)
    }
}

/// Runs the selected cases of a suite; see [`Questions::ask`].
///
/// # Errors
/// A fault of the suite: a request or an expectation that cannot be read, or another number of
/// groups and cases than its manifest tells.
pub fn run(
    suite: &Suite,
    selection: &Selection,
    make: Factory<'_>,
    workers: NonZeroUsize,
    progress: &(dyn Fn() + Sync),
) -> Result<Report, String> {
    Questions::new(suite, selection)?.ask(make, workers, progress)
}

/// Checks that as many groups and cases were judged as the manifest tells.
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
        difference: Some(Difference {
            got: Shown::words(why),
            expected: Shown::words("an answer"),
            ..Difference::default()
        }),
        digest: Verdict::NotRun.name().into(),
        accident: None,
    });
    Report {
        hello: Hello::new("unknown", "unknown", "unknown"),
        cases: judged.collect(),
        notices: Vec::new(),
    }
}

/// Runs every case of a group, in order.
///
/// # Errors
/// A fault of the group: a request or an expectation that cannot be read.
pub fn judge_group(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
) -> Result<Vec<Judged>, String> {
    group
        .cases
        .iter()
        .map(|case| judge_case(implementation, hello, group, case))
        .collect()
}

/// Judges a case as the only one, with what the implementation does behind its answer.
///
/// # Errors
/// The same as for [`judge_case`].
pub fn judge_alone(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
) -> Result<Judged, String> {
    let mut judged = judge_case(implementation, hello, group, case)?;
    for incident in implementation.finish() {
        if incident.repeated && incident.case == judged.case {
            judged.fails(case, &incident.failure);
        }
    }
    Ok(judged)
}

/// Sends the request of a case, never its expectation, and judges the answer.
///
/// # Errors
/// A fault of the case: a request or an expectation that cannot be read.
pub fn judge_case(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
) -> Result<Judged, String> {
    let request =
        request_of(group, case).map_err(|what| format!("{}: {what}", group.case_id(case)))?;
    judge_request(implementation, hello, group, case, &request)
}

fn judge_request(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
    request: &Request,
) -> Result<Judged, String> {
    let id = group.case_id(case);
    let fault = |what: String| format!("{id}: {what}");
    implementation.begin(&id);
    let mut accident = None;
    let mut ask = |request: &Request| {
        let answer = implementation.call(request);
        if let Ok(Answer::Reject(rejected)) = &answer
            && rejected.accident
        {
            let words = rejected.message.split(':').next();
            accident = words.map(|name| name.trim().to_owned());
        }
        answer
    };
    let (verdict, difference, digest) = if !hello.declares(request) {
        (Verdict::Unsupported, None, String::new())
    } else if request.is_generated() && request.call().is_err() && request.input().is_none() {
        return Err(fault("the input cannot be made".into()));
    } else if case.per_element {
        judge_elements(&mut ask, case, request).map_err(fault)?
    } else {
        let answer = ask(request);
        judge_answer(request, case, answer).map_err(fault)?
    };
    Ok(Judged {
        case: id,
        verdict,
        difference,
        digest,
        accident,
    })
}

/// Sends every element of the input alone. The first that fails is shown; the digest has them all, up
/// to one that has ended the program.
fn judge_elements(
    ask: &mut dyn FnMut(&Request) -> Result<Answer, Failure>,
    case: &Case,
    request: &Request,
) -> Result<Verdicted, String> {
    // Documents are read now, for all elements.
    let _ = request.call();
    let input = request.input().ok_or("each needs an input")?;
    let mut shown = (Verdict::Pass, None);
    let mut digests = Vec::new();
    for index in 0..input.len() {
        let single = single_of(&input, index).map_err(|rejection| rejection.message)?;
        let alone = request.with_input(single);
        let answer = ask(&alone);
        let ended = answer.is_err();
        let (verdict, difference, digest) = judge_answer(&alone, case, answer)?;
        if verdict != Verdict::Pass {
            if shown.0 == Verdict::Pass || (!shown.0.is_failure() && verdict.is_failure()) {
                let difference = difference.map(|difference| Difference {
                    index: Some(index),
                    input: Some(input.element(index).into()),
                    ..difference
                });
                shown = (verdict, difference);
            }
            digests.push((index, digest));
        }
        if ended {
            break;
        }
    }
    let (verdict, difference) = shown;
    Ok((verdict, difference, digest::of_elements(&digests)))
}

/// The request of a case: the union of the group's members and its own.
///
/// # Errors
/// If a member stands in both, or the input cannot be made of what makes it.
pub fn request_of(group: &Group, case: &Case) -> Result<Request, String> {
    if let Some(key) = case
        .request
        .keys()
        .find(|key| group.request.contains_key(*key))
    {
        return Err(format!(
            "{key} stands in the group's request and in the case's"
        ));
    }
    Ok(Request::new(group.case_request(case)))
}

/// One element of an array as an array.
pub(crate) fn single_of(input: &Array, index: usize) -> Result<Array, Rejection> {
    let bytes = input.element(index).to_bytes();
    Array::new(input.data_type(), vec![1], bytes)
}

/// A verdict, the difference behind it, and what the answer is recognised by.
type Verdicted = (Verdict, Option<Difference>, String);

fn judge_answer(
    request: &Request,
    case: &Case,
    answer: Result<Answer, Failure>,
) -> Result<Verdicted, String> {
    Ok(match answer {
        Err(failure) => judge_failure(case, &failure),
        Ok(answer) => {
            let (verdict, difference) = compare::judge_asked(request, &case.expect, &answer)?;
            let digest = if verdict == Verdict::Pass {
                String::new()
            } else {
                digest::digest(request.op(), &answer)
            };
            (verdict, difference, digest)
        }
    })
}

/// The verdict where there is no answer, the words, and what it is recognised by.
fn judge_failure(case: &Case, failure: &Failure) -> Verdicted {
    let verdict = failure.verdict();
    let difference = Difference {
        expected: Shown::words(compare::show_expect(&case.expect)),
        got: Shown::words(failure.words()),
        ..Difference::default()
    };
    (verdict, Some(difference), digest::of_failure(failure))
}

impl Judged {
    /// Gives the case the verdict of a failure.
    fn fails(&mut self, case: &Case, failure: &Failure) {
        (self.verdict, self.difference, self.digest) = judge_failure(case, failure);
    }
}

impl Report {
    /// Takes faults that were no answers: those that repeated are verdicts, the others notices.
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

    /// The cases that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Judged> {
        self.cases
            .iter()
            .filter(|judged| judged.verdict.is_failure())
    }
}

/// The facts of the suite about a case besides its request.
#[derive(Clone, Debug)]
pub struct CaseInfo<'a> {
    /// The group.
    pub group: &'a Group,
    /// The case.
    pub case: &'a Case,
    /// The level of the case.
    pub level: Level,
    /// The clauses that it is about.
    pub clauses: Vec<&'a str>,
}

/// Every case of a suite by its full id.
#[must_use]
pub fn index(suite: &Suite) -> BTreeMap<String, CaseInfo<'_>> {
    let everything = Selection::default();
    everything
        .cases(suite)
        .map(|(group, case, id)| {
            let info = CaseInfo {
                group,
                case,
                level: group.level,
                clauses: group.case_clauses(case).collect(),
            };
            (id, info)
        })
        .collect()
}
