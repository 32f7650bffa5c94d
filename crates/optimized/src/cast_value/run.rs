//! Runs blocks through kernels.

use exactum_model::{CastSpec, DataType};

use super::element::element;
use super::map::Map;
use super::plan::{Plan, Stages, is_copy};
use crate::arch::{Flags, NO_FLAGS, Outlet, RANGE, SimdLevel, UNCACHED, prefetch};
use crate::fault::Fault;
use crate::lanes::Lane;
use crate::{element_bits, set_element_bits, table};

/// The size in bytes of a buffer between stages. A block and its buffers stay in the first-level cache.
const LARGE: usize = 4096;
/// The same for short inputs, which would not repay clearing large buffers.
const SMALL: usize = 256;

/// The number of elements, and the sizes of an element in the input and in the output.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) count: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether the kernels take the processor about as long as the memory access, or longer. On AMD processors, its own
    /// prefetching suffices in that case, and streaming the blocks past the caches would only delay the kernels.
    /// Measured on one of Zen 1: float64 to uint8 takes 2.2 times as long as `memcpy` with streaming, and 1.95 times
    /// without it. By contrast, int64 to uint32 takes 1.4 times as long with streaming, and 1.7 times without it.
    pub(super) is_slow: bool,
}

impl Extent {
    /// Returns whether the speed is determined by the memory rather than by the caches.
    fn is_uncached(self) -> bool {
        self.count * (self.from + self.to) > UNCACHED
    }
}

/// The blocks of an input and an output.
struct Blocks<'a> {
    extent: Extent,
    input: &'a [u8],
    output: &'a mut [u8],
    outlet: Outlet,
}

impl<'a> Blocks<'a> {
    fn new(extent: Extent, input: &'a [u8], output: &'a mut [u8]) -> Self {
        let outlet = Outlet::of(input.len(), output.len(), extent.is_slow);
        Self {
            extent,
            input,
            output,
            outlet,
        }
    }

    /// Returns a number of elements, or the number that a block of kernels should have if that is less.
    fn longest(&self, elements: usize) -> usize {
        let Extent { from, to, .. } = self.extent;
        elements.min(self.outlet.block() / from.max(to))
    }

    /// Converts all blocks of the given number of elements with `make`. If `make` is in doubt about a block,
    /// `again` converts it, given the index of its first element.
    #[inline(always)]
    fn each(
        mut self,
        block: usize,
        mut make: impl FnMut(&[u8], &mut [u8]) -> bool,
        mut again: impl FnMut(usize, &[u8], &mut [u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Extent { from, to, .. } = self.extent;
        // Without explicit prefetching, nothing would be loaded from memory while quick kernels run.
        let asks = self.extent.is_uncached() && self.outlet.is_near() && !self.extent.is_slow;
        for span in self.outlet.spans(self.output, block * to) {
            let (first, elements) = (span.start / to, span.len() / to);
            let (source, next) = self.input[first * from..].split_at(elements * from);
            let (target, free) = self.output[span.start..].split_at_mut(span.len());
            let next = &next[..next.len().min(source.len())];
            if asks {
                prefetch(next);
                prefetch(&free[..free.len().min(target.len())]);
            }
            let doubts = self.outlet.put(target, next, |target| make(source, target));
            if doubts {
                self.outlet.settle();
                again(first, source, target)?;
            }
        }
        Ok(())
    }
}

/// Runs the codecs on a block, one after the other and element by element.
type Closely<'a> = dyn Fn(&[u8], &mut [u8]) -> Result<(), Fault> + 'a;

/// Another codec of the chain that runs on each block while the block is in the first-level cache. Its data
/// type is the one on its side of the cast, and its kernel preserves the width of the elements.
#[derive(Clone, Copy)]
pub(crate) struct Neighbour<'a> {
    /// Whether the codec comes before the cast.
    pub(crate) is_first: bool,
    /// The kernel. If it raises any flag, `closely` examines the block.
    pub(crate) kernel: &'a (dyn Fn(&[u8], &mut [u8]) -> Flags + 'a),
    /// Runs both codecs, one after the other, on a block about which either of them is in doubt.
    pub(crate) closely: &'a Closely<'a>,
}

