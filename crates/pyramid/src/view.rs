//! A view of arrays, opened by its document (spec/downsample.md).

mod positions;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use exactum_metadata::downsample::{Base, Bases, DownsampleDocument, Location, Units};
use exactum_metadata::{Document, DocumentKind};
use exactum_model::{
    Array as Elements, DataType, Domain, Downsample, Level, Method, OutputMap, Placed, Reason,
    Rejection, Selected, Source, Transform,
};
use exactum_optimized::downsample;
use exactum_zarrs_plugins::Registration;

use crate::base::{BaseArray, document};
use crate::budget::{DOCUMENT_BYTES, HELD_BYTES};
use crate::elements::scatter;
use crate::error::Error;
use crate::gather::{gather, zeros};
use crate::grid::{Line, of_chunks, of_level, of_memory, through};
use crate::needed::keeps;
use crate::regular;
use crate::store::{MemoryStore, ReadableStorage};
use crate::tiles::tiles;
use positions::{hull, moved};

/// A view that is described by its document, and its base: elements of the document, arrays in folders or in
/// memory, and views of these.
///
/// It is a [`Source`]: nothing is computed before it is read. All constraints and transforms of the view and
/// of its bases are applied, or the view is not opened.
///
/// ```
/// use std::path::Path;
///
/// use exactum_model::{Domain, Source as _};
/// use exactum_pyramid::View;
///
/// let view = View::parse(
///     r#"{"driver": "downsample", "downsample_factors": [2], "downsample_method": "mean",
///         "base": {"driver": "array", "dtype": "uint8", "array": [1, 3, 5, 8, 9]}}"#,
/// )?;
/// assert_eq!(view.domain(), Domain::of_shape(&[3])?);
/// assert_eq!(view.read(&view.domain())?.data(), [2, 6, 9]);
/// assert!(View::open(Path::new("not there.json")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct View {
    pub(crate) text: String,
    root: Node,
    /// The registration of the codecs and data types of Exactum, while arrays are open.
    pub(crate) registration: Registration,
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("text", &self.text).finish()
    }
}

impl View {
    /// Opens the view whose document is in a file. Its arrays must be in folders, because a memory store of a
    /// new process is empty.
    ///
    /// # Errors
    /// If the document cannot be read, is not that of a view, or has a base that cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let text =
            regular::text(path, DOCUMENT_BYTES).map_err(|fault| Error::of_io(path, fault))?;
        let text = text.ok_or_else(|| Error::of_file(path, &"there is no such file"))?;
        Self::parse(&text).map_err(|fault| Error::Input(format!("{}: {fault}", path.display())))
    }

    /// Opens the view of a document.
    ///
    /// # Errors
    /// The same as for [`open`](Self::open).
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::with_memory(text, &Arc::new(MemoryStore::new()))
    }

    /// Opens the view of a document whose bases in the store `memory` are in the given one.
    ///
    /// # Errors
    /// The same as for [`open`](Self::open).
    pub fn with_memory(text: &str, memory: &Arc<MemoryStore>) -> Result<Self, Error> {
        let memory: ReadableStorage = memory.clone();
        Self::with_storage(text, &memory)
    }

    /// Does the same as [`with_memory`](Self::with_memory) with any readable storage in place of the store
    /// `memory`.
    ///
    /// # Errors
    /// The same as for [`open`](Self::open).
    pub fn with_storage(text: &str, memory: &ReadableStorage) -> Result<Self, Error> {
        let registration = exactum_zarrs_plugins::register();
        let documents = |location: &Location| document(location, memory).map(Some);
        let bases = Bases {
            documents: &documents,
            required: true,
        };
        let document = Document::scan_as(text.as_bytes(), DocumentKind::Downsample)
            .and_then(|document| document.view(Some(bases)))
            .map_err(Rejection::from)?;
        let domain = document.domain.clone();
        let mut root = Node::open(document, &registration, memory)?;
        // A base without bounds can be read beyond its own positions, but not beyond those that the view
        // selects.
        root.domain = domain.unwrap_or(root.domain);
        Ok(Self {
            text: text.to_owned(),
            root,
            registration,
        })
    }

    /// Returns the array from which the view is made, and the levels that are applied one after another, if
    /// the positions of the view follow from those of the array only by the factors.
    pub(crate) fn plain(&self) -> Option<(&BaseArray, Vec<&Level>)> {
        let mut node = &self.root;
        let mut levels = Vec::new();
        loop {
            levels.push(&node.level);
            match (&node.transform, &node.base.transform, &node.base.kind) {
                (None, None, Kind::View(view)) => node = view,
                (None, None, Kind::Stored(stored)) => {
                    levels.reverse();
                    return Some((stored, levels));
                }
                _ => return None,
            }
        }
    }

    /// Returns the stored arrays from which the view is made.
    pub(crate) fn stored(&self) -> Vec<&BaseArray> {
        let mut node = &self.root;
        loop {
            match &node.base.kind {
                Kind::View(view) => node = view,
                Kind::Stored(stored) => return vec![stored],
                Kind::Elements(_) => return Vec::new(),
            }
        }
    }

    /// Returns whether some elements of the view may differ from the fill value of the stored array, because
    /// an element from which they are made may be stored, or is outside of the array.
    pub(crate) fn is_stored(&self, region: &Domain) -> bool {
        self.root.is_stored(region)
    }

    /// Returns whether every level maps blocks of the stored array's fill value to the fill value.
    pub(crate) fn keeps_fill_value(&self) -> bool {
        let mut node = &self.root;
        let mut levels = Vec::new();
        loop {
            levels.push(&node.level);
            match &node.base.kind {
                Kind::View(view) => node = view,
                Kind::Stored(array) => {
                    let fill_value = array.fill_value();
                    let mut levels = levels.into_iter();
                    return levels.all(|level| keeps(level, array.data_type(), &fill_value));
                }
                Kind::Elements(_) => return false,
            }
        }
    }

    /// Returns the size of one step along each dimension, where it is known.
    pub(crate) fn dimension_units(&self) -> Option<&Units> {
        self.root.dimension_units.as_ref()
    }
}

