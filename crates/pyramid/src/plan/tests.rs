use exactum_model::Method;

use super::*;

fn plan(shape: &[u64], chunks: &[u64], options: &Options) -> Result<Plan, Error> {
    Plan::new(DataType::Uint8, shape, chunks, options)
}

fn options(factors: &[u64]) -> Options {
    Options::new(factors.to_vec(), Method::Mean)
}

/// Returns options with separate factors for each level.
fn each(factors: &[&[u64]]) -> Options {
    let factors = factors.iter().map(|it| it.to_vec()).collect();
    Options {
        factors,
        ..options(&[])
    }
}

#[test]
fn levels_have_factors_of_their_own() {
    for from_base in [false, true] {
        let options = Options {
            from_base,
            ..each(&[&[1, 2, 2], &[2, 2, 2], &[3, 1, 1]])
        };
        let plan = plan(&[30, 100, 70], &[4, 8, 8], &options).expect("a plan");
        let shapes: Vec<&[u64]> = plan.levels.iter().map(|it| &it.shape[..]).collect();
        assert_eq!(
            shapes,
            [[30, 100, 70], [30, 50, 35], [15, 25, 18], [5, 25, 18]]
        );
        let factors = plan.levels[3].step.as_ref().map(Level::factors);
        let expected: &[u64] = if from_base { &[6, 4, 4] } else { &[3, 1, 1] };
        assert_eq!(factors, Some(expected));
        for parts in 1..6 {
            check_parts(&plan, parts);
        }
    }
}

#[test]
fn levels_end_where_one_fits_into_a_chunk() {
    let plan = plan(&[3, 1000, 70], &[1, 100, 100], &options(&[1, 2, 2])).expect("a plan");
    let shapes: Vec<&[u64]> = plan.levels.iter().map(|it| &it.shape[..]).collect();
    assert_eq!(
        shapes,
        [
            [3, 1000, 70],
            [3, 500, 35],
            [3, 250, 18],
            [3, 125, 9],
            [3, 63, 5]
        ]
    );
    assert_eq!(plan.levels[1].chunks, [3, 5, 1]);
}

/// Every region belongs to one part or to none, and the regions on which it depends belong to the same part.
#[test]
fn regions_are_divided_with_what_they_are_made_of() {
    for factors in [[2, 2], [3, 1], [1, 5]] {
        for from_base in [false, true] {
            for parts in 1..9 {
                let options = Options {
                    from_base,
                    ..options(&factors)
                };
                for chunks in [[10, 7], [8, 25], [36, 333]] {
                    let plan = plan(&[1001, 333], &chunks, &options).expect("a plan");
                    check_parts(&plan, parts);
                }
            }
        }
    }
}

fn check_parts(plan: &Plan, parts: u64) {
    let owner = |level: usize, number: u64| -> Option<u64> {
        let region = plan.levels[level].region(number);
        assert_eq!(plan.levels[level].number(&region), number);
        let all = (1..=parts).filter_map(|index| Part::new(index, parts));
        let owners: Vec<u64> = all
            .filter(|part| plan.belongs(*part, level, &region))
            .map(Part::index)
            .collect();
        assert!(owners.len() <= 1, "{level} {region:?}: {owners:?}");
        owners.first().copied()
    };
    for (level, it) in plan.levels.iter().enumerate().skip(1) {
        for number in 0..it.regions {
            let owned = owner(level, number);
            let alone = plan.options.from_base && (plan.pass < 2 || level > plan.pass);
            let divided = alone || level <= plan.divided(parts);
            assert_eq!(owned.is_some(), divided, "{level} {number}");
            if level > 1 && owned.is_some() && !alone {
                let from = if plan.options.from_base { 1 } else { level - 1 };
                for input in plan.inputs(level, &it.region(number)) {
                    assert_eq!(owner(from, input), owned);
                }
            }
        }
    }
}

/// A pass contains the levels whose blocks are small and lie inside regions of level 1.
#[test]
fn what_goes_along() {
    let check = |shape: &[u64], chunks: &[u64], factors: &[u64], pass: usize| {
        let mut options = options(factors);
        options.levels = Some(5);
        assert_eq!(plan(shape, chunks, &options).expect("a plan").pass, 1);
        options.from_base = true;
        let plan = plan(shape, chunks, &options).expect("a plan");
        assert_eq!(plan.pass, pass, "{shape:?} {chunks:?} {factors:?}");
    };
    check(&[1000, 1000], &[16, 16], &[2, 2], 5);
    check(&[1000, 1000], &[12, 16], &[2, 2], 3);
    check(&[1000, 1000], &[12, 16], &[1, 2], 5);
    check(&[1000, 1000], &[9, 16], &[2, 2], 1);
    // A single region of level 1 contains every block.
    check(&[18, 1000], &[9, 16], &[2, 2], 5);
    check(&[1000, 1000], &[64, 100], &[4, 5], 3);
    // A block of level 5 has 1 GiB by its factors.
    check(&[1 << 13; 2], &[1 << 12; 2], &[64, 1], 4);
    check(&[1 << 16; 2], &[1 << 15; 2], &[32, 32], 2);
}

#[test]
fn what_is_made_of_what() {
    let plan = plan(&[100, 100], &[10, 10], &options(&[2, 3])).expect("a plan");
    assert_eq!(plan.inputs(1, &[4, 3]), [89, 99]);
    assert_eq!(plan.inputs(1, &[0, 0]), [0, 1, 2, 10, 11, 12]);
    let region = plan.extent(1, &[4, 3]);
    assert_eq!(
        (region.origin(), region.shape()),
        (&[40, 30][..], &[10, 4][..])
    );
}

#[test]
fn impossible_plans_are_refused() {
    let none = Options {
        levels: Some(0),
        ..options(&[2])
    };
    let rows = [
        (
            plan(&[10], &[5], &options(&[1])),
            "at least one must be greater than 1",
        ),
        (plan(&[10], &[5], &options(&[0])), "downsampling factor"),
        (plan(&[10], &[5], &options(&[2, 2])), "do not match"),
        (plan(&[10], &[5], &none), "1 to 64 levels"),
        (
            plan(&[u64::MAX >> 2], &[1], &options(&[2])),
            "larger chunks",
        ),
        (plan(&[1], &[1], &options(&[2])), "do not change"),
        (plan(&[], &[], &options(&[])), "without dimensions"),
        (
            plan(&[9], &[3], &each(&[&[2], &[1]])),
            "factors [1] do not change",
        ),
        (
            plan(
                &[9],
                &[3],
                &Options {
                    levels: Some(3),
                    ..each(&[&[2], &[2]])
                },
            ),
            "factors for 2 levels, but 3 levels",
        ),
    ];
    for (plan, words) in rows {
        let error = plan.expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
}
