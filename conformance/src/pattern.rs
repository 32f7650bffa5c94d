//! Patterns over full case ids: `*` stays within a segment, `**` crosses slashes.

use globset::{GlobBuilder, GlobMatcher};

/// A pattern over full case ids.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    /// The characters with which every match begins. Comparing them first is much faster than running the matcher.
    beginning: String,
    matcher: GlobMatcher,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// If the text is not a pattern. The message states the reason.
    pub fn new(text: &str) -> Result<Self, String> {
        Self::beginning_with(literal(text), text)
    }

    fn beginning_with(beginning: &str, text: &str) -> Result<Self, String> {
        let matcher = GlobBuilder::new(text)
            .literal_separator(true)
            .build()
            .map_err(|error| error.to_string())?
            .compile_matcher();
        Ok(Self {
            text: text.to_owned(),
            beginning: beginning.to_owned(),
            matcher,
        })
    }

    /// Reads a pattern that selects cases. The name of a folder, a file or a group selects everything below it.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new).
    pub fn selecting(text: &str) -> Result<Self, String> {
        let text = text.trim_end_matches('/');
        // The matcher does not recognise a `**` that stands alone before a comma.
        let alone = if text == "**" { "**/*" } else { text };
        // A comma makes alternatives, which can begin in different ways.
        let beginning = if text.contains(',') {
            ""
        } else {
            literal(text)
        };
        Self::beginning_with(beginning, &format!("{{{alone},{text}/**}}"))
    }

    /// Returns whether the pattern matches a full case id.
    #[must_use]
    pub fn matches(&self, case: &str) -> bool {
        case.starts_with(&self.beginning) && self.matcher.is_match(case)
    }

    /// Returns the characters with which every match begins.
    pub(crate) fn beginning(&self) -> &str {
        &self.beginning
    }

    /// Returns the pattern's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Returns the part of a pattern before its first special character.
fn literal(text: &str) -> &str {
    let special = |c| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '\\');
    text.split(special).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn stars_respect_segments() {
        let rows = [
            ("cast_value/*/g/case", "cast_value/a-b/g/case", true),
            ("cast_value/*/case", "cast_value/a-b/g/case", false),
            ("cast_value/**/case", "cast_value/a-b/g/case", true),
            ("cast_value/**", "cast_value/a-b/g/case", true),
            ("**/case", "cast_value/a-b/g/case", true),
            ("cast_value/a-b/g/c", "cast_value/a-b/g/case", false),
            ("cast_value/{a-b,c}/g/*", "cast_value/a-b/g/case", true),
            ("cast_value/a-[bc]/g/case", "cast_value/a-b/g/case", true),
            ("{cast_value,bytes}/**", "cast_value/a-b/g/case", true),
        ];
        for (pattern, case, matches) in rows {
            let pattern = Pattern::new(pattern).expect("a pattern");
            assert_eq!(pattern.matches(case), matches, "{pattern:?} {case}");
        }
    }

    #[test]
    fn a_selection_reaches_below_what_it_names() {
        for text in [
            "cast_value",
            "cast_value/",
            "cast_value/a-b",
            "cast_value/a-b/g/case",
            "cast_value/{a-b,c}",
            "bytes,cast_value",
            "**/case",
            "**",
            "**/",
            "*",
        ] {
            let pattern = Pattern::selecting(text).expect("a pattern");
            assert!(pattern.matches("cast_value/a-b/g/case"), "{text}");
        }
        let pattern = Pattern::selecting("cast").expect("a pattern");
        assert!(!pattern.matches("cast_value/a-b/g/case"));
        assert!(Pattern::selecting("a[").is_err());
    }
}
