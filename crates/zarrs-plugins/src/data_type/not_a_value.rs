//! Values that a data type does not have.

use std::fmt;

/// A value that a data type does not have. It is refused where an element is made from it, so that it is
/// never stored.
///
/// ```
/// use exactum_zarrs_plugins::data_type::NotAValue;
/// use exactum_zarrs_plugins::data_type::uint4::Uint4;
///
/// let refused: Result<Uint4, NotAValue> = Uint4::try_from(16);
/// assert!(refused.unwrap_err().to_string().starts_with("16 is not a value of uint4"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAValue {
    value: String,
    data_type: &'static str,
    values: &'static str,
}

impl NotAValue {
    /// Returns the error for a `value` that is not among the `values` of the data type.
    pub(super) fn new(value: impl ToString, data_type: &'static str, values: &'static str) -> Self {
        Self {
            value: value.to_string(),
            data_type,
            values,
        }
    }
}

impl fmt::Display for NotAValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is not a value of {}, which has {}",
            self.value, self.data_type, self.values
        )
    }
}

impl std::error::Error for NotAValue {}
