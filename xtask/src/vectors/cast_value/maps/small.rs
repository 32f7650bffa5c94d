//! Scalar maps out of and into the small types: keys and outputs are texts of their fill values.

use exactum_model::DataType;
use exactum_vectors::Level;

use super::{Direction, MapCase, MapGroup, also, bits, case};

const FIRST: &[&str] = &["cast_value.scalar_map.first"];
const DECODED: &[&str] = &["cast_value.scalar_map.first", "cast_value.decode"];
const NAN_KEY: &[&str] = &["cast_value.scalar_map.nan-key"];
const ZERO_KEY: &[&str] = &["cast_value.scalar_map.zero-key"];
const OUTPUT_BITS: &[&str] = &["cast_value.scalar_map.output-bits"];
const RANGE: &[&str] = &["cast_value.range.error"];

const NAN: u64 = 0x7fc0_0000;
const INFINITY: u64 = 0x7f80_0000;
const NEGATIVE_INFINITY: u64 = 0xff80_0000;

const fn single(value: f32) -> u64 {
    // `From` is not const; nothing is lost.
    value.to_bits() as u64
}

const fn encode(
    name: &'static str,
    clauses: &'static [&'static str],
    decoded: DataType,
    configuration: &'static str,
    cases: &'static [MapCase],
) -> MapGroup {
    MapGroup {
        name,
        level: Level::Must,
        clauses,
        direction: Direction::Encode,
        decoded,
        configuration,
        cases,
    }
}

const fn decode(
    name: &'static str,
    decoded: DataType,
    configuration: &'static str,
    cases: &'static [MapCase],
) -> MapGroup {
    MapGroup {
        direction: Direction::Decode,
        ..encode(name, DECODED, decoded, configuration, cases)
    }
}

const fn ruling(group: MapGroup) -> MapGroup {
    MapGroup {
        level: Level::Ruling,
        ..group
    }
}

