//! `downsample`: views that reduce blocks of another array to single elements
//! (spec/downsample.md).

mod method;
mod omission;
mod text;
mod transform;

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::array::Array;
use crate::data_type::DataType;
use crate::domain::Domain;
use crate::rejection::{Reason, Rejection};
use crate::source::Source;

pub use method::{Method, UnknownMethod};
pub use omission::{NanPolicy, Omission};
pub use text::{Decimal, Json, JsonText, Text, TextType, Texts};
pub use transform::{Indices, OutputMap, Selected, Transform};

/// The largest size of the answer to a single read, in bytes.
pub const MAX_ANSWER_BYTES: u64 = 64 << 20;

/// The largest factor.
const MAX_FACTOR: u64 = i64::MAX.cast_unsigned();

/// One downsampling step: the size of the blocks, and the method that reduces each block to one element.
///
/// ```
/// use exactum_model::{Array, DataType, Domain, Downsample, Level, Method, Omission};
///
/// let level = Level::new(vec![2], Method::Mean)?;
/// assert_eq!((level.factors(), level.method(), level.is_identity()), (&[2][..], Method::Mean, false));
/// level.require(DataType::Uint8)?;
/// assert!(level.omission().is_nothing());
/// assert_eq!(level.clone().with_omission(Omission::default()), level);
/// let base = Domain::of_shape(&[5])?;
/// assert_eq!(level.domain(&base)?, Domain::of_shape(&[3])?);
/// assert_eq!(level.block(&base, &[2]), Domain::new(vec![4], vec![1])?);
/// assert_eq!(level.base(&base, &Domain::of_shape(&[2])?), Domain::of_shape(&[4])?);
/// let source = Array::new(DataType::Uint8, vec![5], vec![0; 5])?;
/// let view = Downsample { levels: vec![level], transform: None };
/// assert_eq!(view.domains(&source)?.1, Domain::of_shape(&[3])?);
/// assert_eq!(view.answer(&source)?.1, Domain::of_shape(&[3])?);
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
///
/// Non-numeric elements can be reduced to their mode:
///
/// ```
/// # use exactum_model::{Domain, Downsample, Level, Method, Text, TextType, Texts};
/// let elements = ["b", "a"].map(|text| Text::String(text.into())).to_vec();
/// let texts = Texts::new(TextType::String, Domain::of_shape(&[2])?, elements)?;
/// let level = Level::new(vec![2], Method::Mode)?;
/// assert!(level.require_of_texts(TextType::String).is_ok());
/// let view = Downsample { levels: vec![level], transform: None };
/// assert_eq!(view.domains_of_texts(&texts)?.1, Domain::of_shape(&[1])?);
/// assert_eq!(view.answer_of_texts(&texts)?.1, Domain::of_shape(&[1])?);
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    factors: Vec<u64>,
    method: Method,
    omission: Omission,
}

impl Level {
    /// Creates a level.
    ///
    /// # Errors
    /// [`Reason::Metadata`] for a factor of 0 or above 2^63 - 1 (downsample.factors.range).
    pub fn new(factors: Vec<u64>, method: Method) -> Result<Self, Rejection> {
        match factors
            .iter()
            .find(|factor| !(1..=MAX_FACTOR).contains(factor))
        {
            None => Ok(Self {
                factors,
                method,
                omission: Omission::default(),
            }),
            Some(factor) => Err(Rejection::new(
                Reason::Metadata,
                "downsample.factors.range",
                format!("{factor} is not a valid downsampling factor"),
            )
            .help("a factor is from 1 to 9223372036854775807; 1 leaves its dimension unchanged")),
        }
    }

    /// Returns the factors, one per dimension.
    #[must_use]
    pub fn factors(&self) -> &[u64] {
        &self.factors
    }

    /// Returns the method.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the same level with options for skipping elements of its blocks.
    #[must_use]
    pub fn with_omission(self, omission: Omission) -> Self {
        Self { omission, ..self }
    }

    /// Returns the options for skipping elements of the blocks.
    #[must_use]
    pub fn omission(&self) -> &Omission {
        &self.omission
    }

    /// Requires that the method and the skipped elements of the level are defined for a data type.
    ///
    /// # Errors
    /// The same as for [`Method::require`]; [`Reason::Metadata`] if an option does not fit the method or the
    /// data type (downsample.omission.value, downsample.omission.nan).
    pub fn require(&self, data_type: DataType) -> Result<(), Rejection> {
        self.method.require(data_type)?;
        self.omission.require(self.method, data_type)
    }

    /// Requires that the level is defined for non-numeric elements, none of which can be skipped.
    ///
    /// # Errors
    /// The same as for [`Method::require_of_texts`]; [`Reason::Metadata`] if the level skips elements.
    pub fn require_of_texts(&self, data_type: TextType) -> Result<(), Rejection> {
        self.method.require_of_texts(data_type)?;
        if self.omission.is_nothing() {
            return Ok(());
        }
        Err(Rejection::new(
            Reason::Metadata,
            "downsample.omission.value",
            format!("no value of {data_type} can be skipped"),
        ))
    }

