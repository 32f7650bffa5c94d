//! Compact storage for many short names.

use alloc::string::String;
use alloc::vec::Vec;

/// An ordered list of names, stored compactly. A document may contain millions of codecs whose names have only a
/// few letters; a `String` for each would take about ten times as much memory.
///
/// ```
/// use exactum_model::Names;
///
/// let mut names: Names = ["gzip"].into_iter().collect();
/// names.push("crc32c");
/// assert_eq!((names.len(), names.is_empty(), names.first()), (2, false, Some("gzip")));
/// assert!(names.iter().eq(["gzip", "crc32c"]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// All names, one after the other, without separators.
    text: String,
    /// The end of each name in `text`.
    ends: Vec<usize>,
}

impl Names {
    /// Appends a name.
    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    /// Returns the number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the first name.
    #[must_use]
    pub fn first(&self) -> Option<&str> {
        self.iter().next()
    }

    /// Returns the names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let name = &self.text[start..end];
            start = end;
            name
        })
    }
}

impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut all = Self::default();
        for name in names {
            all.push(name);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_come_back_in_their_order() {
        for names in [&[][..], &["a"], &["crc32c", "", "é", "gzip"]] {
            let all: Names = names.iter().copied().collect();
            assert_eq!(all.iter().collect::<Vec<&str>>(), names);
            assert_eq!(all.first(), names.first().copied());
            assert_eq!((all.len(), all.is_empty()), (names.len(), names.is_empty()));
        }
    }
}
