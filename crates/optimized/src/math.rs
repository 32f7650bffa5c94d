//! Rounding of floats to integers by sums, for machines and builds without instructions for it: `core` does not offer
//! these functions, and on the baseline of x86-64, those of `std` call a library for each element.

/// The functions that floats have in `std` under the same names.
pub(crate) trait Whole: Sized {
    fn round_ties_even(self) -> Self;
    fn trunc(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
}

macro_rules! whole {
    ($($float:ty, $limit:expr;)*) => {$(
        impl Whole for $float {
            #[inline(always)]
            fn round_ties_even(self) -> Self {
                // From here on every value is an integer.
                let limit: $float = $limit;
                let magnitude = self.abs();
                if magnitude < limit {
                    ((magnitude + limit) - limit).copysign(self)
                } else {
                    self
                }
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                let magnitude = self.abs();
                let nearest = Whole::round_ties_even(magnitude);
                let down = if nearest > magnitude { nearest - 1.0 } else { nearest };
                down.copysign(self)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                let whole = Whole::trunc(self);
                if whole > self { whole - 1.0 } else { whole }
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                -Whole::floor(-self)
            }
        }
    )*};
}

whole! {
    f32, 8_388_608.0;
    f64, 4_503_599_627_370_496.0;
}

#[cfg(test)]
mod tests {
    use super::Whole;

    macro_rules! same_as_std {
        ($name:ident, $float:ty, $bits:ty, $step:expr) => {
            #[test]
            fn $name() {
                let step: $bits = if cfg!(miri) { $step * 1000 } else { $step };
                let mut bits: $bits = 0;
                loop {
                    let number = <$float>::from_bits(bits);
                    for (ours, of_std) in [
                        (Whole::round_ties_even(number), number.round_ties_even()),
                        (Whole::trunc(number), number.trunc()),
                        (Whole::floor(number), number.floor()),
                        (Whole::ceil(number), number.ceil()),
                    ] {
                        let same = ours.to_bits() == of_std.to_bits();
                        assert!(same || ours.is_nan() && of_std.is_nan(), "{number:?}");
                    }
                    match bits.checked_add(step) {
                        Some(next) => bits = next,
                        None => break,
                    }
                }
            }
        };
    }
    same_as_std!(floats_of_32_bits, f32, u32, 0x0000_1003);
    same_as_std!(floats_of_64_bits, f64, u64, 0x0000_1000_0000_0203);

    #[test]
    fn halves_and_their_neighbours() {
        for half in [
            -2.5_f64,
            -1.5,
            -0.5,
            -0.0,
            0.0,
            0.5,
            1.5,
            2.5,
            4_503_599_627_370_495.5,
        ] {
            for number in [half.next_down(), half, half.next_up()] {
                let same = Whole::round_ties_even(number).to_bits();
                assert_eq!(same, number.round_ties_even().to_bits(), "{number:?}");
                assert_eq!(
                    Whole::ceil(number).to_bits(),
                    number.ceil().to_bits(),
                    "{number:?}"
                );
            }
        }
    }
}
