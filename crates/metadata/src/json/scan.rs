//! The scanner: grammar, duplicate keys and depth in one pass (chain.json.*).

use std::borrow::Cow;
use std::hash::{BuildHasher as _, RandomState};
use std::ops::Range;

use super::{Entry, Tree, decode, escape};
use crate::diagnostic::{Diagnostic, Read};
use crate::kept::Kept;
use crate::words::quoted;

/// The clause about everything that the grammar of JSON leaves to its readers.
const LEFT_OPEN: &str = "chain.json";

/// The clause of the grammar itself.
const GRAMMAR: &str = "chain.json.grammar";

/// The number of bytes in which a byte of 0 shows that a file is not text.
const BINARY_WITHIN: usize = 4096;

/// The maximum depth of containers outside `attributes` (chain.json.depth).
const MAX_DEPTH: usize = 128;

/// The treatment of the member `attributes` of the outermost object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attributes {
    /// It belongs to the user: only its grammar is checked, not its depth and its keys.
    Skipped,
    /// It is a member like any other.
    Entered,
}

impl<'t> Tree<'t> {
    /// Scans bytes, which have to be UTF-8.
    pub(crate) fn text_of(bytes: &'t [u8]) -> Read<&'t str> {
        let start = &bytes[..bytes.len().min(BINARY_WITHIN)];
        if let Some(at) = start.iter().position(|&byte| byte == 0) {
            let fault = format!("this is not text: the byte at offset {at} is 0");
            let mut diagnostic = Diagnostic::of_text(GRAMMAR, at..at + 1, fault)
                .help("is it a chunk? the document of an array is its zarr.json");
            diagnostic.rejection = diagnostic.rejection.at_pointer("");
            return Err(diagnostic);
        }
        std::str::from_utf8(bytes).map_err(|error| {
            let start = error.valid_up_to();
            let length = error.error_len().unwrap_or(bytes.len() - start);
            let fault = format!(
                "this is not text: byte 0x{:02x} at offset {start} is not UTF-8",
                bytes[start]
            );
            let mut diagnostic = Diagnostic::of_text(
                "chain.json.grammar",
                start..start + length,
                fault,
            )
            .help(
                "a document is JSON in UTF-8; re-encode it, unless this is a chunk or another file",
            );
            diagnostic.rejection = diagnostic.rejection.at_pointer("");
            diagnostic
        })
    }

    /// Scans a text.
    ///
    /// # Errors
    /// `chain.json.grammar` if it is not JSON, `chain.json` if only some readers accept it,
    /// `chain.json.duplicates` if an object repeats a key, `chain.json.depth` if it nests too deep.
    pub(crate) fn scan(text: &'t str, attributes: Attributes) -> Read<Self> {
        let mut scanner = Scanner {
            tree: Tree {
                text,
                words: Vec::new(),
                kept: Kept::default(),
            },
            text,
            bytes: text.as_bytes(),
            at: 0,
            attributes,
            path: Vec::new(),
            hasher: RandomState::new(),
        };
        match scanner.document() {
            Ok(()) => Ok(scanner.tree),
            Err(mut diagnostic) => {
                let mut pointer = String::new();
                for step in &scanner.path {
                    pointer.push('/');
                    match step {
                        Step::Index(index) => pointer.push_str(&index.to_string()),
                        Step::Key(raw) => {
                            pointer.push_str(&escape(&decode(raw).unwrap_or_default()))
                        }
                    }
                }
                diagnostic.rejection = diagnostic.rejection.at_pointer(pointer);
                Err(diagnostic)
            }
        }
    }
}

/// A step on the path to the value that is being scanned.
enum Step<'t> {
    Index(usize),
    Key(&'t str),
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    tree: Tree<'t>,
    attributes: Attributes,
    /// The path, which is as long as the depth, and thus never longer than [`MAX_DEPTH`].
    path: Vec<Step<'t>>,
    /// The hasher of keys. Its seed is random, so that keys cannot be chosen to collide.
    hasher: RandomState,
}

impl<'t> Scanner<'t> {
    fn document(&mut self) -> Read<()> {
        // Two bytes of nested containers take three words of a tree.
        if i32::try_from(self.bytes.len()).is_err() {
            return Err(self.fault(0..0, "a document of 2 GiB or more is not read"));
        }
        if self.text.starts_with('\u{feff}') {
            return Err(Diagnostic::of_text(
                LEFT_OPEN,
                0..3,
                "the text begins with a byte order mark",
            )
            .help("save the document as UTF-8 without a byte order mark"));
        }
        self.space();
        if self.peek().is_none() {
            return Err(self
                .fault(self.at..self.at, "the document is empty")
                .help("an array document is a JSON object"));
        }
        let start = self.at;
        let fault = match self.value() {
            Ok(()) => return self.end(),
            Err(fault) => fault,
        };
        if fault.rejection.clause == GRAMMAR {
            return Err(fault);
        }
        // A fault that only some readers refuse says nothing about a text that no reader accepts.
        let path = std::mem::take(&mut self.path);
        self.at = start;
        self.skipped_value()?;
        self.end()?;
        self.path = path;
        Err(fault)
    }

