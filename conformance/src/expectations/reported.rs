//! Whether the authors of a library know of a fault.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Whether a fault is reported upstream. In the file this is a link or `false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reported {
    /// Reported: the issue, the pull request, or the release that fixes it.
    At(String),
    /// Exactum has not reported it and knows of no report.
    No,
}

impl Serialize for Reported {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Reported::At(link) => serializer.serialize_str(link),
            Reported::No => serializer.serialize_bool(false),
        }
    }
}

impl<'de> Deserialize<'de> for Reported {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LinkOrFalse)
    }
}

/// Reads a link or `false`.
struct LinkOrFalse;

impl Visitor<'_> for LinkOrFalse {
    type Value = Reported;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a link to the report, or false")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Reported, E> {
        match value {
            false => Ok(Reported::No),
            true => Err(E::invalid_value(Unexpected::Bool(true), &self)),
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Reported, E> {
        match value.starts_with("https://") {
            true => Ok(Reported::At(value.to_owned())),
            false => Err(E::invalid_value(Unexpected::Str(value), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Entry {
        reported: Reported,
    }

    fn check(text: &str, expected: Option<Reported>) {
        let read: Result<Entry, _> = toml::from_str(text);
        assert_eq!(
            read.as_ref().ok().map(|it| &it.reported),
            expected.as_ref(),
            "{text}"
        );
        if let Ok(entry) = read {
            assert_eq!(toml::to_string(&entry).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_report_is_a_link_or_false() {
        check("reported = false\n", Some(Reported::No));
        let link = "https://example.org/1";
        check(
            &format!("reported = \"{link}\"\n"),
            Some(Reported::At(link.into())),
        );
        for wrong in [
            "reported = true\n",
            "reported = \"soon\"\n",
            "reported = 1\n",
        ] {
            check(wrong, None);
        }
    }
}
