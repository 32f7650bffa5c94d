//! The levels of a pyramid, and a share of the work on them.

use exactum_metadata::parse_fill_value;
use exactum_model::{DataType, Method, NanPolicy, Omission};

use crate::budget::LEVELS;
use crate::error::Error;

/// A number that is larger than the maximum number of levels.
const TOO_MANY: u32 = LEVELS + 1;

/// The levels of a pyramid, and how they are made.
///
/// ```
/// use exactum_model::Method;
/// use exactum_pyramid::Options;
///
/// let labels = Options::new(vec![1, 2, 2], Method::Mode).with_levels(4).with_skip_value("0");
/// assert_eq!(labels.levels, Some(4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The factors by which each level is smaller than the level before it, one for each dimension: a single
    /// list for all levels, or one list for each level.
    pub factors: Vec<Vec<u64>>,
    /// The method that reduces the elements of a block to one.
    pub method: Method,
    /// The number of levels above the array. Without it, levels are added until one fits into a chunk.
    pub levels: Option<u32>,
    /// Whether every level is computed from the array itself instead of from the level before it.
    pub from_base: bool,
    /// Whether the array itself is copied, as level 0.
    pub copy_base: bool,
    /// A value that every method but stride leaves out, such as the background of labels, in the JSON form of a
    /// fill value.
    pub skip_value: Option<String>,
    /// The treatment of NaN by mean, min, max and median, if it differs from the method's default.
    pub nan: Option<NanPolicy>,
}

impl Options {
    /// Computes each level from the level before it with the same factors, and copies the array as level 0.
    #[must_use]
    pub fn new(factors: Vec<u64>, method: Method) -> Self {
        Self::with_factors(vec![factors], method)
    }

    /// Computes each level with separate factors: one list for each level. A single list applies to all
    /// levels.
    #[must_use]
    pub fn with_factors(factors: Vec<Vec<u64>>, method: Method) -> Self {
        Self {
            factors,
            method,
            levels: None,
            from_base: false,
            copy_base: true,
            skip_value: None,
            nan: None,
        }
    }

    /// Sets the number of levels above the array.
    #[must_use]
    pub fn with_levels(self, levels: u32) -> Self {
        Self {
            levels: Some(levels),
            ..self
        }
    }

    /// Computes every level from the array itself.
    #[must_use]
    pub fn from_base(self) -> Self {
        Self {
            from_base: true,
            ..self
        }
    }

    /// Leaves out the copy of the array.
    #[must_use]
    pub fn without_base(self) -> Self {
        Self {
            copy_base: false,
            ..self
        }
    }

    /// Leaves a value out of every block; the method must not be stride. The value has the JSON form of a fill value.
    #[must_use]
    pub fn with_skip_value(self, value: impl Into<String>) -> Self {
        Self {
            skip_value: Some(value.into()),
            ..self
        }
    }

    /// Sets the treatment of NaN, if it differs from the method's default.
    #[must_use]
    pub fn with_nan(self, nan: NanPolicy) -> Self {
        Self {
            nan: Some(nan),
            ..self
        }
    }

    /// Returns the factors by which a level is smaller than the level before it.
    pub(crate) fn factors_of(&self, level: usize) -> &[u64] {
        match &self.factors[..] {
            [] => &[],
            [all] => all,
            each => each.get(level.saturating_sub(1)).map_or(&[], Vec::as_slice),
        }
    }

    /// Returns the options for times, which are read as 64-bit integers. The least of them is NaT. It is left out in
    /// the way in which min and max leave NaN out, unless another value is given.
    ///
    /// # Errors
    /// If the method is mean, whose result would have to be rounded to whole units.
    pub(crate) fn of_times(&self) -> Result<Self, Error> {
        if self.method == Method::Mean {
            return Err(Error::Options(
                "the mean of times is not a whole number of their units; use stride, min, max, median or mode".into(),
            ));
        }
        let nat = || i64::MIN.to_string();
        let skip_value = match (&self.skip_value, self.method) {
            (None, Method::Stride) => None,
            (None, _) => Some(nat()),
            (Some(text), _) if text == "\"NaT\"" => Some(nat()),
            (Some(text), _) => Some(text.clone()),
        };
        Ok(Self {
            skip_value,
            ..self.clone()
        })
    }

    /// Returns the number of levels above the array, if it is given.
    pub(crate) fn count(&self) -> Result<Option<u32>, Error> {
        let listed = match self.factors.len() {
            0 | 1 => None,
            lists => Some(u32::try_from(lists).unwrap_or(u32::MAX)),
        };
        match (self.levels, listed) {
            (Some(levels), Some(listed)) if levels != listed => Err(Error::Options(format!(
                "there are factors for {listed} levels, but {levels} levels are requested; give \
                 one list of factors for all levels, or one for each"
            ))),
            (Some(0 | TOO_MANY..), _) | (_, Some(TOO_MANY..)) => Err(Error::Options(format!(
                "a pyramid has 1 to {LEVELS} levels above its array"
            ))),
            (levels, listed) => Ok(levels.or(listed)),
        }
    }

    /// Returns the values that are left out of blocks of a data type.
    pub(crate) fn omission(&self, data_type: DataType) -> Result<Omission, Error> {
        let value = self.skip_value.as_deref();
        let value = value
            .map(|text| parse_fill_value(data_type, text))
            .transpose();
        Ok(Omission {
            skip_value: value?,
            nan: self.nan,
        })
    }
}

/// One of several shares of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    index: u64,
    count: u64,
}

impl Part {
    /// The whole work.
    pub const WHOLE: Part = Part { index: 1, count: 1 };

    /// Returns the share `index` of `count`, counted from 1, or `None` if there is no such share.
    ///
    /// ```
    /// use exactum_pyramid::Part;
    ///
    /// assert_eq!(Part::new(1, 1), Some(Part::WHOLE));
    /// assert!(Part::new(8, 8).is_some());
    /// assert!(Part::new(9, 8).is_none());
    /// assert!(Part::new(0, 8).is_none());
    /// ```
    #[must_use]
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (1..=count)
            .contains(&index)
            .then_some(Self { index, count })
    }

    /// Returns the number of the share, counted from 1.
    #[must_use]
    pub fn index(self) -> u64 {
        self.index
    }

    /// Returns the number of shares.
    #[must_use]
    pub fn count(self) -> u64 {
        self.count
    }

    /// Returns whether the item at this index, out of `all` items, belongs to this share.
    pub(crate) fn has(self, at: u64, all: u64) -> bool {
        let share = u128::from(at) * u128::from(self.count) / u128::from(all.max(1));
        share == u128::from(self.index - 1)
    }
}
