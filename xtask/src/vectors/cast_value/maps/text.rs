//! What the text says of scalar maps.

use exactum_model::DataType;
use exactum_vectors::Level;

use super::{Direction, MapGroup, also, case};

const FIRST: &[&str] = &["cast_value.scalar_map.first"];
const FIRST_DECODE: &[&str] = &["cast_value.scalar_map.first", "cast_value.decode"];
const DUPLICATE: &[&str] = &["cast_value.scalar_map.first-duplicate"];
const ONE_STEP: &[&str] = &["cast_value.scalar_map.one-step"];
const DIRECTIONS: &[&str] = &["cast_value.scalar_map.directions"];
const SCALARS: &[&str] = &["cast_value.scalar_map.scalars"];

const NAN: u64 = 0x7ff8_0000_0000_0000;
const INFINITY: u64 = f64::INFINITY.to_bits();
const NEGATIVE_INFINITY: u64 = f64::NEG_INFINITY.to_bits();
const NAN_32: u64 = 0x7fc0_0000;

const fn double(value: f64) -> u64 {
    value.to_bits()
}

const fn single(value: f32) -> u64 {
    // `From` is not const; nothing is lost.
    value.to_bits() as u64
}

/// Elements that the map of the first groups has keys for.
const SPECIALS: &[u64] = &[NAN, INFINITY, NEGATIVE_INFINITY];

