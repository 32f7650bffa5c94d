//! `exactum validate --modernize`: rewrites a document without `numcodecs.fixedscaleoffset`.

use exactum_metadata::{Modernized, Replaced};
use exactum_model::{Rejection, Scalar};

use super::*;

/// Prints the document on the standard output, and the report about it on the standard error. The exit code
/// is 0 if the document is printed, 1 if it is not, and 2 if it cannot be read.
///
/// # Errors
/// If there is not exactly one document, it cannot be read, or the standard output cannot be written.
pub(super) fn run(args: &Args, form: repack::Form) -> Result<ExitCode, String> {
    let [path] = &args.paths[..] else {
        return Err("--modernize takes exactly one document".into());
    };
    if let Some(file) = version2::document_of(path) {
        let bytes = read(&file, args.max_size);
        let bytes = bytes.map_err(|error| format!("{}: {error}", name_of(&file)))?;
        return of_version2(&file, &bytes);
    }
    let name = name_of(path);
    let bytes = read(path, args.max_size).map_err(|error| format!("{name}: {error}"))?;
    if let Some(repacked) = repack::repack(&bytes, form) {
        return match repacked {
            Ok((document, report)) => {
                for line in report.lines() {
                    output::complain(&name, &clean(line));
                }
                output::print(&document).map(|()| ExitCode::SUCCESS)
            }
            Err(why) => {
                output::complain(&name, &clean(&format!("not modernized: {why}")));
                Ok(ExitCode::FAILURE)
            }
        };
    }
    let color = io::stderr().is_terminal() && style::use_color();
    let (document, report) = modernize(&name, &bytes, args.strict, color);
    let _ = io::stderr().write_all(report.as_bytes());
    let Some(document) = document else {
        return Ok(ExitCode::FAILURE);
    };
    output::print(&document).map(|()| ExitCode::SUCCESS)
}

/// Prints the Zarr v3 document that reads the chunks of a Zarr v2 array.
fn of_version2(path: &Path, bytes: &[u8]) -> Result<ExitCode, String> {
    let name = name_of(path);
    let converted = version2::convert_file(path, bytes).and_then(|converted| {
        let text = format!("{:#}\n", converted.document);
        let judged = Document::scan_as(text.as_bytes(), DocumentKind::Array)
            .and_then(|document| document.array(Accepted::All));
        match judged {
            Ok(_) => Ok((text, converted.notes)),
            Err(report) => Err(format!(
                "the document of Zarr v3 would be rejected: {}",
                Rejection::from(report)
            )),
        }
    });
    match converted {
        Ok((text, notes)) => {
            for note in notes {
                output::complain(&name, &clean(&note));
            }
            output::print(&text).map(|()| ExitCode::SUCCESS)
        }
        Err(why) => {
            output::complain(&name, &clean(&format!("not modernized: {why}")));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Returns the new document, if there is one, and the report about it.
pub(super) fn modernize(
    name: &str,
    bytes: &[u8],
    strict: bool,
    color: bool,
) -> (Option<String>, String) {
    let (modernized, judgement) = match convert(bytes) {
        Ok(modernized) => {
            let notes = modernized.notes.clone();
            let more = notes.more();
            let judgement = Judgement::new(findings(notes), more, true, strict);
            (Some(modernized), judgement)
        }
        // Nothing can be printed, whether a sentence of the text or a ruling forbids it.
        Err(findings) => (None, Judgement::new(findings, 0, true, true)),
    };
    let text = Text::new(bytes);
    let mut report = report::problems(name, &text, &judgement.problems, judgement.more, color);
    let rejected = judgement.verdict == Verdict::Rejected;
    let modernized = modernized.filter(|_| !rejected);
    let _ = match &modernized {
        None => writeln!(report, "{name}: not modernized"),
        Some(modernized) => writeln!(
            report,
            "{name}: {}",
            match modernized.replaced.len() {
                0 => "nothing to modernize".to_owned(),
                1 => "1 codec replaced".to_owned(),
                count => format!("{count} codecs replaced"),
            }
        ),
    };
    (modernized.map(|modernized| modernized.text), report)
}

/// Returns the new document, after checking that the fill value passes through both lists of codecs.
fn convert(bytes: &[u8]) -> Result<Modernized, Vec<Finding>> {
    let text = Document::scan_as(bytes, DocumentKind::Array).map_err(findings)?;
    let document = text.numbers().map_err(findings)?;
    let fill_value = document.fill_value_place.clone();
    let about = |fault| vec![about_fill_value(fault, fill_value.clone())];
    let old = stored_fill(&document).map_err(|rejection| about(text.locate(rejection)))?;
    let modernized = exactum_metadata::modernize(text.text()).map_err(findings)?;
    let new =
        exactum_metadata::parse_array(&modernized.text).and_then(|document| stored_fill(&document));
    let fault = match new {
        Ok(new) if new == old => return Ok(modernized),
        Ok(new) => {
            let shown = exactum_exact::canonical;
            let rejection = Rejection::new(
                Reason::FillValue,
                "chain.fill",
                format!(
                    "the fill value would be stored as {}, but is stored as {} now",
                    shown(&new),
                    shown(&old)
                ),
            );
            let first = modernized.replaced.first();
            Diagnostic::new(rejection, first.map_or(0..0, |it| it.place.clone()))
        }
        Err(rejection) => {
            // The place is in the new text, but the finding shows the old codec from which that part comes.
            let written = Document::scan_as(modernized.text.as_bytes(), DocumentKind::Array);
            let mut fault = written.map_err(findings)?.locate(rejection);
            let origin = origin(&modernized, fault.place.start);
            fault.place = origin.map_or(0..0, |it| it.place.clone());
            fault.rejection.message = format!(
                "the codecs that would replace this one reject the document: {}",
                fault.rejection.message
            );
            fault
        }
    };
    Err(about(fault))
}

/// Returns the replaced codec to which a place of the new text belongs, or else the last one before it.
fn origin(modernized: &Modernized, at: usize) -> Option<&Replaced> {
    modernized
        .replaced
        .iter()
        .rev()
        .find(|replaced| replaced.written.start <= at)
        .or_else(|| modernized.replaced.first())
}

/// Returns the fill value after all array -> array codecs.
fn stored_fill(document: &ArrayDocument) -> Result<Scalar, Rejection> {
    let resolution = exactum_reference::chain::resolve(&document.chain)?;
    let last = resolution.stages.last();
    Ok(last.map_or(document.chain.fill_value, |stage| stage.fill_value))
}
