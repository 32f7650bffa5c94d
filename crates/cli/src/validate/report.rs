//! Reports about documents, for people and for programs.

use serde_json::{Value, json};

use super::*;

/// The format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Text for people.
    Text,
    /// One JSON object.
    Json,
    /// Annotations of GitHub workflows.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

/// Gathers reports about documents.
pub(super) struct Report {
    format: Format,
    quiet: bool,
    color: bool,
    /// The text that can be printed now.
    ready: String,
    /// The documents that can be printed only at the end.
    documents: Vec<Value>,
    counts: [u64; 3],
    /// The numbers of warnings and notes; those that are not listed count as warnings.
    advice: [u64; 2],
}

impl Report {
    pub(super) fn new(format: Format, quiet: bool, color: bool) -> Self {
        Self {
            format,
            quiet,
            color,
            ready: String::new(),
            documents: Vec::new(),
            counts: [0; 3],
            advice: [0; 2],
        }
    }

    /// Returns the number of documents with this verdict.
    pub(super) fn count(&self, verdict: Verdict) -> u64 {
        self.counts[verdict as usize]
    }

    /// Adds a document.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8], judgement: &Judgement) {
        let is_first = self.counts == [0; 3];
        self.counts[judgement.verdict as usize] += 1;
        let advice = judgement.advice();
        self.advice = std::array::from_fn(|index| self.advice[index] + advice[index]);
        let text = Text::new(bytes);
        match self.format {
            Format::Text => {
                let reported = words(name, &text, judgement, self.quiet, self.color);
                if !is_first && !reported.is_empty() && !self.quiet {
                    self.ready.push('\n');
                }
                self.ready.push_str(&reported);
            }
            Format::Github => {
                let is_shown =
                    |it: &&Finding| !self.quiet || it.diagnostic.severity != Severity::Note;
                for problem in judgement.problems.iter().filter(is_shown) {
                    let annotation = annotation(name, &text, problem);
                    self.ready.push_str(&annotation);
                }
            }
            Format::Json if self.quiet && judgement.verdict == Verdict::Valid => {}
            Format::Json => self
                .documents
                .push(document(name, &text, judgement, self.quiet)),
            Format::Sarif => {
                let problems = judgement.problems.iter();
                self.documents
                    .extend(problems.map(|it| result(name, &text, it)));
            }
        }
    }

    /// Returns the text that can be printed now.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.ready)
    }

    /// Returns the text that is printed at the end.
    pub(super) fn end(&mut self) -> String {
        let documents = std::mem::take(&mut self.documents);
        let counts = Verdict::ALL.map(|verdict| (verdict, self.count(verdict)));
        let all: u64 = self.counts.iter().sum();
        match self.format {
            Format::Text if all < 2 || self.quiet => String::new(),
            Format::Text => {
                let counts = counts.map(|(verdict, count)| format!("{count} {}", verdict.words()));
                let counts = counts.join(", ");
                format!("\n{all} documents: {counts}{}\n", advised(self.advice))
            }
            Format::Github => String::new(),
            Format::Json => {
                let verdicts = counts.map(|(verdict, count)| (verdict.name(), count));
                let [warnings, notes] = self.advice;
                let advice = [("warnings", warnings), ("notes", notes)];
                let summary: serde_json::Map<String, Value> = verdicts
                    .into_iter()
                    .chain(advice)
                    .map(|(name, count)| (name.into(), count.into()))
                    .collect();
                format!(
                    "{:#}\n",
                    json!({"documents": documents, "summary": summary})
                )
            }
            Format::Sarif => {
                let log = json!({
                    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                    "version": "2.1.0",
                    "runs": [{
                        "tool": {"driver": {
                            "name": "exactum",
                            "version": env!("CARGO_PKG_VERSION"),
                        }},
                        "results": documents,
                    }],
                });
                format!("{log:#}\n")
            }
        }
    }
}

/// Returns the report on a document as text.
pub(super) fn words(
    name: &str,
    text: &Text<'_>,
    judgement: &Judgement,
    quiet: bool,
    color: bool,
) -> String {
    let (notes, others): (Vec<&Finding>, Vec<&Finding>) = judgement
        .problems
        .iter()
        .partition(|problem| problem.diagnostic.severity == Severity::Note);
    let mut output = problems(name, text, others, judgement.more, color);
    if quiet && judgement.verdict == Verdict::Valid {
        return output;
    }
    let advice = advised(judgement.advice());
    let _ = writeln!(output, "{name}: {}{advice}", judgement.verdict.words());
    // A note that does not require any action takes only one line.
    for note in notes.iter().filter(|_| !quiet) {
        let note = &note.diagnostic.rejection;
        let help = note.help.as_deref().unwrap_or_default();
        let _ = writeln!(output, "  note: {}; {help}", note.message);
    }
    if let (false, Some((document, resolution))) = (quiet, &judgement.stages) {
        output.push_str(&stages::table(document, resolution));
        output.push_str(&values::words(judgement.packed.as_ref()));
    }
    if let (false, Some(readers)) = (quiet, &judgement.readers) {
        output.push_str(&readers::words(readers));
    }
    output
}

