//! The scanner: grammar, duplicate keys and depth in one pass (chain.json.*).

mod tokens;

use std::borrow::Cow;
use std::hash::{BuildHasher as _, RandomState};

use super::{Entry, Tree, decode, escape};
use crate::diagnostic::{Diagnostic, Read};
use crate::kept::Kept;
use crate::words::quoted;

/// The clause about everything that the grammar of JSON leaves to its readers.
const LEFT_OPEN: &str = "chain.json";

/// The clause of the grammar itself.
const GRAMMAR: &str = "chain.json.grammar";

/// The number of leading bytes in which a zero byte shows that a file is not text.
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
        // If no reader accepts the text, a fault that only some readers refuse is irrelevant.
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

    /// Returns whether the container ends after a value; its bracket is not consumed. If it does not end, consumes the
    /// comma.
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
}

/// Converts a position to 32 bits. Texts are shorter than 2 GiB, and two bytes have at most three words of entries.
fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
