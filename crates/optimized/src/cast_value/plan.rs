//! The choice of the kernels for a cast.

use exactum_model::{CastSpec, DataType, Format, MapEntry, OutOfRange};

use super::entry::OfBits;
use super::float16::widen_float16;
use super::map::Map;
use super::scaled::Scaled;
use super::small::{Bfloat16ToFloat32, PowerToFloat32, Small, SmallToFloat32, WidenSubByte};
use crate::arch::{Flags, INVALID, NO_FLAGS, RANGE, SimdLevel};

/// A kernel, with a description of its elements.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    kernel: KernelOfStage,
    /// The number of bytes of one element of the output.
    pub(super) bytes: usize,
    /// The small float that it reads or writes, if there is one.
    small: Small,
    /// The bits of an element that a kernel of a map replaces by the output.
    pub(super) key: u64,
    /// What becomes of the key, or of NaN: the bits of the default NaN, or of the output of an entry.
    pub(super) output: u64,
}

/// Converts a block with the constants of a stage.
type KernelOfStage = fn(SimdLevel, &Stage, &[u8], &mut [u8]) -> Flags;

impl Stage {
    /// Returns a stage whose elements of `bytes` bytes are numbers of float16, float32 or float64, or are not floats.
    pub(super) fn new(bytes: usize, kernel: KernelOfStage) -> Self {
        let output = match bytes {
            2 => 0x7e00,
            4 => 0x7fc0_0000,
            _ => 0x7ff8_0000_0000_0000,
        };
        Self {
            kernel,
            bytes,
            small: Small::default(),
            key: 0,
            output,
        }
    }

    fn of_small(self, small: Small) -> Self {
        Self { small, ..self }
    }

    /// Returns the stage with an entry of a map, whose key is NaN if the source is a float.
    fn with_entry(self, entry: &MapEntry) -> Self {
        Self {
            key: entry.input,
            output: entry.output,
            ..self
        }
    }

    /// Runs the kernel.
    pub(super) fn run(&self, level: SimdLevel, source: &[u8], target: &mut [u8]) -> Flags {
        (self.kernel)(level, self, source, target)
    }
}

/// Kernels that run one after another; at most [`MAX_STAGES`].
#[derive(Clone, Copy)]
pub(super) struct Stages {
    list: [Stage; MAX_STAGES],
    count: usize,
}

pub(super) const MAX_STAGES: usize = 4;

impl Stages {
    fn one(stage: Stage) -> Self {
        Self {
            list: [stage; MAX_STAGES],
            count: 1,
        }
    }

    fn after(stage: Stage, rest: Self) -> Self {
        let mut all = Self::one(stage);
        all.list[1..].copy_from_slice(&rest.list[..MAX_STAGES - 1]);
        all.count += rest.count;
        all
    }

    fn and_then(mut self, rest: Self) -> Self {
        for stage in rest.list() {
            self = self.before(*stage);
        }
        self
    }

    fn before(mut self, stage: Stage) -> Self {
        self.list[self.count] = stage;
        self.count += 1;
        self
    }

    pub(super) fn list(&self) -> &[Stage] {
        &self.list[..self.count]
    }
}

/// The plan of a cast between data types that have kernels.
#[derive(Clone)]
pub(crate) struct Plan {
    /// The stages.
    pub(super) stages: Stages,
    /// The flags that mean a rejection.
    pub(super) rejected: Flags,
    /// The stages for blocks in which the previous ones flagged [`RANGE`]: those that wrap, or that examine
    /// the values more closely.
    pub(super) fallback: [Option<Stages>; 2],
    /// The scalar map.
    pub(super) map: Option<Map>,
    /// A single kernel from floats into integers that does everything, including the map.
    pub(super) whole: Option<Scaled>,
}

macro_rules! stage {
    ($bytes:expr, $kernel:expr) => {
        Stage::new($bytes, |level, _, source, target| {
            level.run(&$kernel, source, target)
        })
    };
    // A kernel that is made from the constants of the stage.
    ($bytes:expr, $stage:ident => $kernel:expr) => {
        Stage::new($bytes, |level, $stage, source, target| {
            level.run(&$kernel, source, target)
        })
    };
}

/// Names the Rust type of an integer data type.
macro_rules! with_integer {
    ($data_type:expr, $name:ident => $body:expr) => {
        with_integer!($data_type, $name => $body;
            Int8 i8, Int16 i16, Int32 i32, Int64 i64,
            Uint8 u8, Uint16 u16, Uint32 u32, Uint64 u64)
    };
    ($data_type:expr, $name:ident => $body:expr; $($variant:ident $type:ident),*) => {
        match $data_type {
            $(DataType::$variant => {
                type $name = $type;
                Some($body)
            })*
            _ => None,
        }
    };
}

