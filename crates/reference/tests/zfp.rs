//! Streams that the C library zfp 1.0.1 wrote, with the elements that it read back from them.

use exactum_model::{Array, DataType, Reason, Zfp};
use exactum_reference::zfp;

/// The limits of a block: the minimum and maximum numbers of bits, the maximum number of planes, and the minimum
/// exponent.
type Limits = (u32, u32, u32, i32);

fn codec(data_type: DataType, rank: usize, limits: Limits) -> Zfp {
    let (min_bits, max_bits, max_precision, min_exponent) = limits;
    Zfp {
        min_bits,
        max_bits,
        max_precision,
        min_exponent,
        ..Zfp::reversible(data_type, rank)
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
    (0..hex.len()).step_by(2).map(digits).collect()
}

#[track_caller]
fn check(data_type: DataType, shape: &[u64], limits: Limits, [data, stream, back]: [&str; 3]) {
    let codec = codec(data_type, shape.len(), limits);
    let chunk = Array::new(data_type, shape.to_vec(), bytes(data)).expect("fits");
    assert_eq!(zfp::encode(&codec, &chunk), Ok(bytes(stream)), "{codec:?}");
    let back = Array::new(data_type, shape.to_vec(), bytes(back)).expect("fits");
    assert_eq!(
        zfp::decode(&codec, shape, &bytes(stream)),
        Ok(back),
        "{codec:?}"
    );
}

#[test]
fn integers_lose_their_lowest_bits() {
    let data = "01000000020000001e00000064000000";
    let stream = "000000f611a01f00";
    let back = "00000000020000001e00000064000000";
    let limits = (1, 16658, 64, -1074);
    check(DataType::Int32, &[4], limits, [data, stream, back]);
}

#[test]
fn reversible_integers_keep_all_bits() {
    let data = "0000000000000080ffffffffffffffff00000000000000000100000000000000ffffffffffffff7f\
         0500000000000000";
    let stream = "ffdf8f17000000000000000000000000000000000000000000000000000000000000000000000000\
         00000000000000000000000000000000000000000000000000000000000000000000000000000000\
         00000000000000000000000000000000000000000000000000000000000000000184022a4014f448\
         ae29000000000000";
    let back = "0000000000000080ffffffffffffffff00000000000000000100000000000000ffffffffffffff7f\
         0500000000000000";
    let limits = (1, 16658, 64, -1075);
    check(DataType::Int64, &[2, 3], limits, [data, stream, back]);
}

#[test]
fn a_block_that_has_room_for_its_header_only() {
    let data = "0000c03f";
    let stream = "0101000000000000";
    let back = "00000000";
    let limits = (9, 9, 64, -1074);
    check(DataType::Float32, &[], limits, [data, stream, back]);
}

#[test]
fn a_partial_block_is_padded() {
    let data = "000000000000803e0000003f0000403f0000803f";
    let stream = "ffec140008680100";
    let back = "000000000000803e0000003f0000403f0000803f";
    let limits = (1, 16658, 64, -5);
    check(DataType::Float32, &[5], limits, [data, stream, back]);
}

#[test]
fn reversible_floats_keep_nan_infinity_negative_zero_and_subnormals() {
    let data = "0000000000000080000000000000f87f000000000000f07f0100000000000000";
    let stream = "ff1d000000002228000000000000000000000000000000000000000000000000f601000000000000";
    let back = "0000000000000080000000000000f87f000000000000f07f0100000000000000";
    let limits = (1, 16658, 64, -1075);
    check(DataType::Float64, &[4], limits, [data, stream, back]);
}

#[test]
fn a_rate_in_three_dimensions() {
    let data = "000000000000f03f0000000000000040000000000000084000000000000010400000000000001440\
         00000000000018400000000000001c40000000000000204000000000000022400000000000002440\
         00000000000026400000000000002940";
    let stream = "07680950800104388012011002000000c00000c0034081038803001c00050e00";
    let back = "000000000000f13f0000000000000040000000000000084000000000000010400000000000001440\
         0000000000c017400000000000c01b40000000000020204000000000000022400000000000e02340\
         0000000000e025400000000000602940";
    let limits = (256, 256, 64, -1074);
    check(DataType::Float64, &[3, 2, 2], limits, [data, stream, back]);
}

#[test]
fn dimensions_of_one() {
    let data = "cdcccc3dcdcc4cbe9a99993ef90215500000e0c000000000";
    let stream = "43710028000d000000000100000000000000020000000005a0000000001000020000000005a00000\
         00001000020000000005a00000000010";
    let back = "000000000000000000000000000015500000000000000000";
    let limits = (1, 16658, 12, -1074);
    check(
        DataType::Float32,
        &[1, 2, 1, 3],
        limits,
        [data, stream, back],
    );
}

#[test]
fn reversible_with_too_few_bits_loses_all() {
    let data = "0000803f000000400000404000008040";
    let stream = "0912000000000000";
    let back = "00000000000000000000000000000000";
    let limits = (0, 15, 64, -1075);
    check(DataType::Float32, &[4], limits, [data, stream, back]);
}

#[test]
fn missing_bits_are_zeros_and_what_follows_is_not_looked_at() {
    let codec = codec(DataType::Int32, 1, (1, 16658, 64, -1074));
    let whole = zfp::decode(&codec, &[4], &bytes("000000f611a01f00")).expect("fits");
    for stream in [
        "000000f611a01f",
        "000000f611a01f0000000000",
        "000000f611a01f00ff",
    ] {
        assert_eq!(
            zfp::decode(&codec, &[4], &bytes(stream)).as_ref(),
            Ok(&whole)
        );
    }
    let zeros = Array::new(DataType::Int32, vec![4], vec![0; 16]);
    assert_eq!(zfp::decode(&codec, &[4], &[]), zeros);
}

#[test]
fn chunks_that_do_not_fit_are_rejected() {
    let rows: &[(DataType, usize, &[u64])] = &[
        (DataType::Float64, 1, &[4, 4]),
        (DataType::Float64, 1, &[0]),
        (DataType::Float64, 5, &[1, 1, 1, 1, 1]),
        (DataType::Float64, 1, &[8 << 20 | 1]),
        (DataType::Int8, 4, &[u64::MAX; 4]),
    ];
    for &(data_type, rank, shape) in rows {
        let codec = Zfp::reversible(data_type, rank);
        let answer = zfp::decode(&codec, shape, &[]).map_err(|rejection| rejection.reason);
        assert_eq!(answer, Err(Reason::Shape), "{shape:?}");
    }
    let bool = zfp::decode(&Zfp::reversible(DataType::Bool, 1), &[1], &[]);
    assert_eq!(bool.unwrap_err().reason, Reason::UnsupportedDataType);
}

#[test]
fn what_a_lossy_mode_cannot_hold_is_rejected() {
    let lossy = (1, 16658, 64, -1074);
    let reversible = (1, 16658, 64, -1075);
    let rows = [
        (DataType::Int32, lossy, "00000040", Some(Reason::OutOfRange)),
        (DataType::Int32, lossy, "000000c0", Some(Reason::OutOfRange)),
        (DataType::Int32, lossy, "ffffff3f", None),
        (DataType::Int32, reversible, "00000080", None),
        (DataType::Uint32, reversible, "ffffff7f", None),
        (
            DataType::Uint32,
            reversible,
            "00000080",
            Some(Reason::OutOfRange),
        ),
        (
            DataType::Uint64,
            lossy,
            "0000000000000040",
            Some(Reason::OutOfRange),
        ),
        (DataType::Int8, lossy, "80", None),
        (DataType::Float16, lossy, "007c", Some(Reason::NotFinite)),
        (
            DataType::Float32,
            lossy,
            "0000c07f",
            Some(Reason::NotFinite),
        ),
        (DataType::Float32, reversible, "0000c07f", None),
    ];
    for (data_type, limits, element, reason) in rows {
        let chunk = Array::new(data_type, vec![1], bytes(element)).expect("fits");
        let answer = zfp::encode(&codec(data_type, 1, limits), &chunk);
        let answer = answer.err().map(|rejection| rejection.reason);
        assert_eq!(answer, reason, "{data_type} {element} {limits:?}");
    }
}

/// Every element of a narrow type is read back from a reversible stream.
#[test]
fn promoted_elements_come_back() {
    let all = |count: u16| (0..count).collect::<Vec<_>>();
    let rows = [
        (DataType::Int2, all(4)),
        (DataType::Uint2, all(4)),
        (DataType::Int4, all(16)),
        (DataType::Uint4, all(16)),
        (DataType::Int8, all(256)),
        (DataType::Uint8, all(256)),
        (DataType::Int16, (0..=u16::MAX).step_by(7).collect()),
        (DataType::Uint16, (0..=u16::MAX).step_by(7).collect()),
        (DataType::Float16, (0..=u16::MAX).step_by(3).collect()),
        (DataType::Bfloat16, (0..=u16::MAX).step_by(3).collect()),
    ];
    for (data_type, elements) in rows {
        let shape = vec![elements.len() as u64];
        let elements = elements.into_iter().map(u64::from);
        let chunk = Array::from_components(data_type, shape.clone(), elements).expect("fits");
        let codec = Zfp::reversible(data_type, 1);
        let stream = zfp::encode(&codec, &chunk).expect("fits");
        assert_eq!(
            zfp::decode(&codec, &shape, &stream),
            Ok(chunk),
            "{data_type}"
        );
    }
}
