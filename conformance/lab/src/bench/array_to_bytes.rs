//! Codecs from arrays to bytes, in both directions: those of Exactum and `zarrs`, and equivalent operations of NumPy.

use std::borrow::Cow;
use std::hint::black_box;
use std::num::NonZeroU64;
use std::sync::Arc;

use exactum_conformance::model::{DataType, Rejection};
use serde_json::json;
use zarrs::array::{
    ArrayBytes, ArrayToBytesCodecTraits, CodecOptions, DataType as ZarrsDataType, FillValue,
};
use zarrs::metadata::v3::MetadataV3;

use super::options::Marks;
use super::outside::Work;
use super::placed::{self, Placed};
use super::session::Bench;
use super::time::Contestant;

/// The number of elements after which the input repeats. They fill whole bytes, however few bits an element has.
const PERIOD: usize = 4096;

/// The measured properties of a codec.
pub(super) struct Coding<'a> {
    pub(super) row: &'static str,
    /// The prefix of the names of the cases.
    pub(super) name: String,
    pub(super) data_type: DataType,
    /// Returns the number of encoded bytes for a number of elements, which need not be a multiple of [`PERIOD`].
    pub(super) encoded_bytes: &'a dyn Fn(usize) -> usize,
    pub(super) encode: &'a Into<'a>,
    pub(super) decode: &'a Into<'a>,
    /// The codec of `zarrs`, if it has anything to do.
    pub(super) zarrs: Option<Arc<dyn ArrayToBytesCodecTraits>>,
    /// The names of the two directions in programs in other languages, and the types as which these programs see
    /// elements and bytes.
    pub(super) outside: Option<[(&'static str, DataType); 2]>,
}

/// A codec of Exactum.
type Into<'a> = dyn Fn(&[u8], &mut [u8]) -> Result<(), Rejection> + 'a;

/// Returns elements with arbitrary bits of their type, in no order.
fn elements(data_type: DataType) -> Vec<u8> {
    let mut numbers = fastrand::Rng::with_seed(1);
    let format = data_type.format();
    (0..PERIOD * format.components())
        .flat_map(|_| {
            let bits = numbers.u64(..) & format.component_mask();
            bits.to_le_bytes()
                .into_iter()
                .take(format.component_bytes())
        })
        .collect()
}

impl Bench<'_> {
    /// Measures both directions of a codec.
    pub(super) fn coding(&mut self, coding: &Coding<'_>) {
        let width = coding.data_type.element_bytes();
        let period_bytes = (coding.encoded_bytes)(PERIOD);
        let count = self.options.traffic() * PERIOD / (PERIOD * width + period_bytes);
        let decoded = elements(coding.data_type);
        let mut encoded = vec![0; period_bytes];
        (coding.encode)(&decoded, &mut encoded).expect("elements of the type");
        let mut again = vec![0; decoded.len()];
        (coding.decode)(&encoded, &mut again).expect("as many bytes as needed");
        let sizes = (count * width, (coding.encoded_bytes)(count));
        self.direction(coding, true, count, sizes, (decoded, &encoded));
        self.direction(coding, false, count, (sizes.1, sizes.0), (encoded, &again));
    }

    /// Measures one direction. The input repeats a period until it has the given number of bytes; the first bytes of
    /// the output are known.
    fn direction(
        &mut self,
        coding: &Coding<'_>,
        encodes: bool,
        count: usize,
        (read, written): (usize, usize),
        (period, first): (Vec<u8>, &[u8]),
    ) {
        let direction = if encodes { "encode" } else { "decode" };
        let Some(case) = self.case(
            coding.row,
            format!("{} {direction}", coding.name),
            read + written,
        ) else {
            return;
        };
        let input = Placed::new(placed::INPUT, read, &period);
        let mut output = Placed::new(placed::OUTPUT, written, &[0u8]);
        let function = if encodes {
            coding.encode
        } else {
            coding.decode
        };
        let peer = coding.zarrs.as_ref().and_then(|codec| {
            let peer = Peer::of(codec, coding.data_type, encodes)?;
            // One period is enough for the comparison.
            let differs = peer.run(PERIOD, &period)? != first;
            Some((peer, differs))
        });
        let mut contestants = vec![Contestant::here("optimized", || {
            function(&input, &mut output).expect("as many bytes as needed");
        })];
        if let Some((peer, differs)) = &peer {
            contestants.push(Contestant {
                marks: Marks {
                    allocates: true,
                    differs: *differs,
                },
                ..Contestant::here("zarrs", || {
                    black_box(peer.run(count, &input));
                })
            });
        }
        let work = coding.outside.map(|directions| {
            let (operation, from) = directions[usize::from(!encodes)];
            Work {
                case: json!({"operation": operation, "from": from.name()}),
                period: period.clone(),
                count: read / from.element_bytes(),
                output: DataType::Uint8,
                first: first.to_vec(),
            }
        });
        self.race(&case, contestants, work.as_ref());
    }
}

/// One direction of a codec of `zarrs`.
struct Peer<'a> {
    codec: &'a Arc<dyn ArrayToBytesCodecTraits>,
    data_type: ZarrsDataType,
    fill_value: FillValue,
    encodes: bool,
}

impl<'a> Peer<'a> {
    /// Returns the peer, or `None` if `zarrs` does not know the data type.
    fn of(
        codec: &'a Arc<dyn ArrayToBytesCodecTraits>,
        data_type: DataType,
        encodes: bool,
    ) -> Option<Self> {
        Some(Self {
            codec,
            data_type: ZarrsDataType::from_metadata(&MetadataV3::new(data_type.name())).ok()?,
            fill_value: FillValue::new(vec![0; data_type.element_bytes()]),
            encodes,
        })
    }

    /// Returns the output for a chunk with a number of elements, or `None` if `zarrs` refuses it.
    fn run<'b>(&self, count: usize, input: &'b [u8]) -> Option<Cow<'b, [u8]>> {
        let shape = [NonZeroU64::new(u64::try_from(count).ok()?)?];
        let options = CodecOptions::default();
        if self.encodes {
            let elements = ArrayBytes::from(input);
            self.codec
                .encode(
                    elements,
                    &shape,
                    &self.data_type,
                    &self.fill_value,
                    &options,
                )
                .ok()
        } else {
            self.codec
                .decode(
                    input.into(),
                    &shape,
                    &self.data_type,
                    &self.fill_value,
                    &options,
                )
                .ok()?
                .into_fixed()
                .ok()
        }
    }
}
