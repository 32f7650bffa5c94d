//! `chain`: scaling followed by a cast, as for packed data, and back, with and without NaN.

use exactum_conformance::model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, CastValue, Chain, CodecPipeline, DataType,
    Direction, Endian, MapEntry, PackBits, Scalar, ScaleOffset,
};
use exactum_optimized::chain::{Planned, Scratch};
use serde_json::json;

use super::outside::Work;
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "chain";

/// The number of elements after which the input repeats.
const PERIOD: u16 = 4096;

/// A packing: a scale and an offset, the integers used, and whether NaN has a code.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    pub(super) from: DataType,
    pub(super) to: DataType,
    offset: i16,
    scale: i16,
    /// The code of NaN, as bits and as a number.
    nan: Option<(u64, i64)>,
    /// The number of bits of each integer that `packbits` keeps; if absent, all bytes are stored.
    bits: Option<u32>,
}

/// Returns all packings.
pub(super) fn packings() -> [Packing; 5] {
    let bytes = Packing {
        from: DataType::Float64,
        to: DataType::Uint8,
        offset: -10,
        scale: 10,
        nan: None,
        bits: None,
    };
    let shorts = Packing {
        from: DataType::Float32,
        to: DataType::Int16,
        scale: 100,
        ..bytes
    };
    let mapped = Packing {
        nan: Some((0x8000, -0x8000)),
        ..shorts
    };
    [
        bytes,
        Packing {
            nan: Some((255, 255)),
            ..bytes
        },
        shorts,
        mapped,
        Packing {
            to: DataType::Uint16,
            nan: Some((4095, 4095)),
            bits: Some(12),
            ..mapped
        },
    ]
}

pub(super) fn run(bench: &mut Bench<'_>) {
    for packing in packings() {
        for direction in [Direction::Encode, Direction::Decode] {
            bench.packed(packing, direction);
        }
    }
}

impl Packing {
    pub(super) fn name(&self, direction: Direction) -> String {
        let (from, to) = (self.from.name(), self.to.name());
        let map = if self.nan.is_some() { " map" } else { "" };
        let bits = match self.bits {
            Some(bits) => format!(" packbits {bits}"),
            None => String::new(),
        };
        match direction {
            Direction::Encode => format!("{from}->{to} scaled{map}{bits}"),
            Direction::Decode => format!("{to}->{from} scaled{map}{bits}"),
        }
    }

    /// Returns the number of bytes of some elements, and of the bytes in which they are stored.
    pub(super) fn bytes(&self, count: usize) -> [usize; 2] {
        let stored = match self.bits {
            Some(bits) => count * bits as usize / 8,
            None => count * self.to.element_bytes(),
        };
        [count * self.from.element_bytes(), stored]
    }

    /// Returns a number of elements, a multiple of `of`, that take about this many bytes together with the bytes in
    /// which they are stored.
    pub(super) fn count(&self, bytes: usize, of: usize) -> usize {
        let [decoded, stored] = self.bytes(of);
        (bytes / (decoded + stored)).max(1) * of
    }

    /// Returns the codecs as the JSON of a document.
    pub(super) fn codecs(&self) -> serde_json::Value {
        let map = self
            .nan
            .map(|(_, code)| json!({"encode": [["NaN", code]], "decode": [[code, "NaN"]]}));
        let mut cast = json!({
            "data_type": self.to.name(),
            "rounding": "nearest-even",
            "out_of_range": "clamp",
        });
        if let Some(map) = map {
            cast["scalar_map"] = map;
        }
        let last = match self.bits {
            Some(bits) => json!({"name": "packbits", "configuration": {"last_bit": bits - 1}}),
            None => json!({"name": "bytes", "configuration": {"endian": "little"}}),
        };
        json!([
            {"name": "scale_offset", "configuration": {"offset": self.offset, "scale": self.scale}},
            {"name": "cast_value", "configuration": cast},
            last,
        ])
    }

    /// Returns the case that is sent to programs in other languages.
    pub(super) fn case(&self, operation: &str) -> serde_json::Value {
        let nan = self.nan.map(|(_, code)| json!(["NaN", code]));
        json!({
            "operation": operation,
            "from": self.from.name(),
            "to": self.to.name(),
            "rounding": "nearest-even",
            "out_of_range": "clamp",
            "map": nan.into_iter().collect::<Vec<_>>(),
            "configuration": {"offset": self.offset, "scale": self.scale},
            "codecs": self.codecs(),
        })
    }

    /// Returns the bits of a number in the data type of the array.
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
        let scale = ScaleOffset::new(self.from)
            .offset(self.bits(self.offset.into()))
            .scale(self.bits(self.scale.into()));
        let nan = self.bits(f32::NAN);
        let entry = MapEntry::new;
        let cast = CastValue::new(self.from, self.to)
            .clamp()
            .encode_map(self.nan.iter().map(|&(code, _)| entry(nan, code)).collect())
            .decode_map(self.nan.iter().map(|&(code, _)| entry(code, nan)).collect());
        Chain {
            data_type: self.from,
            chunk_shape: vec![count],
            fill_value: Scalar::new(self.from, 0),
            pipeline: CodecPipeline::new(
                vec![
                    step("scale_offset", ArrayCodec::ScaleOffset(scale), self.from),
                    step("cast_value", ArrayCodec::CastValue(cast), self.to),
                ],
                match self.bits {
                    Some(bits) => {
                        ArrayToBytes::PackBits(PackBits::whole(self.to).bits(0, bits - 1))
                    }
                    None => ArrayToBytes::Bytes(Bytes::new(self.to, Some(Endian::Little))),
                },
            ),
        }
    }

    /// Returns the elements that repeat, both within the range and beyond it.
    pub(super) fn period(&self) -> Vec<u8> {
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
        let count = packing.count(self.options.traffic(), 8);
        let [decoded, packed] = packing.bytes(count);
        let Some(case) = self.case(ROW, packing.name(direction), decoded + packed) else {
            return;
        };
        let period = packing.period();
        let chunk: Vec<u8> = period.iter().copied().cycle().take(decoded).collect();
        let extent = u64::try_from(count).expect("a length fits");
        let planned = Planned::new(packing.chain(extent)).expect("the codecs fit each other");
        let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
        planned
            .encode_into(&chunk, &mut stored, &mut scratch)
            .expect("the input is accepted");
        if direction == Direction::Decode {
            let mut back = Placed::new(placed::OUTPUT, decoded, &[0_u8]);
            let decode = || {
                planned
                    .decode_into(&stored, &mut back, &mut scratch)
                    .expect("what was encoded is accepted");
                std::hint::black_box(&mut back);
            };
            self.race(&case, vec![Contestant::here("optimized", decode)], None);
            return;
        }
        let [_, first] = packing.bytes(count.min(PERIOD.into()));
        let first = stored[..first].to_vec();
        let work = Work {
            case: packing.case("pack"),
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
        // No peer packs bits.
        let others = packing.bits.is_none().then_some(&work);
        self.race(&case, vec![Contestant::here("optimized", encode)], others);
    }
}
