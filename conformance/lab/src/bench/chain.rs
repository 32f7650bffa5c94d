//! `chain`: scaled and then cast, as packed data is written, with and without NaN.

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, CastValue, Chain, CodecPipeline,
    DataType, MapEntry, Names, OutOfRange, Rounding, Scalar, ScaleOffset,
};
use exactum_optimized::chain;
use serde_json::json;

use super::options::Marks;
use super::outside::Work;
use super::session::Bench;
use super::time::{Case, Contestant, race};

pub(super) const ROW: &str = "chain";

/// Elements that repeat.
const PERIOD: u16 = 4096;

pub(super) fn run(bench: &mut Bench<'_>) {
    for mapped in [false, true] {
        bench.packed(mapped);
    }
}

/// `(in - -10) * 10` rounded into a uint8, and 255 for NaN where there is any.
fn packing(count: u64, mapped: bool) -> Chain {
    let nan = MapEntry {
        input: f64::NAN.to_bits(),
        output: 255,
    };
    let step = |name: &str, codec, data_type| ArrayToArray {
        name: name.into(),
        pointer: String::new(),
        codec,
        data_type,
        shape: vec![count],
    };
    let scale = ScaleOffset {
        data_type: DataType::Float64,
        offset: Some((-10f64).to_bits()),
        scale: Some(10f64.to_bits()),
    };
    let cast = CastValue {
        decoded: DataType::Float64,
        encoded: DataType::Uint8,
        rounding: Rounding::NearestEven,
        out_of_range: Some(OutOfRange::Clamp),
        encode_map: if mapped { vec![nan] } else { Vec::new() },
        decode_map: Vec::new(),
    };
    Chain {
        data_type: DataType::Float64,
        chunk_shape: vec![count],
        fill_value: Scalar::new(DataType::Float64, 0),
        pipeline: CodecPipeline {
            array_to_array: vec![
                step(
                    "scale_offset",
                    ArrayCodec::ScaleOffset(scale),
                    DataType::Float64,
                ),
                step("cast_value", ArrayCodec::CastValue(cast), DataType::Uint8),
            ],
            array_to_bytes: ArrayToBytes::Bytes(Bytes {
                data_type: DataType::Uint8,
                endian: None,
            }),
            bytes_to_bytes: Names::default(),
        },
    }
}

impl Bench<'_> {
    fn packed(&mut self, mapped: bool) {
        let map = if mapped { " map" } else { "" };
        let count = self.options.traffic() / 9;
        let case = Case {
            row: ROW,
            name: format!("float64->uint8 scaled{map}"),
            bytes: 9 * count,
        };
        if !self.takes(&case.name) {
            return;
        }
        (self.progress)(&case.name);
        let period: Vec<u8> = (0..PERIOD)
            .map(|index| match index % 16 {
                5 if mapped => f64::NAN,
                _ => f64::from(index % 300) / 10.0 - 11.0,
            })
            .flat_map(f64::to_le_bytes)
            .collect();
        let chunk = |elements: usize| {
            let data: Vec<u8> = period.iter().copied().cycle().take(8 * elements).collect();
            let extent = u64::try_from(elements).expect("a length fits");
            let array = Array::new(DataType::Float64, vec![extent], data);
            (
                packing(extent, mapped),
                array.expect("the length is that of the shape"),
            )
        };
        let encode = |(chain, chunk): &(Chain, Array)| {
            chain::encode(chain, chunk).expect("the input is accepted")
        };
        let first = encode(&chunk(count.min(PERIOD.into())));
        let nan = if mapped {
            json!([["NaN", 255]])
        } else {
            json!([])
        };
        let work = Work {
            row: ROW,
            case: json!({
                "operation": "pack",
                "from": "float64",
                "to": "uint8",
                "rounding": "nearest-even",
                "out_of_range": "clamp",
                "map": nan,
                "configuration": {"offset": -10, "scale": 10},
            }),
            period: period.clone(),
            count,
            output: DataType::Uint8,
            first,
        };
        let whole = chunk(count);
        let mut contestants = vec![Contestant {
            marks: Marks {
                allocates: true,
                differs: false,
            },
            ..Contestant::here("optimized", || {
                std::hint::black_box(encode(&whole));
            })
        }];
        contestants.extend(self.outside(true, &work));
        race(self.options, &case, contestants, &mut self.rows);
    }
}
