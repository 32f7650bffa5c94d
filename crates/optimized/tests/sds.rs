//! The fast conversions agree with the reference, bit for bit, on data sets of every kind.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "random numbers of any kind will do"
)]

use exactum_model::Rejection;
use exactum_model::sds::{
    DataSet, External, Fill, Infinite, Output, Profile, Scaling, SdsType, Values,
};
use exactum_optimized::sds as fast;
use exactum_reference::sds as exact;

/// Generates random numbers from a seed with splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    /// Returns a double: arbitrary bits, a plain number, a half-integer, or a number near the limits.
    fn double(&mut self) -> f64 {
        let small = self.below(200_001) as f64 - 100_000.0;
        match self.below(10) {
            0 => f64::from_bits(self.next()),
            1 | 2 => small,
            3 => small + 0.5,
            4 => small / 8.0,
            5 => small * 0.001,
            6 => 1e9 + small / 7.0,
            7 => f64::NAN,
            8 => self.one_of(&[
                0.0,
                -0.0,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                -f64::MAX,
                5e-324,
                1e-310,
                -8_388_608e10,
                32767.0,
                -32768.0,
                65535.5,
            ]),
            _ => self.next() as f64 / 1e12,
        }
    }

    fn finite(&mut self) -> f64 {
        loop {
            let value = self.double();
            if value.is_finite() {
                return value;
            }
        }
    }

    fn scaling(&mut self) -> Scaling {
        let scale = match self.below(6) {
            0 | 1 => None,
            2 => Some(self.finite()),
            3 => Some(self.one_of(&[1.0, -1.0, 2.0, 0.5, 10.0, 0.1, -0.75, 100.0])),
            4 => Some(self.below(1000) as f64 / 64.0),
            _ => Some(49152.0 / (1.0 + self.below(70000) as f64)),
        };
        let offset = match self.below(5) {
            0 | 1 => None,
            2 => Some(self.finite()),
            3 => Some(self.one_of(&[0.0, -0.0, 0.5, -32768.0, 32767.0, 0.1, 127.0])),
            _ => Some(self.below(1000) as f64 / 64.0),
        };
        Scaling::of(scale.map(f64::to_bits), offset.map(f64::to_bits))
    }

    /// Returns codes that lie close together, near a limit, or anywhere.
    fn codes(&mut self, least: i64, greatest: i64, count: u64) -> Vec<i64> {
        let middle = least + (self.next() as i64).rem_euclid(greatest - least + 1);
        let width = self.one_of(&[1, 100, 254, 255, 256, 65534, 65535, 65536, 1 << 31]);
        let together = self.below(2) == 0;
        let mut code = || match self.below(8) {
            0 if !together => least + self.below(3) as i64,
            1 if !together => greatest - self.below(3) as i64,
            2 => middle + width,
            3 => middle,
            _ => middle + self.below(width as u64 + 1) as i64,
        };
        (0..count).map(|_| code().clamp(least, greatest)).collect()
    }

    fn set(&mut self, profile: Profile) -> DataSet {
        let of = self.one_of(&SdsType::ALL[..8]);
        let count = self.below(9);
        let (least, greatest) = of.range(profile);
        let (mut fill, mut infinite) = (Fill::Undefined, None);
        let values = match of {
            SdsType::R4 => {
                let singles = (0..count).map(|_| self.double() as f32);
                let finite = singles.filter(|single| !single.is_infinite());
                Values::Singles(finite.map(f32::to_bits).collect())
            }
            SdsType::R8 => Values::Doubles((0..count).map(|_| self.double().to_bits()).collect()),
            _ => {
                let codes = self.codes(least, greatest, count);
                let other = codes.first().copied().unwrap_or(least);
                if self.below(2) == 0 {
                    let standard = of.standard_fill(profile);
                    fill = Fill::Code(self.one_of(&[standard, standard, other]));
                }
                if self.below(3) == 0 {
                    infinite = Some(of.standard_infinite(profile));
                }
                Values::Integers(codes)
            }
        };
        if of.is_real() && self.below(4) == 0 {
            fill = self.one_of(&[Fill::Nan, External::WsoDs.real_fill(), Fill::Real(0)]);
        }
        let scaling = self.scaling();
        DataSet::new(of, values.clone(), scaling, fill, infinite, profile).unwrap_or_else(|_| {
            let none = None::<Infinite>;
            DataSet::new(of, values, scaling, Fill::Undefined, none, profile)
                .expect("the values are of the type")
        })
    }
}

/// Returns the parts of a rejection that are compared: reason, clause and place.
fn plain<T>(result: Result<T, Rejection>) -> Result<T, String> {
    result.map_err(|it| format!("{:?} {} {:?}", it.reason, it.clause, it.at))
}

#[test]
fn conversions_and_formats_are_those_of_the_reference() {
    let mut random = Random(7);
    let rounds = if cfg!(miri) { 200 } else { 60_000 };
    for round in 0..rounds {
        let profile = random.one_of(&[Profile::Tn115, Profile::Soi97]);
        let set = random.set(profile);
        let target = random.one_of(&SdsType::ALL);
        let cast = random.one_of(&[None, Some(target)]);
        let external = random.one_of(&[None, Some(External::Fits), Some(External::WsoDs)]);
        let fill = random.one_of(&[None, None, Some(f64::NAN), Some(-1.5), Some(0.1)]);
        let output = Output {
            storage: random.one_of(&SdsType::ALL),
            scaling: random.below(3) > 0,
            fill: fill.map(f64::to_bits),
            external,
        };
        assert_eq!(
            plain(fast::convert(&set, target, profile)),
            plain(exact::convert(&set, target, profile)),
            "{round}: {set:?} to {target}"
        );
        assert_eq!(
            plain(fast::read(&set, cast, external, profile)),
            plain(exact::read(&set, cast, external, profile)),
            "{round}: read {set:?} as {cast:?} from {external:?}"
        );
        assert_eq!(
            plain(fast::write(&set, cast, &output, profile)),
            plain(exact::write(&set, cast, &output, profile)),
            "{round}: write {set:?} as {cast:?} to {output:?}"
        );
        assert_eq!(
            plain(fast::missing(&set)),
            plain(exact::missing(&set)),
            "{round}"
        );
    }
}
