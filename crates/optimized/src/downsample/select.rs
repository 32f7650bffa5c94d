//! Selects the elements that a transform requests, without computing any others.

use alloc::vec::Vec;
use core::ops::Range;

use exactum_model::{Array, Domain, Indices, OutputMap, Rejection, Selected, Source, Transform};

/// Returns the element at each position of a transform: the element of the view at the position to which the
/// transform maps it.
///
/// If no two coordinates depend on the same dimension, the required positions are all combinations of the
/// required coordinates: each box of neighbours is read once, and then the elements are copied to their
/// places. A diagonal is read position by position.
pub(super) fn select(transform: &Transform, view: &dyn Source) -> Result<Array, Rejection> {
    let data_type = view.data_type();
    let shape = transform.domain().shape().to_vec();
    let bytes = Array::bytes_of(data_type, &shape)?;
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    if bytes == 0 {
        return Array::new(data_type, shape, Vec::new());
    }
    let mut output = Vec::with_capacity(bytes);
    if !is_independent(transform) {
        for position in transform.domain().positions() {
            let from = transform.apply(&position).into_iter();
            let region = Domain::of_intervals(from.map(|at| at..at + 1));
            output.extend_from_slice(view.read(&region)?.data());
        }
        return Array::new(data_type, shape, output);
    }
    let maps = transform.output().iter();
    let coordinates: Vec<Vec<i64>> = maps.map(|map| needed(map, transform.domain())).collect();
    let needed = read(&coordinates, view)?;
    let places = places(transform, &coordinates, data_type.element_bytes());
    put(
        &shape,
        &places,
        data_type.element_bytes(),
        &needed,
        &mut output,
    );
    Array::new(data_type, shape, output)
}

/// Returns the dimensions on which a map depends: one for each extent that is not 1.
fn dimensions(map: &OutputMap) -> Vec<usize> {
    match &map.selected {
        Selected::Nothing => Vec::new(),
        Selected::Dimension(dimension) => vec![*dimension],
        Selected::Indices(indices) => {
            let extents = indices.shape.iter().enumerate();
            let long = extents.filter(|&(_, &extent)| extent != 1);
            long.map(|(dimension, _)| dimension).collect()
        }
    }
}

fn is_independent(transform: &Transform) -> bool {
    let mut seen = Vec::new();
    let mut all = transform.output().iter().flat_map(dimensions);
    all.all(|dimension| {
        let new = !seen.contains(&dimension);
        seen.push(dimension);
        new
    })
}

/// Returns the coordinate of each value that a map selects; [`Transform::require`] guarantees that they are
/// in the view.
fn coordinate(map: &OutputMap, selected: i64) -> i64 {
    let exact = i128::from(map.offset) + i128::from(map.stride) * i128::from(selected);
    i64::try_from(exact).unwrap_or(map.offset)
}

/// Returns all coordinates of a map, one for each position in the dimensions on which it depends.
fn all(map: &OutputMap, domain: &Domain) -> Vec<i64> {
    match &map.selected {
        Selected::Nothing => vec![map.offset],
        Selected::Dimension(dimension) => {
            let own = domain.interval(*dimension);
            own.map(|selected| coordinate(map, selected)).collect()
        }
        Selected::Indices(Indices { values, .. }) => {
            let values = values.iter();
            values.map(|&selected| coordinate(map, selected)).collect()
        }
    }
}

/// Returns the distinct coordinates of a map, in order.
fn needed(map: &OutputMap, domain: &Domain) -> Vec<i64> {
    let mut coordinates = all(map, domain);
    coordinates.sort_unstable();
    coordinates.dedup();
    coordinates
}

