//! A base whose elements are in the document.

use exactum_model::{Array, DataType, Placed, Reason, Source as _, TextType};

use super::super::extents::Extents;
use super::{Base, Bases, Outer, Shared, reaching};
use crate::diagnostic::Read;
use crate::json::{Kind, Node};
use crate::members::closed;

/// Reads an array that is in the document (downsample.document.base.array).
pub(super) fn literal<'d>(
    node: Node<'d>,
    outer: Outer<'d>,
    bases: Option<Bases<'_>>,
) -> Read<(Base, Option<Extents>)> {
    const CLAUSE: &str = "downsample.document.base.array";
    const KEYS: [&str; 7] = [
        "driver",
        "array",
        "context",
        "dtype",
        "rank",
        "transform",
        "schema",
    ];
    let [_, elements, _, dtype, rank, transform, schema] =
        closed(node, &KEYS, CLAUSE, "an array base")?;
    let mut shared = Shared::read(dtype, rank, transform, schema)?;
    let reaches = outer.reaches.clone();
    shared.inherit(outer)?;
    let missing = |what: &str, help: &str| {
        node.reject(CLAUSE, format!("an array base needs {what}"))
            .help(help)
    };
    let elements = elements.ok_or_else(|| missing("array", "add its elements"));
    let named = shared.data_type;
    let (elements, named) = node.both(elements, || {
        named.ok_or_else(|| missing("dtype", "add the data type of its elements"))
    })?;
    let mut found = Elements {
        data_type: named.name.parse().ok(),
        text_type: named.name.parse().ok(),
        shape: Vec::new(),
        count: 0,
        data: Vec::new(),
    };
    found.read(elements, 0)?;
    let rank = found.shape.len();
    shared.require_rank(rank, CLAUSE, elements)?;
    let Some(data_type) = found.data_type else {
        // Arrays here can only have numbers.
        if bases.is_some_and(|bases| bases.required) {
            return Err(node
                .reject_as(
                    Reason::UnsupportedDataType,
                    CLAUSE,
                    format!("an array of {} cannot be opened", named.name),
                )
                .help("arrays of numbers and of bool can be opened"));
        }
        let elsewhere = Base::Elsewhere {
            driver: Some("array"),
            data_type: Some(named.name),
            rank: shared.rank,
            dimension_units: shared.units(None),
            chunk_shape: None,
        };
        return Ok((elsewhere, None));
    };
    let placed = Array::new(data_type, found.shape, found.data)
        .and_then(|array| Placed::new(array, vec![0; rank]))
        .map_err(|rejection| elements.place_rejection(rejection))?;
    let extents = Extents::fixed(&placed.domain());
    let extents = shared.place(Some(extents), false)?;
    if bases.is_some_and(|bases| bases.required) {
        shared.require_judged(None)?;
        shared.require_plain()?;
    }
    let transform = reaching(shared.transform.take(), extents.as_ref(), &reaches);
    Ok((Base::Array(placed, transform), extents))
}

/// Elements in brackets within brackets, of equal lengths at each depth.
struct Elements {
    /// `None` for texts, whose values are only checked.
    data_type: Option<DataType>,
    text_type: Option<TextType>,
    shape: Vec<u64>,
    count: usize,
    data: Vec<u8>,
}

impl Elements {
    fn read(&mut self, node: Node<'_>, depth: usize) -> Read<()> {
        const CLAUSE: &str = "downsample.document.base.array";
        let ragged = || {
            node.reject(CLAUSE, "the lists of an array differ in length")
                .help("at each depth of an array, all lists must have the same length")
        };
        if self.is_list(node) {
            let length = node.elements().count() as u64;
            if self.count == 0 && self.shape.len() == depth {
                self.shape.push(length);
            } else if self.shape.get(depth) != Some(&length) {
                return Err(ragged());
            }
            let elements = node.elements().map(|element| self.read(element, depth + 1));
            return node.all(elements).map(|_| ());
        }
        if self.shape.len() != depth {
            return Err(ragged());
        }
        self.count += 1;
        if let Some(data_type) = self.data_type {
            let scalar = crate::scalar::parameter(data_type, node, CLAUSE)?;
            self.data.extend(scalar.to_bytes());
        }
        match self.text_type {
            Some(text_type @ (TextType::String | TextType::Ustring))
                if node.kind() != Kind::String =>
            {
                let found = node.describe();
                Err(node.reject(CLAUSE, format!("{found} is not a {text_type}")))
            }
            // TensorStore has no JSON form for them.
            Some(text_type @ (TextType::Byte | TextType::Char)) => Err(node
                .reject(
                    CLAUSE,
                    format!("a {text_type} cannot be written in a document"),
                )
                .help("use \"uint8\"")),
            _ => Ok(()),
        }
    }

    /// Returns whether a value is a list of elements; a complex number is a list of two numbers.
    fn is_list(&self, node: Node<'_>) -> bool {
        let complex = self
            .data_type
            .is_some_and(|data_type| data_type.format().components() == 2);
        node.kind() == Kind::Array
            && !(complex
                && node
                    .elements()
                    .next()
                    .is_some_and(|first| first.kind() != Kind::Array))
    }
}
