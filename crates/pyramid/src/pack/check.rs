//! Checks whether an array that was packed by another program is within the promised error.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::compare::Comparison;
use super::{Packed, extent_of};
use crate::error::Error;
use crate::input::Input;
use crate::job::Progress;
use crate::journal::Seen;
use crate::needed::Needed;
use crate::plan::LevelPlan;
use crate::present::{self, Present};
use crate::record::{Record, Times};
use crate::store::{StoredArray, any_threads};
use crate::tiles::tiles;

/// Compares an array with its packed copy, made by any program, and returns the results. `bound` is the
/// largest error that is promised.
///
/// # Errors
/// If one of them cannot be read, if they differ in shape or data type, and [`Error::Promise`] for the first
/// value that is not read back within the bound.
pub fn check(
    input: &Path,
    output: &Path,
    bound: f64,
    threads: NonZeroUsize,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Packed, Error> {
    let registration = exactum_zarrs_plugins::register();
    let (from, to) = (Input::find(input)?, Input::find(output)?);
    if (&from.shape, from.data_type) != (&to.shape, to.data_type) {
        return Err(Error::Output(format!(
            "{} is an array of {} with the shape {:?}, but {} is an array of {} with the shape {:?}",
            input.display(),
            from.data_type,
            from.shape,
            output.display(),
            to.data_type,
            to.shape
        )));
    }
    let stored = |of: &Input| StoredArray::open(&registration, &of.folder);
    let (base, packed) = (stored(&from)?, stored(&to)?);
    let plan = LevelPlan::new(&to.shape, &to.chunk_shape, None)?;
    let fill = packed.little_fill_value(to.data_type);
    let listed =
        |of: &Input, array: &StoredArray| Present::of(&of.folder, &of.text, array, array.grid());
    let (before, after) = (listed(&from, &base)?, listed(&to, &packed)?);
    let one = |number: u64| -> Result<Seen, Error> {
        let mut seen = Seen::default();
        let extent = extent_of(&to, &plan.region(number));
        let width = to.data_type.element_bytes() as u64;
        let factors = vec![1; extent.rank()];
        for tile in tiles(&extent, &factors, &to.readable, width) {
            let options = any_threads();
            let read = |of: &StoredArray, present: &Option<Present>| {
                present::read(of, present.as_ref(), to.data_type, &tile, &options)
            };
            let (before, after) = (read(&base, &before)?, read(&packed, &after)?);
            let comparison = Comparison::new(output, to.data_type, tile.shape(), &fill, bound)?;
            seen = seen.and(comparison.little(&tile, before.data(), after.data())?);
        }
        Ok(seen)
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.get().min(64))
        .build()
        .map_err(|fault| Error::Options(fault.to_string()))?;
    let listed = [(&base, before.as_ref()), (&packed, after.as_ref())];
    let numbers = regions(&plan, &to.chunk_shape, listed)?;
    let made = AtomicU64::new(0);
    let all = numbers.len() as u64;
    let seen = pool.install(|| {
        numbers
            .par_iter()
            .map(|&number| {
                let seen = one(number)?;
                let made = made.fetch_add(1, Ordering::Relaxed) + 1;
                progress(Progress { made, all });
                Ok::<_, Error>(seen)
            })
            .try_reduce(Seen::default, |one, other| Ok(one.and(other)))
    })?;
    let bytes = |of: &StoredArray, folder: &Path| -> Result<u64, Error> {
        Ok(Record::of(folder, of, of.grid(), Times::DoNot)?.bytes())
    };
    Ok(Packed {
        path: String::new(),
        before: bytes(&base, &from.folder)?,
        after: bytes(&packed, &to.folder)?,
        promised: bound,
        seen,
    })
}

/// Returns the regions to compare: those that overlap a chunk of either array. Where neither array has a
/// chunk, both have their fill values; if these differ, all regions are compared.
fn regions(
    plan: &LevelPlan,
    chunk_shape: &[u64],
    arrays: [(&StoredArray, Option<&Present>); 2],
) -> Result<Vec<u64>, Error> {
    let [(base, before), (packed, after)] = arrays;
    let chosen = match (before, after) {
        (Some(before), Some(after)) if base.fill_value() == packed.fill_value() => {
            let boxes =
                [(base, before), (packed, after)]
                    .into_iter()
                    .flat_map(|(array, present)| {
                        present.chunks().map(|chunk| array.elements_of(chunk))
                    });
            Needed::of_elements(plan, chunk_shape, boxes)?
        }
        _ => Needed::of_regions(plan, |_| true),
    };
    Ok(chosen.numbers(0).collect())
}
