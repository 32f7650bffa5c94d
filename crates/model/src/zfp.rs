//! The operation of the `zfp` codec.

use crate::data_type::DataType;
use crate::format::Format;

/// A resolved `zfp` codec: the limits that apply to every block of 4 to 256 elements.
///
/// The modes of a configuration are merely notations for these limits. The limits that a rate stands for also
/// depend on the data type and the rank. The limits satisfy `1 <= max_bits`, `min_bits <= max_bits <= 16658`
/// and `1 <= max_precision <= 64`. `max_bits` leaves room for the header of a block
/// ([`ZfpScalar::header_bits`]), and in a reversible codec of floats `min_bits` is at most 1.
///
/// ```
/// use exactum_model::{DataType, Zfp, ZfpScalar, zfp_order};
///
/// let codec = Zfp::reversible(DataType::Uint16, 2);
/// assert!(codec.is_reversible());
/// assert_eq!((codec.dimensions(), codec.scalar()), (2, Some(ZfpScalar::Int32)));
/// assert_eq!(ZfpScalar::of(DataType::Bool), None);
/// assert!(!ZfpScalar::is_own(codec.data_type));
/// let scalar = ZfpScalar::Float64;
/// assert_eq!((scalar.bits(), scalar.exponent_bits(), scalar.precision_bits()), (64, 11, 6));
/// assert_eq!(scalar.header_bits(true), 19);
/// assert_eq!(zfp_order(1), [0, 1, 2, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zfp {
    /// The data type of the array.
    pub data_type: DataType,
    /// The number of dimensions of a chunk, 0 to 4.
    pub rank: usize,
    /// The minimum number of bits in a block.
    pub min_bits: u32,
    /// The maximum number of bits in a block.
    pub max_bits: u32,
    /// The maximum number of bit planes of a block that are kept.
    pub max_precision: u32,
    /// The lowest bit plane of floats that is kept, as a power of two. Below [`Zfp::MIN_EXPONENT`], it
    /// selects the reversible algorithm, also for integers.
    pub min_exponent: i32,
}

/// A type that zfp itself compresses. Elements of any other type are promoted to one of these types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZfpScalar {
    /// `int32`, to which integers of up to 32 bits are promoted.
    Int32,
    /// `int64`, to which `uint64` is promoted.
    Int64,
    /// `float32`, to which smaller floats are promoted.
    Float32,
    /// `float64`.
    Float64,
}

impl Zfp {
    /// The largest value of `max_bits`, which sets no limit.
    pub const MAX_BITS: u32 = 16658;
    /// The largest value of `max_precision`, which sets no limit.
    pub const MAX_PRECISION: u32 = 64;
    /// The smallest value of `min_exponent` in a lossy codec, which sets no limit. It is the exponent of the
    /// smallest positive `float64`.
    pub const MIN_EXPONENT: i32 = -1074;

    /// The maximum size of a decoded or encoded chunk for which memory is allocated, in bytes. A limit is
    /// needed because a stream does not contain the size of its chunk, and a shape may state any size. This
    /// one is the size that an answer of the protocol can carry.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// The supported data types, starting with those that zfp itself compresses.
    pub const DATA_TYPES: [DataType; 27] = [
        DataType::Int32,
        DataType::Int64,
        DataType::Float32,
        DataType::Float64,
        DataType::Uint32,
        DataType::Uint64,
        DataType::Int2,
        DataType::Int4,
        DataType::Int8,
        DataType::Int16,
        DataType::Uint2,
        DataType::Uint4,
        DataType::Uint8,
        DataType::Uint16,
        DataType::Float16,
        DataType::Bfloat16,
        DataType::Float4E2m1fn,
        DataType::Float6E2m3fn,
        DataType::Float6E3m2fn,
        DataType::Float8E3m4,
        DataType::Float8E4m3,
        DataType::Float8E4m3b11fnuz,
        DataType::Float8E4m3fn,
        DataType::Float8E4m3fnuz,
        DataType::Float8E5m2,
        DataType::Float8E5m2fnuz,
        DataType::Float8E8m0fnu,
    ];

    /// Returns the lossless codec of the mode `reversible`.
    #[must_use]
    pub const fn reversible(data_type: DataType, rank: usize) -> Self {
        Self {
            data_type,
            rank,
            min_bits: 1,
            max_bits: Self::MAX_BITS,
            max_precision: Self::MAX_PRECISION,
            min_exponent: Self::MIN_EXPONENT - 1,
        }
    }

