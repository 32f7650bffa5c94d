//! Gathers the elements that a transform selects from a source that is read in cells. Each cell that contains a
//! selected element is read once.
//!
//! Coordinates that depend on the same dimensions of a transform form a set, and the coordinates of different sets can
//! be combined freely. Therefore the positions of each set are sorted by the cells that contain them. For any number of
//! elements, memory holds only a list for each set and one box of the source.

use std::ops::Range;

use exactum_model::{
    Array as Elements, DataType, Domain, OutputMap, Reason, Rejection, Selected, Source, Transform,
};

use crate::budget::{HELD_BYTES, PIECE_BYTES, SORTED_POSITIONS};
use crate::grid::{Line, shrunk};
use crate::plan::usize_of;

/// Returns what a transform selects from a source whose cells lie between these lines.
pub(crate) fn gather(
    transform: &Transform,
    source: &dyn Source,
    lines: &[Line],
) -> Result<Elements, Rejection> {
    let data_type = source.data_type();
    let domain = transform.domain();
    let mut elements = zeros(data_type, domain)?;
    let width = data_type.element_bytes();
    let gathering = Gathering {
        transform,
        source,
        lines: shrunk(lines, &source.domain(), width as u64),
        sets: sets(transform),
        strides: strides(domain.shape(), 1),
        width,
    };
    if !domain.is_empty() {
        gathering.part(domain, &mut elements)?;
    }
    Elements::new(data_type, domain.shape().to_vec(), elements)
}

/// Allocates the elements of a box, unless they are too many to be held.
pub(crate) fn zeros(data_type: DataType, region: &Domain) -> Result<Vec<u8>, Rejection> {
    let size = Elements::bytes_of(data_type, region.shape())?;
    if size <= HELD_BYTES {
        return Ok(vec![0; usize_of(size)]);
    }
    let message = format!(
        "the {size} bytes of {region} are more than {HELD_BYTES}, and cannot be read at once"
    );
    Err(Rejection::new(Reason::Shape, "downsample.limit", message)
        .help("read its parts one after another"))
}

/// Coordinates of the source, given by their dimensions, and the dimensions of the transform on which all of
/// them depend.
#[derive(Default)]
struct Set {
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

/// Returns the sets of a transform, in which every dimension occurs once.
fn sets(transform: &Transform) -> Vec<Set> {
    let mut sets: Vec<Set> = (0..transform.domain().rank())
        .map(|input| Set {
            inputs: vec![input],
            outputs: Vec::new(),
        })
        .collect();
    for (output, map) in transform.output().iter().enumerate() {
        let inputs: Vec<usize> = match &map.selected {
            Selected::Dimension(input) if map.stride != 0 => vec![*input],
            Selected::Dimension(_) | Selected::Nothing => Vec::new(),
            Selected::Indices(indices) => {
                let extents = indices.shape.iter().enumerate();
                let long = extents.filter(|&(_, &extent)| extent != 1);
                long.map(|(input, _)| input).collect()
            }
        };
        let mut whole = Set {
            inputs: Vec::new(),
            outputs: vec![output],
        };
        sets.retain_mut(|set| {
            let meets = set.inputs.iter().any(|input| inputs.contains(input));
            if meets {
                whole.inputs.append(&mut set.inputs);
                whole.outputs.append(&mut set.outputs);
            }
            !meets
        });
        whole.inputs.sort_unstable();
        whole.outputs.sort_unstable();
        sets.push(whole);
    }
    sets
}

struct Gathering<'a> {
    transform: &'a Transform,
    source: &'a dyn Source,
    lines: Vec<Line>,
    sets: Vec<Set>,
    /// The strides of the result, counted in elements.
    strides: Vec<usize>,
    width: usize,
}

/// The positions of a set: the coordinates of each, in sequence, and the place of its elements in the result.
struct Listed {
    coordinates: Vec<i64>,
    places: Vec<usize>,
    groups: Vec<Group>,
}

/// Positions whose elements are read together.
struct Group {
    /// The range of their entries in the list.
    entries: Range<usize>,
    /// The range from the first to the last value of each coordinate.
    hull: Vec<Range<i64>>,
}

