//! Stored integers: which of them are values, and the real numbers that they represent.

use exactum_model::sds::{DataSet, Fill, Infinite, SdsType, Warning, Warnings};

use super::line::Line;

/// The greatest integer magnitude that `r4` holds reliably according to the note (sds.5.13).
const TRUSTED: i64 = 8_388_607;

/// The meaning of a stored integer.
#[derive(Clone, Copy)]
pub(super) enum Stored {
    Missing,
    Infinite(bool),
    Value,
}

/// The codes of a data set that are not values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Special {
    pub(super) fill: Option<i64>,
    pub(super) infinite: Option<Infinite>,
}

impl Special {
    pub(super) fn of(input: &DataSet) -> Self {
        Self {
            fill: match input.fill() {
                Fill::Code(code) => Some(code),
                _ => None,
            },
            infinite: input.infinite(),
        }
    }

    #[inline]
    pub(super) fn stored(self, code: i64) -> Stored {
        if self.fill == Some(code) {
            return Stored::Missing;
        }
        match self.infinite {
            Some(Infinite { positive, .. }) if positive == code => Stored::Infinite(false),
            Some(Infinite { negative, .. }) if negative == Some(code) => Stored::Infinite(true),
            _ => Stored::Value,
        }
    }

    /// Returns the least and the greatest value among the codes.
    pub(super) fn ends(self, codes: &[i64]) -> Option<(i64, i64)> {
        let (mut least, mut greatest) = (i64::MAX, i64::MIN);
        for &code in codes {
            if let Stored::Value = self.stored(code) {
                least = least.min(code);
                greatest = greatest.max(code);
            }
        }
        (least <= greatest).then_some((least, greatest))
    }
}

/// The conversion of stored integers to reals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reals {
    pub(super) special: Special,
    pub(super) line: Line,
    /// Whether the result is `r4`.
    pub(super) single: bool,
    /// The magnitude above which `r4` is not reliable.
    pub(super) trusted: i64,
}

impl Reals {
    pub(super) fn of(input: &DataSet, target: SdsType) -> Self {
        let single = target == SdsType::R4;
        let is_long = matches!(input.data_type(), SdsType::I4 | SdsType::U4);
        Self {
            special: Special::of(input),
            line: Line::new(input.scaling),
            single,
            trusted: if single && is_long { TRUSTED } else { i64::MAX },
        }
    }

    /// Returns the value of a code, which is NaN if it has none.
    pub(super) fn of_code(&self, code: i64, warnings: &mut Warnings) -> f64 {
        match self.special.stored(code) {
            Stored::Missing => f64::NAN,
            Stored::Infinite(_) if self.single => {
                warnings.insert(Warning::InfinityNotRepresentable);
                f64::NAN
            }
            Stored::Infinite(negative) => f64::INFINITY.copysign(if negative { -1.0 } else { 1.0 }),
            Stored::Value => {
                if !(-self.trusted..=self.trusted).contains(&code) {
                    warnings.insert(Warning::PrecisionMayBeLost);
                }
                let value = if self.single {
                    self.line.single(code)
                } else {
                    self.line.value(code)
                };
                if value.is_finite() {
                    return value;
                }
                warnings.insert(Warning::DataOutOfRange);
                f64::NAN
            }
        }
    }
}