    /// Returns the codec of the mode `fixed_rate`, which stores `rate` bits per element in every block. Returns
    /// `None` for a data type for which zfp is not defined, for more than four dimensions, and for a rate at which
    /// a block would have less than one bit or more than [`Zfp::MAX_BITS`] (zfp.rate).
    ///
    /// ```
    /// use exactum_model::{DataType, Zfp};
    ///
    /// let codec = Zfp::fixed_rate(DataType::Int32, 2, 8.0).expect("a rate");
    /// assert_eq!((codec.min_bits, codec.max_bits), (128, 128));
    /// assert_eq!(Zfp::fixed_rate(DataType::Int32, 2, 0.01), None);
    /// ```
    #[must_use]
    pub fn fixed_rate(data_type: DataType, rank: usize, rate: f64) -> Option<Self> {
        let codec = Self::lossy(data_type, rank)?;
        // The number of bits is rounded to the nearest integer, with halves rounded up.
        let bits = f64::from(1 << (2 * codec.dimensions())) * rate + 0.5;
        if !(bits >= 1.0 && bits < f64::from(Self::MAX_BITS + 1)) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the fraction of a number from 1 to 16658 is dropped"
        )]
        let bits = (bits as u32).max(codec.scalar()?.header_bits(false));
        Some(Self {
            min_bits: bits,
            max_bits: bits,
            ..codec
        })
    }

    /// Returns the codec of the mode `fixed_precision`, which keeps `precision` bit planes of every block. Returns
    /// `None` for a data type for which zfp is not defined, for more than four dimensions, and for a precision of
    /// zero or more than [`Zfp::MAX_PRECISION`] (zfp.precision).
    ///
    /// ```
    /// use exactum_model::{DataType, Zfp};
    ///
    /// let codec = Zfp::fixed_precision(DataType::Float64, 3, 16).expect("a precision");
    /// assert_eq!(codec.max_precision, 16);
    /// assert_eq!(Zfp::fixed_precision(DataType::Float64, 3, 65), None);
    /// ```
    #[must_use]
    pub fn fixed_precision(data_type: DataType, rank: usize, precision: u32) -> Option<Self> {
        let codec = Self::lossy(data_type, rank)?;
        (1..=Self::MAX_PRECISION)
            .contains(&precision)
            .then_some(Self {
                max_precision: precision,
                ..codec
            })
    }

    /// Returns the codec of the mode `fixed_accuracy`, whose error is at most `tolerance`. Returns `None` for a
    /// data type for which zfp is not defined, for integers, which ignore the tolerance (zfp.accuracy.integers),
    /// for more than four dimensions, and for a tolerance that is not finite or not above zero
    /// (zfp.accuracy.tolerance).
    ///
    /// ```
    /// use exactum_model::{DataType, Zfp};
    ///
    /// let codec = Zfp::fixed_accuracy(DataType::Float32, 1, 0.3).expect("a tolerance");
    /// assert_eq!(codec.min_exponent, -2);
    /// assert_eq!(Zfp::fixed_accuracy(DataType::Int32, 1, 0.3), None);
    /// ```
    #[must_use]
    pub fn fixed_accuracy(data_type: DataType, rank: usize, tolerance: f64) -> Option<Self> {
        let codec = Self::lossy(data_type, rank)?;
        let heeds = codec.scalar()?.exponent_bits() > 0;
        (heeds && tolerance > 0.0 && tolerance.is_finite()).then_some(Self {
            min_exponent: floor_log2(tolerance),
            ..codec
        })
    }

    /// Returns a lossy codec without limits. Each mode then sets its own limit.
    fn lossy(data_type: DataType, rank: usize) -> Option<Self> {
        ZfpScalar::of(data_type)?;
        (rank <= 4).then_some(Self {
            min_exponent: Self::MIN_EXPONENT,
            ..Self::reversible(data_type, rank)
        })
    }

    /// Returns whether the codec uses the reversible algorithm, which is lossless unless `max_bits` or
    /// `max_precision` truncates a block.
    #[must_use]
    pub const fn is_reversible(&self) -> bool {
        self.min_exponent < Self::MIN_EXPONENT
    }

    /// Returns the type to which elements are promoted, or `None` for an unsupported data type.
    #[must_use]
    pub const fn scalar(&self) -> Option<ZfpScalar> {
        ZfpScalar::of(self.data_type)
    }

    /// Returns the number of dimensions of a block. An array without dimensions is treated as an array with one
    /// dimension.
    #[must_use]
    pub const fn dimensions(&self) -> usize {
        if self.rank == 0 { 1 } else { self.rank }
    }
}

