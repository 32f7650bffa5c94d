//! No request makes Exactum allocate more than a small multiple of its own size and of the requested chunk: neither a
//! shape that promises 2^63 elements, nor an exponent of nine digits, nor a deeply nested document.

use std::path::Path;

use exactum_conformance::model::{Array, Zfp};
use exactum_conformance::vectors::Suite;
use exactum_conformance::vectors::spec::clauses;
use exactum_conformance::{Call, Codec, Request, Stored};
use exactum_lab::fuzz::{Fuzzer, Tally};
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The allowance for every request: 64 KiB for the buffer of the adapter's loop, and the same again for what data sets
/// need in addition to their answer.
const BASE: usize = 128 << 10;

/// Bytes for each byte of a request: a number in JSON becomes a node of about 100 bytes. Measured when this was
/// written: at most 10 in addition to the buffer.
const MULTIPLE: usize = 32;

/// Bytes for each byte of the chunk that a zfp stream describes: a few bytes may describe a chunk of 64 MiB
/// (zfp.stream.size). Measured: 11, for two answers that are compared as elements and as hex.
const OF_CHUNK: usize = 12;

#[test]
fn no_request_allocates_more_than_a_small_multiple_of_its_size() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let suite = Suite::load(&root.join("vectors")).expect("the vectors");
    let clauses = clauses(&root).expect("the specification");
    let mut rows: Vec<&str> = suite.files.iter().map(|(file, _)| &*file.row).collect();
    rows.dedup();
    for row in rows {
        let mut fuzzer = Fuzzer::new(&suite, &clauses, row).expect("a row of the suite");
        for seed in 1_000_000..1_001_000 {
            let request = fuzzer.request(seed);
            let size = exactum_peers::random::line(&request).len();
            let bound = BASE + MULTIPLE * size + OF_CHUNK * chunk(&request);
            let before = HEAP.current_usage();
            HEAP.reset_peak_usage();
            let run = fuzzer.run(seed, &mut Tally::default());
            let took = HEAP.peak_usage().saturating_sub(before);
            assert_eq!(run.err(), None);
            assert!(
                took <= bound,
                "{row}, seed {seed}: {took} bytes for a request of {size}, not {bound}"
            );
        }
    }
}

/// Returns the number of bytes of the chunk that a stream is decoded to, or 0 if there is none or it does not fit.
fn chunk(request: &Request) -> usize {
    let size = match request.call() {
        Ok(Call::Decode(Codec::Zfp(codec), Stored::Bytes { shape, .. })) => {
            Array::bytes_of(codec.data_type, shape)
        }
        _ => return 0,
    };
    let size = size.ok().filter(|size| *size <= Zfp::MAX_BYTES);
    size.and_then(|size| usize::try_from(size).ok())
        .unwrap_or(0)
}