/// Reads all combinations of coordinates, in C order.
fn read(coordinates: &[Vec<i64>], view: &dyn Source) -> Result<Vec<u8>, Rejection> {
    let data_type = view.data_type();
    let width = data_type.element_bytes();
    let extents: Vec<usize> = coordinates.iter().map(Vec::len).collect();
    let strides = strides(&extents, width);
    let mut output = vec![0; extents.iter().product::<usize>() * width];
    // Runs of consecutive coordinates along each dimension, given by their places among the coordinates.
    let runs: Vec<Vec<Range<usize>>> = coordinates.iter().map(|list| runs(list)).collect();
    let boxes = Domain::of_intervals(
        runs.iter()
            .map(|runs| 0..i64::try_from(runs.len()).unwrap_or(i64::MAX)),
    );
    for combination in boxes.positions() {
        let parts: Vec<&Range<usize>> = combination
            .iter()
            .zip(&runs)
            .map(|(&index, runs)| &runs[usize::try_from(index).unwrap_or_default()])
            .collect();
        let region = Domain::of_intervals(
            parts
                .iter()
                .zip(coordinates)
                .map(|(part, list)| list[part.start]..list[part.end - 1] + 1),
        );
        let elements = view.read(&region)?;
        // The elements are copied row by row to their places.
        let (row, outer) = match parts.split_last() {
            Some((last, outer)) => (last.len(), outer),
            None => (1, &parts[..]),
        };
        let first: usize = parts
            .iter()
            .zip(&strides)
            .map(|(part, s)| part.start * s)
            .sum();
        let lengths = outer
            .iter()
            .map(|part| i64::try_from(part.len()).unwrap_or(i64::MAX));
        let rows = Domain::of_intervals(lengths.map(|length| 0..length));
        let sources = elements.data().chunks_exact(row * width);
        for (position, source) in rows.positions().zip(sources) {
            let steps = position.iter().zip(&strides);
            let steps = steps.map(|(&at, stride)| usize::try_from(at).unwrap_or_default() * stride);
            let start = first + steps.sum::<usize>();
            output[start..start + row * width].copy_from_slice(source);
        }
    }
    Ok(output)
}

/// Splits an ascending list wherever numbers are missing.
fn runs(list: &[i64]) -> Vec<Range<usize>> {
    let mut start = 0;
    list.chunk_by(|a, b| a + 1 == *b)
        .map(|run| {
            let range = start..start + run.len();
            start = range.end;
            range
        })
        .collect()
}

fn strides(extents: &[usize], width: usize) -> Vec<usize> {
    let mut stride = width;
    let mut strides = vec![width; extents.len()];
    for (place, extent) in strides.iter_mut().zip(extents).rev() {
        *place = stride;
        stride *= extent;
    }
    strides
}

/// The offset in bytes that a map adds to an element, by the position in the dimensions on which it depends:
/// the strides of the list along each of the transform's dimensions, and the list.
struct Places {
    strides: Vec<usize>,
    list: Vec<usize>,
}

fn places(transform: &Transform, coordinates: &[Vec<i64>], width: usize) -> Vec<Places> {
    let extents: Vec<usize> = coordinates.iter().map(Vec::len).collect();
    let steps = strides(&extents, width);
    let domain = transform.domain();
    let maps = transform.output().iter().zip(coordinates).zip(steps);
    maps.map(|((map, coordinates), step)| {
        let place = |at: i64| coordinates.binary_search(&at).unwrap_or_default() * step;
        let mut own = vec![0; domain.rank()];
        match &map.selected {
            Selected::Nothing => {}
            Selected::Dimension(dimension) => own[*dimension] = 1,
            Selected::Indices(indices) => {
                let extents = indices.shape.iter().map(|&extent| usize::try_from(extent));
                let extents: Vec<usize> = extents.map(|e| e.unwrap_or(usize::MAX)).collect();
                let along = strides(&extents, 1);
                for ((own, along), extent) in own.iter_mut().zip(along).zip(extents) {
                    *own = if extent == 1 { 0 } else { along };
                }
            }
        }
        Places {
            strides: own,
            list: all(map, domain).into_iter().map(place).collect(),
        }
    })
    .collect()
}

/// Copies every element to its place.
fn put(shape: &[u64], places: &[Places], width: usize, needed: &[u8], output: &mut Vec<u8>) {
    let rank = shape.len();
    let mut position = vec![0; rank];
    let mut at = vec![0; places.len()];
    'elements: loop {
        let lists = places.iter().zip(&at);
        let place: usize = lists.map(|(places, &at)| places.list[at]).sum();
        output.extend_from_slice(&needed[place..place + width]);
        for dimension in (0..rank).rev() {
            position[dimension] += 1;
            for (at, places) in at.iter_mut().zip(places) {
                *at += places.strides[dimension];
            }
            if position[dimension] < shape[dimension] {
                continue 'elements;
            }
            for (at, places) in at.iter_mut().zip(places) {
                let back = usize::try_from(position[dimension]).unwrap_or_default();
                *at -= places.strides[dimension] * back;
            }
            position[dimension] = 0;
        }
        return;
    }
}
