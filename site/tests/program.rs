//! Tests the program by calling it. Because of this test, the tasks of xtask can have cargo build the program.

use std::process::Command;

#[test]
fn a_call_without_a_folder_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_exactum-site"))
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("the folder of the site is missing"),
        "{message}"
    );
}
