//! JSON texts with places.
//!
//! One pass over the text builds a tree whose values are merely ranges of that text: numbers keep their
//! digits and strings their escapes until they are requested. The tree takes 8 bytes for each value or key,
//! and 12 for each container.

mod scan;

use std::borrow::Cow;
use std::ops::Range;

use exactum_model::{Reason, Rejection};

pub(crate) use scan::Attributes;

use crate::diagnostic::{Diagnostic, Read};
use crate::kept::Kept;
use crate::words::{quoted, shortened};

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

/// A value or a key. The entries of a container follow it, keys before their values. Its first byte
/// determines its kind.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    /// The index of the first entry after this one and its content.
    next: u32,
}

impl Entry {
    fn place(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A text and the entries of its values. Every entry has a `start` and an `end`. Only containers also have a `next`;
/// for other values, it follows from the position. Large documents consist mostly of lists of numbers, whose entries
/// take most of the memory.
#[derive(Debug)]
pub(crate) struct Tree<'t> {
    text: &'t str,
    words: Vec<u32>,
    /// The faults after which its readers have continued.
    pub(crate) kept: Kept,
}

/// A value of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'d> {
    tree: &'d Tree<'d>,
    index: u32,
}

impl<'t> Tree<'t> {
    fn is_container(&self, start: u32) -> bool {
        matches!(self.text.as_bytes().get(start as usize), Some(b'{' | b'['))
    }

    /// Returns the entry with an index, or none after the last.
    fn entry(&self, index: u32) -> Option<Entry> {
        let words = self.words.get(index as usize..)?;
        let (&[start, end], rest) = words.split_first_chunk()?;
        let next = match rest.first() {
            Some(&next) if self.is_container(start) => next,
            _ => index + 2,
        };
        Some(Entry { start, end, next })
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the outermost value.
    pub(crate) fn root(&self) -> Node<'_> {
        Node {
            tree: self,
            index: 0,
        }
    }
}

