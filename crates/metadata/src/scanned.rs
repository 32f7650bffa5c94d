//! Documents after the scan of their text: their kind, the places in them, and their readers.

use std::ops::Range;

use exactum_model::sds::Profile;
use exactum_model::{At, Cf, Rejection};

use crate::array::{self, Accepted, ArrayDocument, Judged};
use crate::cf;
use crate::diagnostic::{Diagnostic, Read, Report};
use crate::downsample::{self, Bases, DownsampleDocument};
use crate::group::{self, Copies};
use crate::json::{Attributes, Kind, Node, Tree};
use crate::sds::{self, SdsDocument};

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// A Zarr v3 array document.
    Array,
    /// A Zarr v3 group document.
    Group,
    /// A downsample view, as TensorStore writes it.
    Downsample,
    /// A data set of SOI TN 94-115, or several variables.
    Sds,
    /// The attributes of a packed variable of the CF conventions.
    Cf,
}

impl DocumentKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Array,
        Self::Group,
        Self::Downsample,
        Self::Sds,
        Self::Cf,
    ];

    /// Returns the kind of a document according to its contents. A text that is not JSON counts as an array document,
    /// and [`Cf`](Self::Cf) is never recognized.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Document::scan(bytes).map_or(Self::Array, |document| document.kind)
    }

    /// Returns the kind with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the name in requests and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Group => "group",
            Self::Downsample => "downsample",
            Self::Sds => "sds",
            Self::Cf => "cf",
        }
    }

    /// Returns the treatment of the member `attributes`, which only the nodes of Zarr have.
    fn attributes(self) -> Attributes {
        match self {
            Self::Array | Self::Group => Attributes::Skipped,
            Self::Downsample | Self::Sds | Self::Cf => Attributes::Entered,
        }
    }
}

/// A document whose text is scanned: it is JSON, and every value in it has a place.
#[derive(Debug)]
pub struct Document<'t> {
    tree: Tree<'t>,
    kind: DocumentKind,
}

impl<'t> Document<'t> {
    /// Scans the bytes of a document whose kind is recognized by its contents.
    ///
    /// # Errors
    /// `chain.json*`, if not every reader of JSON accepts the text.
    pub fn scan(bytes: &'t [u8]) -> Result<Self, Report> {
        let document = Self::scan_as(bytes, DocumentKind::Array)?;
        let root = document.tree.root();
        let kind = recognize(root);
        // The scan has skipped `attributes`, but only in arrays and groups do they belong to the user.
        match kind.attributes() == Attributes::Entered && root.get("attributes").is_some() {
            true => Self::scan_as(bytes, kind),
            false => Ok(Self { kind, ..document }),
        }
    }

    /// Scans the bytes of a document of this kind.
    ///
    /// # Errors
    /// The same as for [`Document::scan`].
    pub fn scan_as(bytes: &'t [u8], kind: DocumentKind) -> Result<Self, Report> {
        let tree = Tree::scan(Tree::text_of(bytes)?, kind.attributes())?;
        Ok(Self { tree, kind })
    }

