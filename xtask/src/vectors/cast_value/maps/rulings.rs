//! Where the text on scalar maps is open: which NaN and which zero a key matches, and what
//! becomes of an output's bits.

use exactum_model::DataType;
use exactum_vectors::Level;

use super::{Direction, MapGroup, bits, case};

const NAN_KEY: &[&str] = &["cast_value.scalar_map.nan-key"];
const ZERO_KEY: &[&str] = &["cast_value.scalar_map.zero-key"];
const OUTPUT_BITS: &[&str] = &["cast_value.scalar_map.output-bits"];

/// NaNs other than the one that `"NaN"` names: negative, with a payload, signalling.
const NANS_16: &[u64] = &[0xfe00, 0x7e01, 0x7c01, 0xfc01, 0x7fff, 0xffff];
const NANS_32: &[u64] = &[
    0xffc0_0000,
    0x7fc0_0001,
    0x7f80_0001,
    0xff80_0001,
    0x7fff_ffff,
    0xffff_ffff,
];
const NANS_64: &[u64] = &[
    0xfff8_0000_0000_0000,
    0x7ff8_0000_0000_0001,
    0x7ff0_0000_0000_0001,
    0xfff0_0000_0000_0001,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
];
/// The NaN that `"NaN"` names.
const NAN_64: &[u64] = &[0x7ff8_0000_0000_0000];

const NEGATIVE_ZERO: u64 = 1 << 63;

const fn encode(
    name: &'static str,
    clauses: &'static [&'static str],
    decoded: DataType,
    configuration: &'static str,
    cases: &'static [super::MapCase],
) -> MapGroup {
    MapGroup {
        name,
        level: Level::Ruling,
        clauses,
        direction: Direction::Encode,
        decoded,
        configuration,
        cases,
    }
}

const fn decode(
    name: &'static str,
    clauses: &'static [&'static str],
    decoded: DataType,
    configuration: &'static str,
    cases: &'static [super::MapCase],
) -> MapGroup {
    MapGroup {
        direction: Direction::Decode,
        ..encode(name, clauses, decoded, configuration, cases)
    }
}

