//! Compares `downsample` with the reference, on random views of random boxes.

mod texts;

use std::cell::RefCell;
use std::collections::BTreeSet;

use exactum_model::{
    Array, DataType, Domain, Downsample, Indices, Level, Method, NanPolicy, Omission, OutputMap,
    Placed, Rejection, Scalar, Selected, Source, Transform,
};

use super::numbers::{MAIN, Random};
use super::without_message;
use crate::arch;
use crate::downsample::{How, read_at};

fn below(random: &mut Random, limit: u64) -> u64 {
    random.next() % limit
}

fn within(random: &mut Random, low: i64, high: i64) -> i64 {
    low.saturating_add_unsigned(below(random, low.abs_diff(high)))
}

/// A source that is not in memory and records which positions were read.
struct Watched<'a> {
    placed: &'a Placed,
    read: RefCell<BTreeSet<Vec<i64>>>,
}

impl Source for Watched<'_> {
    fn data_type(&self) -> DataType {
        self.placed.data_type()
    }

    fn domain(&self) -> Domain {
        self.placed.domain()
    }

    fn read(&self, region: &Domain) -> Result<Array, Rejection> {
        self.read.borrow_mut().extend(region.positions());
        self.placed.read(region)
    }
}

/// Returns the positions of the source that a view needs.
fn needed(view: &Downsample, source: &Placed) -> BTreeSet<Vec<i64>> {
    let (domains, result) = view.domains(source).expect("a view that was read");
    let mut positions: BTreeSet<Vec<i64>> = match &view.transform {
        Some(transform) => result.positions().map(|at| transform.apply(&at)).collect(),
        None => result.positions().collect(),
    };
    for (level, base) in view.levels.iter().zip(&domains).rev() {
        positions = positions
            .iter()
            .flat_map(|at| level.block(base, at).positions().collect::<Vec<_>>())
            .collect();
    }
    positions
}

fn check(view: &Downsample, source: &Placed, levels: &[arch::SimdLevel], slab: u64) {
    let expected = exactum_reference::downsample::read(view, source).map_err(without_message);
    for &arch in levels {
        let how = How { arch, slab };
        let watched = Watched {
            placed: source,
            read: RefCell::default(),
        };
        let sources: [&dyn Source; 2] = [source, &watched];
        for (kind, from) in ["memory", "elsewhere"].into_iter().zip(sources) {
            let actual = read_at(how, view, from).map_err(without_message);
            let context = || format!("{kind}, {how:?}: {view:?} of {source:x?}");
            match (&actual, &expected) {
                (Ok(actual), Ok(expected)) => {
                    assert_eq!(actual.domain(), expected.domain(), "{}", context());
                    let same = actual
                        .array()
                        .components()
                        .eq(expected.array().components());
                    assert!(same, "{actual:x?}, not {expected:x?}: {}", context());
                }
                _ => assert_eq!(actual, expected, "{}", context()),
            }
        }
        if expected.is_ok() {
            assert_eq!(watched.read.into_inner(), needed(view, source), "{view:?}");
        }
    }
}

fn elements(random: &mut Random, data_type: DataType, shape: &[u64]) -> Array {
    let format = data_type.format();
    let mask = format.component_mask();
    let mut pool: Vec<u64> = (0..below(random, 12))
        .map(|_| random.next() & mask)
        .collect();
    pool.extend([0, 1, mask, mask >> 1, (mask >> 1) + 1]);
    if let Some(float) = format.float() {
        pool.extend(float.infinity_bits());
        pool.extend(float.nan_bits());
        pool.extend([float.max_finite_bits(), float.sign_mask()]);
    }
    // Uses the whole pool, or only one or two elements of it, as in an image with a background.
    let pool = match below(random, 4) {
        0 => vec![random.pick(&pool), random.pick(&pool)],
        _ => pool,
    };
    let wild = below(random, 2) == 0;
    let count = shape.iter().product::<u64>() * format.components() as u64;
    let components = (0..count).map(|_| {
        if wild {
            random.next() & mask
        } else {
            random.pick(&pool)
        }
    });
    Array::from_components(data_type, shape.to_vec(), components.collect::<Vec<_>>())
        .expect("one element per position")
}

