//! Conversions of words to bit planes and back: bit `i` of plane `k` is bit `k` of word `i`. The module also
//! compacts and spreads the bits of a word, from which the codes of planes are made, and transforms blocks
//! along each dimension, for which the lanes have to be transposed.

/// Integers with wrapping arithmetic: a single word, or several side by side.
pub(crate) trait Lanes: Copy {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    /// Returns half of a signed number, rounded down.
    fn half(self) -> Self;
    /// Returns a signed number in base -2; `of_negabinary` is the inverse.
    fn to_negabinary(self) -> Self;
    fn of_negabinary(self) -> Self;
}

/// A transform of four numbers in a row.
pub(crate) trait Lift: Copy {
    /// Must be `#[inline(always)]`, so that it is compiled with the caller's target features.
    fn apply<L: Lanes>(self, line: [L; 4]) -> [L; 4];
}

/// The order of the words of one or more blocks in the planes, with 64 words in a slab.
pub(crate) struct Order<const SLABS: usize> {
    /// The index of the word of each coefficient.
    pub(crate) words: [[u8; 64]; SLABS],
    /// The index of the coefficient of each word.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only the vector code for x86 uses it")
    )]
    pub(crate) coefficients: [[u8; 64]; SLABS],
}

impl<const SLABS: usize> Order<SLABS> {
    /// Returns the order of consecutive blocks.
    #[expect(clippy::cast_possible_truncation, reason = "below 256")]
    pub(crate) const fn of(block: &[u8]) -> Self {
        assert!(SLABS == 1 || SLABS == 4 && block.len() == 256);
        let (mut words, mut coefficients) = ([[0; 64]; SLABS], [[0; 64]; SLABS]);
        let mut index = 0;
        while index < 64 * SLABS {
            let start = index / block.len() * block.len();
            let word = start + block[index - start] as usize;
            words[index / 64][index % 64] = word as u8;
            coefficients[word / 64][word % 64] = index as u8;
            index += 1;
        }
        Self {
            words,
            coefficients,
        }
    }
}

/// The operations on slabs of 64 words, and on bits.
pub(crate) trait Transpose: Copy {
    /// Whether [`extract`](Self::extract) and [`deposit`](Self::deposit) take a few cycles.
    const MOVES_BITS: bool;

    /// Returns the bits at the positions of a mask, compacted at the bottom.
    fn extract(self, bits: u64, mask: u64) -> u64;
    /// Returns the lowest bits, spread to the positions of a mask.
    fn deposit(self, bits: u64, mask: u64) -> u64;

    /// Reorders words, converts them to base -2, and writes their planes. Planes below `lowest` may be wrong.
    fn planes_32<const SLABS: usize>(
        self,
        words: &[[u32; 64]; SLABS],
        order: &Order<SLABS>,
        lowest: usize,
        planes: &mut [[u64; 32]; SLABS],
    );
    fn planes_64<const SLABS: usize>(
        self,
        words: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        lowest: usize,
        planes: &mut [[u64; 64]; SLABS],
    );

    /// Converts planes of reordered words in base -2 back to words.
    fn words_32<const SLABS: usize>(
        self,
        planes: &[[u64; 32]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u32; 64]; SLABS],
    );
    fn words_64<const SLABS: usize>(
        self,
        planes: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u64; 64]; SLABS],
    );

    /// Applies a function along the first dimension of a slab, then along the second, up to dimension `D`.
    fn forward_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift);
    fn forward_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift);
    /// Applies a function along the same dimensions in reverse order, with the first dimension last.
    fn inverse_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift);
    fn inverse_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift);
}

macro_rules! lanes {
    ($($word:ty),*) => {$(
        impl Lanes for $word {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn half(self) -> Self {
                (self.cast_signed() >> 1).cast_unsigned()
            }

            #[inline(always)]
            fn to_negabinary(self) -> Self {
                const MASK: $word = <$word>::MAX / 3 * 2;
                self.wrapping_add(MASK) ^ MASK
            }

            #[inline(always)]
            fn of_negabinary(self) -> Self {
                const MASK: $word = <$word>::MAX / 3 * 2;
                (self ^ MASK).wrapping_sub(MASK)
            }
        }
    )*};
}

lanes!(u32, u64);

/// Returns the words of one slab of the order, in base -2.
#[inline(always)]
pub(in crate::arch) fn ordered<L: Lanes, const SLABS: usize>(
    words: &[[L; 64]; SLABS],
    order: &[u8; 64],
) -> [L; 64] {
    // A loop, because `map` of an array becomes a function without the caller's target features.
    let mut own = words[0];
    let words = words.as_flattened();
    for (own, &index) in own.iter_mut().zip(order) {
        *own = words[usize::from(index) % (64 * SLABS)].to_negabinary();
    }
    own
}

/// Converts the words of one slab of the order from base -2 and writes them to their original positions.
#[inline(always)]
pub(in crate::arch) fn placed<L: Lanes, const SLABS: usize>(
    part: &[L; 64],
    order: &[u8; 64],
    words: &mut [[L; 64]; SLABS],
) {
    let words = words.as_flattened_mut();
    for (word, &index) in part.iter().zip(order) {
        words[usize::from(index) % (64 * SLABS)] = word.of_negabinary();
    }
}

/// Transforms a slab along the first dimension, for which `turn` transposes its squares of four by four
/// lanes, then along the others.
#[inline(always)]
pub(in crate::arch) fn forward<L: Lanes, const D: usize>(
    slab: &mut [L; 64],
    turn: impl Fn(&mut [[L; 16]]),
    lift: impl Lift,
) {
    turn(slab.as_chunks_mut().0);
    along::<L, 4>(slab, lift);
    turn(slab.as_chunks_mut().0);
    if D > 1 {
        along::<L, 4>(slab, lift);
    }
    if D > 2 {
        along::<L, 16>(slab, lift);
    }
}

