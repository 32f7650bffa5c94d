//! Fuzzing: the requests of the vectors, mutated at random, for every parser and decoder of a row.
//!
//! Every mutated request is sent to the reference and to the optimized implementation. It is also mutated once more as
//! a line and sent through the adapter's loop. The following must hold for any input:
//!
//! - nothing panics, and an answer arrives within the time limit of the protocol;
//! - both implementations give the same answer, and neither claims not to offer the operation;
//! - a rejection names a clause of the specification;
//! - every line is answered by one line;
//! - a fill value that was parsed is formatted as text that parses to the same bits.
//!
//! The rows of data sets and packings have fresh requests in addition to the mutated ones. Data sets must also have the
//! properties described in `fresh`.
//!
//! A run depends only on its seed: `--seed S --runs 1` repeats the run named by a finding.

mod bend;
mod fresh;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use exactum_conformance::model::Array;
use exactum_conformance::vectors::spec::Clause;
use exactum_conformance::vectors::{Expect, Suite, hex};
use exactum_conformance::{
    Answer, Implementation, InProcess, Request, Success, Verdict, compare, run, serve,
};
use serde_json::Value;

use exactum_peers::random::{Random, line, request_of};
use exactum_peers::{Optimized, Reference};

use bend::Corpus;

/// The time limit for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The rows that have fresh requests in addition to mutated ones.
const FRESH: [&str; 2] = ["cf", "sds"];

/// Inputs with more elements than this are left to the vectors, so that a run stays fast.
const MOST_ELEMENTS: usize = 256;

/// The answers of a fuzzing run, counted by kind. They show that not everything was rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of results.
    pub ok: u64,
    /// The number of rejections.
    pub rejected: u64,
    /// The number of documents of a kind that is not offered.
    pub unsupported: u64,
    /// The number of lines that are not requests.
    pub errors: u64,
}

impl Tally {
    fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Ok(_) => self.ok += 1,
            Answer::Reject(_) => self.rejected += 1,
            Answer::Unsupported(_) => self.unsupported += 1,
            Answer::Error(_) => self.errors += 1,
        }
    }
}

/// An incident that must not occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The seed of the run.
    pub seed: u64,
    /// A description of the incident.
    pub what: String,
    /// The request, as a line of the protocol.
    pub line: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {}: {}\n{}", self.seed, self.what, self.line)
    }
}

/// Exactum's two implementations, and the requests to mutate.
pub struct Fuzzer {
    row: String,
    corpus: Corpus,
    clauses: BTreeSet<String>,
    reference: InProcess<Reference>,
    optimized: InProcess<Optimized>,
}

impl Fuzzer {
    /// Creates a fuzzer for a row of the suite.
    ///
    /// # Errors
    /// If the suite has no such row, or contains a request that cannot be read.
    pub fn new(suite: &Suite, clauses: &[Clause], row: &str) -> Result<Self, String> {
        let mut requests = Vec::new();
        for (file, _) in suite.files.iter().filter(|(file, _)| file.row == row) {
            for group in &file.groups {
                for case in &group.cases {
                    let request = run::request_of(group, case)?;
                    let elements = request.input().map_or(0, |input| input.len());
                    if elements <= MOST_ELEMENTS {
                        requests.push(request);
                    }
                }
            }
        }
        if requests.is_empty() {
            let mut rows: Vec<&str> = suite.files.iter().map(|(file, _)| &*file.row).collect();
            rows.dedup();
            return Err(format!(
                "unknown row {row}; the rows are {}",
                rows.join(", ")
            ));
        }
        Ok(Self {
            row: row.to_owned(),
            corpus: Corpus::new(requests),
            clauses: clauses.iter().map(|clause| clause.id.clone()).collect(),
            reference: InProcess::new(Arc::new(Reference)),
            optimized: InProcess::new(Arc::new(Optimized)),
        })
    }

    /// Returns the request of a seed.
    #[must_use]
    pub fn request(&self, seed: u64) -> Request {
        self.corpus.bent(&mut Random::new(seed))
    }