/// Turns a rounding mode, and whether to check, into constants.
macro_rules! with_mode {
    ($rounding:expr, $check:expr, $mode:ident, $constant:ident => $body:expr) => {
        if $check {
            const $constant: bool = true;
            with_mode!($rounding, $mode => $body)
        } else {
            const $constant: bool = false;
            with_mode!($rounding, $mode => $body)
        }
    };
    ($rounding:expr, $mode:ident => $body:expr) => {
        with_mode!($rounding, $mode => $body;
            NearestEven, TowardsZero, TowardsPositive, TowardsNegative, NearestAway)
    };
    ($rounding:expr, $mode:ident => $body:expr; $($variant:ident),*) => {
        match $rounding {
            $(Rounding::$variant => {
                const $mode: u8 = mode::of(Rounding::$variant);
                $body
            })*
        }
    };
}

mod floats;
mod integers;
mod keyed;

use floats::{
    common_to_float16, integer_to_float16, to_float, to_float_fast, to_small_float,
    to_small_float_fast,
};
use integers::{
    float_to_integer, float_to_residue, integer_to_integer, low_bits, short_to_integer,
    through_int32, to_common_64,
};
use keyed::keyed;

impl Plan {
    /// Returns the stages and those after them, in the order in which they are tried.
    pub(super) fn alternatives(&self) -> impl Iterator<Item = &Stages> {
        core::iter::once(&self.stages).chain(self.fallback.iter().flatten())
    }

    /// Returns whether a single kernel does everything.
    pub(super) fn is_single(&self) -> bool {
        self.stages.count == 1 && self.fallback[0].is_none() && self.map.is_none()
    }

    /// Returns the plan of a cast, or `None` if a data type lacks kernels, or if the keys of the map require
    /// the path for single elements.
    pub(crate) fn of(cast: &CastSpec<'_>) -> Option<Self> {
        let mut plan = Self::without_map(cast)?;
        if cast.map.is_empty() {
            return Some(plan);
        }
        // A key with bits that its data type lacks matches nothing or, in a float, by its other bits, and the
        // same applies to the elements of a small type. Only the path for single elements handles that.
        let format = cast.from.format();
        let whole = format.component_bits().is_multiple_of(8);
        let small = !whole || cast.from.element_bytes() == 1 && format.float().is_some();
        let mask = format.component_mask();
        if small || cast.map.iter().any(|entry| entry.input > mask) {
            return None;
        }
        if let Some(plan) = plan.with_entry(cast) {
            return Some(plan);
        }
        plan.map = Map::of(cast);
        plan.whole = Scaled::of(cast, None);
        Some(plan)
    }

    /// Returns the plan of a cast whose kernels also apply its map, given the plan without it; `None` if there are no
    /// such kernels, or if the map does not have exactly one entry.
    fn with_entry(&self, cast: &CastSpec<'_>) -> Option<Self> {
        let (from, to) = (cast.from, cast.to);
        let [entry] = cast.map else {
            return None;
        };
        if is_float(from) && is_float(to) {
            let (source, target) = (from.format().float()?, to.format().float()?);
            // The instruction that narrows to float16 changes other NaNs.
            let stays = to != DataType::Float16
                || !target.is_nan(entry.output)
                || target.nan_bits() == Some(entry.output);
            return (source.is_nan(entry.input) && stays).then(|| {
                let mut plan = self.clone();
                plan.put_entry(entry, |stages| stages.count - 1);
                plan
            });
        }
        let mut plan = if to == DataType::Float16 {
            // The kernels multiply numbers, which takes processors long if the product is subnormal.
            let (float, output) = (to.format().float()?, entry.output);
            let infinity = float.infinity_bits()?;
            let field = output & infinity;
            if field == infinity || field == 0 && !float.is_zero(output) {
                return None;
            }
            let all = integer_to_float16::<true>(from, cast.rounding)?;
            let common = common_to_float16::<true>(from, cast.rounding);
            Self::of_common(common, all, self.rejected)
        } else {
            Self::new(Stages::one(keyed(cast)?), NO_FLAGS, [None; 2])
        };
        plan.put_entry(entry, |_| 0);
        Some(plan)
    }

    /// Gives an entry to the stage of each alternative that applies it.
    fn put_entry(&mut self, entry: &MapEntry, stage: fn(&Stages) -> usize) {
        for stages in core::iter::once(&mut self.stages).chain(self.fallback.iter_mut().flatten()) {
            let index = stage(stages);
            stages.list[index] = stages.list[index].with_entry(entry);
        }
    }

    /// Returns the plan of stages without a map.
    fn new(stages: Stages, rejected: Flags, fallback: [Option<Stages>; 2]) -> Self {
        Self {
            stages,
            rejected,
            fallback,
            map: None,
            whole: None,
        }
    }

    /// Returns a plan that uses the stages for common elements first, if there are any, and otherwise those
    /// for all elements.
    fn of_common(common: Option<Stages>, all: Stages, rejected: Flags) -> Self {
        match common {
            Some(common) => Self::new(common, rejected, [Some(all), None]),
            None => Self::new(all, rejected, [None; 2]),
        }
    }

