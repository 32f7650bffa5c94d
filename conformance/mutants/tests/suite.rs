//! Wrong implementations fail the suite, each under a clause that fits its fault.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use exactum_conformance::model::{ArrayCodec, DataType, Direction, Rounding};
use exactum_conformance::run::judge_case;
use exactum_conformance::vectors::{Case, File, Group, Suite};
use exactum_conformance::{Codecs, Hello};
use exactum_mutants::cells::{CellMutant, Trial};
use exactum_mutants::coverage::by_cell;
use exactum_mutants::{Fill, Mutated, NONE, Overrides, lies};
use exactum_reference::cast_value::cast_element;

static SUITE: LazyLock<Suite> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Suite::load(&root.join("vectors")).expect("the vectors")
});

fn files() -> Vec<&'static File> {
    SUITE.files.iter().map(|(file, _)| file).collect()
}

/// A wrong implementation in the form in which the runner judges it.
struct Wrong {
    hello: Hello,
    mutated: Mutated,
}

impl Wrong {
    fn new(overrides: Overrides) -> Self {
        let mutated = Mutated::new("wrong", overrides);
        Self {
            hello: mutated.hello(),
            mutated,
        }
    }

    /// Returns whether it fails a case.
    fn fails(&self, group: &Group, case: &Case) -> bool {
        let mut implementation = self.mutated.clone().implementation();
        let judged = judge_case(implementation.as_mut(), &self.hello, group, case);
        judged.expect("a verdict").verdict.is_failure()
    }

    /// Returns the clauses of the cases that it fails, each with its groups.
    fn failed(&self, takes: fn(&str) -> bool) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
        let mut clauses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let groups = files().into_iter().flat_map(|file| &file.groups);
        for group in groups.filter(|group| takes(&group.id)) {
            for case in group.cases.iter().filter(|case| self.fails(group, case)) {
                for clause in group.case_clauses(case) {
                    clauses.entry(clause).or_default().insert(&group.id);
                }
            }
        }
        clauses
    }
}

/// The types that are not in the core.
const SMALL: [&str; 15] = [
    "int2",
    "int4",
    "uint2",
    "uint4",
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "bfloat16",
];

/// An implementation that ignores rounding, the range rule and the map when it decodes into a small type fails for each
/// of these types under each of the clauses.
#[test]
fn decoding_into_small_types_by_default_fails() {
    let ignores = |codec: &ArrayCodec, direction, bits| {
        let ArrayCodec::CastValue(codec) = codec else {
            return None;
        };
        if direction != Direction::Decode || !SMALL.contains(&codec.decoded.name()) {
            return None;
        }
        let mut cast = codec.decoding();
        cast.rounding = Rounding::NearestEven;
        cast.out_of_range = None;
        cast.map = &[];
        Some(cast_element(&cast, bits))
    };
    let wrong = Wrong::new(Overrides {
        element: Some(("cast_value", Arc::new(ignores))),
        ..NONE
    });
    let clauses = wrong.failed(|group| {
        group.starts_with("cast_value/decode-")
            || group.starts_with("cast_value/map-") && group.ends_with("/decode")
    });
    for name in SMALL {
        let data_type: DataType = name.parse().expect("a type");
        let infinity = data_type.format().float().is_some_and(|it| it.infinity);
        let clamp = if infinity { "clamp-infinity" } else { "clamp" };
        let mut broken = vec!["rounding.towards-zero".to_owned(), format!("range.{clamp}")];
        if name != "float8_e8m0fnu" {
            // It contains only powers of two, for which every tie is rounded away from zero: the two modes are the same
            // (R7).
            broken.push("rounding.nearest-away".into());
        }
        for clause in broken {
            let clause = format!("cast_value.{clause}");
            let ends = format!("/{name}");
            let groups = clauses.get(clause.as_str());
            assert!(
                groups.is_some_and(|groups| groups.iter().any(|group| group.ends_with(&ends))),
                "{name}: no case that cites {clause} fails"
            );
        }
    }
    let maps = &clauses["cast_value.scalar_map.first"];
    assert_eq!(maps.len(), 26, "{maps:?}");
}

/// An implementation that rejects lost fill values of only six pairs of types fails for every type.
#[test]
fn lost_fill_values_of_most_pairs_accepted_fails() {
    const KEPT: [(&str, &str); 6] = [
        ("float64", "uint8"),
        ("float64", "float32"),
        ("int16", "uint8"),
        ("int64", "float64"),
        ("int32", "float16"),
        ("uint8", "int8"),
    ];
    let accepts = |it: &Fill<'_>| {
        let codec = it.cast()?;
        let pair = (codec.decoded.name(), codec.encoded.name());
        if KEPT.contains(&pair) {
            return None;
        }
        it.encoded().ok().map(Ok)
    };
    let wrong = Wrong::new(Overrides {
        fill: Some(Arc::new(accepts)),
        ..NONE
    });
    let clauses = wrong.failed(|group| group.starts_with("cast_value/fill"));
    let groups = &clauses["cast_value.fill.survives"];
    for data_type in DataType::ALL
        .iter()
        .filter(|it| it.is_real() && it.is_registered())
    {
        let group = format!("cast_value/fill-{data_type}/survives");
        assert!(groups.contains(group.as_str()), "{group} does not fail");
    }
}

/// Of two hundred lies drawn at random, each fails a case that cites a fitting clause.
#[test]
fn lies_drawn_at_random_fail() {
    const DRAWN: usize = 200;
    let all = lies();
    let mut random = Random(20_261_122);
    let mut drawn: BTreeMap<usize, &CellMutant> = BTreeMap::new();
    while drawn.len() < DRAWN {
        let index = random.below(all.len());
        let lie = &all[index];
        if !drawn.contains_key(&index) && (lie.trial)(&lie.overrides) == Trial::Wrong {
            drawn.insert(index, lie);
        }
    }
    let cells = drawn.values().map(|lie| lie.cell).collect();
    let cases = by_cell(&files(), &cells).expect("requests");
    for lie in drawn.values() {
        let wrong = Wrong::new(lie.overrides.clone());
        let fails = cases[&lie.cell]
            .iter()
            .filter(|(group, case)| group.case_clauses(case).any(|clause| lie.fits(clause)))
            .any(|(group, case)| wrong.fails(group, case));
        assert!(
            fails,
            "{} {}: no failing case cites a clause",
            lie.cell, lie.kind
        );
    }
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % bound as u64).expect("below the bound")
    }
}
