//! Index transforms in documents (downsample.document.transform).

use exactum_model::{Indices, OutputMap, Reason, Selected, Transform};

use super::bounds::Bounds;
use super::extents::{Bound, Extents, Firm, Interval};
use super::number::index;
use super::propagate::propagated;
use crate::diagnostic::{Diagnostic, Read};
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::members::{array, closed, object};

const CLAUSE: &str = "downsample.document.transform";

const KEYS: [&str; 7] = [
    "input_rank",
    "input_inclusive_min",
    "input_exclusive_max",
    "input_inclusive_max",
    "input_shape",
    "input_labels",
    "output",
];

/// The maximum number of elements in an index array.
const MOST_INDICES: usize = 1 << 20;

/// A transform whose domain need not be known.
pub(super) struct Unplaced<'d> {
    pub(super) node: Node<'d>,
    /// The stated positions, or nothing if not even their number of dimensions is stated.
    input: Option<Extents>,
    output: Option<Vec<Map<'d>>>,
}

/// An output map, and its place.
#[derive(Clone)]
struct Map<'d> {
    node: Node<'d>,
    map: OutputMap,
}

impl Map<'_> {
    /// Requires the positions that an index array selects to be in an interval.
    fn require_indices(&self, interval: Interval) -> Result<(), String> {
        let Selected::Indices(indices) = &self.map.selected else {
            return Ok(());
        };
        let (offset, stride) = (i128::from(self.map.offset), i128::from(self.map.stride));
        let bound = |bound: Bound| bound.at.map(i128::from);
        for &index in &indices.values {
            let position = offset + stride * i128::from(index);
            if bound(interval.start).is_some_and(|start| position < start)
                || bound(interval.end).is_some_and(|end| position >= end)
                || i64::try_from(position).is_err()
            {
                return Err(format!(
                    "the index {index} selects position {position}, which is outside of {interval}"
                ));
            }
        }
        Ok(())
    }
}

/// A transform, and its positions.
pub(super) struct Over {
    pub(super) transform: Transform,
    pub(super) extents: Extents,
}

