//! `scale_offset` over the types of the design's table. No peer computes it in Rust.

use exactum_conformance::model::ScaleOffset;
use exactum_optimized::scale_offset::{decode_slice_into, encode_slice_into};
use serde_json::{Value, json};

use super::outside::Work;
use super::peer::{Number, bytes};
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "scale_offset";

pub(super) fn run(bench: &mut Bench<'_>) {
    let tenth = json!({"offset": 5, "scale": 0.1});
    bench.both(
        &tenth,
        5f32.to_bits().into(),
        0.1f32.to_bits().into(),
        small_f32,
    );
    bench.both(&tenth, 5f64.to_bits(), 0.1f64.to_bits(), small_f64);
    let dozen = json!({"offset": 1000, "scale": 12});
    bench.both(&dozen, 1000, 12, |i| 12 * i32::from(i));
    bench.both(&dozen, 1000, 12, |i| 12 * i64::from(i));
    bench.both(&json!({"offset": 0, "scale": 12}), 0, 12, |i| {
        12 * u64::from(i)
    });
}

fn small_f32(index: u16) -> f32 {
    f32::from(index)
}

fn small_f64(index: u16) -> f64 {
    f64::from(index)
}

impl Bench<'_> {
    /// Both directions; `configuration` says the same as the bits of offset and scale.
    fn both<E: Number>(
        &mut self,
        configuration: &Value,
        offset: u64,
        scale: u64,
        element: fn(u16) -> E,
    ) {
        let codec = ScaleOffset {
            data_type: E::DATA_TYPE,
            offset: Some(offset),
            scale: Some(scale),
        };
        let count = self.options.traffic() / 2 / size_of::<E>();
        let period: Vec<E> = (0..30_000u16).map(element).collect();
        let input = Placed::new(placed::INPUT, count, &period);
        let mut output = Placed::new(placed::OUTPUT, count, &period);
        for (name, function) in [
            ("encode", encode_slice_into::<E> as fn(&_, &_, &mut _) -> _),
            ("decode", decode_slice_into::<E>),
        ] {
            let Some(case) = self.case(
                ROW,
                format!("{} {name}", E::DATA_TYPE),
                2 * count * size_of::<E>(),
            ) else {
                continue;
            };
            let first = period.len().min(count);
            function(&codec, &input[..first], &mut output[..first]).expect("the input is accepted");
            let work = Work {
                case: json!({
                    "operation": name,
                    "from": E::DATA_TYPE.name(),
                    "configuration": configuration,
                }),
                period: bytes(&period),
                count,
                output: E::DATA_TYPE,
                first: bytes(&output[..first]),
            };
            let contestants = vec![Contestant::here("optimized", || {
                function(&codec, &input[..], &mut output[..]).expect("the input is accepted");
            })];
            self.race(&case, contestants, Some(&work));
        }
    }
}
