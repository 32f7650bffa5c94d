//! `downsample`: bits above a small type are not its own, whatever the method, and however many
//! elements a block has.

use exactum_model::{Array, DataType, Downsample, Level, Method};
use exactum_optimized::downsample as fast;
use exactum_reference::downsample as exact;

#[test]
fn bits_above_a_small_type_change_nothing() {
    // Every byte, and every byte between others.
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
