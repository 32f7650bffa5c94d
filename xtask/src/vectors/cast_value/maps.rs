//! Scalar maps.

mod exact;
mod rulings;
mod small;
mod text;

use exactum_model::{DataType, Reason};
use exactum_vectors::{Expect, File, Level};

use super::{Direction, answer, array, input, note, resolve};
use crate::vectors::builder::ZARR_EXTENSIONS;

/// The topics.
pub(super) const TOPICS: [fn() -> Result<File, String>; 4] = [
    || topic("scalar-map", &text::GROUPS),
    || topic("scalar-map-exact", &exact::GROUPS),
    || topic("scalar-map-rulings", &rulings::GROUPS),
    || topic("scalar-map-small", &small::GROUPS),
];

/// A group: one configuration, one way.
struct MapGroup {
    name: &'static str,
    level: Level,
    clauses: &'static [&'static str],
    direction: Direction,
    /// The array's data type: the configuration names the other.
    decoded: DataType,
    configuration: &'static str,
    cases: &'static [MapCase],
}

/// Elements that are all accepted, or all rejected for one reason.
struct MapCase {
    id: &'static str,
    clauses: &'static [&'static str],
    elements: &'static [u64],
    /// Whether NaNs in the output must keep their bits.
    nan_bits: bool,
}

/// A case that adds no clause.
const fn case(id: &'static str, elements: &'static [u64]) -> MapCase {
    also(id, &[], elements)
}

/// A case that adds clauses.
const fn also(
    id: &'static str,
    clauses: &'static [&'static str],
    elements: &'static [u64],
) -> MapCase {
    MapCase {
        id,
        clauses,
        elements,
        nan_bits: false,
    }
}

/// A case whose outputs are compared bit by bit, NaNs too.
const fn bits(id: &'static str, elements: &'static [u64]) -> MapCase {
    MapCase {
        nan_bits: true,
        ..also(id, &[], elements)
    }
}

fn topic(name: &str, groups: &[MapGroup]) -> Result<File, String> {
    let mut file = File::new("cast_value", name, ZARR_EXTENSIONS);
    for group in groups {
        add(&mut file, group)?;
    }
    Ok(file)
}

fn add(file: &mut File, maps: &MapGroup) -> Result<(), String> {
    let what = format!("cast_value/{}/{}", file.topic, maps.name);
    let codec = resolve(maps.configuration, maps.decoded)
        .map_err(|rejection| format!("{what}: {rejection}"))?;
    let cast = maps.direction.of(&codec);
    let request = maps.direction.request(maps.configuration, maps.decoded);
    let group = file.group(maps.name, maps.level, maps.clauses, request);
    for map_case in maps.cases {
        let what = format!("{what}/{}", map_case.id);
        let answers = map_case
            .elements
            .iter()
            .map(|&bits| answer(&what, &cast, bits))
            .collect::<Result<Vec<_>, _>>()?;
        let request = input(cast.from, map_case.elements)?;
        let outputs: Result<Vec<u64>, Reason> = answers.iter().copied().collect();
        let added = match outputs {
            Ok(outputs) => {
                let output = array(cast.to, &outputs)?;
                let expect = if map_case.nan_bits {
                    Expect::output_bits(&output)
                } else {
                    Expect::output(&output)
                };
                group.case(map_case.id, map_case.clauses, request, expect)
            }
            Err(reason) if answers.iter().all(|answer| *answer == Err(reason)) => group
                .case(
                    map_case.id,
                    map_case.clauses,
                    request,
                    Expect::reject(reason),
                )
                .each(),
            Err(_) => return Err(format!("{what}: some are accepted, some are not")),
        };
        if let Some(note) = note(cast.from, map_case.elements) {
            added.note(note);
        }
    }
    Ok(())
}
