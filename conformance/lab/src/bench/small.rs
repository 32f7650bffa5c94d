//! `cast_value` to and from the small floats, as bytes, because Rust has no types for them.

use exactum_conformance::model::{Cast, DataType, OutOfRange, Rounding};
use exactum_optimized::cast_value::cast_into;
use serde_json::json;

use super::cast_value::ROW;
use super::outside::Work;
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

/// The measured pairs: casts from float32, and casts into float32.
const PAIRS: [(DataType, DataType); 6] = [
    (DataType::Float32, DataType::Float8E4m3),
    (DataType::Float8E4m3, DataType::Float32),
    (DataType::Float32, DataType::Bfloat16),
    (DataType::Bfloat16, DataType::Float32),
    (DataType::Float32, DataType::Float8E5m2),
    (DataType::Float32, DataType::Float6E2m3fn),
];

/// The number of elements after which the input repeats.
const PERIOD: u16 = 4096;

pub(super) fn run(bench: &mut Bench<'_>) {
    for (from, to) in PAIRS {
        bench.small(from, to);
    }
}

/// Returns elements: for float32, 0 to 100 in steps of a half, with one element in eight up to 60000; for other types,
/// consecutive bit patterns.
fn elements(data_type: DataType) -> Vec<u8> {
    (0..PERIOD)
        .flat_map(|index| {
            let small = f32::from(index % 200 * 37 % 200) / 2.0;
            match (data_type, index % 8) {
                (DataType::Float32, 3) => (small * 600.0).to_le_bytes().to_vec(),
                (DataType::Float32, _) => small.to_le_bytes().to_vec(),
                (other, _) => index.to_le_bytes()[..other.element_bytes()].to_vec(),
            }
        })
        .collect()
}

impl Bench<'_> {
    fn small(&mut self, from: DataType, to: DataType) {
        let cast = Cast::new(from, to, Rounding::NearestEven, Some(OutOfRange::Clamp));
        let (read, written) = (from.element_bytes(), to.element_bytes());
        let count = self.options.traffic() / (read + written);
        let Some(case) = self.case(
            ROW,
            format!("{from}->{to} nearest-even clamp"),
            count * (read + written),
        ) else {
            return;
        };
        let period = elements(from);
        let input = Placed::new(placed::INPUT, count * read, &period);
        let mut output = Placed::new(placed::OUTPUT, count * written, &[0u8]);
        let first = count.min(PERIOD.into());
        cast_into(
            &cast,
            &input[..first * read],
            &mut output[..first * written],
        )
        .expect("the input is accepted");
        let work = Work {
            case: json!({
                "operation": "cast",
                "from": from.name(),
                "to": to.name(),
                "rounding": "nearest-even",
                "out_of_range": "clamp",
                "map": [],
            }),
            period,
            count,
            output: to,
            first: output[..first * written].to_vec(),
        };
        let contestants = vec![Contestant::here("optimized", || {
            cast_into(&cast, &input, &mut output).expect("the input is accepted");
        })];
        self.race(&case, contestants, Some(&work));
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::quick;
    use super::*;

    #[test]
    fn every_pair_runs() {
        let rows = quick(ROW, "float8_e4m3", false);
        let cases: Vec<&str> = rows.iter().map(|row| row.case.as_str()).collect();
        assert_eq!(
            cases,
            [
                "float32->float8_e4m3 nearest-even clamp",
                "float8_e4m3->float32 nearest-even clamp"
            ]
        );
    }
}
