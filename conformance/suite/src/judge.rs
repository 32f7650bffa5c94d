//! The tests of an implementation: one for each group of vectors that it must answer.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use exactum_conformance::expectations::Expectations;
use exactum_conformance::report::{Outline, Reviewed, new_faults};
use exactum_conformance::run::{Selection, in_process_workers, judge_case, request_of, run};
use exactum_conformance::{ByText, Codecs, Hello, Implementation, InProcess, Request, output};
use exactum_vectors::spec::Clause;
use exactum_vectors::{Case, Group, Level, Suite};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

use crate::carried;
use crate::failure::{Comparison, compare, describe};

/// The environment variable that makes a run write its failures into the file of expectations.
const UPDATE: &str = "EXACTUM_UPDATE_EXPECTATIONS";

/// The number of failing cases of a group that are reported in full.
const MAX_REPORTED: usize = 5;

type Make = Arc<dyn Fn() -> Box<dyn Implementation> + Send + Sync>;

/// The tests of an implementation.
///
/// ```no_run
/// # fn answer(_: &str) -> String { String::new() }
/// fn main() -> std::process::ExitCode {
///     exactum_suite::Judge::text(answer)
///         .expectations("tests/expectations.toml")
///         .must_only()
///         .main()
/// }
/// ```
pub struct Judge {
    make: Make,
    expectations: Option<PathBuf>,
    must_only: bool,
}

/// The state that all tests share.
struct Shared {
    make: Make,
    hello: Hello,
    clauses: Vec<Clause>,
    known: Expectations,
    /// The path of the file of known faults, as shown in messages.
    file: String,
}

impl Judge {
    /// Creates a judge of an implementation that takes parsed calls.
    ///
    /// ```
    /// use exactum_suite::{Call, Codecs, Hello, Judge, Outcome};
    ///
    /// struct Nothing;
    ///
    /// impl Codecs for Nothing {
    ///     fn hello(&self) -> Hello {
    ///         Hello::new("nothing", "0.1.0", "rust")
    ///     }
    ///
    ///     fn call(&self, call: &Call) -> Outcome {
    ///         call.not_offered()
    ///     }
    /// }
    ///
    /// let judge = Judge::codecs(Nothing).must_only();
    /// drop(judge);
    /// ```
    pub fn codecs(implementation: impl Codecs + 'static) -> Self {
        let implementation = Arc::new(implementation);
        Self::new(move || Box::new(InProcess::new(Arc::clone(&implementation))))
    }

    /// Creates a judge of a function that maps a line of the protocol to the answering line.
    pub fn text(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let answer = Arc::new(answer);
        Self::new(move || Box::new(ByText::new(Arc::clone(&answer))))
    }

    fn new(make: impl Fn() -> Box<dyn Implementation> + Send + Sync + 'static) -> Self {
        Self {
            make: Arc::new(make),
            expectations: None,
            must_only: false,
        }
    }

    /// Reads the known faults from a file, which need not exist yet. A test then fails if a case deviates from the
    /// file: if it passes, or if its answer is wrong in another way.
    ///
    /// The path is relative to the package's folder, in which `cargo test` starts tests. A run with
    /// `EXACTUM_UPDATE_EXPECTATIONS=1` in the environment writes the current failures into the file.
    #[must_use]
    pub fn expectations(mut self, path: impl Into<PathBuf>) -> Self {
        self.expectations = Some(path.into());
        self
    }

    /// Judges only what a sentence of the upstream text demands, and ignores cases at the levels `ruling` and `may`.
    #[must_use]
    pub fn must_only(mut self) -> Self {
        self.must_only = true;
        self
    }