impl Gathering<'_> {
    /// Gathers some of the positions.
    fn part(&self, part: &Domain, elements: &mut [u8]) -> Result<(), Rejection> {
        if let Some(halves) = self.halves(part) {
            return halves.iter().try_for_each(|half| self.part(half, elements));
        }
        let mut lists: Vec<Listed> = self.sets.iter().map(|set| self.list(set, part)).collect();
        self.merge(&mut lists);
        let counts = lists.iter().map(|list| list.groups.len());
        let mut chosen = vec![0; lists.len()];
        let counts: Vec<usize> = counts.collect();
        loop {
            self.group(&lists, &chosen, elements)?;
            // The next combination advances the last list first.
            let Some(at) = (0..chosen.len()).rfind(|&at| chosen[at] + 1 < counts[at]) else {
                return Ok(());
            };
            chosen[at] += 1;
            chosen[at + 1..].fill(0);
        }
    }

    /// Returns the two halves of positions that are too many to be sorted.
    fn halves(&self, part: &Domain) -> Option<[Domain; 2]> {
        let count = |set: &Set| {
            let extents = set.inputs.iter().map(|&input| part.shape()[input]);
            extents.fold(1, u64::saturating_mul)
        };
        let set = self.sets.iter().find(|set| count(set) > SORTED_POSITIONS)?;
        let input = set
            .inputs
            .iter()
            .copied()
            .max_by_key(|&it| part.shape()[it])?;
        let whole = part.interval(input);
        let middle = self.middle(set, whole.clone());
        Some([whole.start..middle, middle..whole.end].map(|half| {
            let intervals = part.intervals().enumerate();
            Domain::of_intervals(
                intervals.map(|(at, own)| if at == input { half.clone() } else { own }),
            )
        }))
    }

    /// Returns where to divide positions: between two cells if their coordinates are those of a single
    /// dimension.
    fn middle(&self, set: &Set, whole: Range<i64>) -> i64 {
        let middle = whole
            .start
            .saturating_add_unsigned(whole.end.abs_diff(whole.start) / 2);
        let [output] = set.outputs[..] else {
            return middle;
        };
        let map = &self.transform.output()[output];
        let cell = |at: i64| self.lines[output].cell(along(map, at));
        if !matches!(map.selected, Selected::Dimension(_)) {
            return middle;
        }
        // Coordinates rise or fall monotonically, and so do cells: the result is the first position of the
        // middle cell, or of the next one.
        let own = cell(middle);
        let starts_before = cell(whole.start) == own;
        let (mut before, mut within) = match starts_before {
            false => (whole.start, middle),
            true if cell(whole.end - 1) != own => (middle, whole.end - 1),
            true => return middle,
        };
        while within.abs_diff(before) > 1 {
            let at = before.saturating_add_unsigned(within.abs_diff(before) / 2);
            if (cell(at) == own) == starts_before {
                before = at;
            } else {
                within = at;
            }
        }
        within
    }

    /// Returns the positions of a set, sorted by the cells that contain them.
    fn list(&self, set: &Set, part: &Domain) -> Listed {
        let whole = self.transform.domain();
        let maps = self.transform.output();
        let count = set.outputs.len();
        let is_indexed = |&output: &usize| matches!(maps[output].selected, Selected::Indices(_));
        let is_indexed = set.outputs.iter().any(is_indexed);
        let own = Domain::of_intervals(set.inputs.iter().map(|&input| part.interval(input)));
        let (mut coordinates, mut places) = (Vec::new(), Vec::new());
        let mut position = part.origin().to_vec();
        for own in own.positions() {
            for (&input, at) in set.inputs.iter().zip(own) {
                position[input] = at;
            }
            let steps = set.inputs.iter().map(|&input| {
                let step = position[input].abs_diff(whole.origin()[input]);
                usize_of(step) * self.strides[input]
            });
            places.push(steps.sum::<usize>());
            if is_indexed {
                let all = self.transform.apply(&position);
                coordinates.extend(set.outputs.iter().map(|&output| all[output]));
            } else {
                coordinates.extend(
                    set.outputs
                        .iter()
                        .map(|&output| match maps[output].selected {
                            Selected::Dimension(input) => along(&maps[output], position[input]),
                            _ => maps[output].offset,
                        }),
                );
            }
        }
        let of = |entry: usize| &coordinates[entry * count..][..count];
        let cells = |entry: usize| {
            let lines = set.outputs.iter().map(|&output| self.lines[output]);
            lines.zip(of(entry)).map(|(line, &at)| line.cell(at))
        };
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by(|&one, &other| cells(one).cmp(cells(other)).then(one.cmp(&other)));
        let mut groups = Vec::new();
        let mut start = 0;
        for run in order.chunk_by(|&one, &other| cells(one).eq(cells(other))) {
            let hull = (0..count).map(|at| {
                let along = run.iter().map(|&entry| of(entry)[at]);
                let (first, last) = along.fold((i64::MAX, i64::MIN), |(first, last), it| {
                    (first.min(it), last.max(it))
                });
                first..last.saturating_add(1)
            });
            groups.push(Group {
                entries: start..start + run.len(),
                hull: hull.collect(),
            });
            start += run.len();
        }
        Listed {
            coordinates: order.iter().flat_map(|&entry| of(entry)).copied().collect(),
            places: order.iter().map(|&entry| places[entry]).collect(),
            groups,
        }
    }

    /// Merges neighbours while the amount that is read at a time stays small. The last dimensions are merged
    /// first, so that each read is a run of rows.
    fn merge(&self, lists: &mut [Listed]) {
        let mut extents = vec![1u64; self.lines.len()];
        let longest = |list: &Listed, at: usize| {
            let groups = list.groups.iter().map(|group| &group.hull[at]);
            let extents = groups.map(|hull| hull.end.abs_diff(hull.start));
            extents.max().unwrap_or(1)
        };
        for (set, list) in self.sets.iter().zip(&*lists) {
            for (at, &output) in set.outputs.iter().enumerate() {
                extents[output] = longest(list, at);
            }
        }
        for output in (0..extents.len()).rev() {
            let Some(at) = self.sets.iter().position(|set| set.outputs == [output]) else {
                continue;
            };
            let others = extents.iter().enumerate().filter(|(it, _)| *it != output);
            let row = others.fold(self.width as u64, |row, (_, &extent)| {
                row.saturating_mul(extent)
            });
            let most = PIECE_BYTES / row.max(1);
            let line = self.lines[output];
            let list = &mut lists[at];
            list.groups.dedup_by(|next, before| {
                let (own, other) = (&before.hull[0], &next.hull[0]);
                let is_next = line.cell(own.end - 1).checked_add(1) == Some(line.cell(other.start));
                let fits = is_next && other.end.abs_diff(own.start) <= most;
                if fits {
                    before.hull[0].end = other.end;
                    before.entries.end = next.entries.end;
                }
                fits
            });
            extents[output] = longest(list, 0);
        }
    }

    /// Reads the box of one group of each list, and copies its elements to their places.
    fn group(
        &self,
        lists: &[Listed],
        chosen: &[usize],
        elements: &mut [u8],
    ) -> Result<(), Rejection> {
        let mut intervals = vec![0..1; self.lines.len()];
        let groups = lists.iter().zip(chosen).map(|(list, &at)| &list.groups[at]);
        let groups: Vec<&Group> = groups.collect();
        for (set, group) in self.sets.iter().zip(&groups) {
            for (&output, hull) in set.outputs.iter().zip(&group.hull) {
                intervals[output] = hull.clone();
            }
        }
        let held = Domain::of_intervals(intervals);
        let read = self.source.read(&held)?;
        let strides = strides(held.shape(), self.width);
        let mut moves: Vec<Vec<(usize, usize)>> = Vec::new();
        for ((set, group), list) in self.sets.iter().zip(groups).zip(lists) {
            let entries = group.entries.clone();
            let count = set.outputs.len();
            moves.push(
                entries
                    .map(|entry| {
                        let own = &list.coordinates[entry * count..][..count];
                        let steps = set.outputs.iter().zip(own).map(|(&output, &at)| {
                            usize_of(at.abs_diff(held.origin()[output])) * strides[output]
                        });
                        (steps.sum(), list.places[entry] * self.width)
                    })
                    .collect(),
            );
        }
        // The longest list comes last, because it is traversed in one go.
        moves.sort_by_key(Vec::len);
        let put = match self.width {
            1 => put::<1>,
            2 => put::<2>,
            4 => put::<4>,
            8 => put::<8>,
            _ => put::<16>,
        };
        put(&moves, 0, 0, read.data(), elements);
        Ok(())
    }
}

