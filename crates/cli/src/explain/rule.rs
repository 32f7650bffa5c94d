//! Explains a clause or a ruling: its text, the cases that test it, and the implementations that deviate from
//! it.

use std::fmt::Write as _;

use exactum_conformance::report::{level_name, wrapped};
use exactum_conformance::rulings;
use exactum_vectors::spec::Clause;

use super::known::Grid;
use crate::source::Source;

/// The number of characters of a line.
const WIDTH: usize = 96;

/// The number of cases that are named.
const SHOWN: usize = 3;

/// Returns the number of a ruling, which is written `R5`, `r5`, `5`, or `ruling 5`, as in findings.
fn number(id: &str) -> Option<u32> {
    let id = id.strip_prefix("ruling ").unwrap_or(id);
    id.strip_prefix(['R', 'r']).unwrap_or(id).parse().ok()
}

impl Grid {
    /// Explains the clause with an id, or the ruling with a number such as `R5`. Returns `None` if the text is
    /// neither.
    ///
    /// # Errors
    /// If there is no such ruling, or the rulings cannot be read.
    pub(super) fn rule(&self, source: &Source, id: &str) -> Result<Option<String>, String> {
        if let Some(clause) = self.clauses.iter().find(|clause| clause.id == id) {
            return Ok(Some(self.clause(clause)));
        }
        let Some(number) = number(id) else {
            return Ok(None);
        };
        match rulings::entry(&source.rulings()?, number)? {
            Some(entry) => Ok(Some(self.ruling(number, &entry))),
            None => Err(format!("there is no ruling {number} in spec/rulings.md")),
        }
    }

    fn clause(&self, clause: &Clause) -> String {
        let ruling = clause
            .ruling
            .map_or_else(String::new, |it| format!(" {it}"));
        let mut text = format!("{} ({}{ruling})\n", clause.id, level_name(clause.level));
        let mut paragraph = |words: &str, indent: &str| {
            let _ = writeln!(text, "{}", wrapped(words, WIDTH, indent));
        };
        paragraph(&clause.text, "  ");
        if !clause.upstream.is_empty() {
            paragraph(&format!("upstream: {}", clause.upstream), "  ");
        }
        if !clause.quote.is_empty() {
            paragraph(&format!("\"{}\"", clause.quote), "    ");
        }
        if let Some(why) = &clause.uncovered {
            paragraph(&format!("uncovered: {why}"), "  ");
        }
        if let Some(number) = clause.ruling {
            let _ = writeln!(text, "\n`exactum explain R{number}` prints the reasons");
        }
        self.cases(&mut text, &clause.id);
        self.answers(&mut text, &clause.id);
        text
    }

    fn ruling(&self, number: u32, entry: &str) -> String {
        let mut text = format!("{}\n", entry.trim_end());
        for clause in self.clauses.iter().filter(|it| it.ruling == Some(number)) {
            let _ = writeln!(text, "\n{}", clause.id);
            let _ = writeln!(text, "{}", wrapped(&clause.text, WIDTH, "  "));
            self.answers(&mut text, &clause.id);
        }
        text
    }

    /// Adds the cases of a clause.
    fn cases(&self, text: &mut String, clause: &str) {
        let cited = self.outline.cases.iter().filter(|(_, (_, clauses))| {
            let mut clauses = clauses.iter();
            clauses.any(|id| id == clause)
        });
        let ids: Vec<&String> = cited.map(|(id, _)| id).collect();
        let _ = writeln!(text, "\ncases: {}", ids.len());
        for id in ids.iter().take(SHOWN) {
            let _ = writeln!(text, "  {id}");
        }
        if ids.len() > SHOWN {
            let _ = writeln!(text, "  `exactum vectors --clause {clause}` lists them all");
        }
    }

    /// Adds the implementations that conform to a clause, and those that deviate from it.
    fn answers(&self, text: &mut String, clause: &str) {
        let answers = rulings::by_answer(clause, &self.outline, &self.known);
        let headings = ["conforming", "deviating"];
        for (heading, who) in headings.into_iter().zip(answers) {
            if !who.is_empty() {
                let _ = writeln!(text, "\n  {heading}");
                for one in who {
                    let _ = writeln!(text, "{}", wrapped(&one, WIDTH, "    "));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_and_rulings_are_explained() {
        let source = Source::find(None);
        let suite = source.suite().expect("the vectors");
        let grid = Grid::read(&source, &suite).expect("results");
        let check = |id: &str, says: &[&str]| {
            let text = grid.rule(&source, id).expect("a text");
            let text = text.unwrap_or_else(|| "neither".into());
            for part in says {
                assert!(text.contains(part), "{id} does not say {part}:\n{text}");
            }
        };
        check(
            "cast_value.rounding.once",
            &["(must)", "cases: ", "conforming", "--clause"],
        );
        check(
            "cast_value.range.overflow",
            &[
                "(ruling 1)",
                "explain R1",
                "deviating",
                "ml_dtypes",
                "overflow",
            ],
        );
        check(
            "R5",
            &[
                "R5: the arithmetic of scale_offset",
                "Decision:",
                "conforming",
            ],
        );
        check("r5", &["R5: "]);
        check("cast_value.nothing", &["neither"]);
        assert_eq!(
            grid.rule(&source, "R999"),
            Err("there is no ruling 999 in spec/rulings.md".into())
        );
    }

    #[test]
    fn rulings_go_by_several_names() {
        for id in ["R16", "r16", "16", "ruling 16"] {
            assert_eq!(number(id), Some(16), "{id}");
        }
        assert_eq!(number("rulings"), None);
    }
}
