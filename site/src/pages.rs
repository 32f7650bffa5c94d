//! The data of the pages that are generated from Markdown: rulings, evidence and the guide.

use std::fs;
use std::path::{Path, PathBuf};

use exactum_conformance::rulings::{by_answer, entry};
use serde_json::{Value, json};

use crate::known::Known;
use crate::text::markdown;

/// The documents of the page "How we know", each with its title.
const EVIDENCE: [(&str, &str, &str); 4] = [
    ("coverage", "Coverage", "docs/coverage.md"),
    ("fairness", "Fairness", "docs/fairness.md"),
    ("reliability", "Reliability", "docs/reliability.md"),
    ("performance", "Performance", "docs/performance.md"),
];

/// The order of the chapters in the guide; other documents follow, sorted by name.
const GUIDE: [&str; 9] = [
    "the-page",
    "validate",
    "plan-and-pack",
    "prove",
    "pyramids",
    "judge-your-library",
    "use-the-vectors",
    "contribute",
    "glossary",
];

/// Returns the rulings, each with the answers of all implementations.
///
/// # Errors
/// If `spec/rulings.md` cannot be read.
pub(crate) fn rulings(known: &Known<'_>, root: &Path) -> Result<Value, String> {
    let text = read(root, "spec/rulings.md")?;
    let mut made = Vec::new();
    let titles = text.lines().filter_map(|line| line.strip_prefix("## R"));
    for title in titles {
        let Some((number, words)) = title.split_once(": ") else {
            continue;
        };
        let Ok(number) = number.parse::<u32>() else {
            continue;
        };
        let Some(section) = entry(&text, number)? else {
            continue;
        };
        let body = section.split_once('\n').map_or("", |(_, body)| body);
        let clauses: Vec<Value> = known
            .clauses
            .iter()
            .filter(|clause| clause.ruling == Some(number))
            .map(|clause| {
                let [same, others] = by_answer(&clause.id, &known.outline, &known.all);
                json!({ "id": clause.id, "text": clause.text, "same": same, "others": others })
            })
            .collect();
        made.push(json!({
            "number": number, "title": words, "html": markdown(body), "clauses": clauses,
        }));
    }
    Ok(json!({ "rulings": made }))
}

/// Returns the contents of the page "How we know".
///
/// # Errors
/// If a document cannot be read.
pub(crate) fn evidence(root: &Path) -> Result<Value, String> {
    let mut parts = Vec::new();
    for (id, title, path) in EVIDENCE {
        let text = read(root, path)?;
        let body = text.split_once('\n').map_or("", |(_, body)| body);
        parts.push(json!({ "id": id, "title": title, "html": markdown(body), "path": path }));
    }
    Ok(json!({ "parts": parts }))
}

/// Returns the guide, with one chapter for each document in `docs/guide`.
///
/// # Errors
/// If a document cannot be read.
pub(crate) fn guide(root: &Path) -> Result<Value, String> {
    let mut names: Vec<String> = files(&root.join("docs/guide"))?
        .iter()
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let place = |name: &str| {
        GUIDE
            .iter()
            .position(|it| *it == name)
            .unwrap_or(GUIDE.len())
    };
    names.sort_by(|a, b| (place(a), a).cmp(&(place(b), b)));
    let mut chapters = Vec::new();
    for name in names {
        let text = read(root, &format!("docs/guide/{name}.md"))?;
        let first = text.lines().find_map(|line| line.strip_prefix("# "));
        let title = first.unwrap_or(&name).to_owned();
        chapters.push(json!({ "id": name, "title": title, "html": markdown(&text) }));
    }
    Ok(json!({ "chapters": chapters }))
}

/// Returns the pictures of the guide.
///
/// # Errors
/// If their folder cannot be read.
pub(crate) fn pictures(root: &Path) -> Result<Vec<PathBuf>, String> {
    files(&root.join("docs/guide/images"))
}

/// Returns the files in a folder, sorted by name, or an empty list if the folder does not exist.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(at)? {
        found.push(entry.map_err(at)?.path());
    }
    found.retain(|path| path.is_file());
    found.sort();
    Ok(found)
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
}
