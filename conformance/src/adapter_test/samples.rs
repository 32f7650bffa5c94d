//! A few vectors for every operation that is offered.

use exactum_model::Array;
use exactum_vectors::{Case, Expect, Group, Suite, array_from_json};

use super::Table;
use super::advice::Problem;
use super::dialogue::Dialogue;
use crate::compare;
use crate::hello::Hello;
use crate::operations::Operation;
use crate::protocol::{Answer, Success};
use crate::request::Request;
use crate::run::{Selection, single_of};
use crate::verdict::Verdict;

/// The number of vectors of each kind, each from another group, that are tried until one is answered correctly.
const TRIED: usize = 6;

/// The largest request, in bytes, that is easy to read.
const SMALL: usize = 1000;

/// The number of elements in a large array.
const MANY: usize = 1 << 16;

/// The vectors of one operation.
pub(super) struct Samples<'a> {
    operation: String,
    /// The number of cases in the suite within what is offered, and in total.
    offered: usize,
    all: usize,
    accepted: Vec<Sample<'a>>,
    rejected: Vec<Sample<'a>>,
}

/// A vector to try.
struct Sample<'a> {
    group: &'a str,
    id: String,
    case: &'a Case,
    request: Request,
}

/// Selects vectors for every operation that is offered, the most binding ones first.
pub(super) fn of<'a>(suite: &'a Suite, hello: &Hello) -> Vec<Samples<'a>> {
    let mut all: Vec<Samples<'a>> = hello
        .operations
        .keys()
        .map(|operation| Samples {
            operation: operation.clone(),
            offered: 0,
            all: 0,
            accepted: Vec::new(),
            rejected: Vec::new(),
        })
        .collect();
    let everything = Selection::default();
    let mut cases: Vec<(&Group, &Case, String)> = everything.cases(suite).collect();
    cases.sort_by_key(|(group, _, _)| group.level);
    for (group, case, id) in cases {
        let request = Request::new(group.case_request(case));
        let of_operation = |samples: &&mut Samples<'_>| samples.operation == request.op();
        let Some(samples) = all.iter_mut().find(of_operation) else {
            continue;
        };
        samples.all += 1;
        if hello.declares(&request) {
            samples.offered += 1;
            samples.take(group, case, id, request);
        }
    }
    all
}

impl<'a> Samples<'a> {
    fn take(&mut self, group: &'a Group, case: &'a Case, id: String, mut request: Request) {
        let list = match &case.expect {
            Expect::Ok(_) if !case.per_element => &mut self.accepted,
            Expect::Reject(_) => &mut self.rejected,
            _ => return,
        };
        if list.len() >= TRIED
            || list.iter().any(|sample| sample.group == group.id)
            || serde_json::to_string(request.members()).map_or(true, |text| text.len() > SMALL)
            || request.is_generated()
        {
            return;
        }
        let input = request.input();
        if input.as_ref().is_some_and(|input| input.is_empty()) {
            return;
        }
        if let (true, Some(input)) = (case.per_element, &input) {
            let Ok(single) = single_of(input, 0) else {
                return;
            };
            request = request.with_input(single);
        }
        list.push(Sample {
            group: &group.id,
            id,
            case,
            request,
        });
    }

    /// Tries the vectors, and returns a request that is answered correctly.
    pub(super) fn check(
        &self,
        dialogue: &mut Dialogue<'_>,
        table: &mut Table<'_>,
    ) -> Option<Request> {
        table.section(&format!(
            "{}: {} of {} vectors are within what hello offers",
            self.operation, self.offered, self.all
        ));
        if self.offered == 0 {
            let help = match self.all {
                0 => "The suite has no vectors for this operation, so it will not be tested.",
                _ => "Look for a misspelt data type or value; an omitted key allows every value.",
            };
            let problem = Problem::new("no vector is within what hello offers");
            table.check("can be tested", Err(problem.help(help).doubtful()));
            return None;
        }
        let mut right = None;
        for (what, samples) in [
            ("gives results", &self.accepted),
            ("rejects what must be rejected", &self.rejected),
        ] {
            if samples.is_empty() {
                table.note(&format!("no small vector shows whether it {what}"));
                continue;
            }
            match tried(dialogue, samples) {
                Ok(sample) => {
                    table.check(what, Ok(()));
                    right = right.or(Some(sample));
                }
                Err(problem) => table.check(what, Err(problem)),
            }
        }
        let right = right?;
        for (what, count) in [
            ("accepts an empty array", 0),
            ("accepts a large array", MANY),
        ] {
            if let Some((request, output)) = right.repeated(count) {
                table.check(what, repeated(dialogue, &request, &output));
            }
        }
        Some(right.request.clone())
    }
}

