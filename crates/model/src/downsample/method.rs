//! The methods by which blocks are reduced to single elements.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::text::TextType;
use crate::data_type::DataType;
use crate::format::Format;
use crate::rejection::{Reason, Rejection};

macro_rules! methods {
    ($($variant:ident $name:literal $meaning:literal;)*) => {
        /// A method that reduces a block to one element.
        ///
        /// ```
        /// use exactum_model::{DataType, Method, TextType};
        ///
        /// assert_eq!(Method::Max.name(), "max");
        /// assert!(Method::Max.require(DataType::Complex64).is_err());
        /// assert!(Method::Max.require_of_texts(TextType::String).is_err());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Method { $(#[doc = $meaning] $variant,)* }

        impl Method {
            /// Every method.
            pub const ALL: &[Method] = &[$(Method::$variant),*];

            /// Returns the name in documents.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Method::$variant => $name,)* }
            }
        }
    };
}

methods! {
    Stride "stride" "Its element at the multiple of the factors.";
    Mean "mean" "The arithmetic mean.";
    Min "min" "The smallest element.";
    Max "max" "The largest element.";
    Median "median" "The middle of the sorted elements, the lower of two.";
    Mode "mode" "The most frequent element, the smallest of several.";
}

impl Method {
    /// Requires that the method is defined for a data type (downsample.data_types).
    ///
    /// # Errors
    /// [`Reason::UnsupportedDataType`] for complex numbers, which are not ordered, under `min`,
    /// `max` and `median`.
    pub fn require(self, data_type: DataType) -> Result<(), Rejection> {
        let ordered = matches!(self, Method::Min | Method::Max | Method::Median);
        if ordered && matches!(data_type.format(), Format::Complex(_)) {
            return Err(Rejection::new(
                Reason::UnsupportedDataType,
                "downsample.data_types",
                format!("{self} is not defined for {data_type}: complex numbers are not ordered"),
            )
            .help("use \"stride\", \"mean\" or \"mode\""));
        }
        Ok(())
    }

    /// Returns whether downsampling a level gives, bit for bit, the same elements as downsampling the array
    /// directly by the product of both factors. This holds for stride, because the first of the first elements
    /// is the first element, and for min and max, because the smallest of the smallest elements is the smallest
    /// element. The other methods depend on the number of elements in each block, which a view of a view
    /// (downsample.chained) does not know.
    ///
    /// ```
    /// use exactum_model::Method;
    ///
    /// assert!(Method::Max.composes());
    /// // The mean of 0 and of the mean of 1 and 1 is not that of 0, 1 and 1.
    /// assert!(!Method::Mean.composes());
    /// ```
    #[must_use]
    pub const fn composes(self) -> bool {
        matches!(self, Method::Stride | Method::Min | Method::Max)
    }

    /// Requires that the method is defined for non-numeric elements (downsample.data_types).
    ///
    /// # Errors
    /// [`Reason::UnsupportedDataType`] for all methods except `stride` and `mode`.
    pub fn require_of_texts(self, data_type: TextType) -> Result<(), Rejection> {
        if matches!(self, Method::Stride | Method::Mode) {
            return Ok(());
        }
        Err(Rejection::new(
            Reason::UnsupportedDataType,
            "downsample.data_types",
            format!("{self} is not defined for {data_type}, whose elements are not numbers"),
        )
        .help("use \"stride\" or \"mode\""))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    /// Finds a method by its name.
    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Method::ALL
            .iter()
            .copied()
            .find(|method| method.name() == name)
            .ok_or_else(|| UnknownMethod(name.into()))
    }
}

/// The error of parsing an unknown method.
///
/// ```
/// use exactum_model::{Method, UnknownMethod};
///
/// let error: UnknownMethod = "average".parse::<Method>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown method \"average\"");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod(String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown method {:?}", self.0)
    }
}

impl core::error::Error for UnknownMethod {}
