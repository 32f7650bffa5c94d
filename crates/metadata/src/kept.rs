//! The faults after which the readers of a text have continued.

use std::cell::{Cell, RefCell};

use crate::diagnostic::{Diagnostic, Read, Report};

/// The faults after which reading has continued.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Whether all faults are requested.
    pub(crate) all: bool,
    /// The number of readers that are reading something again whose faults are already known.
    again: Cell<u32>,
    report: RefCell<Report>,
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
        if self.again.get() == 0 {
            self.report.borrow_mut().add_error(*fault);
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

    /// Returns whether the list is full, so that further faults are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.report.borrow().is_full()
    }

    /// Returns the current number of faults.
    pub(crate) fn count(&self) -> u64 {
        self.report.borrow().count()
    }

    /// Takes the faults out.
    pub(crate) fn take(&self) -> Report {
        self.report.take()
    }
}
