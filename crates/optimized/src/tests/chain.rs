use exactum_model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, At, Bytes, CastValue, Chain, CodecPipeline,
    DataType, Endian, FixedScaleOffset, FixedScaleOffsetNumber, MapEntry, Names, OutOfRange,
    PackBits, PaddingEncoding, Rejection, Rounding, Scalar, ScaleOffset,
};

use super::numbers::{MAIN, Random, edges, real};
use super::{inputs, without_message};
use crate::Error;
use crate::chain::{Planned, Scratch};

/// Compares the parts that must agree: the results, and the rejections without their messages.
fn same<T: PartialEq + std::fmt::Debug>(
    name: &str,
    ours: Result<T, Rejection>,
    reference: Result<T, Rejection>,
) {
    assert_eq!(
        ours.map_err(without_message),
        reference.map_err(without_message),
        "{name}"
    );
}

/// Like [`same`], for a chain that was planned.
fn same_planned(name: &str, ours: Result<Vec<u8>, Error>, reference: Result<Vec<u8>, Rejection>) {
    let ours = ours.map_err(|error| {
        let place = error.element().map(At::Element);
        (error.reason(), error.clause(), place)
    });
    assert_eq!(ours, reference.map_err(without_message), "{name}");
}

/// Compares a chain with the reference. `scratch` was used for other chains before, which must not matter.
fn check(chain: &Chain, chunk: &Array, scratch: &mut Scratch) {
    let name = format!("{chain:?}");
    same(
        &name,
        crate::chain::resolve(chain),
        exactum_reference::chain::resolve(chain),
    );
    let encoded = exactum_reference::chain::encode(chain, chunk);
    same(&name, crate::chain::encode(chain, chunk), encoded.clone());
    let planned = Planned::new(chain.clone());
    if let Ok(planned) = &planned {
        let mut output = vec![0xa5; 7];
        let ours = planned.encode_into(chunk.data(), &mut output, scratch);
        same_planned(&name, ours.map(|()| output), encoded.clone());
    }
    let bytes = encoded.unwrap_or_else(|_| {
        let (data_type, shape) = match chain.pipeline.array_to_array.last() {
            Some(step) => (step.data_type, &step.shape),
            None => (chain.data_type, &chain.chunk_shape),
        };
        let bytes = Array::bytes_of(data_type, shape).expect("a small array");
        (0..bytes)
            .map(|index| (index * 37).to_le_bytes()[0])
            .collect()
    });
    let decoded = exactum_reference::chain::decode(chain, &bytes);
    same(&name, crate::chain::decode(chain, &bytes), decoded.clone());
    match planned {
        Ok(planned) => {
            let mut output = vec![0xa5; chunk.data().len()];
            let ours = planned.decode_into(&bytes, &mut output, scratch);
            same_planned(&name, ours.map(|()| output), decoded.map(Array::into_data));
        }
        Err(error) => {
            let of_chain = decoded.expect_err("a chain that cannot be planned");
            assert_eq!(
                (error.reason(), error.clause()),
                (of_chain.reason, of_chain.clause)
            );
        }
    }
    same(
        &name,
        crate::chain::decode(chain, &bytes[..bytes.len().saturating_sub(1)]),
        exactum_reference::chain::decode(chain, &bytes[..bytes.len().saturating_sub(1)]),
    );
}

/// Returns a random chain and a chunk for it.
fn random_chain(random: &mut Random, types: &[DataType]) -> (Chain, Array) {
    let decoded = random.pick(types);
    let chunk_shape: Vec<u64> = (0..random.next() % 4)
        .map(|_| 1 + random.next() % 9)
        .collect();
    let mut data_type = decoded;
    let mut shape = chunk_shape.clone();
    let mut steps = Vec::new();
    for index in 0..random.next() % 5 {
        let (name, codec) = random_codec(random, types, data_type, &mut shape);
        data_type = match &codec {
            ArrayCodec::FixedScaleOffset(codec) => codec.astype,
            ArrayCodec::CastValue(codec) => codec.encoded,
            _ => data_type,
        };
        steps.push(ArrayToArray {
            name: name.to_owned(),
            pointer: format!("/codecs/{index}"),
            codec,
            data_type,
            shape: shape.clone(),
        });
    }
    let elements = edges(decoded);
    let count: u64 = chunk_shape.iter().product();
    let small = !random.next().is_multiple_of(3);
    let chunk: Vec<u64> = (0..count)
        .map(|index| {
            if small {
                index % 3
            } else {
                random.pick(&elements)
            }
        })
        .collect();
    let fill_value = Scalar::new(decoded, random.pick(&elements).into());
    let array_to_bytes = match random.next() % 8 {
        0 => ArrayToBytes::Foreign("other".to_owned()),
        1 => ArrayToBytes::PackBits(PackBits::whole(data_type)),
        endian => ArrayToBytes::Bytes(Bytes {
            data_type,
            endian: Some(if endian.is_multiple_of(2) {
                Endian::Big
            } else {
                Endian::Little
            }),
        }),
    };
    let bytes_to_bytes = match random.next() % 8 {
        0 => ["crc32c"].into_iter().collect(),
        1 => ["gzip"].into_iter().collect(),
        _ => Names::default(),
    };
    let chain = Chain {
        data_type: decoded,
        chunk_shape: chunk_shape.clone(),
        fill_value,
        pipeline: CodecPipeline {
            array_to_array: steps,
            array_to_bytes,
            bytes_to_bytes,
        },
    };
    let chunk = Array::from_components(decoded, chunk_shape, chunk).expect("a chunk");
    (chain, chunk)
}

