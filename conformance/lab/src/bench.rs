//! Benchmarks of the implementations on this machine, compared with each other and with a plain copy of the same number
//! of bytes.
//!
//! All implementations of a case run in turn, round after round, on one thread, with outputs allocated beforehand; the
//! result is the median over the rounds. `x copy` is the time relative to a `memcpy` that reads and writes, in total,
//! as many bytes as the operation's input and output have. The copy is timed in the same rounds; the spread of its
//! times shows whether the machine is quiet enough for meaningful results.
//!
//! Implementations in other languages run in separate processes ([`Outside`]). They prepare the same elements and take
//! turns with Exactum's, each running once on request and reporting its time. They take part in the cases for which the
//! design names a target, or in all cases that a filter selects: all pairs in all modes would take hours.

mod array_to_bytes;
mod arrays;
mod bitround;
mod bytes;
mod cast_value;
mod chain;
mod downsample;
mod growth;
mod options;
mod outside;
mod packbits;
mod peer;
mod placed;
mod report;
mod scale_offset;
mod sds;
mod session;
mod small;
mod time;
mod zfp;

pub use options::{Marks, Options, Row};
pub use outside::{ENVIRONMENTS, Environment, Outside};
pub use report::{Noise, json, noise, table};

use session::Bench;

/// A row of the grid and the function that measures its cases.
type Maker = (&'static str, fn(&mut Bench<'_>));

/// Runs the measurements. `progress` is called with the name of each case before it runs.
#[must_use]
pub fn run(options: &Options, outside: &Outside, mut progress: impl FnMut(&str)) -> Vec<Row> {
    if let Some(instructions) = options.instructions {
        instructions.limit();
    }
    let mut bench = Bench {
        options,
        outside,
        progress: &mut progress,
        rows: Vec::new(),
    };
    let makers: [Maker; 12] = [
        (arrays::ROW, arrays::run),
        (bitround::ROW, bitround::run),
        (bytes::ROW, bytes::run),
        (cast_value::ROW, cast_value::run),
        (cast_value::ROW, small::run),
        (chain::ROW, chain::run),
        (downsample::ROW, downsample::run),
        (growth::ROW, growth::run),
        (packbits::ROW, packbits::run),
        (scale_offset::ROW, scale_offset::run),
        (sds::ROW, sds::run),
        (zfp::ROW, zfp::run),
    ];
    for (row, run) in makers {
        if options.row.as_deref().is_none_or(|only| only == row) {
            run(&mut bench);
        }
    }
    bench.rows
}
