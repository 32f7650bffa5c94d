//! The members that documents of all drivers have.

use exactum_model::Transform;

use super::super::bounds::rank;
use super::super::extents::Extents;
use super::super::transform::{self, Unplaced};
use super::super::units::{Units, through};
use super::named::{Named, named};
use super::schema::{Schema, two_ranks};
use crate::diagnostic::Read;
use crate::faults::Parts;
use crate::json::Node;

/// The clause about constraints.
const SCHEMA: &str = "downsample.document.schema";

/// The constraints that views place on their bases.
#[derive(Clone, Default)]
pub(in crate::downsample) struct Outer<'d> {
    pub(in crate::downsample) data_type: Option<Named<'d>>,
    /// The codecs of each schema.
    codecs: Vec<Node<'d>>,
    /// The fill value of each schema.
    fill_values: Vec<Node<'d>>,
    /// The dimensions along which positions beyond an implied bound can be requested. Blocks end there.
    pub(super) reaches: Vec<bool>,
}

/// The data type, the rank, the transform and the schema, and the further constraints of views.
pub(in crate::downsample) struct Shared<'d> {
    pub(in crate::downsample) data_type: Option<Named<'d>>,
    /// The number of dimensions of the described array, after its transform.
    pub(in crate::downsample) rank: Option<usize>,
    /// The number of dimensions before the transform.
    own_rank: Option<usize>,
    pub(super) unplaced: Option<Unplaced<'d>>,
    /// The transform, once its domain is known.
    pub(in crate::downsample) transform: Option<Transform>,
    pub(super) schema: Schema<'d>,
    /// The codecs that are demanded here and in outer documents.
    pub(super) codecs: Vec<Node<'d>>,
    /// The fill values that are demanded here and in outer documents.
    pub(super) fill_values: Vec<Node<'d>>,
}

impl<'d> Shared<'d> {
    pub(in crate::downsample) fn read(
        dtype: Option<Node<'d>>,
        stated: Option<Node<'d>>,
        transform: Option<Node<'d>>,
        schema: Option<Node<'d>>,
    ) -> Read<Self> {
        const RANK: &str = "downsample.document.rank";
        let mut shared = Self {
            data_type: None,
            rank: None,
            own_rank: None,
            unplaced: None,
            transform: None,
            schema: Schema::default(),
            codecs: Vec::new(),
            fill_values: Vec::new(),
        };
        let stated_all = [dtype, stated, transform, schema];
        let Some(any) = stated_all.into_iter().flatten().next() else {
            return Ok(shared);
        };
        let mut parts = Parts::of(any);
        let read = dtype.map(|node| named(node, "downsample.document.dtype"));
        shared.data_type = parts.take(read.transpose())?.flatten();
        let read = stated.map(|node| rank(node, RANK));
        shared.rank = parts.take(read.transpose())?.flatten();
        shared.unplaced = parts
            .take(transform.map(transform::read).transpose())?
            .flatten();
        let input = shared.unplaced.as_ref().and_then(Unplaced::input_rank);
        if let (Some(node), Some(input)) = (transform, input) {
            match shared.rank {
                Some(own) if own != input => {
                    parts.take::<()>(Err(two_ranks(node, RANK, input, own)))?;
                }
                _ => shared.rank = Some(input),
            }
        }
        shared.own_rank = match &shared.unplaced {
            Some(unplaced) => unplaced.output_rank(),
            None if transform.is_none() => shared.rank,
            None => None,
        };
        let schema = parts.take(schema.map(Schema::read).transpose())?.flatten();
        let Some(schema) = schema else {
            return parts.end().map(|()| shared);
        };
        parts.take(shared.agree(schema.data_type))?;
        if let Some((rank, node)) = schema.rank {
            parts.take(shared.same_rank(rank, SCHEMA, node))?;
        }
        shared.codecs.extend(schema.codec);
        shared.fill_values.extend(schema.fill_value);
        shared.schema = schema;
        parts.end().map(|()| shared)
    }

    /// Requires a number of dimensions before the transform to be the known one. Without a transform, it is
    /// also that of the result.
    fn same_rank(&mut self, rank: usize, clause: &'static str, node: Node<'_>) -> Read<()> {
        match self.own_rank {
            Some(own) if own != rank => Err(two_ranks(node, clause, rank, own)),
            _ => {
                self.own_rank = Some(rank);
                if self.unplaced.is_none() {
                    self.rank = Some(rank);
                }
                Ok(())
            }
        }
    }

    /// Requires the statements about dimensions to fit the number of dimensions before the transform.
    pub(in crate::downsample) fn require_rank(
        &mut self,
        count: usize,
        clause: &'static str,
        node: Node<'_>,
    ) -> Read<()> {
        if let Some(Some(rank)) = self.unplaced.as_ref().map(Unplaced::output_rank)
            && rank != count
        {
            return Err(node
                .reject(
                    clause,
                    format!("the transform has {rank} dimensions, not {count}"),
                )
                .help("a transform must have one output map for each dimension"));
        }
        self.same_rank(count, clause, node)?;
        self.rank.get_or_insert(count);
        Ok(())
    }

