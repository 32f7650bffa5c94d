//! `chain`: scaled and then cast, as packed data is written, and back, with and without NaN.

use exactum_conformance::model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, CastValue, Chain, CodecPipeline, DataType,
    Direction, Endian, MapEntry, Names, OutOfRange, Rounding, Scalar, ScaleOffset,
};
use exactum_optimized::chain::{Planned, Scratch};
use serde_json::json;

use super::outside::Work;
use super::session::Bench;
use super::time::{Case, Contestant, race};

pub(super) const ROW: &str = "chain";

/// Elements that repeat.
const PERIOD: u16 = 4096;

/// What is packed, with a scale and an offset, into which integers, and whether NaN has a code.
#[derive(Clone, Copy)]
struct Packing {
    from: DataType,
    to: DataType,
    offset: i16,
    scale: i16,
    /// The code of NaN, as bits and as a number.
    nan: Option<(u64, i64)>,
}

pub(super) fn run(bench: &mut Bench<'_>) {
    let bytes = Packing {
        from: DataType::Float64,
        to: DataType::Uint8,
        offset: -10,
        scale: 10,
        nan: None,
    };
    let shorts = Packing {
        from: DataType::Float32,
        to: DataType::Int16,
        scale: 100,
        ..bytes
    };
    for packing in [
        bytes,
        Packing {
            nan: Some((255, 255)),
            ..bytes
        },
        shorts,
        Packing {
            nan: Some((0x8000, -0x8000)),
            ..shorts
        },
    ] {
        for direction in [Direction::Encode, Direction::Decode] {
            bench.packed(packing, direction);
        }
    }
}

impl Packing {
    fn name(&self, direction: Direction) -> String {
        let (from, to) = (self.from.name(), self.to.name());
        let map = if self.nan.is_some() { " map" } else { "" };
        match direction {
            Direction::Encode => format!("{from}->{to} scaled{map}"),
            Direction::Decode => format!("{to}->{from} scaled{map}"),
        }
    }

    /// The bits of a number in the data type of the array.
    fn bits(&self, value: f32) -> u64 {
        match self.from {
            DataType::Float64 => f64::from(value).to_bits(),
            _ => value.to_bits().into(),
        }
    }

    /// `(in - offset) * scale`, rounded and clamped.
    fn chain(&self, count: u64) -> Chain {
        let step = |name: &str, codec, data_type| ArrayToArray {
            name: name.into(),
            pointer: String::new(),
            codec,
            data_type,
            shape: vec![count],
        };
        let scale = ScaleOffset {
            data_type: self.from,
            offset: Some(self.bits(self.offset.into())),
            scale: Some(self.bits(self.scale.into())),
        };
        let nan = self.bits(f32::NAN);
        let entry = |input, output| MapEntry { input, output };
        let cast = CastValue {
            decoded: self.from,
            encoded: self.to,
            rounding: Rounding::NearestEven,
            out_of_range: Some(OutOfRange::Clamp),
            encode_map: self.nan.iter().map(|&(code, _)| entry(nan, code)).collect(),
            decode_map: self.nan.iter().map(|&(code, _)| entry(code, nan)).collect(),
        };
        Chain {
            data_type: self.from,
            chunk_shape: vec![count],
            fill_value: Scalar::new(self.from, 0),
            pipeline: CodecPipeline {
                array_to_array: vec![
                    step("scale_offset", ArrayCodec::ScaleOffset(scale), self.from),
                    step("cast_value", ArrayCodec::CastValue(cast), self.to),
                ],
                array_to_bytes: ArrayToBytes::Bytes(Bytes {
                    data_type: self.to,
                    endian: Some(Endian::Little),
                }),
                bytes_to_bytes: Names::default(),
            },
        }
    }

    /// The elements that repeat, within the range and beyond it.
    fn period(&self) -> Vec<u8> {
        let value = |index: u16| match index % 16 {
            5 if self.nan.is_some() => f32::NAN,
            _ => f32::from(index % 300) / 10.0 - 11.0,
        };
        let width = self.from.element_bytes();
        let bytes = |index| self.bits(value(index)).to_le_bytes();
        (0..PERIOD)
            .flat_map(|index| bytes(index).into_iter().take(width))
            .collect()
    }
}

impl Bench<'_> {
    fn packed(&mut self, packing: Packing, direction: Direction) {
        let widths = [packing.from, packing.to].map(DataType::element_bytes);
        let count = self.options.traffic() / (widths[0] + widths[1]);
        let case = Case {
            row: ROW,
            name: packing.name(direction),
            bytes: (widths[0] + widths[1]) * count,
        };
        if !self.takes(&case.name) {
            return;
        }
        (self.progress)(&case.name);
        let period = packing.period();
        let chunk: Vec<u8> = period
            .iter()
            .copied()
            .cycle()
            .take(widths[0] * count)
            .collect();
        let extent = u64::try_from(count).expect("a length fits");
        let planned = Planned::new(packing.chain(extent)).expect("the codecs fit each other");
        let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
        planned
            .encode_into(&chunk, &mut stored, &mut scratch)
            .expect("the input is accepted");
        if direction == Direction::Decode {
            let mut back = vec![0; chunk.len()];
            let decode = || {
                planned
                    .decode_into(&stored, &mut back, &mut scratch)
                    .expect("what was encoded is accepted");
                std::hint::black_box(&mut back);
            };
            let contestants = vec![Contestant::here("optimized", decode)];
            race(self.options, &case, contestants, &mut self.rows);
            return;
        }
        let first = stored[..widths[1] * count.min(PERIOD.into())].to_vec();
        let nan = packing.nan.map(|(_, code)| json!(["NaN", code]));
        let work = Work {
            row: ROW,
            case: json!({
                "operation": "pack",
                "from": packing.from.name(),
                "to": packing.to.name(),
                "rounding": "nearest-even",
                "out_of_range": "clamp",
                "map": nan.into_iter().collect::<Vec<_>>(),
                "configuration": {"offset": packing.offset, "scale": packing.scale},
            }),
            period,
            count,
            output: packing.to,
            first,
        };
        let encode = || {
            planned
                .encode_into(&chunk, &mut stored, &mut scratch)
                .expect("the input is accepted");
            std::hint::black_box(&mut stored);
        };
        let mut contestants = vec![Contestant::here("optimized", encode)];
        contestants.extend(self.outside(true, &work));
        race(self.options, &case, contestants, &mut self.rows);
    }
}