/// Returns the exponent of the largest power of two that is not above a positive finite number.
fn floor_log2(number: f64) -> i32 {
    let (field, mantissa) = (number.to_bits() >> 52, number.to_bits() & ((1 << 52) - 1));
    match (i32::try_from(field), mantissa.checked_ilog2()) {
        (Ok(0), Some(top)) => top.cast_signed() - 1074,
        (field, _) => field.unwrap_or_default() - 1023,
    }
}

impl ZfpScalar {
    /// Returns whether elements of this data type are compressed without promotion.
    #[must_use]
    pub const fn is_own(data_type: DataType) -> bool {
        matches!(
            data_type,
            DataType::Int32 | DataType::Int64 | DataType::Float32 | DataType::Float64
        )
    }

    /// Returns the type to which elements of a data type are promoted, or `None` for an unsupported data
    /// type.
    #[must_use]
    pub const fn of(data_type: DataType) -> Option<Self> {
        Some(match data_type {
            DataType::Int2
            | DataType::Int4
            | DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Uint2
            | DataType::Uint4
            | DataType::Uint8
            | DataType::Uint16
            | DataType::Uint32 => ZfpScalar::Int32,
            DataType::Int64 | DataType::Uint64 => ZfpScalar::Int64,
            DataType::Float64 => ZfpScalar::Float64,
            _ => match data_type.format() {
                Format::Float(_) => ZfpScalar::Float32,
                _ => return None,
            },
        })
    }

    /// Returns the width in bits, 32 or 64.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            ZfpScalar::Int32 | ZfpScalar::Float32 => 32,
            ZfpScalar::Int64 | ZfpScalar::Float64 => 64,
        }
    }

    /// Returns the width in bits of the exponent at the beginning of a block of floats; 0 for integers.
    #[must_use]
    pub const fn exponent_bits(self) -> u32 {
        match self {
            ZfpScalar::Int32 | ZfpScalar::Int64 => 0,
            ZfpScalar::Float32 => 8,
            ZfpScalar::Float64 => 11,
        }
    }

    /// Returns the width in bits of the precision in the header of a reversible block.
    #[must_use]
    pub const fn precision_bits(self) -> u32 {
        match self {
            ZfpScalar::Int32 | ZfpScalar::Float32 => 5,
            ZfpScalar::Int64 | ZfpScalar::Float64 => 6,
        }
    }

    /// Returns the length in bits of the longest header of a block, for which `max_bits` must leave room. A lossy
    /// block of integers has no header, and a lossy block of floats has one bit and its exponent. A reversible
    /// block of integers has its precision; one of floats has the lossy header, another bit and its precision.
    #[must_use]
    pub const fn header_bits(self, reversible: bool) -> u32 {
        let float = match self.exponent_bits() {
            0 => 0,
            exponent => 1 + exponent,
        };
        match (reversible, float) {
            (false, float) => float,
            (true, 0) => self.precision_bits(),
            (true, float) => float + 1 + self.precision_bits(),
        }
    }
}

/// Returns the order in which the coefficients of a block of 1 to 4 dimensions are coded, as indices
/// `x + 4 y + 16 z + 64 w` (zfp.block.order). Coefficients are ordered by the sum of their coordinates, then by
/// the sum of the squares. The order among equal ones follows no rule, so only a table can give it.
///
/// # Panics
/// Panics if the number of dimensions is not from 1 to 4.
#[must_use]
pub const fn zfp_order(dimensions: usize) -> &'static [u8] {
    match dimensions {
        1 => &[0, 1, 2, 3],
        2 => &ORDER_2,
        3 => &ORDER_3,
        4 => &ORDER_4,
        _ => panic!("zfp has blocks of 1 to 4 dimensions"),
    }
}

const ORDER_2: [u8; 16] = [0, 1, 4, 5, 2, 8, 6, 9, 3, 12, 10, 7, 13, 11, 14, 15];