fn transform(random: &mut Random, view: &Domain) -> Transform {
    let rank = below(random, 4);
    let domain = Domain::of_intervals((0..rank).map(|_| {
        let start = within(random, -5, 5);
        start..within(random, start, start + 5)
    }));
    let output = view.intervals().map(|interval| {
        let any = |random: &mut Random| {
            let beyond = i64::from(below(random, 40) == 0);
            let end = interval.end.max(interval.start + 1) + beyond;
            within(random, interval.start, end)
        };
        let (offset, stride, selected) = match below(random, 3) {
            1 if rank > 0 => {
                let dimension = below(random, rank);
                let dimension = usize::try_from(dimension).expect("a dimension");
                let own = domain.interval(dimension);
                let fits = i64::try_from(interval.end.abs_diff(interval.start)).unwrap_or(1);
                let most = fits / (own.end - own.start).max(1);
                let stride = within(random, -most, most + 1);
                // With stride s, the offset is chosen so that all positions of the dimension fit, if
                // possible.
                let last = stride * (own.end - own.start - 1).max(0);
                let low = interval.start - last.min(0);
                let high = (interval.end - last.max(0)).max(low + 1);
                let offset = within(random, low, high) - stride * own.start;
                (offset, stride, Selected::Dimension(dimension))
            }
            2 => {
                let shape: Vec<u64> = domain
                    .shape()
                    .iter()
                    .map(|&extent| if below(random, 2) == 0 { 1 } else { extent })
                    .collect();
                let count = shape.iter().product::<u64>();
                let values = (0..count).map(|_| any(random)).collect();
                (0, 1, Selected::Indices(Indices { shape, values }))
            }
            _ => (any(random), 1, Selected::Nothing),
        };
        OutputMap {
            offset,
            stride,
            selected,
        }
    });
    let output = output.collect();
    Transform::new(domain, output).expect("maps of existing dimensions")
}

fn level(random: &mut Random, rank: usize) -> Level {
    let factors =
        (0..rank).map(|_| random.pick(&[1, 1, 2, 2, 2, 3, 4, 5, 16, 1 << 40, (1 << 63) - 1]));
    let factors = factors.collect::<Vec<u64>>();
    Level::new(factors, random.pick(Method::ALL)).expect("factors")
}

/// Returns random options that the level supports. The skipped value often occurs in the array.
fn omission(random: &mut Random, level: &Level, array: &Array) -> Omission {
    let data_type = array.data_type();
    let count = array.len();
    let value = match below(random, 3) {
        0 if count > 0 => {
            let index = usize::try_from(below(random, count as u64)).expect("an index");
            Some(array.element(index))
        }
        1 => Some(Scalar::new(data_type, 0)),
        _ => None,
    };
    let nan = random.pick(&[None, Some(NanPolicy::Skip), Some(NanPolicy::Propagate)]);
    let whole = Omission {
        skip_value: value,
        nan,
    };
    let fits = |omission: &Omission| {
        level
            .clone()
            .with_omission(*omission)
            .require(data_type)
            .is_ok()
    };
    let either = [
        whole,
        Omission { nan: None, ..whole },
        Omission {
            skip_value: None,
            ..whole
        },
    ];
    either.into_iter().find(fits).unwrap_or_default()
}

