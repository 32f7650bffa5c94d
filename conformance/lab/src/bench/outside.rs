//! Contestants in other processes. A program for each environment prepares a case, and then runs and times it in turn
//! with Exactum, round by round.
//!
//! Requests and answers are JSON objects, one per line. `{"prepare": CASE, "who": [NAME..]}` is answered by
//! `{"contestants": {NAME: {"allocates": BOOL, "first": HEX}}}` with the contestants that support the case, each with
//! the first elements of its result, and with `"unchecked": true` if it accepts one of the elements that the case must
//! reject. `{"run": NAME, "repeats": N}` is answered by `{"seconds": S}`.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{self, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use exactum_conformance::model::{Array, DataType};
use exactum_conformance::process::Launch;
use exactum_conformance::vectors::hex;
use serde_json::{Value, json};

use super::options::Marks;
use super::time::Contestant;

/// A program with contestants. The caller knows how to start it.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// A peer in the environment.
    pub peer: &'static str,
    /// The program, a script below the folder of adapters. If absent, the program is the peer itself, called with the
    /// argument `bench`.
    pub script: Option<&'static str>,
    /// The rows of the grid in which the contestants may have cases.
    pub rows: &'static [&'static str],
    /// The contestants.
    pub contestants: &'static [&'static str],
}

/// The rows of elementwise operations.
const ELEMENTS: &[&str] = &["bytes", "cast_value", "chain", "packbits", "scale_offset"];

/// All programs with contestants.
pub const ENVIRONMENTS: [Environment; 7] = [
    Environment {
        peer: "cast-value-rs",
        script: Some("python/bench.py"),
        rows: &[
            "bytes",
            "cast_value",
            "chain",
            "downsample",
            "packbits",
            "scale_offset",
        ],
        contestants: &[
            "cast-value-rs",
            "ml_dtypes",
            "numpy",
            "numpy clip+rint",
            "tensorstore",
        ],
    },
    Environment {
        peer: "numkong",
        script: Some("python/bench.py"),
        rows: &["cast_value"],
        contestants: &["numkong"],
    },
    Environment {
        peer: "tinybrain",
        script: Some("python/bench.py"),
        rows: &["downsample"],
        contestants: &["tinybrain"],
    },
    Environment {
        peer: "topozarr-core",
        script: Some("python/bench.py"),
        rows: &["downsample"],
        contestants: &["topozarr-core"],
    },
    Environment {
        peer: "zarr-python",
        script: Some("python/bench.py"),
        rows: &[
            "arrays",
            "bitround",
            "bytes",
            "cast_value",
            "chain",
            "packbits",
            "scale_offset",
        ],
        contestants: &["numcodecs", "zarr-python"],
    },
    Environment {
        peer: "zarrita",
        script: Some("zarrita/bench.mjs"),
        rows: ELEMENTS,
        contestants: &["zarrita"],
    },
    Environment {
        peer: "zfp-c",
        script: None,
        rows: &["zfp"],
        contestants: &["zfp-c"],
    },
];

/// The time limit for an answer; the slowest contestants need some seconds.
const PATIENCE: Duration = Duration::from_secs(300);

/// The running programs, and the reasons why others are missing.
#[derive(Default)]
pub struct Outside {
    children: Vec<RefCell<Child>>,
    missing: Vec<(String, String)>,
}

/// A case in the form that is sent to a program.
pub(super) struct Work {
    /// The operation, with data types and parameters.
    pub(super) case: Value,
    /// The bytes of the elements that repeat in the input.
    pub(super) period: Vec<u8>,
    /// The number of elements in the input.
    pub(super) count: usize,
    /// The data type of the output.
    pub(super) output: DataType,
    /// The bytes of the output's first elements, as computed by Exactum.
    pub(super) first: Vec<u8>,
}

impl Outside {
    /// Starts a program, whose `contestants` take part in these rows.
    pub fn add(
        &mut self,
        rows: &'static [&'static str],
        contestants: Vec<String>,
        launch: Result<Launch, String>,
    ) {
        match launch.and_then(|launch| Child::start(&launch, rows, contestants.clone())) {
            Ok(child) => self.children.push(RefCell::new(child)),
            Err(why) => {
                let missing = contestants.into_iter().map(|name| (name, why.clone()));
                self.missing.extend(missing);
            }
        }
    }

    /// Returns the contestants that did not take part to the end, each with the reason.
    #[must_use]
    pub fn missing(&self) -> Vec<(String, String)> {
        let mut missing = self.missing.clone();
        for child in &self.children {
            let child = child.borrow();
            if let Some(why) = &child.lost {
                let lost = child.contestants.iter();
                missing.extend(lost.map(|name| (name.clone(), why.clone())));
            }
        }
        missing
    }

    /// Returns the contestants that support a case of a row.
    pub(super) fn contestants(&self, row: &str, work: &Work) -> Vec<Contestant<'_>> {
        let mut contestants = Vec::new();
        for child in &self.children {
            if !child.borrow().rows.contains(&row) {
                continue;
            }
            let answer = child.borrow_mut().prepare(work);
            for (name, about) in answer.as_object().into_iter().flatten() {
                let first = about["first"]
                    .as_str()
                    .and_then(|first| hex::decode(first).ok());
                let run = {
                    let name = name.clone();
                    move |repeats| child.borrow_mut().run(&name, repeats)
                };
                contestants.push(Contestant {
                    name: name.clone(),
                    marks: Marks {
                        allocates: about["allocates"] == true,
                        differs: about["unchecked"] == true
                            || !first.is_some_and(|first| same(work, first)),
                    },
                    run: Box::new(run),
                });
            }
        }
        contestants
    }
}

