//! Compares the conversions of Rust numbers with the functions of the codecs.

use exactum_model::{Array, CastValue, DataType, MapEntry, Rejection, ScaleOffset};
use exactum_optimized::{
    Cast, Error, Pack, PackBits, PaddingEncoding, Reason, Rounding, Zfp, cast_value, packbits,
    scale_offset, zfp,
};

/// Returns more numbers than a block holds, including NaN, ties and values out of range.
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
    CastValue::new(DataType::Float64, DataType::Uint8)
        .rounding(Rounding::NearestAway)
        .clamp()
        .encode_map(vec![MapEntry::new(f64::NAN.to_bits(), 255)])
        .decode_map(vec![MapEntry::new(255, f64::NAN.to_bits())])
}

fn scaling() -> ScaleOffset {
    ScaleOffset::new(DataType::Float64)
        .offset((-20.0_f64).to_bits())
        .scale(0.5_f64.to_bits())
}

fn pack() -> Pack<f64, u8> {
    Pack::builder()
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
    let cast = Cast::<f64, u8>::builder()
        .rounding(Rounding::NearestAway)
        .clamp()
        .map(f64::NAN, 255)
        .build()
        .expect("a cast");
    let expected = cast_value::encode(&codec(), &array(&values)).expect("an array");
    assert_eq!(cast.convert(&values).expect("bytes"), expected.data());
    let mut output = vec![0; values.len()];
    cast.convert_bytes_into(array(&values).data(), &mut output)
        .expect("bytes");
    assert_eq!(output, expected.data());
}

#[test]
fn a_packing_is_both_codecs_and_back() {
    let values = numbers();
    let scaled = scale_offset::encode(&scaling(), &array(&values)).expect("an array");
    let expected = cast_value::encode(&codec(), &scaled).expect("an array");
    let packed = pack().encode(&values).expect("bytes");
    assert_eq!(packed, expected.data());

    let back = cast_value::decode(&codec(), &expected).expect("an array");
    let back = scale_offset::decode(&scaling(), &back).expect("an array");
    let unpacked = pack().decode(&packed).expect("numbers");
    let unpacked: Vec<u8> = unpacked
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    assert_eq!(unpacked, back.data());
}

#[test]
fn errors_are_those_of_the_codecs_one_after_another() {
    let pack = Pack::<f32, u8>::builder()
        .scale(1e30)
        .build()
        .expect("a packing");
    // The cast would reject the first of these, but the scaling comes before it and rejects the other.
    let mut values = vec![0.0; 5000];
    values[5] = 1.0;
    values[3000] = 1e30;
    let error = pack.encode(&values).expect_err("both are too large");
    assert_eq!(
        (error.element(), error.reason()),
        (Some(3000), Reason::OutOfRange)
    );
    assert!(error.clause().starts_with("scale_offset."), "{error}");
    values[3000] = 0.0;
    let error = pack.encode(&values).expect_err("one is too large");
    assert_eq!(
        (error.element(), error.reason()),
        (Some(5), Reason::OutOfRange)
    );
    assert!(error.clause().starts_with("cast_value."), "{error}");
    let rejection = Rejection::new(Reason::Shape, "chain.shape", "words").help("fix it");
    assert_eq!(
        Error::from(rejection).to_string(),
        "words (chain.shape); fix it"
    );
    for length in [0, 4999, 5001] {
        let error = pack
            .encode_into(&values, &mut vec![0; length])
            .expect_err("another length");
        assert_eq!(error.reason(), Reason::Shape);
    }
}

#[test]
fn words_are_those_of_the_codecs() {
    let cast = Cast::<f64, u8>::builder().build().expect("a cast");
    let codec = CastValue {
        out_of_range: None,
        encode_map: Vec::new(),
        ..codec()
    };
    for value in [f64::NAN, 1e300, -1.5, 5e-324, f64::NEG_INFINITY] {
        let Err(error) = cast.convert(&[0.0, value]) else {
            continue;
        };
        let codec = CastValue {
            rounding: Rounding::NearestEven,
            ..codec.clone()
        };
        let rejection =
            cast_value::encode(&codec, &array(&[0.0, value])).expect_err("out of range");
        let help = rejection.help.as_deref();
        assert_eq!(error.help(), help);
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        assert_eq!(error.to_string(), format!("element 1: {rejection}{help}"));
    }
}

