//! One block with a fault: its bits, its coefficients, its integers.

use exactum_conformance::model::{Zfp, ZfpScalar, zfp_order};

use super::fault::Fault::{self, *};
use super::number::{common_exponent, float, integers};

/// Bits that are written and read.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    bits: Vec<bool>,
    at: usize,
}

impl Bits {
    pub(super) fn of(fault: Fault, bytes: &[u8]) -> Self {
        let mut bytes = bytes.to_vec();
        in_order(fault, &mut bytes);
        let places = |byte: u8| (0..8).map(move |place| byte >> place & 1 == 1);
        Self {
            bits: bytes.into_iter().flat_map(places).collect(),
            at: 0,
        }
    }

    pub(super) fn into_bytes(mut self, fault: Fault) -> Vec<u8> {
        let word = if fault == ByteFlush { 8 } else { 64 };
        self.fill(self.bits.len().next_multiple_of(word));
        let byte = |bits: &[bool]| {
            let rest = bits.iter().rev();
            rest.fold(0, |byte, &bit| byte << 1 | u8::from(bit))
        };
        let mut bytes: Vec<u8> = self.bits.chunks(8).map(byte).collect();
        in_order(fault, &mut bytes);
        bytes
    }

    pub(super) fn push(&mut self, field: u64, count: u32) {
        self.bits
            .extend((0..count).map(|place| field >> place & 1 == 1));
    }

    fn fill(&mut self, length: usize) {
        if self.bits.len() < length {
            self.bits.resize(length, false);
        }
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.at += count;
    }

    fn bit(&mut self) -> bool {
        self.at += 1;
        self.bits.get(self.at - 1).copied().unwrap_or(false)
    }

    fn field(&mut self, count: u32) -> u64 {
        (0..count).fold(0, |field, place| field | u64::from(self.bit()) << place)
    }
}

fn in_order(fault: Fault, bytes: &mut [u8]) {
    if fault == BigEndianWords {
        bytes.chunks_mut(8).for_each(<[u8]>::reverse);
    }
}

/// What all blocks of a chunk have in common.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) fault: Fault,
    pub(super) codec: &'a Zfp,
    pub(super) scalar: ZfpScalar,
}

