//! `sds`: reals with some missing values are converted, in two passes, to integers whose scaling is determined by the
//! data, and back.

use exactum_conformance::model::sds::{DataSet, Fill, Profile, Scaling, Values};
use exactum_optimized::sds::{Code, Decoder, Encoder, Extremes, Real};

use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "sds";

/// One value in this many is missing.
const MISSING: u16 = 20;

pub(super) fn run(bench: &mut Bench<'_>) {
    bench.both_passes::<f64, i16>(kelvin);
    bench.both_passes::<f32, i16>(kelvin32);
    bench.both_passes::<f64, u8>(kelvin);
    bench.both_passes::<f64, i32>(kelvin);
}

fn kelvin(index: u16) -> f64 {
    if index.is_multiple_of(MISSING) {
        f64::NAN
    } else {
        200.0 + f64::from(index) * 0.004
    }
}

fn kelvin32(index: u16) -> f32 {
    if index.is_multiple_of(MISSING) {
        f32::NAN
    } else {
        200.0 + f32::from(index) * 0.004
    }
}

impl Bench<'_> {
    fn both_passes<R: Real, C: Code + Default>(&mut self, value: fn(u16) -> R) {
        let none = match size_of::<R>() {
            4 => Values::Singles(Vec::new()),
            _ => Values::Doubles(Vec::new()),
        };
        let profile = Profile::default();
        let header = DataSet::new(R::TYPE, none, Scaling::UNSET, Fill::Nan, None, profile)
            .expect("no values");
        let plan = |values: &[R]| {
            let extremes = Extremes::of(values, header.fill());
            let (encoder, _) = Encoder::<R, C>::of(&header, extremes, profile).expect("its type");
            encoder
        };
        let period: Vec<R> = (0..30_000).map(value).collect();
        let name = |way: &str| format!("{} {} {way}", R::TYPE, C::TYPE);

        // The values are read twice when they are converted to integers.
        let bytes = 2 * size_of::<R>() + size_of::<C>();
        let count = self.options.traffic() / bytes;
        if let Some(case) = self.case(ROW, name("encode"), count * bytes) {
            let input = Placed::new(placed::INPUT, count, &period);
            let mut output = Placed::new(placed::OUTPUT, count, &[C::default()]);
            let contestant = Contestant::here("optimized", || {
                let encoded = plan(&input).encode(&input, &mut output);
                encoded.expect("a code for each value");
            });
            self.race(&case, vec![contestant], None);
        }

        let bytes = size_of::<R>() + size_of::<C>();
        let count = self.options.traffic() / bytes;
        if let Some(case) = self.case(ROW, name("decode"), count * bytes) {
            let encoder = plan(&period);
            let mut codes = vec![C::default(); period.len()];
            encoder
                .encode(&period, &mut codes)
                .expect("as many codes as values");
            let decoder = Decoder::<C, R>::of(encoder.header()).expect("its type");
            let input = Placed::new(placed::INPUT, count, &codes);
            let mut output = Placed::new(placed::OUTPUT, count, &period);
            let contestant = Contestant::here("optimized", || {
                let decoded = decoder.decode(&input, &mut output);
                decoded.expect("a value for each code");
            });
            self.race(&case, vec![contestant], None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::quick;
    use super::*;

    #[test]
    fn both_ways_of_every_pair_run() {
        for cached in [false, true] {
            let rows = quick(ROW, "", cached);
            let names: Vec<&str> = rows.iter().map(|row| row.case.as_str()).collect();
            assert_eq!(names[..2], ["r8 i2 encode", "r8 i2 decode"]);
            assert_eq!(rows.len(), 8);
            assert!(rows.iter().all(|row| row.x_copy > 0.0));
        }
    }
}