    /// Runs the tests that the command line selects, with the options of Rust's own test harness.
    #[must_use]
    pub fn main(self) -> ExitCode {
        let arguments = Arguments::from_args();
        let trials = if std::env::var_os(UPDATE).is_some() {
            self.update().map(|summary| {
                println(&summary);
                Vec::new()
            })
        } else {
            self.trials(&arguments)
        };
        let trials = trials.unwrap_or_else(|why| vec![failing("suite/is-there", why)]);
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    fn known(&self) -> Result<Expectations, String> {
        let Some(path) = &self.expectations else {
            return Ok(Expectations::default());
        };
        match fs::read_to_string(path) {
            Ok(text) => Expectations::parse(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Expectations::default());
            }
            Err(error) => Err(error.to_string()),
        }
        .map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Writes the current failures into the file of expectations.
    fn update(&self) -> Result<String, String> {
        let path = self.expectations.as_ref().ok_or(format!(
            "{UPDATE} is set, but the test does not name a file of expectations"
        ))?;
        let (suite, selection) = (self.judged(carried::suite()?), Selection::default());
        let make = || (self.make)();
        let report = run(&suite, &selection, &make, in_process_workers(), &|| {})?;
        let expectations = self.known()?;
        let outline = Outline::of(&suite);
        let reviewed = Reviewed {
            name: report.hello.name.clone(),
            command: None,
            review: expectations.review(&report, &outline, &selection),
            report,
            expectations,
        };
        let faults = new_faults(&outline, &reviewed);
        let report = &reviewed.report;
        let updated = reviewed.expectations.updated(report, &selection, &faults);
        output::replace(path, &updated.render()?)?;
        Ok(format!(
            "{} failing cases were written to {}",
            report.failures().count(),
            path.display()
        ))
    }

    /// Returns the vectors that are judged.
    fn judged(&self, mut suite: Suite) -> Suite {
        if self.must_only {
            for (file, _) in &mut suite.files {
                file.groups.retain(|group| group.level == Level::Must);
            }
            suite.manifest.groups = suite.files.iter().map(|(file, _)| file.groups.len()).sum();
            let groups = suite.files.iter().flat_map(|(file, _)| &file.groups);
            suite.manifest.cases = groups.map(|group| group.cases.len()).sum();
        }
        suite
    }

    /// Returns the tests: every group in which the implementation must answer a case. If the filter matches none of
    /// them, returns the cases that it matches.
    fn trials(&self, arguments: &Arguments) -> Result<Vec<Trial>, String> {
        let hello = (self.make)()
            .hello()
            .map_err(|failure| format!("hello: {}", failure.words()))?;
        let suite = carried::suite()?;
        let shared = Arc::new(Shared {
            make: Arc::clone(&self.make),
            hello,
            clauses: carried::clauses()?,
            known: self.known()?,
            file: self
                .expectations
                .as_ref()
                .map_or(String::new(), |path| path.display().to_string()),
        });
        let stale = shared
            .known
            .stale(&Outline::of(&suite), &Selection::default());
        let mut trials = vec![Trial::test("expectations/are-about-cases", move || {
            let findings: Vec<String> = stale.iter().map(ToString::to_string).collect();
            verdict(&findings)
        })];
        let mut offered = 0;
        for group in self
            .judged(suite)
            .files
            .into_iter()
            .flat_map(|(file, _)| file.groups)
        {
            let cases: Vec<usize> = (0..group.cases.len())
                .filter(|&place| shared.answers_for(&group, &group.cases[place]))
                .collect();
            offered += cases.len();
            if cases.is_empty() {
                continue;
            }
            let group = Arc::new(group);
            if !names(arguments, &group.id) {
                for &place in &cases {
                    let id = group.case_id(&group.cases[place]);
                    if names(arguments, &id) {
                        trials.push(shared.trial(id, &group, vec![place]));
                    }
                }
            }
            trials.push(shared.trial(group.id.clone(), &group, cases));
        }
        trials.push(Trial::test("suite/asks-something", move || match offered {
            0 => Err("the implementation offers nothing that the vectors request".into()),
            _ => Ok(()),
        }));
        Ok(trials)
    }
}

impl Shared {
    /// Returns whether a case requests something that the implementation declares.
    fn answers_for(&self, group: &Group, case: &Case) -> bool {
        let op = group.request.get("op").or(case.request.get("op"));
        let offered = op
            .and_then(Value::as_str)
            .is_some_and(|op| self.hello.operations.contains_key(op));
        offered
            && request_of(group, case).is_ok_and(|request: Request| self.hello.declares(&request))
    }

    fn trial(self: &Arc<Self>, name: String, group: &Arc<Group>, cases: Vec<usize>) -> Trial {
        let (shared, group) = (Arc::clone(self), Arc::clone(group));
        Trial::test(name, move || shared.judge(&group, &cases))
    }

