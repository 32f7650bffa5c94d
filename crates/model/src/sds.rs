//! Typed data sets of the Solar Oscillations Investigation (SOI TN 94-115), with nine numeric types, scaling
//! attributes, and missing and infinite values (spec/sds.md).
//!
//! Real numbers are represented by their bits: a binary64 number is a `u64`, and a binary32 number is a `u32`.

mod plan;
mod scaling;
mod types;

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::format::FloatFormat;
use crate::rejection::{Reason, Rejection};
use crate::{DataType, Format};

pub use plan::{Needs, Plan, PlanRequest, Policy};
pub use scaling::Scaling;
pub use types::{Profile, SdsType};

/// The bits of the binary64 number 1.0, which is the scale if none is set (sds.2.3).
pub const ONE: u64 = 0x3ff0_0000_0000_0000;

/// The bits of the quiet binary64 NaN that represents missing real values.
pub const NAN: u64 = 0x7ff8_0000_0000_0000;

/// The bits of `-(8388608.0 * 1E10)`, the historic value MISSING of WSO_DS (sds.6.9).
pub const MISSING: u64 = 0xc372_a05f_2000_0000;

/// A notice that accompanies the result of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Warning {
    /// Integers beyond 8388607 became `r4` (sds.5.13).
    PrecisionMayBeLost,
    /// A finite value had no code and became missing (sds.5.17, sds.5.21).
    DataOutOfRange,
    /// The scaling of external real data was ignored (sds.2.10).
    ScalingIgnored,
    /// The format does not support scaling, so real numbers were written (sds.2.7).
    ScalingNotSupported,
    /// A negative infinity became missing in an unsigned type (sds.7.5).
    NegInfinityToMissing,
    /// An infinity became missing in `r4` (sds.7.2).
    InfinityNotRepresentable,
    /// There were no valid data from which a scaling could be determined (sds.3.4).
    NoValidData,
    /// One unit in the last place of the OFFSET amounts to a whole code or more (sds.5.20).
    OffsetIllConditioned,
    /// Informational: only the OFFSET was changed (sds.5.5).
    Recentred,
    /// Informational: both attributes were determined (sds.5.6, sds.5.18).
    Autoscaled,
}

/// The representation of a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// No code is reserved, so that no value is missing (sds.6.4).
    Undefined,
    /// This integer code.
    Code(i64),
    /// NaN, for real numbers.
    Nan,
    /// A real number with these bits, only in external data (sds.6.9).
    Real(u64),
}

/// The codes of infinities in an integer type (sds.7.1). Unsigned types have no code for negative infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Infinite {
    /// The code of positive infinity.
    pub positive: i64,
    /// The code of negative infinity.
    pub negative: Option<i64>,
}

/// The stored values of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Values of an integer type.
    Integers(Vec<i64>),
    /// Values of `r4`, as binary32 bits.
    Singles(Vec<u32>),
    /// Values of `r8`, as binary64 bits.
    Doubles(Vec<u64>),
    /// Values of `c8`, as pairs of binary32 bits.
    Complex(Vec<[u32; 2]>),
}

/// A data set of one variable.
///
/// ```
/// use exactum_model::sds::{
///     DataSet, External, Fill, Infinite, Output, Profile, Scaling, SdsType, Values, Warning,
/// };
///
/// let infinite = Infinite { positive: 255, negative: None };
/// let values = Values::Integers(vec![1, 254, 255]);
/// let profile = Profile::default();
/// let fill = Fill::Code(254);
/// let set = DataSet::new(SdsType::U1, values, Scaling::UNSET, fill, Some(infinite), profile)?;
/// assert_eq!((set.data_type(), set.fill()), (SdsType::U1, fill));
/// assert_eq!((set.infinite(), set.values().len(), set.values().is_empty()), (Some(infinite), 3, false));
/// assert_eq!(External::Fits.real_fill(), Fill::Nan);
/// assert_eq!(Output::default().storage, SdsType::I2);
/// assert!(!Warning::ScalingIgnored.name().is_empty());
/// assert!(Warning::Autoscaled.is_informational());
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSet {
    data_type: SdsType,
    values: Values,
    /// The scaling attributes.
    pub scaling: Scaling,
    fill: Fill,
    infinite: Option<Infinite>,
}

