//! The parameters of a packing, and the codecs into which they are written.

use exactum_exact::{Exact, Rounded, round};
use exactum_metadata::document::{ArrayMetadata, Codec};
use exactum_model::{
    ArrayToArray, ArrayToBytes, BitRound, Bytes, CastValue, Chain, CodecPipeline, DataType, Endian,
    Format, MapEntry, OutOfRange, PackBits, Rounding, Scalar, ScaleOffset,
};
use serde_json::{Value, json};

use super::arithmetic::near;
use super::{Request, Target};

/// A packing: `cast_value` into `work` if that is not the array's data type, `scale_offset`, `cast_value`,
/// and `bytes` or `packbits`; or `bitround` and `bytes`.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The data type of the computation.
    pub work: DataType,
    /// The bits of the offset in that type.
    pub offset: Option<u64>,
    /// The bits of the scale in that type.
    pub scale: Option<u64>,
    /// The stored data type.
    pub target: Target,
    /// The numbers of `work` that have separate codes, by their bits.
    pub map: Vec<(u64, u64)>,
    /// The number of bits that `bitround` keeps, if the packing consists only of it.
    pub keep_bits: Option<u64>,
}

impl Layout {
    /// Returns a packing that changes only the data type.
    pub(super) fn plain(work: DataType, target: Target) -> Self {
        Self {
            work,
            offset: None,
            scale: None,
            target,
            map: Vec::new(),
            keep_bits: None,
        }
    }

    /// Returns the value of a number of `work`.
    pub fn number(&self, bits: u64) -> Exact {
        Exact::from_bits(&self.work.format(), bits)
    }

    /// Returns the scale, which is 1 if none is written.
    pub fn scale(&self) -> Exact {
        self.scale
            .map_or_else(|| Exact::integer(1), |bits| self.number(bits))
    }

    /// Returns the offset, which is 0 if none is written.
    pub fn offset(&self) -> Exact {
        self.offset
            .map_or_else(|| Exact::integer(0), |bits| self.number(bits))
    }

    fn cast(&self, from: DataType, to: DataType) -> CastValue {
        let is_last = to == self.target.data_type;
        let is_integer = |data_type: DataType| matches!(data_type.format(), Format::Integer(_));
        let map = if is_last { &self.map[..] } else { &[] };
        CastValue {
            decoded: from,
            encoded: to,
            rounding: match is_integer(to) {
                true => Rounding::NearestAway,
                false => Rounding::NearestEven,
            },
            // A decoded value may be up to half a step beyond the integers of the array.
            out_of_range: (!is_last && is_integer(from)).then_some(OutOfRange::Clamp),
            encode_map: map
                .iter()
                .map(|&(value, code)| MapEntry::new(value, code))
                .collect(),
            decode_map: map
                .iter()
                .map(|&(value, code)| MapEntry::new(code, value))
                .collect(),
        }
    }

    /// Returns the codecs of an array of a data type, for a chunk of one element without dimensions.
    pub(super) fn chain(&self, data_type: DataType, fill_value: u64) -> Chain {
        let mut array_to_array: Vec<ArrayToArray> = Vec::new();
        let mut push = |name: &str, codec, data_type| {
            array_to_array.push(ArrayToArray {
                name: name.into(),
                pointer: format!("/codecs/{}", array_to_array.len()),
                codec,
                data_type,
                shape: Vec::new(),
            });
        };
        if let Some(keep_bits) = self.keep_bits {
            let codec = BitRound::new(data_type, keep_bits);
            push("bitround", codec.into(), data_type);
        }
        if self.work != data_type {
            let cast = self.cast(data_type, self.work);
            push("cast_value", cast.into(), self.work);
        }
        if self.offset.is_some() || self.scale.is_some() {
            let codec = ScaleOffset {
                data_type: self.work,
                offset: self.offset,
                scale: self.scale,
            };
            push("scale_offset", codec.into(), self.work);
        }
        let Target {
            data_type: target,
            bits,
        } = self.target;
        if target != self.work || !self.map.is_empty() {
            push("cast_value", self.cast(self.work, target).into(), target);
        }
        let array_to_bytes = match self.target.is_packed() {
            true => ArrayToBytes::PackBits(PackBits::whole(target).bits(0, bits - 1)),
            false => ArrayToBytes::Bytes(Bytes::new(
                target,
                (target.element_bytes() > 1).then_some(Endian::Little),
            )),
        };
        Chain {
            data_type,
            chunk_shape: Vec::new(),
            fill_value: Scalar::new(data_type, fill_value.into()),
            pipeline: CodecPipeline::new(array_to_array, array_to_bytes),
        }
    }

