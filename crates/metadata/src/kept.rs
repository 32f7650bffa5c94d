//! Faults that the readers of a text have got past.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Read};

/// How many are listed.
pub(crate) const MAX_LISTED: usize = 100;

/// How many faults there are, by the clauses that they break.
pub(crate) type Counts = BTreeMap<&'static str, u64>;

/// Faults that reading has got past.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Whether all are asked for.
    pub(crate) all: bool,
    /// How many readers go through something that was read before, so that its faults are known.
    again: Cell<u32>,
    listed: RefCell<Vec<Diagnostic>>,
    more: RefCell<Counts>,
}

impl Kept {
    /// Keeps a fault.
    ///
    /// # Errors
    /// The fault, where reading ends at the first.
    pub(crate) fn add(&self, fault: Box<Diagnostic>) -> Read<()> {
        if !self.all {
            return Err(fault);
        }
        if self.again.get() > 0 {
            return Ok(());
        }
        if self.is_full() {
            let clause = fault.rejection.clause;
            *self.more.borrow_mut().entry(clause).or_default() += 1;
        } else {
            self.listed.borrow_mut().push(*fault);
        }
        Ok(())
    }

    /// Reads something again, none of whose faults is kept twice.
    pub(crate) fn again<T>(&self, read: impl FnOnce() -> T) -> T {
        self.again.set(self.again.get() + 1);
        let value = read();
        self.again.set(self.again.get() - 1);
        value
    }

    /// Returns whether no more are listed.
    pub(crate) fn is_full(&self) -> bool {
        self.listed.borrow().len() == MAX_LISTED
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> u64 {
        self.more.borrow().values().sum::<u64>() + self.listed.borrow().len() as u64
    }

    /// Those that are listed, and how many more there are.
    pub(crate) fn take(&self) -> (Vec<Diagnostic>, Counts) {
        (self.listed.take(), self.more.take())
    }
}
