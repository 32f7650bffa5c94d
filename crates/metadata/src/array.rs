//! Array documents of Zarr v3 (spec/chain.md).

mod elements;

use std::collections::HashSet;
use std::ops::Range;

use exactum_model::{Chain, Rejection};

use crate::codec;
use crate::diagnostic::{Diagnostic, Read, Report};
use crate::element::Element;
use crate::faults::kept;
use crate::json::{Attributes, Kind, Node, Tree};
use crate::members::{
    Extension, choice, closed, extents, fields, object, optional_array, optional_object,
};
use crate::pipeline::Reader;
use crate::state::Shape;
use crate::words::{counted, did_you_mean, quoted};

/// The members of an array document: the mandatory ones first (chain.members).
pub const ARRAY_MEMBERS: [&str; 11] = [
    "zarr_format",
    "node_type",
    "shape",
    "data_type",
    "chunk_grid",
    "chunk_key_encoding",
    "fill_value",
    "codecs",
    "attributes",
    "storage_transformers",
    "dimension_names",
];

/// A valid array document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArrayDocument {
    /// The data type, the chunk shape, the fill value and the codecs.
    pub chain: Chain,
    /// The shape of the array; its product may be larger than 64 bits.
    pub shape: Vec<u64>,
    /// The lengths of the chunks along each dimension, each listed once, if the chunk grid is `rectilinear`.
    /// The chunk shape in `chain` is then that of the first chunk, and the document is valid for all of them.
    pub lengths: Option<Vec<Vec<u64>>>,
    /// Whether the elements are times (`numpy.datetime64` or `numpy.timedelta64`). If they are, the data type in
    /// `chain` is the 64-bit integer that counts their units, and the least integer stands for NaT.
    pub is_of_times: bool,
    /// The byte range of the fill value in the text.
    pub fill_value_place: Range<usize>,
}

/// The result of reading a document without errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judged {
    /// The document, if everything that determines its numbers is known. It is `None` if its elements are not numbers,
    /// or if the warnings report something [foreign](Report::foreign). The rest has then been checked where it does not
    /// depend on the unknown part.
    pub array: Option<Box<ArrayDocument>>,
    /// The warnings about the document, in the order of the text.
    pub warnings: Report,
}

/// The data types and chunk grids that a reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Accepted {
    /// Numbers in a regular grid.
    Numbers,
    /// Data types and chunk grids whose specifications are known. Times are read as their integer codes.
    Known,
    /// Also data types and chunk grids of third parties, which are not judged.
    All,
}

/// Reads an array document of numbers in a regular grid.
///
/// # Errors
/// The clauses of `chain.*` and `fill_value.*` about documents, and those of the codecs; the place is a JSON pointer.
/// The fill value after each codec is not computed here; that is left to the implementations.
pub fn parse_array(text: &str) -> Result<ArrayDocument, Rejection> {
    Ok(numbers(&Tree::scan(text, Attributes::Skipped)?)?)
}

/// Reads an array document whose chunk grid may be `rectilinear`.
///
/// # Errors
/// The same as for [`parse_array`], which refuses that grid.
pub fn parse_array_of_any_grid(text: &str) -> Result<ArrayDocument, Rejection> {
    let tree = Tree::scan(text, Attributes::Skipped)?;
    match read(&tree, Accepted::Known)?.array {
        Some(document) if !document.is_of_times => Ok(*document),
        // The error names the elements that the document has instead of numbers.
        _ => Ok(numbers(&tree)?),
    }
}

/// Reads a scanned document of numbers in a regular grid.
pub(crate) fn numbers(tree: &Tree<'_>) -> Read<ArrayDocument> {
    match read(tree, Accepted::Numbers)?.array {
        Some(document) => Ok(*document),
        // Anything unknown has been refused.
        None => Err(tree.root().reject(
            "chain.foreign",
            "the data type or the chunk grid is unknown",
        )),
    }
}