/// Returns a random array -> array codec with its name, and changes the shape as the codec does.
fn random_codec(
    random: &mut Random,
    types: &[DataType],
    data_type: DataType,
    shape: &mut Vec<u64>,
) -> (&'static str, ArrayCodec) {
    if MAIN.contains(&data_type) && random.next().is_multiple_of(5) {
        let codec = FixedScaleOffset {
            dtype: data_type,
            astype: random.pick(&MAIN),
            offset: FixedScaleOffsetNumber::Binary64(2.5f64.to_bits()),
            scale: FixedScaleOffsetNumber::Binary64(0.1f64.to_bits()),
        };
        return (
            "numcodecs.fixedscaleoffset",
            ArrayCodec::FixedScaleOffset(codec),
        );
    }
    match random.next() % 6 {
        0 | 1 => {
            let small = random.next() % 4;
            let one = Some(match data_type.format().float() {
                Some(_) => one(data_type),
                None => 1 + small % 2,
            });
            let codec = ScaleOffset {
                data_type,
                offset: one.filter(|_| small != 1).map(|bits| bits & small),
                scale: one.filter(|_| small != 2),
            };
            ("scale_offset", ArrayCodec::ScaleOffset(codec))
        }
        2 | 3 => {
            let encoded = random.pick(types);
            let codec = random_cast(random, data_type, encoded);
            ("cast_value", ArrayCodec::CastValue(codec))
        }
        4 => {
            let mut order: Vec<usize> = (0..shape.len()).collect();
            let by = usize::try_from(random.next() % 4).expect("small");
            order.rotate_left(by.min(shape.len()));
            *shape = order.iter().map(|&dimension| shape[dimension]).collect();
            ("transpose", ArrayCodec::Transpose(order))
        }
        _ => {
            *shape = vec![shape.iter().product()];
            ("reshape", ArrayCodec::Reshape)
        }
    }
}

/// Returns a random cast between two data types, with or without a map.
fn random_cast(random: &mut Random, decoded: DataType, encoded: DataType) -> CastValue {
    let (from, to) = (edges(decoded), edges(encoded));
    let (a, b) = (random.pick(&from), random.pick(&to));
    let entries = usize::from(random.next().is_multiple_of(2));
    let encode = MapEntry::new(a, b);
    let decode = MapEntry::new(b, a);
    CastValue::new(decoded, encoded)
        .rounding(random.pick(Rounding::ALL))
        .out_of_range(random.pick(&[None, Some(OutOfRange::Clamp)]))
        .encode_map(vec![encode; entries])
        .decode_map(vec![decode; entries])
}

#[test]
fn random_chains() {
    let (mut random, mut scratch) = (Random(7), Scratch::default());
    for _ in 0..inputs(3000, 40) {
        let (chain, chunk) = random_chain(&mut random, &MAIN);
        check(&chain, &chunk, &mut scratch);
    }
    let types: Vec<DataType> = real().collect();
    for _ in 0..inputs(1500, 20) {
        let (chain, chunk) = random_chain(&mut random, &types);
        check(&chain, &chunk, &mut scratch);
    }
}

