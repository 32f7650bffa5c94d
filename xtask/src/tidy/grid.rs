//! Every row of the grid has its cell in every column. The rows are the specifications: what `spec/`
//! has clauses of.

use super::Tree;

/// A column: its name and where its cells are, with the row's name behind.
type Column = (&'static str, &'static [&'static str]);

/// All columns but the specification, whose cells are the rows, and the judged, who are looked for in
/// the results.
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

/// The column of the second opinion.
const ORACLE: &str = "second oracle";

/// The column of those who were asked, by the committed results.
const JUDGED: &str = "judged";

/// What a specification says of a codec of one's own.
const NO_PEERS: &str = "- Peers: none.";

const RESULTS: &str = "conformance/results/";
const VECTORS: &str = "vectors/";
const GENERATOR: &str = "xtask/src/vectors/";

/// What stands in the place of a cell.
enum Instead {
    /// This file or folder, whose name is not the row's.
    Place(&'static str),
    /// Nothing, for this reason.
    Nothing(&'static str),
}

/// A row's cells that are not where they would be expected.
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

const TRUTH: &str = "what bits and literals mean is exactum-exact's";
const SPEED: &str = "documents have few of them";

/// The rows: files of `spec/` that begin a line with a clause.
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

/// Looks for missing cells, for vectors of no row, and for what is said of cells in vain.
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
            findings.push(format!("{path}: vectors of a row that spec/ lacks"));
        }
    }
    for (row, column, _) in OTHERWISE {
        let column_exists = *column == JUDGED || COLUMNS.iter().any(|(name, _)| name == column);
        if !rows.contains(row) || !column_exists {
            findings.push(format!(
                "xtask/src/tidy/grid.rs: says where the cell {column} of {row} is, and there is no such cell"
            ));
        }
    }
    findings
}

/// What is wrong with a cell.
fn cell(tree: &Tree, row: &str, (column, places): Column) -> Option<String> {
    let there = places.iter().any(|place| {
        let cell = format!("{place}{row}");
        let endings = ["", ".rs", ".recipes"];
        endings
            .iter()
            .any(|ending| tree.has(&format!("{cell}{ending}")))
    });
    // What recipes say by hand is an opinion too.
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
            "{place}: the row {row} has a cell in the column {column}, where it is said to have none ({why})"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree in which nothing is missing: of each file, how many findings its absence is.
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
            // Without its specification a row is none, and its vectors have no owner.
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