pub(super) const GROUPS: [MapGroup; 22] = [
    MapGroup {
        name: "first-absent",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0],["Infinity",255],["-Infinity",1],[300,7],[-1,8],[5,9],[2.5,77],[0.1,10]]}}"#,
        cases: &[
            case("nan-and-infinities", SPECIALS),
            case("key-out-of-range", &[double(300.0), double(-1.0)]),
            case("key-exact", &[double(5.0)]),
            case("key-that-would-round", &[double(2.5), double(0.1)]),
            also(
                "beside-the-keys",
                &["cast_value.rounding.nearest-even"],
                &[
                    double(2.4999999999999996),
                    double(2.5000000000000004),
                    double(5.000000000000001),
                    double(0.09999999999999999),
                    double(0.10000000000000002),
                    double(254.9),
                ],
            ),
            also(
                "no-key-out-of-range",
                &["cast_value.range.error"],
                &[double(301.0), double(-2.0), double(300.00000000000006)],
            ),
        ],
    },
    MapGroup {
        name: "first-clamp",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","out_of_range":"clamp","scalar_map":{"encode":[["NaN",0],["Infinity",254],["-Infinity",1],[300,7],[-1,8]]}}"#,
        cases: &[
            case("nan-and-infinities", SPECIALS),
            case("key-out-of-range", &[double(300.0), double(-1.0)]),
            also(
                "no-key-out-of-range",
                &["cast_value.range.clamp"],
                &[double(301.0), double(-2.0)],
            ),
        ],
    },
    MapGroup {
        name: "first-wrap",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","out_of_range":"wrap","scalar_map":{"encode":[["NaN",100],["Infinity",254],["-Infinity",1],[300,7],[-1,8]]}}"#,
        cases: &[
            case("nan-and-infinities", SPECIALS),
            case("key-out-of-range", &[double(300.0), double(-1.0)]),
            also(
                "no-key-out-of-range",
                &["cast_value.range.wrap"],
                &[double(301.0), double(-2.0)],
            ),
        ],
    },
    MapGroup {
        name: "first-only-nan",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","out_of_range":"clamp","scalar_map":{"encode":[["NaN",3]]}}"#,
        cases: &[
            case("nan", &[NAN]),
            also(
                "infinities-have-no-key",
                &["cast_value.special.infinity-error"],
                &[INFINITY, NEGATIVE_INFINITY],
            ),
        ],
    },
    MapGroup {
        name: "first-only-infinity",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float32,
        configuration: r#"{"data_type":"int16","out_of_range":"clamp","scalar_map":{"encode":[["Infinity",3]]}}"#,
        cases: &[
            case("infinity", &[single(f32::INFINITY)]),
            also(
                "negative-infinity-has-no-key",
                &["cast_value.special.infinity-error"],
                &[single(f32::NEG_INFINITY)],
            ),
            also(
                "nan-has-no-key",
                &["cast_value.special.nan-error"],
                &[NAN_32],
            ),
        ],
    },
    // The published example, with the name that the core has for infinity.
    MapGroup {
        name: "numpy-compatibility",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","rounding":"towards-zero","out_of_range":"wrap","scalar_map":{"encode":[["NaN",0],["Infinity",0],["-Infinity",0]]}}"#,
        cases: &[
            case("nan-and-infinities", SPECIALS),
            also(
                "finite",
                &["cast_value.range.wrap", "cast_value.rounding.towards-zero"],
                &[double(300.7), double(-1.5), double(256.0), double(-0.9)],
            ),
        ],
    },
    MapGroup {
        name: "first-float16",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float16,
        configuration: r#"{"data_type":"int8","scalar_map":{"encode":[["NaN",-128],["Infinity",127],["-Infinity",-127],[0.5,9]]}}"#,
        cases: &[case("keys", &[0x7e00, 0x7c00, 0xfc00, 0x3800])],
    },
    MapGroup {
        name: "first-float-to-float",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"float32","scalar_map":{"encode":[["NaN",-9999],["Infinity",1e30],[1e300,"Infinity"],[0.1,0.25],[1,"NaN"]]}}"#,
        cases: &[
            case(
                "keys",
                &[NAN, INFINITY, double(1e300), double(0.1), double(1.0)],
            ),
            also(
                "no-key-out-of-range",
                &["cast_value.range.error"],
                &[double(1e299), double(-1e300)],
            ),
        ],
    },
    MapGroup {
        name: "first-integer-to-float",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Int32,
        configuration: r#"{"data_type":"float16","scalar_map":{"encode":[[-2147483648,"NaN"],[100000,"Infinity"],[7,0.5],[2049,1]]}}"#,
        cases: &[
            case("keys", &[0x8000_0000, 100_000, 7, 2049]),
            also(
                "no-key-out-of-range",
                &["cast_value.range.error"],
                &[100_001],
            ),
        ],
    },
    MapGroup {
        name: "first-integer-to-integer",
        level: Level::Must,
        clauses: FIRST,
        direction: Direction::Encode,
        decoded: DataType::Int16,
        configuration: r#"{"data_type":"uint8","scalar_map":{"encode":[[-32768,255],[300,1],[5,6]]}}"#,
        cases: &[
            case("keys", &[0x8000, 300, 5]),
            also(
                "no-key-out-of-range",
                &["cast_value.range.error"],
                &[301, 0xffff],
            ),
        ],
    },
    MapGroup {
        name: "first-decode-float64",
        level: Level::Must,
        clauses: FIRST_DECODE,
        direction: Direction::Decode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"decode":[[0,"NaN"],[255,"Infinity"],[1,"-Infinity"],[2,0.1],[3,-7]]}}"#,
        cases: &[
            case("keys", &[0, 255, 1, 2, 3]),
            also("no-keys", &["cast_value.exact"], &[4, 254]),
        ],
    },
    MapGroup {
        name: "first-decode-float16",
        level: Level::Must,
        clauses: FIRST_DECODE,
        direction: Direction::Decode,
        decoded: DataType::Float16,
        configuration: r#"{"data_type":"int32","scalar_map":{"decode":[[-2147483648,"NaN"],[65520,1],[70000,"Infinity"]]}}"#,
        cases: &[
            case("keys", &[0x8000_0000, 65520, 70000]),
            also(
                "no-key-out-of-range",
                &["cast_value.range.error"],
                &[65521, 70001],
            ),
        ],
    },
    MapGroup {
        name: "first-decode-integer",
        level: Level::Must,
        clauses: FIRST_DECODE,
        direction: Direction::Decode,
        decoded: DataType::Int16,
        configuration: r#"{"data_type":"float32","scalar_map":{"decode":[["NaN",-32768],["Infinity",32767],[0.5,5],[40000,6]]}}"#,
        cases: &[
            case(
                "keys",
                &[NAN_32, single(f32::INFINITY), single(0.5), single(40000.0)],
            ),
            also(
                "negative-infinity-has-no-key",
                &["cast_value.special.infinity-error"],
                &[single(f32::NEG_INFINITY)],
            ),
        ],
    },
    MapGroup {
        name: "directions-encode",
        level: Level::Must,
        clauses: DIRECTIONS,
        direction: Direction::Encode,
        decoded: DataType::Int8,
        configuration: r#"{"data_type":"int16","scalar_map":{"encode":[[1,10]],"decode":[[1,20],[2,30]]}}"#,
        cases: &[case("both-lists", &[1, 2, 10, 20, 30])],
    },
    MapGroup {
        name: "directions-decode",
        level: Level::Must,
        clauses: DIRECTIONS,
        direction: Direction::Decode,
        decoded: DataType::Int8,
        configuration: r#"{"data_type":"int16","scalar_map":{"encode":[[1,10],[3,30]],"decode":[[1,20]]}}"#,
        cases: &[case("both-lists", &[1, 3, 10, 20, 30])],
    },
    MapGroup {
        name: "directions-decode-without-list",
        level: Level::Must,
        clauses: DIRECTIONS,
        direction: Direction::Decode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#,
        cases: &[case("only-encode", &[0, 1, 255])],
    },
    MapGroup {
        name: "directions-encode-without-list",
        level: Level::Must,
        clauses: DIRECTIONS,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"decode":[[0,"NaN"],[7,300]]}}"#,
        cases: &[
            case("only-decode", &[double(0.0), double(7.0)]),
            case("nan-only-decode", &[NAN]),
            case("300-only-decode", &[double(300.0)]),
        ],
    },
    MapGroup {
        name: "one-step-encode",
        level: Level::Must,
        clauses: ONE_STEP,
        direction: Direction::Encode,
        decoded: DataType::Int8,
        configuration: r#"{"data_type":"int8","scalar_map":{"encode":[[1,2],[2,3],[3,1]],"decode":[[1,2],[2,3]]}}"#,
        cases: &[case("chain", &[1, 2, 3, 4])],
    },
    MapGroup {
        name: "one-step-decode",
        level: Level::Must,
        clauses: ONE_STEP,
        direction: Direction::Decode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"float32","scalar_map":{"decode":[[2,3],[1,2],["NaN",1]]}}"#,
        cases: &[case(
            "chain",
            &[NAN_32, single(1.0), single(2.0), single(3.0)],
        )],
    },
    MapGroup {
        name: "first-duplicate-encode",
        level: Level::Must,
        clauses: DUPLICATE,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",1],[1,10],[1.0,20],["NaN",2],["Infinity",3],["Infinity",4],["0x4000000000000000",30],[2,40],[1,50]]}}"#,
        cases: &[case(
            "first-wins",
            &[NAN, INFINITY, double(1.0), double(2.0)],
        )],
    },
    MapGroup {
        name: "first-duplicate-decode",
        level: Level::Must,
        clauses: DUPLICATE,
        direction: Direction::Decode,
        decoded: DataType::Float32,
        configuration: r#"{"data_type":"int16","scalar_map":{"decode":[[0,"NaN"],[0,7],[-1,8],[-1,9]]}}"#,
        cases: &[case("first-wins", &[0, 0xffff])],
    },
    // A key is a value of the type: decimals round once, as fill values do.
    MapGroup {
        name: "keys-of-float32",
        level: Level::Must,
        clauses: SCALARS,
        direction: Direction::Encode,
        decoded: DataType::Float32,
        configuration: r#"{"data_type":"uint8","scalar_map":{"encode":[[0.1,10],[16777217,20],["0x3f800001",30],[1e39,40]]}}"#,
        cases: &[
            case(
                "rounded-keys",
                &[
                    single(0.1),
                    single(16_777_216.0),
                    0x3f80_0001,
                    single(f32::INFINITY),
                ],
            ),
            also(
                "beside-the-keys",
                &["cast_value.rounding.nearest-even"],
                &[0x3dcc_cccc, 0x3dcc_ccce, 0x3f80_0000, 0x3f80_0002],
            ),
        ],
    },
];
