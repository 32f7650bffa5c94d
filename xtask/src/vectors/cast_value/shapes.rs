//! Arrays with several dimensions, with none, and without elements: the elements are cast as in one dimension, and keep
//! their positions.

use exactum_model::{Array, DataType, Rounding};
use exactum_vectors::{Expect, File, Level, array_to_json};

use super::proof::rounding_clause;
use super::{Direction, Setting, Way, note, requested};
use crate::vectors::builder::{ZARR_EXTENSIONS, request};

/// The shapes, each with the name of its case.
const SHAPES: [(&str, &[u64]); 9] = [
    ("row", &[6]),
    ("plane", &[2, 3]),
    ("square", &[2, 2]),
    ("column", &[4, 1]),
    ("cube", &[2, 2, 2]),
    ("one-element", &[1, 1]),
    ("no-dimension", &[]),
    ("empty", &[0]),
    ("empty-plane", &[2, 0]),
];

/// Values that change in some roundings and not in others; the first one changes in none.
const DOUBLES: [f64; 8] = [1.0, 2.2, 3.0, -4.7, 0.1, -6.5, 100.3, -0.0];
/// Returns the topic: casts of wide types to narrow ones, in both directions.
pub(super) fn topic() -> Result<File, String> {
    let doubles = DOUBLES.map(f64::to_bits);
    let mut file = File::new("cast_value", "shapes", ZARR_EXTENSIONS);
    for to in [DataType::Float32, DataType::Int16] {
        for &rounding in Rounding::ALL {
            for direction in [Direction::Encode, Direction::Decode] {
                let types = (DataType::Float64, to);
                add(&mut file, types, &doubles, rounding, direction)?;
            }
        }
    }
    Ok(file)
}

fn add(
    file: &mut File,
    (from, to): (DataType, DataType),
    elements: &[u64],
    rounding: Rounding,
    direction: Direction,
) -> Result<(), String> {
    let name = format!("{from}-{to}-{}-{}", direction.name(), rounding.name());
    let setting = Setting::new(direction, from, to).in_mode(rounding);
    let (configuration, (decoded, _)) = (setting.configuration(), setting.types());
    let what = format!("cast_value/shapes/{name}");
    let request_of_all = requested(direction, &configuration, decoded);
    let clauses = [rounding_clause(rounding)];
    let mut made = Vec::new();
    for (id, shape) in SHAPES {
        let count = usize::try_from(shape.iter().product::<u64>()).unwrap_or_default();
        let elements = &elements[..count];
        let outcomes = setting.outcomes(&format!("{what}/{id}"), elements)?;
        let outputs = outcomes.into_iter().collect::<Result<Vec<u64>, _>>();
        let outputs = outputs.map_err(|reason| format!("{what}/{id}: {}", reason.name()))?;
        let shaped = |data_type, elements: &[u64]| {
            Array::from_components(data_type, shape.to_vec(), elements.iter().copied())
                .map_err(|rejection| rejection.message)
        };
        let input = request([("input", array_to_json(&shaped(from, elements)?))]);
        let expect = Expect::output(&shaped(to, &outputs)?);
        made.push((id, input, expect, note(from, elements)));
    }
    let group = file.group(&name, Level::Must, &clauses, request_of_all);
    for (id, input, expect, note) in made {
        let case = group.case(id, &[], input, expect);
        if let Some(note) = note.filter(|note| !note.is_empty()) {
            case.note(note);
        }
    }
    Ok(())
}
