//! Tests the program by calling it. Because of this test, `.ci` and the tasks can have cargo build the program.

use std::process::Command;

#[test]
fn a_task_that_is_not_known_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("vector")
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("unrecognized subcommand 'vector'"),
        "{message}"
    );
}
