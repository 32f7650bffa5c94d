//! The same calls as a program of this machine, a request and an answer a line, to compare the WebAssembly with.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        output.write_all(exactum_wasm::respond(line?.as_bytes()).as_bytes())?;
        output.write_all(b"\n")?;
    }
    output.flush()
}
