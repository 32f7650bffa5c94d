//! Elementwise codecs that run together block by block, so that intermediate results stay in the caches
//! instead of passing through memory as a whole array.

use alloc::vec::Vec;

use exactum_model::{ArrayCodec, ArrayToArray, DataType, Direction};

use super::elementwise;
use crate::arch::{INVALID, SimdLevel};
use crate::cast_value::scaled::Scaled;
use crate::cast_value::{Neighbour, Plan, cast_beside, cast_scaled};
use crate::fault::Fault;
use crate::scale_offset;

/// The number of elements in a block; its buffers take at most 16 KiB each.
const BLOCK: usize = 2048;
/// The largest size of a real element, in bytes.
const WIDEST: usize = 8;

/// Consecutive elementwise codecs.
pub(super) struct Fused {
    pub(super) from: DataType,
    pub(super) to: DataType,
    direction: Direction,
    steps: Vec<Step>,
}

struct Step {
    /// The position of the codec in the chain.
    index: usize,
    plan: Option<Plan>,
    /// The data type of its output.
    to: DataType,
}

impl Fused {
    pub(super) fn new(from: DataType, direction: Direction) -> Self {
        Self {
            from,
            to: from,
            direction,
            steps: Vec::new(),
        }
    }

    /// Adds a codec of the chain.
    pub(super) fn push(&mut self, index: usize, codec: &ArrayToArray, to: DataType) {
        let plan = elementwise::plan(&codec.codec, self.direction);
        self.steps.push(Step { index, plan, to });
        self.to = to;
    }

    /// Passes all elements through all codecs. The rejection is the same as for one codec after another:
    /// which one comes first depends on all elements.
    pub(super) fn run(
        &self,
        chain: &[ArrayToArray],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Fault> {
        let widths = self.steps.iter().map(|step| step.to.element_bytes());
        match &self.steps[..] {
            [step] => self.step(step, chain, input, output),
            [first, second] if self.is_scaled_cast(chain) => self
                .scaled_cast(chain, first, second, input, output)
                .or_else(|_| self.by_steps(chain, input, output)),
            _ if widths.fold(self.from.element_bytes(), usize::max) <= WIDEST => self
                .by_blocks(chain, input, output)
                .or_else(|_| self.by_steps(chain, input, output)),
            _ => self.by_steps(chain, input, output),
        }
    }

    /// Returns whether the two codecs are a scale_offset and a cast_value whose kernels can share a block.
    fn is_scaled_cast(&self, chain: &[ArrayToArray]) -> bool {
        let codec = |step: &Step| &chain[step.index].codec;
        let [first, second] = &self.steps[..] else {
            return false;
        };
        let (scaling, cast) = match self.direction {
            Direction::Encode => (first, second),
            Direction::Decode => (second, first),
        };
        // If a kernel exists for an empty block, it exists for all.
        cast.plan.is_some()
            && matches!(codec(cast), ArrayCodec::CastValue(_))
            && matches!(codec(scaling), ArrayCodec::ScaleOffset(codec)
                if scale_offset::flags(SimdLevel::best(), codec, self.direction, &[], &mut []).is_some())
    }

    /// Runs a packing in its usual form: a scale and an offset on one side of a cast. Both run while a block
    /// is in the first-level cache.
    fn scaled_cast(
        &self,
        chain: &[ArrayToArray],
        first: &Step,
        second: &Step,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Fault> {
        let (scaling, cast) = match self.direction {
            Direction::Encode => (first, second),
            Direction::Decode => (second, first),
        };
        let (ArrayCodec::ScaleOffset(scaling), ArrayCodec::CastValue(codec), Some(plan)) = (
            &chain[scaling.index].codec,
            &chain[cast.index].codec,
            &cast.plan,
        ) else {
            return self.by_steps(chain, input, output);
        };
        let level = SimdLevel::best();
        let cast = match self.direction {
            Direction::Encode => codec.encoding(),
            Direction::Decode => codec.decoding(),
        };
        let closely = |source: &[u8], target: &mut [u8]| {
            let elements = source.len() / self.from.element_bytes();
            let mut between = vec![0; elements * first.to.element_bytes()];
            self.step(first, chain, source, &mut between)?;
            self.step(second, chain, &between, target)
        };
        let numbers = scale_offset::scaling(scaling, self.direction);
        if let Some(scaled) = numbers.and_then(|numbers| Scaled::of(&cast, Some(numbers))) {
            let closely = |_, source: &[u8], target: &mut [u8]| closely(source, target);
            return cast_scaled(level, (&cast, &scaled), input, output, closely);
        }
        let neighbour = Neighbour {
            is_first: self.direction == Direction::Encode,
            kernel: &|source, target| {
                let flags = scale_offset::flags(level, scaling, self.direction, source, target);
                flags.unwrap_or(INVALID)
            },
            closely: &closely,
        };
        cast_beside(level, (&cast, plan), neighbour, input, output)
    }

    fn step(
        &self,
        step: &Step,
        chain: &[ArrayToArray],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Fault> {
        let codec = (&chain[step.index].codec, step.plan.as_ref());
        elementwise::run(codec, self.direction, input, output)
    }

    fn by_blocks(
        &self,
        chain: &[ArrayToArray],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Fault> {
        let Some((last, before)) = self.steps.split_last() else {
            return Ok(());
        };
        let (from, to) = (self.from.element_bytes(), self.to.element_bytes());
        crate::count((self.from, from), input, (self.to, to), output)?;
        let (mut front, mut back) = ([0; BLOCK * WIDEST], [0; BLOCK * WIDEST]);
        let (mut front, mut back) = (&mut front[..], &mut back[..]);
        let blocks = output.chunks_mut(BLOCK * to);
        for (source, target) in input.chunks(BLOCK * from).zip(blocks) {
            let elements = source.len() / from;
            let mut source = source;
            for step in before {
                let bytes = elements * step.to.element_bytes();
                self.step(step, chain, source, &mut back[..bytes])?;
                (front, back) = (back, front);
                source = &front[..bytes];
            }
            self.step(last, chain, source, target)?;
        }
        Ok(())
    }

    fn by_steps(
        &self,
        chain: &[ArrayToArray],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Fault> {
        let elements = input.len() / self.from.element_bytes();
        let mut data = input.to_vec();
        for step in &self.steps {
            let mut next = vec![0; elements.saturating_mul(step.to.element_bytes())];
            self.step(step, chain, &data, &mut next)?;
            data = next;
        }
        if data.len() == output.len() {
            output.copy_from_slice(&data);
        }
        Ok(())
    }
}