pub(super) const GROUPS: [MapGroup; 19] = [
    encode(
        "nan-key-float16",
        NAN_KEY,
        DataType::Float16,
        r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",5]]}}"#,
        &[case("other-nans", NANS_16)],
    ),
    encode(
        "nan-key-float32",
        NAN_KEY,
        DataType::Float32,
        r#"{"data_type":"int16","scalar_map":{"encode":[["NaN",-5]]}}"#,
        &[case("other-nans", NANS_32)],
    ),
    encode(
        "nan-key-float64",
        NAN_KEY,
        DataType::Float64,
        r#"{"data_type":"int64","scalar_map":{"encode":[["NaN",5]]}}"#,
        &[case("other-nans", NANS_64)],
    ),
    encode(
        "nan-key-float64-to-float32",
        NAN_KEY,
        DataType::Float64,
        r#"{"data_type":"float32","scalar_map":{"encode":[["NaN",-9999]]}}"#,
        &[case("other-nans", NANS_64)],
    ),
    encode(
        "nan-key-hex",
        NAN_KEY,
        DataType::Float64,
        r#"{"data_type":"uint8","scalar_map":{"encode":[["0x7ff8000000000123",5]]}}"#,
        &[case("other-nans", NANS_64), case("named-nan", NAN_64)],
    ),
    encode(
        "nan-key-signalling",
        NAN_KEY,
        DataType::Float32,
        r#"{"data_type":"uint8","scalar_map":{"encode":[["0xff800001",5]]}}"#,
        &[
            case("other-nans", NANS_32),
            case("named-nan", &[0x7fc0_0000]),
        ],
    ),
    encode(
        "nan-key-first-of-equal",
        NAN_KEY,
        DataType::Float64,
        r#"{"data_type":"uint8","scalar_map":{"encode":[["0x7ff8000000000001",1],["NaN",2],["0xfff8000000000000",3]]}}"#,
        &[case("any-nan", NANS_64), case("named-nan", NAN_64)],
    ),
    decode(
        "nan-key-decode",
        NAN_KEY,
        DataType::Int16,
        r#"{"data_type":"float32","scalar_map":{"decode":[["NaN",-32768]]}}"#,
        &[case("other-nans", NANS_32)],
    ),
    encode(
        "zero-key-positive",
        ZERO_KEY,
        DataType::Float64,
        r#"{"data_type":"uint8","scalar_map":{"encode":[[0,5]]}}"#,
        &[case("negative-zero", &[NEGATIVE_ZERO])],
    ),
    encode(
        "zero-key-negative",
        ZERO_KEY,
        DataType::Float64,
        r#"{"data_type":"uint8","scalar_map":{"encode":[[-0.0,5]]}}"#,
        &[case("both-zeros", &[0, NEGATIVE_ZERO])],
    ),
    encode(
        "zero-key-hex",
        ZERO_KEY,
        DataType::Float32,
        r#"{"data_type":"float64","scalar_map":{"encode":[["0x80000000",5]]}}"#,
        &[case("both-zeros", &[0, 0x8000_0000])],
    ),
    encode(
        "zero-key-first-of-equal",
        ZERO_KEY,
        DataType::Float16,
        r#"{"data_type":"uint8","scalar_map":{"encode":[[0.0,5],[-0.0,6]]}}"#,
        &[case("both-zeros", &[0, 0x8000])],
    ),
    decode(
        "zero-key-decode",
        ZERO_KEY,
        DataType::Int32,
        r#"{"data_type":"float32","scalar_map":{"decode":[[-0.0,7]]}}"#,
        &[case("both-zeros", &[0, 0x8000_0000])],
    ),
    decode(
        "output-bits-float16",
        OUTPUT_BITS,
        DataType::Float16,
        r#"{"data_type":"uint8","scalar_map":{"decode":[[0,"NaN"],[1,"0xfe00"],[2,"0x7e01"],[3,"0x7c01"],[4,"0xffff"]]}}"#,
        &[bits("nans", &[0, 1, 2, 3, 4])],
    ),
    decode(
        "output-bits-float32",
        OUTPUT_BITS,
        DataType::Float32,
        r#"{"data_type":"uint8","scalar_map":{"decode":[[0,"NaN"],[1,"0xffc00000"],[2,"0x7fc12345"],[3,"0x7f800001"],[4,"0xFFFFFFFF"]]}}"#,
        &[bits("nans", &[0, 1, 2, 3, 4])],
    ),
    decode(
        "output-bits-float64",
        OUTPUT_BITS,
        DataType::Float64,
        r#"{"data_type":"int16","scalar_map":{"decode":[[0,"NaN"],[1,"0xfff8000000000000"],[2,"0x7ff8000000012345"],[3,"0x7ff0000000000001"],[-1,"0xffffffffffffffff"]]}}"#,
        &[bits("nans", &[0, 1, 2, 3, 0xffff])],
    ),
    encode(
        "output-bits-float-to-float",
        OUTPUT_BITS,
        DataType::Float64,
        r#"{"data_type":"float32","scalar_map":{"encode":[["NaN","0x7fc12345"],[1,"0x7f800001"],[2,"0xff923456"]]}}"#,
        &[bits(
            "nans",
            &[0x7ff8_0000_0000_0000, 1.0f64.to_bits(), 2.0f64.to_bits()],
        )],
    ),
    encode(
        "output-bits-zeros",
        OUTPUT_BITS,
        DataType::Int16,
        r#"{"data_type":"float32","scalar_map":{"encode":[[1,-0.0],[2,0.0],[3,"0x80000000"]]}}"#,
        &[bits("zeros", &[1, 2, 3])],
    ),
    encode(
        "output-bits-same-type",
        OUTPUT_BITS,
        DataType::Float32,
        r#"{"data_type":"float32","scalar_map":{"encode":[[1,"0x7f800123"]]}}"#,
        &[bits("signalling", &[0x3f80_0000])],
    ),
];