    /// Returns whether all factors are 1, so that the view returns the base unchanged (downsample.identity).
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.factors.iter().all(|&factor| factor == 1)
    }

    /// Returns the positions of the view of a base with the positions `base` (downsample.domain). Blocks begin at
    /// multiples of the factors, whatever the origin of the base. A view has one position for each block that
    /// overlaps the base. A strided view has one for each block whose first position is in the base.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the ranks differ (downsample.factors.rank).
    pub fn domain(&self, base: &Domain) -> Result<Domain, Rejection> {
        if self.factors.len() != base.rank() {
            return Err(Rejection::new(
                Reason::Shape,
                "downsample.factors.rank",
                format!(
                    "{} factors do not match {} dimensions",
                    self.factors.len(),
                    base.rank()
                ),
            )
            .help("write one factor for each dimension; 1 leaves its dimension unchanged"));
        }
        Ok(Domain::of_intervals(
            base.intervals()
                .zip(&self.factors)
                .map(|(interval, &factor)| {
                    let factor = signed(factor);
                    let floor = interval.start.div_euclid(factor);
                    let ceiling = floor + i64::from(interval.start.rem_euclid(factor) != 0);
                    let start = if self.method == Method::Stride {
                        ceiling
                    } else {
                        floor
                    };
                    if interval.is_empty() {
                        return start..start;
                    }
                    let last = (interval.end - 1).div_euclid(factor);
                    // For stride, the base may lie between two multiples, so that the view is empty.
                    start..start.max(last + 1)
                }),
        ))
    }

    /// Returns the positions of the base from which the element at `position` of the view is computed
    /// (downsample.bounds). For stride, it is a single position; for the other methods, it is the part of the
    /// block that lies inside the base.
    ///
    /// # Panics
    /// Panics if the ranks differ, or if the position is not in the view.
    #[must_use]
    pub fn block(&self, base: &Domain, position: &[i64]) -> Domain {
        let whole = position.iter().map(|&position| position..position + 1);
        self.base(base, &Domain::of_intervals(whole))
    }

    /// Returns the box of base positions, from the first to the last, from which a box of the view is computed.
    /// For stride, only every factor-th position of the box is needed.
    ///
    /// # Panics
    /// Panics if the ranks differ, or if the box is not inside the view's domain.
    #[must_use]
    pub fn base(&self, base: &Domain, region: &Domain) -> Domain {
        let dimensions = base.intervals().zip(region.intervals()).zip(&self.factors);
        Domain::of_intervals(dimensions.map(|((base, region), &factor)| {
            // Blocks at the ends may begin or end beyond the 64-bit range, but the base does not.
            let factor = i128::from(factor);
            let first = i128::from(region.start) * factor;
            if region.is_empty() {
                let start = clamp(first, &base);
                return start..start;
            }
            let end = if self.method == Method::Stride {
                i128::from(region.end - 1) * factor + 1
            } else {
                i128::from(region.end) * factor
            };
            clamp(first, &base)..clamp(end, &base)
        }))
    }
}

/// A view of a source: a list of levels, each of which downsamples the previous one, and a transform of the
/// last level (downsample.chained, downsample.transform).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downsample {
    /// The levels. The first level reads the source.
    pub levels: Vec<Level>,
    /// The transform that selects elements of the last level and places them in the result. If it is absent,
    /// the result is the whole last level.
    pub transform: Option<Transform>,
}

impl Downsample {
    /// Returns the positions of the source, of each level, and of the result.
    ///
    /// # Errors
    /// The rejections of [`Level::require`], [`Level::domain`] and [`Transform::require`].
    pub fn domains(&self, source: &dyn Source) -> Result<(Vec<Domain>, Domain), Rejection> {
        self.over(source.domain(), |level| level.require(source.data_type()))
    }

    /// Returns the same as [`domains`](Self::domains), and requires that the result fits into one answer.
    ///
    /// # Errors
    /// The same as for [`domains`](Self::domains); [`Reason::Shape`] for a result of more than
    /// [`MAX_ANSWER_BYTES`] (downsample.limit).
    pub fn answer(&self, source: &dyn Source) -> Result<(Vec<Domain>, Domain), Rejection> {
        let (domains, result) = self.domains(source)?;
        let bytes = Array::bytes_of(source.data_type(), result.shape()).ok();
        require_answer(&result, &source.data_type(), bytes)?;
        Ok((domains, result))
    }

    /// Returns the positions of non-numeric elements, of each level, and of the result.
    ///
    /// # Errors
    /// The rejections of [`Level::require_of_texts`], [`Level::domain`] and [`Transform::require`].
    pub fn domains_of_texts(&self, texts: &Texts) -> Result<(Vec<Domain>, Domain), Rejection> {
        let data_type = texts.data_type();
        self.over(texts.domain().clone(), |level| {
            level.require_of_texts(data_type)
        })
    }

