//! The levels of the clauses, taken from the specification with which this program was built.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use exactum_vectors::Level as Binding;

/// The level of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// A sentence of the upstream text states the clause.
    Must,
    /// The upstream text is open, and the clause is Exactum's reading.
    Ruling(Option<u32>),
    /// The text leaves the behaviour to the implementation.
    May,
}

impl Level {
    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::Must => "must",
            Level::Ruling(_) => "ruling",
            Level::May => "may",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Must => f.write_str("MUST"),
            Level::Ruling(Some(number)) => write!(f, "ruling {number}"),
            Level::Ruling(None) => f.write_str("ruling"),
            Level::May => f.write_str("MAY"),
        }
    }
}

static LEVELS: LazyLock<HashMap<String, Level>> = LazyLock::new(|| {
    let mut levels = HashMap::new();
    // A test ensures that all clauses can be read.
    for clause in exactum_suite::carried::clauses().unwrap_or_default() {
        let level = match clause.level {
            Binding::Must => Level::Must,
            Binding::Ruling => Level::Ruling(clause.ruling),
            Binding::May => Level::May,
        };
        levels.insert(clause.id, level);
    }
    levels
});

/// Returns the level of a clause, or `None` if there is no such clause.
pub(crate) fn of(clause: &str) -> Option<Level> {
    LEVELS.get(clause).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_specification_has_clauses() {
        let clauses = exactum_suite::carried::clauses().expect("the specification");
        assert!(clauses.len() > 100, "{} clauses", clauses.len());
        assert_eq!(of("chain.members"), Some(Level::Must));
        assert_eq!(of("chain.size"), Some(Level::Ruling(Some(15))));
        assert_eq!(of("chain.nothing"), None);
    }
}
