//! Coding chunk by chunk gives the same results as coding the whole data set, at every SIMD level.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "random numbers of any kind will do"
)]

use exactum_model::sds::{External, Infinite};

use super::super::convert;
use super::*;

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

    /// Returns a plain number, a half-integer, a missing or infinite value, or arbitrary bits.
    fn double(&mut self, rare: bool) -> f64 {
        let small = self.below(200_001) as f64 - 100_000.0;
        match self.below(if rare { 12 } else { 4 }) {
            0 | 1 => small * 0.001,
            2 => small + 0.5,
            3 => small,
            4 | 5 => f64::NAN,
            6 => f64::INFINITY,
            7 => f64::NEG_INFINITY,
            8 => f64::from_bits(self.next()),
            9 => self.one_of(&[0.0, -0.0, 5e-324, f64::MAX, -f64::MAX, 1e300, -8_388_608e10]),
            _ => 1e9 + small / 7.0,
        }
    }

    fn scaling(&mut self) -> Scaling {
        let scale = match self.below(6) {
            0 => f64::from_bits(self.next()),
            1 => self.one_of(&[1.0, -1.0, 2.0, 0.5, 10.0, -0.75, 1e-290, 1e290, 1e-40]),
            2 => 49152.0 / (1.0 + self.below(70_000) as f64),
            3 => 0.01,
            _ => return Scaling::UNSET,
        };
        let offset = match self.below(4) {
            0 => f64::from_bits(self.next()),
            1 => self.one_of(&[0.0, 0.5, -32768.0, 32767.0, 1e290]),
            _ => self.below(1000) as f64 / 7.0,
        };
        Scaling::of(Some(scale.to_bits()), Some(offset.to_bits()))
    }
}

/// A number type, and its lists among the values of a data set.
trait Stored: Sized {
    fn values(list: &[Self]) -> Values;
    fn list(values: &Values) -> Vec<Self>;
}

macro_rules! stored {
    ($($number:ty: $variant:ident $to:expr, $back:expr;)*) => {$(
        impl Stored for $number {
            fn values(list: &[Self]) -> Values {
                Values::$variant(list.iter().map($to).collect())
            }

            fn list(values: &Values) -> Vec<Self> {
                match values {
                    Values::$variant(list) => list.iter().map($back).collect(),
                    other => panic!("other values: {other:?}"),
                }
            }
        }
    )*};
}

stored! {
    f32: Singles |it| it.to_bits(), |it| f32::from_bits(*it);
    f64: Doubles |it| it.to_bits(), |it| f64::from_bits(*it);
    i8: Integers |it| i64::from(*it), |it| *it as i8;
    i16: Integers |it| i64::from(*it), |it| *it as i16;
    i32: Integers |it| i64::from(*it), |it| *it as i32;
    u8: Integers |it| i64::from(*it), |it| (*it).cast_unsigned() as u8;
    u16: Integers |it| i64::from(*it), |it| (*it).cast_unsigned() as u16;
    u32: Integers |it| i64::from(*it), |it| (*it).cast_unsigned() as u32;
}

/// Maps missing numbers to `None`, so that they compare equal to each other.
fn plain<R: Real>(values: &[R]) -> Vec<Option<f64>> {
    let one = |&value: &R| -> Option<f64> { Some(value.into()).filter(|it: &f64| !it.is_nan()) };
    values.iter().map(one).collect()
}

