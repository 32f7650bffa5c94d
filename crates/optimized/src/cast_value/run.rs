//! Blocks through kernels.

use exactum_model::{Cast, Rejection};

use super::cast_element;
use super::map::Map;
use super::plan::{Plan, Stages};
use crate::arch::{FINE, Flags, Level, RANGE};
use crate::{element_bits, set_element_bits};

/// Bytes of a buffer between stages: the block with its buffers stays in the first-level cache.
const LARGE: usize = 4096;
/// The same for short inputs, which would not repay clearing large buffers.
const SMALL: usize = 256;

/// Outputs of more bytes are written past the caches, which they would only flush.
const STREAMED: usize = 8 << 20;

/// Casts `count` elements.
pub(super) fn run(
    level: Level,
    cast: &Cast<'_>,
    input: &[u8],
    output: &mut [u8],
    count: usize,
) -> Result<(), Rejection> {
    // A key with bits that its data type lacks matches nothing or, in a float, by its other bits;
    // only the path by elements goes into that.
    let mask = cast.from.format().component_mask();
    let well_formed = cast.map.iter().all(|entry| entry.input <= mask);
    match Plan::of(cast) {
        Some(plan) if well_formed => {
            let job = Job {
                level,
                cast,
                plan,
                map: Map::of(cast),
                streamed: output.len() >= STREAMED,
            };
            if count <= SMALL / 8 {
                job.run::<SMALL>(input, output, count)
            } else if job.is_simple() {
                job.run_simple(input, output, count)
            } else {
                job.run::<LARGE>(input, output, count)
            }
        }
        _ if cast.from.element_bytes() == 1 && count >= 512 => by_table(cast, input, output, count),
        _ => by_element(cast, input, output, 0..count, 0),
    }
}

/// Casts elements one by one; `first` is added to the index that a rejection names.
fn by_element(
    cast: &Cast<'_>,
    input: &[u8],
    output: &mut [u8],
    elements: std::ops::Range<usize>,
    first: usize,
) -> Result<(), Rejection> {
    for index in elements {
        let bits = cast_element(cast, element_bits(cast.from, input, index))
            .map_err(|rejection| rejection.at_element((first + index) as u64))?;
        set_element_bits(cast.to, output, index, bits);
    }
    Ok(())
}

/// Casts elements of one byte by a table of all of them.
fn by_table(
    cast: &Cast<'_>,
    input: &[u8],
    output: &mut [u8],
    count: usize,
) -> Result<(), Rejection> {
    let mask = cast.from.format().component_mask();
    let mut table = [None; 256];
    for (bits, entry) in (0u64..).zip(&mut table) {
        *entry = cast_element(cast, bits & mask).ok();
    }
    for index in 0..count {
        match table[usize::from(input[index])] {
            Some(bits) => set_element_bits(cast.to, output, index, bits),
            // The rejection with its words.
            None => by_element(cast, input, output, index..index + 1, 0)?,
        }
    }
    Ok(())
}

struct Job<'a> {
    level: Level,
    cast: &'a Cast<'a>,
    plan: Plan,
    map: Option<Map<'a>>,
    streamed: bool,
}

/// A buffer between stages.
#[repr(align(64))]
struct Buffer<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Buffer<BYTES> {
    const fn new() -> Self {
        Self([0; BYTES])
    }
}

impl Job<'_> {
    /// Whether one kernel does it all, from the input to the output.
    fn is_simple(&self) -> bool {
        self.map.is_none()
            && !self.streamed
            && self.plan.stages.list().len() == 1
            && self.plan.wrapping.is_none()
    }

    fn run_simple(&self, input: &[u8], output: &mut [u8], count: usize) -> Result<(), Rejection> {
        let (from, to) = self.widths();
        let kernel = self.plan.stages.list()[0].run;
        // As many elements as an error may lie before its discovery.
        let block = 4 * LARGE / from.max(to);
        for first in (0..count).step_by(block) {
            let elements = block.min(count - first);
            let source = &input[first * from..(first + elements) * from];
            let target = &mut output[first * to..(first + elements) * to];
            let flags = kernel(self.level, source, target);
            if flags & self.plan.rejected != FINE {
                by_element(self.cast, source, target, 0..elements, first)?;
            }
        }
        Ok(())
    }

    fn run<const BYTES: usize>(
        &self,
        input: &[u8],
        output: &mut [u8],
        count: usize,
    ) -> Result<(), Rejection> {
        let (from, to) = self.widths();
        let mut unmapped = Buffer::<BYTES>::new();
        let mut buffers = [Buffer::<BYTES>::new(), Buffer::<BYTES>::new()];
        let mut last = Buffer::<BYTES>::new();
        // Between stages an element has 8 bytes at most.
        let block = BYTES / self.widest();
        // Whether the last block had something to wrap: then the next one probably has, too.
        let mut wrapped = false;
        for first in (0..count).step_by(block) {
            let elements = block.min(count - first);
            let source = &input[first * from..(first + elements) * from];
            let place = &mut output[first * to..(first + elements) * to];
            let target = if self.streamed {
                &mut last.0[..elements * to]
            } else {
                &mut *place
            };

            let (mapped, plain) = match &self.map {
                Some(map) => {
                    let plain = &mut unmapped.0[..elements * from];
                    (map.take_out(self.level, source, plain), &*plain)
                }
                None => (false, source),
            };
            let mut stages =
                |stages: &Stages| self.stages(stages, plain, &mut buffers, &mut *target, elements);
            let mut flags = match &self.plan.wrapping {
                Some(wrapping) if wrapped => stages(wrapping),
                _ => stages(&self.plan.stages),
            };
            if let Some(wrapping) = &self.plan.wrapping
                && !wrapped
                && flags & RANGE != FINE
            {
                flags = stages(wrapping);
                wrapped = true;
            }
            if let Some(map) = &self.map
                && mapped
            {
                map.put_in(self.level, source, target);
            }
            if flags & self.plan.rejected != FINE {
                by_element(self.cast, source, target, 0..elements, first)?;
            }
            if self.streamed {
                self.level.stream(&last.0[..elements * to], place);
            }
        }
        Ok(())
    }

    /// A block through all stages.
    fn stages<const BYTES: usize>(
        &self,
        stages: &Stages,
        source: &[u8],
        buffers: &mut [Buffer<BYTES>; 2],
        target: &mut [u8],
        elements: usize,
    ) -> Flags {
        let [a, b] = buffers;
        let (a, b) = (&mut a.0[..], &mut b.0[..]);
        match stages.list() {
            [only] => (only.run)(self.level, source, target),
            [first, second] => {
                let between = &mut a[..elements * first.bytes];
                let flags = (first.run)(self.level, source, between);
                flags | (second.run)(self.level, between, target)
            }
            [first, second, third, ..] => {
                let between = &mut a[..elements * first.bytes];
                let flags = (first.run)(self.level, source, between);
                let later = &mut b[..elements * second.bytes];
                let flags = flags | (second.run)(self.level, between, later);
                flags | (third.run)(self.level, later, target)
            }
            [] => FINE,
        }
    }

    fn widths(&self) -> (usize, usize) {
        (self.cast.from.element_bytes(), self.cast.to.element_bytes())
    }

    /// The widest element on the way.
    fn widest(&self) -> usize {
        let (from, to) = self.widths();
        let wrapping = self.plan.wrapping.iter().flat_map(|stages| stages.list());
        let stages = self.plan.stages.list().iter().chain(wrapping);
        stages
            .map(|stage| stage.bytes)
            .fold(from.max(to), usize::max)
    }
}
