//! Tests that the error of a plan is that of the proof of its document, and the true error if all values can
//! be tried.

use std::thread;

use exactum_exact::{Rounded, round};
use exactum_model::sds::Needs;
use exactum_model::{Array, Chain, Rounding};
use exactum_reference::analysis;
use fastrand::Rng;

use super::*;
use exactum_plan::{Proof, Tolerance, Verdict, error_figure};

/// A sequence of numbers that look random and are always the same.
struct Draw(Rng);

impl Draw {
    fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * self.0.f64()
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.0.usize(..of.len())]
    }
}

/// The data types of arrays, with float64 and float32 more often than the others.
const ARRAYS: [DataType; 11] = [
    DataType::Float64,
    DataType::Float64,
    DataType::Float64,
    DataType::Float32,
    DataType::Float32,
    DataType::Float32,
    DataType::Float16,
    DataType::Bfloat16,
    DataType::Int16,
    DataType::Uint32,
    DataType::Int64,
];

/// Returns the number of a data type that is nearest to one of binary64, or the outermost one if that is out
/// of range.
fn nearest(data_type: DataType, value: f64) -> u64 {
    let value = Exact::from_bits(&DataType::Float64.format(), value.to_bits());
    let format = data_type.format();
    match round(&value, &format, Rounding::NearestEven) {
        Rounded::Bits(bits)
            if !matches!(Exact::from_bits(&format, bits), Exact::Infinite { .. }) =>
        {
            bits
        }
        _ => match format {
            Format::Float(float) => {
                float.max_finite_bits()
                    | if value.is_negative() {
                        float.sign_mask()
                    } else {
                        0
                    }
            }
            _ => exactum_exact::clamp(&format, !value.is_negative()),
        },
    }
}

/// Draws a data type, a range, a target, needs, and a policy, a quantum or an error. One in five ranges is a single
/// value, starts at zero, or has few digits.
fn any(draw: &mut Draw) -> (Request, Target) {
    let data_type = draw.one(&ARRAYS);
    let is_float = matches!(data_type.format(), Format::Float(_));
    let decades = match data_type {
        DataType::Float64 => [-12.0, 12.0],
        DataType::Float32 | DataType::Bfloat16 => [-9.0, 9.0],
        DataType::Float16 => [-3.0, 4.0],
        _ => [1.0, 4.5],
    };
    let magnitude = 10f64.powf(draw.between(decades[0], decades[1]));
    let middle = draw.between(-magnitude, magnitude);
    let width = magnitude * 10f64.powf(draw.between(-7.0, 1.0));
    let (least, greatest) = match draw.0.u8(..15) {
        0 => (middle, middle),
        1 => (0.0, width),
        2 => (middle.round(), middle.round() + width.ceil()),
        _ => (middle - width / 2.0, middle + width / 2.0),
    };
    let targets: Vec<DataType> = exactum_plan::targets(data_type).collect();
    let target = Target::of(draw.one(&targets));
    let both = [false, true];
    let exact = |value: f64| Exact::from_bits(&DataType::Float64.format(), value.to_bits());
    let mut tolerance = Tolerance::any(data_type);
    let step = match draw.0.u8(..8) {
        0 => Some(Step::Policy(Policy::Tn115)),
        1 => Some(Step::Policy(Policy::Full)),
        2 => Some(Step::Policy(Policy::PowerOfTwo)),
        3 => Some(Step::Policy(Policy::Decimal)),
        4 => Some(Step::Size(exact(width / draw.between(1.0, 300.0)))),
        5 | 6 => {
            tolerance.absolute = Some(exact(width / draw.between(2.0, 300.0)));
            None
        }
        _ => {
            tolerance.relative = Some(exact(draw.between(1e-4, 0.2)));
            None
        }
    };
    let range = [least, greatest].map(|value| nearest(data_type, value));
    let fill_value = match draw.0.u8(..6) {
        0 => Some(nearest(data_type, 0.0)),
        1 => Some(nearest(data_type, -9999.0)),
        2 => Some(nearest(data_type, draw.between(least, greatest))),
        _ => None,
    };
    let request = Request {
        data_type,
        range: with_both_zeros(data_type, range),
        needs: Needs {
            nan: is_float && draw.one(&both),
            positive_infinity: is_float && draw.one(&both),
            negative_infinity: is_float && target.is_signed() && draw.one(&both),
        },
        fill_value,
        tolerance,
        step,
        effort: EFFORT,
    };
    (request, target)
}

/// Returns the chain of an array document with the given packing.
fn printed(request: &Request, candidate: &Candidate) -> Chain {
    let document = serde_json::json!({
        "zarr_format": 3, "node_type": "array", "shape": [1], "data_type": request.data_type.name(),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": candidate.fill_value, "codecs": candidate.codecs,
    });
    let document = exactum_metadata::parse_array(&document.to_string());
    document
        .unwrap_or_else(|it| panic!("{request:?}: {it}"))
        .chain
}

