//! `bitround` for floats and integers of every width.

use exactum_conformance::model::BitRound;
use exactum_optimized::bitround::encode_slice_into;
use serde_json::json;

use super::peer::Number;
use super::session::Bench;

pub(super) const ROW: &str = "bitround";

/// The number of bits that are kept.
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
        let codec = BitRound::new(E::DATA_TYPE, KEEP_BITS);
        let name = format!("{} encode", E::DATA_TYPE);
        let work =
            json!({"operation": "round", "from": E::DATA_TYPE.name(), "keepbits": KEEP_BITS});
        self.slices(ROW, name, work, element, &|input, output| {
            encode_slice_into(&codec, input, output)
        });
    }
}
