//! The operation of the `cast_value` codec.

use alloc::vec::Vec;

use crate::data_type::DataType;
use crate::elementwise::Elementwise;

/// A rounding mode (cast_value.rounding.*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Rounding {
    /// Rounds to the nearest value; a tie goes to the value whose last digit is even.
    #[default]
    NearestEven,
    /// Rounds towards zero.
    TowardsZero,
    /// Rounds towards positive infinity.
    TowardsPositive,
    /// Rounds towards negative infinity.
    TowardsNegative,
    /// Rounds to the nearest value; a tie goes to the value that is farther from zero.
    NearestAway,
}

impl Rounding {
    /// Every mode, in the order of the specification.
    pub const ALL: &[Rounding] = &[
        Rounding::NearestEven,
        Rounding::TowardsZero,
        Rounding::TowardsPositive,
        Rounding::TowardsNegative,
        Rounding::NearestAway,
    ];

    /// Returns the name in metadata.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "nearest-even",
            Rounding::TowardsZero => "towards-zero",
            Rounding::TowardsPositive => "towards-positive",
            Rounding::TowardsNegative => "towards-negative",
            Rounding::NearestAway => "nearest-away",
        }
    }
}

/// A rule for rounded values outside the target's range (cast_value.range.*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfRange {
    /// Replaces the value by the nearest value of the target, which is an infinity if the target has infinities.
    Clamp,
    /// Replaces the value by the value of the target that is congruent to it modulo `2^N`.
    Wrap,
}

impl OutOfRange {
    /// Every rule.
    pub const ALL: &[OutOfRange] = &[OutOfRange::Clamp, OutOfRange::Wrap];

    /// Returns the name in metadata.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OutOfRange::Clamp => "clamp",
            OutOfRange::Wrap => "wrap",
        }
    }
}

/// An entry of a scalar map: the bits of an input scalar and of the output scalar that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapEntry {
    /// The bits of the input in the source data type. Elements are compared with it by value.
    pub input: u64,
    /// The bits of the output in the target data type, which are copied unchanged.
    pub output: u64,
}

/// A resolved `cast_value` codec, whose scalar maps hold the bits of both data types.
///
/// ```
/// use exactum_model::{CastSpec, CastValue, DataType, MapEntry, Rounding};
///
/// let nan = f32::NAN.to_bits().into();
/// let codec = CastValue::new(DataType::Float32, DataType::Uint8)
///     .rounding(Rounding::NearestAway)
///     .clamp()
///     .encode_map(vec![MapEntry::new(nan, 255)])
///     .decode_map(vec![MapEntry::new(255, nan)]);
/// let back: CastSpec<'_> = codec.decoding();
/// assert_eq!((back.from, back.to), (codec.encoding().to, codec.encoding().from));
/// assert_eq!(codec.rounding.name(), "nearest-away");
/// // Integers may wrap around instead.
/// assert_eq!(codec.wrap().out_of_range.map(|rule| rule.name()), Some("wrap"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastValue {
    /// The data type before encoding and after decoding. It is real.
    pub decoded: DataType,
    /// The data type after encoding and before decoding, which is the configuration's `data_type`. It is real.
    pub encoded: DataType,
    /// The rounding mode, for both directions.
    pub rounding: Rounding,
    /// The rule for values out of range. Without one, they are rejected.
    pub out_of_range: Option<OutOfRange>,
    /// `scalar_map.encode`, in the order written.
    pub encode_map: Vec<MapEntry>,
    /// `scalar_map.decode`, in the order written.
    pub decode_map: Vec<MapEntry>,
}

/// One direction of a [`CastValue`]. Both directions follow the same procedure, with the data types swapped
/// (cast_value.decode).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastSpec<'a> {
    /// The data type of the input. It is real.
    pub from: DataType,
    /// The data type of the output. It is real.
    pub to: DataType,
    /// The rounding mode.
    pub rounding: Rounding,
    /// The rule for values out of range, as configured. If the output is a float, the implementation must treat
    /// [`OutOfRange::Wrap`] as absent (cast_value.range.wrap-into-float).
    pub out_of_range: Option<OutOfRange>,
    /// The scalar map of this direction.
    pub map: &'a [MapEntry],
}

impl MapEntry {
    /// Creates an entry from the bits of its scalars.
    #[must_use]
    pub const fn new(input: u64, output: u64) -> Self {
        Self { input, output }
    }
}

impl<'a> CastSpec<'a> {
    /// Creates a cast without a scalar map.
    #[must_use]
    pub const fn new(
        from: DataType,
        to: DataType,
        rounding: Rounding,
        out_of_range: Option<OutOfRange>,
    ) -> Self {
        Self {
            from,
            to,
            rounding,
            out_of_range,
            map: &[],
        }
    }

    /// Sets the scalar map, in order of precedence.
    #[must_use]
    pub const fn map(mut self, map: &'a [MapEntry]) -> Self {
        self.map = map;
        self
    }
}

impl CastValue {
    /// Creates a codec that rounds to nearest-even, rejects values out of range and has empty scalar maps.
    #[must_use]
    pub const fn new(decoded: DataType, encoded: DataType) -> Self {
        Self {
            decoded,
            encoded,
            rounding: Rounding::NearestEven,
            out_of_range: None,
            encode_map: Vec::new(),
            decode_map: Vec::new(),
        }
    }

    /// Sets the rounding mode.
    #[must_use]
    pub const fn rounding(mut self, rounding: Rounding) -> Self {
        self.rounding = rounding;
        self
    }

    /// Sets the rule for values out of range.
    #[must_use]
    pub const fn out_of_range(mut self, rule: Option<OutOfRange>) -> Self {
        self.out_of_range = rule;
        self
    }

    /// Makes the codec replace values out of range by the nearest value (cast_value.range.clamp).
    #[must_use]
    pub const fn clamp(mut self) -> Self {
        self.out_of_range = Some(OutOfRange::Clamp);
        self
    }

    /// Makes the codec replace values out of an integer's range by the congruent value (cast_value.range.wrap).
    #[must_use]
    pub const fn wrap(mut self) -> Self {
        self.out_of_range = Some(OutOfRange::Wrap);
        self
    }

    /// Sets the scalar map for encoding, in order of precedence.
    #[must_use]
    pub fn encode_map(mut self, map: Vec<MapEntry>) -> Self {
        self.encode_map = map;
        self
    }

    /// Sets the scalar map for decoding, in order of precedence.
    #[must_use]
    pub fn decode_map(mut self, map: Vec<MapEntry>) -> Self {
        self.decode_map = map;
        self
    }

    /// Returns the cast that encoding performs.
    #[must_use]
    pub fn encoding(&self) -> CastSpec<'_> {
        CastSpec::new(self.decoded, self.encoded, self.rounding, self.out_of_range)
            .map(&self.encode_map)
    }

    /// Returns the cast that decoding performs.
    #[must_use]
    pub fn decoding(&self) -> CastSpec<'_> {
        CastSpec::new(self.encoded, self.decoded, self.rounding, self.out_of_range)
            .map(&self.decode_map)
    }
}

impl Elementwise for CastValue {
    const FILL: &'static str = "cast_value.fill.cast";

    fn data_types(&self) -> (DataType, DataType) {
        (self.decoded, self.encoded)
    }
}
