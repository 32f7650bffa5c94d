//! Tests a store like those of ERA5: temperatures with NaN, precipitation that is mostly zero, labels, a packed
//! variable of CF, times in both forms, and strings, with consolidated metadata. The store is validated, proved and
//! packed by the command, and read by other libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use exactum_peers::registry::Registry;
use libtest_mimic::Failed;
use serde_json::{Map, Value, json};
use zarrs::array::{ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;

use crate::python::{Folder, ask, says};

/// Times, latitudes and longitudes.
const SHAPE: [usize; 3] = [4, 8, 16];

/// The allowed error.
const MOST: &str = "0.005";

/// An array of the store.
struct Member {
    name: &'static str,
    document: Value,
    /// The bytes of all chunks, which are slices along the first dimension.
    chunks: Vec<Vec<u8>>,
}

/// Returns an array whose chunks are the two halves of its elements.
fn halves(
    name: &'static str,
    data_type: Value,
    (shape, fill_value): (&[usize], Value),
    attributes: Value,
    bytes: &[u8],
) -> Member {
    let mut chunk = shape.to_vec();
    chunk[0] /= 2;
    let dimensions = ["time", "latitude", "longitude"];
    Member {
        name,
        document: json!({
            "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": fill_value, "attributes": attributes,
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
            "dimension_names": &dimensions[3 - shape.len()..], "storage_transformers": [],
        }),
        chunks: bytes.chunks(bytes.len() / 2).map(<[u8]>::to_vec).collect(),
    }
}

/// Temperatures in kelvins; every hundredth is missing.
fn temperatures() -> Vec<f32> {
    let elements = u16::try_from(SHAPE.iter().product::<usize>()).expect("few");
    (0..elements)
        .map(|at| match at % 100 {
            7 => f32::NAN,
            _ => 215.0 + f32::from(at * 37 % 512) * 0.193_7,
        })
        .collect()
}

fn little<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    values.collect::<Vec<_>>().concat()
}

/// Returns all arrays of the store.
fn members() -> Vec<Member> {
    let elements = u16::try_from(SHAPE.iter().product::<usize>()).expect("few");
    let rain = (0..elements).map(|at| {
        if at % 9 == 0 {
            f32::from(at) * 1.1e-4
        } else {
            0.0
        }
    });
    let codes = (0..elements).map(|at| {
        let code = i16::try_from(at).expect("few");
        if at % 50 == 0 {
            -32_767
        } else {
            code * 7 - 2_000
        }
    });
    let units = |units: &str| json!({"units": units});
    let packed = json!({
        "units": "K", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32_767,
    });
    let moments = json!({
        "name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1},
    });
    let mut all = vec![
        halves(
            "t2m",
            json!("float32"),
            (&SHAPE, json!("NaN")),
            units("K"),
            &little(temperatures().into_iter().map(f32::to_le_bytes)),
        ),
        halves(
            "tp",
            json!("float32"),
            (&SHAPE, json!(0.0)),
            units("m"),
            &little(rain.map(f32::to_le_bytes)),
        ),
        halves(
            "region",
            json!("uint64"),
            (&SHAPE[1..], json!(0)),
            json!({}),
            &little((0..128_u64).map(|at| (u64::MAX - at).to_le_bytes())),
        ),
        halves(
            "sst",
            json!("int16"),
            (&SHAPE, json!(-32_767)),
            packed,
            &little(codes.map(i16::to_le_bytes)),
        ),
        halves(
            "time",
            json!("int64"),
            (&SHAPE[..1], json!(0)),
            json!({"units": "hours since 1970-01-01", "calendar": "proleptic_gregorian"}),
            &little((0..4_i64).map(|at| (at * 6).to_le_bytes())),
        ),
        halves(
            "valid_time",
            moments,
            (&SHAPE[..1], json!("NaT")),
            json!({}),
            &little(
                [0, 21_600, i64::MIN, 64_800]
                    .into_iter()
                    .map(i64::to_le_bytes),
            ),
        ),
    ];
    all.push(station());
    all
}

/// Returns an array of texts.
fn station() -> Member {
    let text = |words: [&str; 2]| {
        let mut bytes = 2_u32.to_le_bytes().to_vec();
        for word in words {
            bytes.extend(u32::try_from(word.len()).expect("short").to_le_bytes());
            bytes.extend(word.bytes());
        }
        bytes
    };
    let mut station = halves(
        "station",
        json!("string"),
        (&SHAPE[..1], json!("")),
        json!({}),
        &[0; 2],
    );
    station.document["codecs"] = json!([{"name": "vlen-utf8"}]);
    station.chunks = vec![text(["Reykjavík", "Kyiv"]), text(["Lomé", "Nuuk"])];
    station
}

/// Writes the store.
fn store(folder: &Folder) -> Result<PathBuf, Failed> {
    let mut metadata = Map::new();
    for member in members() {
        let place = folder.array(&format!("era5/{}", member.name), &member.document)?;
        let rank = member.document["shape"].as_array().map_or(0, Vec::len);
        for (at, chunk) in member.chunks.iter().enumerate() {
            let key = format!("c/{at}{}", "/0".repeat(rank - 1));
            let file = place.join(key);
            fs::create_dir_all(file.parent().ok_or("no folder")?)?;
            fs::write(file, chunk)?;
        }
        metadata.insert(member.name.into(), member.document);
    }
    let group = json!({
        "zarr_format": 3, "node_type": "group", "attributes": {"Conventions": "CF-1.11"},
        "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": metadata},
    });
    folder.array("era5", &group)
}

