//! Renders findings as text: the place is underlined, the clause is named, and the help stands below.
//!
//! The text comes from a file that may contain anything: a line of 20 MB, control characters, or bytes that are not
//! text. Therefore, only lines with a finding are shown, and only the part around the place. No byte of the file
//! reaches the terminal as a control sequence.

use std::ops::Range;

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind, Source};
use exactum_conformance::text::plain;
use exactum_metadata::{Diagnostic, Severity};
use exactum_model::{Reason, Rejection};

use crate::levels::{self, Level};
use crate::style;

/// The number of bytes of a long line that are shown on each side of a place.
const AROUND: usize = 48;

/// The number of bytes of a place that are shown; the rest of a longer place is cut off.
const SHOWN: usize = 64;

/// The columns of a terminal that are not available to a line and its arrows: those of the margin and of the
/// word at the last arrow.
const MARGIN: usize = 24;

/// The number of bytes of a long line that are shown around each place on a terminal of any width.
const LEAST: usize = 16;

/// The greatest number of lines before a place that are counted in the margin; each one costs some memory.
const MAX_LINES: usize = 100_000;

/// A finding in a document.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The level of the clause that it cites.
    pub(crate) level: Option<Level>,
    /// The finding itself.
    pub(crate) diagnostic: Diagnostic,
}

impl Finding {
    /// Adds the level of the clause. If only a ruling forbids something, it is a warning.
    pub(crate) fn new(mut diagnostic: Diagnostic) -> Self {
        let level = levels::of(diagnostic.rejection.clause);
        let is_ruling = matches!(level, Some(Level::Ruling(_)));
        let is_error = diagnostic.severity == Severity::Error;
        if is_error && is_ruling {
            diagnostic.severity = Severity::Warning;
        }
        Self {
            // Advice does not cite a violated clause.
            level: level.filter(|_| is_error || is_ruling),
            diagnostic,
        }
    }

    /// Returns a warning.
    pub(crate) fn warning(
        clause: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
        pointer: &str,
        place: Range<usize>,
    ) -> Self {
        let rejection = Rejection::new(Reason::Metadata, clause, message).help(help);
        Self::new(Diagnostic::warning(rejection.at_pointer(pointer), place))
    }
}

/// The bytes of a document, and the positions of its lines.
pub(crate) struct Text<'b> {
    bytes: &'b [u8],
    newlines: Vec<usize>,
}

impl<'b> Text<'b> {
    /// Finds the lines of a document.
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        let newlines = bytes.iter().enumerate();
        Self {
            bytes,
            newlines: newlines
                .filter(|(_, byte)| **byte == b'\n')
                .map(|(index, _)| index)
                .collect(),
        }
    }

    /// Returns the line of an offset and the character within that line, both counted from 1.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.bytes.len());
        let start = self.line(offset).start;
        let before = String::from_utf8_lossy(&self.bytes[start..offset]);
        (self.number(offset) + 1, before.chars().count() + 1)
    }

    /// Returns the number of the line that contains an offset, counted from 0.
    fn number(&self, offset: usize) -> usize {
        self.newlines.partition_point(|&newline| newline < offset)
    }

    /// Returns the line that contains an offset, without its line end.
    fn line(&self, offset: usize) -> Range<usize> {
        let number = self.number(offset);
        let before = number.checked_sub(1);
        let start = before.map_or(0, |before| self.newlines[before] + 1);
        let mut end = self
            .newlines
            .get(number)
            .copied()
            .unwrap_or(self.bytes.len());
        if end > offset && self.bytes[end - 1] == b'\r' {
            end -= 1;
        }
        start..end
    }
}

/// Renders a finding about a document. The message and the name have been cleaned before; the excerpt of the
/// document is cleaned here.
pub(crate) fn finding(name: &str, text: &Text<'_>, finding: &Finding, color: bool) -> String {
    fitted(name, text, finding, color, style::terminal())
}

