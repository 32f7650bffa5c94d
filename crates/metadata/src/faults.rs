//! The faults of a document. Readers stop at the first fault, unless all are requested. In that case, a
//! reader of a part that others do not need keeps its fault and continues. A part that depends on a faulty
//! one is not judged, so that follow-on errors are not reported.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Read, Warnings};
use crate::json::{Node, Tree};
use crate::kept;

/// The faults for which a document is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Faults {
    /// The first faults, in the order of the text; there is at least one.
    pub listed: Vec<Diagnostic>,
    /// The number of further faults for each clause that they break.
    pub more: BTreeMap<&'static str, u64>,
    /// The warnings about the document.
    pub warnings: Warnings,
}

impl Faults {
    /// The maximum number of listed faults.
    pub const MAX_LISTED: usize = kept::MAX_LISTED;
}

impl From<Box<Diagnostic>> for Box<Faults> {
    fn from(fault: Box<Diagnostic>) -> Self {
        Box::new(Faults {
            listed: vec![*fault],
            more: BTreeMap::new(),
            warnings: Warnings::default(),
        })
    }
}

impl Tree<'_> {
    /// Makes the readers of this text continue after a fault.
    pub(crate) fn keeping_faults(mut self) -> Self {
        self.kept.all = true;
        self
    }

    /// Returns the value that was read from the whole text, if nothing in it is wrong. `warnings` are those
    /// of the value.
    pub(crate) fn end<T>(
        &self,
        read: Read<T>,
        warnings: impl FnOnce(T) -> Warnings,
    ) -> Result<T, Box<Faults>> {
        let value = self.root().keep(read)?;
        let (mut listed, more) = self.kept.take();
        let value = match value {
            Some(value) if listed.is_empty() => return Ok(value),
            value => value,
        };
        listed.sort_by_key(|fault| fault.place.start);
        Err(Box::new(Faults {
            listed,
            more,
            warnings: value.map(warnings).unwrap_or_default(),
        }))
    }
}

impl<'d> Node<'d> {
    /// Returns whether reading continues after a fault.
    pub(crate) fn keeps_faults(self) -> bool {
        self.kept().all
    }

    /// Returns the number of faults kept until now.
    pub(crate) fn count_faults(self) -> u64 {
        self.kept().count()
    }

    /// Returns the value of a part, or nothing if it has a fault, which is kept.
    ///
    /// # Errors
    /// The fault, if reading ends at the first one.
    pub(crate) fn keep<T>(self, read: Read<T>) -> Read<Option<T>> {
        match read {
            Ok(value) => Ok(Some(value)),
            Err(fault) => self.kept().add(fault).map(|()| None),
        }
    }

    /// Reads something again without reporting any of its faults twice.
    pub(crate) fn again<T>(self, read: impl FnOnce() -> T) -> T {
        self.kept().again(read)
    }

    /// Returns the values of all parts.
    ///
    /// # Errors
    /// One of their faults; the others are kept.
    pub(crate) fn all<T>(self, parts: impl IntoIterator<Item = Read<T>>) -> Read<Vec<T>> {
        let mut taken = Parts::of(self);
        let mut values = Vec::new();
        for part in parts {
            values.extend(taken.take(part)?);
        }
        taken.end().map(|()| values)
    }

    /// Returns the values of two parts.
    ///
    /// # Errors
    /// The same as for [`Node::all`].
    pub(crate) fn both<A, B>(self, one: Read<A>, other: impl FnOnce() -> Read<B>) -> Read<(A, B)> {
        let mut taken = Parts::of(self);
        let one = taken.take(one)?;
        let other = taken.take(other())?;
        let values = one.zip(other);
        taken.end()?;
        // Without a fault, both are present.
        values.ok_or_else(|| self.reject("chain.members", "a part of it cannot be read"))
    }
}

/// The parts of a value that is valid if all of them are.
pub(crate) struct Parts<'d> {
    whole: Node<'d>,
    last: Option<Box<Diagnostic>>,
}

impl<'d> Parts<'d> {
    pub(crate) fn of(whole: Node<'d>) -> Self {
        Self { whole, last: None }
    }

    /// Returns the value of a part, or nothing if it has a fault.
    ///
    /// # Errors
    /// The fault, if reading ends at the first one.
    pub(crate) fn take<T>(&mut self, read: Read<T>) -> Read<Option<T>> {
        match read {
            Ok(value) => Ok(Some(value)),
            Err(fault) if !self.whole.keeps_faults() => Err(fault),
            Err(fault) => {
                if let Some(before) = self.last.replace(fault) {
                    self.whole.keep::<()>(Err(before))?;
                }
                Ok(None)
            }
        }
    }

    /// Ends the reading of a value that is useful even without its faulty parts.
    pub(crate) fn pass(self) -> Read<()> {
        match self.last {
            Some(fault) => self.whole.keep(Err(fault)).map(|_: Option<()>| ()),
            None => Ok(()),
        }
    }

    /// Ends the reading of a value that needs all its parts.
    ///
    /// # Errors
    /// The last fault; the others are kept.
    pub(crate) fn end(self) -> Read<()> {
        self.last.map_or(Ok(()), Err)
    }
}

/// Returns the value of a part that is present, or nothing if it has a fault, which is kept.
pub(crate) fn kept<'d, T>(
    part: Option<Node<'d>>,
    read: impl FnOnce(Node<'d>) -> Read<T>,
) -> Read<Option<T>> {
    match part {
        Some(node) => node.keep(read(node)),
        None => Ok(None),
    }
}