/// Like [`forward`], with the first dimension last.
#[inline(always)]
pub(in crate::arch) fn inverse<L: Lanes, const D: usize>(
    slab: &mut [L; 64],
    turn: impl Fn(&mut [[L; 16]]),
    lift: impl Lift,
) {
    if D > 2 {
        along::<L, 16>(slab, lift);
    }
    if D > 1 {
        along::<L, 4>(slab, lift);
    }
    turn(slab.as_chunks_mut().0);
    along::<L, 4>(slab, lift);
    turn(slab.as_chunks_mut().0);
}

/// Applies a function to every group of four numbers that lie `STRIDE` apart.
#[inline(always)]
pub(crate) fn along<L: Lanes, const STRIDE: usize>(numbers: &mut [L], lift: impl Lift) {
    for group in numbers.chunks_exact_mut(4 * STRIDE) {
        let (x, rest) = group.split_at_mut(STRIDE);
        let (y, rest) = rest.split_at_mut(STRIDE);
        let (z, w) = rest.split_at_mut(STRIDE);
        for (((x, y), z), w) in x.iter_mut().zip(y).zip(z).zip(w) {
            [*x, *y, *z, *w] = lift.apply([*x, *y, *z, *w]);
        }
    }
}

/// A portable transposition that exchanges ever smaller squares of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares;

impl Transpose for Squares {
    const MOVES_BITS: bool = false;

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
    fn planes_32<const SLABS: usize>(
        self,
        words: &[[u32; 64]; SLABS],
        order: &Order<SLABS>,
        _: usize,
        planes: &mut [[u64; 32]; SLABS],
    ) {
        for (rows, part) in planes.iter_mut().zip(&order.words) {
            let words = ordered(words, part);
            // Words i and i + 32, side by side, form a row of two squares.
            let (low, high) = words.split_at(32);
            for ((row, low), high) in rows.iter_mut().zip(low).zip(high) {
                *row = u64::from(*low) | u64::from(*high) << 32;
            }
            turn_32(rows);
        }
    }

    #[inline(always)]
    fn planes_64<const SLABS: usize>(
        self,
        words: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        _: usize,
        planes: &mut [[u64; 64]; SLABS],
    ) {
        for (rows, part) in planes.iter_mut().zip(&order.words) {
            *rows = ordered(words, part);
            turn_64(rows);
        }
    }

    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a row is split into two halves"
    )]
    fn words_32<const SLABS: usize>(
        self,
        planes: &[[u64; 32]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u32; 64]; SLABS],
    ) {
        for (planes, part) in planes.iter().zip(&order.words) {
            let mut rows = *planes;
            turn_32(&mut rows);
            let own = core::array::from_fn(|i| (rows[i % 32] >> (i / 32 * 32)) as u32);
            placed(&own, part, words);
        }
    }

    #[inline(always)]
    fn words_64<const SLABS: usize>(
        self,
        planes: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u64; 64]; SLABS],
    ) {
        for (planes, part) in planes.iter().zip(&order.words) {
            let mut rows = *planes;
            turn_64(&mut rows);
            placed(&rows, part, words);
        }
    }

    #[inline(always)]
    fn forward_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift) {
        forward::<_, D>(slab, turn, lift);
    }

    #[inline(always)]
    fn forward_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift) {
        forward::<_, D>(slab, turn, lift);
    }

    #[inline(always)]
    fn inverse_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift) {
        inverse::<_, D>(slab, turn, lift);
    }

    #[inline(always)]
    fn inverse_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift) {
        inverse::<_, D>(slab, turn, lift);
    }
}

/// Transposes two squares of 32 by 32 bits that lie side by side.
#[inline(never)]
fn turn_32(rows: &mut [u64; 32]) {
    exchange::<32, 16>(rows, 0x0000_ffff_0000_ffff);
    exchange::<32, 8>(rows, 0x00ff_00ff_00ff_00ff);
    exchange::<32, 4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<32, 2>(rows, 0x3333_3333_3333_3333);
    exchange::<32, 1>(rows, 0x5555_5555_5555_5555);
}

/// Transposes a square of 64 by 64 bits.
#[inline(never)]
fn turn_64(rows: &mut [u64; 64]) {
    exchange::<64, 32>(rows, 0x0000_0000_ffff_ffff);
    exchange::<64, 16>(rows, 0x0000_ffff_0000_ffff);
    exchange::<64, 8>(rows, 0x00ff_00ff_00ff_00ff);
    exchange::<64, 4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<64, 2>(rows, 0x3333_3333_3333_3333);
    exchange::<64, 1>(rows, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn turn<W: Copy>(squares: &mut [[W; 16]]) {
    for square in squares {
        *square = core::array::from_fn(|index| square[index % 4 * 4 + index / 4]);
    }
}

/// Returns the bits of a mask that move by 1, by 2, by 4 and so on when all of its bits are compacted at the
/// bottom. Each bit moves by the number of zeros below it. The binary digits of that number are parities, and
/// a carry-less sum over the zeros below computes each of them.
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

/// Exchanges the off-diagonal squares of `SIDE` by `SIDE` bits within every square of twice that side. `low`
/// masks the lower `SIDE` bits of every `2 * SIDE`.
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

/// An operation on a transposer chosen at run time.
pub(crate) trait Transposing {
    type Output;

    /// Must be `#[inline(always)]`, so that it is compiled with the caller's target features.
    fn run<T: Transpose>(self, arch: T) -> Self::Output;
}
