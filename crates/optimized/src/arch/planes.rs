//! Words to planes of bits and back: bit `i` of plane `k` is bit `k` of word `i`. And bits of a word
//! that are moved together or apart, which makes codes of planes.

/// How 64 words are made into planes, and planes into words; how bits are moved.
pub(crate) trait Transpose: Copy {
    /// The bits at the places of a mask, moved together at the bottom.
    fn extract(self, bits: u64, mask: u64) -> u64;
    /// The lowest bits, moved apart to the places of a mask.
    fn deposit(self, bits: u64, mask: u64) -> u64;

    /// Planes below the lowest that is asked for may be wrong.
    fn planes_32(self, words: &[u32; 64], lowest: usize) -> [u64; 32];
    fn planes_64(self, words: &[u64; 64], lowest: usize) -> [u64; 64];
    fn words_32(self, planes: &[u64; 32], words: &mut [u32; 64]);
    fn words_64(self, planes: &[u64; 64], words: &mut [u64; 64]);

    /// Exchanges the rows and columns of every square of four by four.
    fn turn_32(self, squares: &mut [[u32; 16]]);
    fn turn_64(self, squares: &mut [[u64; 16]]);
}

/// By exchanging ever smaller squares of bits, and by moving bits ever farther.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares;

impl Transpose for Squares {
    #[inline]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        let moves = moves(mask);
        let mut bits = bits & mask;
        for (step, moved) in moves.into_iter().enumerate() {
            let moving = bits & moved;
            bits = bits ^ moving | moving >> (1 << step);
        }
        bits
    }

    #[inline]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        let moves = moves(mask);
        let mut bits = bits;
        for (step, moved) in moves.into_iter().enumerate().rev() {
            bits = bits & !moved | bits << (1 << step) & moved;
        }
        bits & mask
    }

    #[inline(always)]
    fn planes_32(self, words: &[u32; 64], _: usize) -> [u64; 32] {
        // Words i and i + 32 side by side are a row of two squares.
        let mut rows: [u64; 32] =
            core::array::from_fn(|i| u64::from(words[i]) | u64::from(words[i + 32]) << 32);
        exchange::<32, 16>(&mut rows, 0x0000_ffff_0000_ffff);
        exchange::<32, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
        exchange::<32, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
        exchange::<32, 2>(&mut rows, 0x3333_3333_3333_3333);
        exchange::<32, 1>(&mut rows, 0x5555_5555_5555_5555);
        rows
    }

    #[inline(always)]
    fn planes_64(self, words: &[u64; 64], _: usize) -> [u64; 64] {
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
        *words = self.planes_64(planes, 0);
    }

    #[inline(always)]
    fn turn_32(self, squares: &mut [[u32; 16]]) {
        turn(squares);
    }

    #[inline(always)]
    fn turn_64(self, squares: &mut [[u64; 16]]) {
        turn(squares);
    }
}

#[inline(always)]
fn turn<W: Copy>(squares: &mut [[W; 16]]) {
    for square in squares {
        *square = core::array::from_fn(|index| square[index % 4 * 4 + index / 4]);
    }
}

/// Which bits of a mask move by 1, 2, 4 and so on when all of them move to the bottom: a bit moves as
/// far as there are zeros below it, and the parities of those numbers, of their halves, and so on, are
/// sums without carry over the zeros below.
#[inline]
fn moves(mut mask: u64) -> [u64; 6] {
    let mut zeros = !mask << 1;
    let mut moves = [0; 6];
    for (step, moved) in moves.iter_mut().enumerate() {
        let mut odd = zeros;
        for shift in [1, 2, 4, 8, 16, 32] {
            odd ^= odd << shift;
        }
        *moved = odd & mask;
        mask = mask ^ *moved | *moved >> (1 << step);
        zeros &= !odd;
    }
    moves
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
