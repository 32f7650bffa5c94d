//! The decisions that conversions make.

use exactum_exact::Exact;
use exactum_model::sds::{DataSet, External, Fill, Infinite, Profile, Scaling, SdsType, Warnings};
use exactum_model::{Reason, Rejection};

use super::element::{Element, elements};
use super::scale;
use crate::Reference;

/// The way in which integers are converted to integers of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// The codes are kept (sds.5.1, sds.5.4, sds.5.9).
    Unchanged,
    /// A number is added to the codes and to OFFSET (sds.5.5, sds.5.10).
    Shifted,
    /// Both attributes are determined again (sds.5.6, sds.5.11).
    Scaled,
}

/// The decisions that conversions of data sets make. Each method implements its clause. Overriding a method converts
/// data sets with one decision that is deliberately wrong.
pub trait Conversion {
    /// Returns the code of a value: `value * SCALE + OFFSET`, rounded to nearest with ties away from zero (sds.2.6,
    /// sds.5.16).
    fn code(&self, value: &Exact, scaling: Scaling) -> Option<i64> {
        scale::code(value, scaling)
    }

    /// Returns the code that replaces a code out of range. There is none (sds.5.17).
    fn beyond(&self, _code: i64, _of: SdsType, _profile: Profile) -> Option<i64> {
        None
    }

    /// Returns the codes of the infinities (sds.7.3, sds.7.4).
    fn infinite(&self, of: SdsType, profile: Profile) -> Infinite {
        of.standard_infinite(profile)
    }

    /// Returns whether a conversion of reals to integers reserves codes for infinities, which it does only if there are
    /// infinities (sds.7.6).
    fn reserves(&self, input: &DataSet) -> bool {
        let is_infinite = |element: &Element| matches!(element, Element::Infinite { .. });
        elements(input).iter().any(is_infinite)
    }

    /// Returns the attributes for a conversion of reals to integers. These are the given ones if they are set
    /// (sds.5.15); otherwise, the smallest and the largest value determine them (sds.5.18, sds.5.19).
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

    /// Returns the attributes that place the values between two ends in the middle of the range of a type. SCALE has
    /// the sign of a preset SCALE (sds.5.6, sds.5.22).
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

    /// Returns the number of codes over which determined attributes spread the values, which is three quarters of all
    /// codes (sds.5.22).
    fn span(&self, bits: u32) -> Exact {
        Exact::integer(3 << (bits - 2))
    }

    /// Returns whether the codes at the ends of the range are excluded. In conversions between signed and unsigned
    /// types, this is only the case if the fill value or infinities occupy some of them (sds.5.7, sds.5.12).
    fn excludes(&self, from: SdsType, target: SdsType, is_reserved: bool) -> bool {
        from.is_signed() == target.is_signed() || is_reserved
    }

    /// Returns how the codes between two ends are moved into an allowed range. They stay unchanged if possible.
    /// Otherwise, OFFSET alone is changed if that suffices, and both attributes if it does not.
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

    /// Returns the shift that centres codes in the allowed range (sds.5.22). A tie is resolved away from the code of
    /// missing values, which is the smallest code of a signed type and the largest of an unsigned type.
    fn shift(&self, ends: (i64, i64), allowed: (i64, i64), is_signed: bool) -> i64 {
        let twice = (allowed.0 + allowed.1) - (ends.0 + ends.1);
        (twice + i64::from(is_signed)).div_euclid(2)
    }

    /// Returns the fill value of external reals, which is that of the protocol (sds.6.8, sds.6.9). Without a protocol,
    /// it is the given fill value, or NaN if there is none.
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
        let message = format!("{name} prescribes another fill value for reals");
        Err(Rejection::new(Reason::Metadata, "sds.external.fill", message).at_pointer("/fill"))
    }
}

impl Conversion for Reference {}
