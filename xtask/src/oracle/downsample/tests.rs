//! Compares the two oracles on random views. Their code has nothing in common but the names of types.

use exactum_model::{
    Array, DataType, Domain, Downsample, Indices, Level, Method, OutputMap, Placed, Selected,
    Source, Transform,
};

use super::read;

/// The generator SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("an index")]
    }

    fn signed(&mut self, limit: u64) -> i64 {
        i64::try_from(self.below(2 * limit)).expect("small") - i64::try_from(limit).expect("small")
    }
}

fn source(random: &mut Random, data_type: DataType, rank: u64) -> Placed {
    let shape: Vec<u64> = (0..rank).map(|_| random.below(7)).collect();
    let origin = (0..rank).map(|_| random.signed(12)).collect();
    let format = data_type.format();
    let mask = format.component_mask();
    let mut pool = vec![0, 1, mask, mask >> 1, (mask >> 1) + 1];
    pool.extend((0..6).map(|_| random.below(u64::MAX) & mask));
    if let Some(float) = format.float() {
        pool.extend(float.infinity_bits());
        pool.extend(float.nan_bits());
        pool.extend([float.max_finite_bits(), float.sign_mask()]);
    }
    let count = shape.iter().product::<u64>() * format.components() as u64;
    let components: Vec<u64> = (0..count).map(|_| random.pick(&pool)).collect();
    let array = Array::from_components(data_type, shape, components).expect("a small array");
    Placed::new(array, origin).expect("a small box")
}

/// Returns a random index transform. All kinds of output maps occur, and some lead out of the view.
fn transform(random: &mut Random, view: &Domain) -> Transform {
    let rank = random.below(3);
    let domain = Domain::of_intervals((0..rank).map(|_| {
        let start = random.signed(4);
        start..start + i64::try_from(random.below(4)).expect("small")
    }));
    let maps = view.intervals().map(|interval| {
        let inside =
            |random: &mut Random| interval.start + i64::try_from(random.below(4)).expect("small");
        let (offset, stride, selected) = match random.below(3) {
            0 if rank > 0 => {
                let stride = random.signed(2);
                let dimension = usize::try_from(random.below(rank)).expect("small");
                let own = domain.interval(dimension).start;
                (
                    inside(random) - stride * own,
                    stride,
                    Selected::Dimension(dimension),
                )
            }
            1 => {
                let shape: Vec<u64> = domain
                    .shape()
                    .iter()
                    .map(|&extent| random.pick(&[1, extent]))
                    .collect();
                let count = shape.iter().product();
                let values = (0..count).map(|_| inside(random)).collect();
                (0, 1, Selected::Indices(Indices { shape, values }))
            }
            _ => (inside(random), 1, Selected::Nothing),
        };
        OutputMap {
            offset,
            stride,
            selected,
        }
    });
    let maps = maps.collect();
    Transform::new(domain, maps).expect("maps of dimensions that are there")
}

#[test]
fn both_oracles_agree() {
    let mut random = Random(29);
    let (mut results, mut rejections) = (0, 0);
    for round in 0..100 {
        for &data_type in DataType::ALL {
            let rank = random.below(4);
            let source = source(&mut random, data_type, rank);
            let level = |random: &mut Random| {
                let factors = (0..rank).map(|_| random.pick(&[1, 2, 2, 3, 5, 1 << 40]));
                let factors = factors.collect::<Vec<u64>>();
                Level::new(factors, random.pick(Method::ALL)).expect("factors")
            };
            let mut view = Downsample {
                levels: (0..1 + round % 2).map(|_| level(&mut random)).collect(),
                transform: None,
            };
            if random.below(2) == 0
                && let Ok((_, domain)) = view.domains(&source)
            {
                view.transform = Some(transform(&mut random, &domain));
            }
            let first = exactum_reference::downsample::read(&view, &source);
            let second = read(&view, &source);
            match (first, second) {
                (Ok(first), Ok(second)) => {
                    let same = first.domain() == second.domain()
                        && first.array().components().eq(second.array().components());
                    assert!(same, "{view:?} of {source:x?}: {first:x?} and {second:x?}");
                    results += 1;
                }
                (Err(first), Err(second)) => {
                    assert_eq!(first.reason, second, "{view:?}");
                    rejections += 1;
                }
                (first, second) => panic!("{view:?} of {source:x?}: {first:x?} and {second:x?}"),
            }
        }
    }
    assert!(
        results > 1000 && rejections > 100,
        "{results}, {rejections}"
    );
}