/// Does the same as [`finding`] for a terminal with the given number of columns; a file or a pipe has none.
fn fitted(
    name: &str,
    text: &Text<'_>,
    finding: &Finding,
    color: bool,
    columns: Option<usize>,
) -> String {
    let Diagnostic {
        severity,
        rejection,
        place,
        related,
        ..
    } = &finding.diagnostic;
    let mut places = vec![place.clone()];
    places.extend(related.iter().map(|it| it.place.clone()));
    let excerpt = Excerpt::new(text, &places, Room::of(columns, places.len()));
    let kind = match severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
        Severity::Note => ReportKind::Custom("Note", Color::Cyan),
    };
    let config = Config::new()
        .with_color(color)
        .with_char_set(CharSet::Unicode)
        .with_index_type(IndexType::Byte);
    let primary = excerpt.places.first().cloned().unwrap_or(0..0);
    let mut report = Report::build(kind, (name, primary.clone()))
        .with_config(config)
        .with_code(match finding.level {
            Some(level) => format!("{}, {level}", rejection.clause),
            None => rejection.clause.to_owned(),
        })
        .with_message(&rejection.message);
    let messages = related.iter().map(|it| it.message.as_str());
    let mut labels: Vec<_> = excerpt
        .places
        .iter()
        .zip(std::iter::once("here").chain(messages))
        .collect();
    // Labels in the order of the text form one block.
    labels.sort_by_key(|(place, _)| place.start);
    for (place, message) in labels {
        report.add_label(Label::new((name, place.clone())).with_message(message));
    }
    if let Some(help) = &rejection.help {
        report.set_help(help);
    }
    if let Some((line, byte)) = excerpt.cut {
        report.set_note(format!(
            "only part of the text is shown; the position is line {line}, byte {byte}"
        ));
    }
    let source = Source::from(excerpt.text);
    let mut output = Vec::new();
    // Writing to memory does not fail.
    let _ = report
        .finish()
        .write_for_stdout((name, source), &mut output);
    String::from_utf8_lossy(&output).into_owned()
}

/// The space for the excerpt of a long line.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// The number of bytes on either side of a place.
    around: usize,
    /// The number of bytes of a place.
    shown: usize,
}

impl Room {
    /// Returns the space for a number of places, all of which may be in one line.
    fn of(columns: Option<usize>, places: usize) -> Self {
        let all = Self {
            around: AROUND,
            shown: SHOWN,
        };
        columns.map_or(all, |columns| {
            let each = columns.saturating_sub(MARGIN) / places.max(1);
            let each = each.max(LEAST);
            let shown = (each / 2).min(SHOWN);
            Self {
                around: ((each - shown) / 2).min(AROUND),
                shown,
            }
        })
    }

    /// Returns the greatest length in bytes of a line that is shown in full.
    fn line(self) -> usize {
        2 * self.around + self.shown
    }
}

/// The lines that contain the places, cut to their surroundings. Other lines are empty.
struct Excerpt {
    text: String,
    /// The places in the text.
    places: Vec<Range<usize>>,
    /// The true line and byte of the first place, counted from 1, if the excerpt does not show them.
    cut: Option<(usize, usize)>,
}

impl Excerpt {
    fn new(text: &Text<'_>, places: &[Range<usize>], room: Room) -> Self {
        let visible = |place: &Range<usize>| visible(text, place, room.shown);
        let places: Vec<Range<usize>> = places.iter().map(visible).collect();
        let mut lines: Vec<Range<usize>> =
            places.iter().map(|place| text.line(place.start)).collect();
        lines.sort_by_key(|line| line.start);
        lines.dedup();

        let mut excerpt = Excerpt {
            text: String::new(),
            places: vec![0..0; places.len()],
            cut: None,
        };
        let mut cut = false;
        let mut at = 0;
        for line in lines {
            let between = text.number(line.start) - text.number(at);
            cut |= between > MAX_LINES;
            let counted = between.min(MAX_LINES);
            excerpt.text.extend(std::iter::repeat_n('\n', counted));
            at = line.start;
            cut |= excerpt.push_line(text.bytes, &line, &places, room);
        }
        if let Some(place) = places.first().filter(|_| cut) {
            let start = text.line(place.start).start;
            excerpt.cut = Some((text.number(start) + 1, place.start - start + 1));
        }
        excerpt
    }

