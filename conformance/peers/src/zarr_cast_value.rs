//! The crate `zarr-cast-value`, as it is: bytes in, its own function, bytes out.
//!
//! It does no documents: configurations reach it resolved, so it says `"configurations": false`.

use exactum_conformance::model::{Array, Cast, DataType, OutOfRange, Reason, Rejection, Rounding};
use exactum_conformance::{Call, Codec, Codecs, Fault, Hello, Outcome, Stored};
use serde_json::Value;
use zarr_cast_value::{
    CastError, CastFloat, CastInt, CastInto, CastNum, FloatToFloatConfig, FloatToIntConfig,
    IntToFloatConfig, IntToIntConfig, MapEntry, OutOfRangeMode, RoundingMode,
    convert_slice_float_to_float, convert_slice_float_to_int, convert_slice_int_to_float,
    convert_slice_int_to_int, f16,
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

/// An element type of the crate, as bytes hold it.
trait Element: CastNum {
    fn from_bits(bits: u64) -> Self;
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

macro_rules! into {
    ($cast:ident, $input:ident, $from:ty, $to_integer:ident, $to_float:ident) => {
        match $cast.to {
            DataType::Int8 => $to_integer::<$from, i8>($cast, $input),
            DataType::Int16 => $to_integer::<$from, i16>($cast, $input),
            DataType::Int32 => $to_integer::<$from, i32>($cast, $input),
            DataType::Int64 => $to_integer::<$from, i64>($cast, $input),
            DataType::Uint8 => $to_integer::<$from, u8>($cast, $input),
            DataType::Uint16 => $to_integer::<$from, u16>($cast, $input),
            DataType::Uint32 => $to_integer::<$from, u32>($cast, $input),
            DataType::Uint64 => $to_integer::<$from, u64>($cast, $input),
            DataType::Float16 => $to_float::<$from, f16>($cast, $input),
            DataType::Float32 => $to_float::<$from, f32>($cast, $input),
            DataType::Float64 => $to_float::<$from, f64>($cast, $input),
            other => Err(Fault::Unsupported(format!("{other} is not offered"))),
        }
    };
}

fn cast(cast: &Cast<'_>, input: &Array) -> Outcome<Array> {
    match cast.from {
        DataType::Int8 => into!(cast, input, i8, integer_to_integer, integer_to_float),
        DataType::Int16 => into!(cast, input, i16, integer_to_integer, integer_to_float),
        DataType::Int32 => into!(cast, input, i32, integer_to_integer, integer_to_float),
        DataType::Int64 => into!(cast, input, i64, integer_to_integer, integer_to_float),
        DataType::Uint8 => into!(cast, input, u8, integer_to_integer, integer_to_float),
        DataType::Uint16 => into!(cast, input, u16, integer_to_integer, integer_to_float),
        DataType::Uint32 => into!(cast, input, u32, integer_to_integer, integer_to_float),
        DataType::Uint64 => into!(cast, input, u64, integer_to_integer, integer_to_float),
        DataType::Float16 => into!(cast, input, f16, float_to_integer, float_to_float),
        DataType::Float32 => into!(cast, input, f32, float_to_integer, float_to_float),
        DataType::Float64 => into!(cast, input, f64, float_to_integer, float_to_float),
        other => Err(Fault::Unsupported(format!("{other} is not offered"))),
    }
}

fn integer_to_integer<Src, Dst>(cast: &Cast<'_>, input: &Array) -> Outcome<Array>
where
    Src: Element + CastInt + CastInto<Dst>,
    Dst: Element + CastInt,
{
    let config = IntToIntConfig {
        map_entries: map(cast),
        out_of_range: out_of_range(cast),
    };
    convert(cast, input, |from, to| {
        convert_slice_int_to_int::<Src, Dst>(from, to, &config)
    })
}

fn integer_to_float<Src, Dst>(cast: &Cast<'_>, input: &Array) -> Outcome<Array>
where
    Src: Element + CastInt + CastInto<Dst>,
    Dst: Element + CastFloat,
{
    let config = IntToFloatConfig {
        map_entries: map(cast),
        rounding: rounding(cast),
        out_of_range: out_of_range(cast),
    };
    convert(cast, input, |from, to| {
        convert_slice_int_to_float::<Src, Dst>(from, to, &config)
    })
}

fn float_to_integer<Src, Dst>(cast: &Cast<'_>, input: &Array) -> Outcome<Array>
where
    Src: Element + CastFloat + CastInto<Dst> + 'static,
    Dst: Element + CastInt + 'static,
{
    let config = FloatToIntConfig {
        map_entries: map(cast),
        rounding: rounding(cast),
        out_of_range: out_of_range(cast),
    };
    convert(cast, input, |from, to| {
        convert_slice_float_to_int::<Src, Dst>(from, to, &config)
    })
}

fn float_to_float<Src, Dst>(cast: &Cast<'_>, input: &Array) -> Outcome<Array>
where
    Src: Element + CastFloat + CastInto<Dst> + 'static,
    Dst: Element + CastFloat + 'static,
{
    let config = FloatToFloatConfig {
        map_entries: map(cast),
        rounding: rounding(cast),
        out_of_range: out_of_range(cast),
    };
    convert(cast, input, |from, to| {
        convert_slice_float_to_float::<Src, Dst>(from, to, &config)
    })
}

fn convert<Src: Element, Dst: Element>(
    cast: &Cast<'_>,
    input: &Array,
    call: impl FnOnce(&[Src], &mut [Dst]) -> Result<(), CastError>,
) -> Outcome<Array> {
    let from: Vec<Src> = input.components().map(Src::from_bits).collect();
    let mut to = vec![Dst::from_bits(0); from.len()];
    call(&from, &mut to).map_err(refuse)?;
    let mut data = Vec::with_capacity(to.len() * cast.to.element_bytes());
    for element in to {
        element.push(&mut data);
    }
    Ok(Array::new(cast.to, input.shape().to_vec(), data)?)
}

/// The errors that the crate names as the input's fault.
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
