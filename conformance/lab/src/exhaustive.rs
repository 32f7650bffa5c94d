//! Comparison of the optimized casts with the reference: on every element of every real type of 16 bits or less, into
//! every real type, in every mode; on every float32 ([`float32`]); and on random elements of 64 bits ([`random`]).

mod random;
mod runs;

use std::sync::atomic::{AtomicUsize, Ordering};

use exactum_conformance::model::{Cast, DataType, OutOfRange, Rejection, Rounding, little_endian};
use exactum_optimized::cast_value::cast_into;
use exactum_reference::cast_value::cast_element;
use rayon::prelude::*;

pub use random::random;
pub use runs::float32;

/// The widest source type of which all elements are tried.
const WIDEST: u32 = 16;

const RULES: [Option<OutOfRange>; 3] = [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)];

/// The comparisons that were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The number of pairs of types in a mode.
    pub casts: usize,
    /// The number of elements, over all casts.
    pub elements: u64,
}

/// Compares all casts, or those from or into one type. After each pair of types, `progress` is called with the number
/// of pairs that remain.
///
/// # Errors
/// If the two implementations differ. The error has a line for each cast.
pub fn run(
    from: Option<DataType>,
    to: Option<DataType>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Compared, Vec<String>> {
    together(pairs(from, to), |(from, to)| pair(from, to), progress)
}

/// Compares casts on all threads. `progress` is called with the number of remaining items.
fn together<T: Send>(
    casts: Vec<T>,
    compare: impl Fn(T) -> (Compared, Vec<String>) + Sync,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Compared, Vec<String>> {
    let left = AtomicUsize::new(casts.len());
    let compared: Vec<(Compared, Vec<String>)> = casts
        .into_par_iter()
        .map(|cast| {
            let compared = compare(cast);
            progress(left.fetch_sub(1, Ordering::Relaxed) - 1);
            compared
        })
        .collect();
    let mut all = Compared::default();
    let mut findings = Vec::new();
    for (compared, found) in compared {
        all.casts += compared.casts;
        all.elements += compared.elements;
        findings.extend(found);
    }
    if findings.is_empty() {
        Ok(all)
    } else {
        Err(findings)
    }
}

/// Returns the pairs of types to compare.
fn pairs(from: Option<DataType>, to: Option<DataType>) -> Vec<(DataType, DataType)> {
    let real = || DataType::ALL.iter().copied().filter(|it| it.is_real());
    let small = real().filter(|it| it.format().component_bits() <= WIDEST);
    small
        .filter(|it| from.is_none_or(|only| only == *it))
        .flat_map(|from| real().map(move |to| (from, to)))
        .filter(|(_, it)| to.is_none_or(|only| only == *it))
        .collect()
}

/// Returns the casts of a pair, one for each mode.
fn modes(from: DataType, to: DataType) -> impl Iterator<Item = Cast<'static>> {
    let rules = |&rounding: &Rounding| RULES.map(|out_of_range| (rounding, out_of_range));
    let modes = Rounding::ALL.iter().flat_map(rules);
    modes.map(move |(rounding, out_of_range)| Cast::new(from, to, rounding, out_of_range))
}

/// Compares all modes of a pair.
fn pair(from: DataType, to: DataType) -> (Compared, Vec<String>) {
    let elements: Vec<u64> = (0..1 << from.format().component_bits()).collect();
    let mut compared = Compared::default();
    let mut findings = Vec::new();
    for cast in modes(from, to) {
        findings.extend(compare(&cast, &elements).err());
        compared.casts += 1;
        compared.elements += elements.len() as u64;
    }
    (compared, findings)
}

/// Compares a cast on some elements: those that the reference accepts together, and each of the others alone.
fn compare(cast: &Cast<'_>, elements: &[u64]) -> Result<(), String> {
    let mut taken = (Vec::new(), Vec::new());
    for &bits in elements {
        match cast_element(cast, bits) {
            Ok(result) => {
                taken.0.push(bits);
                taken.1.push(result);
            }
            Err(right) => match optimized(cast, &[bits]) {
                Err(rejection) if rejection.reason == right.reason => {}
                other => {
                    return Err(differs(cast, bits, &format!("{:?}", right.reason), &other));
                }
            },
        }
    }
    let results = optimized(cast, &taken.0);
    if results.as_ref() == Ok(&taken.1) {
        return Ok(());
    }
    // Find the element that differs.
    for (&bits, &right) in taken.0.iter().zip(&taken.1) {
        let result = optimized(cast, &[bits]);
        if result != Ok(vec![right]) {
            return Err(differs(cast, bits, &format!("{right:#x}"), &result));
        }
    }
    Err(format!(
        "{cast:?}: all elements together differ, each alone does not"
    ))
}

fn differs(cast: &Cast<'_>, bits: u64, right: &str, other: &Result<Vec<u64>, Rejection>) -> String {
    format!("{cast:?}: {bits:#x} gives {other:x?}, not {right}")
}

/// Returns the optimized results of some elements.
fn optimized(cast: &Cast<'_>, elements: &[u64]) -> Result<Vec<u64>, Rejection> {
    let (wide, narrow) = (cast.from.element_bytes(), cast.to.element_bytes());
    let input: Vec<u8> = elements
        .iter()
        .flat_map(|bits| bits.to_le_bytes().into_iter().take(wide))
        .collect();
    let mut output = vec![0; elements.len() * narrow];
    cast_into(cast, &input, &mut output)?;
    Ok(output.chunks_exact(narrow).map(little_endian).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_are_there() {
        let real = DataType::ALL.iter().filter(|it| it.is_real()).count();
        let sources = pairs(None, Some(DataType::Float32));
        assert_eq!(pairs(None, None).len(), sources.len() * real);
        for from in [
            DataType::Float16,
            DataType::Bfloat16,
            DataType::Uint16,
            DataType::Int2,
        ] {
            assert!(sources.contains(&(from, DataType::Float32)), "{from}");
        }
        assert!(!sources.contains(&(DataType::Int32, DataType::Float32)));
    }

    #[test]
    fn a_pair_is_compared_in_every_mode() {
        let (from, to) = (DataType::Int8, DataType::Float8E5m2);
        let compared = run(Some(from), Some(to), &|_| {}).expect("they agree");
        assert_eq!((compared.casts, compared.elements), (15, 15 * 256));
    }

    /// The check itself can fail: two casts with different rounding modes are not equal.
    #[test]
    fn a_difference_is_found() {
        let of = |rounding| {
            Cast::new(
                DataType::Float16,
                DataType::Int8,
                rounding,
                Some(OutOfRange::Clamp),
            )
        };
        let half = 0x3e00;
        let one = optimized(&of(Rounding::TowardsZero), &[half]);
        let other = cast_element(&of(Rounding::NearestEven), half);
        assert_ne!(one, other.map(|bits| vec![bits]));
    }
}
