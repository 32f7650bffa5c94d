//! `cast_value`: every pair of the main data types, compared with `zarr-cast-value`.

use std::cell::RefCell;

use exactum_conformance::model::{
    Cast, DataType, Format, MapEntry, OutOfRange, Rounding, little_endian,
};
use exactum_conformance::vectors::hex;
use exactum_optimized::cast_value::cast_slice_into;
use exactum_peers::zarr_cast_value::Convert;
use serde_json::{Value, json};
use zarr_cast_value::f16;

use super::options::{Marks, Options};
use super::outside::Work;
use super::peer::{Number, bytes};
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "cast_value";

/// The peer.
const PEER: &str = "zarr-cast-value";

/// The pairs for which the design names a target.
const MAIN: [(DataType, DataType); 6] = [
    (DataType::Float64, DataType::Uint8),
    (DataType::Float64, DataType::Int16),
    (DataType::Float32, DataType::Float16),
    (DataType::Float64, DataType::Float16),
    (DataType::Int32, DataType::Uint8),
    (DataType::Int16, DataType::Float64),
];

/// A mode of a cast.
#[derive(Clone, Copy)]
struct Mode {
    rounding: Rounding,
    out_of_range: Option<OutOfRange>,
    mapped: bool,
}

impl Mode {
    fn name(self) -> String {
        let rule = self.out_of_range.map_or("absent", OutOfRange::name);
        let map = if self.mapped { " map" } else { "" };
        format!("{} {rule}{map}", self.rounding.name())
    }
}

/// Returns the modes in which a pair is measured.
fn modes(options: &Options) -> Vec<Mode> {
    let rules = [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)];
    let mode = |rounding, out_of_range, mapped| Mode {
        rounding,
        out_of_range,
        mapped,
    };
    if !options.all_modes {
        return vec![
            mode(Rounding::NearestEven, None, false),
            mode(Rounding::NearestEven, Some(OutOfRange::Clamp), false),
            mode(Rounding::TowardsZero, Some(OutOfRange::Wrap), false),
            mode(Rounding::NearestAway, None, false),
            mode(Rounding::NearestEven, Some(OutOfRange::Clamp), true),
        ];
    }
    let mut modes = Vec::new();
    for &rounding in Rounding::ALL {
        for out_of_range in rules {
            for mapped in [false, true] {
                modes.push(mode(rounding, out_of_range, mapped));
            }
        }
    }
    modes
}

pub(super) fn run(bench: &mut Bench<'_>) {
    macro_rules! all {
        ([$($source:ty)*] $targets:tt) => {
            $(all!(@ $source; $targets);)*
        };
        (@ $source:ty; [$($target:ty)*]) => {
            $(bench.pair::<$source, $target>();)*
        };
    }
    all!(
        [i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64]
        [i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64]
    );
}

impl Bench<'_> {
    fn pair<S: Number + Convert<T>, T: Number>(&mut self) {
        let name = |mode: Mode| format!("{}->{} {}", S::DATA_TYPE, T::DATA_TYPE, mode.name());
        let modes: Vec<Mode> = modes(self.options)
            .into_iter()
            .filter(|&mode| self.takes(&name(mode)))
            .collect();
        if modes.is_empty() {
            return;
        }
        let count = self.options.traffic() / (size_of::<S>() + size_of::<T>());
        let zero = T::from_f64(0.0);
        for mode in modes {
            let bytes_moved = count * (size_of::<S>() + size_of::<T>());
            let Some(case) = self.case(ROW, name(mode), bytes_moved) else {
                continue;
            };
            let (period, key) = elements::<S, T>(mode);
            let map = [MapEntry::new(
                key,
                little_endian(&bytes(&[T::from_f64(1.0)])),
            )];
            let cast = Cast::new(S::DATA_TYPE, T::DATA_TYPE, mode.rounding, mode.out_of_range)
                .map(if mode.mapped { &map } else { &[] });
            let period_count = period.len().min(count);
            let mut first = [vec![zero; period_count], vec![zero; period_count]];
            cast_slice_into(&cast, &period[..period_count], &mut first[0])
                .expect("the input is accepted");
            S::convert(&cast, &period[..period_count], &mut first[1])
                .expect("the input is accepted");
            let first = first.map(|first| bytes(&first));
            let rejected = rejected::<S, T>(&cast);
            let accepts = |element: &S| S::convert(&cast, &[*element], &mut [zero]).is_ok();
            let differs = first[0] != first[1] || rejected.iter().any(accepts);
            // Both implementations use the same memory: a different placement of its pages in the caches would make the
            // same loop up to a quarter slower.
            let input = Placed::new(placed::INPUT, count, &period);
            let output = RefCell::new(Placed::new(placed::OUTPUT, count, &[zero]));
            let contestants = vec![
                Contestant::here("optimized", || {
                    cast_slice_into(&cast, &input, &mut output.borrow_mut())
                        .expect("the input is accepted");
                }),
                Contestant {
                    marks: Marks {
                        differs,
                        ..Marks::default()
                    },
                    ..Contestant::here(PEER, || {
                        S::convert(&cast, &input, &mut output.borrow_mut())
                            .expect("the input is accepted");
                    })
                },
            ];
            let asked = MAIN.contains(&(cast.from, cast.to)) || self.is_small();
            let [first, _] = first;
            let work = Work {
                case: described(&cast, &rejected),
                period: bytes(&period),
                count,
                output: T::DATA_TYPE,
                first,
            };
            self.race(&case, contestants, asked.then_some(&work));
        }
    }
}