/// Encodes random chunks and decodes them again, at every level, and compares both with the whole data set.
fn check<R: Real + Stored, C: Code + Stored + PartialEq>(seed: u64) {
    let mut random = Random(seed);
    let profile = random.one_of(&[Profile::Tn115, Profile::Soi97]);
    let fill = random.one_of(&[Fill::Nan, Fill::Nan, External::WsoDs.real_fill()]);
    let (rare, scaling) = (random.below(2) == 0, random.scaling());
    let count = random.below(1500);
    let one = |_| R::of_value(random.double(rare));
    let infinite = |it: &R| <R as Into<f64>>::into(*it).is_infinite();
    let is_double = R::TYPE == SdsType::R8;
    let mut values: Vec<R> = (0..count).map(one).collect();
    values.retain(|it| is_double || !infinite(it));
    let set = |values: &[R]| DataSet::new(R::TYPE, R::values(values), scaling, fill, None, profile);
    let (whole, header) = (set(&values).expect("values"), set(&[]).expect("no values"));
    let (expected, notices) = convert(&whole, C::TYPE, profile).expect("reals become integers");
    let (back, back_told) = convert(&expected, R::TYPE, profile).expect("and reals again");

    let chunk = 1 + usize::try_from(seed % 700).expect("small");
    let chunks = values.chunks(chunk).map(|it| Extremes::of(it, fill));
    let extremes = chunks.fold(Extremes::NONE, Extremes::merge);
    let (mut encoder, warnings) =
        Encoder::<R, C>::of(&header, extremes, profile).expect("a header");
    let mut decoder = Decoder::<C, R>::of(encoder.header()).expect("its header");
    for level in SimdLevel::available() {
        (encoder.level, decoder.level) = (level, level);
        let at = format!("{seed} {} {} {}", R::TYPE, C::TYPE, level.name());
        let mut seen = warnings.clone();
        let mut codes = vec![C::of_bits(0); values.len()];
        for (values, codes) in values.chunks(chunk).zip(codes.chunks_mut(chunk)) {
            seen.extend(encoder.encode(values, codes).expect("as long"));
        }
        assert!(C::list(expected.values()) == codes, "{at}: codes");
        assert_eq!(seen, notices, "{at}");
        let header = encoder.header();
        assert_eq!(
            (header.scaling, header.fill(), header.infinite()),
            (expected.scaling, expected.fill(), expected.infinite()),
            "{at}"
        );
        let mut decoded = vec![R::of_value(1.0); codes.len()];
        let mut seen = Warnings::new();
        for (codes, values) in codes.chunks(chunk).zip(decoded.chunks_mut(chunk)) {
            seen.extend(decoder.decode(codes, values).expect("as long"));
        }
        assert_eq!(
            plain(&decoded),
            plain(&R::list(back.values())),
            "{at}: back"
        );
        assert_eq!(seen, back_told, "{at}: back");
    }
}

#[test]
fn chunks_become_what_the_whole_becomes() {
    for seed in 0..if cfg!(miri) { 2 } else { 400 } {
        check::<f32, i8>(seed);
        check::<f64, i8>(seed);
        check::<f32, i16>(seed);
        check::<f64, i16>(seed);
        check::<f32, i32>(seed);
        check::<f64, i32>(seed);
        check::<f32, u8>(seed);
        check::<f64, u8>(seed);
        check::<f32, u16>(seed);
        check::<f64, u16>(seed);
        check::<f32, u32>(seed);
        check::<f64, u32>(seed);
    }
}

/// Reserved codes may occur anywhere among other data.
#[test]
fn other_reserved_codes_are_read_as_the_whole_is() {
    let codes: Vec<i16> = (-700..700).collect();
    for (fill, positive, negative) in [
        (Some(3), 5, Some(-699)),
        (None, 0, None),
        (Some(0), 1, None),
    ] {
        let infinite = Some(Infinite { positive, negative });
        let fill = fill.map_or(Fill::Undefined, Fill::Code);
        let scaling = Scaling::of(Some(3.0_f64.to_bits()), Some(0.1_f64.to_bits()));
        let set = |values| {
            let profile = Profile::default();
            DataSet::new(SdsType::I2, values, scaling, fill, infinite, profile).expect("codes")
        };
        let header = set(Values::Integers(Vec::new()));
        let (whole, notices) = convert(&set(i16::values(&codes)), SdsType::R8, Profile::default())
            .expect("integers become reals");
        let mut values = vec![0.0_f64; codes.len()];
        let decoder = Decoder::<i16, f64>::of(&header).expect("its header");
        let seen = decoder.decode(&codes, &mut values).expect("as long");
        assert_eq!(
            (plain(&values), seen),
            (plain(&f64::list(whole.values())), notices)
        );
    }
}

