//! Promises that the analysis makes about single codecs: unknown codecs are rejected, the keys of maps survive, and
//! the reported relative errors are bounds.

mod numbers;

use exactum_exact::Exact;
use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, CastValue, Chain, CodecPipeline, DataType,
    Endian, MapEntry, Reason, Scalar, ScaleOffset,
};
use exactum_reference::analysis::{Effort, analyse, put, relative_error, single};

use numbers::numbers;

/// Returns a chain with a single codec.
fn of_one(data_type: DataType, codec: ArrayCodec) -> Chain {
    let (_, stored) = codec.data_types().expect("elementwise");
    Chain {
        data_type,
        chunk_shape: vec![1],
        fill_value: Scalar::new(data_type, 0),
        pipeline: CodecPipeline::new(
            vec![ArrayToArray {
                name: "codec".into(),
                pointer: String::new(),
                codec,
                data_type: stored,
                shape: vec![1],
            }],
            ArrayToBytes::Bytes(Bytes::new(stored, Some(Endian::Little))),
        ),
    }
}

/// A codec that the analysis does not model is rejected by name, because ignoring it would give a false proof.
#[test]
fn an_unknown_codec_is_refused() {
    let effort = Effort {
        codes: 0,
        values: 0,
    };
    let scale = ScaleOffset::new(DataType::Float64);
    let mut chain = of_one(DataType::Float64, scale.into());
    chain.pipeline.array_to_bytes = ArrayToBytes::Foreign("pcodec".into());
    let refused = analyse(&chain, [0, 1.0_f64.to_bits()], effort).expect_err("unknown");
    assert_eq!(refused.reason, Reason::UnsupportedCodec);
    assert!(refused.message.contains("pcodec"), "{refused}");
}

/// Scalar maps of a cast from int16 to int16 over 0..50, and whether the analysis gives a proof. It does if each key
/// is read back as itself and no other value has the key's code.
#[test]
fn keys_come_back_as_themselves() {
    type Map<'a> = &'a [(i16, i16)];
    let rows: [(Map<'_>, Map<'_>, bool, [i16; 2]); 8] = [
        (&[], &[], true, [0, 50]),
        // The key is a value of the range, but its code 100 is read back as 100.
        (&[(7, 100)], &[], false, [0, 100]),
        (&[(7, 100)], &[(100, 7)], true, [0, 100]),
        (&[(7, 100)], &[(100, 8)], false, [0, 100]),
        // Two keys share a code, and only one is read back.
        (&[(7, 100), (8, 100)], &[(100, 7)], false, [0, 100]),
        // The other key is not a value of the range, but it is read back as a value of the range.
        (&[(7, 100), (90, 100)], &[(100, 7)], false, [0, 100]),
        // Neither the key nor its code is in the range.
        (&[(90, 100)], &[], true, [0, 50]),
        // A code of the range is read back as another value.
        (&[], &[(7, 100)], false, [0, 50]),
    ];
    for (encode, decode, is_proof, codes) in rows {
        let bits = |value: i16| u64::from(value.cast_unsigned());
        let map = |entries: &[(i16, i16)]| {
            let entries = entries
                .iter()
                .map(|&(input, output)| MapEntry::new(bits(input), bits(output)));
            entries.collect()
        };
        let codec = CastValue::new(DataType::Int16, DataType::Int16)
            .encode_map(map(encode))
            .decode_map(map(decode));
        let chain = of_one(DataType::Int16, codec.into());
        let effort = Effort {
            codes: 100,
            values: 0,
        };
        let analysis = analyse(&chain, [0, 50], effort).expect("integers");
        let row = format!("{encode:?} {decode:?}: {:?}", analysis.faults);
        assert_eq!(analysis.is_proof(), is_proof, "{row}");
        assert_eq!(analysis.codes, Some(codes.map(bits)), "{row}");
    }
}

/// The reported relative error of a cast of float16, or of a scaling of int16, is at least the error of every value. If
/// all codes are tried, it equals the error of one of the values. Otherwise, it is at most 30 % larger, because the
/// analysis does not know that bfloat16 is read back to float16 exactly.
#[test]
fn relative_errors_bound_those_of_all_values() {
    let exact = |text| Exact::decimal(text).expect("a number");
    let cast = |encoded| CastValue::new(DataType::Float16, encoded);
    for encoded in [
        DataType::Float8E4m3,
        DataType::Float8E5m2,
        DataType::Bfloat16,
        DataType::Int16,
    ] {
        let chain = of_one(DataType::Float16, cast(encoded).into());
        let one = single(&chain).expect("elementwise");
        let format = DataType::Float16.format();
        let all = numbers(DataType::Float16);
        let zero = all.iter().position(|bits| *bits == 0x8000).expect("-0");
        // Ranges with and without zeros, and with values from a certain magnitude on.
        for (values, from) in [
            (&all[zero - 17_000..zero + 18_000], "0.02"),
            (&all[zero + 10_000..zero + 12_000], "0"),
            (&all[zero - 18_000..zero - 9_000], "0.001"),
        ] {
            let from = exact(from);
            let mut worst = Exact::integer(0);
            for &bits in values {
                let value = Exact::from_bits(&format, bits);
                let size = if value.is_negative() {
                    value.negate()
                } else {
                    value.clone()
                };
                let is_small = size.compare(&from).is_some_and(std::cmp::Ordering::is_lt);
                if is_small || matches!(value, Exact::Zero { .. }) {
                    continue;
                }
                let back = put(&one, bits).expect("stored").back.expect("read");
                let error = Exact::from_bits(&format, back)
                    .subtract(&value)
                    .divide(&value);
                let error = if error.is_negative() {
                    error.negate()
                } else {
                    error
                };
                if error.compare(&worst).is_some_and(std::cmp::Ordering::is_gt) {
                    worst = error;
                }
            }
            let range = [values[0], values[values.len() - 1]];
            for (codes, factor) in [(100_000, "1"), (0, "1.3")] {
                let effort = Effort { codes, values: 8 };
                let found = relative_error(&chain, range, &from, effort);
                let found = found.expect("a range").expect("an error");
                let row = format!("{encoded}: {worst:?} {found:?}");
                let bound = worst.compare(&found.bound);
                assert!(bound.is_some_and(std::cmp::Ordering::is_le), "{row}");
                let most = worst.multiply(&exact(factor));
                let is_near = encoded == DataType::Int16 && codes == 0
                    || found
                        .bound
                        .compare(&most)
                        .is_some_and(std::cmp::Ordering::is_le);
                assert!(is_near, "{row}");
            }
        }
    }
}