/// Reads a scanned document. Data types and grids that are not accepted are refused; elements that are not numbers are
/// accepted with a warning.
pub(crate) fn read(tree: &Tree<'_>, accepted: Accepted) -> Read<Judged> {
    let root = tree.root();
    let clause = "chain.members";
    object(root, clause, "an array document")?;
    // The kind of the document is checked first: in a document of another kind, all members would be wrong.
    check_kind(root)?;
    // A member that is present under a misspelled name is not reported as missing.
    let mut meant = HashSet::new();
    let members = fields(root, &ARRAY_MEMBERS, |key, value| {
        check_unknown("array", &ARRAY_MEMBERS, key, value).inspect_err(|_| {
            let key = key.key();
            meant.extend(did_you_mean(&key, ARRAY_MEMBERS).or_else(|| of_version_2(&key)));
        })
    })?;
    let [
        _,
        _,
        shape_node,
        data_type_node,
        chunk_grid_node,
        key_encoding,
        fill_value_node,
        codecs,
        attributes,
        transformers,
        names,
    ] = members;
    for (name, member) in ARRAY_MEMBERS[..8].iter().zip(members).skip(2) {
        if member.is_none() && !meant.contains(name) {
            let fault = root
                .reject(clause, format!("the member {name} is missing"))
                .help(how_to_add(name));
            root.keep::<()>(Err(fault))?;
        }
    }

    let mut reader = Reader::new(codec::find, codec::meant);
    let shape = kept(shape_node, |node| extents(node, clause, "the shape", 0))?;
    let warnings = &mut reader.warnings;
    let element = elements::elements(data_type_node, accepted, warnings)?;
    let grid = elements::grid(chunk_grid_node, shape.as_deref(), accepted, warnings)?;
    let is_of_times = element.as_ref().is_some_and(Element::is_time);
    let fill_value = match &element {
        Some(element) => kept(fill_value_node, |node| element.fill_value(node))?.flatten(),
        None => None,
    };
    let state = elements::first_state(element, grid.as_ref(), shape.as_deref())?;
    kept(key_encoding, |node| {
        check_key_encoding(node, &mut reader.warnings)
    })?;
    kept(attributes, |node| {
        optional_object(node, clause, "attributes")
    })?;
    kept(transformers, |node| {
        check_transformers(node, &mut reader.warnings)
    })?;
    kept(names, |node| check_names(node, shape.as_deref()))?;
    let pipeline = elements::pipeline(codecs, grid.as_ref(), &state, &mut reader)?;
    if reader.reads_n5 {
        let check = key_encoding.map_or(Ok(()), check_keys_of_n5);
        root.keep(check)?;
    }
    let chunk_shape = match state.shape {
        Shape::Known(chunk_shape) => Some(chunk_shape),
        _ => None,
    };
    let known = fill_value.zip(fill_value_node).zip(pipeline).zip(shape);
    let array = known.zip(chunk_shape).map(|(known, chunk_shape)| {
        let (((fill_value, node), pipeline), shape) = known;
        Box::new(ArrayDocument {
            chain: Chain {
                data_type: fill_value.data_type(),
                chunk_shape,
                fill_value,
                pipeline,
            },
            shape,
            lengths: grid.and_then(|grid| grid.lengths()),
            is_of_times,
            fill_value_place: node.place(),
        })
    });
    let warnings = reader.warnings.sorted();
    Ok(Judged { array, warnings })
}