#[test]
fn packed_bits_are_those_of_the_codec() {
    let numbers: Vec<i16> = (0..1000).map(|i| i * 31 - 12_345).collect();
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    let array = Array::new(DataType::Int16, vec![1000], bytes.collect()).expect("an array");
    for padding in PaddingEncoding::ALL {
        for (first, last) in [(0, 15), (0, 0), (3, 13), (8, 15)] {
            let codec = exactum_model::PackBits {
                data_type: DataType::Int16,
                padding,
                first_bit: first,
                last_bit: last,
            };
            let bits = PackBits::<i16>::builder()
                .bits(first, last)
                .padding(padding);
            let bits = bits.build().expect("a range");
            let expected = packbits::encode(&codec, &array).expect("bytes");
            assert_eq!(bits.encode(&numbers).expect("bytes"), expected);
            let back = packbits::decode(&codec, &[1000], &expected).expect("an array");
            let unpacked = bits.decode(&expected, 1000).expect("numbers");
            let unpacked: Vec<u8> = unpacked.iter().flat_map(|n| n.to_le_bytes()).collect();
            assert_eq!(unpacked, back.data());
            let error = bits.decode(&expected[1..], 1000).expect_err("too few");
            assert_eq!(
                (error.reason(), error.clause()),
                (Reason::Truncated, "packbits.length")
            );
            assert!(bits.decode(&[], usize::MAX).is_err());
        }
    }
    for (first, last, clause) in [
        (2, 1, "packbits.bits.order"),
        (0, 16, "packbits.bits.width"),
        (u32::MAX, u32::MAX, "packbits.bits.width"),
    ] {
        let error = PackBits::<i16>::builder().bits(first, last).build().err();
        assert_eq!(error.map(|error| error.clause()), Some(clause));
    }
}

#[test]
fn zfp_is_the_codec_and_its_settings_are_those_of_documents() {
    let numbers: Vec<f64> = numbers().iter().map(|n| n.max(-9.0)).take(600).collect();
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    let array = Array::new(DataType::Float64, vec![20, 30], bytes.collect()).expect("an array");
    let none = exactum_model::Zfp {
        min_exponent: -1074,
        ..exactum_model::Zfp::reversible(DataType::Float64, 2)
    };
    let settings = || Zfp::<f64>::builder(&[20, 30]);
    for (built, codec) in [
        (
            settings(),
            exactum_model::Zfp::reversible(DataType::Float64, 2),
        ),
        (
            settings().rate(5.03),
            exactum_model::Zfp {
                min_bits: 80,
                max_bits: 80,
                ..none
            },
        ),
        (
            settings().rate(0.1),
            exactum_model::Zfp {
                min_bits: 12,
                max_bits: 12,
                ..none
            },
        ),
        (
            settings().precision(17),
            exactum_model::Zfp {
                max_precision: 17,
                ..none
            },
        ),
        (
            settings().tolerance(0.3),
            exactum_model::Zfp {
                min_exponent: -2,
                ..none
            },
        ),
        (
            settings().tolerance(5e-324),
            exactum_model::Zfp {
                min_exponent: -1074,
                ..none
            },
        ),
    ] {
        let built = built.build().expect("a compression");
        let expected = zfp::encode(&codec, &array).expect("bytes");
        assert_eq!(
            built.encode(&numbers).expect("bytes"),
            expected,
            "{codec:?}"
        );
        let back = zfp::decode(&codec, &[20, 30], &expected).expect("an array");
        let numbers = built.decode(&expected).expect("numbers");
        let numbers: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(numbers, back.data());
    }
    for (built, clause) in [
        (settings().rate(0.0), "zfp.rate"),
        (settings().rate(f64::NAN), "zfp.rate"),
        (settings().rate(1e9), "zfp.rate"),
        (settings().precision(0), "zfp.precision"),
        (settings().precision(65), "zfp.precision"),
        (settings().tolerance(-1.0), "zfp.accuracy.tolerance"),
        (
            settings().tolerance(f64::INFINITY),
            "zfp.accuracy.tolerance",
        ),
        (Zfp::builder(&[2; 5]), "zfp.rank"),
        (Zfp::builder(&[0]), "zfp.rank"),
    ] {
        let error = built.build().err();
        assert_eq!(error.map(|error| error.clause()), Some(clause));
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_make_no_difference() {
    let cast = Cast::<f64, u8>::builder().build().expect("a cast");
    let mut values = vec![7.0; 300_000];
    let mut output = vec![0; values.len()];
    cast.par_convert_into(&values, &mut output).expect("bytes");
    assert!(output.iter().all(|&byte| byte == 7));
    values[70_000] = -1.0;
    values[290_000] = -1.0;
    let error = cast
        .par_convert_into(&values, &mut output)
        .expect_err("out of range");
    assert_eq!(error.element(), Some(70_000));
    assert!(cast.par_convert_into(&values, &mut output[1..]).is_err());
}

#[cfg(feature = "half")]
#[test]
fn halves_are_elements() {
    use half::{bf16, f16};

    let cast = Cast::<f32, f16>::builder().build().expect("a cast");
    assert_eq!(cast.convert(&[0.1]).expect("halves"), [f16::from_f32(0.1)]);
    let cast = Cast::<bf16, f32>::builder().build().expect("a cast");
    assert_eq!(
        cast.convert(&[bf16::from_f32(0.5)]).expect("numbers"),
        [0.5]
    );
}
