//! `exactum vectors`: lists the cases of the suite, or writes its files into a folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use comfy_table::{Cell, CellAlignment, Table, presets};
use exactum_conformance::output;
use exactum_conformance::report::level_name;
use exactum_vectors::Suite;

use crate::names::hint_of_id;
use crate::run::selection;
use crate::source::Source;

/// List the vectors, or write them into a folder.
///
/// Lists all topics, or the cases that match an id, a pattern or a clause. With `--export`, it writes the
/// files that other programs need: the vectors, manifest.json, data_types.json, reasons.json, the schemas and
/// the guide.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The cases to list. A case is selected by its id, by the id of its group or of anything above it, or by
    /// a pattern (`*` matches within a segment, `**` across segments).
    #[arg(value_name = "GLOB")]
    only: Vec<String>,
    /// List only cases that cite this clause.
    #[arg(long, value_name = "ID")]
    clause: Option<String>,
    /// Write the files of the vectors into this folder, which must be empty or new.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["only", "clause"])]
    export: Option<PathBuf>,
    /// Use the vectors in this folder instead of the checkout's or the program's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
}

/// Lists topics or cases, or writes the files. The exit code is 1 if nothing is found.
///
/// # Errors
/// If the vectors cannot be read, the clause does not exist, or the files cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let source = Source::find(args.vectors.as_deref());
    let suite = source.suite()?;
    if let Some(folder) = &args.export {
        output::print(&export(&source, &suite, folder)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.only.is_empty() && args.clause.is_none() {
        output::print(&topics(&suite))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(id) = &args.clause {
        let clauses = source.clauses()?;
        let known = clauses.iter().map(|clause| clause.id.as_str());
        if !known.clone().any(|known| known == id) {
            let hint = hint_of_id(id, '.', known);
            return Err(format!("the specification has no clause {id}{hint}"));
        }
    }
    let (text, found) = cases(&suite, args)?;
    output::print(&text)?;
    Ok(ExitCode::from(u8::from(found == 0)))
}

/// Writes the files of the vectors into a folder.
fn export(source: &Source, suite: &Suite, folder: &Path) -> Result<String, String> {
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
    let mut there = fs::read_dir(folder).map_err(|error| at(folder, error))?;
    if there.next().is_some() {
        return Err(format!("{} is not empty", folder.display()));
    }
    let files = source.vector_files()?;
    for (path, text) in &files {
        let target = folder.join(path);
        let parent = target.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| at(parent, error))?;
        output::write(&target, text)?;
    }
    Ok(format!(
        "{}: {} files with {} cases; README.md explains how to read them\n",
        folder.display(),
        files.len(),
        suite.manifest.cases
    ))
}

/// Returns the rows and topics with their counts.
fn topics(suite: &Suite) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["row", "topic", "groups", "cases", "clauses"]);
    let number = |count: usize| Cell::new(count).set_alignment(CellAlignment::Right);
    for (entry, (file, _)) in suite.manifest.files.iter().zip(&suite.files) {
        table.add_row([
            Cell::new(&file.row),
            Cell::new(&file.topic),
            number(entry.groups),
            number(entry.cases),
            number(entry.clauses.len()),
        ]);
    }
    table.add_row([
        Cell::new("all"),
        Cell::new(format!("{} topics", suite.files.len())),
        number(suite.manifest.groups),
        number(suite.manifest.cases),
    ]);
    let mut text: String = table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    text.push_str("use `exactum vectors GLOB` or `--clause ID` to list cases\n");
    text
}

/// Returns the matching cases as text, and their number.
fn cases(suite: &Suite, args: &Args) -> Result<(String, usize), String> {
    let selection = selection(&args.only)?;
    let mut text = String::new();
    let mut found = 0;
    for (group, case, id) in selection.cases(suite) {
        let cites = args
            .clause
            .as_ref()
            .is_none_or(|clause| group.case_clauses(case).any(|cited| cited == clause));
        if cites {
            found += 1;
            let note = case.note.as_deref().map(|note| format!("  {note}"));
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{id}  {}{}",
                level_name(group.level),
                note.unwrap_or_default()
            );
        }
    }
    let _ = writeln!(text, "{found} cases");
    Ok((text, found))
}
