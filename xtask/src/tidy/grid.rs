//! Every row of the grid has its cell in every column.

use super::Tree;

/// A row, and the columns that it has no cell in.
struct Row {
    name: &'static str,
    none: &'static [&'static str],
}

/// The rows that exist so far.
const ROWS: &[Row] = &[
    Row {
        name: "bytes",
        none: &[],
    },
    Row {
        name: "packbits",
        none: &[],
    },
    Row {
        name: "cast_value",
        none: &[],
    },
    Row {
        name: "scale_offset",
        none: &[],
    },
    Row {
        name: "chain",
        none: &[],
    },
    Row {
        name: "data_type",
        // Its truth is `exact` (what bits mean) and `metadata`; speed is of no use to it.
        none: &["truth", "speed"],
    },
    Row {
        name: "fill_value",
        // Its truth is `exact` (literals) and `metadata`; speed is of no use to it.
        none: &["truth", "speed"],
    },
];

/// The columns: name, place before the row's name.
const COLUMNS: &[(&str, &str)] = &[
    ("specification", "spec/"),
    ("truth", "crates/reference/src/"),
    ("speed", "crates/optimized/src/"),
    ("vectors", "vectors/"),
    ("generator", "xtask/src/vectors/"),
    ("second oracle", "xtask/src/oracle/"),
    ("mutants", "conformance/mutants/src/"),
];

/// Looks for missing cells, and for cells of no row.
pub(super) fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for row in ROWS {
        for (column, place) in COLUMNS {
            let cell = format!("{place}{}", row.name);
            let ending = if *column == "specification" {
                "md"
            } else {
                "rs"
            };
            let recipes = tree.has(&format!("{cell}.recipes"));
            let there = recipes || tree.has(&cell) || tree.has(&format!("{cell}.{ending}"));
            match (there, row.none.contains(column)) {
                (false, false) => findings.push(format!(
                    "{cell}: the row {} has no cell in the column {column}",
                    row.name
                )),
                (true, true) => findings.push(format!(
                    "{cell}: the row {} is said to have no cell in the column {column}",
                    row.name
                )),
                _ => {}
            }
        }
    }
    for (path, text) in tree.ending(".md") {
        let Some(name) = path
            .strip_prefix("spec/")
            .and_then(|name| name.strip_suffix(".md"))
        else {
            continue;
        };
        let is_row = text.lines().any(|line| line.starts_with("**"));
        if is_row && !ROWS.iter().any(|row| row.name == name) {
            findings.push(format!("{path}: clauses of a row that the grid lacks"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_cell_is_found() {
        let file = |path: &str| (path.to_owned(), String::new());
        let mut tree = Tree {
            root: "".into(),
            files: Vec::new(),
        };
        for row in ROWS {
            for (column, place) in COLUMNS {
                if row.none.contains(column) {
                    continue;
                }
                tree.files.push(file(&match *column {
                    "specification" => format!("{place}{}.md", row.name),
                    "vectors" => format!("{place}{}/a.json", row.name),
                    _ => format!("{place}{}.rs", row.name),
                }));
            }
        }
        assert_eq!(check(&tree), Vec::<String>::new());
        let all = std::mem::take(&mut tree.files);
        for left_out in 0..all.len() {
            tree.files = all.clone();
            tree.files.remove(left_out);
            assert_eq!(check(&tree).len(), 1, "{}", all[left_out].0);
        }
        tree.files = all;
        tree.files
            .push(("spec/other.md".into(), "**other.a** (MUST".into()));
        assert_eq!(check(&tree).len(), 1);
    }
}
