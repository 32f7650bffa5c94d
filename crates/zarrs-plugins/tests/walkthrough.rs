//! The example that walks through making a data type does what it says.

#[path = "../examples/data_type.rs"]
mod data_type;

#[test]
fn a_data_type_of_ones_own_is_written_and_read() {
    data_type::main().expect("what the example asserts");
}