impl<'d> Node<'d> {
    /// Returns the faults after which the readers of its tree have continued.
    pub(crate) fn kept(self) -> &'d Kept {
        &self.tree.kept
    }

    fn entry(self) -> Entry {
        // Nodes are made only from indices of entries.
        self.tree.entry(self.index).unwrap_or(Entry {
            start: 0,
            end: 0,
            next: self.index,
        })
    }

    pub(crate) fn kind(self) -> Kind {
        match self.tree.text.as_bytes().get(self.entry().start as usize) {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't') => Kind::True,
            Some(b'f') => Kind::False,
            Some(b'n') => Kind::Null,
            // A digit or a minus; the scanner allows nothing else at the beginning of a value.
            _ => Kind::Number,
        }
    }

    /// Returns the bytes of the text that the value takes.
    pub(crate) fn place(self) -> Range<usize> {
        self.entry().place()
    }

    /// Returns the value as it is written.
    pub(crate) fn raw(self) -> &'d str {
        &self.tree.text[self.place()]
    }

    /// Returns the part of a value to underline. A container of several lines would fill the screen, so it is
    /// represented by its `name` if it has one, and by its bracket otherwise.
    pub(crate) fn narrow_place(self) -> Range<usize> {
        let place = self.place();
        if !matches!(self.kind(), Kind::Object | Kind::Array) || !self.raw().contains('\n') {
            return place;
        }
        match self.get("name") {
            Some(name) if name.kind() == Kind::String => name.place(),
            _ => place.start..place.start + 1,
        }
    }

    /// Returns the characters of a string.
    ///
    /// # Errors
    /// If it holds a lone surrogate, which is not a character (chain.json).
    pub(crate) fn text(self) -> Read<Cow<'d, str>> {
        decode(self.raw()).ok_or_else(|| {
            self.reject("chain.json", "this string holds a lone surrogate")
                .help(
                    "each of \\ud800 to \\udbff must be followed by one of \\udc00 to \\udfff; \
                       alone, neither is a character",
                )
        })
    }

    /// Returns the elements of an array, or nothing for other values.
    pub(crate) fn elements(self) -> impl Iterator<Item = Node<'d>> {
        self.children(Kind::Array)
    }

    /// Returns the members of an object as keys and values, or nothing for other values.
    pub(crate) fn members(self) -> impl Iterator<Item = (Node<'d>, Node<'d>)> {
        let mut children = self.children(Kind::Object);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    fn children(self, kind: Kind) -> impl Iterator<Item = Node<'d>> {
        let end = if self.kind() == kind {
            self.entry().next
        } else {
            0
        };
        // The content begins after the three words of a container.
        let mut index = self.index + 3;
        std::iter::from_fn(move || {
            let node = (index < end).then_some(Node {
                tree: self.tree,
                index,
            })?;
            index = node.entry().next;
            Some(node)
        })
    }

    /// Returns the characters of a key; the scanner has already decoded every key.
    pub(crate) fn key(self) -> Cow<'d, str> {
        decode(self.raw()).unwrap_or_default()
    }

    /// Returns the value of a member. Readers that need several members use
    /// [`fields`](crate::members::fields), which traverses the object once.
    pub(crate) fn get(self, name: &str) -> Option<Node<'d>> {
        self.members()
            .find(|(key, _)| key.key() == name)
            .map(|(_, value)| value)
    }

    /// Returns the value at a JSON pointer.
    pub(crate) fn find(self, pointer: &str) -> Option<Node<'d>> {
        let (node, rest) = self.follow(pointer);
        rest.is_empty().then_some(node)
    }

    /// Returns the last value on the path of a JSON pointer.
    pub(crate) fn nearest(self, pointer: &str) -> Node<'d> {
        self.follow(pointer).0
    }

    fn follow(self, pointer: &str) -> (Node<'d>, &str) {
        let mut node = self;
        let mut rest = pointer;
        while let Some(tail) = rest.strip_prefix('/') {
            let (token, tail) = match tail.find('/') {
                Some(slash) => tail.split_at(slash),
                None => (tail, ""),
            };
            let token = token.replace("~1", "/").replace("~0", "~");
            let child = match node.kind() {
                Kind::Object => node.get(&token),
                Kind::Array => token
                    .parse()
                    .ok()
                    .and_then(|index: usize| node.elements().nth(index)),
                _ => None,
            };
            let Some(child) = child else { break };
            node = child;
            rest = tail;
        }
        (node, rest)
    }

    /// Returns the JSON pointer of this value. It traverses the elements before it, so that it is meant for
    /// errors and for the first of many elements.
    pub(crate) fn pointer(self) -> String {
        let mut pointer = String::new();
        let mut node = self.tree.root();
        while node.index < self.index {
            let inside = |child: &Node<'_>| self.index < child.entry().next;
            let child = if node.kind() == Kind::Object {
                node.members()
                    .find(|(_, value)| inside(value))
                    .map(|(key, value)| (escape(&key.key()), value))
            } else {
                node.elements()
                    .enumerate()
                    .find(|(_, value)| inside(value))
                    .map(|(index, value)| (index.to_string(), value))
            };
            let Some((token, value)) = child else { break };
            pointer.push('/');
            pointer.push_str(&token);
            // A key is reached through its value.
            if value.index > self.index {
                break;
            }
            node = value;
        }
        pointer
    }

    /// Describes this value in a message.
    pub(crate) fn describe(self) -> String {
        match self.kind() {
            Kind::Object => "an object".into(),
            Kind::Array => "an array".into(),
            Kind::String => match decode(self.raw()) {
                Some(text) => format!("the string {}", quoted(&text)),
                None => "a string".into(),
            },
            Kind::Number => format!("the number {}", shortened(self.raw())),
            Kind::True => "true".into(),
            Kind::False => "false".into(),
            Kind::Null => "null".into(),
        }
    }

    /// Rejects this value as metadata.
    pub(crate) fn reject(
        self,
        clause: &'static str,
        message: impl Into<String>,
    ) -> Box<Diagnostic> {
        self.reject_as(Reason::Metadata, clause, message)
    }

    /// Rejects this value.
    pub(crate) fn reject_as(
        self,
        reason: Reason,
        clause: &'static str,
        message: impl Into<String>,
    ) -> Box<Diagnostic> {
        self.place_rejection(Rejection::new(reason, clause, message))
    }

    /// Adds the place of this value to a rejection.
    pub(crate) fn place_rejection(self, mut rejection: Rejection) -> Box<Diagnostic> {
        rejection.at = None;
        // Pointers of faults beyond those that are listed are not used.
        let pointer = match self.tree.kept.is_full() {
            true => String::new(),
            false => self.pointer(),
        };
        let place = self.narrow_place();
        Box::new(Diagnostic::new(rejection.at_pointer(pointer), place))
    }
}

/// Decodes a string with its quotes. Returns `None` for a lone surrogate.
fn decode(raw: &str) -> Option<Cow<'_, str>> {
    if raw.contains('\\') {
        serde_json::from_str(raw).ok().map(Cow::Owned)
    } else {
        raw.get(1..raw.len().checked_sub(1)?).map(Cow::Borrowed)
    }
}

/// Returns a key as a token of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
