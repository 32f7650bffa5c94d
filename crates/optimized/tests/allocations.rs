//! Tests that using a planned conversion allocates nothing, and that a rejection allocates very little.
//!
//! The test has no harness (see `Cargo.toml`): what the harness allocates on its own thread would be counted.

use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, CastValue, Chain, CodecPipeline, DataType, MapEntry,
    PackBits as Packed, Scalar, ScaleOffset,
};
use exactum_optimized::chain::{Planned, Scratch};
use exactum_optimized::{Cast, Error, Pack, PackBits, Zfp};
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Returns the maximum number of bytes allocated during the work, beyond those allocated before it.
fn taken<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let result = work();
    (result, HEAP.peak_usage().saturating_sub(before))
}

/// Returns (in - 10) * 2, transposed, as a byte with 255 for NaN, in 7 bits.
fn chain() -> Chain {
    let step = |name: &str, codec, data_type, shape: &[u64]| ArrayToArray {
        name: name.into(),
        pointer: String::new(),
        codec,
        data_type,
        shape: shape.to_vec(),
    };
    let scaling = ScaleOffset::new(DataType::Float64)
        .offset(10.0_f64.to_bits())
        .scale(2.0_f64.to_bits());
    let (nan, code) = (f64::NAN.to_bits(), 127);
    let cast = CastValue::new(DataType::Float64, DataType::Uint8)
        .encode_map(vec![MapEntry::new(nan, code)])
        .decode_map(vec![MapEntry::new(code, nan)]);
    Chain {
        data_type: DataType::Float64,
        chunk_shape: vec![50, 100],
        fill_value: Scalar::new(DataType::Float64, nan.into()),
        pipeline: CodecPipeline::new(
            vec![
                step(
                    "scale_offset",
                    ArrayCodec::ScaleOffset(scaling),
                    DataType::Float64,
                    &[50, 100],
                ),
                step(
                    "transpose",
                    ArrayCodec::Transpose(vec![1, 0]),
                    DataType::Float64,
                    &[100, 50],
                ),
                step(
                    "cast_value",
                    ArrayCodec::CastValue(cast),
                    DataType::Uint8,
                    &[100, 50],
                ),
            ],
            ArrayToBytes::PackBits(Packed::whole(DataType::Uint8).bits(0, 6)),
        ),
    }
}

fn main() -> Result<(), Error> {
    let mut values: Vec<f64> = (0..5000_u16)
        .map(|i| 10.0 + f64::from(i % 100) / 2.0)
        .collect();
    values[70] = f64::NAN;
    let (mut codes, mut bits, mut back) = (vec![0_u8; 5000], vec![0; 4375], vec![0.0; 5000]);

    let cast = Cast::<f64, u8>::builder().map(f64::NAN, 127).build()?;
    assert_eq!(
        taken(|| cast.convert_into(&values, &mut codes)),
        (Ok(()), 0)
    );
    let pack = Pack::<f64, u8>::builder().offset(10.0).scale(2.0);
    let pack = pack.map(f64::NAN, 127).build()?;
    assert_eq!(taken(|| pack.encode_into(&values, &mut codes)), (Ok(()), 0));
    assert_eq!(taken(|| pack.decode_into(&codes, &mut back)), (Ok(()), 0));
    let seven = PackBits::<u8>::builder().bits(0, 6).build()?;
    assert_eq!(taken(|| seven.encode_into(&codes, &mut bits)), (Ok(()), 0));
    assert_eq!(taken(|| seven.decode_into(&bits, &mut codes)), (Ok(()), 0));
    let zfp = Zfp::builder(&[50, 100]).build()?;
    let mut stream = Vec::new();
    zfp.encode_into(&values, &mut stream)?;
    assert_eq!(taken(|| zfp.encode_into(&values, &mut stream)), (Ok(()), 0));
    assert_eq!(taken(|| zfp.decode_into(&stream, &mut back)), (Ok(()), 0));

    let planned = Planned::new(chain())?;
    let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
    for round in 0..3 {
        let (result, bytes) =
            taken(|| planned.encode_slice_into(&values, &mut stored, &mut scratch));
        result?;
        back.fill(0.0);
        let (result, more) = taken(|| planned.decode_slice_into(&stored, &mut back, &mut scratch));
        result?;
        assert!(
            round == 0 || bytes + more == 0,
            "{bytes} bytes allocated for encoding, {more} for decoding"
        );
        let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
        assert!(back.iter().zip(&values).all(same));
    }

    // The message is only formatted when it is displayed.
    values[4000] = -1e300;
    let (error, bytes) = taken(|| {
        cast.convert_into(&values, &mut codes)
            .expect_err("out of range")
    });
    assert_eq!(error.element(), Some(4000));
    assert!(bytes <= 256, "{bytes} bytes allocated");
    assert!(error.to_string().contains("-1e300"));
    Ok(())
}