/// Returns the coordinate of a position along the dimension on which a map depends.
fn along(map: &OutputMap, at: i64) -> i64 {
    let exact = i128::from(map.offset) + i128::from(map.stride) * i128::from(at);
    i64::try_from(exact).unwrap_or(map.offset)
}

/// Copies elements of `WIDTH` bytes, for each combination of moves.
fn put<const WIDTH: usize>(
    moves: &[Vec<(usize, usize)>],
    from: usize,
    to: usize,
    source: &[u8],
    elements: &mut [u8],
) {
    match moves {
        [] => elements[to..to + WIDTH].copy_from_slice(&source[from..from + WIDTH]),
        [last] => {
            let (source, elements) = (&source[from..], &mut elements[to..]);
            for &(from, to) in last {
                elements[to..to + WIDTH].copy_from_slice(&source[from..from + WIDTH]);
            }
        }
        [first, rest @ ..] => {
            for &(own_from, own_to) in first {
                put::<WIDTH>(rest, from + own_from, to + own_to, source, elements);
            }
        }
    }
}

/// Returns the distances between neighbours along each dimension.
fn strides(shape: &[u64], width: usize) -> Vec<usize> {
    let mut strides = vec![width; shape.len()];
    let mut stride = width;
    for (own, &extent) in strides.iter_mut().zip(shape).rev() {
        *own = stride;
        stride = stride.saturating_mul(usize_of(extent));
    }
    strides
}

#[cfg(test)]
mod tests;