impl Source for View {
    fn data_type(&self) -> DataType {
        self.root.data_type()
    }

    fn domain(&self) -> Domain {
        self.root.domain.clone()
    }

    fn read(&self, region: &Domain) -> Result<Elements, Rejection> {
        self.root.read(region)
    }
}

/// A level with its transform, and a base with its own.
struct Node {
    base: Placement,
    level: Level,
    transform: Option<Transform>,
    domain: Domain,
    chunk_shape: Option<Vec<u64>>,
    dimension_units: Option<Units>,
}

/// The base of a level.
struct Placement {
    kind: Kind,
    transform: Option<Transform>,
}

enum Kind {
    Elements(Placed),
    Stored(Box<BaseArray>),
    View(Box<Node>),
}

impl Node {
    fn open(
        document: DownsampleDocument,
        registration: &Registration,
        memory: &ReadableStorage,
    ) -> Result<Self, Error> {
        let (kind, transform) = match document.base {
            Base::Array(placed, transform) => (Kind::Elements(placed), transform),
            Base::View(view) => {
                let node = Node::open(*view, registration, memory)?;
                (Kind::View(Box::new(node)), None)
            }
            Base::Stored(at) => {
                let transform = at.transform.clone();
                let kept = BaseArray::open(&at, registration, memory)?;
                (Kind::Stored(Box::new(kept)), transform)
            }
            Base::Elsewhere { .. } => unreachable!("an open view has only open bases"),
        };
        let base = Placement { kind, transform };
        let level = document.level;
        level.require(base.data_type())?;
        let whole = level.domain(&base.domain())?;
        Ok(Self {
            domain: match &document.transform {
                Some(transform) => transform.domain().clone(),
                None => whole,
            },
            base,
            level,
            transform: document.transform,
            chunk_shape: document.chunk_shape,
            dimension_units: document.dimension_units,
        })
    }

    /// Returns some elements of the level, before the transform. Only a piece of the base of bounded size is
    /// held at a time.
    fn level(&self, region: &Domain) -> Result<Elements, Rejection> {
        let data_type = self.data_type();
        if region.is_empty() {
            return Elements::new(data_type, region.shape().to_vec(), Vec::new());
        }
        if self.level.method() == Method::Stride {
            return self.strided(region);
        }
        let base = self.base.domain();
        let width = data_type.element_bytes();
        let mut elements = zeros(data_type, region)?;
        for tile in tiles(
            region,
            self.level.factors(),
            &self.base.readable(),
            width as u64,
        ) {
            let taken = self.level.base(&base, &tile);
            let mut made = zeros(data_type, &tile)?;
            let held = Elements::bytes_of(data_type, taken.shape())?;
            if held > HELD_BYTES {
                return Err(Rejection::new(
                    Reason::Shape,
                    "downsample.limit",
                    format!(
                        "the {held} bytes of {taken} are one block, but more than {HELD_BYTES} \
                         cannot be read at once"
                    ),
                ));
            }
            let placed = Placed::new(self.base.read(&taken)?, taken.origin().to_vec())?;
            downsample::View::new(&placed, &self.level)?.read_into(&tile, &mut made)?;
            scatter(
                &made,
                &tile,
                region.origin(),
                region.shape(),
                width,
                &mut elements,
            );
        }
        Elements::new(data_type, region.shape().to_vec(), elements)
    }

