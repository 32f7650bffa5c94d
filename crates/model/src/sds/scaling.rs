//! The scaling attributes (sds.2.*).

use super::{ONE, float};
use crate::DataType;
use crate::format::FloatFormat;

/// The attributes SCALE and OFFSET (sds.2.*), either of which may be unset. An attribute that is set is finite,
/// and SCALE is not zero.
///
/// ```
/// use exactum_model::sds::Scaling;
///
/// let mut scaling = Scaling::of(Some(2.0_f64.to_bits()), None);
/// assert_eq!((scaling.scale(), scaling.offset()), (Some(2.0_f64.to_bits()), None));
/// assert_eq!(scaling.effective(), (2.0_f64.to_bits(), 0));
/// scaling.set_offset(Some(1.0_f64.to_bits()));
/// assert!(scaling.is_set());
/// // Zero unsets both.
/// scaling.set_scale(Some(0));
/// assert_eq!(scaling, Scaling::UNSET);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scaling {
    scale: Option<u64>,
    offset: Option<u64>,
}

impl Scaling {
    /// The scaling in which neither attribute is set.
    pub const UNSET: Scaling = Scaling {
        scale: None,
        offset: None,
    };

    /// Sets SCALE, or unsets it with `None`. Zero, NaN and the infinities unset both attributes
    /// (sds.2.4).
    pub fn set_scale(&mut self, bits: Option<u64>) {
        match bits {
            Some(bits) if !is_finite(bits) || binary64().is_zero(bits) => *self = Self::UNSET,
            bits => self.scale = bits,
        }
    }

    /// Sets OFFSET, or unsets it with `None`. NaN and the infinities unset both attributes (sds.2.4).
    pub fn set_offset(&mut self, bits: Option<u64>) {
        match bits {
            Some(bits) if !is_finite(bits) => *self = Self::UNSET,
            bits => self.offset = bits,
        }
    }

    /// Creates a scaling by setting first SCALE and then OFFSET.
    #[must_use]
    pub fn of(scale: Option<u64>, offset: Option<u64>) -> Self {
        let mut scaling = Self::UNSET;
        scaling.set_scale(scale);
        scaling.set_offset(offset);
        scaling
    }

    /// Returns SCALE if it is set, as binary64 bits.
    #[must_use]
    pub fn scale(&self) -> Option<u64> {
        self.scale
    }

    /// Returns OFFSET if it is set, as binary64 bits.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// Returns whether the scaling counts as set, which is the case if either attribute is set (sds.2.2).
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.scale.is_some() || self.offset.is_some()
    }

    /// Returns SCALE and OFFSET, with the default for an attribute that is unset (sds.2.3).
    #[must_use]
    pub fn effective(&self) -> (u64, u64) {
        (self.scale.unwrap_or(ONE), self.offset.unwrap_or(0))
    }
}

fn is_finite(bits: u64) -> bool {
    !binary64().is_nan(bits) && !binary64().is_infinite(bits)
}

/// Returns the format of SCALE, OFFSET and `r8`.
fn binary64() -> FloatFormat {
    float(DataType::Float64)
}