/// Returns problems as text, followed by the number of those that are not listed.
pub(super) fn problems<'p>(
    name: &str,
    text: &Text<'_>,
    problems: impl IntoIterator<Item = &'p Finding>,
    more: u64,
    color: bool,
) -> String {
    let mut output: String = problems
        .into_iter()
        .map(|problem| render::finding(name, text, problem, color))
        .collect();
    if more > 0 {
        let _ = writeln!(output, "{name}: {more} more problems are not shown");
    }
    output
}

/// Returns the numbers of warnings and notes that follow a verdict: `, 2 warnings, 1 note`.
fn advised([warnings, notes]: [u64; 2]) -> String {
    let mut text = String::new();
    for (count, what) in [(warnings, "warning"), (notes, "note")] {
        let plural = if count == 1 { "" } else { "s" };
        if count > 0 {
            let _ = write!(text, ", {count} {what}{plural}");
        }
    }
    text
}

pub(super) fn document(name: &str, text: &Text<'_>, judgement: &Judgement, quiet: bool) -> Value {
    let problems: Vec<Value> = judgement
        .problems
        .iter()
        .map(|Finding { level, diagnostic }| {
            let (line, column) = text.position(diagnostic.place.start);
            json!({
                "severity": diagnostic.severity.name(),
                "clause": diagnostic.rejection.clause,
                "level": level.map(Level::name),
                "pointer": diagnostic.pointer(),
                "line": line,
                "column": column,
                "message": diagnostic.rejection.message,
                "help": diagnostic.rejection.help,
            })
        })
        .collect();
    let mut document = json!({
        "path": name,
        "kind": judgement.kind.name(),
        "verdict": judgement.verdict.name(),
        "problems": problems,
    });
    if judgement.more > 0 {
        document["more_problems"] = judgement.more.into();
    }
    if let Some(shape) = &judgement.shape {
        document["shape"] = shape.clone().into();
    }
    if !quiet {
        // If nothing is known about the numbers, the member is an empty list.
        document["stages"] = Vec::<Value>::new().into();
    }
    if let (false, Some((array, resolution))) = (quiet, &judgement.stages) {
        let stages = resolution.stages.iter().map(|stage| {
            json!({
                "codec": stage.codec,
                "data_type": stage.data_type.name(),
                "shape": stage.shape,
                "fill_value": numbers::scalar(&exactum_exact::canonical(&stage.fill_value)),
            })
        });
        let mut stages: Vec<Value> = stages.collect();
        if let (Some(last), Some(holds)) = (stages.last_mut(), numbers::document(&array.chain)) {
            last["holds"] = holds;
        }
        document["stages"] = stages.into();
        document["encoded_bytes"] = resolution.encoded_bytes.into();
        if let Some(lengths) = &array.lengths {
            document["chunk_lengths"] = lengths.clone().into();
        }
        if let Some(chain) = &judgement.packed {
            document["unpacked"] = values::document(chain);
        }
    }
    if let (false, Some(readers)) = (quiet, &judgement.readers) {
        document["readers"] = readers::document(readers);
    }
    document
}

/// Returns a line that GitHub shows next to the place.
fn annotation(name: &str, text: &Text<'_>, problem: &Finding) -> String {
    let problem = &problem.diagnostic;
    let Rejection {
        clause,
        message,
        help,
        ..
    } = &problem.rejection;
    let (line, column) = text.position(problem.place.start);
    let escaped = |text: &str, also: &[char]| {
        let text = text
            .replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A");
        also.iter().fold(text, |text, special| {
            text.replace(*special, &format!("%{:02X}", u32::from(*special)))
        })
    };
    let message = match help {
        Some(help) => format!("{message}; {help}"),
        None => message.clone(),
    };
    format!(
        "::{} file={},line={line},col={column},title={}::{}\n",
        match problem.severity {
            Severity::Note => "notice",
            severity => severity.name(),
        },
        escaped(name, &[':', ',']),
        escaped(clause, &[':', ',']),
        escaped(&message, &[]),
    )
}

/// Returns a result of SARIF.
fn result(name: &str, text: &Text<'_>, problem: &Finding) -> Value {
    let problem = &problem.diagnostic;
    let (line, column) = text.position(problem.place.start);
    json!({
        "ruleId": problem.rejection.clause,
        "level": problem.severity.name(),
        "message": {"text": problem.rejection.message},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": name},
            "region": {"startLine": line, "startColumn": column},
        }}],
    })
}
