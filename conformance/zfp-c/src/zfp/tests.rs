use super::*;

const MODES: &[Mode] = &[
    Mode::Reversible,
    Mode::Expert {
        minbits: 1,
        maxbits: 4096,
        maxprec: 64,
        minexp: -1074,
    },
    Mode::FixedAccuracy(1e-6),
    Mode::FixedRate(32.0),
    Mode::FixedPrecision(64),
];

const SHAPES: &[&[usize]] = &[&[], &[1], &[7], &[3, 5], &[4, 4, 4], &[2, 3, 4, 5]];

/// Returns small numbers, so that the lossy modes can hold them.
fn elements(kind: Type, shape: &[usize]) -> Vec<u8> {
    let count = u16::try_from(shape.iter().product::<usize>()).expect("a small array");
    (0..count)
        .flat_map(|index| match kind {
            Type::Int32 => i32::from(index).to_le_bytes().to_vec(),
            Type::Int64 => i64::from(index).to_le_bytes().to_vec(),
            Type::Float => (f32::from(index) / 8.0).to_le_bytes().to_vec(),
            Type::Double => (f64::from(index) / 8.0).to_le_bytes().to_vec(),
        })
        .collect()
}

#[test]
fn arrays_come_back() {
    for kind in [Type::Int32, Type::Int64, Type::Float, Type::Double] {
        for shape in SHAPES {
            for &mode in MODES {
                let before = elements(kind, shape);
                let bytes = compress(mode, kind, shape, before.clone()).expect("a stream");
                // The stream consists of whole 64-bit words.
                assert_eq!(bytes.len() % 8, 0, "{kind:?} {shape:?} {mode:?}");
                let after = decompress(mode, kind, shape, &bytes).expect("an array");
                assert_eq!(after.len(), before.len());
                if mode == Mode::Reversible {
                    assert_eq!(after, before, "{kind:?} {shape:?}");
                }
            }
        }
    }
}

#[test]
fn the_rate_is_that_of_the_rank() {
    // The stream has 8 bits for each value, and 4, 16, 64 or 256 values in each block.
    for (rank, bytes) in [(1, 8), (2, 16), (3, 64), (4, 256)] {
        let shape = vec![4; rank];
        let array = elements(Type::Float, &shape);
        let stream = compress(Mode::FixedRate(8.0), Type::Float, &shape, array);
        assert_eq!(stream.map(|stream| stream.len()), Ok(bytes), "rank {rank}");
    }
}

#[test]
fn what_zfp_does_not_have_is_said() {
    let expert = |minbits, maxbits, maxprec| Mode::Expert {
        minbits,
        maxbits,
        maxprec,
        minexp: -1074,
    };
    let refused = |mode, shape: &[usize]| {
        let array = elements(Type::Float, shape);
        compress(mode, Type::Float, shape, array).expect_err("no stream")
    };
    for mode in [expert(100, 50, 64), expert(1, 100, 0), expert(1, 100, 65)] {
        assert!(
            matches!(refused(mode, &[4]), Trouble::Refused(_)),
            "{mode:?}"
        );
    }
    for shape in [&[0][..], &[2, 0], &[1, 1, 1, 1, 1]] {
        let trouble = refused(Mode::Reversible, shape);
        assert!(matches!(trouble, Trouble::Impossible(_)), "{shape:?}");
    }
    // Each block would take half a GiB.
    let trouble = refused(expert(u32::MAX, u32::MAX, 64), &[4]);
    assert!(matches!(trouble, Trouble::Impossible(_)), "{trouble:?}");
}

#[test]
fn limits_below_the_header_and_streams_that_end_early_harm_nothing() {
    let shape = [64, 64];
    let low = Mode::Expert {
        minbits: 0,
        maxbits: 1,
        maxprec: 64,
        minexp: -1074,
    };
    for mode in [low, Mode::Reversible, Mode::FixedRate(16.0)] {
        let array = elements(Type::Double, &shape);
        let length = array.len();
        let stream = compress(mode, Type::Double, &shape, array).expect("a stream");
        for bytes in [&stream[..], &stream[..stream.len() / 3], &[], &[0xff; 24]] {
            let after = decompress(mode, Type::Double, &shape, bytes);
            assert_eq!(after.map(|after| after.len()), Ok(length), "{mode:?}");
        }
    }
}
