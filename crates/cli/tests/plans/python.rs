//! Runs the command and Python libraries.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use exactum_peers::registry::Registry;
use libtest_mimic::Failed;
use serde_json::Value;
use tempfile::TempDir;

use crate::data::Field;

const PROGRAM: &str = include_str!("libraries.py");

/// A folder that is removed at the end.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Result<Self, Failed> {
        Ok(Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Creates a folder with the document of an array.
    pub(crate) fn array(&self, name: &str, document: &Value) -> Result<PathBuf, Failed> {
        let place = self.join(name);
        fs::create_dir_all(&place)?;
        fs::write(place.join("zarr.json"), document.to_string())?;
        Ok(place)
    }

    /// Writes a file with the elements of a field.
    pub(crate) fn values(&self, name: &str, field: &Field) -> Result<PathBuf, Failed> {
        let file = self.join(&format!("{name}.values"));
        fs::write(&file, field.bytes())?;
        Ok(file)
    }
}

/// Makes a library do its jobs.
pub(crate) fn ask(
    registry: &Registry,
    peer: &str,
    what: &str,
    jobs: &[Value],
) -> Result<(), Failed> {
    let entry = registry
        .lock
        .peers
        .get(peer)
        .ok_or("it is not in the lock")?;
    let runtime = registry
        .runtime(&entry.environment)
        .map_err(|missing| format!("{peer}: {}; {}", missing.why, missing.remedy))?;
    let mut child = Command::new(&runtime.program)
        .args(["-c", PROGRAM, what])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(Value::from(jobs).to_string().as_bytes())?;
    }
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{peer}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// Checks the output of a command, and its exit code.
pub(crate) fn says(arguments: &[&str], code: i32, what: &str) -> Result<(), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_exactum"))
        .args(arguments)
        .output()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    match output.status.code() == Some(code) && text.contains(what) {
        true => Ok(()),
        false => Err(format!(
            "{arguments:?}: exit code {:?}, and not {what:?}:\n{text}",
            output.status.code()
        )
        .into()),
    }
}

/// Tests that scanned arrays are proved or refuted with the values that they contain.
pub(crate) fn proofs(folder: &Folder) -> Result<(), Failed> {
    let document = serde_json::json!({
        "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "float64",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 0.0,
        "codecs": [{"name": "cast_value", "configuration": {"data_type": "int8"}}, {"name": "bytes"}],
    });
    let array = folder.array("array", &document)?;
    let rows = [
        (
            [-128.0, 127.25],
            0,
            "proved: every value from -128.0 to 127.25",
        ),
        (
            [-128.75, 5.0],
            1,
            "refuted: not every value from -128.75 to 5.0",
        ),
        ([f64::NAN, 5.0], 1, "NaN is not read back as itself"),
        ([f64::NAN, f64::INFINITY], 2, "holds no finite number"),
    ];
    for (values, code, what) in rows {
        let header = "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }";
        let size = u16::try_from(header.len())?.to_le_bytes();
        let data = values.map(f64::to_be_bytes).concat();
        let file = folder.join("values.npy");
        fs::write(
            &file,
            [b"\x93NUMPY\x01\x00", &size[..], header.as_bytes(), &data].concat(),
        )?;
        let (array, file) = (array.display().to_string(), file.display().to_string());
        says(&["prove", &array, "--scan", &file], code, what)?;
    }
    Ok(())
}

/// Inputs that cannot be scanned.
pub(crate) fn refusals(folder: &Folder) -> Result<(), Failed> {
    let group = serde_json::json!({"zarr_format": 3, "node_type": "group", "attributes": {}});
    let scan = |path: PathBuf, what: &str| {
        says(
            &[
                "plan",
                "--scan",
                &path.display().to_string(),
                "--target",
                "int16",
            ],
            2,
            what,
        )
    };
    let store = folder.array("store", &group)?;
    scan(
        store.clone(),
        "is a group, but not an OME-Zarr 0.5 image; give the folder of an array",
    )?;
    folder.array("store/one", &serde_json::json!({"node_type": "array"}))?;
    let named = format!(
        "give one of its arrays, as in {}: one",
        store.join("one").display()
    );
    scan(store.clone(), &named)?;
    scan(store.join("two"), "two does not exist")?;
    fs::create_dir_all(store.join("two"))?;
    scan(
        store.join("two"),
        "has no zarr.json: it is neither an array nor a group of Zarr 3",
    )?;
    fs::create_dir_all(folder.join("old"))?;
    fs::write(folder.join("old/.zgroup"), "{}")?;
    scan(
        folder.join("old"),
        "is a group of Zarr v2, but only Zarr 3 can be read; convert it first",
    )?;
    fs::write(folder.join("file.nc"), b"CDF\x01 and more of it")?;
    scan(folder.join("file.nc"), "this is not a .npy file")
}
