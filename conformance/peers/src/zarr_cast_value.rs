//! The unmodified crate `zarr-cast-value`: bytes in, its own function, bytes out.
//!
//! It does not parse documents. It receives resolved configurations, so it declares `"configurations": false`.

use exactum_conformance::model::{Array, Cast, DataType, OutOfRange, Reason, Rejection, Rounding};
use exactum_conformance::{Call, Codec, Codecs, Fault, Hello, Outcome, Stored};
use serde_json::Value;
use zarr_cast_value::{
    CastError, CastNum, FloatToFloatConfig, FloatToIntConfig, IntToFloatConfig, IntToIntConfig,
    MapEntry, OutOfRangeMode, RoundingMode, convert_slice_float_to_float,
    convert_slice_float_to_int, convert_slice_int_to_float, convert_slice_int_to_int, f16,
};

/// The version that is linked; a test compares it with `Cargo.lock`.
const VERSION: &str = "0.5.1";

/// The crate `zarr-cast-value`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZarrCastValue;

impl Codecs for ZarrCastValue {
    fn hello(&self) -> Hello {
        let types: Vec<Value> = [
            "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
            "float32", "float64",
        ]
        .map(Value::from)
        .to_vec();
        let domain = [("from", types.clone()), ("to", types)];
        let mut hello = Hello::new("zarr-cast-value", VERSION, "rust")
            .offering_part("cast_value.encode", &domain)
            .offering_part("cast_value.decode", &domain);
        hello.configurations = false;
        hello
    }

    fn call(&self, call: &Call) -> Outcome {
        let output = match call {
            Call::Encode(Codec::CastValue(codec), input) => cast(&codec.encoding(), input),
            Call::Decode(Codec::CastValue(codec), Stored::Array(input)) => {
                cast(&codec.decoding(), input)
            }
            call => call.not_offered(),
        };
        Ok(output?.into())
    }
}

/// An element type of the crate, with its representation in bytes.
pub trait Element: CastNum {
    /// Returns the element with these bits.
    fn from_bits(bits: u64) -> Self;

    /// Appends the bytes of the element, little-endian.
    fn push(self, data: &mut Vec<u8>);
}

macro_rules! element {
    ($($type:ty, $bytes:literal;)*) => {$(
        impl Element for $type {
            fn from_bits(bits: u64) -> Self {
                let mut bytes = [0; $bytes];
                bytes.copy_from_slice(&bits.to_le_bytes()[..$bytes]);
                <$type>::from_le_bytes(bytes)
            }

            fn push(self, data: &mut Vec<u8>) {
                data.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

element! {
    i8, 1; i16, 2; i32, 4; i64, 8;
    u8, 1; u16, 2; u32, 4; u64, 8;
    f16, 2; f32, 4; f64, 8;
}

/// The crate's own function for a pair of element types.
pub trait Convert<Dst: Element>: Element {
    /// Casts every element of the input.
    ///
    /// # Errors
    /// If an element cannot be cast.
    fn convert(cast: &Cast<'_>, input: &[Self], output: &mut [Dst]) -> Result<(), CastError>;
}

/// One pair, then all targets of a source, then all sources.
macro_rules! pairs {
    (pair $source:ty, $target:ty; $function:ident; $config:ident { $($field:ident),* }) => {
        impl Convert<$target> for $source {
            fn convert(
                cast: &Cast<'_>,
                input: &[Self],
                output: &mut [$target],
            ) -> Result<(), CastError> {
                let config = $config {
                    map_entries: map(cast),
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
    [i8 i16 i32 i64 u8 u16 u32 u64]; [f16 f32 f64];
    convert_slice_int_to_float; IntToFloatConfig { rounding, out_of_range }
);
pairs!(
    [f16 f32 f64]; [i8 i16 i32 i64 u8 u16 u32 u64];
    convert_slice_float_to_int; FloatToIntConfig { rounding, out_of_range }
);
pairs!(
    [f16 f32 f64]; [f16 f32 f64];
    convert_slice_float_to_float; FloatToFloatConfig { rounding, out_of_range }
);

/// Calls a function with the element type of a data type appended to its other type parameters.
macro_rules! with_type {
    ($data_type:expr, $function:ident, [$($front:ty)?], $cast:ident, $input:ident) => {
        match $data_type {
            DataType::Int8 => $function::<$($front,)? i8>($cast, $input),
            DataType::Int16 => $function::<$($front,)? i16>($cast, $input),
            DataType::Int32 => $function::<$($front,)? i32>($cast, $input),
            DataType::Int64 => $function::<$($front,)? i64>($cast, $input),
            DataType::Uint8 => $function::<$($front,)? u8>($cast, $input),
            DataType::Uint16 => $function::<$($front,)? u16>($cast, $input),
            DataType::Uint32 => $function::<$($front,)? u32>($cast, $input),
            DataType::Uint64 => $function::<$($front,)? u64>($cast, $input),
            DataType::Float16 => $function::<$($front,)? f16>($cast, $input),
            DataType::Float32 => $function::<$($front,)? f32>($cast, $input),
            DataType::Float64 => $function::<$($front,)? f64>($cast, $input),
            other => Err(Fault::Unsupported(format!("{other} is not offered"))),
        }
    };
}

fn cast(cast: &Cast<'_>, input: &Array) -> Outcome<Array> {
    with_type!(cast.from, cast_from, [], cast, input)
}

fn cast_from<Src>(cast: &Cast<'_>, input: &Array) -> Outcome<Array>
where
    Src: Convert<i8> + Convert<i16> + Convert<i32> + Convert<i64>,
    Src: Convert<u8> + Convert<u16> + Convert<u32> + Convert<u64>,
    Src: Convert<f16> + Convert<f32> + Convert<f64>,
{
    with_type!(cast.to, convert, [Src], cast, input)
}

fn convert<Src: Convert<Dst>, Dst: Element>(cast: &Cast<'_>, input: &Array) -> Outcome<Array> {
    let from: Vec<Src> = input.components().map(Src::from_bits).collect();
    let mut to = vec![Dst::from_bits(0); from.len()];
    Src::convert(cast, &from, &mut to).map_err(refuse)?;
    let mut data = Vec::with_capacity(to.len() * cast.to.element_bytes());
    for element in to {
        element.push(&mut data);
    }
    Ok(Array::new(cast.to, input.shape().to_vec(), data)?)
}

/// Converts an error of the crate that blames the input into a rejection.
fn refuse(error: CastError) -> Fault {
    let (reason, clause) = match &error {
        CastError::NanOrInf { value } if value.is_nan() => {
            (Reason::NotANumber, "cast_value.special.nan-error")
        }
        CastError::NanOrInf { .. } => (Reason::NotFinite, "cast_value.special.infinity-error"),
        CastError::OutOfRange { .. } | CastError::FloatOutOfRange { .. } => {
            (Reason::OutOfRange, "cast_value.range.error")
        }
        CastError::LengthMismatch { .. } => return Fault::Error(error.to_string()),
    };
    Fault::Reject(Rejection::new(reason, clause, error.to_string()))
}

fn map<Src: Element, Dst: Element>(cast: &Cast<'_>) -> Vec<MapEntry<Src, Dst>> {
    cast.map
        .iter()
        .map(|entry| MapEntry {
            src: Src::from_bits(entry.input),
            tgt: Dst::from_bits(entry.output),
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

#[cfg(test)]
mod tests {
    use crate::versions::locked;

    #[test]
    fn the_version_is_the_one_that_is_linked() {
        assert_eq!(locked("zarr-cast-value"), super::VERSION);
    }
}
