//! The numeric types of data sets, and their ranges.

use core::fmt;

use super::Infinite;
use crate::data_type::DataType;

/// A numeric type (sds.1.1).
///
/// ```
/// use exactum_model::DataType;
/// use exactum_model::sds::{Profile, SdsType};
///
/// let int = SdsType::by_name("i4").expect("a type of the note");
/// let profile = Profile::by_name("tn115").expect("a profile");
/// assert_eq!((int.name(), profile.name()), ("i4", "tn115"));
/// assert!(int.is_integer() && int.is_signed() && !int.is_real());
/// assert_eq!((int.data_type(), int.bits(profile)), (DataType::Int32, 31));
/// let (least, greatest) = int.range(profile);
/// assert_eq!(int.standard_fill(profile), least);
/// assert_eq!(int.standard_infinite(profile).positive, greatest);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SdsType {
    /// `i1`: BYTE.
    I1,
    /// `i2`: SHORT.
    I2,
    /// `i4`: INT, of 31 bits in `tn115`.
    I4,
    /// `u1`: UBYTE.
    U1,
    /// `u2`: USHORT.
    U2,
    /// `u4`: UINT, of 31 bits.
    U4,
    /// `r4`: FLOAT, binary32 without infinities.
    R4,
    /// `r8`: DOUBLE, binary64.
    R8,
    /// `c8`: COMPLEX, pairs of `r4`.
    C8,
}

/// An edition that defines the ranges of the types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The edition of the note, in which `i4` and `u4` have 31 bits (sds.1.2).
    #[default]
    Tn115,
    /// The edition of the later headers, in which `i4` has 32 bits.
    Soi97,
}

impl SdsType {
    /// All types, in the order of the note.
    pub const ALL: [SdsType; 9] = [
        SdsType::I1,
        SdsType::I2,
        SdsType::I4,
        SdsType::U1,
        SdsType::U2,
        SdsType::U4,
        SdsType::R4,
        SdsType::R8,
        SdsType::C8,
    ];

    /// Returns the name that the note uses, such as `i2`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SdsType::I1 => "i1",
            SdsType::I2 => "i2",
            SdsType::I4 => "i4",
            SdsType::U1 => "u1",
            SdsType::U2 => "u2",
            SdsType::U4 => "u4",
            SdsType::R4 => "r4",
            SdsType::R8 => "r8",
            SdsType::C8 => "c8",
        }
    }

    /// Returns the type with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns whether this is an integer type.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        !self.is_real() && !matches!(self, SdsType::C8)
    }

    /// Returns whether this is a signed integer type.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, SdsType::I1 | SdsType::I2 | SdsType::I4)
    }

    /// Returns whether this is `r4` or `r8`.
    #[must_use]
    pub const fn is_real(self) -> bool {
        matches!(self, SdsType::R4 | SdsType::R8)
    }

    /// Returns the Zarr data type that holds the values of this type.
    #[must_use]
    pub const fn data_type(self) -> DataType {
        match self {
            SdsType::I1 => DataType::Int8,
            SdsType::I2 => DataType::Int16,
            SdsType::I4 => DataType::Int32,
            SdsType::U1 => DataType::Uint8,
            SdsType::U2 => DataType::Uint16,
            SdsType::U4 => DataType::Uint32,
            SdsType::R4 => DataType::Float32,
            SdsType::R8 => DataType::Float64,
            SdsType::C8 => DataType::Complex64,
        }
    }

    /// Returns the number of bits of the declared range of an integer type (sds.1.2), which is 8, 16, 31 or 32.
    /// Returns 0 for other types.
    #[must_use]
    pub const fn bits(self, profile: Profile) -> u32 {
        match (self, profile) {
            (SdsType::I1 | SdsType::U1, _) => 8,
            (SdsType::I2 | SdsType::U2, _) => 16,
            (SdsType::I4, Profile::Soi97) => 32,
            (SdsType::I4 | SdsType::U4, _) => 31,
            _ => 0,
        }
    }

    /// Returns the smallest and the largest value of an integer type (sds.1.2), and two zeros for other types.
    #[must_use]
    pub const fn range(self, profile: Profile) -> (i64, i64) {
        let bits = self.bits(profile);
        if bits == 0 {
            (0, 0)
        } else if self.is_signed() {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        }
    }

    /// Returns the standard code for missing values of an integer type (sds.6.5), which is the smallest value of a
    /// signed type and the largest value of an unsigned type.
    #[must_use]
    pub const fn standard_fill(self, profile: Profile) -> i64 {
        let (least, greatest) = self.range(profile);
        if self.is_signed() { least } else { greatest }
    }

    /// Returns the standard codes of infinities of an integer type (sds.7.3, sds.7.4).
    #[must_use]
    pub const fn standard_infinite(self, profile: Profile) -> Infinite {
        let (least, greatest) = self.range(profile);
        if self.is_signed() {
            Infinite {
                positive: greatest,
                negative: Some(least + 1),
            }
        } else {
            Infinite {
                positive: greatest - 1,
                negative: None,
            }
        }
    }
}

impl fmt::Display for SdsType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Profile {
    /// Returns the name of the profile in requests and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Tn115 => "tn115",
            Profile::Soi97 => "soi97",
        }
    }

    /// Returns the profile with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Profile::Tn115, Profile::Soi97]
            .into_iter()
            .find(|it| it.name() == name)
    }
}