/// Returns the first sample that passes.
fn tried<'s, 'a>(
    dialogue: &mut Dialogue<'_>,
    samples: &'s [Sample<'a>],
) -> Result<&'s Sample<'a>, Problem> {
    let mut first = None;
    for sample in samples {
        let answer = dialogue
            .ask(&sample.request)
            .map_err(|problem| sample.name(problem))?;
        match sample.judge(dialogue, &answer) {
            Ok(()) => return Ok(sample),
            Err(problem) => {
                let problem = sample.name(problem);
                if !problem.doubtful {
                    return Err(problem);
                }
                first.get_or_insert(problem);
            }
        }
    }
    Err(first.unwrap_or_default())
}

impl Sample<'_> {
    fn name(&self, mut problem: Problem) -> Problem {
        problem.what = format!("{}: {}", self.id, problem.what);
        problem
    }

    fn judge(&self, dialogue: &Dialogue<'_>, answer: &Answer) -> Result<(), Problem> {
        let op = self.request.op();
        let judged = compare::judge(op, None, &self.case.expect, answer);
        let (verdict, difference) = judged.map_err(|words| Problem::new(&words))?;
        let words = match &difference {
            Some(difference) => format!("{verdict}: {difference}"),
            None => verdict.to_string(),
        };
        let problem = dialogue.wrong(&self.request, answer, &words);
        Err(match verdict {
            Verdict::Pass => return Ok(()),
            Verdict::WrongValue => self.value_problem(problem, answer),
            Verdict::Accepted => problem.doubtful().help(
                "Where the library raises, answer reject. If it really accepts this input, and all \
                 others that were tried, the fault is in the library.",
            ),
            Verdict::Rejected => problem.doubtful().help(
                "The library rejected a valid input, or the adapter calls it wrongly: look at the \
                 message. The library may use other names for data types.",
            ),
            Verdict::Skipped => problem.help(
                "hello offers this. Offer only what the library supports: operations lists, for \
                 each key, the values that it accepts.",
            ),
            _ => problem.help(
                "error is for the adapter's own failures. An exception with which the library \
                 rejects an input becomes reject: catch those exceptions by name.",
            ),
        })
    }

    fn value_problem(&self, problem: Problem, answer: &Answer) -> Problem {
        let (Expect::Ok(members), Answer::Ok(Success::Output(got))) = (&self.case.expect, answer)
        else {
            return problem
                .doubtful()
                .help("Compare the members with vectors/README.md.");
        };
        match members.get("output").map(array_from_json) {
            Some(Ok(expected)) if expected.data_type() != got.data_type() => problem.help(
                "The result has another data type: return the library's array with the name of its \
                 own data type.",
            ),
            Some(Ok(expected)) if expected.shape() != got.shape() => problem.help(
                "The result has another shape: reshape the input before the call, and return the \
                 shape of the result.",
            ),
            Some(Ok(expected)) if reversed(&expected) == got.data() => problem.help(
                "The bytes of each element are reversed: data is little-endian on every machine.",
            ),
            _ => problem.doubtful().help(
                "None of the vectors that were tried was answered correctly: the adapter reads or \
                 writes elements wrongly, or the fault is in the library.",
            ),
        }
    }

    /// Returns the request with its elements repeated up to the given number, and the expected output; for elementwise
    /// operations.
    fn repeated(&self, count: usize) -> Option<(Request, Array)> {
        if !Operation::named(self.request.op())?.elementwise {
            return None;
        }
        let Expect::Ok(members) = &self.case.expect else {
            return None;
        };
        let output = array_from_json(members.get("output")?).ok()?;
        let input = cycled(&*self.request.input()?, count)?;
        Some((self.request.with_input(input), cycled(&output, count)?))
    }
}

fn repeated(dialogue: &mut Dialogue<'_>, request: &Request, output: &Array) -> Result<(), Problem> {
    let answer = dialogue.ask(request)?;
    let judged = compare::judge(request.op(), None, &Expect::output(output), &answer);
    match judged.map_err(|words| Problem::new(&words))? {
        (Verdict::Pass, _) => Ok(()),
        (verdict, difference) => {
            let difference = difference.unwrap_or_default();
            Err(dialogue
                .wrong(request, &answer, &format!("{verdict}: {difference}"))
                .doubtful()
                .help("The same elements in an array of another length were answered correctly."))
        }
    }
}

/// Returns a one-dimensional array that repeats the elements of another.
fn cycled(array: &Array, count: usize) -> Option<Array> {
    let bytes = array.data_type().element_bytes() * count;
    let data = array.data().iter().copied().cycle().take(bytes).collect();
    Array::new(array.data_type(), vec![u64::try_from(count).ok()?], data).ok()
}

fn reversed(array: &Array) -> Vec<u8> {
    let width = array.data_type().format().component_bytes();
    let components = array.data().chunks(width);
    components
        .flat_map(|bytes| bytes.iter().rev().copied())
        .collect()
}
