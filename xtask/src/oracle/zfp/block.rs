//! One block: converts elements to the string of their bits, and back.

use super::number::Own;

/// The properties shared by all blocks of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits<'a> {
    pub(super) own: Own,
    /// The position of each coefficient in the block, in the order in which the coefficients are stored.
    pub(super) order: &'a [usize],
    pub(super) dimensions: i64,
    pub(super) reversible: bool,
    /// The largest number of planes that are kept.
    pub(super) planes: u32,
    /// The lowest plane of floats that is kept.
    pub(super) lowest: i64,
}

impl Limits<'_> {
    /// Returns all bits of a block, without a limit.
    pub(super) fn text(&self, block: &[u64]) -> Vec<bool> {
        let own = self.own;
        let plain = || block.iter().map(|&bits| own.signed(bits)).collect();
        let (width, bias) = own.exponent();
        if width == 0 {
            return self.integers(Vec::new(), plain(), self.planes);
        }
        let exponent = own.common_exponent(block);
        let header = |marks: &[bool], exponent: i64| {
            let field = exponent + bias;
            let bits = (0..width).map(|place| field >> place & 1 == 1);
            marks.iter().copied().chain(bits).collect::<Vec<bool>>()
        };
        if self.reversible {
            if block.iter().all(|&bits| bits == 0) {
                return vec![false];
            }
            let integers = exponent.and_then(|it| Some((it, own.reversible(block, it)?)));
            return match integers {
                Some((exponent, integers)) => {
                    self.integers(header(&[true, false], exponent), integers, self.planes)
                }
                None => {
                    let bits: Vec<i64> = plain();
                    let turned = bits.into_iter().map(|it| turned(own, it)).collect();
                    self.integers(vec![true, true], turned, self.planes)
                }
            };
        }
        match exponent.map(|exponent| (exponent, self.float_planes(exponent))) {
            None | Some((_, 0)) => vec![false],
            Some((exponent, planes)) => {
                let scale = i64::from(own.bits()) - 2 - exponent;
                let integers = block.iter().map(|&bits| own.truncated(bits, scale));
                self.integers(header(&[true], exponent), integers.collect(), planes)
            }
        }
    }

    /// Returns the number of planes in a lossy block of floats with this exponent.
    fn float_planes(&self, exponent: i64) -> u32 {
        let planes = (exponent - self.lowest + 2 * (self.dimensions + 1)).max(0);
        u32::try_from(planes).map_or(self.planes, |planes| planes.min(self.planes))
    }

    /// Appends a block of integers to a header.
    fn integers(&self, mut text: Vec<bool>, mut block: Vec<i64>, planes: u32) -> Vec<bool> {
        let own = self.own;
        for axis in 0..self.dimensions {
            lines(axis, &mut block, |line| {
                let line = if self.reversible {
                    differences(line)
                } else {
                    lifted(own, line)
                };
                line.map(|it| own.kept(it))
            });
        }
        // In the block, too, the first dimension is outermost, so x is the last one.
        let digits: Vec<Vec<bool>> = self
            .order
            .iter()
            .map(|&place| digits(own, block[place]))
            .collect();
        let bits = own.bits() as usize;
        let mut lowest = bits.saturating_sub(planes as usize);
        if self.reversible {
            let used = (0..bits).find(|&place| digits.iter().any(|it| it[place]));
            lowest = lowest.max(used.unwrap_or(bits - 1)).min(bits - 1);
            let field = bits - 1 - lowest;
            let width = bits.ilog2();
            text.extend((0..width).map(|place| field >> place & 1 == 1));
        }
        let mut reached = 0;
        for place in (lowest..bits).rev() {
            let plane: Vec<bool> = digits.iter().map(|it| it[place]).collect();
            let (known, mut rest) = plane.split_at(reached);
            text.extend(known);
            while !rest.is_empty() {
                let one = rest.iter().position(|&bit| bit);
                text.push(one.is_some());
                let Some(one) = one else { break };
                text.extend(std::iter::repeat_n(false, one));
                if one + 1 < rest.len() {
                    text.push(true);
                }
                reached += one + 1;
                rest = &rest[one + 1..];
            }
        }
        text
    }

    /// Reads a block from the beginning of a string of bits. At most `most` bits are read. Also returns the number of
    /// bits that were read.
    pub(super) fn read(&self, text: &[bool], most: usize) -> (Vec<u64>, usize) {
        let own = self.own;
        let mut reader = Reader { text, at: 0, most };
        let (width, bias) = own.exponent();
        let block = if width == 0 {
            self.read_integers(&mut reader, self.planes)
                .into_iter()
                .map(|it| own.unsigned(it))
                .collect()
        } else if reader.next() != Some(true) {
            vec![0; self.order.len()]
        } else if self.reversible && reader.next() == Some(true) {
            self.read_integers(&mut reader, self.planes)
                .into_iter()
                .map(|it| own.unsigned(turned(own, it)))
                .collect()
        } else {
            let exponent = reader.field(width) - bias;
            let planes = if self.reversible {
                self.planes
            } else {
                self.float_planes(exponent)
            };
            let block = self.read_integers(&mut reader, planes).into_iter();
            // In reversible mode, exponent bits that are all zero only occur in a block of zeros.
            let none = self.reversible && exponent == -bias;
            block
                .map(|it| if none { 0 } else { own.float(it, exponent) })
                .collect()
        };
        (block, reader.at)
    }

    fn read_integers(&self, reader: &mut Reader<'_>, planes: u32) -> Vec<i64> {
        let own = self.own;
        let bits = own.bits();
        let planes = match self.reversible {
            true => u32::try_from(reader.field(bits.ilog2()) + 1).unwrap_or(bits),
            false => planes,
        };
        let lowest = bits.saturating_sub(planes);
        let mut digits = vec![vec![false; bits as usize]; self.order.len()];
        // If a plane ends early, the block ends with it.
        let mut reached = 0;
        for place in (lowest..bits).rev() {
            if reader
                .plane(&mut digits, &mut reached, place as usize)
                .is_none()
            {
                break;
            }
        }
        let mut block = vec![0; self.order.len()];
        for (&place, digits) in self.order.iter().zip(&digits) {
            block[place] = number(own, digits);
        }
        for axis in (0..self.dimensions).rev() {
            lines(axis, &mut block, |line| {
                let line = if self.reversible {
                    sums(line)
                } else {
                    unlifted(own, line)
                };
                line.map(|it| own.kept(it))
            });
        }
        block
    }
}

