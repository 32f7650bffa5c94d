//! The command `exactum`.

use std::process::ExitCode;

fn main() -> ExitCode {
    exactum::run(std::env::args_os())
}