    fn judge(&self, group: &Group, cases: &[usize]) -> Result<(), Failed> {
        let mut implementation = (self.make)();
        let mut reports = Vec::new();
        let mut more = 0;
        for &place in cases {
            let case = &group.cases[place];
            let judged = judge_case(implementation.as_mut(), &self.hello, group, case)?;
            let entry = self.known.entry_of(&judged.case, &self.hello.version);
            let expected = entry.and_then(|entry| entry.answers.get(&judged.case));
            match compare(&judged, expected.map(String::as_str)) {
                Comparison::AsExpected => {}
                _ if reports.len() == MAX_REPORTED => more += 1,
                broken => {
                    reports.push(describe(
                        &broken,
                        &self.file,
                        (group, case),
                        &judged,
                        &self.clauses,
                    ));
                }
            }
        }
        if more > 0 {
            reports.push(format!("and {more} more cases of this group"));
        }
        verdict(&reports)
    }
}

/// Returns whether the filters of the command line match a test.
fn names(arguments: &Arguments, test: &str) -> bool {
    arguments.filter.as_ref().is_none_or(|filter| {
        if arguments.exact {
            test == filter
        } else {
            test.contains(filter.as_str())
        }
    })
}

fn verdict(reports: &[String]) -> Result<(), Failed> {
    if reports.is_empty() {
        Ok(())
    } else {
        Err(reports.join("\n").into())
    }
}

fn failing(name: &str, why: String) -> Trial {
    Trial::test(name, move || Err(why.into()))
}

/// Prints a line to standard output. A closed pipe is ignored.
fn println(text: &str) {
    let _ = output::print(&format!("{text}\n"));
}

#[cfg(test)]
mod tests {

    use exactum_conformance::{Call, Codec, Outcome};
    use libtest_mimic::Conclusion;

    use super::*;

    /// Leaves bytes of int8 and uint8 as they are, or inverts their bits.
    struct Bytes(bool);

    impl Codecs for Bytes {
        fn hello(&self) -> Hello {
            let types = [("from", vec!["int8".into(), "uint8".into()])];
            Hello::new("bytes", "1", "rust").offering_part("bytes.encode", &types)
        }

        fn call(&self, call: &Call) -> Outcome {
            match call {
                Call::Encode(Codec::Bytes(_), input) => {
                    let bytes = input.data().iter();
                    let turned: Vec<u8> = bytes
                        .map(|byte| if self.0 { !byte } else { *byte })
                        .collect();
                    Ok(turned.into())
                }
                call => call.not_offered(),
            }
        }
    }

    fn conclude(judge: &Judge, filter: &str) -> Conclusion {
        // These failures are intended; if they were printed, they would look like failures of this crate.
        let unread = tempfile::NamedTempFile::new().expect("a file");
        let arguments = Arguments {
            logfile: Some(unread.path().display().to_string()),
            ..Arguments::from_iter(["tests", filter])
        };
        let trials = judge.trials(&arguments).expect("tests");
        libtest_mimic::run(&arguments, trials)
    }

    #[test]
    fn groups_that_are_offered_are_tests_and_cases_where_they_are_named() {
        let right = Judge::codecs(Bytes(false));
        let all = conclude(&right, "");
        assert!(all.num_passed > 5 && !all.has_failed(), "{all:?}");
        let groups = conclude(&right, "bytes/int8/");
        assert!(
            (1..all.num_passed).contains(&groups.num_passed),
            "{groups:?}"
        );
        let suite = carried::suite().expect("vectors");
        let mut files = suite.files.iter().map(|(file, _)| file);
        let file = files
            .find(|file| file.path() == "bytes/int8.json")
            .expect("a file");
        let asks = |group: &&Group| group.request.get("op") == Some(&"bytes.encode".into());
        let group = file.groups.iter().find(asks).expect("a group");
        let case = conclude(&right, &group.case_id(&group.cases[0]));
        assert_eq!(case.num_passed, 1, "{case:?}");
        assert!(conclude(&Judge::codecs(Bytes(true)), "bytes/int8/").has_failed());
        let empty = Judge::text(|_| String::new()).trials(&Arguments::default());
        assert!(empty.is_err_and(|why| why.starts_with("hello: ")));
    }

    #[test]
    fn what_is_known_to_fail_must_fail_as_it_did() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.toml");
        let wrong = Judge::codecs(Bytes(true)).expectations(&path).must_only();
        let summary = wrong.update().expect("a file");
        assert!(summary.contains("failing cases"), "{summary}");
        assert!(!conclude(&wrong, "").has_failed());
        let right = Judge::codecs(Bytes(false)).expectations(&path).must_only();
        assert!(conclude(&right, "").has_failed());
    }
}
