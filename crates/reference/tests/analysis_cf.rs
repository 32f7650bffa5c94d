//! The analysis of a packed variable agrees with the results of trying every value of a range.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "parameters and ranges are written as hardware floats, and results are compared exactly"
)]

use exactum_exact::Exact;
use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, Cf, Chain, CodecPipeline, DataType, Endian,
    PackBits, Scalar,
};
use exactum_reference::analysis::{Effort, FaultKind, analyse, put, single, stored_type};
use fastrand::Rng;

/// Returns a chain for one element, which is packed, and whose code may be further packed into bits.
fn chain(codec: Cf, bits: Option<PackBits>) -> Chain {
    let (unpacked, packed) = (codec.unpacked, codec.packed);
    Chain {
        data_type: unpacked,
        chunk_shape: Vec::new(),
        fill_value: Scalar::new(unpacked, 0),
        pipeline: CodecPipeline::new(
            vec![ArrayToArray {
                name: "cf".into(),
                pointer: "/attributes".into(),
                codec: ArrayCodec::Cf(codec),
                data_type: packed,
                shape: Vec::new(),
            }],
            match bits {
                Some(codec) => ArrayToBytes::PackBits(codec),
                None => ArrayToBytes::Bytes(Bytes::new(packed, Some(Endian::Little))),
            },
        ),
    }
}

fn any_codec(rng: &mut Rng) -> Cf {
    let packed = rng.choice([DataType::Int8, DataType::Uint8]).expect("one");
    let counted = match rng.u8(..3) {
        0 => DataType::Uint8,
        _ => packed,
    };
    let scale = match rng.u8(..4) {
        0 => None,
        1 => Some(0.1_f32),
        2 => Some(-0.25),
        _ => Some(2f32.powi(rng.i32(-20..20)) * (1.0 + rng.f32())),
    };
    let offset = match rng.u8(..3) {
        0 => None,
        1 => Some(273.15_f32),
        _ => Some((rng.f32() - 0.5) * 100.0),
    };
    let codes = |rng: &mut Rng| (0..rng.usize(..4)).map(|_| rng.u64(..256)).collect();
    let bits = |value: Option<f32>| value.map(|value| u64::from(value.to_bits()));
    Cf {
        unpacked: DataType::Float32,
        packed,
        counted,
        scale_factor: bits(scale),
        add_offset: bits(offset),
        missing: codes(rng),
        valid: match rng.u8(..3) {
            0 => (rng.i64(-130..100), rng.i64(0..260)),
            _ => (i64::MIN, i64::MAX),
        },
    }
}

/// Maps a float32 to an integer, such that integers have the same order as the floats.
fn key(value: f32) -> i64 {
    let bits = i64::from(value.to_bits() & 0x7fff_ffff);
    if value.is_sign_negative() {
        -bits - 1
    } else {
        bits
    }
}

fn bits(key: i64) -> u64 {
    let magnitude = if key < 0 { -key - 1 } else { key };
    let sign = if key < 0 { 0x8000_0000 } else { 0 };
    u64::try_from(magnitude).expect("a magnitude") | sign
}

/// Analyses a range of neighbouring numbers, and compares the analysis with the results of trying all of them.
fn check(chain: &Chain, [first, last]: [i64; 2]) {
    let what = || {
        format!(
            "{:?}: {first}..{last}",
            chain.pipeline.array_to_array[0].codec
        )
    };
    let format = chain.data_type.format();
    let one = single(chain).expect("single elements");
    let effort = Effort {
        codes: 1 << 12,
        values: 8,
    };
    let analysis = analyse(chain, [first, last].map(bits), effort).expect("an analysis");
    assert_eq!(analysis.stored, stored_type(chain).expect("a type"));
    assert!(analysis.complete, "{}", what());
    let (mut worst, mut all_finite) = (Exact::integer(0), true);
    for at in first..=last {
        let value = bits(at);
        let outcome = put(&one, value);
        let back = outcome.as_ref().ok().and_then(|it| it.back.as_ref().ok());
        let back = back.map(|bits| Exact::from_bits(&format, *bits));
        let finite = back.filter(|it| matches!(it, Exact::Zero { .. } | Exact::Finite(_)));
        let faults = analysis.faults.iter().filter(|fault| {
            let [from, to] = [fault.first, fault.last]
                .map(|it| f32::from_bits(u32::try_from(it).expect("float32")));
            (key(from)..=key(to)).contains(&at)
        });
        let lost = faults.count();
        match finite {
            None => {
                all_finite = false;
                assert!(lost > 0, "{}: {value:x} {outcome:?}", what());
            }
            Some(back) => {
                let error = back.subtract(&Exact::from_bits(&format, value));
                let error = if error.is_negative() {
                    error.negate()
                } else {
                    error
                };
                if error.compare(&worst).is_some_and(std::cmp::Ordering::is_gt) {
                    worst = error;
                }
            }
        }
    }
    assert!(all_finite || !analysis.is_proof(), "{}", what());
    if let (true, Some(error)) = (analysis.is_proof(), &analysis.error) {
        let order = worst.compare(&error.bound);
        assert!(
            order.is_some_and(std::cmp::Ordering::is_le),
            "{}: {worst:?} {error:?}",
            what()
        );
        if error.is_exact() {
            assert!(order.is_some_and(std::cmp::Ordering::is_eq), "{}", what());
        }
    }
}

