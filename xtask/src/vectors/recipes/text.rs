//! Splits recipes into topics, groups and cases. The meaning of a line is determined elsewhere; here lines are only
//! located.

use std::collections::BTreeMap;

/// A line with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: usize,
    /// The condition on the topic's data type under which the line applies: the words in `[]` before it.
    pub(super) condition: String,
    pub(super) text: String,
}

/// A group and its cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupText {
    pub(super) head: Line,
    pub(super) cases: Vec<Line>,
}

/// An item of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Group(GroupText),
    /// Groups that are computed: `computed NAME`.
    Computed(Line),
}

/// Topics that share their groups: consecutive lines that begin with `topic`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Topics {
    pub(super) heads: Vec<Line>,
    pub(super) entries: Vec<Entry>,
}

/// A file of recipes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recipes {
    /// Named texts: `let NAME TEXT`.
    pub(super) texts: BTreeMap<String, String>,
    pub(super) topics: Vec<Topics>,
}

impl Recipes {
    /// Adds the texts of another file, except those whose names exist in this file.
    pub(super) fn add_texts(&mut self, other: &Self) {
        for (name, text) in &other.texts {
            let known = self.texts.entry(name.clone());
            known.or_insert_with(|| text.clone());
        }
    }
}

/// The minimum indentation of a line that continues the previous one.
const CONTINUED: usize = 6;

/// Parses a file.
///
/// # Errors
/// If a line is misplaced, with its number and the reason.
pub(super) fn parse(text: &str) -> Result<Recipes, (usize, String)> {
    let mut recipes = Recipes::default();
    // The number of groups that the last group line stands for.
    let mut last = 0;
    for (number, indentation, text) in lines(text) {
        let fail = |why: &str| Err((number, why.to_owned()));
        if indentation > 0 {
            let cases = spread(number, &text).map_err(|why| (number, why))?;
            let Some(topics) = recipes.topics.last_mut().filter(|_| last > 0) else {
                return fail("a case without a group");
            };
            for entry in topics.entries.iter_mut().rev().take(last) {
                match entry {
                    Entry::Group(group) => group.cases.extend(cases.iter().cloned()),
                    Entry::Computed(_) => return fail("a case below computed groups"),
                }
            }
            continue;
        }
        match text.split_once(' ').unwrap_or((&text, "")) {
            ("let", rest) => {
                let Some((name, text)) = rest.trim_start().split_once(' ') else {
                    return fail("`let` takes a name and a text");
                };
                if recipes
                    .texts
                    .insert(name.into(), text.trim_start().into())
                    .is_some()
                {
                    return fail("this name already has a text");
                }
            }
            ("topic", rest) => {
                last = 0;
                let head = line(number, rest).map_err(|why| (number, why))?;
                match recipes.topics.last_mut() {
                    Some(topics) if topics.entries.is_empty() => topics.heads.push(head),
                    _ => recipes.topics.push(Topics {
                        heads: vec![head],
                        entries: Vec::new(),
                    }),
                }
            }
            _ => {
                let Some(topics) = recipes.topics.last_mut() else {
                    return fail("a group before the first topic");
                };
                let heads = spread(number, &text).map_err(|why| (number, why))?;
                last = heads.len();
                for head in heads {
                    topics
                        .entries
                        .push(match head.text.strip_prefix("computed ") {
                            Some(name) => Entry::Computed(Line {
                                text: name.trim().into(),
                                ..head
                            }),
                            None => Entry::Group(GroupText {
                                head,
                                cases: Vec::new(),
                            }),
                        });
                }
            }
        }
    }
    Ok(recipes)
}

/// Returns the lines, except comments and empty ones, each with its number, indentation and text.
fn lines(text: &str) -> Vec<(usize, usize, String)> {
    let mut lines: Vec<(usize, usize, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indentation = line.len() - line.trim_start().len();
        match lines.last_mut() {
            Some((.., before)) if indentation >= CONTINUED => {
                before.push(' ');
                before.push_str(text);
            }
            _ => lines.push((number, indentation, text.into())),
        }
    }
    lines
}

/// Splits a line from its condition.
fn line(number: usize, text: &str) -> Result<Line, String> {
    let text = text.trim();
    let (condition, text) = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']').ok_or("`[` without `]`")?,
        None => ("", text),
    };
    Ok(Line {
        number,
        condition: condition.into(),
        text: text.trim_start().into(),
    })
}

/// Returns the lines that a line stands for: one for each word in `<a|b>`, which `<>` repeats.
fn spread(number: usize, text: &str) -> Result<Vec<Line>, String> {
    let whole = line(number, text)?;
    let first = whole.text.split(' ').next().unwrap_or_default();
    let Some((before, rest)) = first.split_once('<') else {
        return Ok(vec![whole]);
    };
    let (words, _) = rest.split_once('>').ok_or("`<` without `>`")?;
    let after = &whole.text[before.len() + words.len() + 2..];
    Ok(words
        .split('|')
        .map(|word| Line {
            text: format!("{before}{word}{}", after.replace("<>", word)),
            ..whole.clone()
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{Entry, parse};

    /// Returns the groups of a text, each with its cases.
    fn groups(text: &str) -> Vec<String> {
        let recipes = parse(text).expect("the text is right");
        let entries = recipes.topics.iter().flat_map(|topics| &topics.entries);
        entries
            .map(|entry| match entry {
                Entry::Group(group) => {
                    let cases: Vec<&str> =
                        group.cases.iter().map(|case| case.text.as_str()).collect();
                    format!("{}: {}", group.head.text, cases.join(", "))
                }
                Entry::Computed(line) => format!("computed {}", line.text),
            })
            .collect()
    }

    #[test]
    fn lines_are_found() {
        let text = "# about\ntopic t zarr-specs\n\na must c\n  x 1\n      2\n  <y|z>-q <>\ncomputed ties\n\
                    <d|e> must c.<>\n  x\n";
        let expected = [
            "a must c: x 1 2, y-q y, z-q z",
            "computed ties",
            "d must c.d: x",
            "e must c.e: x",
        ];
        assert_eq!(groups(text), expected);
    }

    #[test]
    fn what_stands_nowhere_is_named() {
        for (text, number, why) in [
            ("  x 1\n", 1, "a case without a group"),
            ("topic t u\n  x 1\n", 2, "a case without a group"),
            (
                "topic t u\ncomputed a\n  x 1\n",
                3,
                "a case below computed groups",
            ),
            ("\na must c\n", 2, "a group before the first topic"),
            ("let a\n", 1, "`let` takes a name and a text"),
            ("let a b\nlet a c\n", 2, "this name already has a text"),
            ("topic t u\n[signed a must c\n", 2, "`[` without `]`"),
            ("topic t u\na<b|c must c\n", 2, "`<` without `>`"),
        ] {
            assert_eq!(parse(text), Err((number, why.to_owned())), "{text}");
        }
    }
}
