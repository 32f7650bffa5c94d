//! `growth`: how the cost of one cast, `float64->int16 nearest-even clamp`, grows with the numbers of elements, map
//! entries and threads.

use exactum_optimized::Cast;

use super::placed::{self, Placed};
use super::session::Bench;
use super::time::{Contestant, OURS};

pub(super) const ROW: &str = "growth";

/// The numbers of elements in one call.
const SIZES: [usize; 7] = [8, 64, 512, 4096, 1 << 15, 1 << 18, 1 << 22];

/// The numbers of map entries.
const ENTRIES: [i16; 7] = [0, 1, 2, 4, 8, 64, 512];

/// The numbers of elements for several threads.
const SHARED: [usize; 5] = [1 << 12, 1 << 15, 1 << 17, 1 << 19, 1 << 22];

pub(super) fn run(bench: &mut Bench<'_>) {
    for size in SIZES {
        bench.calls(format!("size {size}"), size, 0, false);
    }
    for entries in ENTRIES {
        bench.calls(format!("map {entries}"), 1 << 18, entries, false);
    }
    for size in SHARED {
        bench.calls(format!("threads 1, size {size}"), size, 0, false);
        bench.calls(format!("threads all, size {size}"), size, 0, true);
    }
}

impl Bench<'_> {
    /// Calls the same cast of the same elements until it has read and written as much memory as the other cases.
    fn calls(&mut self, name: String, size: usize, entries: i16, shared: bool) {
        let bytes = size * (size_of::<f64>() + size_of::<i16>());
        let calls = (self.options.traffic() / bytes).max(1);
        let Some(case) = self.case(ROW, name, bytes * calls) else {
            return;
        };
        let mut settings = Cast::<f64, i16>::builder().clamp();
        for entry in 0..entries {
            // Keys that do not occur among the elements, since most elements are not in a map.
            settings = settings.map(f64::from(entry) + 0.125, -entry);
        }
        let cast = settings.build().expect("a cast");
        let period: Vec<f64> = (0..4096_u16).map(|it| f64::from(it) * 9.3 - 1e4).collect();
        let source = Placed::new(placed::INPUT, size, &period);
        let mut target = Placed::new(placed::OUTPUT, size, &[0_i16]);
        let run = || {
            for _ in 0..calls {
                let done = match shared {
                    true => cast.par_convert_into(&source, &mut target),
                    false => cast.convert_into(&source, &mut target),
                };
                done.expect("the input is accepted");
                std::hint::black_box(&mut target);
            }
        };
        self.race(&case, vec![Contestant::here(OURS, run)], None);
    }
}
