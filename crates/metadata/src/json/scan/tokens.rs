//! The tokens of JSON (chain.json.grammar).

use std::ops::Range;

use super::Scanner;
use crate::diagnostic::{Diagnostic, Read};
use crate::words::quoted;

impl Scanner<'_> {
    pub(super) fn scalar(&mut self) -> Read<()> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') if self.word("true") => Ok(()),
            Some(b'f') if self.word("false") => Ok(()),
            Some(b'n') if self.word("null") => Ok(()),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.bytes[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn string(&mut self) -> Read<()> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(byte) if byte < 0x20 => {
                    return Err(self
                        .fault(
                            self.at..self.at + 1,
                            format!("there is a control character 0x{byte:02x} in this string"),
                        )
                        .help(format!(
                            "write it as \\u{byte:04x}, or end the string before it"
                        )));
                }
                Some(_) => self.at += 1,
                None => {
                    return Err(self
                        .fault(start..start + 1, "this string does not end")
                        .help("close it with a double quote"));
                }
            }
        }
    }

    fn escape(&mut self) -> Read<()> {
        let length = match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u')
                if self
                    .bytes
                    .get(self.at + 2..self.at + 6)
                    .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) =>
            {
                6
            }
            _ => {
                return Err(self
                    .fault(self.at..self.at + 1, "this is not a JSON escape")
                    .help("a backslash is followed by one of \" \\ / b f n r t, or by u and four hex digits"));
            }
        };
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Read<()> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self
                    .fault(start..self.at + 1, "a number must not have leading zeros")
                    .help("remove the leading zeros"));
            }
        } else {
            self.digits(start)?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits(start)?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits(start)?;
        }
        Ok(())
    }

    fn digits(&mut self, start: usize) -> Read<()> {
        let first = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > first {
            return Ok(());
        }
        let fault = self.fault(start..self.at, "this number lacks a digit");
        Err(match self.peek() {
            Some(b'I' | b'i') => fault.help("infinity is the string \"-Infinity\""),
            _ => fault.help("digits are required before and after the point, and in the exponent"),
        })
    }

    pub(super) fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn fault(&self, place: Range<usize>, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::of_text("chain.json.grammar", place, message)
    }

    pub(super) fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let Some(found) = self.text[self.at..].chars().next() else {
            return self
                .fault(
                    self.at..self.at,
                    format!("the document ends where {expected} is expected"),
                )
                .help("the document is truncated, or a bracket is not closed");
        };
        let place = self.at..self.at + found.len_utf8();
        let fault = self.fault(
            place,
            format!(
                "{expected} is expected here, not {}",
                quoted(&found.to_string())
            ),
        );
        match found {
            '\'' => fault.help("strings need double quotes"),
            '/' | '#' => fault.help("JSON has no comments"),
            'N' | 'I' | '+' => fault.help(
                "NaN and the infinities are strings: \"NaN\", \
                                           \"Infinity\", \"-Infinity\"; numbers have no plus sign",
            ),
            'T' | 'F' => fault.help("the only words in JSON are true, false and null"),
            _ => fault.help("a document must be strict JSON"),
        }
    }
}
