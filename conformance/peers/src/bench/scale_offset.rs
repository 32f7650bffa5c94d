//! `scale_offset` over the types of the design's table. No peer computes it in Rust.

use exactum_conformance::model::ScaleOffset;
use exactum_optimized::Element;
use exactum_optimized::scale_offset::{decode_slice_into, encode_slice_into};

use super::placed::{self, Placed};
use super::time::{Case, race};
use super::{Options, Row};

pub(super) const ROW: &str = "scale_offset";

pub(super) fn run(options: &Options, progress: &mut dyn FnMut(&str), rows: &mut Vec<Row>) {
    let mut bench = Bench {
        options,
        progress,
        rows,
    };
    bench.both(5f32.to_bits().into(), 0.1f32.to_bits().into(), small_f32);
    bench.both(5f64.to_bits(), 0.1f64.to_bits(), small_f64);
    bench.both(1000, 12, |i| 12 * i32::from(i));
    bench.both(1000, 12, |i| 12 * i64::from(i));
    bench.both(0, 12, |i| 12 * u64::from(i));
}

fn small_f32(index: u16) -> f32 {
    f32::from(index)
}

fn small_f64(index: u16) -> f64 {
    f64::from(index)
}

struct Bench<'a> {
    options: &'a Options,
    progress: &'a mut dyn FnMut(&str),
    rows: &'a mut Vec<Row>,
}

impl Bench<'_> {
    fn both<E: Element>(&mut self, offset: u64, scale: u64, element: fn(u16) -> E) {
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
            let case = Case {
                row: ROW,
                name: format!("{} {name}", E::DATA_TYPE),
                bytes: 2 * count * size_of::<E>(),
            };
            if self
                .options
                .filter
                .as_ref()
                .is_some_and(|filter| !case.name.contains(filter.as_str()))
            {
                continue;
            }
            (self.progress)(&case.name);
            let run = || {
                function(&codec, &input[..], &mut output[..]).expect("the input is accepted");
            };
            race(
                self.options,
                &case,
                vec![("optimized", Box::new(run))],
                self.rows,
            );
        }
    }
}
