//! Explains one case: the request, its purpose, the expected answer and the answers received.

use std::fmt::Write as _;

use exactum_vectors::spec::Clause;
use exactum_vectors::{Case, Group, array_from_json};
use serde_json::Value;

use super::{derivation, level_name, wrapped};
use crate::compare::{show_answer, show_expect};
use crate::implementation::Failure;
use crate::protocol::{Answer, Success};
use crate::run::{Judged, request_of};
use crate::value::{bits_text, text as value_text};

/// The number of elements of an array that are shown individually.
const SHOWN: usize = 16;

/// An implementation's answer to the case.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The implementation's name.
    pub name: String,
    /// The result with its verdict.
    pub judged: Judged,
    /// The answer to the whole request, if the request was sent.
    pub answer: Option<Result<Answer, Failure>>,
    /// The description of the known fault behind the failure, or an empty string.
    pub known: String,
    /// The smallest request that was found to fail as well, as a description and a line, with a shell command that asks
    /// the library alone; or an empty string.
    pub smallest: String,
}

/// Explains a case as text.
///
/// # Errors
/// If the request of the case cannot be made.
pub fn explain(
    group: &Group,
    case: &Case,
    clauses: &[Clause],
    answered: &[Answered],
) -> Result<String, String> {
    let request = request_of(group, case)?;
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} ({})",
        group.case_id(case),
        level_name(group.level)
    );
    if let Some(note) = &case.note {
        let _ = writeln!(text, "  {note}");
    }
    let _ = writeln!(text, "\nclauses");
    for id in group.case_clauses(case) {
        let said = clauses.iter().find(|clause| clause.id == id);
        let said = said.map_or("(not in the specification)", |clause| &clause.text);
        let _ = writeln!(text, "  {id}\n{}", wrapped(said, 96, "    "));
    }
    let _ = writeln!(text, "\nrequest");
    for (key, value) in request.members() {
        if key != "input" {
            let shown = match value {
                Value::String(plain) => plain.clone(),
                other => other.to_string(),
            };
            let _ = writeln!(text, "  {key}: {shown}");
        }
    }
    if case.per_element {
        let _ = writeln!(text, "  each element is sent in a request of its own");
    }
    let input = request.input();
    if let (None, Some(raw)) = (&input, request.members().get("input")) {
        let _ = writeln!(text, "  input: {raw}");
    }
    let _ = writeln!(text, "\nexpected: {}", show_expect(&case.expect));
    if let Some(input) = input.as_deref() {
        let differs = elements(&mut text, case, input, answered);
        if let Some((place, steps)) = derivation(&request, differs) {
            for step in steps {
                let _ = writeln!(text, "\nderivation of element {place}: {}", step.title);
                for (name, fact) in step.facts {
                    let _ = writeln!(text, "  {name:<12} {fact}");
                }
            }
        }
    }
    for answered in answered {
        let _ = writeln!(text, "\n{}: {}", answered.name, answered.judged.verdict);
        match &answered.answer {
            None => {}
            Some(Ok(answer)) => {
                let _ = writeln!(text, "  answers {}", show_answer(answer));
            }
            Some(Err(failure)) => {
                let _ = writeln!(text, "  no answer: {}", failure.words());
            }
        }
        if let Some(difference) = &answered.judged.difference {
            let _ = writeln!(text, "  {difference}");
        }
        if !answered.known.is_empty() {
            let _ = writeln!(text, "{}", wrapped(&answered.known, 96, "  "));
        }
        if !answered.smallest.is_empty() {
            let _ = writeln!(text, "  {}", answered.smallest);
        }
    }
    Ok(text)
}

/// Writes the elements side by side: the input, the expectation and the outputs with the same number of elements.
/// Returns the place of the first element whose outputs differ.
fn elements(
    text: &mut String,
    case: &Case,
    input: &exactum_model::Array,
    answered: &[Answered],
) -> Option<usize> {
    let expected = match &case.expect {
        exactum_vectors::Expect::Ok(members) => members
            .get("output")
            .and_then(|output| array_from_json(output).ok()),
        _ => None,
    };
    let mut columns = vec![("input".to_owned(), input)];
    if let Some(expected) = &expected {
        columns.push(("expected".to_owned(), expected));
    }
    for answered in answered {
        if let Some(Ok(Answer::Ok(Success::Output(output)))) = &answered.answer {
            columns.push((answered.name.clone(), output));
        }
    }
    columns.retain(|(_, array)| array.len() == input.len());
    // The first difference must be visible: compare the outputs with the expectation or, if that is a checksum, with
    // each other.
    let outputs: Vec<_> = columns.iter().skip(1).map(|(_, array)| *array).collect();
    let differs = (0..input.len()).find(|&index| {
        outputs
            .windows(2)
            .any(|pair| pair[0].element(index) != pair[1].element(index))
    });
    let place = differs.unwrap_or_default();
    let first = if place < SHOWN { 0 } else { place };
    let last = input.len().min(first + SHOWN);
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let head = columns
        .iter()
        .map(|(name, array)| format!("{name} ({})", array.data_type()));
    table.set_header(std::iter::once("element".to_owned()).chain(head));
    for index in first..last {
        let cells = columns.iter().map(|(_, array)| {
            let element = array.element(index);
            format!("{} {}", bits_text(&element), value_text(&element))
        });
        table.add_row(std::iter::once(index.to_string()).chain(cells));
    }
    for line in table.lines() {
        let _ = writeln!(text, " {}", line.trim_end());
    }
    if input.len() > last - first {
        let _ = writeln!(text, "  ({} elements in all)", input.len());
    }
    differs
}
