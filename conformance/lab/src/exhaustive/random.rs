//! Random elements of 64 bits.

use exactum_conformance::model::{DataType, Rounding};

use super::{Compared, RULES, compare, modes, together};

/// The source types.
const SOURCES: [DataType; 3] = [DataType::Float64, DataType::Int64, DataType::Uint64];

/// Compares casts from the types of 64 bits into every real type, in every mode. The given number of elements, or
/// slightly more, is distributed over all casts. The same number always draws the same elements.
///
/// # Errors
/// If the two implementations differ. The error has a line for each cast.
pub fn random(elements: u64, progress: &(dyn Fn(usize) + Sync)) -> Result<Compared, Vec<String>> {
    let real = || DataType::ALL.iter().copied().filter(|it| it.is_real());
    let pairs: Vec<_> = SOURCES
        .into_iter()
        .flat_map(|from| real().map(move |to| (from, to)))
        .collect();
    let modes = Rounding::ALL.len() * RULES.len();
    let each = elements.div_ceil((pairs.len() * modes) as u64);
    let numbered: Vec<_> = (0_u64..).zip(pairs).collect();
    together(numbered, |(seed, pair)| of_pair(seed, pair, each), progress)
}

/// Compares all modes of a pair, each on its own elements.
fn of_pair(seed: u64, (from, to): (DataType, DataType), each: u64) -> (Compared, Vec<String>) {
    let mut generator = fastrand::Rng::with_seed(seed);
    let (mut compared, mut findings) = (Compared::default(), Vec::new());
    for cast in modes(from, to) {
        let elements: Vec<u64> = (0..each).map(|_| element(&mut generator, from)).collect();
        findings.extend(compare(&cast, &elements).err());
        compared.casts += 1;
        compared.elements += each;
    }
    (compared, findings)
}

/// Draws an element. Half of them have random bits, so that most are out of every range. The other half are numbers of
/// random magnitude, many with few bits set, near the ends of the ranges or near ties.
fn element(generator: &mut fastrand::Rng, from: DataType) -> u64 {
    let bits = generator.u64(..);
    if generator.bool() {
        return bits;
    }
    let size = generator.u32(0..64);
    let near = match generator.bool() {
        true => (1_u64 << size)
            .wrapping_add(generator.u64(0..5))
            .wrapping_sub(2),
        false => bits >> size,
    };
    match from.format().float() {
        None if generator.bool() => near.wrapping_neg(),
        None => near,
        Some(float) => {
            // An exponent within 70 of that of 1, the sign, and a mantissa with zeros at its end.
            let exponent = generator.u64(0..140).wrapping_add(1023 - 70);
            let mantissa = bits << generator.u32(0..float.mantissa_bits) & ((1 << 52) - 1);
            (bits & 1 << 63) | exponent << 52 | mantissa.wrapping_add(generator.u64(0..3))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_elements_is_kept() {
        let compared = random(20_000, &|_| {}).expect("they agree");
        assert!(
            (20_000..24_000).contains(&compared.elements),
            "{compared:?}"
        );
    }
}
