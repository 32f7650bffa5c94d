//! Words to planes of bits and back: bit `i` of plane `k` is bit `k` of word `i`.

/// How 64 words are made into planes, and planes into words.
pub(crate) trait Transpose: Copy {
    fn planes_32(self, words: &[u32; 64]) -> [u64; 32];
    fn planes_64(self, words: &[u64; 64]) -> [u64; 64];
    fn words_32(self, planes: &[u64; 32], words: &mut [u32; 64]);
    fn words_64(self, planes: &[u64; 64], words: &mut [u64; 64]);
}

/// By exchanging ever smaller squares of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares;

impl Transpose for Squares {
    #[inline(always)]
    fn planes_32(self, words: &[u32; 64]) -> [u64; 32] {
        // Words i and i + 32 side by side are a row of two squares.
        let mut rows: [u64; 32] =
            std::array::from_fn(|i| u64::from(words[i]) | u64::from(words[i + 32]) << 32);
        exchange::<32, 16>(&mut rows, 0x0000_ffff_0000_ffff);
        exchange::<32, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
        exchange::<32, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
        exchange::<32, 2>(&mut rows, 0x3333_3333_3333_3333);
        exchange::<32, 1>(&mut rows, 0x5555_5555_5555_5555);
        rows
    }

    #[inline(always)]
    fn planes_64(self, words: &[u64; 64]) -> [u64; 64] {
        let mut rows = *words;
        exchange::<64, 32>(&mut rows, 0x0000_0000_ffff_ffff);
        exchange::<64, 16>(&mut rows, 0x0000_ffff_0000_ffff);
        exchange::<64, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
        exchange::<64, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
        exchange::<64, 2>(&mut rows, 0x3333_3333_3333_3333);
        exchange::<64, 1>(&mut rows, 0x5555_5555_5555_5555);
        rows
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a row")]
    fn words_32(self, planes: &[u64; 32], words: &mut [u32; 64]) {
        let mut rows = *planes;
        exchange::<32, 16>(&mut rows, 0x0000_ffff_0000_ffff);
        exchange::<32, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
        exchange::<32, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
        exchange::<32, 2>(&mut rows, 0x3333_3333_3333_3333);
        exchange::<32, 1>(&mut rows, 0x5555_5555_5555_5555);
        let (low, high) = words.split_at_mut(32);
        for ((row, low), high) in rows.into_iter().zip(low).zip(high) {
            let (lower, upper) = (row & 0xffff_ffff, row >> 32);
            (*low, *high) = (lower as u32, upper as u32);
        }
    }

    #[inline(always)]
    fn words_64(self, planes: &[u64; 64], words: &mut [u64; 64]) {
        *words = self.planes_64(planes);
    }
}

/// Exchanges squares of `SIDE` bits that lie across the diagonal of squares of twice that; `low` has
/// the bits of the first of each two.
#[inline(always)]
fn exchange<const ROWS: usize, const SIDE: usize>(rows: &mut [u64; ROWS], low: u64) {
    for start in (0..ROWS).step_by(2 * SIDE) {
        for row in start..start + SIDE {
            let (above, below) = (rows[row], rows[row + SIDE]);
            let crossed = (above >> SIDE ^ below) & low;
            rows[row] = above ^ crossed << SIDE;
            rows[row + SIDE] = below ^ crossed;
        }
    }
}

/// What is done with one of them, chosen at run time.
pub(crate) trait Transposing {
    type Output;

    /// Must be `#[inline(always)]`, so that it is compiled with the caller's target features.
    fn run<T: Transpose>(self, arch: T) -> Self::Output;
}
