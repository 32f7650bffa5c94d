//! Checks that every row of the grid has its cell in every column. The rows are the specification files in `spec/` that
//! contain clauses.

use super::Tree;

/// A column: its name, and the prefixes of the paths of its cells, to which the name of the row is appended.
type Column = (&'static str, &'static [&'static str]);

/// All columns except the specification, whose cells define the rows, and the judged implementations, which are looked
/// up in the results.
const COLUMNS: [Column; 8] = [
    ("model", &["crates/model/src/"]),
    (
        "metadata",
        &["crates/metadata/src/codec/", "crates/metadata/src/"],
    ),
    ("reference", &["crates/reference/src/"]),
    ("optimized", &["crates/optimized/src/"]),
    ("vectors", &[VECTORS]),
    ("generator", &[GENERATOR]),
    (ORACLE, &["xtask/src/oracle/"]),
    ("mutants", &["conformance/mutants/src/"]),
];

/// The column of the second oracle.
const ORACLE: &str = "second oracle";

/// The column of the judged implementations, according to the committed results.
const JUDGED: &str = "judged";

/// The line in the specification of a codec that has no third-party implementation.
const NO_PEERS: &str = "- Peers: none.";

const RESULTS: &str = "conformance/results/";
const VECTORS: &str = "vectors/";
const GENERATOR: &str = "xtask/src/vectors/";

/// What a row has instead of the usual cell.
enum Instead {
    /// A file or folder that is not named after the row.
    Place(&'static str),
    /// No cell, for this reason.
    Nothing(&'static str),
}

/// The cells that are not in their usual places.
const OTHERWISE: &[(&str, &str, Instead)] = &[
    (
        "chain",
        "metadata",
        Instead::Place("crates/metadata/src/array.rs"),
    ),
    (
        "fill_value",
        "model",
        Instead::Place("crates/model/src/scalar.rs"),
    ),
    (
        "fill_value",
        "metadata",
        Instead::Place("crates/metadata/src/scalar.rs"),
    ),
    ("data_type", "reference", Instead::Nothing(TRUTH)),
    ("data_type", "optimized", Instead::Nothing(SPEED)),
    ("fill_value", "reference", Instead::Nothing(TRUTH)),
    ("fill_value", "optimized", Instead::Nothing(SPEED)),
];

const TRUTH: &str = "exactum-exact defines the meaning of bits and literals";
const SPEED: &str = "documents contain few data types and fill values";

/// Returns the rows: the files of `spec/` in which a line begins with a clause.
fn rows(tree: &Tree) -> Vec<&str> {
    tree.ending(".md")
        .filter_map(|(path, text)| {
            let row = path.strip_prefix("spec/")?.strip_suffix(".md")?;
            let clause = format!("**{row}.");
            text.lines()
                .any(|line| line.starts_with(&clause))
                .then_some(row)
        })
        .collect()
}

/// Reports missing cells, vectors that belong to no row, and exceptions that are not needed.
pub(super) fn check(tree: &Tree) -> Vec<String> {
    let rows = rows(tree);
    let mut findings = Vec::new();
    for &row in &rows {
        findings.extend(COLUMNS.iter().filter_map(|&column| cell(tree, row, column)));
        let clause = format!("\"{row}.");
        let judged = tree
            .ending(".json")
            .any(|(path, text)| path.starts_with(RESULTS) && text.contains(&clause));
        let alone = tree
            .ending(&format!("spec/{row}.md"))
            .any(|(_, text)| text.contains(NO_PEERS));
        match (judged, alone) {
            (true, true) => {
                findings.push(format!("spec/{row}.md: {NO_PEERS}, but there are results"))
            }
            (false, true) => {}
            (judged, false) => findings.extend(finding(row, JUDGED, RESULTS, judged)),
        }
    }
    for (path, _) in tree.ending(".json") {
        let folder = path
            .strip_prefix(VECTORS)
            .and_then(|path| path.split_once('/'));
        if let Some((folder, _)) = folder
            && folder != "schema"
            && !rows.contains(&folder)
        {
            findings.push(format!("{path}: vectors of a row that is not in spec/"));
        }
    }
    for (row, column, _) in OTHERWISE {
        let column_exists = *column == JUDGED || COLUMNS.iter().any(|(name, _)| name == column);
        if !rows.contains(row) || !column_exists {
            findings.push(format!(
                "xtask/src/tidy/grid.rs: names a place for the cell {column} of {row}, which does not exist"
            ));
        }
    }
    findings
}

/// Returns what is wrong with a cell.
fn cell(tree: &Tree, row: &str, (column, places): Column) -> Option<String> {
    let there = places.iter().any(|place| {
        let cell = format!("{place}{row}");
        let endings = ["", ".rs", ".recipes"];
        endings
            .iter()
            .any(|ending| tree.has(&format!("{cell}{ending}")))
    });
    // Expected values that recipes state by hand also count as a second opinion.
    let typed = column == ORACLE
        && tree
            .ending(&format!("{GENERATOR}{row}.recipes"))
            .any(|(_, text)| text.contains(" -> "));
    let there = there || typed;
    let instead = OTHERWISE
        .iter()
        .find(|(of, name, _)| *of == row && *name == column);
    if let Some((_, _, Instead::Place(place))) = instead {
        return (!tree.has(place)).then(|| {
            format!("{place}: the cell of the row {row} in the column {column} is missing")
        });
    }
    finding(row, column, places[0], there)
}

fn finding(row: &str, column: &str, place: &str, there: bool) -> Option<String> {
    let none = OTHERWISE
        .iter()
        .find_map(|(of, name, instead)| match instead {
            Instead::Nothing(why) if *of == row && *name == column => Some(why),
            _ => None,
        });
    match (there, none) {
        (false, None) => Some(format!(
            "{place}: the row {row} has no cell in the column {column}"
        )),
        (true, Some(why)) => Some(format!(
            "{place}: the row {row} has a cell in the column {column}, although it is listed as having none ({why})"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a complete tree: each file, with the number of findings if it is missing.
    fn whole() -> Vec<(String, String)> {
        let mut files = Vec::new();
        for row in [
            "cast_value",
            "chain",
            "data_type",
            "downsample",
            "fill_value",
        ] {
            files.push((format!("spec/{row}.md"), format!("**{row}.a** (MUST")));
            let unasked = OTHERWISE
                .iter()
                .any(|(of, column, _)| *of == row && *column == JUDGED);
            if !unasked {
                files.push((format!("{RESULTS}{row}.json"), format!("\"{row}.a\": 1")));
            }
            for (column, places) in COLUMNS {
                let said = OTHERWISE
                    .iter()
                    .find(|(of, name, _)| *of == row && *name == column);
                let place = match said {
                    Some((_, _, Instead::Nothing(_))) => continue,
                    Some((_, _, Instead::Place(place))) => (*place).to_owned(),
                    None if places == [VECTORS] => format!("{VECTORS}{row}/a.json"),
                    None => format!("{}{row}.rs", places[0]),
                };
                files.push((place, String::new()));
            }
        }
        files
    }

    fn check_files(files: &[(String, String)]) -> Vec<String> {
        check(&Tree {
            root: "".into(),
            files: files.to_vec(),
        })
    }

    #[test]
    fn a_missing_cell_is_found() {
        let all = whole();
        assert_eq!(check_files(&all), Vec::<String>::new());
        for (index, (path, _)) in all.iter().enumerate() {
            let mut files = all.clone();
            files.remove(index);
            let found = check_files(&files);
            // Without its specification a row does not exist, so its vectors belong to no row.
            assert!(!found.is_empty(), "{path}");
            assert!(
                path.starts_with("spec/") || found.len() == 1,
                "{path}: {found:?}"
            );
        }
    }

    #[test]
    fn a_cell_too_many_is_found() {
        for (path, text) in [
            ("spec/other.md", "**other.a** (MUST"),
            ("vectors/other/a.json", ""),
            ("crates/reference/src/data_type.rs", ""),
            ("spec/chain.md", "- Peers: none.\n**chain.order** (MUST"),
        ] {
            let mut files = whole();
            files.retain(|(there, _)| there != path);
            files.push((path.to_owned(), text.to_owned()));
            assert!(!check_files(&files).is_empty(), "{path}");
        }
    }
}
