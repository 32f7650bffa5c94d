//! Tests against the reference, at every SIMD level that the machine supports.

mod bitround;
mod bits;
mod bytes;
mod cast;
mod chain;
mod downsample;
mod fixed_scale_offset;
mod numbers;
mod packbits;
mod scale_offset;
mod scaled;
mod ties;
mod zfp;

use exactum_model::{At, DataType, Reason, Rejection};

use crate::arch::SimdLevel;
use crate::fault::Fault;

/// The parts of a rejection that must agree: everything except its message.
type WithoutMessage = (Reason, &'static str, Option<At>);

fn without_message(fault: impl Into<Rejection>) -> WithoutMessage {
    let rejection = fault.into();
    (rejection.reason, rejection.clause, rejection.at)
}

/// Returns every SIMD level, each with aligned and with unaligned memory, given as an offset in bytes.
fn everywhere() -> impl Iterator<Item = (SimdLevel, usize)> {
    SimdLevel::available()
        .into_iter()
        .flat_map(|level| [0, 1].map(|skip| (level, skip)))
}

/// Returns the number of inputs for a processor, or that for Miri, which is a thousand times slower.
const fn inputs(processor: usize, miri: usize) -> usize {
    if cfg!(miri) { miri } else { processor }
}

/// Selects the settings of a loop. Under Miri only one of them runs, and over all turns each runs equally
/// often.
fn taken(turn: usize, settings: usize) -> impl Iterator<Item = usize> {
    let step = inputs(1, settings);
    (turn % step..settings).step_by(step)
}

/// Prints the levels at which the tests ran. The environment variable `EXACTUM_REQUIRE_LEVELS` can list
/// levels, separated by spaces, that must be among them: a caller that knows the processor can thus ensure
/// that they are tested.
#[test]
#[expect(clippy::print_stdout, reason = "for the log of a test run")]
fn levels_of_this_machine() {
    let levels: Vec<String> = SimdLevel::available()
        .iter()
        .map(|level| level.name().to_owned())
        .collect();
    println!("levels tested: {}", levels.join(" "));
    let required = std::env::var("EXACTUM_REQUIRE_LEVELS").unwrap_or_default();
    for name in required.split_whitespace() {
        assert!(
            levels.iter().any(|level| level == name),
            "{name} is not tested"
        );
    }
}

/// Returns the bytes of the elements, after `skip` zero bytes.
fn bytes_of(data_type: DataType, elements: &[u64], skip: usize) -> Vec<u8> {
    let width = data_type.element_bytes();
    let mut bytes = vec![0; skip];
    for bits in elements {
        bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
    }
    bytes
}

/// Returns all elements or, under Miri, the accepted ones and a single rejected one: formatting the
/// reference's messages would take Miri most of its time.
fn with_few_rejected(elements: &[u64], is_rejected: impl Fn(u64) -> bool) -> Vec<u64> {
    if !cfg!(miri) {
        return elements.to_vec();
    }
    let mut rejected = 0;
    let mut few = elements.to_vec();
    few.retain(|&bits| {
        let another = is_rejected(bits);
        rejected += usize::from(another);
        !another || rejected == 1
    });
    few
}

/// Compares an operation with the reference: on all accepted elements together, on all elements up to the
/// first rejection, and on each rejected element alone.
fn check(
    name: &str,
    (from, to): (DataType, DataType),
    elements: &[u64],
    reference: impl Fn(u64) -> Result<u64, Rejection>,
    operation: impl Fn(SimdLevel, &[u8], &mut [u8]) -> Result<(), Fault>,
) {
    let elements = &with_few_rejected(elements, |bits| {
        let (input, mut output) = (bytes_of(from, &[bits], 0), vec![0; to.element_bytes()]);
        operation(SimdLevel::PORTABLE, &input, &mut output).is_err()
    });
    let expected: Vec<Result<u64, WithoutMessage>> = elements
        .iter()
        .map(|&bits| reference(bits).map_err(without_message))
        .collect();
    let accepted: Vec<(u64, u64)> = elements
        .iter()
        .zip(&expected)
        .filter_map(|(&bits, result)| result.as_ref().ok().map(|&output| (bits, output)))
        .collect();
    for (level, skip) in everywhere() {
        let run = |elements: &[u64]| {
            let input = bytes_of(from, elements, skip);
            let mut output = vec![0xa5; skip + elements.len() * to.element_bytes()];
            operation(level, &input[skip..], &mut output[skip..])
                .map(|()| output.split_off(skip))
                .map_err(without_message)
        };
        let inputs: Vec<u64> = accepted.iter().map(|pair| pair.0).collect();
        let outputs: Vec<u64> = accepted.iter().map(|pair| pair.1).collect();
        let actual = run(&inputs);
        if actual.as_ref() != Ok(&bytes_of(to, &outputs, 0)) {
            let width = to.element_bytes();
            let data = actual.unwrap_or_else(|without_message| {
                panic!("{name}, {level:?} {skip}: {without_message:?}")
            });
            let wrong = (0..inputs.len()).find(|&index| {
                data[index * width..][..width] != outputs[index].to_le_bytes()[..width]
            });
            let index = wrong.expect("a difference");
            panic!(
                "{name}, {level:?} {skip}: {:x} gives {:x?}, not {:x}",
                inputs[index],
                &data[index * width..][..width],
                outputs[index]
            );
        }
        let first = (0u64..)
            .zip(&expected)
            .find_map(|(index, result)| Some((index, result.as_ref().err()?)));
        if let Some((index, (reason, clause, _))) = first {
            let without_message = (*reason, *clause, Some(At::Element(index)));
            assert_eq!(
                run(elements),
                Err(without_message),
                "{name}, {level:?} {skip}: all"
            );
        }
        if skip > 0 {
            continue;
        }
        for (&bits, result) in elements.iter().zip(&expected) {
            if let Err((reason, clause, _)) = result {
                let without_message = (*reason, *clause, Some(At::Element(0)));
                assert_eq!(
                    run(&[bits]),
                    Err(without_message),
                    "{name}, {level:?}: {bits:x}"
                );
            }
        }
    }
}

/// Checks that every level gives the same output as the portable one, for lengths around the sizes of blocks
/// and vectors, and that a rejection names the first rejected element, wherever it is in a block.
fn check_lengths(
    name: &str,
    (from, to): (DataType, DataType),
    accepted: &[u64],
    rejected: Option<u64>,
    operation: impl Fn(SimdLevel, &[u8], &mut [u8]) -> Result<(), Fault>,
) {
    let lengths = [
        0, 1, 7, 31, 32, 33, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 20_000,
    ];
    // Miri runs only two lengths: an empty input, and one with more than a block of wide elements.
    for length in lengths.into_iter().step_by(inputs(1, 11)) {
        let elements: Vec<u64> = accepted.iter().copied().cycle().take(length).collect();
        let mut outputs = Vec::new();
        for (level, skip) in everywhere() {
            let input = bytes_of(from, &elements, skip);
            let mut output = vec![0; length * to.element_bytes()];
            operation(level, &input[skip..], &mut output)
                .unwrap_or_else(|rejection| panic!("{name}, {level:?}: {rejection}"));
            outputs.push(output);
        }
        for output in &outputs {
            assert!(*output == outputs[0], "{name}: {length} elements");
        }
        let Some(rejected) = rejected else { continue };
        for place in [0, 1, 62, 64, 510, 512, 4094, 4096, 19_999]
            .into_iter()
            .step_by(inputs(1, 3))
        {
            if place >= length {
                continue;
            }
            // A second rejected element at the end must not be the one that is named.
            let mut elements = elements.clone();
            elements[place] = rejected;
            elements[length - 1] = rejected;
            let input = bytes_of(from, &elements, 0);
            let mut output = vec![0; length * to.element_bytes()];
            for level in SimdLevel::available() {
                let at = operation(level, &input, &mut output)
                    .expect_err("a rejected element")
                    .element;
                assert_eq!(at, Some(place as u64), "{name}, {level:?}");
            }
        }
    }
}