    /// Checks the end of the text.
    fn end(&mut self) -> Read<()> {
        self.space();
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the document")),
        }
    }

    /// Scans a value with its whole content. The recursion is as deep as the document, which is at most
    /// [`MAX_DEPTH`].
    fn value(&mut self) -> Read<()> {
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            _ => {
                let start = self.at;
                self.scalar()?;
                self.push(start);
                Ok(())
            }
        }
    }

    fn object(&mut self) -> Read<()> {
        let this = self.open()?;
        if self.peek() == Some(b'}') {
            return self.close(this);
        }
        loop {
            let start = self.at;
            self.key()?;
            let raw = &self.text[start..self.at];
            self.push(start);
            self.colon()?;
            self.path.push(Step::Key(raw));
            if self.attributes == Attributes::Skipped
                && self.path.len() == 1
                && decode(raw).is_some_and(|key| key == "attributes")
            {
                self.skipped_value()?;
            } else {
                self.value()?;
            }
            self.path.pop();
            if self.ends(b'}')? {
                break;
            }
        }
        self.check_keys(this)?;
        self.close(this)
    }

    fn array(&mut self) -> Read<()> {
        let this = self.open()?;
        if self.peek() == Some(b']') {
            return self.close(this);
        }
        for index in 0.. {
            self.path.push(Step::Index(index));
            self.value()?;
            self.path.pop();
            if self.ends(b']')? {
                break;
            }
        }
        self.close(this)
    }

    fn open(&mut self) -> Read<usize> {
        if self.path.len() >= MAX_DEPTH {
            return Err(Diagnostic::of_text(
                "chain.json.depth",
                self.at..self.at + 1,
                format!("the document nests more than {MAX_DEPTH} levels deep here"),
            )
            .help("only \"attributes\" may nest more deeply"));
        }
        let this = self.tree.words.len();
        let start = self.at;
        self.at += 1;
        self.push(start);
        self.space();
        Ok(this)
    }

    /// Consumes the closing bracket and determines where the container ends.
    fn close(&mut self, this: usize) -> Read<()> {
        self.at += 1;
        let behind = offset(self.tree.words.len());
        if let Some([_, end, next]) = self.tree.words.get_mut(this..this + 3) {
            *end = offset(self.at);
            *next = behind;
        }
        Ok(())
    }

    /// Adds a value or a key that ends here. The end of a container is corrected by [`Self::close`].
    fn push(&mut self, start: usize) {
        let start = offset(start);
        let words = &mut self.tree.words;
        words.extend([start, offset(self.at)]);
        let next = offset(words.len() + 1);
        if self.tree.is_container(start) {
            self.tree.words.push(next);
        }
    }

    /// Checks that no key occurs twice in an object, after its escapes are decoded (chain.json.duplicates).
    fn check_keys(&self, this: usize) -> Read<()> {
        // A map of the keys themselves would be many times larger than the text.
        let mut hashes: Vec<(u64, u32)> = Vec::new();
        // The content begins after the three words of the object.
        let mut index = offset(this + 3);
        let mut broken = None;
        while let Some(entry) = self.tree.entry(index) {
            match self.key_of(entry) {
                Some(key) => hashes.push((self.hasher.hash_one(key.as_ref()), index)),
                None => {
                    broken = Some(entry.place());
                    break;
                }
            }
            // The value follows its key.
            index = match self.tree.entry(entry.next) {
                Some(value) => value.next,
                None => break,
            };
        }
        hashes.sort_unstable();
        // The first key that occurs earlier in the object, with its first occurrence.
        let mut repeated: Option<(u32, u32)> = None;
        for alike in hashes.chunk_by(|a, b| a.0 == b.0) {
            let same = |a: u32, b: u32| {
                let key = |index: u32| self.tree.entry(index).and_then(|it| self.key_of(it));
                key(a) == key(b)
            };
            let found = alike.iter().enumerate().find_map(|(at, (_, later))| {
                let before = alike[..at].iter().map(|(_, first)| *first);
                before
                    .into_iter()
                    .find(|first| same(*first, *later))
                    .map(|first| (*later, first))
            });
            if let Some(found) = found {
                repeated = Some(repeated.map_or(found, |known| known.min(found)));
            }
        }
        if let Some((later, first)) = repeated {
            let place = |index: u32| self.tree.entry(index).map_or(0..0, Entry::place);
            let key = decode(&self.text[place(later)]).unwrap_or_default();
            return Err(Diagnostic::of_text(
                "chain.json.duplicates",
                place(later),
                format!("the key {} occurs twice in this object", quoted(&key)),
            )
            .related(place(first), "the first occurrence")
            .help("remove one of the two; readers disagree on which one counts"));
        }
        match broken {
            None => Ok(()),
            Some(place) => {
                Err(
                    Diagnostic::of_text(LEFT_OPEN, place, "this key holds a lone surrogate")
                        .help("write the character itself, or both halves of its pair"),
                )
            }
        }
    }

    /// Returns the characters of a key, or `None` for a lone surrogate.
    fn key_of(&self, entry: Entry) -> Option<Cow<'t, str>> {
        decode(&self.text[entry.place()])
    }

    /// Scans a value whose content is not examined: it has a single entry, any depth, and its keys are not
    /// compared.
    fn skipped_value(&mut self) -> Read<()> {
        let start = self.at;
        if !matches!(self.peek(), Some(b'{' | b'[')) {
            self.scalar()?;
            self.push(start);
            return Ok(());
        }
        // The expected closing brackets take one byte each, which is the only cost of depth.
        let mut open = Vec::new();
        loop {
            // A value begins here.
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    let closing = if bracket == b'{' { b'}' } else { b']' };
                    self.at += 1;
                    self.space();
                    open.push(closing);
                    if self.peek() != Some(closing) {
                        if closing == b'}' {
                            self.key()?;
                            self.colon()?;
                        }
                        continue;
                    }
                }
                _ => {
                    self.scalar()?;
                    if !self.ends(*open.last().unwrap_or(&b']'))? {
                        if open.last() == Some(&b'}') {
                            self.key()?;
                            self.colon()?;
                        }
                        continue;
                    }
                }
            }
            // The innermost container ends here, and perhaps also those around it.
            loop {
                self.at += 1;
                open.pop();
                let Some(&closing) = open.last() else {
                    self.push(start);
                    return Ok(());
                };
                if !self.ends(closing)? {
                    if closing == b'}' {
                        self.key()?;
                        self.colon()?;
                    }
                    break;
                }
            }
        }
    }

    /// After a value, returns whether the container ends (without consuming its bracket). Otherwise, consumes
    /// the comma.
    fn ends(&mut self, closing: u8) -> Read<bool> {
        self.space();
        match self.peek() {
            Some(byte) if byte == closing => Ok(true),
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.space();
                if self.peek() == Some(closing) {
                    return Err(self
                        .fault(comma..comma + 1, "nothing follows this comma")
                        .help("remove the trailing comma"));
                }
                Ok(false)
            }
            _ if closing == b'}' => Err(self.unexpected("`,` or `}`")),
            _ => Err(self.unexpected("`,` or `]`")),
        }
    }

    fn key(&mut self) -> Read<()> {
        match self.peek() {
            Some(b'"') => self.string(),
            _ => Err(self.unexpected("a key in double quotes")),
        }
    }

    fn colon(&mut self) -> Read<()> {
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn scalar(&mut self) -> Read<()> {
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

    fn string(&mut self) -> Read<()> {
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
                    .fault(self.at..self.at + 1, "this is not an escape of JSON")
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
                    .fault(start..self.at + 1, "a number has no leading zeros")
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
        let fault = self.fault(start..self.at, "a digit is missing in this number");
        Err(match self.peek() {
            Some(b'I' | b'i') => fault.help("infinity is the string \"-Infinity\""),
            _ => fault.help("digits are required before and after the point, and in the exponent"),
        })
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fault(&self, place: Range<usize>, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::of_text("chain.json.grammar", place, message)
    }

    fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
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

/// Texts are shorter than 2 GiB, and two bytes have at most three words of entries.
fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
