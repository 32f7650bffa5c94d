//! Casts of floats beside the ties of a target.

use exactum_model::{CastSpec, DataType, OutOfRange, Rounding};

use super::cast::{RULES, SMALL, check_cast};
use super::numbers::{MAIN, real};
use super::{inputs, taken};

/// Tests the points where the small floats round: numbers with seven mantissa bits from 2^-37 to 2^19 and
/// their neighbours, and float32 numbers whose lower half is on or next to a tie of bfloat16.
#[test]
fn small_floats_beside_every_tie() {
    let lows = [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff];
    let singles: Vec<u64> = (90 << 7..147 << 7)
        .step_by(inputs(1, 997))
        .flat_map(|digits: u64| [(digits << 16) - 1, digits << 16, (digits << 16) + 1])
        .flat_map(|magnitude| [magnitude, magnitude | 1 << 31])
        .chain(
            (0..1 << 16)
                .step_by(inputs(0x35, 0x3535))
                .flat_map(|high| lows.map(|low| high << 16 | low)),
        )
        .collect();
    let doubles: Vec<u64> = (990 << 7..1043 << 7)
        .step_by(inputs(3, 997))
        .flat_map(|digits: u64| [(digits << 45) - 1, digits << 45, (digits << 45) + 1])
        .flat_map(|magnitude| [magnitude, magnitude | 1 << 63])
        .chain([1e39f64, -1e39, 3.5e38, f64::MAX, f64::MIN, 1e-300].map(f64::to_bits))
        .collect();
    for (from, elements) in [(DataType::Float32, singles), (DataType::Float64, doubles)] {
        for to in real().filter(|to| !MAIN.contains(to)) {
            for index in taken(to as usize, Rounding::ALL.len()) {
                let cast = CastSpec::new(
                    from,
                    to,
                    Rounding::ALL[index],
                    RULES[(to as usize + index) % 3],
                );
                let step = if to.format().float().is_some() { 1 } else { 7 };
                let elements: Vec<u64> = elements.iter().copied().step_by(step).collect();
                check_cast(&cast, &elements);
            }
        }
    }
}

/// Kernels for common elements pass a block with a rare element, and everything after it, to other kernels.
/// In short runs of ascending numbers, most blocks stay with the kernels for common elements.
#[test]
fn floats_in_ascending_order() {
    let targets = SMALL.into_iter().chain([
        DataType::Int8,
        DataType::Uint16,
        DataType::Int32,
        DataType::Uint32,
        DataType::Int64,
        DataType::Uint64,
        DataType::Float6E2m3fn,
        DataType::Float6E3m2fn,
        DataType::Float8E3m4,
        DataType::Float8E4m3,
    ]);
    for from in [DataType::Bfloat16, DataType::Float32, DataType::Float64] {
        // Numbers with only a few mantissa bits, which include the ties of small types, and a half more than an even and
        // an odd integer, each with its neighbours.
        let float = from.format().float().expect("a float");
        let mut elements = vec![0, 1, float.max_finite_bits(), float.sign_mask()];
        elements.extend(float.infinity_bits());
        elements.extend(float.nan_bits());
        let digits = float.mantissa_bits.min(6);
        let bias = u64::try_from(float.bias).expect("a bias");
        let written = ((bias - 20) << digits..(bias + 20) << digits).step_by(inputs(1, 97));
        let written = written.map(|written| written << (float.mantissa_bits - digits));
        let halves = (1..float.mantissa_bits)
            .step_by(inputs(1, 17))
            .flat_map(|exponent| {
                let power = (bias + u64::from(exponent)) << float.mantissa_bits;
                let half = 1 << (float.mantissa_bits - exponent - 1);
                [power + half, power + 3 * half]
            });
        let large = (bias + 20..bias + 66).map(|field| field << float.mantissa_bits);
        for bits in written.chain(halves).chain(large) {
            let beside = [bits - 1, bits, bits + 1];
            elements.extend(beside.map(|bits| bits | float.sign_mask()));
            elements.extend(beside);
        }
        elements.sort_unstable();
        elements.dedup();
        for to in targets.clone() {
            let is_float = to.format().float().is_some();
            let modes: &[_] = if is_float {
                &[
                    (Rounding::NearestEven, None),
                    (Rounding::NearestEven, Some(OutOfRange::Clamp)),
                ]
            } else {
                &Rounding::ALL
                    .iter()
                    .zip(RULES.into_iter().cycle())
                    .flat_map(|(&rounding, rule)| {
                        [(rounding, Some(OutOfRange::Wrap)), (rounding, rule)]
                    })
                    .collect::<Vec<_>>()
            };
            for index in taken(to as usize, modes.len()) {
                let (rounding, out_of_range) = modes[index];
                let cast = CastSpec::new(from, to, rounding, out_of_range);
                for run in elements.chunks(inputs(1024, elements.len())) {
                    check_cast(&cast, run);
                }
            }
        }
    }
}

/// Tests every tie of float16 and its neighbours, from 2^-27 to beyond the range, tiny numbers, infinity and NaN, in
/// every mode. The hardware instruction lacks one of the rounding modes, and its results out of range differ from
/// those that the clauses require. In short runs, most of these numbers stay with the kernels for common elements.
#[test]
fn floats_to_float16_beside_every_tie() {
    for from in [DataType::Float32, DataType::Float64] {
        let float = from.format().float().expect("a float");
        // The position of the last digit that a tie has.
        let last = float.mantissa_bits - 11;
        let bias = u64::try_from(float.bias).expect("a bias");
        let end = (bias + 16) << 11;
        let tiny = [
            0,
            1,
            1 << (float.mantissa_bits - 1),
            (bias - 126) << float.mantissa_bits,
        ];
        let ties = ((bias - 27) << 11..(bias + 15) << 11).step_by(inputs(1, 997));
        let largest = (end - 24..end + 4).step_by(inputs(1, 7));
        let beyond = [float.max_finite_bits()]
            .into_iter()
            .chain(
                float
                    .infinity_bits()
                    .map(|infinity| [infinity, infinity + 1])
                    .unwrap_or_default(),
            )
            .chain([float.sign_mask() - 1]);
        let elements: Vec<u64> = tiny
            .into_iter()
            .chain(ties.chain(largest).map(|digits| digits << last))
            .flat_map(|magnitude| [magnitude.saturating_sub(1), magnitude, magnitude + 1])
            .chain(beyond)
            .flat_map(|magnitude| [magnitude, magnitude | float.sign_mask()])
            .collect();
        for &rounding in Rounding::ALL {
            for out_of_range in [None, Some(OutOfRange::Clamp)] {
                let cast = CastSpec::new(from, DataType::Float16, rounding, out_of_range);
                for run in elements.chunks(4096) {
                    check_cast(&cast, run);
                }
            }
        }
    }
}
