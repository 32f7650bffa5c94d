//! The slice functions of `zarr-cast-value`, called as it wants to be called.

use exactum_conformance::model::{Cast, OutOfRange, Rounding};
use exactum_optimized::{Element, F16};
use zarr_cast_value::{
    CastError, FloatToFloatConfig, FloatToIntConfig, IntToFloatConfig, IntToIntConfig, MapEntry,
    OutOfRangeMode, RoundingMode, convert_slice_float_to_float, convert_slice_float_to_int,
    convert_slice_int_to_float, convert_slice_int_to_int, f16,
};

/// An element of both libraries.
pub(super) trait Number: Copy + Element {
    /// The type that `zarr-cast-value` takes.
    type Peer: Copy + 'static;

    /// An element from the bits of its data type.
    fn from_bits(bits: u64) -> Self;

    /// The nearest element to a float64; benchmarks choose numbers that all types hold.
    fn from_f64(value: f64) -> Self;

    /// The bytes, little-endian.
    fn bytes(self) -> Vec<u8>;

    fn peer(self) -> Self::Peer;
}

/// The bytes of elements, one after another.
pub(super) fn bytes<N: Number>(elements: &[N]) -> Vec<u8> {
    elements
        .iter()
        .flat_map(|element| element.bytes())
        .collect()
}

macro_rules! numbers {
    ($($type:ty: $bits:ty;)*) => {$(
        impl Number for $type {
            type Peer = $type;

            #[allow(
                clippy::cast_possible_truncation,
                reason = "the bits of the element; nothing is cut from the widest types"
            )]
            fn from_bits(bits: u64) -> Self {
                <$type>::from_ne_bytes((bits as $bits).to_ne_bytes())
            }

            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "numbers that all types hold, or clamped ones"
            )]
            fn from_f64(value: f64) -> Self {
                value as $type
            }

            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }

            fn peer(self) -> Self {
                self
            }
        }
    )*};
}

numbers! {
    i8: u8; i16: u16; i32: u32; i64: u64;
    u8: u8; u16: u16; u32: u32; u64: u64;
    f32: u32; f64: u64;
}

impl Number for F16 {
    type Peer = f16;

    #[expect(clippy::cast_possible_truncation, reason = "the bits of the element")]
    fn from_bits(bits: u64) -> Self {
        F16(bits as u16)
    }

    fn from_f64(value: f64) -> Self {
        F16(f16::from_f64(value).to_bits())
    }

    fn bytes(self) -> Vec<u8> {
        self.0.to_le_bytes().to_vec()
    }

    fn peer(self) -> f16 {
        f16::from_bits(self.0)
    }
}

/// The function of a pair.
pub(super) trait Pair<T: Number>: Number {
    fn convert(
        cast: &Cast<'_>,
        input: &[Self::Peer],
        output: &mut [T::Peer],
    ) -> Result<(), CastError>;
}

fn map<S: Number, T: Number>(cast: &Cast<'_>) -> Vec<MapEntry<S::Peer, T::Peer>> {
    cast.map
        .iter()
        .map(|entry| MapEntry {
            src: S::from_bits(entry.input).peer(),
            tgt: T::from_bits(entry.output).peer(),
        })
        .collect()
}

fn rounding(cast: &Cast<'_>) -> RoundingMode {
    match cast.rounding {
        Rounding::NearestEven => RoundingMode::NearestEven,
        Rounding::TowardsZero => RoundingMode::TowardsZero,
        Rounding::TowardsPositive => RoundingMode::TowardsPositive,
        Rounding::TowardsNegative => RoundingMode::TowardsNegative,
        Rounding::NearestAway => RoundingMode::NearestAway,
    }
}

fn out_of_range(cast: &Cast<'_>) -> Option<OutOfRangeMode> {
    cast.out_of_range.map(|rule| match rule {
        OutOfRange::Clamp => OutOfRangeMode::Clamp,
        OutOfRange::Wrap => OutOfRangeMode::Wrap,
    })
}

/// One pair, then all targets of a source, then all sources.
macro_rules! pairs {
    (pair $source:ty, $target:ty; $function:ident; $config:ident { $($field:ident),* }) => {
        impl Pair<$target> for $source {
            fn convert(
                cast: &Cast<'_>,
                input: &[Self::Peer],
                output: &mut [<$target as Number>::Peer],
            ) -> Result<(), CastError> {
                let config = $config {
                    map_entries: map::<$source, $target>(cast),
                    $($field: $field(cast),)*
                };
                $function(input, output, &config)
            }
        }
    };
    (source $source:ty; [$($target:ty)*]; $function:ident; $config:ident $fields:tt) => {
        $(pairs!(pair $source, $target; $function; $config $fields);)*
    };
    ([$($source:ty)*]; $targets:tt; $function:ident; $config:ident $fields:tt) => {
        $(pairs!(source $source; $targets; $function; $config $fields);)*
    };
}
pairs!(
    [i8 i16 i32 i64 u8 u16 u32 u64]; [i8 i16 i32 i64 u8 u16 u32 u64];
    convert_slice_int_to_int; IntToIntConfig { out_of_range }
);
pairs!(
    [i8 i16 i32 i64 u8 u16 u32 u64]; [F16 f32 f64];
    convert_slice_int_to_float; IntToFloatConfig { rounding, out_of_range }
);
pairs!(
    [F16 f32 f64]; [i8 i16 i32 i64 u8 u16 u32 u64];
    convert_slice_float_to_int; FloatToIntConfig { rounding, out_of_range }
);
pairs!(
    [F16 f32 f64]; [F16 f32 f64];
    convert_slice_float_to_float; FloatToFloatConfig { rounding, out_of_range }
);
