//! Keys and outputs that a binary64 would change.

use exactum_model::DataType;
use exactum_vectors::Level;

use super::{Direction, MapGroup, also, case};

const EXACT: &[&str] = &["cast_value.scalar_map.exact"];

const TWO_53: u64 = 1 << 53;
const TOP: u64 = 1 << 63;
const NAN: u64 = 0x7ff8_0000_0000_0000;

pub(super) const GROUPS: [MapGroup; 7] = [
    MapGroup {
        name: "int64-keys",
        level: Level::Must,
        clauses: EXACT,
        direction: Direction::Encode,
        decoded: DataType::Int64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"encode":[[9007199254740993,1],[9007199254740992,2],[9223372036854775807,3],[9223372036854775806,4],[-9223372036854775808,5],[-9007199254740993,6]]}}"#,
        cases: &[
            case(
                "keys",
                &[
                    TWO_53 + 1,
                    TWO_53,
                    TOP - 1,
                    TOP - 2,
                    TOP,
                    (TWO_53 + 1).wrapping_neg(),
                ],
            ),
            also(
                "beside-the-keys",
                &["cast_value.range.error"],
                &[
                    TWO_53 - 1,
                    TWO_53 + 2,
                    TOP - 3,
                    TOP + 1,
                    TWO_53.wrapping_neg(),
                ],
            ),
        ],
    },
    MapGroup {
        name: "uint64-keys",
        level: Level::Must,
        clauses: EXACT,
        direction: Direction::Encode,
        decoded: DataType::Uint64,
        configuration: r#"{"data_type":"int8","scalar_map":{"encode":[[18446744073709551615,1],[18446744073709551614,2],[9223372036854775809,3],[9223372036854775808,-4]]}}"#,
        cases: &[
            case("keys", &[u64::MAX, u64::MAX - 1, TOP + 1, TOP]),
            also(
                "beside-the-keys",
                &["cast_value.range.error"],
                &[u64::MAX - 2, TOP + 2, TOP - 1],
            ),
        ],
    },
    MapGroup {
        name: "int64-outputs-encoded",
        level: Level::Must,
        clauses: EXACT,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"int64","scalar_map":{"encode":[["NaN",-9223372036854775808],["Infinity",9223372036854775807],["-Infinity",-9223372036854775807],[0.5,9007199254740993]]}}"#,
        cases: &[case(
            "outputs",
            &[
                NAN,
                f64::INFINITY.to_bits(),
                f64::NEG_INFINITY.to_bits(),
                0.5f64.to_bits(),
            ],
        )],
    },
    MapGroup {
        name: "int64-outputs-decoded",
        level: Level::Must,
        clauses: &["cast_value.scalar_map.exact", "cast_value.decode"],
        direction: Direction::Decode,
        decoded: DataType::Int64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"decode":[[0,-9223372036854775808],[255,9223372036854775807],[1,9007199254740993],[2,-9007199254740993]]}}"#,
        cases: &[case("outputs", &[0, 255, 1, 2, 3])],
    },
    MapGroup {
        name: "uint64-outputs-decoded",
        level: Level::Must,
        clauses: &["cast_value.scalar_map.exact", "cast_value.decode"],
        direction: Direction::Decode,
        decoded: DataType::Uint64,
        configuration: r#"{"data_type":"float32","scalar_map":{"decode":[["NaN",18446744073709551615],["Infinity",9223372036854775809],[1,9007199254740993]]}}"#,
        cases: &[case(
            "outputs",
            &[0x7fc0_0000, 0x7f80_0000, 0x3f80_0000, 0x4000_0000],
        )],
    },
    MapGroup {
        name: "int64-keys-decoded",
        level: Level::Must,
        clauses: &["cast_value.scalar_map.exact", "cast_value.decode"],
        direction: Direction::Decode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"int64","scalar_map":{"decode":[[-9223372036854775808,"NaN"],[9007199254740993,0.5],[9223372036854775807,"Infinity"]]}}"#,
        cases: &[
            case("keys", &[TOP, TWO_53 + 1, TOP - 1]),
            also(
                "beside-the-keys",
                &["cast_value.exact"],
                &[TWO_53, TWO_53 + 2],
            ),
            also(
                "beside-the-largest",
                &["cast_value.rounding.nearest-even"],
                &[TOP - 2, TOP + 1],
            ),
        ],
    },
    MapGroup {
        name: "float64-keys",
        level: Level::Must,
        clauses: EXACT,
        direction: Direction::Encode,
        decoded: DataType::Float64,
        configuration: r#"{"data_type":"uint8","scalar_map":{"encode":[["0x3fb999999999999a",1],[0.30000000000000004,3],[9007199254740994,4],[5e-324,5],[1.7976931348623157e308,6]]}}"#,
        cases: &[
            case(
                "keys",
                &[
                    0x3fb9_9999_9999_999a,
                    0x3fd3_3333_3333_3334,
                    0x4340_0000_0000_0001,
                    1,
                    0x7fef_ffff_ffff_ffff,
                ],
            ),
            also(
                "beside-the-keys",
                &["cast_value.rounding.nearest-even"],
                &[0x3fb9_9999_9999_9999, 0x3fd3_3333_3333_3333, 2],
            ),
            also(
                "beside-the-keys-out-of-range",
                &["cast_value.range.error"],
                &[0x4340_0000_0000_0000, 0x7fef_ffff_ffff_fffe],
            ),
        ],
    },
];