impl Block<'_> {
    fn is_float(&self) -> bool {
        self.scalar.exponent_bits() > 0
    }

    /// Whether blocks have a number of planes in front.
    fn is_counted(&self) -> bool {
        self.codec.is_reversible() || (self.fault == LossyWithHeader && !self.is_float())
    }

    /// The most bits of a block.
    fn most(&self) -> usize {
        let limits = [self.codec.min_bits, self.codec.max_bits];
        match self.fault {
            NotRaised if matches!(limits, [9, 9] | [12, 12]) => 4,
            _ => self.codec.max_bits as usize,
        }
    }

    fn order(&self) -> Vec<usize> {
        let dimensions = self.codec.dimensions();
        let mut order: Vec<usize> = zfp_order(dimensions).iter().map(|&it| it.into()).collect();
        if self.fault == LexicographicOrder {
            let degree = |index: usize| {
                (0..dimensions)
                    .map(|axis| index >> (2 * axis) & 3)
                    .sum::<usize>()
            };
            order.sort_by_key(|&index| (degree(index), index));
        }
        order
    }

    fn bias(&self) -> i64 {
        match self.scalar {
            ZfpScalar::Float32 => 127,
            _ => 1023,
        }
    }

    fn float_planes(&self, exponent: i64) -> u32 {
        let dimensions = i64::try_from(self.codec.dimensions()).unwrap_or(1);
        let guard = match self.fault {
            FewerGuards => 2,
            _ => 2 * dimensions + 2,
        };
        let planes = (exponent - i64::from(self.codec.min_exponent) + guard).max(0);
        u32::try_from(planes).map_or(64, |it| it.min(self.codec.max_precision))
    }

    pub(super) fn encode(&self, values: &[u64], out: &mut Bits) {
        let mut text = Bits::default();
        self.text(values, &mut text);
        let most = self.most();
        if self.fault != NoMost {
            text.bits.truncate(most);
        }
        if self.fault != NoFilling {
            text.fill(most.min(self.codec.min_bits as usize));
        }
        if self.fault == AlignedBlocks && self.codec.min_bits == self.codec.max_bits {
            text.fill(most.next_multiple_of(64));
        }
        out.bits.extend(text.bits);
    }

    fn text(&self, values: &[u64], text: &mut Bits) {
        let reversible = self.codec.is_reversible();
        if !self.is_float() {
            let own = values.iter().map(|&bits| self.signed(bits)).collect();
            return self.integers(own, self.codec.max_precision, text);
        }
        let exponent = common_exponent(self.fault, self.scalar, values);
        let header = |text: &mut Bits, marks: u64, count: u32, exponent: i64| {
            text.push(marks, count);
            let field = (exponent + self.bias()).cast_unsigned();
            text.push(field, self.scalar.exponent_bits());
        };
        if !reversible {
            let planes = exponent.map_or(0, |exponent| self.float_planes(exponent));
            let written_out = self.fault == ZerosWrittenOut && exponent.is_none();
            if planes == 0 && !written_out {
                return text.push(0, 1);
            }
            let exponent = exponent.unwrap_or(-self.bias());
            header(text, 1, 1, exponent);
            let own = integers(self.fault, self.scalar, values, exponent);
            return self.integers(own, planes, text);
        }
        if values.iter().all(|&bits| bits == 0) && self.fault != AlwaysBits {
            return text.push(0, 1);
        }
        let exact = exponent
            .filter(|_| self.fault != AlwaysBits)
            .and_then(|exponent| {
                if i64::from(self.scalar.bits()) - 2 - exponent > self.bias() {
                    return None;
                }
                let own = integers(self.fault, self.scalar, values, exponent);
                let back = own
                    .iter()
                    .map(|&it| float(self.fault, self.scalar, it, exponent));
                let mut pairs = back.zip(values);
                let sign = 1 << (self.scalar.bits() - 1);
                pairs
                    .all(|(a, &b)| a == b || (self.fault == ZeroSignLost && a == 0 && b == sign))
                    .then_some((own, exponent))
            });
        match exact {
            Some((own, exponent)) => {
                header(text, 0b01, 2, exponent);
                self.integers(own, 64, text);
            }
            None => {
                text.push(0b11, 2);
                let own = values.iter().map(|&bits| self.turned(self.signed(bits)));
                self.integers(own.collect(), 64, text);
            }
        }
    }

    fn signed(&self, bits: u64) -> i64 {
        let unused = 64 - self.scalar.bits();
        (bits << unused).cast_signed() >> unused
    }

    fn kept(&self, integer: i64) -> i64 {
        self.signed(integer.cast_unsigned())
    }

    fn turned(&self, integer: i64) -> i64 {
        if integer < 0 && self.fault != BitsNotTurned {
            self.kept(integer ^ (i64::MAX >> (64 - self.scalar.bits())))
        } else {
            integer
        }
    }

    fn mask(&self) -> i64 {
        self.kept(0xaaaa_aaaa_aaaa_aaaa_u64.cast_signed())
    }

    fn digits(&self, integer: i64) -> u64 {
        let digits = match self.fault {
            TwosComplement => integer,
            _ => self.kept(integer.wrapping_add(self.mask())) ^ self.mask(),
        };
        digits.cast_unsigned() & (u64::MAX >> (64 - self.scalar.bits()))
    }

    fn integer(&self, digits: u64) -> i64 {
        let integer = self.signed(digits);
        match self.fault {
            TwosComplement => integer,
            _ => self.kept((integer ^ self.mask()).wrapping_sub(self.mask())),
        }
    }

    fn integers(&self, mut block: Vec<i64>, planes: u32, text: &mut Bits) {
        for axis in 0..self.codec.dimensions() {
            lines(axis, &mut block, |line| {
                self.forward(line).map(|it| self.kept(it))
            });
        }
        let coefficients: Vec<u64> = self
            .order()
            .into_iter()
            .map(|place| self.digits(block[place]))
            .collect();
        let bits = self.scalar.bits();
        let mut planes = planes.min(bits);
        if self.is_counted() {
            let any = coefficients.iter().fold(0, |any, it| any | it);
            let used = match self.fault {
                AlwaysAllPlanes => bits,
                _ => bits.saturating_sub(any.trailing_zeros()),
            };
            planes = used.clamp(1, self.codec.max_precision.min(bits));
            let field = match self.fault {
                PlanesNotLessOne => planes,
                _ => planes - 1,
            };
            text.push(field.into(), self.scalar.precision_bits());
        }
        let mut reached = 0;
        for plane in (bits - planes..bits).rev() {
            if self.fault == ReachedForgotten {
                reached = 0;
            }
            let ones: Vec<bool> = coefficients.iter().map(|it| it >> plane & 1 == 1).collect();
            text.bits.extend(&ones[..reached]);
            while reached < ones.len() {
                let one = ones[reached..].iter().position(|&bit| bit);
                text.push(one.is_some().into(), 1);
                let Some(one) = one else { break };
                text.bits.extend(std::iter::repeat_n(false, one));
                reached += one + 1;
                if reached < ones.len() || self.fault == LastNotImplied {
                    text.push(1, 1);
                }
            }
        }
    }

    pub(super) fn decode(&self, bits: &mut Bits) -> Vec<u64> {
        let start = bits.at;
        let end = start + self.most();
        let count = 1 << (2 * self.codec.dimensions());
        let own = |it: i64| it.cast_unsigned() & (u64::MAX >> (64 - self.scalar.bits()));
        let values = if !self.is_float() {
            let block = self.read_integers(bits, self.codec.max_precision, end);
            block.into_iter().map(own).collect()
        } else if !bits.bit() {
            vec![0; count]
        } else if self.codec.is_reversible() && bits.bit() {
            let block = self.read_integers(bits, 64, end);
            block.into_iter().map(|it| own(self.turned(it))).collect()
        } else {
            let field = bits.field(self.scalar.exponent_bits());
            let exponent = field.cast_signed() - self.bias();
            let block = self.read_integers(bits, self.float_planes(exponent), end);
            let float = |it| float(self.fault, self.scalar, it, exponent);
            block.into_iter().map(float).collect()
        };
        if self.fault != NoFilling {
            let least = self.most().min(self.codec.min_bits as usize);
            bits.at = bits.at.max(start + least);
        }
        if self.fault == AlignedBlocks && self.codec.min_bits == self.codec.max_bits {
            bits.at = start + (end - start).next_multiple_of(64);
        }
        values
    }

    fn read_integers(&self, bits: &mut Bits, planes: u32, end: usize) -> Vec<i64> {
        let width = self.scalar.bits();
        let mut planes = planes.min(width);
        if self.is_counted() {
            let field = bits.field(self.scalar.precision_bits());
            let field = u32::try_from(field).unwrap_or(width);
            planes = match self.fault {
                PlanesNotLessOne => field,
                _ => field + 1,
            };
        }
        let order = self.order();
        let mut digits = vec![0; order.len()];
        let mut reached = 0;
        for plane in (width - planes..width).rev() {
            if self.fault == ReachedForgotten {
                reached = 0;
            }
            if self
                .plane(bits, end, &mut digits, &mut reached, plane)
                .is_none()
            {
                break;
            }
        }
        if self.fault == MidPlanes && planes < width {
            for digits in digits.iter_mut().filter(|it| **it != 0) {
                *digits |= 1 << (width - planes - 1);
            }
        }
        let mut block = vec![0; order.len()];
        for (place, digits) in order.into_iter().zip(digits) {
            block[place] = self.integer(digits);
        }
        for axis in (0..self.codec.dimensions()).rev() {
            lines(axis, &mut block, |line| {
                self.inverse(line).map(|it| self.kept(it))
            });
        }
        block
    }

    fn plane(
        &self,
        bits: &mut Bits,
        end: usize,
        digits: &mut [u64],
        reached: &mut usize,
        plane: u32,
    ) -> Option<()> {
        let next = |bits: &mut Bits| {
            let more = bits.at < end || self.fault == NoMost;
            more.then(|| bits.bit())
        };
        let all = digits.len();
        for digits in &mut digits[..*reached] {
            *digits |= u64::from(next(bits)?) << plane;
        }
        while *reached < all && next(bits)? {
            let last = match self.fault {
                LastNotImplied => all,
                _ => all - 1,
            };
            let mut cut = false;
            while *reached < last {
                match next(bits) {
                    Some(false) => *reached += 1,
                    Some(true) => break,
                    None => {
                        cut = true;
                        break;
                    }
                }
            }
            if cut && self.fault == AnnouncedForgotten {
                return None;
            }
            if let Some(digits) = digits.get_mut(*reached) {
                *digits |= 1 << plane;
            }
            *reached = (*reached + 1).min(all);
        }
        Some(())
    }

    fn forward(&self, [mut x, mut y, mut z, mut w]: [i64; 4]) -> [i64; 4] {
        if self.codec.is_reversible() && self.fault != LossyLift {
            let second = z.wrapping_sub(y.wrapping_mul(2)).wrapping_add(x);
            let third = w.wrapping_sub(z.wrapping_mul(3));
            let third = third.wrapping_add(y.wrapping_mul(3)).wrapping_sub(x);
            return [x, y.wrapping_sub(x), second, third];
        }
        let round = i64::from(self.fault == RoundedLift);
        for (a, b) in [(&mut x, &mut w), (&mut z, &mut y)] {
            *a = self.kept(a.wrapping_add(*b).wrapping_add(round)) >> 1;
            *b = self.kept(b.wrapping_sub(*a));
        }
        for (a, b) in [(&mut x, &mut z), (&mut w, &mut y)] {
            *a = self.kept(a.wrapping_add(*b).wrapping_add(round)) >> 1;
            *b = self.kept(b.wrapping_sub(*a));
        }
        w = self.kept(w.wrapping_add(y >> 1));
        y = self.kept(y.wrapping_sub(w >> 1));
        [x, y, z, w]
    }

    fn inverse(&self, [mut x, mut y, mut z, mut w]: [i64; 4]) -> [i64; 4] {
        if self.codec.is_reversible() && self.fault != LossyLift {
            let third = x
                .wrapping_add(y.wrapping_mul(3))
                .wrapping_add(z.wrapping_mul(3));
            let second = x.wrapping_add(y.wrapping_mul(2)).wrapping_add(z);
            return [x, x.wrapping_add(y), second, third.wrapping_add(w)];
        }
        y = self.kept(y.wrapping_add(w >> 1));
        w = self.kept(w.wrapping_sub(y >> 1));
        for (a, b) in [(&mut w, &mut y), (&mut x, &mut z)] {
            *b = self.kept(b.wrapping_add(*a));
            *a = self.kept(a.wrapping_mul(2).wrapping_sub(*b));
        }
        for (a, b) in [(&mut z, &mut y), (&mut x, &mut w)] {
            *b = self.kept(b.wrapping_add(*a));
            *a = self.kept(a.wrapping_mul(2).wrapping_sub(*b));
        }
        [x, y, z, w]
    }
}

/// Replaces the integers of every line along an axis.
fn lines(axis: usize, block: &mut [i64], change: impl Fn([i64; 4]) -> [i64; 4]) {
    let stride = 1 << (2 * axis);
    for chunk in block.chunks_mut(4 * stride) {
        for start in 0..stride {
            let line = change([0, 1, 2, 3].map(|step| chunk[start + step * stride]));
            for (step, value) in line.into_iter().enumerate() {
                chunk[start + step * stride] = value;
            }
        }
    }
}
