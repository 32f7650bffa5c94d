//! The decisions of conversions.

use exactum_exact::Exact;
use exactum_model::sds::{DataSet, External, Fill, Infinite, Profile, Scaling, SdsType, Warnings};
use exactum_model::{Reason, Rejection};

use super::element::{Element, elements};
use super::scale;
use crate::Reference;

/// The way in which integers become integers of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// The codes are kept (sds.5.1, sds.5.4, sds.5.9).
    Unchanged,
    /// A number is added to the codes and to OFFSET (sds.5.5, sds.5.10).
    Shifted,
    /// Both attributes are determined again (sds.5.6, sds.5.11).
    Scaled,
}

/// The decisions of conversions between data sets. Unless it is overridden, every method does what its clause
/// demands, so that data sets can be converted with one decision that is known to be wrong.
pub trait Conversion {
    /// Rounds a value to its code: `value * SCALE + OFFSET`, ties away from zero (sds.2.6, sds.5.16).
    fn code(&self, value: &Exact, scaling: Scaling) -> Option<i64> {
        scale::code(value, scaling)
    }

    /// Returns the code of a value whose own code is out of range: none (sds.5.17).
    fn beyond(&self, _code: i64, _of: SdsType, _profile: Profile) -> Option<i64> {
        None
    }

    /// Returns the codes of the infinities (sds.7.3, sds.7.4).
    fn infinite(&self, of: SdsType, profile: Profile) -> Infinite {
        of.standard_infinite(profile)
    }

    /// Returns whether integers made from reals have codes of infinities: only if there are infinities (sds.7.6).
    fn reserves(&self, input: &DataSet) -> bool {
        let is_infinite = |element: &Element| matches!(element, Element::Infinite { .. });
        elements(input).iter().any(is_infinite)
    }

    /// Returns the attributes of integers made from reals: the given ones if they are set (sds.5.15),
    /// otherwise those that the least and the greatest value determine (sds.5.18, sds.5.19).
    fn attributes(
        &self,
        given: Scaling,
        ends: Option<[&Exact; 2]>,
        target: SdsType,
        profile: Profile,
    ) -> (Scaling, Warnings) {
        match ends {
            _ if given.is_set() => (given, Warnings::new()),
            Some(ends) => self.determine(ends, None, target, profile),
            None => scale::nothing(),
        }
    }

    /// Returns the attributes that place values between two ends in the middle of a type; a preset SCALE
    /// keeps its sign (sds.5.6, sds.5.22).
    fn determine(
        &self,
        ends: [&Exact; 2],
        preset: Option<Exact>,
        target: SdsType,
        profile: Profile,
    ) -> (Scaling, Warnings) {
        let bits = target.bits(profile);
        scale::determine(ends, preset, target.is_signed(), bits, &self.span(bits))
    }

    /// Returns the number of codes that determined attributes cover: three quarters of all (sds.5.22).
    fn span(&self, bits: u32) -> Exact {
        Exact::integer(3 << (bits - 2))
    }

    /// Returns whether the codes at the ends of the range are excluded; between signed and unsigned types,
    /// this is only the case if the fill value or infinities occupy some of them (sds.5.7, sds.5.12).
    fn excludes(&self, from: SdsType, target: SdsType, is_reserved: bool) -> bool {
        from.is_signed() == target.is_signed() || is_reserved
    }

    /// Returns how the codes between two ends are moved into an allowed range: unchanged if possible,
    /// otherwise by OFFSET alone, otherwise by both attributes.
    fn carry(&self, nests: bool, ends: (i64, i64), allowed: (i64, i64)) -> Carry {
        let ((least, greatest), (low, high)) = (ends, allowed);
        if nests || (least >= low && greatest <= high) {
            Carry::Unchanged
        } else if greatest - least <= high - low {
            Carry::Shifted
        } else {
            Carry::Scaled
        }
    }

    /// Returns the shift that centres codes in the allowed range (sds.5.22). Ties go away from the code of
    /// missing values, which is the least of a signed type and the greatest of an unsigned one.
    fn shift(&self, ends: (i64, i64), allowed: (i64, i64), is_signed: bool) -> i64 {
        let twice = (allowed.0 + allowed.1) - (ends.0 + ends.1);
        (twice + i64::from(is_signed)).div_euclid(2)
    }

    /// Returns the fill value of external reals: that of the protocol (sds.6.8, sds.6.9), or NaN if neither
    /// is named.
    ///
    /// # Errors
    /// If the given fill value contradicts the protocol (sds.external.fill).
    fn fill_of_reals(&self, given: Fill, protocol: Option<External>) -> Result<Fill, Rejection> {
        let Some(protocol) = protocol else {
            return Ok(match given {
                Fill::Undefined => Fill::Nan,
                given => given,
            });
        };
        let own = protocol.real_fill();
        if given == Fill::Undefined || given == own {
            return Ok(own);
        }
        let name = protocol.name();
        let message = format!("the fill value of reals in {name} is not the given one");
        Err(Rejection::new(Reason::Metadata, "sds.external.fill", message).at_pointer("/fill"))
    }
}

impl Conversion for Reference {}