/// Returns a cast in the form that is sent to programs, with elements that it must reject.
fn described<S: Number>(cast: &Cast<'_>, rejected: &[S]) -> Value {
    json!({
        "operation": "cast",
        "from": cast.from.name(),
        "to": cast.to.name(),
        "rounding": cast.rounding.name(),
        "out_of_range": cast.out_of_range.map(OutOfRange::name),
        "map": match (cast.map.first(), cast.from.format().float()) {
            (None, _) => json!([]),
            (Some(_), Some(_)) => json!([["NaN", 1]]),
            (Some(entry), None) => json!([[entry.input, 1]]),
        },
        "rejected": hex::encode(bytes(rejected)),
    })
}

/// Returns elements that every target accepts (0 to 100, with halves in floats), and the bits of a map key: NaN in
/// floats, where every 16th element is then NaN, and 3 in integers. If there is a rule for values out of range, one
/// element in 8 is out of range, up to 60000 where the source can hold it. If the target is a float that does not hold
/// every number of the source, one element in 8 has to be rounded.
fn elements<S: Number, T: Number>(mode: Mode) -> (Vec<S>, u64) {
    let float = S::DATA_TYPE.format().float();
    let key = float.and_then(|format| format.nan_bits());
    let rounded = number_between::<S, T>();
    let elements = (0..4096u32)
        .map(|index| {
            if let Some(nan) = key
                && mode.mapped
                && index % 16 == 5
            {
                return S::from_bits(nan);
            }
            let small = f64::from(index * 37 % 200) / 2.0;
            match (index % 8, rounded) {
                (3, _) if mode.out_of_range.is_some() => S::from_f64(small * 600.0),
                (6, Some(bits)) => S::from_bits(bits),
                _ => S::from_f64(small),
            }
        })
        .collect();
    (elements, key.unwrap_or(3))
}

/// Returns the bits of a number of the source that lies halfway between two numbers of a float target, so that every
/// rounding shows, if there is one within its range: twice an odd number of the target's digits, plus 1.
fn number_between<S: Number, T: Number>() -> Option<u64> {
    let target = T::DATA_TYPE.format().float()?.mantissa_bits + 1;
    match S::DATA_TYPE.format() {
        Format::Integer(source) => {
            (source.bits - u32::from(source.signed) > target).then_some((1 << target) | 1)
        }
        // 1 plus half a unit in the last place of the target.
        Format::Float(source) => {
            let beyond = source.mantissa_bits.checked_sub(target)?;
            Some(u64::try_from(source.bias).ok()? << source.mantissa_bits | 1 << beyond)
        }
        _ => None,
    }
}

/// Returns those of five elements that the case must reject: a negative number, a number that small types cannot hold,
/// one that no integer type can hold, NaN, and infinity.
fn rejected<S: Number, T: Number>(cast: &Cast<'_>) -> Vec<S> {
    let candidates = [-1.0, 60_000.0, 1e30, f64::NAN, f64::INFINITY].map(S::from_f64);
    let is_rejected =
        |&element: &S| cast_slice_into(cast, &[element], &mut [T::from_f64(0.0)]).is_err();
    candidates.into_iter().filter(is_rejected).collect()
}

#[cfg(test)]
mod tests {
    use super::super::session::quick;
    use super::*;

    /// The benchmark runs on elements that both implementations accept, and returns measurements.
    #[test]
    fn a_case_runs() {
        let rows = quick(ROW, "float64->uint8", false);
        assert_eq!(rows.len(), 2 * modes(&Options::default()).len());
        for row in rows {
            assert!(row.seconds > 0.0 && row.x_copy > 0.0, "{row:?}");
        }
    }
}