/// Returns whether the first elements of a result equal Exactum's; all NaNs are equal.
fn same(work: &Work, first: Vec<u8>) -> bool {
    let components = |data: Vec<u8>| -> Option<Vec<u64>> {
        let elements = data.len() / work.output.element_bytes();
        let shape = vec![u64::try_from(elements).ok()?];
        let array = Array::new(work.output, shape, data).ok()?;
        let float = work.output.format().float();
        let canonical = array.components().map(|bits| match float {
            Some(float) if float.is_nan(bits) => float.nan_bits().unwrap_or(bits),
            _ => bits,
        });
        Some(canonical.collect())
    };
    components(work.first.clone()).is_some_and(|ours| components(first) == Some(ours))
}

/// A running program.
struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    rows: &'static [&'static str],
    contestants: Vec<String>,
    lost: Option<String>,
}

impl Child {
    fn start(
        launch: &Launch,
        rows: &'static [&'static str],
        contestants: Vec<String>,
    ) -> Result<Self, String> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .envs(launch.environment.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        let mut process = command
            .spawn()
            .map_err(|error| format!("{}: {error}", launch.program.display()))?;
        let (sender, answers) = channel();
        if let Some(output) = process.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(output).lines() {
                    if line.is_err() || line.is_ok_and(|line| sender.send(line).is_err()) {
                        break;
                    }
                }
            });
        }
        Ok(Self {
            input: process.stdin.take(),
            process,
            answers,
            rows,
            contestants,
            lost: None,
        })
    }

    /// Returns an answer, or null if the child is lost, either before or during this request.
    fn ask(&mut self, request: &Value) -> Value {
        if self.lost.is_some() {
            return Value::Null;
        }
        let sent = match &mut self.input {
            Some(input) => writeln!(input, "{request}").and_then(|()| input.flush()),
            None => Ok(()),
        };
        let why = match sent {
            Err(error) => format!("it ended: {error}"),
            Ok(()) => match self.answers.recv_timeout(PATIENCE) {
                Err(error) => format!("no answer: {error}"),
                Ok(line) => match serde_json::from_str::<Value>(&line) {
                    Ok(answer) if answer.get("error").is_none() => return answer,
                    _ => line,
                },
            },
        };
        self.lost = Some(why);
        self.end();
        Value::Null
    }

    fn prepare(&mut self, work: &Work) -> Value {
        let mut case = work.case.clone();
        case["period"] = hex::encode(&work.period).into();
        case["count"] = work.count.into();
        case["first"] = work.first.len().into();
        let who = &self.contestants;
        let mut answer = self.ask(&json!({"prepare": case, "who": who}));
        answer["contestants"].take()
    }

    fn run(&mut self, name: &str, repeats: usize) -> Option<f64> {
        self.ask(&json!({"run": name, "repeats": repeats}))["seconds"].as_f64()
    }

    fn end(&mut self) {
        self.input = None;
        // It does not matter whether it has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[&str] = &["cast_value"];

    /// Returns the contestants of a shell that answers these lines, regardless of the requests.
    fn answering(lines: &[&str]) -> Outside {
        let answers: Vec<String> = lines
            .iter()
            .map(|line| format!("read request; echo '{line}'"))
            .collect();
        let launch = Launch {
            name: "shell".into(),
            program: "sh".into(),
            arguments: vec!["-c".into(), answers.join("; ").into()],
            ..Launch::default()
        };
        let mut outside = Outside::default();
        let names = vec!["first".into(), "second".into()];
        outside.add(ROWS, names, Ok(launch));
        outside
    }

    fn work() -> Work {
        Work {
            case: json!({"operation": "cast"}),
            period: vec![1, 2],
            count: 2,
            output: DataType::Float16,
            // 1 and a NaN.
            first: vec![0x00, 0x3c, 0x00, 0x7e],
        }
    }

    #[test]
    fn contestants_tell_their_times_and_whether_they_compute_the_same() {
        let prepared = r#"{"contestants": {"first": {"allocates": true, "first": "003c01fe"}, "second": {"allocates": false, "first": "003c003c"}}}"#;
        let outside = answering(&[prepared, r#"{"seconds": 0.5}"#, r#"{"seconds": 0.25}"#]);
        let mut contestants = outside.contestants(ROWS[0], &work());
        let marks: Vec<(&str, Marks)> = contestants
            .iter()
            .map(|it| (it.name.as_str(), it.marks))
            .collect();
        let mark = |allocates, differs| Marks { allocates, differs };
        assert_eq!(
            marks,
            [("first", mark(true, false)), ("second", mark(false, true))]
        );
        assert_eq!((contestants[0].run)(1), Some(0.5));
        assert_eq!((contestants[1].run)(1), Some(0.25));
        assert_eq!(outside.missing(), []);
        // The program has ended.
        assert_eq!((contestants[1].run)(1), None);
        assert_eq!(outside.missing().len(), 2);
    }

    #[test]
    fn who_does_not_take_part_is_named_with_the_reason() {
        let missing = |outside: &Outside| {
            assert!(outside.contestants(ROWS[0], &work()).is_empty());
            let missing = outside.missing();
            let names: Vec<&str> = missing.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["first", "second"]);
            missing[0].1.clone()
        };
        assert_eq!(missing(&answering(&["noise"])), "noise");
        let error = r#"{"error": "no module"}"#;
        assert_eq!(missing(&answering(&[error])), error);
        // Whether sending or waiting detects that the program has ended depends on timing.
        let ended = missing(&answering(&[]));
        assert!(
            ended.starts_with("no answer") || ended.starts_with("it ended"),
            "{ended}"
        );
        let mut outside = Outside::default();
        let names = vec!["first".to_owned(), "second".to_owned()];
        outside.add(ROWS, names, Err("it is not set up".to_owned()));
        assert_eq!(missing(&outside), "it is not set up");
    }
}