    /// Returns the same as [`domains_of_texts`](Self::domains_of_texts), and requires that the result could fit
    /// into one answer. This check knows only the number of elements; [`Texts::pick`] also counts their texts.
    ///
    /// # Errors
    /// The same as for [`domains_of_texts`](Self::domains_of_texts); [`Reason::Shape`] for a result of more than
    /// [`MAX_ANSWER_BYTES`] (downsample.limit).
    pub fn answer_of_texts(&self, texts: &Texts) -> Result<(Vec<Domain>, Domain), Rejection> {
        let (domains, result) = self.domains_of_texts(texts)?;
        texts.require_answer(&result)?;
        Ok((domains, result))
    }

    fn over(
        &self,
        base: Domain,
        require: impl Fn(&Level) -> Result<(), Rejection>,
    ) -> Result<(Vec<Domain>, Domain), Rejection> {
        let mut domains = vec![base.clone()];
        let mut last = base;
        for level in &self.levels {
            require(level)?;
            last = level.domain(&last)?;
            domains.push(last.clone());
        }
        if let Some(transform) = &self.transform {
            transform.require(&last)?;
            last = transform.domain().clone();
        }
        Ok((domains, last))
    }
}

/// Requires that a result of `bytes` bytes fits into an answer. `None` means that the number overflows.
fn require_answer(
    result: &Domain,
    data_type: &dyn fmt::Display,
    bytes: Option<u64>,
) -> Result<(), Rejection> {
    if bytes.is_some_and(|bytes| bytes <= MAX_ANSWER_BYTES) {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::Shape,
        "downsample.limit",
        format!(
            "{result} of {data_type} exceeds the limit of {} MiB for one result",
            MAX_ANSWER_BYTES >> 20
        ),
    )
    .help("read the result in parts"))
}

/// Returns a factor as a signed number; [`Level::new`] guarantees that it fits.
fn signed(factor: u64) -> i64 {
    i64::try_from(factor).unwrap_or(i64::MAX)
}

/// Clamps a number to an interval.
fn clamp(position: i128, interval: &Range<i64>) -> i64 {
    i64::try_from(position.clamp(interval.start.into(), interval.end.into()))
        .unwrap_or(interval.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(start: i64, end: i64) -> Domain {
        Domain::of_intervals(core::iter::once(start..end))
    }

    /// TensorStore agrees with every row.
    #[test]
    fn domains_of_views() {
        let check = |(start, end): (i64, i64), factor, region: Range<i64>, stride: Range<i64>| {
            for &method in Method::ALL {
                let level = Level::new(vec![factor], method).expect("a factor");
                let expected = if method == Method::Stride {
                    &stride
                } else {
                    &region
                };
                let view = level.domain(&domain(start, end)).expect("one dimension");
                assert_eq!(view.interval(0), *expected, "{method} of {start}..{end}");
            }
        };
        check((0, 9), 3, 0..3, 0..3);
        check((-5, 4), 3, -2..2, -1..2);
        check((-1, 0), 3, -1..0, 0..0);
        check((1, 3), 5, 0..1, 1..1);
        check((5, 5), 2, 2..2, 3..3);
        check((-5, -5), 2, -3..-3, -2..-2);
        check((3, 8), 1, 3..8, 3..8);
        check((i64::MIN, i64::MAX), MAX_FACTOR, -2..1, -1..1);
        check((i64::MIN, i64::MIN + 1), MAX_FACTOR, -2..-1, -1..-1);
    }

    #[test]
    fn blocks_end_with_the_base() {
        let check = |method, base: (i64, i64), factor, position, expected: Range<i64>| {
            let level = Level::new(vec![factor], method).expect("a factor");
            let block = level.block(&domain(base.0, base.1), &[position]);
            assert_eq!(block.interval(0), expected, "{method} of {base:?}");
        };
        check(Method::Mean, (-5, 4), 3, -2, -5..-3);
        check(Method::Mean, (-5, 4), 3, -1, -3..0);
        check(Method::Mean, (-5, 4), 3, 1, 3..4);
        check(Method::Stride, (-5, 4), 3, -1, -3..-2);
        check(Method::Mean, (101, 102), 1000, 0, 101..102);
        check(
            Method::Max,
            (i64::MIN, i64::MAX),
            MAX_FACTOR,
            -2,
            i64::MIN..i64::MIN + 1,
        );
        check(Method::Max, (0, i64::MAX), MAX_FACTOR, 0, 0..i64::MAX);
    }

    #[test]
    fn factors_are_positive() {
        for factor in [0, MAX_FACTOR + 1, u64::MAX] {
            let rejection =
                Level::new(vec![1, factor], Method::Mean).expect_err("an invalid factor");
            assert_eq!(rejection.clause, "downsample.factors.range");
        }
    }
}