/// Sends all values of a range through the optimized codecs, if there are at most 65,536, and returns the largest
/// error.
fn largest_error(request: &Request, chain: &Chain) -> Option<Exact> {
    let format = request.data_type.format();
    if format.component_bits() > 16 {
        return None;
    }
    let [least, greatest] = request.range.map(|bits| Exact::from_bits(&format, bits));
    let values: Vec<(u64, Exact)> = (0..=format.component_mask())
        .map(|bits| (bits, Exact::from_bits(&format, bits)))
        .filter(|(_, value)| {
            value.compare(&least).is_some_and(std::cmp::Ordering::is_ge)
                && value
                    .compare(&greatest)
                    .is_some_and(std::cmp::Ordering::is_le)
        })
        .collect();
    let one = analysis::single(chain).expect("elementwise");
    let one = Chain {
        chunk_shape: vec![values.len() as u64],
        pipeline: exactum_model::CodecPipeline {
            array_to_array: one
                .pipeline
                .array_to_array
                .into_iter()
                .map(|step| exactum_model::ArrayToArray {
                    shape: vec![values.len() as u64],
                    ..step
                })
                .collect(),
            ..one.pipeline
        },
        ..one
    };
    let bits = values.iter().map(|(bits, _)| *bits);
    let array = Array::from_components(request.data_type, vec![values.len() as u64], bits);
    let bytes = exactum_optimized::chain::encode(&one, &array.expect("a list")).expect("stored");
    let back = exactum_optimized::chain::decode(&one, &bytes).expect("read");
    let mut largest = Exact::Zero { negative: false };
    for ((_, value), back) in values.iter().zip(back.components()) {
        let error = Exact::from_bits(&format, back).subtract(value);
        let error = if error.is_negative() {
            error.negate()
        } else {
            error
        };
        if error
            .compare(&largest)
            .is_some_and(std::cmp::Ordering::is_gt)
        {
            largest = error;
        }
    }
    Some(largest)
}

/// The numbers of comparisons.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    proved: usize,
    tried: usize,
    near: usize,
}

/// Makes a plan, and compares it with the result of `prove` for the printed document, and with the values
/// themselves.
fn check(index: u64) -> Counts {
    let (request, target) = any(&mut Draw(Rng::with_seed(index)));
    let row = format!("{index}: {request:?} {target:?}");
    let Ok(candidate) = candidate(&request, target) else {
        return Counts::default();
    };
    let chain = printed(&request, &candidate);
    let proof = Proof::of(&chain, request.range, &[], &request.tolerance).expect("a range");
    assert_eq!(proof.verdict(), Verdict::Proved, "{row}");
    let error = proof.analysis.error.as_ref().expect("an error");
    assert_eq!(
        error_figure(&candidate.error),
        error_figure(&error.bound),
        "{row}"
    );
    if let Some(allowed) = &request.tolerance.absolute {
        let is_kept = candidate.error.compare(allowed);
        assert!(is_kept.is_some_and(std::cmp::Ordering::is_le), "{row}");
    }
    if request.range[0] == request.range[1] {
        assert!(
            matches!(candidate.error, Exact::Zero { .. }),
            "{row}: {candidate:?}"
        );
    }
    let survives = exactum_reference::chain::resolve(&chain).expect("a fill value");
    assert!(survives.round_trips, "{row}");
    for special in &proof.analysis.specials {
        let name = number::shown(request.data_type, special.value);
        let needed = match name.as_str() {
            "NaN" => request.needs.nan,
            "Infinity" => request.needs.positive_infinity,
            _ => request.needs.negative_infinity,
        };
        let back = special
            .outcome
            .as_ref()
            .ok()
            .map(|stored| stored.back.clone());
        assert!(
            !needed || back == Some(Ok(special.value)),
            "{row}: {special:?}"
        );
    }
    // The value that the proof shows is read back with the proved error.
    let true_error = largest_error(&request, &chain);
    if let Some(true_error) = &true_error {
        let bounds = true_error.compare(&candidate.error);
        assert!(
            bounds.is_some_and(std::cmp::Ordering::is_le),
            "{row}: {true_error:?}"
        );
    }
    let exact = error.is_exact();
    // All codes of 16 bits are tried.
    assert!(exact || target.bits > 16, "{row}: {candidate:?}");
    if let (true, Some(true_error)) = (exact, &true_error) {
        let most = true_error.multiply(&Exact::decimal("1.001").expect("a number"));
        let is_near = candidate.error.compare(&most);
        assert!(
            is_near.is_some_and(std::cmp::Ordering::is_le),
            "{row}: {true_error:?}"
        );
    }
    Counts {
        proved: 1,
        tried: usize::from(true_error.is_some()),
        near: usize::from(exact),
    }
}

/// Tests a sample of 400 plans. EXACTUM_PLANS sets the number of another sample, which may have any size.
#[test]
fn a_plan_has_the_error_of_its_proof() {
    let all: u64 = std::env::var("EXACTUM_PLANS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(400);
    let workers = u64::try_from(thread::available_parallelism().map_or(1, usize::from))
        .expect("few processors");
    let counts: Vec<Counts> = thread::scope(|scope| {
        let work = |worker: u64| {
            let mine = (worker..all).step_by(usize::try_from(workers).expect("few"));
            mine.map(check).collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        let joined = workers.into_iter().map(|it| it.join().expect("plans"));
        joined.flatten().collect()
    });
    let sum = |of: fn(&Counts) -> usize| counts.iter().map(of).sum::<usize>();
    let (proved, tried, near) = (sum(|it| it.proved), sum(|it| it.tried), sum(|it| it.near));
    let all = usize::try_from(all).expect("few");
    // The other requests are refused because the step is too fine, the error too small, or the range too
    // small and too far from zero.
    let row = format!("{proved} of {all} are proved, {tried} were tried, {near} errors are exact");
    assert!(
        proved * 2 > all && tried * 10 > all && near * 5 > all,
        "{row}"
    );
}