/// The second codec rejects an early element, and the first codec rejects a late one, several blocks later.
/// The rejection of the first codec is reported.
#[test]
fn rejections_come_in_the_order_of_the_codecs() {
    let count = 5000;
    let chain = |array_to_bytes| Chain {
        data_type: DataType::Uint16,
        chunk_shape: vec![count],
        fill_value: Scalar::new(DataType::Uint16, 1000),
        pipeline: CodecPipeline::new(
            vec![
                ArrayToArray {
                    name: "scale_offset".to_owned(),
                    pointer: "/codecs/0".to_owned(),
                    codec: ArrayCodec::ScaleOffset(ScaleOffset::new(DataType::Uint16).offset(1000)),
                    data_type: DataType::Uint16,
                    shape: vec![count],
                },
                ArrayToArray {
                    name: "cast_value".to_owned(),
                    pointer: "/codecs/1".to_owned(),
                    codec: ArrayCodec::CastValue(CastValue::new(DataType::Uint16, DataType::Uint8)),
                    data_type: DataType::Uint8,
                    shape: vec![count],
                },
            ],
            array_to_bytes,
        ),
    };
    let chains = [
        chain(ArrayToBytes::Bytes(Bytes::new(DataType::Uint8, None))),
        chain(ArrayToBytes::PackBits(PackBits::whole(DataType::Uint8))),
    ];
    let values = |early: u64, late: u64| {
        let elements = (0..count).map(|index| match index {
            10 => early,
            4900 => late,
            _ => 1000 + index % 200,
        });
        Array::from_components(DataType::Uint16, vec![count], elements).expect("a chunk")
    };
    for (early, late) in [(1000, 1000), (2000, 1000), (1000, 3), (2000, 3)] {
        for chain in &chains {
            check(chain, &values(early, late), &mut Scratch::default());
        }
    }
}

/// Returns a codec that stores elements one after another: `bytes` in either byte order, or `packbits` with
/// some of the bits and with the padding byte in either place or without one.
fn stored(random: &mut Random, data_type: DataType) -> ArrayToBytes {
    let whole = PackBits::whole(data_type);
    let first_bit = u32::try_from(random.next() % 2).expect("small");
    let below = u32::try_from(random.next() % 3).expect("small");
    let bytes = |endian| ArrayToBytes::Bytes(Bytes::new(data_type, Some(endian)));
    match random.next() % 4 {
        0 => bytes(Endian::Little),
        1 => bytes(Endian::Big),
        _ => ArrayToBytes::PackBits(PackBits {
            padding: random.pick(&PaddingEncoding::ALL),
            first_bit,
            last_bit: whole.last_bit - below,
            ..whole
        }),
    }
}

/// Compares a scale, an offset and a cast over several blocks with the reference, in both directions: in both
/// byte orders and packed, with and without a map, with elements that a codec rejects, and with parameters
/// that have no kernel.
#[test]
fn scaled_casts_are_those_of_their_codecs_one_after_another() {
    let (mut random, mut scratch) = (Random(11), Scratch::default());
    for index in 0..inputs(400, 4) {
        // Some chunks are longer than two blocks of stored bytes and do not end at a byte boundary.
        let count = if index % 8 == 0 { 8203 } else { 1300 };
        let (decoded, encoded) = (random.pick(&MAIN), random.pick(&MAIN));
        let (from, to) = (edges(decoded), edges(encoded));
        let parameter = |random: &mut Random| match random.next() % 4 {
            0 => None,
            1 => Some(random.pick(&from)),
            _ => Some(one(decoded)),
        };
        let (offset, scale) = (parameter(&mut random), parameter(&mut random));
        let (key, code) = (random.pick(&from), random.pick(&to));
        let mapped = usize::from(random.next().is_multiple_of(2));
        let step = |name: &str, codec, data_type| ArrayToArray {
            name: name.to_owned(),
            pointer: format!("/codecs/{name}"),
            codec,
            data_type,
            shape: vec![count],
        };
        let entry = |input, output| vec![MapEntry::new(input, output); mapped];
        let array_to_bytes = stored(&mut random, encoded);
        let chain = Chain {
            data_type: decoded,
            chunk_shape: vec![count],
            fill_value: Scalar::new(decoded, 0),
            pipeline: CodecPipeline::new(
                vec![
                    step(
                        "scale_offset",
                        ArrayCodec::ScaleOffset(ScaleOffset {
                            data_type: decoded,
                            offset,
                            scale,
                        }),
                        decoded,
                    ),
                    step(
                        "cast_value",
                        ArrayCodec::CastValue(
                            CastValue::new(decoded, encoded)
                                .rounding(random.pick(Rounding::ALL))
                                .out_of_range(random.pick(&[None, Some(OutOfRange::Clamp)]))
                                .encode_map(entry(key, code))
                                .decode_map(entry(code, key)),
                        ),
                        encoded,
                    ),
                ],
                array_to_bytes,
            ),
        };
        // Most elements are accepted by both codecs, so that not every chunk is rejected.
        let wild = random.next().is_multiple_of(3);
        let elements = (0..count).map(|index| match index % 7 {
            3 if mapped == 1 => key,
            _ if wild && index + 400 > count => random.pick(&from),
            other => [0, one(decoded)][usize::from(other % 2 == 0)],
        });
        let chunk = Array::from_components(decoded, vec![count], elements).expect("a chunk");
        check(&chain, &chunk, &mut scratch);
    }
}

/// Returns the bits of 1.
fn one(data_type: DataType) -> u64 {
    let float = data_type.format().float();
    float.map_or(1, |format| {
        u64::try_from(format.bias).expect("a bias") << format.mantissa_bits
    })
}
