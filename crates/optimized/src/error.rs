//! The error type.

use alloc::boxed::Box;
use core::fmt;

use exactum_model::{Reason, Rejection};

use crate::fault::Fault;

/// The error of a conversion, with the element or setting at fault, and advice on how to fix it. The message
/// is formatted on display.
///
/// ```
/// use exactum_optimized::{Cast, Reason};
///
/// let cast = Cast::<f32, u8>::builder().build()?;
/// let error = cast.convert(&[1.0, 300.0]).expect_err("300 exceeds u8");
/// assert_eq!(error.reason(), Reason::OutOfRange);
/// assert_eq!(error.element(), Some(1));
/// assert_eq!(error.clause(), "cast_value.range.error");
/// assert!(error.to_string().starts_with("element 1: "));
/// let error = cast.convert(&[f32::NAN]).expect_err("u8 lacks NaN");
/// assert_eq!(error.help(), Some("map it with a scalar_map entry"));
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Fault>);

impl Error {
    /// Returns the reason, from a closed list.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// Returns the clause of Exactum's specification that requires the error.
    #[must_use]
    pub fn clause(&self) -> &'static str {
        self.0.clause
    }

    /// Returns the index of the first element at fault.
    #[must_use]
    pub fn element(&self) -> Option<u64> {
        self.0.element
    }

    /// Returns a hint on how to fix it, if there is one.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help()
    }

    /// Shifts the element by the number of elements before this part of the input.
    #[cfg(feature = "rayon")]
    pub(crate) fn behind(mut self, before: usize) -> Self {
        if let Some(index) = &mut self.0.element {
            *index += before as u64;
        }
        self
    }
}

impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        Fault::from(rejection).into()
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self(Box::new(fault))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.element() {
            write!(f, "element {index}: ")?;
        }
        write!(f, "{}", self.0)?;
        match self.help() {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl core::error::Error for Error {}
