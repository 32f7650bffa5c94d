//! Colours, and the width of the terminal. Neither affects a pipe, a file or a report.

use std::fmt::Display;
use std::io::IsTerminal as _;

use console::{Style, Term};
use serde_json::Value;

/// The number of characters of a line if the output is not a terminal.
const WIDTH: usize = 80;

/// The meaning of a word for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    /// Everything is right.
    Good,
    /// Something needs attention.
    Doubtful,
    /// Something is wrong.
    Bad,
}

/// The verdicts of all commands.
const VERDICTS: &[(&str, Tone)] = &[
    ("valid", Tone::Good),
    ("proved", Tone::Good),
    ("pass", Tone::Good),
    ("not judged", Tone::Doubtful),
    ("not proved", Tone::Doubtful),
    ("rejected", Tone::Bad),
    ("refuted", Tone::Bad),
    ("wrong value", Tone::Bad),
    ("accepted but must reject", Tone::Bad),
    ("rejected but must accept", Tone::Bad),
    ("crash", Tone::Bad),
    ("timeout", Tone::Bad),
];

/// Returns whether the standard output is coloured. It is coloured on a terminal unless `NO_COLOR` has a value.
pub(crate) fn use_color() -> bool {
    std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the number of columns of the terminal, or 80 if the output is not a terminal.
pub(crate) fn width() -> usize {
    terminal().unwrap_or(WIDTH)
}

/// Returns the number of columns of the terminal, or nothing if the output is not a terminal.
pub(crate) fn terminal() -> Option<usize> {
    let size = Term::stdout().size_checked();
    size.map(|(_, columns)| usize::from(columns))
}

/// Returns a list as JSON in one line, or with one line for each element if it is wider than the terminal.
/// Output to a file or a pipe stays in one line.
pub(crate) fn json_list(list: &Value, indent: usize) -> String {
    folded_list(list, indent, terminal())
}

fn folded_list(list: &Value, indent: usize, width: Option<usize>) -> String {
    let line = list.to_string();
    match (list.as_array(), width) {
        (Some(elements), Some(width)) if indent + line.len() > width && elements.len() > 1 => {
            let elements: Vec<String> = elements.iter().map(Value::to_string).collect();
            format!("[{}]", elements.join(&format!(",\n{:1$}", "", indent + 1)))
        }
        _ => line,
    }
}

/// Returns a verdict in its colour: green for `valid`, `proved` and `pass`, yellow for `not judged`, red for
/// `rejected` and `refuted`. Any other word is returned unchanged.
fn coloured_verdict(word: &str, color: bool) -> String {
    match VERDICTS.iter().find(|(known, _)| *known == word) {
        Some((_, tone)) => paint(word, *tone, color),
        None => word.to_owned(),
    }
}

/// Colours the verdicts in a text: those at the beginning of a line (`proved: ...`) or at its end
/// (`zarr.json: valid`).
pub(crate) fn verdicts(text: &str) -> String {
    coloured_verdicts(text, use_color())
}

fn coloured_verdicts(text: &str, color: bool) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let (bare, end) = line
            .strip_suffix('\n')
            .map_or((line, ""), |bare| (bare, "\n"));
        let is_verdict = |word: &str| VERDICTS.iter().any(|(known, _)| *known == word);
        match (bare.split_once(": "), bare.rsplit_once(": ")) {
            (Some((word, rest)), _) if is_verdict(word) => {
                format!("{}: {rest}{end}", coloured_verdict(word, color))
            }
            (_, Some((rest, word))) if is_verdict(word) => {
                format!("{rest}: {}{end}", coloured_verdict(word, color))
            }
            _ => line.to_owned(),
        }
    });
    lines.collect()
}

/// Colours the marks in a report: words that begin with `!` become yellow, words with `✗` become red, and
/// `0 not as expected` becomes green.
pub(crate) fn report(text: &str) -> String {
    coloured_report(text, use_color())
}

fn coloured_report(text: &str, color: bool) -> String {
    if !color {
        return text.to_owned();
    }
    let fine = format!(", {}", paint("0 not as expected", Tone::Good, true));
    let lines = text.split_inclusive('\n').map(|line| {
        let (bare, end) = line
            .strip_suffix('\n')
            .map_or((line, ""), |bare| (bare, "\n"));
        let words: Vec<String> = bare.split(' ').map(mark).collect();
        words.join(" ").replace(", 0 not as expected", &fine) + end
    });
    lines.collect()
}

/// Colours a word of a report.
fn mark(word: &str) -> String {
    let number =
        |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_lowercase());
    if word.contains('✗') {
        return paint(word, Tone::Bad, true);
    }
    match word.strip_prefix('!') {
        Some(rest) if number(rest) => paint(word, Tone::Doubtful, true),
        _ => word.to_owned(),
    }
}

fn paint(words: impl Display, tone: Tone, color: bool) -> String {
    let style = Style::new().force_styling(color);
    let style = match tone {
        Tone::Good => style.green(),
        Tone::Doubtful => style.yellow(),
        Tone::Bad => style.red(),
    };
    style.apply_to(words).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_have_colours_on_a_terminal_only() {
        for (word, painted) in [
            ("valid", "\u{1b}[32mvalid\u{1b}[0m"),
            ("not judged", "\u{1b}[33mnot judged\u{1b}[0m"),
            ("refuted", "\u{1b}[31mrefuted\u{1b}[0m"),
            ("something else", "something else"),
        ] {
            assert_eq!(coloured_verdict(word, true), painted);
            assert_eq!(coloured_verdict(word, false), word);
        }
    }

    #[test]
    fn lists_are_folded_where_they_are_wider_than_the_terminal() {
        let list = serde_json::json!([{"name": "a"}, {"name": "b"}]);
        let line = r#"[{"name":"a"},{"name":"b"}]"#;
        let folded = "[{\"name\":\"a\"},\n   {\"name\":\"b\"}]";
        for (width, expected) in [(None, line), (Some(29), line), (Some(28), folded)] {
            assert_eq!(folded_list(&list, 2, width), expected, "{width:?}");
        }
    }

    #[test]
    fn verdicts_are_found_where_they_stand() {
        let text = "proved: no value\nzarr.json: valid\n  numbers: valid ones\nvalid\n";
        assert_eq!(coloured_verdicts(text, false), text);
        assert_eq!(
            coloured_verdicts(text, true),
            "\u{1b}[32mproved\u{1b}[0m: no value\nzarr.json: \u{1b}[32mvalid\u{1b}[0m\n  \
             numbers: valid ones\nvalid\n"
        );
    }

    #[test]
    fn marks_of_a_report_are_coloured_and_nothing_moves() {
        let text = " mine  12 !3 ✗4\npass  !known failure  ✗unexpected failure\na ! b\n";
        assert_eq!(coloured_report(text, false), text);
        let painted = coloured_report(text, true);
        for part in ["\u{1b}[33m!3\u{1b}[0m", "\u{1b}[31m✗4\u{1b}[0m", "a ! b\n"] {
            assert!(painted.contains(part), "{painted:?}");
        }
        assert_eq!(console::strip_ansi_codes(&painted), text);
    }
}
