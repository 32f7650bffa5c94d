//! Mutants: implementations with one fault each.
//!
//! A mutant is the reference with one thing wrong, and the clause that the fault breaks. The
//! vectors must find every one of them: a clause whose mutants all live is only cited, not covered
//! (see [`coverage`]). Faults are those of real implementations wherever one was
//! seen.

mod arithmetic;
mod bytes;
mod calls;
mod cast_value;
mod chain;
pub mod coverage;
mod data_type;
mod documents;
mod fill_value;
mod order;
mod packbits;
mod scale_offset;
#[cfg(test)]
mod tests;
mod walk;
mod witness;

use exactum_conformance::model::{
    Array, Bytes, CastValue, Chain, DataType, FixedScaleOffset, PackBits, Rejection, Resolution,
    Scalar, ScaleOffset, Step,
};
use exactum_conformance::{Outcome, Request};

pub use calls::{Wrong, right};
pub use witness::Witness;

/// A wrong implementation.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// A unique name: lower case, hyphens.
    pub name: &'static str,
    /// The clauses that the fault breaks.
    pub breaks: &'static [&'static str],
    /// The fault, with who had it or why it is plausible.
    pub fault: &'static str,
    /// What differs from the reference.
    pub parts: Parts,
    /// A request that the mutant and the reference answer differently.
    pub witness: Witness,
}

/// The direction of a codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the array to the store.
    Encode,
    /// From the store to the array.
    Decode,
}

/// One element of a cast: the codec, the direction, the bits; the bits of the result.
pub type CastPart = fn(&CastValue, Direction, u64) -> Result<u64, Rejection>;

/// One element of `scale_offset`.
pub type ScalePart = fn(&ScaleOffset, Direction, u64) -> Result<u64, Rejection>;

/// One element of `numcodecs.fixedscaleoffset`.
pub type LegacyPart = fn(&FixedScaleOffset, Direction, u64) -> Result<u64, Rejection>;

/// The fill value after a codec: the chain, the codec, the fill value before it.
pub type FillPart = fn(&Chain, &Step, Scalar) -> Result<Scalar, Rejection>;

/// What a mutant makes of an encoded chunk.
pub type EncodedPart = fn(&Chain, &[u8]) -> Vec<u8>;

/// An array to bytes, by a codec.
pub type EncodePart<C> = fn(&C, &Array) -> Result<Vec<u8>, Rejection>;

/// Bytes to the array of a shape, by a codec.
pub type DecodePart<C> = fn(&C, &[u64], &[u8]) -> Result<Array, Rejection>;

/// An array -> bytes codec: what differs in its directions.
#[derive(Clone, Copy)]
pub struct Coder<C: 'static> {
    /// Encoding.
    pub encode: Option<EncodePart<C>>,
    /// Decoding.
    pub decode: Option<DecodePart<C>>,
}

impl<C> Coder<C> {
    /// As the reference.
    pub const RIGHT: Self = Self {
        encode: None,
        decode: None,
    };

    fn is_right(&self) -> bool {
        self.encode.is_none() && self.decode.is_none()
    }
}

/// What differs from the reference; `None` is the reference's own behaviour. Faults of elements
/// show in chains and fill values too, as they would in an implementation.
#[derive(Clone, Copy)]
pub struct Parts {
    /// `bytes`, in chains too.
    pub bytes: Coder<Bytes>,
    /// `packbits`, in chains too.
    pub packbits: Coder<PackBits>,
    /// `cast_value`, element by element.
    pub cast: Option<CastPart>,
    /// `scale_offset`, element by element.
    pub scale: Option<ScalePart>,
    /// `numcodecs.fixedscaleoffset`, element by element.
    pub legacy: Option<LegacyPart>,
    /// The fill value through an array -> array codec.
    pub fill: Option<FillPart>,
    /// How a chain is understood.
    pub chain: Option<fn(&Chain) -> Chain>,
    /// What is made of the resolution of a chain.
    pub resolution: Option<fn(&Chain, Resolution) -> Resolution>,
    /// What is made of a chunk before it is encoded.
    pub chunk: Option<fn(&Chain, &Array) -> Array>,
    /// What is made of an encoded chunk before it is decoded.
    pub encoded: Option<EncodedPart>,
    /// How fill values are read.
    pub parse: Option<fn(DataType, &str) -> Outcome<Scalar>>,
    /// How fill values are written.
    pub format: Option<fn(&Scalar) -> Outcome<String>>,
    /// A clause about documents that is not enforced.
    pub lenient: Option<&'static str>,
    /// Texts of documents that are refused although they are valid.
    pub refuses: Option<fn(&str) -> bool>,
    /// How a request's documents are misread: their texts are changed before anything else.
    pub misreads: Option<fn(&mut Request)>,
}

