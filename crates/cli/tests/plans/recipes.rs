//! Runs the programs that `plan --print` prints, without changing them.

use std::fs;
use std::process::Command;

use exactum_peers::registry::Registry;
use libtest_mimic::Failed;
use serde_json::{Value, json};

use crate::data::{COLUMNS, Field, ROWS};
use crate::python::Folder;

/// Makes a library run its recipes for float64 and float32, with NaN, on values within the range and at its ends. Each
/// recipe compares the values that it reads back with the promised error.
pub(crate) fn runs(registry: &Registry, peer: &str, library: &str) -> Result<(), Failed> {
    let entry = registry
        .lock
        .peers
        .get(peer)
        .ok_or("it is not in the lock")?;
    let runtime = registry
        .runtime(&entry.environment)
        .map_err(|missing| format!("{peer}: {}; {}", missing.why, missing.remedy))?;
    let folder = Folder::new()?;
    let values = folder.join("values.npy");
    fs::write(&values, npy(&Field::of([-54.5, 600.8], "NaN"))?)?;
    for (index, arguments) in [
        &["--max-error=0.02", "--target=int16"][..],
        &["--quantum=0.25", "--target=uint16"],
        &["--max-error=5"],
    ]
    .into_iter()
    .enumerate()
    {
        let scan = format!("--scan={}", values.display());
        let program = printed(&[&["--print", library, &scan], arguments].concat())?;
        let file = folder.join(&format!("program-{index}.py"));
        fs::write(&file, program)?;
        let output = Command::new(&runtime.program)
            .arg(&file)
            .arg(&values)
            .arg(folder.join(&format!("out-{index}.tif")))
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !text.starts_with("largest error") {
            let error = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{library} {arguments:?}: {text}{error}").into());
        }
    }
    Ok(())
}

/// Returns a NumPy file with a field of float64.
fn npy(field: &Field) -> Result<Vec<u8>, Failed> {
    let header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({ROWS}, {COLUMNS}), }}\n");
    let size = u16::try_from(header.len())?.to_le_bytes();
    Ok([
        &b"\x93NUMPY\x01\x00"[..],
        &size,
        header.as_bytes(),
        &field.bytes(),
    ]
    .concat())
}

/// Returns the program that the command prints.
fn printed(arguments: &[&str]) -> Result<String, Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_exactum"))
        .arg("plan")
        .args(arguments)
        .output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// Tests that the recipe for zarrs is an example of the plugins crate, whose tests run it.
pub(crate) fn example() -> Result<(), Failed> {
    let program = printed(&[
        "--print=zarrs",
        "--range=-54.5..600.8",
        "--data-type=float32",
        "--need=NaN",
        "--max-error=0.02",
    ])?;
    match program == include_str!("../../../zarrs-plugins/examples/planned.rs") {
        true => Ok(()),
        false => Err(format!("examples/planned.rs is not what is printed:\n{program}").into()),
    }
}

/// Tests that `prove --json` prints JSON and exits with code 2 for a rejected document, for a missing one, and for a
/// malformed range. For a document that is proved or refuted, it exits with code 0 or 1.
pub(crate) fn always_json(folder: &Folder) -> Result<(), Failed> {
    let array = |name: &str, scale: Value| {
        let document = json!({
            "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "float64",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
            "chunk_key_encoding": {"name": "default"}, "fill_value": 0.0,
            "codecs": [{"name": "scale_offset", "configuration": {"scale": scale}},
                {"name": "cast_value", "configuration": {"data_type": "int8"}}, {"name": "bytes"}],
        });
        folder.array(name, &document)
    };
    let (good, bad) = (array("good", json!(10))?, array("bad", json!("ten"))?);
    let missing = folder.join("missing");
    for (place, arguments, code, verdict) in [
        (&good, &["--range=0..12"][..], 0, "proved"),
        (&good, &["--range=0..12", "--max-error=0.0501"], 0, "proved"),
        (&good, &["--range=0..12", "--max-error=0.04"], 1, "refuted"),
        (
            &good,
            &["--range=1..12", "--max-relative-error=0.05"],
            0,
            "proved",
        ),
        (
            &good,
            &["--range=0..12", "--max-relative-error=0.05"],
            1,
            "refuted",
        ),
        (&good, &["--range=0..13"], 1, "refuted"),
        (&good, &["--range=2..1"], 2, "not_judged"),
        (&bad, &["--range=0..12"], 2, "rejected"),
        (&missing, &["--range=0..12"], 2, "not_judged"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_exactum"))
            .args(["prove", "--json"])
            .arg(place)
            .args(arguments)
            .output()?;
        let document: Value = serde_json::from_slice(&output.stdout)?;
        assert_eq!(document["verdict"], verdict, "{arguments:?}: {document}");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {document}"
        );
    }
    Ok(())
}