/// Long chunks of short codes are decoded by a table, at every level and with every warning.
#[test]
fn long_chunks_are_read_as_the_whole_is() {
    fn check<C: Code + Stored, R: Real + Stored>(
        scale: f64,
        offset: f64,
        infinite: Option<Infinite>,
    ) {
        let profile = Profile::default();
        let scaling = Scaling::of(Some(scale.to_bits()), Some(offset.to_bits()));
        let fill = Fill::Code(7);
        let set = |values| DataSet::new(C::TYPE, values, scaling, fill, infinite, profile);
        let codes: Vec<C> = (0..3u64 << 16).map(C::of_bits).collect();
        let whole = set(C::values(&codes)).expect("codes");
        let (expected, notices) = convert(&whole, R::TYPE, profile).expect("reals");
        let header = set(Values::Integers(Vec::new())).expect("no codes");
        let mut decoder = Decoder::<C, R>::of(&header).expect("its header");
        for level in SimdLevel::available() {
            decoder.level = level;
            let mut values = vec![R::of_value(1.0); codes.len()];
            let seen = decoder.decode(&codes, &mut values).expect("as long");
            let at = format!("{} {} {scale} {offset} {}", C::TYPE, R::TYPE, level.name());
            let same = plain(&values) == plain(&R::list(expected.values()));
            assert!(same && seen == notices, "{at}: {seen:?}");
        }
    }
    if cfg!(miri) {
        return;
    }
    let infinite = Some(Infinite {
        positive: 9,
        negative: None,
    });
    for (scale, offset) in [(81.92, -20_070.4), (3.0, 0.1), (1e-300, 5.0), (1e300, 1e10)] {
        for infinite in [None, infinite] {
            check::<i8, f32>(scale, offset, infinite);
            check::<u8, f64>(scale, offset, infinite);
            check::<i16, f32>(scale, offset, infinite);
            check::<u16, f64>(scale, offset, infinite);
        }
    }
}

/// If the loops were always in doubt, their results would be right, but they would be useless.
#[test]
fn plain_data_is_not_in_doubt() {
    let values: Vec<f64> = (0..BLOCK).map(|i| 273.15 + i as f64 * 0.137).collect();
    let none = Values::Doubles(Vec::new());
    let header = DataSet::new(
        SdsType::R8,
        none,
        Scaling::UNSET,
        Fill::Nan,
        None,
        Profile::default(),
    )
    .expect("no values");
    let extremes = Extremes::of(&values, Fill::Nan);
    let (encoder, _) = Encoder::<f64, i16>::of(&header, extremes, Profile::default()).expect("r8");
    let mut codes = vec![0_i16; BLOCK];
    let flags = on_bytes(&values, &mut codes, |from, to| encoder.kernel.run(from, to));
    assert_eq!(flags, NO_FLAGS, "encoding");
    let decoder = Decoder::<i16, f64>::of(encoder.header()).expect("i2");
    let mut back = vec![0.0; BLOCK];
    let flags = on_bytes(&codes, &mut back, |from, to| decoder.kernel.run(from, to));
    assert_eq!(flags, NO_FLAGS, "decoding");
}

#[test]
fn lengths_and_types_are_compared() {
    let values = Values::Doubles(Vec::new());
    let (profile, unset) = (Profile::default(), Scaling::UNSET);
    let header = DataSet::new(SdsType::R8, values, unset, Fill::Nan, None, profile).expect("r8");
    let other = Encoder::<f32, i16>::of(&header, Extremes::NONE, profile);
    assert_eq!(other.expect_err("r8 is not r4").clause, "sds.1.1");
    let (encoder, warnings) =
        Encoder::<f64, i16>::of(&header, Extremes::NONE, profile).expect("r8");
    assert_eq!(warnings, Warnings::from([Warning::NoValidData]));
    let error = encoder.encode(&[1.0], &mut []).expect_err("two lengths");
    assert_eq!(error.reason(), Reason::Shape);
}