pub(super) const GROUPS: [MapGroup; 18] = [
    encode(
        "into-int4",
        FIRST,
        DataType::Float32,
        r#"{"data_type":"int4","scalar_map":{"encode":[["NaN",-8],["Infinity",7],["-Infinity",-7],[8,5],[-9,0]]}}"#,
        &[
            case("specials", &[NAN, INFINITY, NEGATIVE_INFINITY]),
            case("key-out-of-range", &[single(8.0), single(-9.0)]),
            case("no-key", &[single(7.0), single(-8.0), single(2.5)]),
            also(
                "no-key-out-of-range",
                RANGE,
                &[single(9.0), single(7.5), single(-9.5)],
            ),
        ],
    ),
    encode(
        "into-uint2-wrap",
        FIRST,
        DataType::Float32,
        r#"{"data_type":"uint2","out_of_range":"wrap","scalar_map":{"encode":[["NaN",3],[5,0]]}}"#,
        &[
            case("keys", &[NAN, single(5.0)]),
            also(
                "no-key",
                &["cast_value.range.wrap"],
                &[single(4.0), single(6.0), single(-1.0), single(9.0)],
            ),
        ],
    ),
    encode(
        "into-int2-exact",
        FIRST,
        DataType::Int64,
        r#"{"data_type":"int2","scalar_map":{"encode":[[9007199254740993,-2],[-2,1]]}}"#,
        &[
            case("keys", &[9_007_199_254_740_993, (-2i64).cast_unsigned()]),
            also(
                "no-key-out-of-range",
                RANGE,
                &[9_007_199_254_740_992, 9_007_199_254_740_994],
            ),
        ],
    ),
    encode(
        "into-float4",
        FIRST,
        DataType::Float32,
        r#"{"data_type":"float4_e2m1fn","out_of_range":"clamp","scalar_map":{"encode":[["NaN",-0.0],["Infinity",6],["-Infinity",-6],[2.25,0.5]]}}"#,
        &[
            case("specials", &[NAN, INFINITY, NEGATIVE_INFINITY]),
            case("key-that-would-round", &[single(2.25)]),
            also(
                "no-key",
                &["cast_value.range.clamp", "cast_value.rounding.nearest-even"],
                &[single(2.5), single(100.0), single(-7.0)],
            ),
        ],
    ),
    encode(
        "into-float6",
        FIRST,
        DataType::Float64,
        r#"{"data_type":"float6_e2m3fn","scalar_map":{"encode":[["NaN",7.5],[0.1,0.125],["-Infinity",-7.5]]}}"#,
        &[
            case(
                "keys",
                &[
                    f64::NAN.to_bits() & i64::MAX.cast_unsigned(),
                    0.1f64.to_bits(),
                    f64::NEG_INFINITY.to_bits(),
                ],
            ),
            also(
                "no-key",
                &["cast_value.rounding.nearest-even"],
                &[0.100_000_000_000_000_02f64.to_bits(), 7.5f64.to_bits()],
            ),
        ],
    ),
    encode(
        "into-float8",
        FIRST,
        DataType::Float32,
        r#"{"data_type":"float8_e4m3","scalar_map":{"encode":[["NaN",-240],[1000,240],[0.1,"NaN"],[1,"Infinity"]]}}"#,
        &[
            case("keys", &[NAN, single(1000.0), single(0.1), single(1.0)]),
            also(
                "no-key-out-of-range",
                RANGE,
                &[single(1001.0), single(-1000.0)],
            ),
        ],
    ),
    encode(
        "into-no-zero",
        FIRST,
        DataType::Float32,
        r#"{"data_type":"float8_e8m0fnu","scalar_map":{"encode":[[0,1],[-1,4],["Infinity","NaN"]]}}"#,
        &[
            case("keys", &[0, single(-1.0), INFINITY]),
            also(
                "no-key",
                &["cast_value.range.error"],
                &[single(-2.0), single(-4.0)],
            ),
        ],
    ),
    encode(
        "into-bfloat16",
        FIRST,
        DataType::Float64,
        r#"{"data_type":"bfloat16","scalar_map":{"encode":[["NaN",-9999],[1e300,"Infinity"],[0.1,1]]}}"#,
        &[
            case(
                "keys",
                &[0x7ff8_0000_0000_0000, 1e300f64.to_bits(), 0.1f64.to_bits()],
            ),
            also("no-key-out-of-range", RANGE, &[1e299f64.to_bits()]),
        ],
    ),
    encode(
        "from-bfloat16",
        FIRST,
        DataType::Bfloat16,
        r#"{"data_type":"int16","scalar_map":{"encode":[["NaN",-32768],[0.1,7],["Infinity",32767]]}}"#,
        // 0.1 is the bfloat16 nearest to it.
        &[
            case("keys", &[0x7fc0, 0x3dcd, 0x7f80]),
            case("beside-the-keys", &[0x3dcc, 0x3dce]),
        ],
    ),
    encode(
        "from-int4",
        FIRST,
        DataType::Int4,
        r#"{"data_type":"float32","scalar_map":{"encode":[[-8,"NaN"],[7,"Infinity"]]}}"#,
        &[case("keys", &[8, 7]), case("no-key", &[9, 0, 6, 15])],
    ),
    encode(
        "from-uint2",
        FIRST,
        DataType::Uint2,
        r#"{"data_type":"int8","scalar_map":{"encode":[[3,-1]]}}"#,
        &[case("all", &[0, 1, 2, 3])],
    ),
    encode(
        "from-float6",
        FIRST,
        DataType::Float6E3m2fn,
        r#"{"data_type":"float16","scalar_map":{"encode":[[28,"Infinity"],[-28,"-Infinity"],["0x01","NaN"]]}}"#,
        // The largest, its negative, the smallest subnormal.
        &[
            case("keys", &[0x1f, 0x3f, 0x01]),
            case("no-key", &[0x1e, 0x21, 0x00]),
        ],
    ),
    decode(
        "back-from-uint4",
        DataType::Float16,
        r#"{"data_type":"uint4","scalar_map":{"decode":[[15,"NaN"],[14,"Infinity"]]}}"#,
        &[case("keys", &[15, 14]), case("no-key", &[13, 0])],
    ),
    decode(
        "back-from-float8",
        DataType::Int16,
        r#"{"data_type":"float8_e5m2","scalar_map":{"decode":[["NaN",-9999],["Infinity",32767],["-Infinity",-32768]]}}"#,
        &[
            case("keys", &[0x7e, 0x7c, 0xfc]),
            also("no-key-out-of-range", RANGE, &[0x7b, 0xfb]),
        ],
    ),
    ruling(encode(
        "nan-key-float8",
        NAN_KEY,
        DataType::Float8E5m2,
        r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",255]]}}"#,
        &[case("other-nans", &[0x7d, 0x7f, 0xfd, 0xfe, 0xff])],
    )),
    ruling(encode(
        "nan-key-only",
        NAN_KEY,
        DataType::Float8E4m3fnuz,
        r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",255],[0,1]]}}"#,
        // The only NaN has the bits of a negative zero elsewhere; it is no zero.
        &[case("the-nan", &[0x80]), case("the-zero", &[0x00])],
    )),
    ruling(encode(
        "zero-key-float4",
        ZERO_KEY,
        DataType::Float4E2m1fn,
        r#"{"data_type":"int8","scalar_map":{"encode":[[0,5]]}}"#,
        &[case("both-zeros", &[0x0, 0x8])],
    )),
    ruling(encode(
        "output-bits-float8",
        OUTPUT_BITS,
        DataType::Uint8,
        r#"{"data_type":"float8_e5m2","scalar_map":{"encode":[[1,"0x7d"],[2,"0xff"],[3,-0.0]]}}"#,
        &[bits("nans-and-zero", &[1, 2, 3])],
    )),
];
