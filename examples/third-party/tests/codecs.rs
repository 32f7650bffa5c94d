//! Judges `narrow` as an implementation of the codec cast_value.

use exactum_suite::model::{Array, CastValue, DataType, OutOfRange, Reason, Rejection, Rounding};
use exactum_suite::{Call, Codec, Codecs, Hello, Outcome};

struct ThirdParty;

impl Codecs for ThirdParty {
    fn hello(&self) -> Hello {
        let settings = [
            ("from", vec!["float32".into()]),
            ("to", vec!["int8".into()]),
            ("rounding", vec!["nearest-even".into()]),
            ("out_of_range", vec!["clamp".into()]),
            ("scalar_map", vec![().into()]),
        ];
        let mut hello = Hello::new("third-party", env!("CARGO_PKG_VERSION"), "rust")
            .offering_part("cast_value.encode", &settings);
        // A bare function reads no configuration.
        hello.configurations = false;
        hello
    }

    fn call(&self, call: &Call) -> Outcome {
        let Call::Encode(Codec::CastValue(cast), input) = call else {
            return call.not_offered();
        };
        let clamps = matches!(
            cast,
            CastValue { rounding: Rounding::NearestEven, out_of_range: Some(OutOfRange::Clamp), .. }
        );
        if !clamps || !cast.encode_map.is_empty() || input.data_type() != DataType::Float32 {
            return call.not_offered();
        }
        let (numbers, _) = input.data().as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let narrow = third_party::narrow(&numbers)
            .ok_or_else(|| Rejection::new(Reason::NotANumber, "cast_value.special.nan-error", "NaN"))?;
        let bytes = narrow.iter().map(|value| value.cast_unsigned()).collect();
        Ok(Array::new(DataType::Int8, input.shape().to_vec(), bytes)?.into())
    }
}

exactum_suite::suite!(ThirdParty, "tests/expectations.toml");