/// Nothing wrong: what a mutant's parts are filled up with.
pub const RIGHT: Parts = Parts {
    bytes: Coder::RIGHT,
    packbits: Coder::RIGHT,
    cast: None,
    scale: None,
    legacy: None,
    fill: None,
    chain: None,
    resolution: None,
    chunk: None,
    encoded: None,
    parse: None,
    format: None,
    lenient: None,
    refuses: None,
    misreads: None,
};

/// Every mutant, by row.
#[must_use]
pub fn all() -> Vec<Mutant> {
    [
        bytes::MUTANTS,
        packbits::MUTANTS,
        cast_value::exact::MUTANTS,
        cast_value::rounding::MUTANTS,
        cast_value::range::MUTANTS,
        cast_value::wrap::MUTANTS,
        cast_value::special::MUTANTS,
        cast_value::zero::MUTANTS,
        cast_value::small::MUTANTS,
        cast_value::map::MUTANTS,
        cast_value::fill::MUTANTS,
        scale_offset::operations::MUTANTS,
        scale_offset::parameters::MUTANTS,
        scale_offset::arithmetic::MUTANTS,
        scale_offset::range::MUTANTS,
        scale_offset::special::MUTANTS,
        scale_offset::small::MUTANTS,
        scale_offset::fill::MUTANTS,
        scale_offset::legacy::MUTANTS,
        chain::order::MUTANTS,
        chain::shape::MUTANTS,
        chain::fill::MUTANTS,
        chain::bytes::MUTANTS,
        data_type::MUTANTS,
        fill_value::integer::MUTANTS,
        fill_value::float::MUTANTS,
        fill_value::canonical::MUTANTS,
        fill_value::absent::MUTANTS,
        documents::MUTANTS,
        documents::data_types::MUTANTS,
        documents::legacy::MUTANTS,
    ]
    .concat()
}

impl Mutant {
    /// Whether the fault can show in an operation at all.
    #[must_use]
    pub fn touches(&self, op: &str) -> bool {
        let Parts {
            bytes,
            packbits,
            cast,
            scale,
            legacy,
            fill,
            chain,
            resolution,
            chunk,
            encoded,
            parse,
            format,
            lenient,
            refuses,
            misreads,
        } = self.parts;
        let elements = cast.is_some() || scale.is_some() || legacy.is_some();
        let encodes = bytes.encode.is_some() || packbits.encode.is_some();
        let decodes = bytes.decode.is_some() || packbits.decode.is_some();
        let own = match op {
            "bytes.encode" => bytes.encode.is_some(),
            "bytes.decode" => bytes.decode.is_some(),
            "packbits.encode" => packbits.encode.is_some(),
            "packbits.decode" => packbits.decode.is_some(),
            "cast_value.encode" | "cast_value.decode" => cast.is_some(),
            "scale_offset.encode" | "scale_offset.decode" => scale.is_some(),
            "fill_value.parse" => parse.is_some(),
            "fill_value.format" => format.is_some(),
            "chain.resolve" => elements || fill.is_some() || resolution.is_some(),
            "chain.encode" => elements || encodes || chunk.is_some(),
            "chain.decode" => elements || decodes || encoded.is_some(),
            "metadata.validate" => {
                elements || fill.is_some() || lenient.is_some() || refuses.is_some()
            }
            _ => true,
        };
        own || misreads.is_some() || (chain.is_some() && op.starts_with("chain."))
    }
}

/// What mutants say when they reject: a clause of their own would be a lie.
fn refuse(clause: &'static str) -> Rejection {
    Rejection::new(
        exactum_conformance::model::Reason::OutOfRange,
        clause,
        "rejected by a mutant",
    )
}
