//! Every plan is proved.

use std::thread;

use exactum_model::{Chain, DataType};
use exactum_reference::analysis::{Effort, analyse};
use fastrand::Rng;

use super::*;

/// Numbers that look random and are always the same.
struct Draw(Rng);

impl Draw {
    fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * self.0.f64()
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.0.usize(..of.len())]
    }
}

/// A range, a target and needs; one in five ranges is a single value, starts at zero, or has few digits.
fn any(draw: &mut Draw) -> PlanRequest {
    let magnitude = 10f64.powf(draw.between(-12.0, 12.0));
    let middle = draw.between(-magnitude, magnitude);
    let width = magnitude * 10f64.powf(draw.between(-7.0, 1.0));
    let (least, greatest) = match draw.0.u8(..15) {
        0 => (middle, middle),
        1 => (0.0, width),
        2 => (middle.round(), middle.round() + width.ceil()),
        _ => (middle - width / 2.0, middle + width / 2.0),
    };
    let targets: Vec<SdsType> = integers().collect();
    let target = draw.one(&targets);
    let both = [false, true];
    PlanRequest {
        minimum: least.to_bits(),
        maximum: greatest.to_bits(),
        target,
        needs: Needs {
            nan: draw.one(&both),
            positive_infinity: draw.one(&both),
            negative_infinity: target.is_signed() && draw.one(&both),
        },
        policy: match draw.0.u8(..5) {
            0 => Policy::Tn115,
            1 => Policy::Full,
            2 => Policy::PowerOfTwo,
            3 => Policy::Decimal,
            _ => Policy::Quantum((width / draw.between(1.0, 300.0)).to_bits()),
        },
        profile: Profile::Soi97,
    }
}

/// The chain of the codecs that are printed.
fn printed(request: &PlanRequest, plan: &Plan) -> Chain {
    let fill = match request.needs.nan {
        true => json!("NaN"),
        false => number_to_json(request.minimum),
    };
    let document = json!({
        "zarr_format": 3, "node_type": "array", "shape": [1], "data_type": "float64",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": fill, "codecs": planned_codecs(request, plan),
    });
    let document = exactum_metadata::parse_array(&document.to_string());
    document
        .unwrap_or_else(|it| panic!("{request:?}: {it}"))
        .chain
}

/// Proves the plan of a request; whether there is one.
fn prove(request: &PlanRequest) -> bool {
    let Ok((plan, _)) = planned(request) else {
        return false;
    };
    let chain = printed(request, &plan);
    let effort = Effort {
        codes: 0,
        values: 0,
    };
    let analysis = analyse(&chain, [request.minimum, request.maximum], effort)
        .unwrap_or_else(|it| panic!("{request:?}: {it}"));
    assert!(analysis.is_proof(), "{request:?}: {:?}", analysis.faults);
    let promised = exactum_exact::Exact::from_bits(&DataType::Float64.format(), plan.maximum_error);
    let error = analysis.error.expect("an error");
    let is_kept = error.bound.compare(&promised);
    assert!(
        is_kept.is_some_and(std::cmp::Ordering::is_le),
        "{request:?}: {error:?}"
    );
    for special in &analysis.specials {
        let value = f64::from_bits(special.value);
        let needed = match (value.is_nan(), value > 0.0) {
            (true, _) => request.needs.nan,
            (false, true) => request.needs.positive_infinity,
            (false, false) => request.needs.negative_infinity,
        };
        let back = special
            .outcome
            .as_ref()
            .ok()
            .map(|stored| stored.back.clone());
        let comes_back = back == Some(Ok(special.value));
        assert!(comes_back || !needed, "{request:?}: {special:?}");
    }
    true
}

#[test]
fn every_plan_is_proved() {
    const ALL: u64 = 10_000;
    let workers = u64::try_from(thread::available_parallelism().map_or(1, usize::from))
        .expect("few processors");
    let proved: usize = thread::scope(|scope| {
        let work = |worker: u64| {
            let mine = (worker..ALL).step_by(usize::try_from(workers).expect("few"));
            mine.filter(|index| prove(&any(&mut Draw(Rng::with_seed(*index)))))
                .count()
        };
        let workers: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        workers
            .into_iter()
            .map(|it| it.join().expect("proofs"))
            .sum()
    });
    // The others are refused: too fine a quantum, or too small a range too far from zero.
    assert!(proved > 8_000, "{proved}");
}
