//! Arrays that zarrs stores with Exactum's plugins are read by tensorstore and zarr-python, and arrays that they store
//! are read by zarrs.
//!
//! `cargo xtask peers` sets up both libraries, and `exactum run --peers` fails if they are missing. Here, the tests of
//! a missing library are reported as ignored, with the reason on standard error, so that silence does not look like
//! success.

#[path = "exchange/arrays.rs"]
mod arrays;
#[path = "exchange/library.rs"]
mod library;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use exactum_conformance::model::{Array, DataType};
use exactum_peers::registry::Registry;
use exactum_zarrs_plugins::register;
use libtest_mimic::{Arguments, Failed, Trial};
use zarrs::array::{ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;

use arrays::{ARRAYS, Exchanged};
use library::{Library, Values};

#[expect(
    clippy::print_stderr,
    reason = "standard error says what is not tested"
)]
fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let registry = match Registry::open(&root) {
        Ok(registry) => Arc::new(registry),
        Err(error) => {
            let failing = Trial::test("registry", move || Err(error.into()));
            return libtest_mimic::run(&arguments, vec![failing]).exit_code();
        }
    };
    let mut trials = Vec::new();
    for array in ARRAYS {
        for &library in array.libraries {
            if let Err(missing) = registry.launch(library) {
                let (name, remedy) = (array.name, missing.remedy);
                eprintln!(
                    "{name} is not exchanged with {library}: {}; {remedy}",
                    missing.why
                );
                let untried = Trial::test(format!("{library}::{name}"), || Ok(()));
                trials.push(untried.with_ignored_flag(true));
                continue;
            }
            let registry = Arc::clone(&registry);
            let name = format!("{library}::{}", array.name);
            let trial = Trial::test(name, move || exchange(&registry, library, array));
            trials.push(trial);
        }
    }
    if trials.is_empty() {
        eprintln!("WARNING: no array was exchanged, because no other implementation is set up");
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Checks both directions: zarrs stores and the library reads; the library stores and zarrs reads.
fn exchange(registry: &Registry, library: &str, array: &Exchanged) -> Result<(), Failed> {
    let library = Library::of(registry, library)?;
    let folder = library.folder(array.name)?;
    let expected = values(array)?;
    let outcome = there_and_back(&library, &folder, array, &expected);
    fs::remove_dir_all(folder)?;
    outcome
}

fn there_and_back(
    library: &Library,
    folder: &Path,
    array: &Exchanged,
    expected: &Values,
) -> Result<(), Failed> {
    let ours = document(folder, "ours", array)?;
    store(&ours, array, expected)?;
    compare("zarrs", &load(&ours, array)?, expected)?;
    compare(
        "the library, of zarrs' chunks,",
        &library.read(&ours)?,
        expected,
    )?;
    let theirs = document(folder, "theirs", array)?;
    library.write(&theirs, expected)?;
    compare("the library", &library.read(&theirs)?, expected)?;
    compare(
        "zarrs, of the library's chunks,",
        &load(&theirs, array)?,
        expected,
    )
}

/// Writes the document of an array into a new folder.
fn document(folder: &Path, name: &str, array: &Exchanged) -> Result<PathBuf, Failed> {
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("zarr.json"), array.document())?;
    Ok(folder)
}

/// Returns the values of the whole array: the written values, and the fill value for the others.
fn values(array: &Exchanged) -> Result<Values, Failed> {
    let data_type: DataType = array
        .data_type
        .parse()
        .map_err(|_| format!("{} is not a data type", array.data_type))?;
    let data: Vec<u8> = array.elements().concat();
    let shape = vec![array.rows, array.columns];
    Array::new(data_type, shape, data)
        .map(Values)
        .map_err(|rejection| rejection.to_string().into())
}

/// Stores all rows but the last ones, whose chunks stay missing.
fn store(folder: &Path, array: &Exchanged, values: &Values) -> Result<(), Failed> {
    let plugins = register();
    let store = Arc::new(FilesystemStore::new(folder)?);
    let opened = plugins.open(store, "/")?;
    let rows = array.written;
    let width = values.0.data_type().element_bytes();
    let count = usize::try_from(rows * array.columns)?;
    let bytes = ArrayBytes::new_flen(values.0.data()[..count * width].to_vec());
    let part = ArraySubset::new_with_ranges(&[0..rows, 0..array.columns]);
    Ok(opened.store_array_subset(&part, bytes)?)
}

/// Reads the whole array with zarrs.
fn load(folder: &Path, array: &Exchanged) -> Result<Values, Failed> {
    let plugins = register();
    let store = Arc::new(FilesystemStore::new(folder)?);
    let opened = plugins.open(store, "/")?;
    let bytes: ArrayBytes<'static> = opened.retrieve_array_subset(&opened.subset_all())?;
    let elements = values(array)?;
    let data = bytes.into_fixed()?.into_owned();
    Array::new(elements.0.data_type(), elements.0.shape().to_vec(), data)
        .map(Values)
        .map_err(|rejection| rejection.to_string().into())
}

/// Compares elements by their own bits; any NaN equals any NaN.
fn compare(who: &str, got: &Values, expected: &Values) -> Result<(), Failed> {
    if got.0.data_type() != expected.0.data_type() || got.0.shape() != expected.0.shape() {
        return Err(format!(
            "{who} has {} of shape {:?}",
            got.0.data_type(),
            got.0.shape()
        )
        .into());
    }
    let format = expected.0.data_type().format();
    let same = |(got, expected): (u64, u64)| {
        let nan = format
            .float()
            .is_some_and(|float| float.is_nan(got) && float.is_nan(expected));
        got == expected || nan
    };
    let pairs = got.0.components().zip(expected.0.components());
    match pairs.into_iter().position(|pair| !same(pair)) {
        None => Ok(()),
        Some(index) => Err(format!(
            "{who} reads element {index} as {:#x}, not {:#x}",
            got.0.component(index),
            expected.0.component(index)
        )
        .into()),
    }
}
