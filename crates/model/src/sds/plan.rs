//! Requests for packings, and the packings that are planned for them (sds.plan).

use super::{Infinite, Profile, SdsType};

/// A policy for choosing the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Uses the middle three quarters of the codes, as the note does (sds.5.6).
    Tn115,
    /// Uses all free codes.
    Full,
    /// Uses the largest power of two that does not exceed the SCALE of [`Policy::Tn115`].
    PowerOfTwo,
    /// Uses the largest power of ten that does not exceed the SCALE of [`Policy::Tn115`], with an integer OFFSET,
    /// so that values with few decimals are stored exactly.
    Decimal,
    /// Uses steps of this size, given as the binary64 bits of a positive finite number.
    Quantum(u64),
}

/// The special values that must survive packing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Whether NaN must survive, as the code of missing values.
    pub nan: bool,
    /// Whether positive infinity must survive.
    pub positive_infinity: bool,
    /// Whether negative infinity must survive. Unsigned types have no code for it.
    pub negative_infinity: bool,
}

/// A request to store a range of values as integers. The ends of the range are binary64 bits.
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
    /// The smallest value of the range.
    pub minimum: u64,
    /// The largest value of the range.
    pub maximum: u64,
    /// The integer type of the codes.
    pub target: SdsType,
    /// The special values that must survive packing.
    pub needs: Needs,
    /// The policy for choosing the scale.
    pub policy: Policy,
    /// The edition that defines the ranges of the types.
    pub profile: Profile,
}

/// A planned packing. Numbers are binary64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The attribute SCALE.
    pub scale: u64,
    /// The attribute OFFSET.
    pub offset: u64,
    /// The code of NaN, if NaN must survive.
    pub fill: Option<i64>,
    /// The codes of infinities, if infinities must survive.
    pub infinite: Option<Infinite>,
    /// An upper bound of `|value - value read back|` over the range in binary64 arithmetic, rounded upwards.
    pub maximum_error: u64,
    /// How far a value may lie outside the range, on either side, and still have a code, as a fraction of the
    /// length of the range. `None` if the range is a single value.
    pub headroom: Option<u64>,
    /// The offset of the Zarr codec `scale_offset`; its scale is SCALE.
    pub zarr_offset: u64,
}