    /// Returns the document of an array of one element.
    pub(super) fn document(&self, data_type: DataType, fill_value: u64) -> Value {
        let chain = self.chain(data_type, fill_value);
        let mut codecs: Vec<Codec> = Vec::new();
        for step in &chain.pipeline.array_to_array {
            if let Ok(codec) = <&BitRound>::try_from(&step.codec) {
                codecs.push(Codec::bitround(codec));
            } else if let Ok(codec) = <&ScaleOffset>::try_from(&step.codec) {
                codecs.push(Codec::scale_offset(codec));
            } else if let Ok(codec) = <&CastValue>::try_from(&step.codec) {
                codecs.push(Codec::cast_value(codec));
            }
        }
        codecs.push(match &chain.pipeline.array_to_bytes {
            ArrayToBytes::PackBits(codec) => Codec::packbits(codec),
            ArrayToBytes::Bytes(codec) => Codec::bytes(codec.endian),
            other => unreachable!("no layout has {other:?}"),
        });
        let document = ArrayMetadata::new(vec![1], vec![1], &chain.fill_value, codecs);
        // All keys of the document are texts.
        serde_json::to_value(document).unwrap_or_else(|fault| json!(fault.to_string()))
    }

    /// Returns the fraction of the range by which values may leave it on either side and still have codes.
    pub(super) fn room(&self, request: &Request) -> Option<Exact> {
        let [least, greatest] = request.ends();
        let has_codes = matches!(self.target.data_type.format(), Format::Integer(_));
        if request.is_single() || !has_codes || self.keep_bits.is_some() {
            return None;
        }
        let free = super::codes::Codes::of(self.target, request.needs, self.has_own_fill(request));
        let free = free.ok()?;
        // The code of a fill value among the values is not a code of the range.
        let code = |end: &Exact| {
            let code = near(&end.subtract(&self.offset()).multiply(&self.scale()))?;
            Some(code.clamp(free.low, free.high))
        };
        let (first, last) = (code(&least)?, code(&greatest)?);
        let room = Exact::integer((first - free.low).min(free.high - last));
        Some(room.divide(&self.scale().multiply(&greatest.subtract(&least))))
    }

    /// Returns whether the fill value has a separate code.
    fn has_own_fill(&self, request: &Request) -> bool {
        self.map.len() > request.needs().len()
    }
}

/// Returns a number rounded to the nearest one of a data type, or `None` if that is not finite.
pub(super) fn rounded(value: &Exact, data_type: DataType) -> Option<u64> {
    match round(value, &data_type.format(), Rounding::NearestEven) {
        Rounded::Bits(bits) => {
            let is_finite = matches!(
                Exact::from_bits(&data_type.format(), bits),
                Exact::Finite(_) | Exact::Zero { .. }
            );
            is_finite.then_some(bits)
        }
        _ => None,
    }
}

/// Returns the number of a float type that is some places above or below a finite one.
pub(super) fn beside(data_type: DataType, bits: u64, places: i64) -> Option<u64> {
    let Format::Float(format) = data_type.format() else {
        return Some(bits);
    };
    let sign = format.sign_mask();
    let magnitude = i128::from(bits & !sign);
    let key = match bits & sign == 0 {
        true => magnitude,
        false => -magnitude,
    };
    let key = key + i128::from(places);
    let magnitude = u64::try_from(key.abs()).ok()?;
    (magnitude <= format.max_finite_bits()).then_some(magnitude | if key < 0 { sign } else { 0 })
}