/// Reads bits one after another. Behind the end of the string it reads zeros, and behind the limit nothing.
struct Reader<'a> {
    text: &'a [bool],
    at: usize,
    most: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<bool> {
        if self.at == self.most {
            return None;
        }
        let bit = self.text.get(self.at).copied().unwrap_or(false);
        self.at += 1;
        Some(bit)
    }

    /// Reads a number, beginning with its lowest bit.
    fn field(&mut self, width: u32) -> i64 {
        (0..width).fold(0, |number, place| {
            number + (i64::from(self.next() == Some(true)) << place)
        })
    }

    /// Reads a plane of all coefficients, or returns `None` if the limit ends it.
    fn plane(&mut self, digits: &mut [Vec<bool>], reached: &mut usize, place: usize) -> Option<()> {
        let all = digits.len();
        for digits in &mut digits[..*reached] {
            digits[place] = self.next()?;
        }
        while *reached < all && self.next()? {
            // The last coefficient is not read, since it must be the one that was announced.
            while *reached + 1 < all && self.next() == Some(false) {
                *reached += 1;
            }
            digits[*reached][place] = true;
            *reached += 1;
        }
        Some(())
    }
}

/// Replaces the four integers of every line along an axis; x is axis 0.
fn lines(axis: i64, block: &mut [i64], change: impl Fn([i64; 4]) -> [i64; 4]) {
    let stride = match axis {
        0 => 1,
        1 => 4,
        2 => 16,
        _ => 64,
    };
    for chunk in block.chunks_mut(4 * stride) {
        for start in 0..stride {
            let line = change([0, 1, 2, 3].map(|step| chunk[start + step * stride]));
            for (step, value) in line.into_iter().enumerate() {
                chunk[start + step * stride] = value;
            }
        }
    }
}

/// Returns the mean of two integers, rounded down, and the difference of the second integer from it, both within the
/// width of the type.
fn halves(own: Own, a: i64, b: i64) -> (i64, i64) {
    let mean = own.kept(a.wrapping_add(b)) >> 1;
    (mean, own.kept(b.wrapping_sub(mean)))
}

/// Restores the two integers from a mean and a difference, except for the lowest bit of the first one.
fn whole(own: Own, mean: i64, above: i64) -> (i64, i64) {
    let b = own.kept(mean.wrapping_add(above));
    (own.kept(mean.wrapping_add(mean).wrapping_sub(b)), b)
}

fn lifted(own: Own, [x, y, z, w]: [i64; 4]) -> [i64; 4] {
    let (x, w) = halves(own, x, w);
    let (z, y) = halves(own, z, y);
    let (x, z) = halves(own, x, z);
    let (w, y) = halves(own, w, y);
    let w = own.kept(w.wrapping_add(y >> 1));
    let y = own.kept(y.wrapping_sub(w >> 1));
    [x, y, z, w]
}

fn unlifted(own: Own, [x, y, z, w]: [i64; 4]) -> [i64; 4] {
    let y = own.kept(y.wrapping_add(w >> 1));
    let w = own.kept(w.wrapping_sub(y >> 1));
    let (w, y) = whole(own, w, y);
    let (x, z) = whole(own, x, z);
    let (z, y) = whole(own, z, y);
    let (x, w) = whole(own, x, w);
    [x, y, z, w]
}

/// Takes differences of neighbours three times, each time for one integer less.
fn differences(mut line: [i64; 4]) -> [i64; 4] {
    for first in 1..4 {
        for place in (first..4).rev() {
            line[place] = line[place].wrapping_sub(line[place - 1]);
        }
    }
    line
}

fn sums(mut line: [i64; 4]) -> [i64; 4] {
    for first in (1..4).rev() {
        for place in first..4 {
            line[place] = line[place].wrapping_add(line[place - 1]);
        }
    }
    line
}

/// Returns the digits in base -2, the lowest first, by repeated division.
fn digits(own: Own, integer: i64) -> Vec<bool> {
    let mut rest = i128::from(integer);
    (0..own.bits())
        .map(|_| {
            let digit = rest.rem_euclid(2);
            rest = (rest - digit) / -2;
            digit == 1
        })
        .collect()
}

fn number(own: Own, digits: &[bool]) -> i64 {
    let mut weight = 1i64;
    let mut sum = 0i64;
    for &digit in digits {
        if digit {
            sum = sum.wrapping_add(weight);
        }
        weight = weight.wrapping_mul(-2);
    }
    own.kept(sum)
}

/// Inverts all bits of a negative number except its sign.
fn turned(own: Own, bits: i64) -> i64 {
    if bits < 0 {
        (i64::MIN >> (64 - own.bits())) - (bits + 1)
    } else {
        bits
    }
}
