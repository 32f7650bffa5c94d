//! From values of `exactum-model` to JSON and back.

use exactum_metadata::document::{ArrayMetadata, Codec, Configuration};
use exactum_metadata::{
    parse_array, parse_cast_value, parse_fill_value, parse_fixed_scale_offset, parse_packbits,
    parse_scale_offset, parse_zfp,
};
use exactum_model::{
    ArrayCodec, ArrayToBytes, Bytes, CastValue, DataType, Endian, FixedScaleOffset,
    FixedScaleOffsetNumber, Format, MapEntry, OutOfRange, PackBits, PaddingEncoding, Rounding,
    Scalar, ScaleOffset, Zfp, ZfpScalar,
};

/// Returns interesting bits of a data type: the ends, the sign, and codes that are not numbers.
fn bits(data_type: DataType) -> Vec<u64> {
    let format = data_type.format();
    let mask = format.component_mask();
    let mut bits = vec![0, 1, mask >> 1, (mask >> 1) + 1, mask, mask / 3];
    if let Some(float) = format.float() {
        bits.extend(
            [float.nan_bits(), float.infinity_bits()]
                .into_iter()
                .flatten(),
        );
        bits.push(float.max_finite_bits());
    }
    bits
}

fn real() -> impl Iterator<Item = DataType> {
    DataType::ALL
        .iter()
        .copied()
        .filter(|data_type| data_type.is_real())
}

#[test]
fn cast_value() {
    for decoded in real() {
        for encoded in real() {
            let entries = |from, to| -> Vec<MapEntry> {
                bits(from)
                    .into_iter()
                    .zip(bits(to))
                    .map(|(input, output)| MapEntry::new(input, output))
                    .collect()
            };
            let integer = encoded.format().float().is_none();
            for &rounding in Rounding::ALL {
                for out_of_range in [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)] {
                    if out_of_range == Some(OutOfRange::Wrap) && !integer {
                        continue;
                    }
                    let codec = CastValue::new(decoded, encoded)
                        .rounding(rounding)
                        .out_of_range(out_of_range)
                        .encode_map(entries(decoded, encoded))
                        .decode_map(entries(encoded, decoded));
                    let text = serde_json::to_string(&Configuration::from(&codec)).expect("JSON");
                    assert_eq!(parse_cast_value(&text, decoded), Ok(codec), "{text}");
                }
            }
        }
    }
}

#[test]
fn scale_offset() {
    for data_type in real() {
        let format = data_type.format().float();
        for offset in bits(data_type).into_iter().map(Some).chain([None]) {
            for scale in bits(data_type).into_iter().map(Some).chain([None]) {
                let zero = |bits| format.map_or(bits == 0, |format| format.is_zero(bits));
                if scale.is_some_and(zero) {
                    continue;
                }
                let codec = ScaleOffset {
                    data_type,
                    offset,
                    scale,
                };
                let text = serde_json::to_string(&Configuration::from(&codec)).expect("JSON");
                assert_eq!(parse_scale_offset(&text, data_type), Ok(codec), "{text}");
            }
        }
    }
}

#[test]
fn fixed_scale_offset() {
    let types: Vec<DataType> = real()
        .filter(|data_type| {
            data_type.format().component_bits() >= 8
                && !data_type.name().starts_with("float8")
                && !data_type.name().starts_with("bfloat")
        })
        .collect();
    for &dtype in &types {
        for &astype in &types {
            let mut numbers = vec![1f64.to_bits(), (-0.5f64).to_bits(), 1e2f64.to_bits()]
                .into_iter()
                .map(FixedScaleOffsetNumber::Binary64)
                .collect::<Vec<_>>();
            if let Format::Integer(format) = dtype.format() {
                numbers.extend([1, 7, format.max().min(100)].map(FixedScaleOffsetNumber::Integer));
            }
            for &offset in &numbers {
                for &scale in &numbers {
                    let codec = FixedScaleOffset {
                        dtype,
                        astype,
                        offset,
                        scale,
                    };
                    let text = serde_json::to_string(&Configuration::from(&codec)).expect("JSON");
                    let read = parse_fixed_scale_offset(&text, dtype);
                    assert_eq!(read, Ok(codec), "{text}");
                }
            }
        }
    }
}