/// Reads a transform without the array to which it is applied.
pub(super) fn read(node: Node<'_>) -> Read<Unplaced<'_>> {
    object(node, CLAUSE, "a transform")?;
    let [bounds @ .., output] = closed(node, &KEYS, CLAUSE, "a transform")?;
    let mut parts = Parts::of(node);
    let input = parts.take(Bounds::new(CLAUSE, bounds).read())?;
    let output = output.map(|output| match &input {
        Some(None) => {
            let unsaid = || {
                Err(output
                    .reject(
                        CLAUSE,
                        "there are output maps, but the number of input dimensions is not given",
                    )
                    .help("add input_rank, or the bounds"))
            };
            let both = node.both(maps(output, None), unsaid);
            both.map(|(maps, ())| maps)
        }
        Some(Some(input)) => maps(output, Some(input)),
        None => maps(output, None),
    });
    let output = parts.take(output.transpose())?.flatten();
    parts.end()?;
    Ok(Unplaced {
        node,
        input: input.flatten(),
        output,
    })
}

impl<'d> Unplaced<'d> {
    /// Returns the number of dimensions of the result.
    pub(super) fn input_rank(&self) -> Option<usize> {
        self.input.as_ref().map(Extents::rank)
    }

    /// Returns the number of dimensions that are transformed.
    pub(super) fn output_rank(&self) -> Option<usize> {
        match &self.output {
            Some(maps) => Some(maps.len()),
            None => self.input_rank(),
        }
    }

    /// Returns the output maps, each with its place. Without any, each dimension is mapped to itself.
    fn maps(&self, rank: usize) -> Vec<Map<'d>> {
        self.output.clone().unwrap_or_else(|| {
            let own = (0..rank).map(Selected::Dimension);
            own.map(|selected| Map {
                node: self.node,
                map: OutputMap {
                    offset: 0,
                    stride: 1,
                    selected,
                },
            })
            .collect()
        })
    }

    /// Returns the number of its dimensions and its maps, if they are stated.
    pub(super) fn selects(&self) -> Option<(usize, Vec<OutputMap>)> {
        let rank = self.input_rank()?;
        let maps = self.maps(rank).into_iter();
        Some((rank, maps.map(|it| it.map).collect()))
    }

    /// Returns why a fill value cannot be seen through the transform, according to its first such map: each
    /// dimension must be mapped to a separate one with a step of one.
    pub(super) fn hides_fill_value(&self) -> Option<&'static str> {
        let mut seen = Vec::new();
        let maps = self.output.iter().flatten();
        maps.filter_map(|Map { map, .. }| match map.selected {
            Selected::Nothing => Some("a constant output map"),
            Selected::Indices(_) => Some("an index array"),
            Selected::Dimension(_) if map.stride.unsigned_abs() != 1 => Some("a stride"),
            Selected::Dimension(input) if seen.contains(&input) => Some("a diagonal"),
            Selected::Dimension(input) => {
                seen.push(input);
                None
            }
        })
        .next()
    }

    /// Returns the transform over existing positions. Bounds that it leaves open, or that are implicit,
    /// follow from these through the output maps (downsample.document.transform).
    pub(super) fn over(&self, view: &Extents) -> Read<Over> {
        let extents = match &self.input {
            // Nothing is stated, and all positions are mapped to themselves.
            None => view.clone(),
            Some(input) => {
                let maps = self.maps(input.rank());
                if maps.len() != view.rank() {
                    return Err(self.wrong_rank(maps.len(), view.rank()));
                }
                let outputs: Vec<&OutputMap> = maps.iter().map(|it| &it.map).collect();
                propagated(input, &outputs, view).map_err(|fault| {
                    let place = maps.get(fault.map).map_or(self.node, |it| it.node);
                    self.leaves(place, fault.message)
                })?
            }
        };
        let maps = self.maps(extents.rank());
        let transform = self.held(&extents, &maps)?;
        if !extents.intervals.iter().any(|it| it.is_empty()) {
            for (map, interval) in maps.iter().zip(&view.intervals) {
                map.require_indices(interval.firm(Firm::Limit))
                    .map_err(|message| self.leaves(map.node, message))?;
            }
        }
        Ok(Over { transform, extents })
    }

    /// Returns the transform when the array to which it is applied is not known. Implicit bounds are not
    /// known either.
    pub(super) fn alone(&self) -> Read<Option<Transform>> {
        let input = self.input.as_ref();
        let input =
            input.filter(|it| it.open().is_none() && it.intervals.iter().all(|it| it.is_said()));
        input
            .map(|input| self.held(input, &self.maps(input.rank())))
            .transpose()
    }

    fn held(&self, extents: &Extents, maps: &[Map<'d>]) -> Read<Transform> {
        let maps = maps.iter().map(|it| it.map.clone());
        Transform::new(extents.held(), maps.collect()).map_err(|rejection| {
            self.node
                .place_rejection(rejection)
                .help("the output maps must take the input domain into the existing domain")
        })
    }

    fn leaves(&self, place: Node<'_>, message: String) -> Box<Diagnostic> {
        place
            .reject_as(Reason::OutOfRange, "downsample.transform.bounds", message)
            .help("the output maps must take the input domain into the existing domain")
    }

    fn wrong_rank(&self, maps: usize, rank: usize) -> Box<Diagnostic> {
        let message = format!("{maps} output maps do not fit {rank} dimensions");
        self.node
            .reject_as(Reason::Shape, "downsample.transform.form", message)
            .help("write one output map for each dimension")
    }

    /// Returns the fault of a transform whose domain is unknown although the domain of the view is known.
    pub(super) fn open_bounds(&self) -> Box<Diagnostic> {
        self.node
            .reject(CLAUSE, "some positions of the result are not given")
            .help("add input_inclusive_min and input_exclusive_max")
    }
}

fn maps<'d>(node: Node<'d>, input: Option<&Extents>) -> Read<Vec<Map<'d>>> {
    array(node, CLAUSE, "output")?;
    node.all(node.elements().map(|element| {
        let map = map(element, input)?;
        Ok(Map { node: element, map })
    }))
}

fn map(node: Node<'_>, input: Option<&Extents>) -> Read<OutputMap> {
    const KEYS: [&str; 5] = [
        "offset",
        "stride",
        "input_dimension",
        "index_array",
        "index_array_bounds",
    ];
    object(node, CLAUSE, "an output map")?;
    let [offset, stride, dimension, indices, bounds] =
        closed(node, &KEYS, CLAUSE, "an output map")?;
    let number = |node: Option<Node<'_>>, default: i64| match node {
        None => Ok(default),
        Some(node) => index(node).ok_or_else(|| {
            node.reject(CLAUSE, format!("{} is not an index", node.describe()))
                .help("write a 64-bit integer")
        }),
    };
    let (offset, step) = node.both(number(offset, 0), || number(stride, 1))?;
    if let (Some(_), Some(indices)) = (dimension, indices) {
        return Err(indices
            .reject(
                CLAUSE,
                "an output map has both input_dimension and index_array",
            )
            .help("write either input_dimension or index_array"));
    }
    if let (None, None, Some(stride)) = (dimension, indices, stride) {
        return Err(stride
            .reject(CLAUSE, "a constant has no stride")
            .help("remove the stride, or add input_dimension or index_array"));
    }
    if let (None, Some(bounds)) = (indices, bounds) {
        return Err(bounds
            .reject(CLAUSE, "there are bounds, but no index array")
            .help("remove index_array_bounds"));
    }
    let selected = match (dimension, indices) {
        (Some(node), _) => {
            let known = input.map(Extents::rank);
            let dimension = index(node)
                .and_then(|dimension| usize::try_from(dimension).ok())
                .filter(|&dimension| known.is_none_or(|rank| dimension < rank));
            Selected::Dimension(dimension.ok_or_else(|| {
                node.reject(
                    CLAUSE,
                    format!("{} is not an input dimension", node.describe()),
                )
                .help("dimensions are counted from 0")
            })?)
        }
        (None, Some(node)) => {
            let (mut shape, mut values) = (Vec::new(), Vec::new());
            nested(node, 0, &mut shape, &mut values)?;
            let indices = Indices { shape, values };
            if let Some(input) = input {
                covers(node, &indices, input)?;
            }
            if let Some(bounds) = bounds {
                within(bounds, &indices)?;
            }
            Selected::Indices(indices)
        }
        (None, None) => Selected::Nothing,
    };
    Ok(OutputMap {
        offset,
        stride: step,
        selected,
    })
}

