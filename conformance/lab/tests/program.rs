//! The program as it is called. Because of this test, cargo builds it for the tasks of xtask.

use std::process::Command;

#[test]
fn a_subcommand_that_is_not_known_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_exactum-lab"))
        .arg("benches")
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("unrecognized subcommand 'benches'"),
        "{message}"
    );
}