/// Checks that `zarr_format` is 3.
pub(crate) fn check_version(root: Node<'_>, kind: &str) -> Read<()> {
    let clause = "chain.members";
    let article = if kind == "array" { "an" } else { "a" };
    let Some(version) = root.get("zarr_format") else {
        let is_of_cf = ["scale_factor", "add_offset", "_FillValue"]
            .iter()
            .any(|name| root.get(name).is_some());
        let fault = root
            .reject(clause, "the member zarr_format is missing")
            .help(match is_of_cf {
                true => "to check the attributes of a packed variable, choose the kind cf".into(),
                false => format!(
                    "{article} {kind} document begins with \"zarr_format\": 3, \"node_type\": \"{kind}\""
                ),
            });
        // Without either member, the document may be anything.
        return match root.get("node_type") {
            Some(_) => root.keep(Err(fault)).map(|_: Option<()>| ()),
            None => Err(fault),
        };
    };
    if version.raw() == "3" {
        return Ok(());
    }
    let fault = version.reject(
        clause,
        format!("zarr_format must be 3, not {}", version.describe()),
    );
    match version.raw() {
        "1" | "2" => Err(fault.help(match kind {
            "array" => "only Zarr v3 has these codecs; convert the array to v3",
            _ => "only documents of Zarr v3 are validated; convert the group to v3",
        })),
        _ => root
            .keep(Err(fault.help("write the plain number 3")))
            .map(|_: Option<()>| ()),
    }
}

/// Checks that `zarr_format` is 3 and `node_type` is array.
fn check_kind(root: Node<'_>) -> Read<()> {
    let clause = "chain.members";
    check_version(root, "array")?;
    let Some(node_type) = root.get("node_type") else {
        let fault = root
            .reject(clause, "the member node_type is missing")
            .help("add \"node_type\": \"array\"");
        return root.keep(Err(fault)).map(|_: Option<()>| ());
    };
    if node_type.kind() == Kind::String && node_type.text()? == "group" {
        return Err(node_type
            .reject(
                clause,
                "this is the document of a group, and a group has no codecs",
            )
            .help("validate the zarr.json of an array inside it"));
    }
    root.keep(choice(node_type, clause, "node_type", &[("array", ())]))
        .map(|_| ())
}

/// Returns advice on how to add a required member.
fn how_to_add(member: &str) -> &'static str {
    match member {
        "shape" => "add \"shape\" with the extent of each dimension, such as [100, 60]",
        "data_type" => "add \"data_type\", such as \"float32\"",
        "chunk_grid" => {
            "add \"chunk_grid\": {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [...]}}"
        }
        "chunk_key_encoding" => "add \"chunk_key_encoding\": {\"name\": \"default\"}",
        "fill_value" => "add \"fill_value\", the value of unwritten elements; there is no default",
        _ => {
            "add \"codecs\", such as [{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}]"
        }
    }
}

/// Returns the member that replaces a member of Zarr v2.
fn of_version_2(member: &str) -> Option<&'static str> {
    Some(match member {
        "dtype" => "data_type",
        "chunks" => "chunk_grid",
        "compressor" | "filters" | "order" => "codecs",
        "dimension_separator" => "chunk_key_encoding",
        _ => return None,
    })
}

/// Checks for members that the core does not name (chain.members.unknown). `kind` is the kind of the
/// document.
pub(crate) fn check_unknown(
    kind: &str,
    known: &[&str],
    key: Node<'_>,
    value: Node<'_>,
) -> Read<()> {
    let optional = value
        .get("must_understand")
        .is_some_and(|flag| flag.kind() == Kind::False);
    if optional {
        return Ok(());
    }
    let name = key.key();
    let article = if kind == "array" { "an" } else { "a" };
    let help = match (
        did_you_mean(&name, known.iter().copied()),
        of_version_2(&name),
    ) {
        (Some(meant), _) => format!("did you mean \"{meant}\"?"),
        _ if ARRAY_MEMBERS.contains(&name.as_ref()) => {
            "this member belongs to arrays; if the document describes an array, write \"node_type\": \"array\", \
             otherwise remove the member"
                .into()
        }
        (_, Some(member)) => {
            format!("this is a member of Zarr v2; a Zarr v3 array has \"{member}\" instead")
        }
        _ => "move it into \"attributes\", or make it an object with \"must_understand\": false"
            .into(),
    };
    Err(value
        .reject(
            "chain.members.unknown",
            format!("{article} {kind} document has no member {}", quoted(&name)),
        )
        .placed(key.place())
        .help(help))
}

/// The clause that forbids other keys in a configuration than those of its specification.
const KEYS: &str = "chain.extension.keys";

