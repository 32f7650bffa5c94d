//! `bitround` over floats and integers of every width.

use exactum_conformance::model::BitRound;
use exactum_optimized::bitround::encode_slice_into;
use serde_json::json;

use super::outside::Work;
use super::peer::{Number, bytes};
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "bitround";

/// The bits that are kept.
const KEEP_BITS: u64 = 9;

pub(super) fn run(bench: &mut Bench<'_>) {
    bench.rounded(|i| f32::from(i) / 7.0);
    bench.rounded(|i| f64::from(i) / 7.0);
    bench.rounded(|i| u16::MAX - i);
    bench.rounded(|i| i32::from(i) * 7 - 100_000);
    bench.rounded(|i| i64::from(i) * 7_777_777_777 - 100_000_000);
}

impl Bench<'_> {
    fn rounded<E: Number>(&mut self, element: fn(u16) -> E) {
        let codec = BitRound {
            data_type: E::DATA_TYPE,
            keep_bits: KEEP_BITS,
        };
        let Some(case) = self.case(
            ROW,
            format!("{} encode", E::DATA_TYPE),
            2 * (self.options.traffic() / 2),
        ) else {
            return;
        };
        let count = self.options.traffic() / 2 / size_of::<E>();
        let period: Vec<E> = (0..30_000u16).map(element).collect();
        let input = Placed::new(placed::INPUT, count, &period);
        let mut output = Placed::new(placed::OUTPUT, count, &period);
        let first = period.len().min(count);
        encode_slice_into(&codec, &input[..first], &mut output[..first]).expect("numbers");
        let work = Work {
            case: json!({"operation": "round", "from": E::DATA_TYPE.name(), "keepbits": KEEP_BITS}),
            period: bytes(&period),
            count,
            output: E::DATA_TYPE,
            first: bytes(&output[..first]),
        };
        let contestants = vec![Contestant::here("optimized", || {
            encode_slice_into(&codec, &input[..], &mut output[..]).expect("numbers");
        })];
        self.race(&case, contestants, Some(&work));
    }
}