    fn without_map(cast: &CastSpec<'_>) -> Option<Self> {
        let (from, to, rounding) = (cast.from, cast.to, cast.rounding);
        let clamps = cast.out_of_range == Some(OutOfRange::Clamp);
        let wraps = cast.out_of_range == Some(OutOfRange::Wrap);
        if to.format().float().is_some() {
            // Wrapping into a float counts as absent (cast_value.range.wrap-into-float).
            let beyond = if clamps { NO_FLAGS } else { RANGE };
            if !is_float(to) {
                let stages = to_small_float(from, to, rounding)?;
                return Some(Self::of_common(
                    to_small_float_fast(from, to, rounding, !clamps),
                    stages,
                    beyond | INVALID,
                ));
            }
            let stages = to_float(from, to, rounding, !clamps)?;
            let fast = to_float_fast(from, to, rounding, !clamps);
            return Some(Self::of_common(fast, stages, beyond));
        }
        if from.format().float().is_none() {
            // If the target contains all values of the source, every rule does the same.
            let rule = if contains(from, to) {
                Some(OutOfRange::Wrap)
            } else {
                cast.out_of_range
            };
            let rejected = if rule.is_none() { RANGE } else { NO_FLAGS };
            return Some(Self::new(
                integer_to_integer(from, to, rule)?,
                rejected,
                [None; 2],
            ));
        }
        if is_short(from) {
            let stages = short_to_integer(from, to, rounding, cast.out_of_range)?;
            let beyond = if clamps || wraps { NO_FLAGS } else { RANGE };
            return Some(Self::new(stages, beyond | INVALID, [None; 2]));
        }
        let common = to_common_64(from, to, rounding);
        if !wraps {
            let rejected = if clamps { INVALID } else { RANGE };
            let stages = float_to_integer(from, to, rounding, cast.out_of_range)?;
            return Some(Self::of_common(common, stages, rejected));
        }
        let residue = float_to_residue(from, to, rounding)?;
        if common.is_some() {
            return Some(Self::of_common(common, residue, INVALID));
        }
        Some(match (low_bits(from, to, rounding), from) {
            (None, _) => {
                let stages = float_to_integer(from, to, rounding, None)?;
                Self::new(stages, INVALID, [Some(residue), None])
            }
            (Some(stages), DataType::Float64) => Self::new(stages, INVALID, [Some(residue), None]),
            (Some(stages), _) => {
                let longer = through_int32(from, to, rounding)?;
                Self::new(stages, INVALID, [Some(longer), Some(residue)])
            }
        })
    }
}

fn is_float(data_type: DataType) -> bool {
    matches!(
        data_type,
        DataType::Float16 | DataType::Float32 | DataType::Float64
    )
}

/// Returns whether the finite numbers of a float type are among those of float16.
fn is_short(data_type: DataType) -> bool {
    let format = data_type.format();
    let float = format.float();
    float.is_some_and(|float| float.exponent_bits <= 5 && float.bits() <= 16)
}

/// Returns whether an integer type contains all values of another.
fn contains(from: DataType, to: DataType) -> bool {
    match (from.format(), to.format()) {
        (Format::Integer(from), Format::Integer(to)) => {
            to.min() <= from.min() && from.max() <= to.max()
        }
        _ => false,
    }
}

/// Returns whether a cast leaves all bytes unchanged.
pub(super) fn is_copy(cast: &CastSpec<'_>) -> bool {
    let (Format::Integer(from), Format::Integer(to)) = (cast.from.format(), cast.to.format())
    else {
        return false;
    };
    let wraps = cast.out_of_range == Some(OutOfRange::Wrap);
    let same = from.bits == to.bits && from.bits.is_multiple_of(8);
    same && cast.map.is_empty() && (wraps || from.signed == to.signed)
}

/// Returns the byte type of a sub-byte integer.
fn byte_of(data_type: DataType) -> Option<DataType> {
    match data_type {
        DataType::Int2 | DataType::Int4 => Some(DataType::Int8),
        DataType::Uint2 | DataType::Uint4 => Some(DataType::Uint8),
        _ => None,
    }
}

/// Returns the stage from a sub-byte integer to a byte.
fn widen_sub_byte(from: DataType) -> Option<Stage> {
    Some(match from {
        DataType::Int2 => stage!(1, WidenSubByte::<i8, 2>::NEW),
        DataType::Int4 => stage!(1, WidenSubByte::<i8, 4>::NEW),
        DataType::Uint2 => stage!(1, WidenSubByte::<u8, 2>::NEW),
        DataType::Uint4 => stage!(1, WidenSubByte::<u8, 4>::NEW),
        _ => return None,
    })
}

/// Returns the stage from a float of at most 16 bits to float32.
fn widened(from: DataType) -> Option<Stage> {
    match from {
        DataType::Float16 => Some(Stage::new(4, |level, stage, source, target| {
            widen_float16(level, u32::of(stage.output), source, target)
        })),
        DataType::Bfloat16 => Some(stage!(4, Bfloat16ToFloat32)),
        DataType::Float8E8m0fnu => Some(stage!(4, PowerToFloat32)),
        _ => {
            let stage = stage!(4, stage => SmallToFloat32(stage.small));
            Some(stage.of_small(Small::of(&from.format().float()?)?))
        }
    }
}
