//! The conversions of Rust's own numbers against the functions of the codecs.

use exactum_model::{Array, CastValue, DataType, MapEntry, OutOfRange, Rejection, ScaleOffset};
use exactum_optimized::{Cast, Error, Pack, Reason, Rounding, cast_value, scale_offset};

/// More than a block, with a NaN, ties and values out of range.
fn numbers() -> Vec<f64> {
    (0..5000_i32)
        .map(|i| match i % 7 {
            0 => f64::NAN,
            1 => f64::from(i) * 100.0,
            _ => f64::from(i % 500) / 2.0 - 20.0,
        })
        .collect()
}

fn array(values: &[f64]) -> Array {
    let bytes = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    Array::new(DataType::Float64, vec![values.len() as u64], bytes).expect("an array")
}

fn codec() -> CastValue {
    CastValue {
        decoded: DataType::Float64,
        encoded: DataType::Uint8,
        rounding: Rounding::NearestAway,
        out_of_range: Some(OutOfRange::Clamp),
        encode_map: vec![MapEntry {
            input: f64::NAN.to_bits(),
            output: 255,
        }],
        decode_map: vec![MapEntry {
            input: 255,
            output: f64::NAN.to_bits(),
        }],
    }
}

fn scaling() -> ScaleOffset {
    ScaleOffset {
        data_type: DataType::Float64,
        offset: Some((-20.0_f64).to_bits()),
        scale: Some(0.5_f64.to_bits()),
    }
}

fn pack() -> Pack<f64, u8> {
    Pack::new()
        .offset(-20.0)
        .scale(0.5)
        .rounding(Rounding::NearestAway)
        .clamp()
        .map(f64::NAN, 255)
        .build()
        .expect("a packing")
}

#[test]
fn a_cast_is_the_codec() {
    let values = numbers();
    let cast = Cast::<f64, u8>::new()
        .rounding(Rounding::NearestAway)
        .clamp()
        .map(f64::NAN, 255)
        .build()
        .expect("a cast");
    let expected = cast_value::encode(&codec(), &array(&values)).expect("an array");
    assert_eq!(cast.to_vec(&values).expect("bytes"), expected.data());
    let mut output = vec![0; values.len()];
    cast.bytes(array(&values).data(), &mut output)
        .expect("bytes");
    assert_eq!(output, expected.data());
}

#[test]
fn a_packing_is_both_codecs_and_back() {
    let values = numbers();
    let scaled = scale_offset::encode(&scaling(), &array(&values)).expect("an array");
    let expected = cast_value::encode(&codec(), &scaled).expect("an array");
    let packed = pack().pack(&values).expect("bytes");
    assert_eq!(packed, expected.data());

    let back = cast_value::decode(&codec(), &expected).expect("an array");
    let back = scale_offset::decode(&scaling(), &back).expect("an array");
    let unpacked = pack().unpack(&packed).expect("numbers");
    let unpacked: Vec<u8> = unpacked
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    assert_eq!(unpacked, back.data());
}

#[test]
fn errors_are_those_of_the_codecs_one_after_another() {
    let pack = Pack::<f32, u8>::new()
        .scale(1e30)
        .build()
        .expect("a packing");
    // The cast would reject the first of these, but the scale comes before and rejects the other.
    let mut values = vec![0.0; 5000];
    values[5] = 1.0;
    values[3000] = 1e30;
    let error = pack.pack(&values).expect_err("both are too large");
    assert_eq!(
        (error.element(), error.reason()),
        (Some(3000), Reason::OutOfRange)
    );
    assert!(error.clause().starts_with("scale_offset."), "{error}");
    values[3000] = 0.0;
    let error = pack.pack(&values).expect_err("one is too large");
    assert_eq!(
        (error.element(), error.reason()),
        (Some(5), Reason::OutOfRange)
    );
    assert!(error.clause().starts_with("cast_value."), "{error}");
    let rejection = Rejection::new(Reason::Shape, "chain.shape", "words").help("mend it");
    assert_eq!(
        Error::from(rejection).to_string(),
        "words (chain.shape); mend it"
    );
    for length in [0, 4999, 5001] {
        let error = pack
            .pack_into(&values, &mut vec![0; length])
            .expect_err("another length");
        assert_eq!(error.reason(), Reason::Shape);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_make_no_difference() {
    let cast = Cast::<f64, u8>::new().build().expect("a cast");
    let mut values = vec![7.0; 300_000];
    let mut output = vec![0; values.len()];
    cast.par_slice(&values, &mut output).expect("bytes");
    assert!(output.iter().all(|&byte| byte == 7));
    values[70_000] = -1.0;
    values[290_000] = -1.0;
    let error = cast.par_slice(&values, &mut output).expect_err("no u8");
    assert_eq!(error.element(), Some(70_000));
    assert!(cast.par_slice(&values, &mut output[1..]).is_err());
}

#[cfg(feature = "half")]
#[test]
fn halves_are_elements() {
    use half::{bf16, f16};

    let cast = Cast::<f32, f16>::new().build().expect("a cast");
    assert_eq!(cast.to_vec(&[0.1]).expect("halves"), [f16::from_f32(0.1)]);
    let cast = Cast::<bf16, f32>::new().build().expect("a cast");
    assert_eq!(cast.to_vec(&[bf16::from_f32(0.5)]).expect("numbers"), [0.5]);
}
