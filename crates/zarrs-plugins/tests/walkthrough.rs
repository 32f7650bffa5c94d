//! Tests the examples: the walkthrough of making a data type, and the recipe of `exactum plan`.

#[path = "../examples/data_type.rs"]
mod data_type;
#[expect(
    dead_code,
    unreachable_pub,
    reason = "it is a program, of which one function is called"
)]
#[path = "../examples/planned.rs"]
mod planned;

#[test]
fn a_data_type_of_ones_own_is_written_and_read() {
    data_type::main().expect("what the example asserts");
}

/// The recipe that `exactum plan --print zarrs` prints for float32 from -54.5 to 600.8 with NaN and an error of 0.02.
#[test]
fn a_planned_array_is_written_and_read() {
    let folder = std::env::temp_dir().join(format!("exactum-planned-{}", std::process::id()));
    let values: Vec<f32> = (0..48_u8)
        .map(|index| match index {
            7 => f32::NAN,
            47 => 600.8,
            _ => -54.5 + f32::from(index) * 13.7,
        })
        .collect();
    let bytes = values.iter().flat_map(|it| it.to_le_bytes()).collect();
    let path = folder.display().to_string();
    let back = planned::write(bytes, "6,8", &path).expect("a store");
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    for (value, back) in values.iter().zip(back.as_chunks::<4>().0) {
        let back = f32::from_le_bytes(*back);
        let is_kept = (f64::from(back) - f64::from(*value)).abs() <= 0.02;
        assert!(is_kept || back.is_nan() && value.is_nan(), "{value} {back}");
    }
}
