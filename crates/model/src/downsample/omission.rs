//! Options for skipping elements of blocks. They are an extension by Exactum that leaves the six methods
//! themselves unchanged.

use core::fmt;
use core::str::FromStr;

use super::Method;
use crate::data_type::DataType;
use crate::format::Format;
use crate::rejection::{Reason, Rejection};
use crate::scalar::Scalar;

/// The treatment of NaN in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanPolicy {
    /// If a block contains NaN, its result is NaN.
    Propagate,
    /// NaN elements are skipped.
    Skip,
}

impl NanPolicy {
    /// Every policy.
    pub const ALL: &[NanPolicy] = &[NanPolicy::Propagate, NanPolicy::Skip];

    /// Returns the name of the policy.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            NanPolicy::Propagate => "propagate",
            NanPolicy::Skip => "skip",
        }
    }
}

impl fmt::Display for NanPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for NanPolicy {
    type Err = Rejection;

    /// Finds a policy by its name.
    ///
    /// # Errors
    /// [`Reason::Metadata`] for an unknown name.
    fn from_str(name: &str) -> Result<Self, Rejection> {
        let found = Self::ALL.iter().find(|policy| policy.name() == name);
        found.copied().ok_or_else(|| {
            let message = format!("\"{name}\" is not a NaN policy");
            Rejection::new(Reason::Metadata, "downsample.omission.nan", message)
                .help("write \"propagate\" or \"skip\"")
        })
    }
}

/// The elements that a level skips, selected by value. If every element of a block is skipped, the result is
/// `skip_value` if the block contains it, and NaN otherwise.
///
/// ```
/// use exactum_model::{DataType, Level, Method, NanPolicy, Omission, Scalar};
///
/// let background = Omission { skip_value: Some(Scalar::new(DataType::Uint64, 0)), nan: None };
/// let level = Level::new(vec![2, 2, 2], Method::Mode)?.with_omission(background);
/// level.require(DataType::Uint64)?;
/// assert!(level.require(DataType::Uint8).is_err());
/// assert!(!level.omission().is_nothing());
/// assert_eq!(NanPolicy::Skip.name().parse(), Ok(NanPolicy::Skip));
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omission {
    /// A value to skip, such as the background of labels or a marker of missing data. All methods except stride
    /// support it (downsample.omission.value).
    pub skip_value: Option<Scalar>,
    /// The treatment of NaN by mean, min, max and median. `None` leaves it to the method
    /// (downsample.omission.nan).
    pub nan: Option<NanPolicy>,
}

impl Omission {
    /// Returns whether no option is set, so that the result depends on the method alone.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.skip_value.is_none() && self.nan.is_none()
    }

    /// Requires that the options fit the method and the data type.
    pub(super) fn require(&self, method: Method, data_type: DataType) -> Result<(), Rejection> {
        let format = data_type.format();
        if let Some(value) = &self.skip_value {
            let refuse = |message| {
                let clause = "downsample.omission.value";
                Rejection::new(Reason::Metadata, clause, message)
            };
            if method == Method::Stride {
                let message =
                    format!("{method} takes one element of each block, and cannot skip any");
                return Err(refuse(message).help("every other method can skip a value"));
            }
            if matches!(format, Format::Complex(_)) {
                return Err(refuse(format!("no value of {data_type} can be skipped")));
            }
            if value.data_type() != data_type {
                let other = value.data_type();
                return Err(refuse(format!(
                    "a value of {other} is not an element of {data_type}"
                )));
            }
        }
        if let Some(policy) = self.nan {
            let refuse =
                |message| Rejection::new(Reason::Metadata, "downsample.omission.nan", message);
            if matches!(method, Method::Mode | Method::Stride) {
                let message = format!("{method} cannot {policy} NaN");
                return Err(refuse(message)
                    .help("only \"mean\", \"min\", \"max\" and \"median\" have this option"));
            }
            let real = !matches!(format, Format::Complex(_));
            if !real || format.float().and_then(|float| float.nan_bits()).is_none() {
                let message = format!("{data_type} has no NaN to {policy}");
                return Err(refuse(match real {
                    true => message,
                    false => format!("the treatment of NaN cannot be changed for {data_type}"),
                }));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_go_with_methods_and_types() {
        let check = |method, data_type, value: Option<DataType>, nan, fits| {
            let skip_value = value.map(|data_type| Scalar::new(data_type, 0));
            let omission = Omission { skip_value, nan };
            let required = omission.require(method, data_type);
            assert_eq!(
                required.is_ok(),
                fits,
                "{method} of {data_type}: {omission:?}"
            );
        };
        let (skip, propagate) = (Some(NanPolicy::Skip), Some(NanPolicy::Propagate));
        check(Method::Stride, DataType::Uint8, None, None, true);
        check(
            Method::Mode,
            DataType::Uint8,
            Some(DataType::Uint8),
            None,
            true,
        );
        check(
            Method::Mean,
            DataType::Float32,
            Some(DataType::Float32),
            skip,
            true,
        );
        check(
            Method::Median,
            DataType::Float8E8m0fnu,
            None,
            propagate,
            true,
        );
        check(
            Method::Mode,
            DataType::Uint8,
            Some(DataType::Int8),
            None,
            false,
        );
        let of_value = |data_type| Some(data_type);
        for method in [Method::Min, Method::Max, Method::Median] {
            check(
                method,
                DataType::Uint8,
                of_value(DataType::Uint8),
                None,
                true,
            );
            check(
                method,
                DataType::Float16,
                of_value(DataType::Float16),
                skip,
                true,
            );
        }
        check(
            Method::Stride,
            DataType::Uint8,
            Some(DataType::Uint8),
            None,
            false,
        );
        check(Method::Mode, DataType::Float32, None, skip, false);
        check(Method::Min, DataType::Int16, None, skip, false);
        check(Method::Min, DataType::Float4E2m1fn, None, skip, false);
        check(Method::Mean, DataType::Complex64, None, propagate, false);
        check(
            Method::Mean,
            DataType::Complex64,
            Some(DataType::Complex64),
            None,
            false,
        );
    }
}