const ORDER_3: [u8; 64] = [
    0, 1, 4, 16, 20, 17, 5, 2, 8, 32, 21, 6, 18, 24, 9, 33, 36, 3, 12, 48, 22, 25, 37, 40, 34, 10,
    7, 19, 28, 13, 49, 52, 41, 38, 26, 23, 29, 53, 11, 35, 44, 14, 50, 56, 42, 27, 39, 45, 30, 54,
    57, 60, 51, 15, 43, 46, 58, 61, 55, 31, 62, 59, 47, 63,
];

const ORDER_4: [u8; 256] = [
    0, 1, 4, 16, 64, 5, 80, 17, 68, 65, 20, 2, 8, 32, 128, 84, 81, 69, 21, 6, 18, 66, 24, 72, 9,
    96, 33, 36, 129, 132, 144, 3, 12, 48, 192, 85, 82, 70, 22, 73, 25, 88, 37, 100, 97, 148, 145,
    133, 10, 160, 34, 136, 130, 40, 7, 19, 67, 28, 76, 13, 112, 49, 52, 193, 196, 208, 86, 89, 101,
    149, 161, 137, 41, 134, 38, 164, 26, 152, 146, 104, 98, 74, 83, 71, 23, 77, 29, 92, 53, 116,
    113, 212, 209, 197, 11, 35, 131, 44, 140, 14, 176, 50, 56, 194, 200, 224, 90, 165, 102, 153,
    150, 105, 168, 162, 138, 42, 87, 93, 117, 213, 27, 75, 99, 39, 135, 147, 108, 45, 141, 156, 30,
    78, 177, 180, 54, 114, 120, 57, 198, 210, 216, 201, 225, 228, 15, 240, 51, 204, 195, 60, 169,
    166, 154, 106, 91, 103, 151, 109, 157, 94, 181, 118, 121, 214, 217, 229, 163, 139, 43, 142, 46,
    172, 58, 184, 178, 232, 226, 202, 241, 205, 61, 199, 55, 244, 31, 220, 211, 124, 115, 79, 170,
    167, 155, 107, 158, 110, 173, 122, 185, 182, 233, 230, 218, 95, 245, 119, 221, 215, 125, 242,
    206, 62, 203, 59, 248, 47, 236, 227, 188, 179, 143, 171, 174, 186, 234, 246, 222, 126, 219,
    123, 249, 111, 237, 231, 189, 183, 159, 252, 243, 207, 63, 175, 250, 187, 238, 235, 190, 253,
    247, 223, 127, 254, 251, 239, 191, 255,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Every index occurs once. Indices are sorted by the sum of their base-4 digits and then by the sum of the
    /// squares of the digits.
    #[test]
    fn coefficients_are_ordered_by_degree() {
        for dimensions in 1..=4 {
            let order = zfp_order(dimensions);
            let degree = |index: u8| {
                let digits = (0..4).map(|axis| u32::from(index >> (2 * axis) & 3));
                let squares: u32 = digits.clone().map(|digit| digit * digit).sum();
                (digits.sum::<u32>(), squares)
            };
            assert!(
                order.is_sorted_by_key(|&index| degree(index)),
                "{dimensions}"
            );
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            assert!(
                sorted
                    .iter()
                    .copied()
                    .eq((0..=255).take(1 << (2 * dimensions)))
            );
        }
    }

    #[test]
    fn data_types_are_those_that_become_one_of_its_own() {
        for data_type in DataType::ALL {
            let listed = Zfp::DATA_TYPES.contains(data_type);
            assert_eq!(ZfpScalar::of(*data_type).is_some(), listed, "{data_type}");
        }
        let (own, others) = Zfp::DATA_TYPES.split_at(4);
        assert!(own.iter().all(|it| ZfpScalar::is_own(*it)));
        assert!(!others.iter().any(|it| ZfpScalar::is_own(*it)));
    }

    #[test]
    fn headers_are_those_of_the_description() {
        let rows = [
            (ZfpScalar::Int32, 0, 5),
            (ZfpScalar::Int64, 0, 6),
            (ZfpScalar::Float32, 9, 15),
            (ZfpScalar::Float64, 12, 19),
        ];
        for (scalar, lossy, reversible) in rows {
            assert_eq!(scalar.header_bits(false), lossy, "{scalar:?}");
            assert_eq!(scalar.header_bits(true), reversible, "{scalar:?}");
        }
    }
}