    /// Returns the constraints that this document places on its base.
    pub(in crate::downsample) fn outer(&self, reaches: Vec<bool>) -> Outer<'d> {
        Outer {
            reaches,
            data_type: self.data_type,
            codecs: self.codecs.clone(),
            fill_values: self.fill_values.clone(),
        }
    }

    /// Adopts the constraints of views of this document. A fill value is visible only through a transform
    /// that changes no element.
    pub(in crate::downsample) fn inherit(&mut self, outer: Outer<'d>) -> Read<()> {
        self.agree(outer.data_type)?;
        self.codecs.extend(outer.codecs);
        let hides = self.unplaced.as_ref().and_then(Unplaced::hides_fill_value);
        if let (Some(why), Some(node)) = (hides, outer.fill_values.first()) {
            return Err(node
                .reject(
                    SCHEMA,
                    format!(
                        "a fill value cannot be demanded through {why} in the transform of the base"
                    ),
                )
                .help("demand it in the schema of the base"));
        }
        self.fill_values.extend(outer.fill_values);
        Ok(())
    }

    /// Requires the data type to equal another one.
    pub(in crate::downsample) fn agree(&mut self, outer: Option<Named<'d>>) -> Read<()> {
        match (self.data_type, outer) {
            (Some(own), Some(outer)) if own.name != outer.name => Err(own
                .node
                .reject(
                    "downsample.document.dtype",
                    format!(
                        "the data type is {} here, but {} elsewhere",
                        own.name, outer.name
                    ),
                )
                .help("a view must have the data type of its base")),
            (None, Some(outer)) => {
                self.data_type = Some(outer);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Requires the existing positions to be those that the schema demands, and applies the transform to
    /// them. If it `hardens`, demanded positions that exist count as stated.
    pub(in crate::downsample) fn place(
        &mut self,
        view: Option<Extents>,
        hardens: bool,
    ) -> Read<Option<Extents>> {
        let mut extents = view;
        if let (Some(demanded), Some(extents)) = (&self.schema.demanded, &mut extents) {
            extents.require(demanded)?;
            if hardens {
                extents.harden(&demanded.extents);
            }
        }
        let (Some(unplaced), extents) = (&self.unplaced, &extents) else {
            return Ok(extents);
        };
        let Some(extents) = extents else {
            self.transform = unplaced.alone()?;
            return Ok(None);
        };
        let over = unplaced.over(extents)?;
        self.transform = Some(over.transform);
        Ok(Some(over.extents))
    }

    /// Returns the units after the transform of units before it; those in the schema have priority.
    pub(in crate::downsample) fn units(&self, own: Option<Units>) -> Option<Units> {
        let units = self.schema.units.clone().or(own)?;
        let maps = self.unplaced.as_ref().and_then(Unplaced::selects);
        Some(match maps {
            Some((rank, maps)) => through(&units, rank, &maps),
            None => units,
        })
    }

    /// Returns the chunk shape that the schema states, if nothing is transformed.
    pub(in crate::downsample) fn chunk_shape(&self) -> Option<Vec<u64>> {
        let shape = self.schema.chunk_shape.clone();
        shape.filter(|_| self.unplaced.is_none())
    }

    /// Requires that no fill value is demanded of a view whose factors change it.
    pub(in crate::downsample) fn require_no_fill_value(&self) -> Read<()> {
        match self.fill_values.first() {
            None => Ok(()),
            Some(node) => Err(node
                .reject(
                    SCHEMA,
                    "no fill value can be demanded of a view whose factors are not all 1",
                )
                .help("demand it in the schema of the base")),
        }
    }

    /// Drops the demand for a fill value.
    pub(in crate::downsample) fn forget_fill_value(&mut self) {
        self.fill_values.clear();
    }

    /// Returns whether all positions are read unchanged.
    pub(in crate::downsample) fn is_whole(&self) -> bool {
        self.unplaced.is_none()
    }

    /// Requires that neither codecs nor a fill value are demanded of an array that has none.
    pub(super) fn require_plain(&self) -> Read<()> {
        let demanded = [(&self.codecs, "codecs"), (&self.fill_values, "fill value")];
        for (nodes, what) in demanded {
            if let Some(node) = nodes.first() {
                return Err(node
                    .reject(
                        SCHEMA,
                        format!("an array whose elements are in the document has no {what}"),
                    )
                    .help("leave it out"));
            }
        }
        Ok(())
    }

    /// Requires the units that the schema demands to be those before the transform. Null demands none.
    pub(in crate::downsample) fn require_units(
        &self,
        own: Option<&[Option<(f64, String)>]>,
    ) -> Read<()> {
        let (Some(node), Some(demanded)) = (self.schema.node, &self.schema.units) else {
            return Ok(());
        };
        for (dimension, unit) in demanded.iter().enumerate() {
            let there = own.and_then(|own| own.get(dimension)?.as_ref());
            if there.is_some() && unit.is_some() && unit.as_ref() != there {
                return Err(node
                    .reject(
                        SCHEMA,
                        format!("the unit of dimension {dimension} differs from the one that the schema demands"),
                    )
                    .help("the units of a schema apply after the factors, and before the transform \
                           of the same document"));
            }
        }
        Ok(())
    }

    /// Requires that everything the document demands was compared with the array, and that the elements its
    /// transform selects are known. `chunks` is the shape of the chunks before the transform.
    pub(in crate::downsample) fn require_judged(&self, chunks: Option<&[u64]>) -> Read<()> {
        if let Some(node) = self.schema.unjudged {
            return Err(node
                .reject(SCHEMA, "this constraint cannot be compared with the array")
                .help("leave it out; in a layout, only the shape of read chunks is compared"));
        }
        if let (Some(node), Some(demanded)) = (self.schema.node, &self.schema.chunk_shape)
            && Some(&demanded[..]) != chunks
        {
            return Err(node
                .reject(
                    SCHEMA,
                    match chunks {
                        Some(chunks) => format!(
                            "chunks of {chunks:?} are read, but the schema demands {demanded:?}"
                        ),
                        None => format!("there are no chunks, but the schema demands {demanded:?}"),
                    },
                )
                .help("leave it out, or demand the actual chunks"));
        }
        match (&self.unplaced, &self.transform) {
            (Some(unplaced), None) => Err(unplaced.open_bounds()),
            _ => Ok(()),
        }
    }
}