/// Casts all elements.
pub(super) fn run(
    level: SimdLevel,
    (cast, plan): (&CastSpec<'_>, Option<&Plan>),
    input: &[u8],
    output: &mut [u8],
    extent: Extent,
) -> Result<(), Fault> {
    let Some(plan) = plan else {
        return without_kernels(cast, input, output, extent);
    };
    if is_copy(cast) {
        output.copy_from_slice(input);
        return Ok(());
    }
    if cast.from == cast.to && cast.map.is_empty() {
        let outlet = Outlet::of(input.len(), output.len(), false);
        let kernel = plan.stages.list()[0];
        let canonical = |source: &[u8], target: &mut [u8]| {
            kernel.run(level, source, target);
        };
        match cast.from {
            _ if !outlet.streams() => {}
            DataType::Float16 => {
                let is_nan = |bits: u16| bits & 0x7fff > 0x7c00;
                return run_same(is_nan, canonical, outlet, input, output);
            }
            DataType::Float32 => return run_same(f32::is_nan, canonical, outlet, input, output),
            DataType::Float64 => return run_same(f64::is_nan, canonical, outlet, input, output),
            _ => {}
        }
    }
    if let Some(whole) = &plan.whole {
        return run_whole(
            |source, target| whole.run(level, source, target),
            input,
            output,
            extent,
            |first, source, target| {
                by_element(cast, source, target, 0..source.len() / extent.from, first)
            },
        );
    }
    run_planned(level, (cast, plan), None, input, output, extent)
}

/// Casts all elements with a plan, and runs a neighbouring codec on the same blocks.
pub(super) fn run_planned(
    level: SimdLevel,
    (cast, plan): (&CastSpec<'_>, &Plan),
    neighbour: Option<Neighbour<'_>>,
    input: &[u8],
    output: &mut [u8],
    extent: Extent,
) -> Result<(), Fault> {
    let job = Job {
        level,
        cast,
        plan,
        neighbour,
        extent,
    };
    if plan.is_single() && neighbour.is_none() {
        job.run_single(input, output)
    } else {
        job.run(input, output)
    }
}

/// Casts all elements with a single kernel that also scales them, or takes them from a map. If the kernel
/// flags a block, `closely` casts its elements one by one, given the index of the first.
pub(super) fn run_whole(
    kernel: impl FnMut(&[u8], &mut [u8]) -> bool,
    input: &[u8],
    output: &mut [u8],
    extent: Extent,
    closely: impl FnMut(usize, &[u8], &mut [u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let blocks = Blocks::new(extent, input, output);
    let block = blocks.longest(LARGE / extent.from.max(extent.to));
    blocks.each(block, kernel, closely)
}

/// Casts floats to their own type while bypassing the caches: copies the blocks before the first NaN, and
/// converts the others with `canonical`.
fn run_same<L: Lane>(
    is_nan: impl Fn(L) -> bool,
    canonical: impl Fn(&[u8], &mut [u8]),
    mut outlet: Outlet,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let is_nan = |bytes: &L::Bytes| is_nan(L::load(*bytes));
    let has_nan = |line: &[u8]| {
        let elements = L::split(line).iter();
        elements.fold(false, |found, bytes| found | is_nan(bytes))
    };
    let mut found = false;
    for span in outlet.spans(output, LARGE) {
        let next = &input[span.end..input.len().min(span.end + LARGE)];
        let (source, target) = (&input[span.clone()], &mut output[span]);
        if !found {
            found = outlet.copy(source, target, next, has_nan);
            if !found {
                continue;
            }
            outlet.settle();
        }
        outlet.put(target, next, |target| canonical(source, target));
    }
    Ok(())
}

fn without_kernels(
    cast: &CastSpec<'_>,
    input: &[u8],
    output: &mut [u8],
    extent: Extent,
) -> Result<(), Fault> {
    let mut first = 0;
    if table::repays(cast.from, extent.count) {
        let entry = |bits| element(cast, bits).ok();
        match table::run((cast.from, input), (cast.to, output), entry) {
            Ok(()) => return Ok(()),
            // `by_element` returns the fault of this element.
            Err(index) => first = index,
        }
    }
    by_element(cast, input, output, first..extent.count, 0)
}

/// Casts elements one by one; `first` is added to the index that a rejection names.
fn by_element(
    cast: &CastSpec<'_>,
    input: &[u8],
    output: &mut [u8],
    elements: core::ops::Range<usize>,
    first: usize,
) -> Result<(), Fault> {
    for index in elements {
        let bits = element(cast, element_bits(cast.from, input, index))
            .map_err(|fault| fault.at_element(first + index))?;
        set_element_bits(cast.to, output, index, bits);
    }
    Ok(())
}

struct Job<'a> {
    level: SimdLevel,
    cast: &'a CastSpec<'a>,
    plan: &'a Plan,
    neighbour: Option<Neighbour<'a>>,
    extent: Extent,
}

/// A buffer between stages.
#[repr(align(64))]
struct Buffer<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Buffer<BYTES> {
    const fn new() -> Self {
        Self([0; BYTES])
    }
}

/// Statistics of earlier blocks, which predict the next ones.
#[derive(Default)]
struct BlockHistory {
    /// The number of alternatives of the plan whose range has been exceeded.
    exceeded: usize,
    /// Whether mapped elements have raised flags.
    flagged: bool,
}

impl Job<'_> {
    /// Converts all elements with the single kernel of the plan, directly from the input to the output.
    fn run_single(&self, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        let Extent {
            count, from, to, ..
        } = self.extent;
        let kernel = self.plan.stages.list()[0];
        let uncached = self.extent.is_uncached();
        let block = if uncached {
            LARGE / from.max(to)
        } else if self.plan.rejected == NO_FLAGS {
            count
        } else {
            // The maximum distance between an error and its discovery.
            4 * LARGE / from.max(to)
        };
        let blocks = Blocks::new(self.extent, input, output);
        let block = blocks.longest(block);
        blocks.each(
            block,
            |source, target| {
                kernel.run(self.level, source, target) & self.plan.rejected != NO_FLAGS
            },
            |first, source, target| self.by_element(first, source, target),
        )
    }

    /// Casts the elements of a block one by one; `first` is added to the index that a rejection names.
    fn by_element(&self, first: usize, source: &[u8], target: &mut [u8]) -> Result<(), Fault> {
        let elements = 0..source.len() / self.extent.from;
        by_element(self.cast, source, target, elements, first)
    }

    /// Converts all elements through buffers.
    fn run(&self, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        if self.extent.count <= SMALL / 8 {
            self.run_by::<SMALL>(input, output)
        } else {
            self.run_by::<LARGE>(input, output)
        }
    }

    #[inline(never)]
    fn run_by<const BYTES: usize>(&self, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        let mut buffers = [const { Buffer::<BYTES>::new() }; 3];
        let mut beside = Buffer::<BYTES>::new();
        let mut history = BlockHistory::default();
        let make = |source: &[u8], target: &mut [u8]| {
            let (flags, doubts);
            match &self.neighbour {
                None => {
                    doubts = NO_FLAGS;
                    flags = self.cast_block(source, &mut buffers, target, &mut history);
                }
                Some(neighbour) if neighbour.is_first => {
                    let between = &mut beside.0[..source.len()];
                    doubts = (neighbour.kernel)(source, between);
                    flags = self.cast_block(between, &mut buffers, target, &mut history);
                }
                Some(neighbour) => {
                    let between = &mut beside.0[..target.len()];
                    flags = self.cast_block(source, &mut buffers, between, &mut history);
                    doubts = (neighbour.kernel)(between, target);
                }
            }
            flags & self.plan.rejected != NO_FLAGS || doubts != NO_FLAGS
        };
        let again = |first, source: &[u8], target: &mut [u8]| match &self.neighbour {
            None => self.by_element(first, source, target),
            Some(neighbour) => (neighbour.closely)(source, target),
        };
        let mut blocks = Blocks::new(self.extent, input, output);
        let mut block = blocks.longest(BYTES / self.widest());
        if self.plan.map.is_some() {
            // It takes too long to begin and to end with short blocks, and to prefetch for long ones at once.
            block = BYTES / self.widest();
            if self.extent.is_slow {
                blocks.outlet = Outlet::NEAR;
            }
        }
        blocks.each(block, make, again)
    }

    /// Casts a block.
    fn cast_block<const BYTES: usize>(
        &self,
        source: &[u8],
        buffers: &mut [Buffer<BYTES>; 3],
        target: &mut [u8],
        history: &mut BlockHistory,
    ) -> Flags {
        match &self.plan.map {
            Some(map) => self.mapped_block(map, source, buffers, target, history),
            None => {
                let [_, between @ ..] = buffers;
                self.block(source, between, target, history)
            }
        }
    }

    /// Casts a block with a scalar map.
    fn mapped_block<const BYTES: usize>(
        &self,
        map: &Map,
        source: &[u8],
        buffers: &mut [Buffer<BYTES>; 3],
        target: &mut [u8],
        history: &mut BlockHistory,
    ) -> Flags {
        if map.is_single() && !history.flagged {
            // The results of mapped elements are overwritten, and often they raise no flag.
            let [_, between @ ..] = &mut *buffers;
            let exceeded = history.exceeded;
            let flags = self.block(source, between, target, history);
            if flags & self.plan.rejected == NO_FLAGS && history.exceeded == exceeded {
                map.put_in(self.level, source, target);
                return flags;
            }
            // Without the mapped elements, the range may suffice.
            history.flagged = true;
            history.exceeded = exceeded;
        }
        let [unmapped, between @ ..] = buffers;
        let plain = &mut unmapped.0[..source.len()];
        let any = map.take_out(self.level, source, plain);
        let flags = self.block(plain, between, target, history);
        if any {
            map.put_in(self.level, source, target);
        }
        flags
    }

    /// Casts a block without mapped elements.
    fn block<const BYTES: usize>(
        &self,
        source: &[u8],
        buffers: &mut [Buffer<BYTES>; 2],
        target: &mut [u8],
        history: &mut BlockHistory,
    ) -> Flags {
        let mut flags = NO_FLAGS;
        let mut alternatives = self.plan.alternatives().skip(history.exceeded).peekable();
        while let Some(stages) = alternatives.next() {
            flags = self.stages(stages, source, buffers, target);
            if flags & RANGE == NO_FLAGS || alternatives.peek().is_none() {
                break;
            }
            history.exceeded += 1;
        }
        flags
    }

    /// Runs a block through all stages.
    fn stages<const BYTES: usize>(
        &self,
        stages: &Stages,
        source: &[u8],
        buffers: &mut [Buffer<BYTES>; 2],
        target: &mut [u8],
    ) -> Flags {
        let elements = source.len() / self.extent.from;
        let Some((last, before)) = stages.list().split_last() else {
            return NO_FLAGS;
        };
        let Some((first, between)) = before.split_first() else {
            return last.run(self.level, source, target);
        };
        let [a, b] = buffers;
        let (mut full, mut free) = (&mut a.0[..], &mut b.0[..]);
        let mut bytes = elements * first.bytes;
        let mut flags = first.run(self.level, source, &mut full[..bytes]);
        for stage in between {
            let written = elements * stage.bytes;
            flags |= stage.run(self.level, &full[..bytes], &mut free[..written]);
            (full, free, bytes) = (free, full, written);
        }
        flags | last.run(self.level, &full[..bytes], target)
    }

    /// Returns the size in bytes of the widest element on the way.
    fn widest(&self) -> usize {
        let Extent { from, to, .. } = self.extent;
        let alternatives = self.plan.alternatives();
        let stages = alternatives.flat_map(|stages| stages.list());
        stages
            .map(|stage| stage.bytes)
            .fold(from.max(to), usize::max)
    }
}