    /// Makes the readers report all errors. By default, they stop at the first one.
    #[must_use]
    pub fn all_errors(mut self) -> Self {
        self.tree.kept.all = true;
        self
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> DocumentKind {
        self.kind
    }

    /// Reads an array document.
    ///
    /// # Errors
    /// The clauses of [`parse_array`](crate::parse_array), and those about data types and chunk grids that are not
    /// accepted.
    pub fn array(&self, accepted: Accepted) -> Result<Judged, Report> {
        let read = array::read(&self.tree, accepted);
        self.tree.end(read, |judged| judged.warnings)
    }

    /// Reads an array document as [`parse_array`](crate::parse_array) does.
    ///
    /// # Errors
    /// The same as for that function.
    pub fn numbers(&self) -> Result<ArrayDocument, Report> {
        self.without_warnings(array::numbers(&self.tree))
    }

    /// Reads a group document, and returns the documents that it repeats, if there are any.
    ///
    /// # Errors
    /// `chain.members*`, `chain.consolidated` and `chain.node.name`.
    pub fn group(&self) -> Result<Option<Copies>, Report> {
        self.without_warnings(group::read(self.tree.root()))
    }

    /// Reads the document of a view. With `bases`, it is compared with the arrays on which it is based.
    ///
    /// # Errors
    /// The clauses of `downsample.*` about documents.
    pub fn view(&self, bases: Option<Bases<'_>>) -> Result<DownsampleDocument, Report> {
        self.without_warnings(downsample::view(self.tree.root(), bases))
    }

    /// Reads a document of data sets. The requested profile applies unless the document names its own.
    ///
    /// # Errors
    /// The clauses of `sds.*` about documents.
    pub fn data_sets(&self, profile: Option<Profile>) -> Result<SdsDocument, Report> {
        self.without_warnings(sds::document(self.tree.root(), profile))
    }

    /// Reads the attributes of a packed variable under the rules for writing: attributes for which the conventions give
    /// only guidance are refused.
    ///
    /// # Errors
    /// The clauses of `cf.*` about documents.
    pub fn variable(&self) -> Result<Cf, Report> {
        self.without_warnings(cf::written(self.tree.root()))
    }

    fn without_warnings<T>(&self, read: Read<T>) -> Result<T, Report> {
        self.tree.end(read, |_| Report::default())
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.tree.text()
    }

    /// Returns the byte range of the value at a JSON pointer, or `None` if there is no such value. Values inside the
    /// `attributes` of arrays and groups have no place.
    #[must_use]
    pub fn place(&self, pointer: &str) -> Option<Range<usize>> {
        self.tree.root().find(pointer).map(Node::place)
    }

    /// Returns the text of the value at a JSON pointer, if the value has a [place](Self::place).
    #[must_use]
    pub fn value(&self, pointer: &str) -> Option<&str> {
        self.tree.root().find(pointer).map(Node::raw)
    }

    /// Finds the place of a rejection whose JSON pointer was made by other code. If the pointer leads
    /// nowhere, the place is that of the last existing value on its path.
    #[must_use]
    pub fn locate(&self, rejection: Rejection) -> Diagnostic {
        let nearest = match &rejection.at {
            Some(At::Pointer(pointer)) => self.tree.root().nearest(pointer),
            _ => self.tree.root(),
        };
        Diagnostic::new(rejection, nearest.narrow_place())
    }
}

/// Returns the kind of a document according to its members.
fn recognize(root: Node<'_>) -> DocumentKind {
    let has = |key: &str| root.get(key).is_some();
    let is = |key: &str, expected: &str| {
        let text = root.get(key).filter(|it| it.kind() == Kind::String);
        text.is_some_and(|it| it.text().is_ok_and(|text| text == expected))
    };
    if is("node_type", "group") {
        DocumentKind::Group
    } else if is("driver", "downsample") {
        DocumentKind::Downsample
    } else if has("zarr_format") || has("driver") {
        DocumentKind::Array
    } else if has("scaling") || has("variables") || (has("type") && has("values")) {
        DocumentKind::Sds
    } else {
        DocumentKind::Array
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_recognized_by_members() {
        for (text, expected) in [
            (r#"{"type":"i2","values":[]}"#, DocumentKind::Sds),
            (r#"{"scaling":null}"#, DocumentKind::Sds),
            (r#"{"variables":{}}"#, DocumentKind::Sds),
            (r#"{"type":"i2"}"#, DocumentKind::Array),
            (r#"{"zarr_format":3,"variables":{}}"#, DocumentKind::Array),
            (r#"{"driver":"n5","scaling":1}"#, DocumentKind::Array),
            (
                r#"{"driver":"downsample","scaling":1}"#,
                DocumentKind::Downsample,
            ),
            (r#"{"driver":1,"node_type":"group"}"#, DocumentKind::Group),
            ("[]", DocumentKind::Array),
            ("{", DocumentKind::Array),
        ] {
            assert_eq!(DocumentKind::of(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(DocumentKind::of(&[0xff]), DocumentKind::Array);
    }

    /// The member `attributes` belongs to the user only in arrays and groups.
    #[test]
    fn attributes_of_other_documents_are_scanned() {
        let twice = r#""attributes":{"a":1,"a":1}"#;
        for (members, is_scanned) in [
            (r#""node_type":"group""#, true),
            (r#""node_type":"array""#, true),
            (r#""driver":"downsample""#, false),
            (r#""scaling":null"#, false),
        ] {
            let text = format!("{{{members},{twice}}}");
            let scanned = Document::scan(text.as_bytes());
            assert_eq!(scanned.is_ok(), is_scanned, "{text}");
        }
    }
}
