//! Embeds the suite in the crate: the packed files of the package or, in a checkout, the files themselves.

mod pack;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let here = Path::new(&here);
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    let target = Path::new(&out).join("suite.bin");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=pack.rs");
    // Cargo writes this file into packages and nowhere else. The folders around an unpacked package are unrelated to
    // it.
    if here.join("Cargo.toml.orig").is_file() {
        let packed = here.join("suite.bin");
        println!("cargo::rerun-if-changed={}", packed.display());
        fs::copy(packed, target)?;
        return Ok(());
    }
    let root = here.join("../..");
    let folders = [
        "vectors",
        "spec",
        "conformance/expectations",
        "conformance/results",
    ];
    for folder in folders {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    fs::write(target, pack::pack(&root)?)
}