/// An external protocol whose fill value the note lists (sds.6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum External {
    /// The protocol FITS, whose fill value is NaN.
    Fits,
    /// The protocol CDF, whose fill value is NaN.
    Cdf,
    /// The protocol WSO_DS, whose fill value is [`MISSING`].
    WsoDs,
}

/// The scaling of a data set in the terms of FITS, CF and the Zarr codec `scale_offset`. Numbers are binary64
/// bits.
///
/// ```
/// use exactum_model::sds::Lowered;
///
/// // SCALE 2 and OFFSET 3.
/// let [factor, zero, scale] = [0.5_f64, -1.5, 2.0].map(f64::to_bits);
/// let lowered = Lowered { factor, zero, scale, factor_is_exact: true, zero_is_exact: true };
/// assert_eq!(f64::from_bits(lowered.factor) * f64::from_bits(lowered.scale), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// `BSCALE` and `scale_factor`, which are 1 / SCALE.
    pub factor: u64,
    /// `BZERO`, `add_offset` and the `offset` of `scale_offset`, which are -OFFSET / SCALE.
    pub zero: u64,
    /// The `scale` of `scale_offset`, which is SCALE itself.
    pub scale: u64,
    /// Whether `factor` is exact, that is, was not rounded.
    pub factor_is_exact: bool,
    /// Whether `zero` is exact, that is, was not rounded.
    pub zero_is_exact: bool,
}

/// The options for writing a data set in an external format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The type of scaled integers in the format (sds.2.7).
    pub storage: SdsType,
    /// Whether the format can scale integers.
    pub scaling: bool,
    /// The missing value of a floating-point output, as binary64 bits; NaN by default.
    pub fill: Option<u64>,
    /// The external protocol whose fill value applies (sds.6.9).
    pub external: Option<External>,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            storage: SdsType::I2,
            scaling: true,
            fill: None,
            external: None,
        }
    }
}

impl Warning {
    /// All warnings.
    pub const ALL: [Warning; 10] = [
        Warning::PrecisionMayBeLost,
        Warning::DataOutOfRange,
        Warning::ScalingIgnored,
        Warning::ScalingNotSupported,
        Warning::NegInfinityToMissing,
        Warning::InfinityNotRepresentable,
        Warning::NoValidData,
        Warning::OffsetIllConditioned,
        Warning::Recentred,
        Warning::Autoscaled,
    ];

    /// Returns the name of the notice in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Warning::PrecisionMayBeLost => "PRECISION_MAY_BE_LOST",
            Warning::DataOutOfRange => "DATA_OUT_OF_RANGE",
            Warning::ScalingIgnored => "SCALING_IGNORED",
            Warning::ScalingNotSupported => "SCALING_NOT_SUPPORTED",
            Warning::NegInfinityToMissing => "NEG_INFINITY_TO_MISSING",
            Warning::InfinityNotRepresentable => "INFINITY_NOT_REPRESENTABLE",
            Warning::NoValidData => "NO_VALID_DATA",
            Warning::OffsetIllConditioned => "OFFSET_ILL_CONDITIONED",
            Warning::Recentred => "RECENTRED",
            Warning::Autoscaled => "AUTOSCALED",
        }
    }

    /// Returns whether the notice is informational rather than a warning.
    #[must_use]
    pub const fn is_informational(self) -> bool {
        matches!(self, Warning::Recentred | Warning::Autoscaled)
    }
}

/// The warnings of a conversion.
pub type Warnings = BTreeSet<Warning>;

impl External {
    /// Returns the name of the protocol in requests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            External::Fits => "fits",
            External::Cdf => "cdf",
            External::WsoDs => "wso_ds",
        }
    }

    /// Returns the protocol with this name.
    ///
    /// ```
    /// use exactum_model::sds::External;
    ///
    /// assert_eq!(External::by_name("fits"), Some(External::Fits));
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [External::Fits, External::Cdf, External::WsoDs]
            .into_iter()
            .find(|it| it.name() == name)
    }

    /// Returns the fill value of the protocol for real data (sds.6.9).
    #[must_use]
    pub const fn real_fill(self) -> Fill {
        match self {
            External::Fits | External::Cdf => Fill::Nan,
            External::WsoDs => Fill::Real(MISSING),
        }
    }
}