    /// Performs the run of a seed and adds its answer to the tally.
    ///
    /// # Errors
    /// If an incident occurs.
    pub fn run(&mut self, seed: u64, tally: &mut Tally) -> Result<(), Finding> {
        let mut random = Random::new(seed);
        let request = self.corpus.bent(&mut random);
        self.compared(seed, &request, tally)?;
        if FRESH.contains(&&*self.row)
            && let Some(request) = request_of(&self.row, &mut random)
        {
            self.compared(seed, &request, tally)?;
            for alone in one_by_one(&request) {
                self.compared(seed, &alone, tally)?;
            }
        }
        if self.row == "sds" {
            fresh::data_sets(&mut random).map_err(|what| Finding {
                seed,
                what,
                line: String::new(),
            })?;
        }
        let line = line(&request);
        let bytes = bend::bytes(&mut random, line.as_bytes());
        self.served(&bytes).map_err(|what| Finding {
            seed,
            what,
            line: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }

    /// Lets both implementations answer a request, and adds the answer to the tally.
    fn compared(&mut self, seed: u64, request: &Request, tally: &mut Tally) -> Result<(), Finding> {
        let finding = |what: String| Finding {
            seed,
            what,
            line: line(request),
        };
        let begin = Instant::now();
        let answer = self.reference.call(request);
        let answer = answer.map_err(|failure| finding(format!("reference: {failure:?}")))?;
        let other = self.optimized.call(request);
        let other = other.map_err(|failure| finding(format!("optimized: {failure:?}")))?;
        if begin.elapsed() > PATIENCE {
            return Err(finding(format!("the answers took {:?}", begin.elapsed())));
        }
        self.agree(request, &answer, &other).map_err(finding)?;
        if let (Answer::Ok(Success::Bits(bits)), Some(data_type)) =
            (&answer, request.text("data_type"))
        {
            self.comes_back(data_type, bits).map_err(finding)?;
        }
        tally.count(&answer);
        Ok(())
    }

    /// Lets only the optimized implementation answer the request of a seed. This is many times faster than
    /// [`run`](Self::run), but compares nothing.
    ///
    /// # Errors
    /// If an incident occurs.
    pub fn run_optimized(&mut self, seed: u64, tally: &mut Tally) -> Result<(), Finding> {
        let request = self.corpus.bent(&mut Random::new(seed));
        let begin = Instant::now();
        let answer = self.optimized.call(&request);
        let what = match answer {
            Err(failure) => format!("optimized: {failure:?}"),
            Ok(_) if begin.elapsed() > PATIENCE => {
                format!("the answer took {:?}", begin.elapsed())
            }
            Ok(answer) => {
                tally.count(&answer);
                return Ok(());
            }
        };
        let line = line(&request);
        Err(Finding { seed, what, line })
    }

    /// Checks that both answers are the same and well formed.
    fn agree(&self, request: &Request, answer: &Answer, other: &Answer) -> Result<(), String> {
        for answer in [answer, other] {
            match answer {
                Answer::Reject(rejected) => {
                    let clause = rejected
                        .message
                        .rsplit_once(" (")
                        .and_then(|(_, clause)| clause.strip_suffix(')'));
                    if !clause.is_some_and(|clause| self.clauses.contains(clause)) {
                        return Err(format!(
                            "a rejection that names no clause: {}",
                            rejected.message
                        ));
                    }
                }
                Answer::Unsupported(message) if request.op() != "metadata.validate" => {
                    return Err(format!("Exactum must offer every operation: {message}"));
                }
                _ => {}
            }
        }
        let same = match (answer, other) {
            (Answer::Ok(success), Answer::Ok(_)) => {
                let expect = Expect::ok(success.to_json());
                let (verdict, _) = compare::judge(request.op(), None, &expect, other)?;
                verdict == Verdict::Pass
            }
            (Answer::Reject(one), Answer::Reject(two)) => one.reason == two.reason,
            (Answer::Unsupported(_), Answer::Unsupported(_))
            | (Answer::Error(_), Answer::Error(_)) => true,
            _ => false,
        };
        if same {
            Ok(())
        } else {
            Err(format!(
                "reference says {}, optimized says {}",
                answer.to_line(Value::Null),
                other.to_line(Value::Null)
            ))
        }
    }

    /// Checks that the bits of a fill value are the same after they are formatted and parsed.
    fn comes_back(&mut self, data_type: &str, bits: &[u8]) -> Result<(), String> {
        let format = request([
            ("op", "fill_value.format"),
            ("data_type", data_type),
            ("bits", &hex::encode(bits)),
        ]);
        let Ok(Answer::Ok(Success::Json(text))) = self.reference.call(&format) else {
            return Err(format!("{data_type} {} has no text", hex::encode(bits)));
        };
        let parse = request([
            ("op", "fill_value.parse"),
            ("data_type", data_type),
            ("json", &text),
        ]);
        match self.reference.call(&parse) {
            Ok(Answer::Ok(Success::Bits(again))) if again == bits => Ok(()),
            other => Err(format!(
                "{data_type} {}, written as {text}, is read as {other:?}",
                hex::encode(bits)
            )),
        }
    }

    /// Checks that the adapter's loop gives one answer for each line.
    fn served(&mut self, input: &[u8]) -> Result<(), String> {
        let mut output = Vec::new();
        serve(&mut self.reference, input, &mut output)
            .map_err(|error| format!("serve: {error}"))?;
        let lines =
            input.split(|&byte| byte == b'\n').count() - usize::from(input.ends_with(b"\n"));
        let lines = if input.is_empty() { 0 } else { lines };
        let answers = output.iter().filter(|&&byte| byte == b'\n').count();
        if lines == answers {
            Ok(())
        } else {
            Err(format!("{lines} lines, {answers} answers"))
        }
    }
}

/// Returns the request for each element alone. The elements after the first rejected one are not looked at.
fn one_by_one(request: &Request) -> Vec<Request> {
    let Some(input) = request.input() else {
        return Vec::new();
    };
    let size = input.data_type().element_bytes();
    let elements = input.data().chunks(size);
    let alone = elements.filter_map(|element| {
        let one = Array::new(input.data_type(), vec![1], element.to_vec()).ok()?;
        Some(request.with_input(one))
    });
    alone.collect()
}

fn request<const N: usize>(members: [(&str, &str); N]) -> Request {
    let members = members.into_iter();
    Request::new(
        members
            .map(|(key, value)| (key.to_owned(), value.into()))
            .collect(),
    )
}

#[cfg(test)]
mod tests;