/// Checks the encoding of the chunk keys: `default` and `v2` are known. Any other encoding does not change the chunks,
/// and is accepted with a warning.
fn check_key_encoding(node: Node<'_>, warnings: &mut Report) -> Read<()> {
    let owner = "the chunk key encoding";
    let clause = "chain.members";
    let encoding = Extension::read(node, clause, owner)?
        .must_be_understood(owner)?
        .with_proper_name()?;
    const NAMES: [&str; 2] = ["default", "v2"];
    if !NAMES.contains(&encoding.name.as_ref()) {
        warnings.add_foreign(|| {
            let warning = foreign(
                &encoding,
                "chunk key encoding",
                "/chunk_key_encoding".into(),
            );
            match did_you_mean(&encoding.name, NAMES) {
                Some(meant) => warning.help(format!("did you mean \"{meant}\"?")),
                None => warning,
            }
        });
        return Ok(());
    }
    if let Some(configuration) = encoding.configuration {
        let [separator] = closed(
            configuration,
            &["separator"],
            KEYS,
            "the configuration of the chunk key encoding",
        )?;
        if let Some(separator) = separator {
            choice(separator, clause, "separator", &[("/", ()), (".", ())])?;
        }
    }
    Ok(())
}

/// Requires keys like `0/1` for blocks of N5 (chain.n5.keys).
fn check_keys_of_n5(node: Node<'_>) -> Read<()> {
    let is = |node: Option<Node<'_>>, text: &str| {
        let node = node.filter(|node| node.kind() == Kind::String);
        node.is_some_and(|node| node.text().is_ok_and(|found| found == text))
    };
    let separator = node.find("/configuration/separator");
    if is(node.get("name"), "v2") && is(separator, "/") {
        return Ok(());
    }
    let message =
        "the codec n5_default reads N5 blocks, whose keys this chunk key encoding does not produce";
    Err(node
        .reject("chain.n5.keys", message)
        .help("write {\"name\": \"v2\", \"configuration\": {\"separator\": \"/\"}}"))
}

fn check_transformers(node: Node<'_>, warnings: &mut Report) -> Read<()> {
    let clause = "chain.members";
    optional_array(node, clause, "storage_transformers")?;
    for (index, element) in node.elements().enumerate() {
        let read = Extension::read(element, clause, "a storage transformer")
            .and_then(Extension::with_proper_name);
        let Some(transformer) = element.keep(read)? else {
            continue;
        };
        if transformer.must_understand {
            let pointer = || format!("/storage_transformers/{index}");
            warnings.add_foreign(|| foreign(&transformer, "storage transformer", pointer()));
        }
    }
    Ok(())
}

fn foreign(extension: &Extension<'_>, what: &str, pointer: String) -> Box<Diagnostic> {
    let message = format!("the {what} {} is unknown", quoted(&extension.name));
    let warning = extension.node.reject("chain.foreign", message);
    warning
        .at(pointer)
        .help("it is not checked, but the codecs are")
}

/// Checks the dimension names: a string or null for each dimension.
fn check_names(node: Node<'_>, shape: Option<&[u64]>) -> Read<()> {
    let clause = "chain.members";
    optional_array(node, clause, "dimension_names")?;
    let names = node.elements().map(|name| {
        match name.kind() {
            Kind::String => return name.text().map(|_| ()),
            Kind::Null => return Ok(()),
            _ => {}
        }
        Err(name
            .reject(
                clause,
                format!("{} is not a dimension name", name.describe()),
            )
            .help("a dimension name is a string, or null for a dimension without a name"))
    });
    // The number of names is checked even if one of them is wrong.
    node.keep(node.all(names))?;
    let count = node.elements().count();
    let Some(rank) = shape.map(<[u64]>::len).filter(|rank| *rank != count) else {
        return Ok(());
    };
    Err(node
        .reject(
            clause,
            format!(
                "dimension_names has {}, but shape has {rank}",
                counted(count, "name")
            ),
        )
        .help("dimension_names must have one entry for each extent of shape"))
}