    /// Adds a line, and returns whether its beginning is missing.
    fn push_line(
        &mut self,
        bytes: &[u8],
        line: &Range<usize>,
        places: &[Range<usize>],
        room: Room,
    ) -> bool {
        let inside = |place: &&Range<usize>| line.start <= place.start && place.start <= line.end;
        let mut pieces: Vec<Range<usize>> = Vec::new();
        if line.len() <= room.line() {
            pieces.push(line.clone());
        } else {
            let mut windows: Vec<Range<usize>> = places
                .iter()
                .filter(inside)
                .map(|place| {
                    let start = place.start.saturating_sub(room.around).max(line.start);
                    let end = place.end.saturating_add(room.around).min(line.end);
                    character_start(bytes, start)..character_start(bytes, end)
                })
                .collect();
            windows.sort_by_key(|window| window.start);
            for window in windows {
                match pieces.last_mut() {
                    Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
                    _ => pieces.push(window),
                }
            }
        }
        let cut = pieces.first().is_some_and(|first| first.start > line.start);
        let mut shown_to = line.start;
        for piece in pieces {
            if piece.start > shown_to {
                self.text.push('…');
            }
            shown_to = piece.end;
            self.push_piece(bytes, &piece, places);
        }
        if shown_to < line.end {
            self.text.push('…');
        }
        cut
    }

    fn push_piece(&mut self, bytes: &[u8], piece: &Range<usize>, places: &[Range<usize>]) {
        let mut at = piece.start;
        let mut push = |character: char, length: usize| {
            let before = self.text.len();
            // A tab is as wide as a space here, so that the underline is aligned with the line.
            self.text.push(match character {
                '\t' => ' ',
                other => plain(other),
            });
            for (place, shown) in places.iter().zip(&mut self.places) {
                if (at..at + length).contains(&place.start) {
                    *shown = before..self.text.len();
                } else if place.start < at && at < place.end {
                    shown.end = self.text.len();
                }
            }
            at += length;
        };
        for chunk in bytes[piece.clone()].utf8_chunks() {
            for character in chunk.valid().chars() {
                push(character, character.len_utf8());
            }
            if !chunk.invalid().is_empty() {
                push(char::REPLACEMENT_CHARACTER, chunk.invalid().len());
            }
        }
    }
}

/// Returns a place that can be underlined: inside the text, within one line, not empty, and not too long. The
/// end of a text is shown as its last character.
fn visible(text: &Text<'_>, place: &Range<usize>, shown: usize) -> Range<usize> {
    let bytes = text.bytes;
    if place.start >= bytes.len() {
        let last = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace());
        let start = character_start(bytes, last.unwrap_or(0));
        return start..last.map_or(start, |last| last + 1);
    }
    let end = text.line(place.start).end;
    let longest = character_start(bytes, place.start.saturating_add(shown));
    let end = place.end.min(end).min(longest);
    place.start..end.max(place.start + 1)
}

/// Returns the start of the character that contains an offset.
fn character_start(bytes: &[u8], offset: usize) -> usize {
    let offset = offset.min(bytes.len());
    (offset.saturating_sub(3)..=offset)
        .rev()
        .find(|&start| bytes.get(start).is_none_or(|byte| byte & 0xc0 != 0x80))
        .unwrap_or(offset)
}

#[cfg(test)]
mod tests {
    use exactum_metadata::Related;

    use super::*;

    /// Checks the longest line of a finding with three places far apart in one line.
    fn check(columns: usize) {
        let bytes = "x".repeat(5000);
        let mut finding = Finding::warning("chain.members", "short", "", "", 1000..1400);
        let related = [(3000..3004, "that"), (4000..4004, "this")];
        finding.diagnostic.related = related
            .map(|(place, message)| Related {
                place,
                message: message.into(),
            })
            .into();
        finding.diagnostic.rejection.help = None;
        let text = Text::new(bytes.as_bytes());
        let shown = fitted("a.json", &text, &finding, false, Some(columns));
        let widest = shown
            .lines()
            .map(|line| line.trim_end().chars().count())
            .max();
        assert!(widest <= Some(columns), "{widest:?} of {columns}:\n{shown}");
        assert!(shown.contains("that") && shown.contains("here"), "{shown}");
    }

    #[test]
    fn excerpts_fit_the_terminal() {
        for columns in [80, 100, 132, 200] {
            check(columns);
        }
    }
}
