//! The faults of a document. A reader stops at the first fault unless all faults are requested. In that case, it keeps
//! the fault of a part that other parts do not depend on, and continues. A part that depends on a faulty one is not
//! judged, so that follow-on errors are not reported.

use crate::diagnostic::{Diagnostic, Read, Report};
use crate::json::{Node, Tree};

impl Tree<'_> {
    /// Returns the value that was read from the whole text, if it has no faults. `warnings` are the warnings about it.
    ///
    /// # Errors
    /// The faults, and the warnings if the value could be read.
    pub(crate) fn end<T>(
        &self,
        read: Read<T>,
        warnings: impl FnOnce(T) -> Report,
    ) -> Result<T, Report> {
        let value = self.root().keep(read)?;
        let faults = self.kept.take();
        let value = match value {
            Some(value) if faults.listed.is_empty() => return Ok(value),
            value => value,
        };
        let warnings = value.map(warnings).unwrap_or_default();
        let report = Report {
            listed: [faults.listed, warnings.listed].concat(),
            more_errors: faults.more_errors,
            ..warnings
        };
        Err(report.sorted())
    }
}

impl<'d> Node<'d> {
    /// Returns whether reading continues after a fault.
    pub(crate) fn keeps_faults(self) -> bool {
        self.kept().all
    }

    /// Returns the number of faults kept so far.
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
        values.ok_or_else(|| self.reject("chain.members", "part of the document cannot be read"))
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