/// Reads nested lists of indices, which must have equal lengths at each depth.
fn nested(node: Node<'_>, depth: usize, shape: &mut Vec<u64>, values: &mut Vec<i64>) -> Read<()> {
    let ragged = |node: Node<'_>| {
        Err(node
            .reject(CLAUSE, "the lists of an index array differ in length")
            .help("at each depth of an index array, all lists must have the same length"))
    };
    if node.kind() == Kind::Array {
        let length = node.elements().count() as u64;
        if values.is_empty() && shape.len() == depth {
            shape.push(length);
        } else if shape.get(depth) != Some(&length) {
            return ragged(node);
        }
        let elements = node.elements();
        let read = elements.map(|element| nested(element, depth + 1, shape, values));
        return node.all(read).map(|_| ());
    }
    if shape.len() != depth {
        return ragged(node);
    }
    let Some(value) = index(node).filter(|_| values.len() < MOST_INDICES) else {
        return Err(node
            .reject(CLAUSE, format!("{} is not an index", node.describe()))
            .help("an index array has at most 2^20 integers"));
    };
    values.push(value);
    Ok(())
}

/// Requires an index array to have the extents of the input. Extents that are not stated cannot be derived
/// from it.
fn covers(node: Node<'_>, indices: &Indices, input: &Extents) -> Read<()> {
    const FORM: &str = "downsample.transform.form";
    if indices.shape.len() != input.rank() {
        let (own, rank) = (indices.shape.len(), input.rank());
        let message = format!("an index array of {own} dimensions does not fit {rank} dimensions");
        return Err(node.reject(FORM, message).help(
            "an index array has the dimensions of the input, with an extent of 1 for each \
                   dimension on which it does not depend",
        ));
    }
    let pairs = indices.shape.iter().zip(&input.intervals);
    for (dimension, (&extent, interval)) in pairs.enumerate() {
        let stated = match (interval.start.at, interval.end.at) {
            (Some(start), Some(end)) if interval.is_said() => Some(end.abs_diff(start)),
            _ => None,
        };
        if extent == 1 || stated == Some(extent) {
            continue;
        }
        let message = match stated {
            Some(stated) => {
                format!(
                    "an index array has {extent} indices for the {stated} positions of dimension {dimension}"
                )
            }
            None => format!(
                "an index array depends on dimension {dimension}, whose bounds are not given and cannot be derived from indices"
            ),
        };
        return Err(node.reject(FORM, message).help(
            "state where that dimension begins and ends without brackets, for example with input_shape",
        ));
    }
    Ok(())
}

/// Requires the indices to be within their stated bounds, both included.
fn within(node: Node<'_>, indices: &Indices) -> Read<()> {
    let bounds: Option<Vec<Option<i64>>> =
        (node.kind() == Kind::Array).then_some(()).and_then(|()| {
            let bounds = node.elements().take(3).enumerate();
            let bound = |(at, it): (usize, Node<'_>)| match index(it) {
                Some(index) => Some(Some(index)),
                None => {
                    let infinite = if at == 0 { "-inf" } else { "+inf" };
                    let is = it.kind() == Kind::String && it.text().is_ok_and(|it| it == infinite);
                    is.then_some(None)
                }
            };
            bounds.map(bound).collect()
        });
    let Some([first, last]) = bounds.as_deref() else {
        return Err(node
            .reject(
                CLAUSE,
                format!("{} are not bounds of indices", node.describe()),
            )
            .help("write the smallest index and the largest, as in [0, 9]"));
    };
    let outside = indices.values.iter().find(|&&index| {
        first.is_some_and(|first| index < first) || last.is_some_and(|last| index > last)
    });
    match outside {
        None => Ok(()),
        Some(index) => Err(node
            .reject_as(
                Reason::OutOfRange,
                "downsample.transform.bounds",
                format!("the index {index} is not within the bounds of its array"),
            )
            .help("write the smallest index and the largest, or leave the bounds out")),
    }
}
