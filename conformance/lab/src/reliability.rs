//! The behaviour of `exactum` with programs that lie, large documents and hostile stored chunks: `docs/reliability.md`.
//!
//! All of them are passed to the command `exactum` as users run it. The measurements cover its process and everything
//! that it starts.

pub mod documents;
pub mod liars;
pub mod stores;
pub mod watch;

use std::fmt::Write as _;
use std::path::Path;

use documents::Growth;
use liars::Judged;
use stores::Tried;

/// The path of the page, relative to the root of the checkout.
pub const PAGE: &str = "docs/reliability.md";

/// The number of bytes of memory that the runner may use, whatever a program sends.
pub const RUNNER: u64 = 1_000_000_000;

fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

/// Returns the page for what was measured on `machine`.
#[must_use]
pub fn page(machine: &str, judged: &[Judged], grown: &[Growth], tried: &[Tried]) -> String {
    let mut text = format!(
        "# Reliability\n\n\
         This page lists how lying programs, large documents and hostile stored chunks are handled. \
         `cargo xtask reliability --write` generates this page; without `--write` it runs the same programs, documents \
         and arrays and fails if a verdict differs, a process remains, or a limit is exceeded. Measured on \
         {machine}, with the release build; times and sizes differ from machine to machine and are not compared.\n\n\
         ## Programs\n\n\
         {} programs answer 13 cases of `bytes.encode`, each with one lie, made by \
         [liar.py](../conformance/lab/src/reliability/liar.py). They run as `exactum run --command`, and may take {} s to start, \
         {} s for a case and {} MiB of memory. A program lies before it reads anything (`start`), instead of the answer to \
         `hello` (`hello`), instead of the answer to one case (`case`) or to every case (`cases`), after the answer to one \
         case (`after`), or at the end of the input (`end`). The verdicts are those of the cases that did not pass. Every run \
         ended by itself, the runner took less than 1 GB, no process remained, and no control sequence of a terminal was \
         printed or written to a report.\n\n\
         | when | lie | exit code | verdicts | s | runner, MB | program, MB | left |\n|---|---|---|---|---|---|---|---|\n",
        judged.len(),
        liars::START,
        liars::CASE,
        liars::MEMORY,
    );
    for it in judged {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{} {:.1} | {} | {} | {} |",
            it.key(),
            it.watched.seconds,
            megabytes(it.watched.runner),
            megabytes(it.watched.others),
            match it.watched.left {
                0 => "none".to_owned(),
                left => left.to_string(),
            },
        );
    }
    let _ = write!(
        text,
        "\n## Documents\n\n\
         Each kind of document at two sizes, the second ten times the first: processor time and memory, above \
         what the smallest document takes. The last column is the memory of the larger one, by the bytes of the document.\n\n\
         | what | command | size, MB | s | 10 times: s | MB | 10 times: MB | bytes of memory a byte |\n\
         |---|---|---|---|---|---|---|---|\n"
    );
    for it in grown {
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.2} | {:.2} | {:.0} | {:.0} | {:.0} |",
            it.what,
            it.command,
            it.megabytes,
            it.seconds[0],
            it.seconds[1],
            it.memory[0],
            it.memory[1],
            it.memory[1] / it.megabytes / 10.0,
        );
    }
    let _ = write!(
        text,
        "\n## Stored chunks\n\n\
         Arrays of 16 elements, unless their names say otherwise, made by \
         [stores.py](../conformance/lab/src/reliability/stores.py), each given to the commands that read arrays. What \
         cannot be read ends with exit code 2 and the name of the chunk, and no command takes more than {} MB.\n\n\
         | what is stored | command | exit code | outcome | s | MB |\n|---|---|---|---|---|---|\n",
        megabytes(stores::MEMORY),
    );
    for it in tried {
        let _ = writeln!(
            text,
            "{} {:.1} | {} |",
            it.key(),
            it.watched.seconds,
            megabytes(it.watched.runner)
        );
    }
    text
}

/// Compares the programs, documents and stores that the page lists with those that exist, without running any of them.
///
/// # Errors
/// If Python is not available.
pub fn compare_rows(root: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let page = std::fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    let (_, lies) = liars::list(folder)?;
    let (_, stores) = stores::make(folder)?;
    let lies = lies
        .iter()
        .map(|(when, lie)| format!("| {when} | {lie} | "));
    let kinds = documents::kinds().map(|kind| format!("| {kind} | "));
    let reads = stores.iter().flat_map(|store| {
        stores::commands().map(move |command| format!("| {store} | {command} | "))
    });
    let mut expected: Vec<String> = lies.chain(kinds).chain(reads).collect();
    let headers = ["| when |", "| what |", "| what is stored |"];
    let rows = page.lines().filter(|line| {
        line.starts_with("| ") && !headers.iter().any(|header| line.starts_with(header))
    });
    let mut findings = Vec::new();
    for row in rows {
        match expected.iter().position(|start| row.starts_with(start)) {
            Some(at) => drop(expected.swap_remove(at)),
            None => findings.push(format!("{PAGE} lists a row that does not exist: {row}")),
        }
    }
    findings.extend(
        expected
            .iter()
            .map(|start| format!("{PAGE} does not list {start}")),
    );
    Ok(findings)
}

/// Returns the violated limits, and the verdicts that differ from the page in the checkout.
#[must_use]
pub fn findings(root: &Path, judged: &[Judged], grown: &[Growth], tried: &[Tried]) -> Vec<String> {
    let page = std::fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    let mut findings: Vec<String> = judged.iter().flat_map(Judged::findings).collect();
    findings.extend(tried.iter().flat_map(Tried::findings));
    let keys = judged.iter().map(Judged::key);
    for key in keys.chain(tried.iter().map(Tried::key)) {
        if !rows.iter().any(|line| line.starts_with(&key)) {
            findings.push(format!("{PAGE} does not contain: {key}"));
        }
    }
    findings.extend(grown.iter().flat_map(Growth::findings));
    findings
}
