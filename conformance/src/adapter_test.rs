//! The smoke test for authors of new adapters: it sends a few requests of each kind and explains in plain words what is
//! wrong with the answers.
//!
//! It tests whether the adapter speaks the protocol. Whether the library behind it computes correctly is for the runner
//! to judge; here some correct answers are enough.

mod advice;
mod dialogue;
mod probes;
mod samples;

use serde_json::Value;

use crate::hello::Hello;
use crate::process::{Launch, Limits};
use crate::report::wrapped;
use crate::request::Request;
use crate::text::clean_lines;
use crate::vectors::Suite;

use advice::Problem;
use dialogue::Dialogue;

/// The line width of explanations, in columns.
const WIDTH: usize = 98;

/// The result of testing an adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// The number of checks that were made.
    pub checks: usize,
    /// The number of findings that are faults of the adapter.
    pub wrong: usize,
    /// The number of findings that may be faults of the library behind it.
    pub doubtful: usize,
}

/// Tests the adapter that a command line starts, and reports each finding as soon as it is made.
///
/// # Errors
/// If the program cannot be started at all.
pub fn adapter_test(
    launch: &Launch,
    limits: &Limits,
    suite: &Suite,
    tell: &mut dyn FnMut(&str),
) -> Result<Tested, String> {
    let mut dialogue = Dialogue::new(launch, limits);
    dialogue
        .start()
        .map_err(|failure| failure.words().to_owned())?;
    let mut table = Table {
        tell,
        tested: Tested::default(),
    };
    let hello = match dialogue.hello() {
        Ok(hello) => hello,
        Err(problem) => {
            table.check("says hello", Err(problem));
            return Ok(table.finish(launch));
        }
    };
    table.introduce(&hello);
    table.check("says hello", probes::introduction(&hello));
    let mut right = None;
    for samples in &samples::of(suite, &hello) {
        right = right.or(samples.check(&mut dialogue, &mut table));
    }
    // If no answer is correct, `hello` serves as the sample for the remaining checks.
    let sample = right.unwrap_or_else(dialogue::hello_request);
    table.section("the protocol");
    probes::protocol(&mut dialogue, &hello, &sample, &mut table);
    table.check("ends when its input ends", dialogue.end());
    Ok(table.finish(launch))
}

/// The report so far.
struct Table<'a> {
    tell: &'a mut dyn FnMut(&str),
    tested: Tested,
}

impl Table<'_> {
    fn introduce(&mut self, hello: &Hello) {
        let mut text = format!(
            "{} {} ({}) offers\n",
            hello.name, hello.version, hello.language
        );
        for (operation, domain) in &hello.operations {
            let all = if domain.is_empty() {
                "  everything"
            } else {
                ""
            };
            text.push_str(&format!("  {operation}{all}\n"));
            for (key, values) in domain {
                let values: Vec<String> = values.iter().map(shown_value).collect();
                let line = format!("{key}: {}", values.join(", "));
                text.push_str(&wrapped(&line, WIDTH, "    "));
                text.push('\n');
            }
        }
        text.push('\n');
        (self.tell)(&clean_lines(&text));
    }

    fn section(&mut self, name: &str) {
        (self.tell)(&format!("\n{name}\n"));
    }

    fn note(&mut self, words: &str) {
        (self.tell)(&format!("         {words}\n"));
    }

    fn check(&mut self, what: &str, outcome: Result<(), Problem>) {
        self.tested.checks += 1;
        match outcome {
            Ok(()) => (self.tell)(&format!("  ok     {what}\n")),
            Err(problem) => {
                let mark = if problem.doubtful {
                    self.tested.doubtful += 1;
                    "look "
                } else {
                    self.tested.wrong += 1;
                    "WRONG"
                };
                (self.tell)(&clean_lines(&format!("  {mark}  {what}\n{problem}")));
            }
        }
    }

    fn finish(self, launch: &Launch) -> Tested {
        let Tested {
            checks,
            wrong,
            doubtful,
        } = self.tested;
        let mut text = format!("\nchecks: {checks}; wrong: {wrong}; doubtful: {doubtful}\n");
        if wrong > 0 {
            text.push_str(
                "Fix the first one first; it may cause the others. conformance/adapters/README.md \
                 describes\nwhat an answer looks like.\n",
            );
        } else {
            if doubtful > 0 {
                text.push_str(
                    "What is marked `look` may be a fault of the library; the vectors will show \
                     it.\n",
                );
            }
            text.push_str(&format!(
                "Next: run all vectors against it,\n  exactum run --command NAME -- {}\nand \
                 explain its failures in conformance/expectations/NAME.toml; \
                 see\nconformance/adapters/README.md.\n",
                launch.command_line()
            ));
        }
        (self.tell)(&clean_lines(&text));
        self.tested
    }
}

/// Returns a value of `hello` as it is shown.
fn shown_value(value: &Value) -> String {
    match value {
        Value::Null => "(absent)".into(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the text of a request as it is shown: without its id.
fn request_text(request: &Request) -> String {
    serde_json::to_string(&*request.sent()).unwrap_or_default()
}
