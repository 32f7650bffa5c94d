//! Tests against the reference, at every level that the machine can run.

mod bits;
mod bytes;
mod cast;
mod chain;
mod downsample;
mod legacy;
mod numbers;
mod packbits;
mod scale_offset;

use exactum_model::{At, DataType, Reason, Rejection};

use crate::arch::Level;

/// What must agree of a rejection: all but its words.
type Refusal = (Reason, &'static str, Option<At>);

fn refusal(rejection: Rejection) -> Refusal {
    (rejection.reason, rejection.clause, rejection.at)
}

/// The bytes of elements, `skip` bytes off the start of a buffer.
fn bytes_of(data_type: DataType, elements: &[u64], skip: usize) -> Vec<u8> {
    let width = data_type.element_bytes();
    let mut bytes = vec![0; skip];
    for bits in elements {
        bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
    }
    bytes
}

/// Compares an operation on elements with the reference's on each of them: all that are accepted
/// together, all together up to the first rejection, and each rejected one alone.
fn check(
    name: &str,
    (from, to): (DataType, DataType),
    elements: &[u64],
    reference: impl Fn(u64) -> Result<u64, Rejection>,
    operation: impl Fn(Level, &[u8], &mut [u8]) -> Result<(), Rejection>,
) {
    let expected: Vec<Result<u64, Refusal>> = elements
        .iter()
        .map(|&bits| reference(bits).map_err(refusal))
        .collect();
    let accepted: Vec<(u64, u64)> = elements
        .iter()
        .zip(&expected)
        .filter_map(|(&bits, result)| result.as_ref().ok().map(|&output| (bits, output)))
        .collect();
    for (skip, level) in Level::available().into_iter().enumerate() {
        let run = |elements: &[u64]| {
            let input = bytes_of(from, elements, skip);
            let mut output = vec![0xa5; skip + elements.len() * to.element_bytes()];
            operation(level, &input[skip..], &mut output[skip..])
                .map(|()| output.split_off(skip))
                .map_err(refusal)
        };
        let inputs: Vec<u64> = accepted.iter().map(|pair| pair.0).collect();
        let outputs: Vec<u64> = accepted.iter().map(|pair| pair.1).collect();
        let actual = run(&inputs);
        if actual.as_ref() != Ok(&bytes_of(to, &outputs, 0)) {
            let width = to.element_bytes();
            let data = actual.unwrap_or_else(|refusal| panic!("{name}, {level:?}: {refusal:?}"));
            let wrong = (0..inputs.len()).find(|&index| {
                data[index * width..][..width] != outputs[index].to_le_bytes()[..width]
            });
            let index = wrong.expect("a difference");
            panic!(
                "{name}, {level:?}: {:x} gives {:x?}, not {:x}",
                inputs[index],
                &data[index * width..][..width],
                outputs[index]
            );
        }
        let first = (0u64..)
            .zip(&expected)
            .find_map(|(index, result)| Some((index, result.as_ref().err()?)));
        if let Some((index, (reason, clause, _))) = first {
            let refusal = (*reason, *clause, Some(At::Element(index)));
            assert_eq!(run(elements), Err(refusal), "{name}, {level:?}: all");
        }
        for (&bits, result) in elements.iter().zip(&expected) {
            if let Err((reason, clause, _)) = result {
                let refusal = (*reason, *clause, Some(At::Element(0)));
                assert_eq!(run(&[bits]), Err(refusal), "{name}, {level:?}: {bits:x}");
            }
        }
    }
}

/// Every level gives what the portable one gives, on lengths around the blocks and vectors, and a
/// rejection names the first element, wherever in the blocks it stands.
fn check_lengths(
    name: &str,
    (from, to): (DataType, DataType),
    accepted: &[u64],
    rejected: Option<u64>,
    operation: impl Fn(Level, &[u8], &mut [u8]) -> Result<(), Rejection>,
) {
    for length in [
        0, 1, 7, 31, 32, 33, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 20_000,
    ] {
        let elements: Vec<u64> = accepted.iter().copied().cycle().take(length).collect();
        let mut outputs = Vec::new();
        for level in Level::available() {
            for skip in [0, 3] {
                let input = bytes_of(from, &elements, skip);
                let mut output = vec![0; length * to.element_bytes()];
                operation(level, &input[skip..], &mut output)
                    .unwrap_or_else(|rejection| panic!("{name}, {level:?}: {rejection}"));
                outputs.push(output);
            }
        }
        for output in &outputs {
            assert!(*output == outputs[0], "{name}: {length} elements");
        }
        let Some(rejected) = rejected else { continue };
        for place in [0, 1, 62, 64, 510, 512, 4094, 4096, 19_999] {
            if place >= length {
                continue;
            }
            // Another one behind it must not be the one that is named.
            let mut elements = elements.clone();
            elements[place] = rejected;
            elements[length - 1] = rejected;
            let input = bytes_of(from, &elements, 0);
            let mut output = vec![0; length * to.element_bytes()];
            for level in Level::available() {
                let at = operation(level, &input, &mut output)
                    .expect_err("a rejected element")
                    .at;
                assert_eq!(at, Some(At::Element(place as u64)), "{name}, {level:?}");
            }
        }
    }
}
