//! `scale_offset` for the types in the design's table. No Rust peer computes it.

use exactum_conformance::model::ScaleOffset;
use exactum_optimized::scale_offset::{decode_slice_into, encode_slice_into};
use serde_json::{Value, json};

use super::peer::Number;
use super::session::Bench;

pub(super) const ROW: &str = "scale_offset";

pub(super) fn run(bench: &mut Bench<'_>) {
    let tenth = json!({"offset": 5, "scale": 0.1});
    let [five, part] = [5f32, 0.1].map(|it| it.to_bits().into());
    bench.both(&tenth, five, part, f32::from);
    bench.both(&tenth, 5f64.to_bits(), 0.1f64.to_bits(), f64::from);
    let dozen = json!({"offset": 1000, "scale": 12});
    bench.both(&dozen, 1000, 12, |i| 12 * i32::from(i));
    bench.both(&dozen, 1000, 12, |i| 12 * i64::from(i));
    bench.both(&json!({"offset": 0, "scale": 12}), 0, 12, |i| {
        12 * u64::from(i)
    });
}

impl Bench<'_> {
    /// Measures both directions; `configuration` is equivalent to the bits of offset and scale.
    fn both<E: Number>(
        &mut self,
        configuration: &Value,
        offset: u64,
        scale: u64,
        element: fn(u16) -> E,
    ) {
        let codec = ScaleOffset::new(E::DATA_TYPE).offset(offset).scale(scale);
        for (name, function) in [
            ("encode", encode_slice_into::<E> as fn(&_, &_, &mut _) -> _),
            ("decode", decode_slice_into::<E>),
        ] {
            let work = json!({
                "operation": name,
                "from": E::DATA_TYPE.name(),
                "configuration": configuration,
            });
            let name = format!("{} {name}", E::DATA_TYPE);
            self.slices(ROW, name, work, element, &|input, output| {
                function(&codec, input, output)
            });
        }
    }
}