impl Values {
    /// Returns the number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Integers(values) => values.len(),
            Values::Singles(values) => values.len(),
            Values::Doubles(values) => values.len(),
            Values::Complex(values) => values.len(),
        }
    }

    /// Returns whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl DataSet {
    /// Creates a data set.
    ///
    /// # Errors
    /// [`Reason::Metadata`] if a value is not a value of the data type, such as an integer outside the declared
    /// range (sds.1.2) or an infinity in `r4` (sds.1.4), if the fill value or a code of an infinity is not a value
    /// of the data type, or if the same code has two meanings.
    pub fn new(
        data_type: SdsType,
        values: Values,
        scaling: Scaling,
        fill: Fill,
        infinite: Option<Infinite>,
        profile: Profile,
    ) -> Result<Self, Rejection> {
        let (least, greatest) = data_type.range(profile);
        let wrong = |clause, message: String| Rejection::new(Reason::Metadata, clause, message);
        let in_range = |code: i64| {
            if data_type.is_integer() && (least..=greatest).contains(&code) {
                Ok(())
            } else {
                let message = format!("{code} is not a value of {data_type}");
                let help = format!("the range of {data_type} is {least} to {greatest}");
                Err(wrong("sds.1.2", message).help(help))
            }
        };
        let fits = match (&values, data_type) {
            (Values::Integers(_), of) => of.is_integer(),
            (Values::Singles(_), of) => of == SdsType::R4,
            (Values::Doubles(_), of) => of == SdsType::R8,
            (Values::Complex(_), of) => of == SdsType::C8,
        };
        if !fits {
            let message = format!("the values are not of type {data_type}");
            return Err(wrong("sds.1.1", message));
        }
        match &values {
            Values::Integers(values) => {
                for (index, &value) in (0u64..).zip(values) {
                    in_range(value).map_err(|rejection| rejection.at_element(index))?;
                }
            }
            Values::Singles(values) => {
                let infinite = |bits: &u32| binary32().is_infinite((*bits).into());
                if let Some((index, _)) = (0u64..).zip(values).find(|(_, bits)| infinite(bits)) {
                    let message = "infinities exist only in r8";
                    return Err(wrong("sds.1.4", message.into()).at_element(index));
                }
            }
            Values::Doubles(_) | Values::Complex(_) => {}
        }
        match fill {
            Fill::Undefined => {}
            Fill::Code(code) => in_range(code).map_err(|it| it.at_pointer("/fill"))?,
            Fill::Nan | Fill::Real(_) if data_type.is_integer() => {
                let message = format!("the fill value of {data_type} must be an integer or null");
                return Err(wrong("sds.6.1", message).at_pointer("/fill"));
            }
            Fill::Nan | Fill::Real(_) => {}
        }
        if let Some(Infinite { positive, negative }) = infinite {
            let at = |rejection: Rejection| rejection.at_pointer("/infinite");
            in_range(positive).map_err(at)?;
            if let Some(negative) = negative {
                if !data_type.is_signed() {
                    let message = format!("{data_type} cannot represent negative infinity");
                    return Err(at(wrong("sds.7.5", message)));
                }
                in_range(negative).map_err(at)?;
            }
            let fill = match fill {
                Fill::Code(code) => Some(code),
                _ => None,
            };
            if negative == Some(positive)
                || fill == Some(positive)
                || (fill.is_some() && fill == negative)
            {
                let message = "one code represents two of missing, Infinity and -Infinity";
                return Err(at(wrong("sds.7.1", message.into())));
            }
        }
        Ok(Self {
            data_type,
            values,
            scaling,
            fill,
            infinite,
        })
    }

    /// Returns the type of the values.
    #[must_use]
    pub fn data_type(&self) -> SdsType {
        self.data_type
    }

    /// Returns the stored values.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the representation of missing values.
    #[must_use]
    pub fn fill(&self) -> Fill {
        self.fill
    }

    /// Returns the codes of infinities, if the data set has any.
    #[must_use]
    pub fn infinite(&self) -> Option<Infinite> {
        self.infinite
    }
}

/// Returns the format of `r4`.
fn binary32() -> FloatFormat {
    float(DataType::Float32)
}

fn float(data_type: DataType) -> FloatFormat {
    match data_type.format() {
        Format::Float(format) => format,
        _ => unreachable!("float32 and float64 are floats"),
    }
}
