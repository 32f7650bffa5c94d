//! Compares what the codes of two packings mean. All codes are compared if they have at most 16 bits.

use std::fmt::Write as _;

use exactum_exact::Exact;
use exactum_model::{Array, Chain, DataType, Rejection};
use exactum_plan::number::{self, shown};
use exactum_reference::analysis;
use exactum_reference::chain::{self, Reference, Steps as _};

/// The greatest number of bits for which codes are tried one by one.
const MOST_BITS: u32 = 16;

/// The packing of single elements.
pub(crate) struct Packed {
    one: Chain,
    /// The data type of the stored codes.
    pub(crate) stored: DataType,
}

/// The result of reading a code.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// The bits of the value.
    Value(u64),
    /// The code is rejected.
    Rejected(Rejection),
}

/// The codes that two packings read as different values.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// The number of codes compared.
    pub(crate) codes: u64,
    /// The number of codes that are read as different values.
    pub(crate) different: u64,
    /// The least such code, with both of its values as text.
    pub(crate) first: Option<[String; 3]>,
    /// The largest distance between the two numbers that a code stands for.
    pub(crate) largest: Option<Exact>,
}

impl Packed {
    /// Returns the packing of a chain.
    ///
    /// # Errors
    /// If the chain does not work on single elements.
    pub(crate) fn of(chain: &Chain) -> Result<Self, String> {
        let words = |rejection: Rejection| rejection.message;
        Ok(Self {
            one: analysis::single(chain).map_err(words)?,
            stored: analysis::stored_type(chain).map_err(words)?,
        })
    }

    /// Returns the data type of the values.
    pub(crate) fn data_type(&self) -> DataType {
        self.one.data_type
    }

    /// Returns the code that is stored for a value, or `None` if the value is rejected.
    pub(crate) fn put(&self, value: u64) -> Option<u64> {
        let stored = analysis::put(&self.one, value);
        stored.ok().map(|stored| stored.code)
    }

    /// Reads a code.
    pub(crate) fn read(&self, code: u64) -> Read {
        let codec = &self.one.pipeline.array_to_bytes;
        let back = Array::from_components(self.stored, Vec::new(), [code])
            .and_then(|array| Reference.to_bytes(codec, &array))
            .and_then(|bytes| chain::decode(&self.one, &bytes));
        match back {
            Ok(array) => Read::Value(array.component(0)),
            Err(rejection) => Read::Rejected(rejection),
        }
    }

    /// Returns the result of reading a code as text.
    pub(crate) fn words(&self, read: &Read) -> String {
        match read {
            Read::Value(bits) => shown(self.data_type(), *bits),
            Read::Rejected(rejection) => format!("rejected ({})", rejection.clause),
        }
    }

    /// Returns the exact value of a code that was read.
    fn exact(&self, read: &Read) -> Option<Exact> {
        match read {
            Read::Value(bits) => Some(Exact::from_bits(&self.data_type().format(), *bits)),
            Read::Rejected(_) => None,
        }
    }
}

/// Returns the codes of a data type in ascending order, if there are few enough to try them all.
fn codes(data_type: DataType) -> Option<impl Iterator<Item = u64>> {
    let format = data_type.format();
    let bits = format.component_bits();
    let mask = format.component_mask();
    let is_signed = matches!(format, exactum_model::Format::Integer(it) if it.signed);
    // The first code is that of the least number.
    let first = if is_signed { 1u64 << (bits - 1) } else { 0 };
    (bits <= MOST_BITS).then(|| (0..=mask).map(move |index| (index + first) & mask))
}

/// Compares the values that two packings of the same stored data type give to every code. Returns `None` if
/// there are too many codes.
pub(crate) fn compare(one: &Packed, other: &Packed) -> Option<Difference> {
    let mut difference = Difference::default();
    for code in codes(one.stored)? {
        difference.codes += 1;
        let (a, b) = (one.read(code), other.read(code));
        let (x, y) = (one.exact(&a), other.exact(&b));
        let is_same = match (&x, &y) {
            (Some(Exact::Nan), Some(Exact::Nan)) => true,
            (Some(x), Some(y)) => x.compare(y).is_some_and(std::cmp::Ordering::is_eq),
            (None, None) => true,
            _ => false,
        };
        if is_same {
            continue;
        }
        difference.different += 1;
        if difference.first.is_none() {
            let code = shown(one.stored, code);
            difference.first = Some([code, one.words(&a), other.words(&b)]);
        }
        if let (Some(x), Some(y)) = (x, y) {
            difference.add(&x.subtract(&y));
        }
    }
    Some(difference)
}

impl Difference {
    fn add(&mut self, apart: &Exact) {
        let apart = match apart.is_negative() {
            true => apart.negate(),
            false => apart.clone(),
        };
        let is_finite = matches!(apart, Exact::Zero { .. } | Exact::Finite(_));
        let is_larger = |largest: &Exact| {
            let order = apart.compare(largest);
            order.is_some_and(std::cmp::Ordering::is_gt)
        };
        if is_finite && self.largest.as_ref().is_none_or(is_larger) {
            self.largest = Some(apart);
        }
    }
}

/// Describes how many codes differ, and the first of them.
pub(crate) fn words(difference: &Difference) -> String {
    let mut text = format!(
        "{} of {} are read as different values",
        difference.different, difference.codes
    );
    if let Some([code, a, b]) = &difference.first {
        let _ = write!(text, ", first {code}: {a} and {b}");
    }
    if let Some(largest) = &difference.largest {
        let bits = number::above(largest);
        let _ = write!(
            text,
            "; the values differ by at most {}",
            shown(DataType::Float64, bits)
        );
    }
    text
}
