//! The crate `half`, as a codec to float16 for arrays of float32 and float64.

use exactum_conformance::model::{Array, CastValue, DataType, OutOfRange, Rounding};
use exactum_conformance::{Call, Codec, Codecs, Fault, Hello, Outcome, Stored};
use half::f16;
use serde_json::{Value, json};

/// The version that is linked; a test compares it with `Cargo.lock`.
const VERSION: &str = "2.7.1";

/// The crate `half`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Half;

impl Codecs for Half {
    fn hello(&self) -> Hello {
        // Its conversions round to nearest-even, overflow to infinity and do not support a scalar map.
        let modes = [
            ("rounding", vec![Value::Null, json!("nearest-even")]),
            ("out_of_range", vec![json!("clamp")]),
            ("scalar_map", vec![Value::Null]),
        ];
        let domain = |from: &[&str], to: &[&str]| {
            let names = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
            let mut domain = vec![("from", names(from)), ("to", names(to))];
            domain.extend(modes.clone());
            domain
        };
        let (wide, narrow) = (["float32", "float64"], ["float16"]);
        let mut hello = Hello::new("half", VERSION, "rust")
            .offering_part("cast_value.encode", &domain(&wide, &narrow))
            .offering_part("cast_value.decode", &domain(&narrow, &wide));
        hello.configurations = false;
        hello
    }

    fn call(&self, call: &Call) -> Outcome {
        let (codec, from, to, input) = match call {
            Call::Encode(Codec::CastValue(codec), input) => {
                (codec, codec.decoded, codec.encoded, input)
            }
            Call::Decode(Codec::CastValue(codec), Stored::Array(input)) => {
                (codec, codec.encoded, codec.decoded, input)
            }
            call => return call.not_offered(),
        };
        require_modes(codec)?;
        let output = match (from, to) {
            (DataType::Float32, DataType::Float16) => convert::<4, 2>(to, input, |wide| {
                f16::from_f32(f32::from_le_bytes(wide)).to_le_bytes()
            }),
            (DataType::Float64, DataType::Float16) => convert::<8, 2>(to, input, |wide| {
                f16::from_f64(f64::from_le_bytes(wide)).to_le_bytes()
            }),
            (DataType::Float16, DataType::Float32) => convert::<2, 4>(to, input, |narrow| {
                f16::from_le_bytes(narrow).to_f32().to_le_bytes()
            }),
            (DataType::Float16, DataType::Float64) => convert::<2, 8>(to, input, |narrow| {
                f16::from_le_bytes(narrow).to_f64().to_le_bytes()
            }),
            _ => not_offered(),
        };
        Ok(output?.into())
    }
}

fn require_modes(codec: &CastValue) -> Outcome<()> {
    let plain = codec.encode_map.is_empty() && codec.decode_map.is_empty();
    if plain
        && codec.rounding == Rounding::NearestEven
        && codec.out_of_range == Some(OutOfRange::Clamp)
    {
        Ok(())
    } else {
        not_offered()
    }
}

fn not_offered<T>() -> Outcome<T> {
    Err(Fault::Unsupported(
        "half converts between float16 and wider floats only".into(),
    ))
}

fn convert<const FROM: usize, const TO: usize>(
    to: DataType,
    input: &Array,
    element: impl Fn([u8; FROM]) -> [u8; TO],
) -> Outcome<Array> {
    let (elements, rest) = input.data().as_chunks::<FROM>();
    if !rest.is_empty() {
        return Err(Fault::Error("the input is of another data type".into()));
    }
    let data = elements.iter().flat_map(|&bytes| element(bytes)).collect();
    Ok(Array::new(to, input.shape().to_vec(), data)?)
}

#[cfg(test)]
mod tests {
    use crate::versions::locked;

    #[test]
    fn the_version_is_the_one_that_is_linked() {
        assert_eq!(locked("half"), super::VERSION);
    }
}
