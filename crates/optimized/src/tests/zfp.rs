//! Compares the streams, elements and rejections of `zfp` with the reference, at every level and on several
//! threads.

use std::num::NonZeroUsize;

use exactum_model::{Array, DataType, Format, Zfp, zfp_order};

use super::without_message;
use crate::arch::{Lanes, Lift, Order, SimdLevel, Transpose, Transposing};
use crate::zfp::{decode_at, encode_at};

const TYPES: [DataType; 16] = [
    DataType::Int2,
    DataType::Int4,
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::Uint2,
    DataType::Uint4,
    DataType::Uint8,
    DataType::Uint16,
    DataType::Uint32,
    DataType::Uint64,
    DataType::Float16,
    DataType::Bfloat16,
    DataType::Float32,
    DataType::Float64,
];

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).expect("below 2^32")
    }
}

fn codec(data_type: DataType, rank: usize, numbers: &mut Numbers) -> Zfp {
    let mut codec = Zfp::reversible(data_type, rank);
    let scalar = codec.scalar().expect("one of its types");
    let kind = numbers.below(6);
    let header = scalar.header_bits(matches!(kind, 0 | 5)).max(1);
    if kind > 0 && kind < 5 {
        codec.min_exponent = Zfp::MIN_EXPONENT;
    }
    match kind {
        1 => codec.max_precision = 1 + numbers.below(64),
        2 => codec.min_exponent = numbers.below(60).cast_signed() - 40,
        3 => {
            codec.max_bits = header + numbers.below(scalar.bits() << (2 * codec.dimensions()));
            codec.max_bits = codec.max_bits.min(Zfp::MAX_BITS);
            codec.min_bits = codec.max_bits;
        }
        4 => {
            codec.max_bits = header + numbers.below(600);
            codec.min_bits = numbers.below(codec.max_bits + 1);
        }
        5 => {
            codec.max_bits = header + numbers.below(600);
            codec.max_precision = 1 + numbers.below(64);
        }
        _ => {}
    }
    codec
}

/// Returns elements that are mostly small, or all of similar size, or arbitrary.
fn elements(data_type: DataType, count: usize, lossy: bool, numbers: &mut Numbers) -> Vec<u64> {
    let format = data_type.format();
    let (kind, width) = (numbers.below(4), format.component_bits());
    let slope = numbers.next() >> (64 - width / 2);
    (0..count as u64)
        .map(|index| {
            let any = numbers.next() & format.component_mask();
            let bits = match (kind, format) {
                (0, _) => any,
                (1, _) if any & 7 > 0 => 0,
                (_, Format::Integer(_)) => (slope * index) & format.component_mask() >> 3,
                (2, Format::Float(format)) => {
                    (u64::from(format.bias.unsigned_abs()) << format.mantissa_bits) + slope * index
                }
                (_, Format::Float(format)) => {
                    any & !(format.max_exponent_field() << format.mantissa_bits)
                        | 2 << format.mantissa_bits
                }
                _ => any,
            };
            // Elements that a lossy mode cannot hold are rare, so that most chunks can be encoded.
            match format {
                Format::Float(format) if lossy && index != 99 => {
                    bits & !(1 << format.mantissa_bits)
                }
                Format::Integer(format) if lossy && index != 99 => bits & format.mask() >> 2,
                _ => bits,
            }
        })
        .collect()
}

#[test]
fn streams_elements_and_rejections_are_those_of_the_reference() {
    let mut numbers = Numbers(1);
    let mut held = 0;
    for round in 0..1500 {
        let data_type = TYPES[round % TYPES.len()];
        let rank = numbers.below(5) as usize;
        let codec = codec(data_type, rank, &mut numbers);
        let most = [0, 70, 18, 9, 6][rank];
        let shape: Vec<u64> = (0..rank)
            .map(|_| (1 + numbers.below(most)).into())
            .collect();
        let count = shape.iter().product::<u64>().try_into().expect("small");
        let bits = elements(data_type, count, !codec.is_reversible(), &mut numbers);
        let chunk = Array::from_components(data_type, shape.clone(), bits).expect("fits");
        let expected = exactum_reference::zfp::encode(&codec, &chunk).map_err(without_message);
        held += usize::from(expected.is_ok());
        let mut streams = vec![(0..200).map(|_| numbers.next().to_le_bytes()[0]).collect()];
        if let Ok(stream) = &expected {
            streams.push(stream.clone());
            streams.push(stream[..stream.len() / 2].to_vec());
        }
        for level in SimdLevel::available_with_bits() {
            let threads = NonZeroUsize::new(1 + round % 3).expect("not zero");
            // The previous contents of the memory must not matter.
            let mut wide = vec![0xa5; round % 7 * 100];
            let mut stream = vec![0xa5; round % 5 * 100];
            let elements = (&shape[..], chunk.data());
            let stream = encode_at(level, &codec, elements, &mut stream, &mut wide, threads)
                .map(|()| stream)
                .map_err(without_message);
            assert!(
                stream == expected,
                "{level:?}, {threads} threads: {codec:?} {shape:?}"
            );
            for stream in &streams {
                let expected = exactum_reference::zfp::decode(&codec, &shape, stream);
                let mut data = vec![0xa5; chunk.data().len()];
                let elements = (&shape[..], &mut data[..]);
                decode_at(level, &codec, stream, elements, &mut wide, threads).expect("fits");
                let actual = Array::new(data_type, shape.clone(), data);
                assert!(
                    actual == expected,
                    "{level:?}, {threads} threads: {codec:?} {shape:?}"
                );
            }
        }
    }
    assert!(held > 1000, "only {held} chunks could be encoded");
}

