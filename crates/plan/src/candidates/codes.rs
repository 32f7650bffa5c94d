//! The integers or floats that are stored, and the meaning of their codes.

use exactum_model::sds::Needs;
use exactum_model::{DataType, Format};

/// The stored form of each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The data type of the codes.
    pub data_type: DataType,
    /// The number of stored bits of an element; `packbits` leaves out the others.
    pub bits: u32,
}

impl Target {
    /// Returns the target that stores all bits of a data type.
    pub fn of(data_type: DataType) -> Self {
        Self {
            data_type,
            bits: data_type.format().component_bits(),
        }
    }

    /// Returns whether the bits of several elements share a byte, so that `packbits` stores them.
    pub fn is_packed(self) -> bool {
        self.bits != 8 * u32::try_from(self.data_type.element_bytes()).unwrap_or_default()
    }

    /// Returns the number of stored bytes of an element.
    #[must_use]
    pub fn bytes(self) -> f64 {
        f64::from(self.bits) / 8.0
    }

    /// Returns the name, with the number of bits if it is not that of the type.
    pub fn name(self) -> String {
        let bits = self.data_type.format().component_bits();
        match (self.bits == bits, self.is_packed()) {
            (true, false) => self.data_type.name().to_owned(),
            (true, true) => format!("{}, packbits", self.data_type),
            (false, _) => format!("{}, packbits of {} bits", self.data_type, self.bits),
        }
    }

    /// Returns whether the codes have a sign.
    pub fn is_signed(self) -> bool {
        matches!(self.data_type.format(), Format::Integer(format) if format.signed)
    }

    /// Returns the bits of an integer code.
    pub(super) fn code_bits(self, code: i128) -> u64 {
        let mask = i128::from(self.data_type.format().component_mask());
        u64::try_from(code & mask).unwrap_or_default()
    }
}

/// The integer codes of a target: those that are free for values, and those with another meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    /// The least free code.
    pub(super) low: i128,
    /// The greatest free code.
    pub(super) high: i128,
    pub(super) nan: Option<i128>,
    pub(super) positive_infinity: Option<i128>,
    pub(super) negative_infinity: Option<i128>,
    /// The code of a fill value that is not the value of another code.
    pub(super) fill: Option<i128>,
}

impl Codes {
    /// Returns the standard codes of integer types (sds.6.5, sds.7.3, sds.7.4), and one more for a fill
    /// value.
    ///
    /// # Errors
    /// If the target lacks a code. The message states the value that needs the code.
    pub(super) fn of(target: Target, needs: Needs, has_fill: bool) -> Result<Self, String> {
        if needs.negative_infinity && !target.is_signed() {
            return Err("an unsigned type has no code for -Infinity".into());
        }
        let infinite = needs.positive_infinity || needs.negative_infinity;
        let half = 1i128 << (target.bits - 1);
        let (least, greatest) = match target.is_signed() {
            true => (-half, half - 1),
            false => (0, 2 * half - 1),
        };
        let (nan, positive, negative, mut low, mut high) = match target.is_signed() {
            true => (
                least,
                greatest,
                Some(least + 1),
                least + if infinite { 2 } else { i128::from(needs.nan) },
                greatest - i128::from(infinite),
            ),
            false => (
                greatest,
                greatest - 1,
                None,
                least,
                greatest - if infinite { 2 } else { i128::from(needs.nan) },
            ),
        };
        let fill = has_fill.then(|| match target.is_signed() {
            true => {
                low += 1;
                low - 1
            }
            false => {
                high -= 1;
                high + 1
            }
        });
        if low > high {
            return Err(format!(
                "{} has no codes left for the values",
                target.name()
            ));
        }
        Ok(Self {
            low,
            high,
            nan: needs.nan.then_some(nan),
            positive_infinity: needs.positive_infinity.then_some(positive),
            negative_infinity: negative.filter(|_| needs.negative_infinity),
            fill,
        })
    }

    /// Returns the code of the middle of a range, as defined in `sds.plan.offset` for the middle three
    /// quarters.
    pub(super) fn centre(target: Target) -> i128 {
        match target.is_signed() {
            true => 0,
            false => (1 << (target.bits - 1)) - 1,
        }
    }
}
