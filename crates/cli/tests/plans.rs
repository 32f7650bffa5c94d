//! Applies plans, as the command prints them, to data: with the codecs of Exactum in zarrs, with zarr-python, and with
//! xarray.
//!
//! zarrs reads back what it stored, within the printed error, and with NaN and infinities at their places. zarr-python
//! stores the same chunks, byte for byte: both libraries compute `(value - offset) * scale` and round a tie away from
//! zero. xarray divides by the printed `scale_factor`, which is a rounded reciprocal, and rounds a tie to the even
//! code. Both quotients are within 2^-19 of the exact one, since codes have at most 32 bits and steps of float64 are
//! relative to 2^-53. Therefore the codes are the same where the exact quotient is at least 2^-16 away from the middle
//! between two codes, and the data for xarray are chosen accordingly. Ties have a separate test, in which all steps are
//! exact.
//!
//! The libraries are set up by `cargo xtask peers`. If one is missing, its tests count as ignored, and
//! standard error says why.

#[path = "plans/data.rs"]
mod data;
#[path = "plans/era5.rs"]
mod era5;
#[path = "plans/python.rs"]
mod python;
#[path = "plans/recipes.rs"]
mod recipes;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};
use std::{env, fs};

use exactum_exact::Exact;
use exactum_model::DataType;
use exactum_peers::registry::Registry;
use exactum_vectors::side_by_side;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use zarrs::array::{ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;

use data::{COLUMNS, Field, ROWS, quotient};
use python::{Folder, ask};

/// The number of rows of a chunk. A chunk has all columns.
const CHUNK: u64 = 12;

#[expect(
    clippy::print_stderr,
    reason = "the output of the tests has to show what is not tested"
)]
fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let registry = Registry::open(&root).map(Arc::new);
    let mut trials = vec![
        Trial::test("zarrs_reads_back_what_the_plan_promises", || {
            ours().map(drop)
        }),
        Trial::test("what_is_scanned_is_proved", || {
            python::proofs(&Folder::new()?)
        }),
        Trial::test("a_store_of_era5_is_packed", era5::is_packed),
        Trial::test("the_recipe_for_zarrs_is_the_example", recipes::example),
        Trial::test("a_proof_is_json_whatever_happens", || {
            recipes::always_json(&Folder::new()?)
        }),
        Trial::test("what_is_wrong_with_an_input_is_reported", || {
            python::refusals(&Folder::new()?)
        }),
    ];
    type Test = fn(&Registry) -> Result<(), Failed>;
    let others: [(&str, &str, Test); 11] = [
        ("zarr-python", "runs_its_recipe", |it| {
            recipes::runs(it, "zarr-python", "zarr-python")
        }),
        ("xarray", "runs_its_recipe", |it| {
            recipes::runs(it, "xarray", "xarray")
        }),
        ("tensorstore", "runs_its_recipe", |it| {
            recipes::runs(it, "tensorstore", "tensorstore")
        }),
        ("gdal", "runs_its_recipe", |it| {
            recipes::runs(it, "gdal", "gdal")
        }),
        ("zarr-python", "reads_what_was_packed", |it| {
            era5::is_read(it, "zarr-python")
        }),
        ("tensorstore", "reads_what_was_packed", |it| {
            era5::is_read(it, "tensorstore")
        }),
        ("xarray", "reads_what_was_packed", |it| {
            era5::is_read(it, "xarray")
        }),
        ("zarr-python", "stores_the_same_chunks", same_chunks),
        ("zarr-python", "stores_are_scanned", scanned),
        ("xarray", "stores_the_same_codes", same_codes),
        ("xarray", "rounds_ties_to_even", ties),
    ];
    for (library, name, test) in others {
        let name = format!("{library}::{name}");
        let opened = registry.as_ref().map_err(Clone::clone);
        match opened.and_then(|it| {
            it.launch(library)
                .map(|_| it)
                .map_err(|it| format!("{}; {}", it.why, it.remedy))
        }) {
            Ok(registry) => {
                let registry = Arc::clone(registry);
                trials.push(Trial::test(name, move || test(&registry)));
            }
            Err(why) => {
                eprintln!("{name} is not tested: {why}");
                trials.push(Trial::test(name, || Ok(())).with_ignored_flag(true));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A case: the arguments of the command, and the field.
#[derive(Clone)]
struct Case {
    name: String,
    arguments: Vec<String>,
    field: Field,
}

/// Returns cases with different targets, policies, ranges and needs.
fn cases() -> Vec<Case> {
    let ranges = [
        [-54.5, 600.8],
        [0.0, 1.0],
        [1e6, 1e6 + 1.0],
        [-3e-9, 2e-9],
        [-2.0, 98.0],
    ];
    let policies = ["tn115", "full", "power_of_two", "decimal", "quantum"];
    let targets = ["int8", "uint8", "int16", "uint16", "int32"];
    let needs = ["NaN", "NaN,Infinity", "NaN,Infinity,-Infinity", ""];
    let mut cases = Vec::new();
    for (t, target) in targets.into_iter().enumerate() {
        for (p, policy) in policies.into_iter().enumerate() {
            for (n, need) in needs.into_iter().enumerate() {
                if need.contains("-Inf") && target.starts_with('u') {
                    continue;
                }
                let range = ranges[(t + p + n) % ranges.len()];
                let mut arguments = vec![
                    format!("--range={}..{}", range[0], range[1]),
                    "--target".into(),
                    target.into(),
                ];
                match policy {
                    "quantum" => arguments.extend([
                        "--quantum".into(),
                        ((range[1] - range[0]) / 100.0).to_string(),
                    ]),
                    _ => arguments.extend(["--policy".into(), policy.into()]),
                }
                if !need.is_empty() {
                    arguments.push(format!("--need={need}"));
                }
                cases.push(Case {
                    name: format!("{target}-{policy}-{n}"),
                    arguments,
                    field: Field::of(range, need),
                });
            }
        }
    }
    cases
}

/// Returns the plan that the command prints.
fn plan(arguments: &[String]) -> Result<Value, Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_exactum"))
        .args(["plan", "--json"])
        .args(arguments)
        .output()?;
    match output.status.success() {
        true => Ok(serde_json::from_slice(&output.stdout)?),
        false => Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// Returns the document of an array with the printed codecs and fill value.
fn document(plan: &Value) -> Value {
    json!({
        "zarr_format": 3, "node_type": "array", "shape": [ROWS, COLUMNS], "data_type": "float64",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [CHUNK, COLUMNS]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": plan["fill_value"], "codecs": plan["codecs"], "attributes": {}, "storage_transformers": [],
    })
}

/// A plan that zarrs has applied.
#[derive(Clone)]
struct Applied {
    case: Case,
    plan: Value,
    /// The bytes of every chunk, by its name.
    chunks: BTreeMap<String, Vec<u8>>,
}

fn chunks(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failed> {
    let names = (0..ROWS / CHUNK).map(|row| format!("c/{row}/0"));
    names
        .map(|name| Ok((name.clone(), fs::read(folder.join(name))?)))
        .collect()
}

/// Makes zarrs store every field by its plan, and compares the values that it reads back. Several tests need the
/// result, which is computed once.
fn ours() -> Result<Vec<Applied>, Failed> {
    static APPLIED: OnceLock<Result<Vec<Applied>, String>> = OnceLock::new();
    let store = || {
        let applied = Folder::new().and_then(|folder| apply_all(&folder));
        applied.map_err(|failed| failed.message().unwrap_or("failed").to_owned())
    };
    Ok(APPLIED.get_or_init(store).clone()?)
}

fn apply_all(folder: &Folder) -> Result<Vec<Applied>, Failed> {
    let plugins = exactum_zarrs_plugins::register();
    let apply = |case: &Case| -> Result<Applied, Failed> {
        let plan = plan(&case.arguments)?;
        let place = folder.array(&case.name, &document(&plan))?;
        let array = plugins.open(Arc::new(FilesystemStore::new(&place)?), "/")?;
        let all = ArraySubset::new_with_shape(vec![ROWS, COLUMNS]);
        array.store_array_subset(&all, ArrayBytes::new_flen(case.field.bytes()))?;
        let back: ArrayBytes<'static> = array.retrieve_array_subset(&all)?;
        kept(case, &plan, &back.into_fixed()?)?;
        Ok(Applied {
            chunks: chunks(&place)?,
            case: case.clone(),
            plan,
        })
    };
    side_by_side(&cases(), apply).into_iter().collect()
}

/// Checks that every element is within the printed error, compared exactly, and that values that are not numbers are
/// unchanged.
fn kept(case: &Case, plan: &Value, back: &[u8]) -> Result<(), Failed> {
    let format = DataType::Float64.format();
    let exact = |value: f64| Exact::from_bits(&format, value.to_bits());
    let promised = plan["maximum_error"]
        .as_f64()
        .ok_or("no error is printed")?;
    let mut largest = 0.0_f64;
    for (value, bytes) in case.field.values.iter().zip(back.as_chunks::<8>().0) {
        let (value, got) = (*value, f64::from_le_bytes(*bytes));
        let is_kept = match value.is_finite() {
            false => got.is_nan() && value.is_nan() || got == value,
            true => {
                let (low, high) = if got < value {
                    (got, value)
                } else {
                    (value, got)
                };
                largest = largest.max(high - low);
                let error = exact(high).subtract(&exact(low));
                got.is_finite() && error.compare(&exact(promised)).is_some_and(Ordering::is_le)
            }
        };
        if !is_kept {
            return Err(format!(
                "{}: {value} comes back as {got}, not within {promised}",
                case.name
            )
            .into());
        }
    }
    // The largest error must be at least half of the promised one, because a looser bound would not test anything. The
    // exception is a step that is so small that float64 itself is coarser.
    let step = 1.0 / plan["scale"].as_f64().ok_or("no scale is printed")?.abs();
    match largest * 2.0 >= promised || promised > step {
        true => Ok(()),
        false => Err(format!("{}: no error but {largest}, of {promised}", case.name).into()),
    }
}

fn same_chunks(registry: &Registry) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let applied = ours()?;
    let mut jobs = Vec::new();
    for it in &applied {
        let values = folder.values(&it.case.name, &it.case.field)?;
        let place = folder.array(&it.case.name, &document(&it.plan))?;
        jobs.push(json!({"folder": place, "values": values, "shape": [ROWS, COLUMNS]}));
    }
    ask(registry, "zarr-python", "zarr", &jobs)?;
    for (it, job) in applied.iter().zip(&jobs) {
        let theirs = chunks(Path::new(job["folder"].as_str().unwrap_or_default()))?;
        if theirs != it.chunks {
            return Err(format!("{}: zarr-python has other codes", it.case.name).into());
        }
    }
    Ok(())
}

/// Stores fields with the printed encodings, and returns their codes.
fn by_xarray(
    registry: &Registry,
    folder: &Folder,
    cases: &[(&Case, &Value)],
) -> Result<Vec<Vec<u8>>, Failed> {
    let mut jobs = Vec::new();
    for (case, plan) in cases {
        let values = folder.values(&case.name, &case.field)?;
        let codes = values.with_extension("codes");
        jobs.push(json!({"values": values, "shape": [ROWS, COLUMNS], "codes": codes, "encoding": plan["xarray"]}));
    }
    ask(registry, "xarray", "xarray", &jobs)?;
    let codes = jobs
        .iter()
        .map(|job| fs::read(job["codes"].as_str().unwrap_or_default()));
    Ok(codes.collect::<Result<_, _>>()?)
}

fn same_codes(registry: &Registry) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let mut applied = ours()?;
    // CF has no codes for infinities.
    applied.retain(|it| {
        it.case
            .field
            .values
            .iter()
            .all(|value| !value.is_infinite())
    });
    let mut left_out = 0;
    for it in &mut applied {
        left_out += it.case.field.keep_from_the_middle(&it.plan)?;
    }
    let all: usize = applied.iter().map(|it| it.case.field.values.len()).sum();
    if left_out * 100 > all {
        return Err(format!("{left_out} of {all} values are left out").into());
    }
    let cases: Vec<(&Case, &Value)> = applied.iter().map(|it| (&it.case, &it.plan)).collect();
    let codes = by_xarray(registry, &folder, &cases)?;
    for ((case, plan), theirs) in cases.iter().zip(&codes) {
        // Both libraries subtract the same number. This is necessary for the quotients to be so close.
        assert_eq!(
            plan["xarray"]["add_offset"],
            plan["codecs"][0]["configuration"]["offset"]
        );
        // The values near the middle between two codes have been replaced, so that zarrs stores the field again.
        if &stored(&folder, case, plan)? != theirs {
            return Err(format!("{}: xarray has other codes", case.name).into());
        }
    }
    Ok(())
}

/// Returns the codes that zarrs stores, in C order.
fn stored(folder: &Folder, case: &Case, plan: &Value) -> Result<Vec<u8>, Failed> {
    let plugins = exactum_zarrs_plugins::register();
    let place = folder.array(&format!("{}-ours", case.name), &document(plan))?;
    let array = plugins.open(Arc::new(FilesystemStore::new(&place)?), "/")?;
    let all = ArraySubset::new_with_shape(vec![ROWS, COLUMNS]);
    array.store_array_subset(&all, ArrayBytes::new_flen(case.field.bytes()))?;
    Ok(chunks(&place)?.into_values().flatten().collect())
}

/// With steps of a power of two, every step is exact, also in xarray: values in the middle between two codes
/// are ties for both. Exactum rounds them away from zero, and xarray to the even code; no other code differs.
fn ties(registry: &Registry) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let arguments: Vec<String> = [
        "--range=-512..512",
        "--target=int16",
        "--quantum=0.25",
        "--need=NaN",
    ]
    .map(Into::into)
    .into();
    let plan = plan(&arguments)?;
    let mut field = Field::of([-512.0, 512.0], "NaN");
    for (index, value) in field
        .values
        .iter_mut()
        .enumerate()
        .filter(|(_, value)| value.is_finite())
    {
        let eighths = f64::from(u32::try_from(index)?) - 1536.0;
        *value = eighths / 8.0;
    }
    let case = Case {
        name: "ties".into(),
        arguments,
        field,
    };
    let ours = stored(&folder, &case, &plan)?;
    let theirs = by_xarray(registry, &folder, &[(&case, &plan)])?;
    let codes = |bytes: &[u8]| -> Vec<i16> {
        bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|it| i16::from_le_bytes(*it))
            .collect()
    };
    let mut differ = 0;
    for ((value, ours), theirs) in case
        .field
        .values
        .iter()
        .zip(codes(&ours))
        .zip(codes(&theirs[0]))
    {
        if value.is_nan() {
            assert_eq!(ours, theirs);
            continue;
        }
        let exact = quotient(&plan, *value)?;
        assert_eq!(f64::from(ours), exact.round(), "{value}");
        assert_eq!(f64::from(theirs), exact.round_ties_even(), "{value}");
        differ += usize::from(ours != theirs);
    }
    match differ {
        500.. => Ok(()),
        _ => Err(format!("only {differ} ties differ").into()),
    }
}

/// Arrays that zarr-python stores with each of its compressors, and NumPy files, contain the values of the field.
fn scanned(registry: &Registry) -> Result<(), Failed> {
    let folder = Folder::new()?;
    let field = Field::of([-54.5, 600.75], "NaN,Infinity");
    let values = folder.values("values", &field)?;
    let (store, old, npy) = (
        folder.join("store.zarr"),
        folder.join("old.zarr"),
        folder.join("field"),
    );
    let job = json!({"values": values, "shape": [ROWS, COLUMNS], "folder": store, "old": old, "npy": npy});
    ask(registry, "zarr-python", "stores", &[job])?;
    let mut paths = vec![store.join("default")];
    let found = "from -54.5 to 600.75, NaN, Infinity";
    for entry in fs::read_dir(store.join("inner"))? {
        let path = entry?.path();
        paths.extend(path.is_dir().then_some(path));
    }
    for entry in fs::read_dir(folder.path())? {
        let path = entry?.path();
        paths.extend(
            path.extension()
                .is_some_and(|it| it == "npy")
                .then_some(path),
        );
    }
    assert_eq!(paths.len(), 1 + 3 + 15 + 3 + 8, "{paths:?}");
    for path in paths {
        python::says(
            &[
                "plan",
                "--scan",
                &path.display().to_string(),
                "--target",
                "int16",
            ],
            0,
            found,
        )?;
    }
    let named = format!(
        "give one of its arrays, as in {}: default, inner/blosc,",
        store.join("default").display()
    );
    python::says(
        &[
            "plan",
            "--scan",
            &store.display().to_string(),
            "--target",
            "int16",
        ],
        2,
        &named,
    )?;
    let old = old.join("a").display().to_string();
    python::says(
        &["plan", "--scan", &old, "--target", "int16"],
        2,
        "is an array of Zarr v2, but only Zarr 3 can be read",
    )
}