fn exactum(arguments: &[&str]) -> Result<Output, Failed> {
    Ok(Command::new(env!("CARGO_BIN_EXE_exactum"))
        .args(arguments)
        .output()?)
}

/// Packs the store, and returns the report.
fn pack(from: &str, to: &str, more: &[&str]) -> Result<Value, Failed> {
    let arguments = [&["pack", from, to, "--json", "--max-error", MOST], more].concat();
    let output = exactum(&arguments)?;
    match output.status.success() {
        true => Ok(serde_json::from_slice(&output.stdout)?),
        false => Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// Checks that zarrs reads the temperatures within the error.
fn read_by_zarrs(array: &Path) -> Result<(), Failed> {
    let plugins = exactum_zarrs_plugins::register();
    let array = plugins.open(Arc::new(FilesystemStore::new(array)?), "/")?;
    let all = ArraySubset::new_with_shape(SHAPE.map(|extent| extent as u64).to_vec());
    let back: ArrayBytes<'static> = array.retrieve_array_subset(&all)?;
    let bytes = back.into_fixed()?;
    let most: f64 = MOST.parse()?;
    for (value, back) in temperatures().into_iter().zip(bytes.as_chunks::<4>().0) {
        let back = f32::from_ne_bytes(*back);
        let is_kept = match value.is_nan() {
            true => back.is_nan(),
            false => (f64::from(value) - f64::from(back)).abs() <= most,
        };
        if !is_kept {
            return Err(format!("{value} is read as {back}").into());
        }
    }
    Ok(())
}

/// Tests the commands on the store, without other libraries.
pub(crate) fn is_packed() -> Result<(), Failed> {
    let folder = Folder::new()?;
    let place = store(&folder)?;
    let from = place.display().to_string();
    says(
        &["validate", "--strict", &from],
        0,
        "station/zarr.json: valid",
    )?;
    let validated = exactum(&["validate", &from])?;
    let text = String::from_utf8_lossy(&validated.stdout);
    for word in ["Error", "Warning", ": rejected", ": not judged"] {
        if text.contains(word) {
            return Err(format!("validate says {word}:\n{text}").into());
        }
    }
    let sst = place.join("sst").display().to_string();
    let proof = ["prove", &sst, "--range=255..290", "--max-error", "0.00501"];
    says(&proof, 0, "values are float64, as CF unpacks int16")?;
    says(&proof, 0, "proved: every value from 255.0 to 290.0")?;
    says(&["prove", &sst, "--range=-60..290"], 1, "refuted")?;
    says(
        &["plan", "--scan", &sst, "--max-error", "0.01"],
        0,
        "as CF unpacks int16",
    )?;

    for (name, more) in [("smallest", &[][..]), ("int16", &["--target", "int16"])] {
        let place = folder.join(name);
        let to = place.display().to_string();
        let report = pack(&from, &to, more)?;
        let t2m = &report["arrays"][0];
        let (before, after) = (t2m["bytes_before"].as_u64(), t2m["bytes_after"].as_u64());
        if t2m["path"] != "t2m" || before < after.map(|after| 2 * after) {
            return Err(format!("{name}: t2m is not halved: {report}").into());
        }
        says(
            &["pack", "--check", &from, &to],
            0,
            "is within the promised error",
        )?;
        says(&["validate", &to], 0, "t2m/zarr.json: valid")?;
        let (own, packed) = (format!("{from}/t2m"), format!("{to}/t2m"));
        says(
            &["prove", &packed, "--scan", &own, "--max-error", MOST],
            0,
            "proved",
        )?;
        read_by_zarrs(Path::new(&packed))?;
        for member in members()
            .iter()
            .filter(|it| !["t2m", "tp"].contains(&it.name))
        {
            let chunk = |folder: &str| {
                let rank = member.document["shape"].as_array().map_or(0, Vec::len);
                fs::read(format!(
                    "{folder}/{}/c/1{}",
                    member.name,
                    "/0".repeat(rank - 1)
                ))
            };
            if chunk(&from)? != chunk(&to)? {
                return Err(
                    format!("{}: the chunks are not copied as they are", member.name).into(),
                );
            }
        }
    }
    Ok(())
}

/// Tests the temperatures that a library reads. They are packed into int16 by codecs or by attributes of CF.
pub(crate) fn is_read(registry: &Registry, peer: &str) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let from = store(&folder)?.display().to_string();
    let to = folder.join("packed").display().to_string();
    let report = pack(&from, &to, &["--target", "int16"])?;
    let array = format!("{to}/t2m");
    let values = folder.join("t2m.values");
    fs::write(
        &values,
        little(temperatures().into_iter().map(f32::to_le_bytes)),
    )?;
    if peer != "zarr-python" {
        let document = format!("{array}/zarr.json");
        let output = exactum(&["validate", "--modernize=cf", &document])?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        fs::write(document, output.stdout)?;
    }
    let job = json!({
        "folder": array, "values": values, "shape": SHAPE,
        "error": report["arrays"][0]["promised_error"],
    });
    let what = match peer {
        "zarr-python" => "zarr_within",
        "tensorstore" => "tensorstore_within",
        _ => "xarray_within",
    };
    ask(registry, peer, what, &[job])
}
