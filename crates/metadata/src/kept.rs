//! The faults after which the readers of a text have continued.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Read};

/// The maximum number of listed faults.
pub(crate) const MAX_LISTED: usize = 100;

/// The number of faults for each clause that they break.
pub(crate) type Counts = BTreeMap<&'static str, u64>;

/// The faults after which reading has continued.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Whether all faults are requested.
    pub(crate) all: bool,
    /// The number of readers that read something again, so that its faults are known.
    again: Cell<u32>,
    listed: RefCell<Vec<Diagnostic>>,
    more: RefCell<Counts>,
}

impl Kept {
    /// Keeps a fault.
    ///
    /// # Errors
    /// The fault, if reading ends at the first one.
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

    /// Reads something again without keeping any of its faults twice.
    pub(crate) fn again<T>(&self, read: impl FnOnce() -> T) -> T {
        self.again.set(self.again.get() + 1);
        let value = read();
        self.again.set(self.again.get() - 1);
        value
    }

    /// Returns whether no further faults are listed.
    pub(crate) fn is_full(&self) -> bool {
        self.listed.borrow().len() == MAX_LISTED
    }

    /// Returns the current number of faults.
    pub(crate) fn count(&self) -> u64 {
        self.more.borrow().values().sum::<u64>() + self.listed.borrow().len() as u64
    }

    /// Returns the listed faults, and the numbers of further ones.
    pub(crate) fn take(&self) -> (Vec<Diagnostic>, Counts) {
        (self.listed.take(), self.more.take())
    }
}