    /// Does the same as [`Self::level`] for stride. Elements of the base between the multiples of the factors are not
    /// held unless they have to be read anyway.
    fn strided(&self, region: &Domain) -> Result<Elements, Rejection> {
        let factors = self.level.factors().iter().enumerate();
        let multiples = factors.map(|(dimension, &factor)| OutputMap {
            offset: 0,
            stride: factor.cast_signed(),
            selected: Selected::Dimension(dimension),
        });
        let transform = Transform::new(region.clone(), multiples.collect())?;
        let taken = gather(&transform, &self.base, &self.base.lines())?;
        // A view of single elements clears the bits above those of small types, as all views do.
        let single = Level::new(vec![1; region.rank()], Method::Stride)?;
        let placed = Placed::new(taken, region.origin().to_vec())?;
        downsample::View::new(&placed, &single)?.read(region)
    }

    /// Does the same as [`View::is_stored`] for a level with its transform.
    fn is_stored(&self, region: &Domain) -> bool {
        let Some(region) = hull(self.transform.as_ref(), region) else {
            return true;
        };
        let taken = self.level.base(&self.base.domain(), &region);
        let Some(taken) = hull(self.base.transform.as_ref(), &taken) else {
            return true;
        };
        match &self.base.kind {
            Kind::Elements(_) => true,
            Kind::Stored(array) => !array.domain().contains(&taken) || array.has_any(&taken),
            Kind::View(node) => !node.domain.contains(&taken) || node.is_stored(&taken),
        }
    }

    /// Returns the parts that can be read separately, before the transform.
    fn level_lines(&self) -> Vec<Line> {
        of_level(&self.base.lines(), &self.level)
    }
}

/// A level before its transform.
struct Untransformed<'a>(&'a Node);

impl Source for Untransformed<'_> {
    fn data_type(&self) -> DataType {
        self.0.data_type()
    }

    fn domain(&self) -> Domain {
        // This has succeeded when the view was opened.
        let domain = self.0.level.domain(&self.0.base.domain());
        domain.unwrap_or_else(|_| self.0.domain.clone())
    }

    fn read(&self, region: &Domain) -> Result<Elements, Rejection> {
        self.domain().require(region)?;
        self.0.level(region)
    }
}

impl Source for Node {
    fn data_type(&self) -> DataType {
        self.base.data_type()
    }

    fn domain(&self) -> Domain {
        self.domain.clone()
    }

    fn read(&self, region: &Domain) -> Result<Elements, Rejection> {
        transformed(
            self.transform.as_ref(),
            &self.domain,
            &Untransformed(self),
            &self.level_lines(),
            region,
        )
    }
}

/// Returns what a transform selects from a source for some of its positions; the source is read in cells
/// between `lines`.
fn transformed(
    transform: Option<&Transform>,
    domain: &Domain,
    source: &dyn Source,
    lines: &[Line],
    region: &Domain,
) -> Result<Elements, Rejection> {
    domain.require(region)?;
    let Some(transform) = transform else {
        return source.read(region);
    };
    if let Some(moved) = moved(transform, region) {
        return source.read(&moved);
    }
    let part = transform.part(region)?;
    let selection = Downsample {
        levels: Vec::new(),
        transform: Some(part.clone()),
    };
    // Checks that the result is not too large, and that the selection is inside the source.
    selection.answer(source)?;
    gather(&part, source, lines)
}

impl Placement {
    /// Returns the positions of the base before its transform.
    fn whole(&self) -> &dyn Source {
        match &self.kind {
            Kind::Elements(placed) => placed,
            Kind::Stored(kept) => &**kept,
            Kind::View(node) => &**node,
        }
    }

    /// Returns the parts of the base that can be read separately, before its transform.
    fn whole_lines(&self) -> Vec<Line> {
        match &self.kind {
            Kind::Elements(placed) => of_memory(placed.domain().rank()),
            Kind::Stored(kept) => of_chunks(&kept.readable),
            Kind::View(node) => match &node.transform {
                Some(transform) => through(&node.level_lines(), transform),
                None => node.level_lines(),
            },
        }
    }

    /// Returns the parts that can be read separately.
    fn lines(&self) -> Vec<Line> {
        match &self.transform {
            Some(transform) => through(&self.whole_lines(), transform),
            None => self.whole_lines(),
        }
    }

    /// Returns the shape of the parts that can be read separately, if they begin at its multiples.
    fn readable(&self) -> Vec<u64> {
        let chunks = match &self.kind {
            Kind::Stored(kept) if self.transform.is_none() => Some(&kept.readable),
            Kind::View(node) => node.chunk_shape.as_ref(),
            _ => None,
        };
        chunks.map_or_else(|| vec![1; self.domain().rank()], Clone::clone)
    }
}

impl Source for Placement {
    fn data_type(&self) -> DataType {
        self.whole().data_type()
    }

    fn domain(&self) -> Domain {
        match &self.transform {
            Some(transform) => transform.domain().clone(),
            None => self.whole().domain(),
        }
    }

    fn read(&self, region: &Domain) -> Result<Elements, Rejection> {
        transformed(
            self.transform.as_ref(),
            &self.domain(),
            self.whole(),
            &self.whole_lines(),
            region,
        )
    }
}
