//! How binding a clause is, out of the specification that this program was built with.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use exactum_vectors::Level as Binding;

/// How binding a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// The upstream text says so.
    Must,
    /// The text is open, and this is Exactum's reading.
    Ruling(Option<u32>),
    /// The text leaves it to the implementation.
    May,
}

impl Level {
    /// The name in JSON.
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
    // A test reads them all.
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

/// How binding a clause is; `None` for none.
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
