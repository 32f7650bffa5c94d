//! Tests that `downsample` ignores bits above those of a small type, whatever the method and the number of
//! elements in a block, and that it treats both zeros as one value.

use exactum_model::{Array, DataType, Downsample, Level, Method, Omission, Scalar};
use exactum_optimized::downsample as fast;
use exactum_reference::downsample as exact;

#[test]
fn bits_above_a_small_type_change_nothing() {
    // Every byte once in order, and once in another order.
    let bytes = (0..=u8::MAX).chain((0..=u8::MAX).map(|byte| byte.wrapping_mul(89)));
    let bytes: Vec<u8> = bytes.collect();
    for &data_type in DataType::ALL {
        let small = data_type.format().component_bytes() == 1;
        if !small {
            continue;
        }
        let width = data_type.element_bytes();
        let count = (bytes.len() / width) as u64;
        let input = Array::new(data_type, vec![count, 1], bytes.clone()).expect("whole elements");
        for &method in Method::ALL {
            if method.require(data_type).is_err() {
                continue;
            }
            for factors in [[1, 2], [2, 1], [3, 1], [4, 1], [8, 1], [100, 1]] {
                let view = Downsample {
                    levels: vec![Level::new(factors.to_vec(), method).expect("factors")],
                    transform: None,
                };
                let [fast, exact] = [fast::read, exact::read].map(|read| read(&view, &input));
                assert_eq!(fast, exact, "{data_type}, {method}, {factors:?}");
            }
        }
    }
}

/// Rows of four elements: their bits, and those of the result if a zero is skipped.
type Rows<'a> = &'a [([u64; 4], u64)];

/// Reduces each row by mode and by mean, in blocks along rows and along columns, side by side with `count` others.
fn check_zeros(data_type: DataType, skipped: u64, count: usize, rows: Rows<'_>) {
    let width = data_type.element_bytes();
    let bytes = |bits: u64| bits.to_le_bytes().into_iter().take(width);
    let rows = || rows.iter().cycle().take(count);
    let expected: Vec<u8> = rows().flat_map(|(_, made)| bytes(*made)).collect();
    let along = rows().flat_map(|(row, _)| row).copied();
    let across = (0..4).flat_map(|at| rows().map(move |(row, _)| row[at]));
    for (shape, factors, elements) in [
        (
            [count as u64, 4],
            [1, 4],
            along.flat_map(bytes).collect::<Vec<u8>>(),
        ),
        ([4, count as u64], [4, 1], across.flat_map(bytes).collect()),
    ] {
        let input = Array::new(data_type, shape.to_vec(), elements).expect("whole elements");
        for method in [Method::Mode, Method::Mean] {
            let level = Level::new(factors.to_vec(), method).expect("factors");
            let view = Downsample {
                levels: vec![level.with_omission(Omission {
                    skip_value: Some(Scalar::new(data_type, skipped.into())),
                    nan: None,
                })],
                transform: None,
            };
            let [fast, exact] = [fast::read, exact::read].map(|read| {
                let made = read(&view, &input);
                made.expect("a view").array().clone()
            });
            let case = format!("{data_type}, {method}, {factors:?}, {skipped:#x}, {count}");
            assert_eq!(exact.data(), expected, "{case}");
            assert_eq!(fast, exact, "{case}");
        }
    }
}

/// Both zeros are one value: if 0 is skipped, so is -0, and vice versa (downsample.omission.value).
#[test]
fn both_zeros_are_skipped() {
    for name in [
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "float8_e3m4",
        "float8_e4m3",
        "float8_e4m3fn",
        "float8_e5m2",
        "float6_e2m3fn",
        "float6_e3m2fn",
        "float4_e2m1fn",
    ] {
        let data_type: DataType = name.parse().expect("a data type");
        let mask = data_type.format().component_mask();
        let negative = mask - mask / 2;
        // The smallest number and its opposite, which do not result from any other elements.
        let (small, opposite) = (1, negative | 1);
        for skipped in [0, negative] {
            let rows = [
                ([negative, 0, small, negative], small),
                ([0, 0, negative, opposite], opposite),
                ([small, negative, small, 0], small),
                ([negative, small, 0, 0], small),
                // A block of only zeros results in the skipped value.
                ([negative, 0, 0, negative], skipped),
                ([negative; 4], skipped),
                ([0; 4], skipped),
            ];
            for count in [1, 3, 7, 16, 33, 70] {
                check_zeros(data_type, skipped, count, &rows);
            }
        }
    }
}