fn case(random: &mut Random, data_type: DataType, levels: &[arch::SimdLevel]) {
    let rank = random.pick(&[0, 1, 1, 2, 2, 3, 3, 4]);
    let shape: Vec<u64> = (0..rank)
        .map(|dimension| {
            let last = dimension + 1 == rank && rank < 4;
            below(random, if last { 24 } else { 6 })
        })
        .collect();
    let origin = (0..rank).map(|_| within(random, -12, 12)).collect();
    let array = elements(random, data_type, &shape);
    let count = random.pick(&[1, 1, 1, 2]);
    let levels_of_view = (0..count).map(|_| {
        let level = level(random, rank);
        match below(random, 3) {
            0 => {
                let omission = omission(random, &level, &array);
                level.with_omission(omission)
            }
            _ => level,
        }
    });
    let mut view = Downsample {
        levels: levels_of_view.collect(),
        transform: None,
    };
    let source = Placed::new(array, origin).expect("placed");
    if below(random, 3) == 0
        && let Ok((_, domain)) = view.domains(&source)
    {
        view.transform = Some(transform(random, &domain));
    }
    check(&view, &source, levels, random.pick(&[1, 64, 1 << 20]));
}

/// Tests every method on every data type, in memory and from a source that records what is read.
#[test]
fn random_views_are_those_of_the_reference() {
    let levels = arch::SimdLevel::available();
    let cases = std::env::var("EXACTUM_CASES")
        .ok()
        .and_then(|count| count.parse().ok());
    let mut random = Random(13);
    for _ in 0..cases.unwrap_or(60) {
        for &data_type in DataType::ALL {
            // All levels run only occasionally, because they differ only in long rows.
            let some = match below(&mut random, 8) {
                0 => &levels[..],
                _ => &levels[levels.len() - 1..],
            };
            case(&mut random, data_type, some);
        }
    }
}

/// Tests rows longer than a tile, whole and cut off at both ends, and the factors that have their own loops.
#[test]
fn long_rows_are_those_of_the_reference() {
    let mut random = Random(7);
    let others = [
        DataType::Bool,
        DataType::Int4,
        DataType::Float8E5m2,
        DataType::Complex64,
    ];
    for data_type in MAIN.into_iter().chain(others) {
        for &method in Method::ALL {
            if method.require(data_type).is_err() {
                continue;
            }
            for factors in [&[2, 2], &[1, 2], &[2, 1], &[3, 3], &[1, 4], &[1, 700]] {
                let array = elements(&mut random, data_type, &[3, 1_301]);
                let source = Placed::new(array, vec![-1, 5]).expect("placed");
                let level = Level::new(factors.to_vec(), method).expect("factors");
                let view = Downsample {
                    levels: vec![level],
                    transform: None,
                };
                check(&view, &source, &arch::SimdLevel::available(), 1 << 20);
            }
        }
    }
}

/// Tests volumes whose rows consist of whole blocks, so that several rows are reduced at a time: short rows,
/// and rows that are processed in parts.
#[test]
fn halved_volumes_are_those_of_the_reference() {
    let mut random = Random(5);
    let others = [
        DataType::Bool,
        DataType::Int4,
        DataType::Float8E4m3,
        DataType::Bfloat16,
    ];
    for data_type in MAIN.into_iter().chain(others) {
        for &method in Method::ALL {
            let factors = [[2, 2, 2], [1, 2, 2], [2, 1, 2], [1, 1, 2], [2, 2, 1]];
            let shapes = [[4, 7, 146], [2, 5, 700]];
            for (factors, shape) in factors
                .iter()
                .flat_map(|&factors| shapes.map(|shape| (factors, shape)))
            {
                let array = elements(&mut random, data_type, &shape);
                let level = Level::new(factors.to_vec(), method).expect("factors");
                let mut omissions = vec![Omission::default()];
                omissions.extend((0..2).map(|_| omission(&mut random, &level, &array)));
                omissions.dedup();
                let source = Placed::new(array, vec![2, 0, -4]).expect("placed");
                for omission in omissions {
                    let view = Downsample {
                        levels: vec![level.clone().with_omission(omission)],
                        transform: None,
                    };
                    check(&view, &source, &arch::SimdLevel::available(), 1 << 20);
                }
            }
        }
    }
}
