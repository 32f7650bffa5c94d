//! Index transforms in documents (downsample.document.transform).

use exactum_model::{Domain, Indices, OutputMap, Selected, Transform};

use super::bounds::{Bounds, Partial};
use super::number::index;
use crate::diagnostic::Read;
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

/// The most elements of an index array.
const MOST_INDICES: usize = 1 << 20;

/// A transform whose domain need not be known.
pub(super) struct Unplaced<'d> {
    node: Node<'d>,
    input: Option<Partial>,
    output: Option<Vec<OutputMap>>,
}

/// Reads a transform as far as it stands for itself.
pub(super) fn read(node: Node<'_>) -> Read<Unplaced<'_>> {
    object(node, CLAUSE, "a transform")?;
    let [rank, minimum, exclusive, inclusive, shape, labels, output] =
        closed(node, &KEYS, CLAUSE, "a transform")?;
    let input = Bounds {
        clause: CLAUSE,
        rank,
        minimum,
        ends: [exclusive, inclusive, shape],
        labels,
    }
    .read()?;
    let output = output
        .map(|output| maps(output, input.as_ref()))
        .transpose()?;
    Ok(Unplaced {
        node,
        input,
        output,
    })
}

impl Unplaced<'_> {
    /// The number of dimensions of the result.
    pub(super) fn input_rank(&self) -> Option<usize> {
        match (&self.input, &self.output) {
            (Some(input), _) => Some(input.rank),
            (None, _) => None,
        }
    }

    /// The number of dimensions that are transformed.
    pub(super) fn output_rank(&self) -> Option<usize> {
        match &self.output {
            Some(maps) => Some(maps.len()),
            None => self.input_rank(),
        }
    }

    /// The transform, over a domain that bounds which it leaves open are taken from.
    pub(super) fn over(&self, view: Option<&Domain>) -> Read<Option<Transform>> {
        // Without maps each dimension is mapped to itself, and open bounds are those of the view.
        let domain = match (&self.input, view) {
            (Some(input), view) => input.whole().or_else(|| {
                let view = view.filter(|_| self.output.is_none())?;
                let own = input.intervals.iter().zip(view.intervals());
                let mut intervals = Vec::new();
                for (&(start, end), view) in own {
                    let (start, end) = (start.unwrap_or(view.start), end.unwrap_or(view.end));
                    (start <= end).then(|| intervals.push(start..end))?;
                }
                Some(Domain::of_intervals(intervals))
            }),
            (None, view) => view.cloned(),
        };
        let Some(domain) = domain else {
            return Ok(None);
        };
        let output = self.output.clone().unwrap_or_else(|| {
            let dimensions = 0..domain.rank();
            dimensions
                .map(|dimension| OutputMap {
                    offset: 0,
                    stride: 1,
                    selected: Selected::Dimension(dimension),
                })
                .collect()
        });
        let transform =
            Transform::new(domain, output).map_err(|rejection| self.place(rejection))?;
        if let Some(view) = view {
            transform
                .require(view)
                .map_err(|rejection| self.place(rejection))?;
        }
        Ok(Some(transform))
    }

    fn place(&self, rejection: exactum_model::Rejection) -> Box<crate::Diagnostic> {
        self.node
            .place_rejection(rejection)
            .help("an output map of each dimension takes the input domain into the domain there is")
    }
}

fn maps(node: Node<'_>, input: Option<&Partial>) -> Read<Vec<OutputMap>> {
    array(node, CLAUSE, "output")?;
    node.all(node.elements().map(|element| map(element, input)))
}

fn map(node: Node<'_>, input: Option<&Partial>) -> Read<OutputMap> {
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
            node.reject(CLAUSE, format!("{} is no index", node.describe()))
                .help("write an integer of 64 bits")
        }),
    };
    let offset = number(offset, 0)?;
    let step = number(stride, 1)?;
    if let (Some(_), Some(indices)) = (dimension, indices) {
        return Err(indices
            .reject(CLAUSE, "an output map selects twice")
            .help("write one of input_dimension and index_array"));
    }
    if let (None, None, Some(stride)) = (dimension, indices, stride) {
        return Err(stride
            .reject(CLAUSE, "a constant has no stride")
            .help("remove the stride, or add input_dimension or index_array"));
    }
    if let (None, Some(bounds)) = (indices, bounds) {
        return Err(bounds
            .reject(CLAUSE, "there are bounds and no index array")
            .help("remove index_array_bounds"));
    }
    let selected = match (dimension, indices) {
        (Some(node), _) => {
            let known = input.map(|input| input.rank);
            let dimension = index(node)
                .and_then(|dimension| usize::try_from(dimension).ok())
                .filter(|&dimension| known.is_none_or(|rank| dimension < rank));
            Selected::Dimension(dimension.ok_or_else(|| {
                node.reject(CLAUSE, format!("{} is no input dimension", node.describe()))
                    .help("dimensions are counted from 0")
            })?)
        }
        (None, Some(node)) => {
            let (mut shape, mut values) = (Vec::new(), Vec::new());
            nested(node, 0, &mut shape, &mut values)?;
            Selected::Indices(Indices { shape, values })
        }
        (None, None) => Selected::Nothing,
    };
    Ok(OutputMap {
        offset,
        stride: step,
        selected,
    })
}

/// Indices in brackets within brackets, of equal lengths at each depth.
fn nested(node: Node<'_>, depth: usize, shape: &mut Vec<u64>, values: &mut Vec<i64>) -> Read<()> {
    let ragged = |node: Node<'_>| {
        Err(node
            .reject(CLAUSE, "the lists of an index array are not of one length")
            .help("an index array is a box: lists of equal length at each depth"))
    };
    if node.kind() == Kind::Array {
        let length = node.elements().count() as u64;
        if values.is_empty() && shape.len() == depth {
            shape.push(length);
        } else if shape.get(depth) != Some(&length) {
            return ragged(node);
        }
        return node
            .elements()
            .try_for_each(|element| nested(element, depth + 1, shape, values));
    }
    if shape.len() != depth {
        return ragged(node);
    }
    let Some(value) = index(node).filter(|_| values.len() < MOST_INDICES) else {
        return Err(node
            .reject(CLAUSE, format!("{} is no index", node.describe()))
            .help("an index array has integers, 2^20 at most"));
    };
    values.push(value);
    Ok(())
}
