//! The request for a packing, and the planned packing (sds.plan).

use super::{Infinite, Profile, SdsType};

/// The policy for choosing the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Use the middle three quarters of the codes, as the note does (sds.5.6).
    Tn115,
    /// Use all free codes.
    Full,
    /// Use the greatest power of two that is not above the SCALE of [`Policy::Tn115`].
    PowerOfTwo,
    /// Use the greatest power of ten that is not above the SCALE of [`Policy::Tn115`], with a whole OFFSET,
    /// so that values with few decimals are stored exactly.
    Decimal,
    /// Use steps of this size: the binary64 bits of a positive finite number.
    Quantum(u64),
}

/// The special values that must survive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// NaN, as the missing code.
    pub nan: bool,
    /// Positive infinity.
    pub positive_infinity: bool,
    /// Negative infinity; unsigned types lack a code for it.
    pub negative_infinity: bool,
}

/// A range of values to store as integers. The ends are binary64 bits.
///
/// ```
/// use exactum_model::sds::{Needs, Plan, PlanRequest, Policy, Profile, SdsType};
///
/// let request = PlanRequest {
///     minimum: 0.0_f64.to_bits(),
///     maximum: 100.0_f64.to_bits(),
///     target: SdsType::I2,
///     needs: Needs { nan: true, ..Needs::default() },
///     policy: Policy::Decimal,
///     profile: Profile::default(),
/// };
/// /// An implementation says whether NaN has a code.
/// fn keeps_nan(plan: &Plan) -> bool {
///     plan.fill.is_some()
/// }
/// assert!(request.needs.nan);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanRequest {
    /// The least value.
    pub minimum: u64,
    /// The greatest value.
    pub maximum: u64,
    /// The integer type.
    pub target: SdsType,
    /// The special values that must survive.
    pub needs: Needs,
    /// The policy for choosing the scale.
    pub policy: Policy,
    /// The edition of the types.
    pub profile: Profile,
}

/// A packing. Numbers are binary64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// SCALE.
    pub scale: u64,
    /// OFFSET.
    pub offset: u64,
    /// The code of NaN, if it must survive.
    pub fill: Option<i64>,
    /// The codes of infinities, if they must survive.
    pub infinite: Option<Infinite>,
    /// A bound of `|value - value read back|` over the range, in binary64 arithmetic; rounded upwards.
    pub maximum_error: u64,
    /// The fraction of the range by which values may leave it on either side and still have a code, or
    /// nothing if the range is a single value.
    pub headroom: Option<u64>,
    /// The offset of the Zarr codec `scale_offset`; its scale is SCALE.
    pub zarr_offset: u64,
}