#[test]
fn packbits() {
    for &data_type in DataType::ALL {
        let last = data_type.format().component_bits() - 1;
        for (first_bit, last_bit) in [(0, last), (last, last), (0, 0), (last / 2, last)] {
            for padding in PaddingEncoding::ALL {
                let codec = PackBits::whole(data_type)
                    .bits(first_bit, last_bit)
                    .padding(padding);
                let text = serde_json::to_string(&Configuration::from(&codec)).expect("JSON");
                assert_eq!(parse_packbits(&text, data_type), Ok(codec), "{text}");

                let fill_value = Scalar::new(data_type, 1);
                let codecs = vec![Codec::packbits(&codec)];
                let metadata = ArrayMetadata::new(vec![7], vec![3], &fill_value, codecs);
                let text = serde_json::to_string(&metadata).expect("JSON");
                let document = parse_array(&text).expect(&text);
                let found = document.chain.pipeline.array_to_bytes;
                assert_eq!(found, ArrayToBytes::PackBits(codec), "{text}");
            }
        }
    }
}

#[test]
fn zfp() {
    for &data_type in DataType::ALL {
        if ZfpScalar::of(data_type).is_none() {
            continue;
        }
        let reversible = Zfp::reversible(data_type, 1);
        let lossy = Zfp {
            min_bits: 16,
            max_bits: 20,
            max_precision: 9,
            min_exponent: -7,
            ..reversible
        };
        for codec in [reversible, lossy] {
            let text = serde_json::to_string(&Configuration::from(&codec)).expect("JSON");
            assert_eq!(parse_zfp(&text, data_type, 1), Ok(codec), "{text}");

            let fill_value = Scalar::new(data_type, 1);
            let codecs = vec![Codec::zfp(&codec)];
            let metadata = ArrayMetadata::new(vec![7], vec![3], &fill_value, codecs);
            let text = serde_json::to_string(&metadata).expect("JSON");
            let document = parse_array(&text).expect(&text);
            let found = document.chain.pipeline.array_to_bytes;
            assert_eq!(found, ArrayToBytes::Zfp(codec), "{text}");
        }
    }
}

#[test]
fn array_documents() {
    for &data_type in DataType::ALL {
        for value in bits(data_type) {
            let fill_value = Scalar::complex(data_type, value, value);
            let endian = (data_type.format().component_bytes() > 1).then_some(Endian::Big);
            let mut codecs = Vec::new();
            let scale_offset = ScaleOffset::new(data_type);
            if data_type.is_real() {
                codecs.push(Codec::scale_offset(&scale_offset));
            }
            codecs.push(Codec::bytes(endian));
            codecs.push(Codec::named("crc32c"));
            let metadata = ArrayMetadata::new(vec![u64::MAX, 7], vec![3, 5], &fill_value, codecs);
            let text = serde_json::to_string(&metadata).expect("JSON");
            let document = parse_array(&text).expect(&text);
            assert_eq!(document.shape, [u64::MAX, 7]);
            assert_eq!(document.chain.fill_value, fill_value, "{text}");
            assert_eq!(document.chain.chunk_shape, [3, 5]);
            let pipeline = document.chain.pipeline;
            let bytes = Bytes::new(data_type, endian);
            assert_eq!(pipeline.array_to_bytes, ArrayToBytes::Bytes(bytes));
            assert_eq!(pipeline.bytes_to_bytes, ["crc32c"].into_iter().collect());
            if let Some(step) = pipeline.array_to_array.first() {
                assert_eq!(step.codec, ArrayCodec::ScaleOffset(scale_offset));
                assert_eq!(step.pointer, "/codecs/0");
            }
        }
    }
}

#[test]
fn fill_values() {
    for &data_type in DataType::ALL {
        for value in bits(data_type) {
            let scalar = Scalar::new(data_type, value.into());
            let text = exactum_exact::canonical(&scalar);
            assert_eq!(
                parse_fill_value(data_type, &text),
                Ok(scalar),
                "{data_type}: {text}"
            );
        }
    }
}