/// Runs all operations that have machine-specific versions.
struct Moves([u64; 256]);

/// A transform that is not its own inverse and treats each of its four numbers differently.
#[derive(Clone, Copy)]
struct Mixed;

impl Lift for Mixed {
    fn apply<L: Lanes>(self, [x, y, z, w]: [L; 4]) -> [L; 4] {
        [
            x.plus(y).half(),
            y.minus(z),
            z.plus(z).plus(w),
            w.minus(x.half()),
        ]
    }
}

impl Transposing for Moves {
    type Output = Vec<Vec<u64>>;

    fn run<T: Transpose>(self, arch: T) -> Vec<Vec<u64>> {
        let words = self.0;
        let halves = words.map(|word| u32::try_from(word >> 32).expect("32 bits"));
        let pairs = words.as_chunks::<2>().0;
        let mut all = vec![
            pairs
                .iter()
                .map(|&[bits, mask]| arch.extract(bits, mask))
                .collect(),
            pairs
                .iter()
                .map(|&[bits, mask]| arch.deposit(bits, mask))
                .collect(),
        ];
        macro_rules! width {
            ($words:expr, $planes_of:literal, $planes:ident, $back:ident, $forward:ident, $inverse:ident) => {
                let slabs = $words.as_chunks::<64>().0.first_chunk::<4>().expect("four");
                let mut planes = [[0; $planes_of]; 4];
                arch.$planes(slabs, &Order::of(zfp_order(4)), 0, &mut planes);
                let mut back = [[0; 64]; 4];
                arch.$back(&planes, &Order::of(zfp_order(4)), &mut back);
                assert!(back == *slabs);
                all.extend(planes.map(|plane| plane.to_vec()));
                for rank in 1..=3 {
                    let order = Order::of(zfp_order(rank));
                    let slab = [slabs[rank]];
                    let mut planes = [[0; $planes_of]];
                    arch.$planes(&slab, &order, 0, &mut planes);
                    let mut back = [[0; 64]];
                    arch.$back(&planes, &order, &mut back);
                    assert!(back == slab);
                    // The highest planes must be right if only they are requested.
                    let lowest = planes[0].len() - 3;
                    let mut highest = [[0; $planes_of]];
                    arch.$planes(&slab, &order, lowest, &mut highest);
                    assert_eq!(highest[0][lowest..], planes[0][lowest..]);
                    all.extend(planes.map(|plane| plane.to_vec()));
                }
                let [mut a, mut b, mut c, mut d] = *slabs;
                let mut e = d;
                arch.$forward::<1>(&mut a, Mixed);
                arch.$forward::<2>(&mut b, Mixed);
                arch.$forward::<3>(&mut c, Mixed);
                all.extend([a, b, c].map(|slab| slab.map(u64::from).to_vec()));
                arch.$inverse::<1>(&mut a, Mixed);
                arch.$inverse::<2>(&mut d, Mixed);
                arch.$inverse::<3>(&mut e, Mixed);
                all.extend([a, d, e].map(|slab| slab.map(u64::from).to_vec()));
            };
        }
        width!(halves, 32, planes_32, words_32, forward_32, inverse_32);
        width!(words, 64, planes_64, words_64, forward_64, inverse_64);
        all
    }
}

#[test]
fn bits_move_in_the_same_way_on_every_machine() {
    let mut numbers = Numbers(2);
    for round in 0..64 {
        // Words with many ones, with many zeros, and in between.
        let words = [0; 256].map(|_: u64| match round % 4 {
            0 => numbers.next(),
            1 => numbers.next() & numbers.next() & numbers.next(),
            2 => numbers.next() | numbers.next() | numbers.next(),
            _ => (numbers.next() >> round).min(1 << round),
        });
        let portable = SimdLevel::PORTABLE.transposing(Moves(words));
        for level in SimdLevel::available_with_bits() {
            assert!(level.transposing(Moves(words)) == portable, "{level:?}");
        }
    }
}

#[test]
fn what_does_not_fit_is_rejected_as_by_the_reference() {
    let rows: &[(DataType, usize, &[u64])] = &[
        (DataType::Float64, 1, &[4, 4]),
        (DataType::Float64, 1, &[0]),
        (DataType::Float64, 5, &[1, 1, 1, 1, 1]),
        (DataType::Float64, 1, &[8 << 20 | 1]),
        (DataType::Int8, 4, &[u64::MAX; 4]),
        (DataType::Bool, 1, &[1]),
    ];
    for &(data_type, rank, shape) in rows {
        let codec = Zfp::reversible(data_type, rank);
        let expected = exactum_reference::zfp::decode(&codec, shape, &[]).map_err(without_message);
        let actual = crate::zfp::decode(&codec, shape, &[]).map_err(without_message);
        assert!(
            expected.is_err() && actual == expected,
            "{data_type} {shape:?}"
        );
    }
    // Each block of this codec takes 2 KiB.
    let codec = Zfp {
        min_bits: Zfp::MAX_BITS,
        ..Zfp::reversible(DataType::Int8, 1)
    };
    let chunk = Array::new(DataType::Int8, vec![1 << 20], vec![0; 1 << 20]).expect("fits");
    let expected = exactum_reference::zfp::encode(&codec, &chunk).map_err(without_message);
    let actual = crate::zfp::encode(&codec, &chunk).map_err(without_message);
    assert!(expected.is_err() && actual == expected);
}
