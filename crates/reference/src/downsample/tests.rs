//! The upstream tables, with the results that the documentation prints and that the upstream code gives.

use exactum_model::{Array, DataType, Downsample, Level, Method, Placed, Source};

use super::read;

const METHODS: [Method; 6] = [
    Method::Stride,
    Method::Mean,
    Method::Median,
    Method::Mode,
    Method::Min,
    Method::Max,
];

fn view(factors: &[u64], method: Method) -> Downsample {
    Downsample {
        levels: vec![Level::new(factors.to_vec(), method).expect("factors")],
        transform: None,
    }
}

/// Checks the result of a method for one block with these elements.
fn check(data_type: DataType, block: &[u64], method: Method, expected: u64) {
    let count = u64::try_from(block.len()).expect("a small block");
    let array = Array::from_components(data_type, vec![count], block.iter().copied())
        .expect("one dimension");
    // A factor of 1 would not downsample. With stride, a block never has more than one element.
    let result = read(&view(&[count.max(2)], method), &array).expect("a result");
    assert_eq!(
        result.array().components().collect::<Vec<_>>(),
        [expected],
        "{method} of {block:x?}"
    );
}

#[test]
fn integers_round_half_to_even() {
    for (block, expected) in [
        ([0i16, 1], 0i16),
        ([1, 2], 2),
        ([2, 3], 2),
        ([-1, 0], 0),
        ([-1, -2], -2),
        ([-2, -3], -2),
        ([-3, -4], -4),
    ] {
        let bits = |value: i16| u64::from(value.cast_unsigned());
        check(
            DataType::Int16,
            &block.map(bits),
            Method::Mean,
            bits(expected),
        );
    }
    check(DataType::Uint64, &[u64::MAX; 4], Method::Mean, u64::MAX);
    check(
        DataType::Uint64,
        &[u64::MAX, u64::MAX - 1],
        Method::Mean,
        u64::MAX - 1,
    );
    check(DataType::Bool, &[1, 0], Method::Mean, 0);
    check(DataType::Bool, &[1, 0, 1], Method::Mean, 1);
}

/// "the median computed for [4.0, 3.0, 1.0, 2.0] is 2.0"
#[test]
fn the_lower_of_two_in_the_middle() {
    let block = [0x4080_0000, 0x4040_0000, 0x3f80_0000, 0x4000_0000];
    check(DataType::Float32, &block, Method::Median, 0x4000_0000);
}

#[test]
fn specials_have_one_result_each() {
    const NAN: u64 = 0x7fc0_0000;
    const OTHER: u64 = 0xff80_0001;
    const ONE: u64 = 0x3f80_0000;
    const ZERO: u64 = 0;
    const MINUS: u64 = 0x8000_0000;
    for (block, [mean, median, mode, min, max]) in [
        (vec![OTHER, ONE], [NAN, ONE, ONE, ONE, ONE]),
        (vec![ONE, OTHER], [NAN, ONE, ONE, ONE, ONE]),
        (vec![OTHER, OTHER], [NAN; 5]),
        (vec![OTHER, ONE, NAN], [NAN, NAN, NAN, ONE, ONE]),
        (vec![MINUS, ZERO], [ZERO; 5]),
        (vec![ZERO, MINUS], [ZERO; 5]),
        (vec![MINUS, MINUS], [ZERO, MINUS, MINUS, MINUS, MINUS]),
        (vec![MINUS], [ZERO, MINUS, MINUS, MINUS, MINUS]),
    ] {
        let results = [block[0], mean, median, mode, min, max];
        for (method, expected) in METHODS.into_iter().zip(results) {
            check(DataType::Float32, &block, method, expected);
        }
    }
}

/// Small floats are accumulated in float32, and the result is converted once, at the end.
#[test]
fn means_of_floats_are_sums_in_order() {
    let single = |block: &[u64], expected| check(DataType::Float32, block, Method::Mean, expected);
    const ONE: u64 = 0x3f80_0000;
    // The mean of 2^24 and seven ones is 2^21, or 2^21 + 1 if the ones come first.
    single(
        &[0x4b80_0000, ONE, ONE, ONE, ONE, ONE, ONE, ONE],
        0x4a00_0000,
    );
    single(
        &[ONE, ONE, ONE, ONE, ONE, ONE, ONE, 0x4b80_0000],
        0x4a00_0004,
    );
    // The mean of 1e30, 1, -1e30 and 1 is one quarter.
    single(&[0x7149_f2ca, ONE, 0xf149_f2ca, ONE], 0x3e80_0000);
    // The sum of two largest numbers is out of range.
    single(&[0x7f7f_ffff, 0x7f7f_ffff], 0x7f80_0000);
    let half = |block: &[u64], expected| check(DataType::Float16, block, Method::Mean, expected);
    half(&[0x7bff; 4], 0x7bff);
    half(&[0x6800, 0x3c00, 0x3c00, 0x3c00], 0x6002);
    // 2^127 + 2^127 is out of the range of float32, and float8_e8m0fnu has no infinity.
    check(DataType::Float8E8m0fnu, &[0xfe, 0xfe], Method::Mean, 0xff);
    check(DataType::Float8E8m0fnu, &[0, 0], Method::Mean, 0);
}

#[test]
fn blocks_lie_at_multiples_of_the_factor() {
    let data: Vec<u8> = (-5i8..4).map(i8::cast_unsigned).collect();
    let array = Array::new(DataType::Int8, vec![9], data).expect("9 elements");
    let source = Placed::new(array, vec![-5]).expect("placed");
    for (method, origin, expected) in [
        (Method::Mean, -2, vec![-4i8, -2, 1, 3]),
        (Method::Min, -2, vec![-5, -3, 0, 3]),
        (Method::Max, -2, vec![-4, -1, 2, 3]),
        (Method::Median, -2, vec![-5, -2, 1, 3]),
        (Method::Stride, -1, vec![-3, 0, 3]),
    ] {
        let result = read(&view(&[3], method), &source).expect("a result");
        assert_eq!(result.domain().origin(), [origin], "{method}");
        let expected: Vec<u8> = expected.into_iter().map(i8::cast_unsigned).collect();
        assert_eq!(result.array().data(), expected, "{method}");
    }
}