/// The ranges lie around the values of codes and around the middles between these values, where the cases of a step
/// end.
#[test]
fn every_value_of_a_range_is_as_the_analysis_says() {
    let rng = &mut Rng::with_seed(5);
    let mut proofs = 0;
    for round in 0..300 {
        let codec = any_codec(rng);
        let code = rng.f32() * 300.0 - 150.0;
        let code = if rng.bool() {
            code.round()
        } else {
            code.floor() + 0.5
        };
        let of = |bits: Option<u64>, none: f32| {
            bits.map_or(none, |it| {
                f32::from_bits(u32::try_from(it).expect("float32"))
            })
        };
        let value = code * of(codec.scale_factor, 1.0) + of(codec.add_offset, 0.0);
        let middle = key(value);
        let range = [middle - rng.i64(0..100), middle + rng.i64(0..100)];
        let bits = (round % 5 == 0).then(|| PackBits::whole(codec.packed).bits(0, 6));
        let chain = chain(codec, bits);
        let effort = Effort {
            codes: 0,
            values: 0,
        };
        let ends = range.map(self::bits);
        let analysis =
            analyse(&chain, ends, effort).unwrap_or_else(|it| panic!("{range:?} {value}: {it}"));
        proofs += usize::from(analysis.is_proof());
        check(&chain, range);
    }
    assert!(
        (50..250).contains(&proofs),
        "{proofs} of 300 analyses are proofs"
    );
}

/// The proof that a user with temperatures in kelvins would ask for.
#[test]
fn an_array_of_kelvins_is_proved() {
    let bits = |value: f64| Some(value.to_bits());
    let codec = Cf {
        unpacked: DataType::Float64,
        packed: DataType::Int16,
        counted: DataType::Int16,
        scale_factor: bits(0.01),
        add_offset: bits(273.15),
        missing: vec![0x8001],
        valid: (i64::MIN, i64::MAX),
    };
    let chain = chain(codec, None);
    let effort = Effort {
        codes: 0,
        values: 64,
    };
    let analysis = |least: f64, greatest: f64| {
        analyse(&chain, [least.to_bits(), greatest.to_bits()], effort).expect("a range")
    };
    let proof = analysis(200.0, 330.0);
    assert!(proof.is_proof(), "{:?}", proof.faults);
    let signed = |bits: u64| u16::try_from(bits).expect("16 bits").cast_signed();
    assert_eq!(proof.codes.map(|it| it.map(signed)), Some([-7315, 5685]));
    let half = Exact::from_bits(&DataType::Float64.format(), 0.005_000_000_1_f64.to_bits());
    let bound = proof.error.expect("an error").bound;
    assert!(
        bound.compare(&half).is_some_and(std::cmp::Ordering::is_le),
        "{bound:?}"
    );
    // -32767 is a missing code, and quotients below -32768.5 have no code.
    let refuted = analysis(-60.0, 330.0);
    assert!(!refuted.is_proof());
    assert!(
        refuted
            .faults
            .iter()
            .all(|it| it.kind == FaultKind::Rejected),
        "{:?}",
        refuted.faults
    );
    assert_eq!(refuted.faults.len(), 2, "{:?}", refuted.faults);
}
