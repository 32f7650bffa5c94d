//! The analysis of a range agrees with the results of trying every value.

mod numbers;

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, BitRound, Bytes, CastValue, Chain, CodecPipeline,
    DataType, Direction, Endian, FixedScaleOffset, FixedScaleOffsetNumber, Format, MapEntry,
    OutOfRange, PackBits, Reason, Rounding, Scalar, ScaleOffset,
};
use exactum_reference::analysis::{
    Analysis, Effort, FaultKind, Owner, Stored, analyse, put, single,
};
use exactum_reference::chain::{Reference, Steps as _};
use fastrand::Rng;

use numbers::numbers;

/// A reproducible sequence of pseudorandom numbers.
struct Draw(Rng);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    fn below(&mut self, count: usize) -> usize {
        self.0.usize(..count)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// Returns arbitrary bits, with a preference for the bits of small numbers.
    fn number(&mut self, data_type: DataType) -> u64 {
        let bits = match data_type.format() {
            Format::Integer(_) if self.chance(2) => self.bits() % 16,
            format if self.chance(2) => {
                let small = Exact::integer(i128::from(self.bits() % 64) - 16);
                let small = small.divide(&Exact::integer(1 << self.below(6)));
                nearest(&small, &format)
            }
            _ => self.bits(),
        };
        Scalar::new(data_type, bits.into()).component(0)
    }
}

/// Rounds a number and returns its bits.
fn nearest(number: &Exact, format: &Format) -> u64 {
    match exactum_exact::round(number, format, Rounding::NearestEven) {
        exactum_exact::Rounded::Bits(bits) => bits,
        _ => 1,
    }
}

const ARRAYS: [DataType; 10] = [
    DataType::Int8,
    DataType::Uint8,
    DataType::Int16,
    DataType::Uint16,
    DataType::Float8E4m3,
    DataType::Float8E5m2fnuz,
    DataType::Float8E8m0fnu,
    DataType::Float6E3m2fn,
    DataType::Bfloat16,
    DataType::Float16,
];

const STORED: [DataType; 12] = [
    DataType::Int4,
    DataType::Uint4,
    DataType::Int8,
    DataType::Uint8,
    DataType::Int16,
    DataType::Uint16,
    DataType::Int32,
    DataType::Float8E4m3,
    DataType::Float8E4m3fnuz,
    DataType::Float16,
    DataType::Float32,
    DataType::Float64,
];

fn scale_offset(draw: &mut Draw, data_type: DataType) -> ScaleOffset {
    let format = data_type.format();
    let is_usable = |bits: &u64| matches!(Exact::from_bits(&format, *bits), Exact::Finite(_));
    let mut one = || {
        (!draw.chance(3))
            .then(|| draw.number(data_type))
            .filter(is_usable)
    };
    ScaleOffset {
        data_type,
        offset: one(),
        scale: one(),
    }
}

fn cast(draw: &mut Draw, decoded: DataType) -> CastValue {
    let encoded = draw.one(&STORED);
    let mut encode_map = Vec::new();
    let mut decode_map = Vec::new();
    if draw.chance(2) {
        let nan = decoded.format().float().and_then(|it| it.nan_bits());
        for input in nan.into_iter().chain(
            (0..draw.below(3))
                .map(|_| draw.number(decoded))
                .collect::<Vec<_>>(),
        ) {
            let output = draw.number(encoded);
            encode_map.push(MapEntry::new(input, output));
            if !draw.chance(4) {
                decode_map.push(MapEntry::new(output, input));
            }
        }
        if draw.chance(3) {
            decode_map.push(MapEntry::new(draw.number(encoded), draw.number(decoded)));
        }
    }
    let rules = match encoded.format() {
        Format::Integer(_) => &[None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)][..],
        _ => &[None, Some(OutOfRange::Clamp)][..],
    };
    CastValue::new(decoded, encoded)
        .rounding(draw.one(Rounding::ALL))
        .out_of_range(draw.one(rules))
        .encode_map(encode_map)
        .decode_map(decode_map)
}

const LEGACY: [DataType; 7] = [
    DataType::Int8,
    DataType::Uint8,
    DataType::Int16,
    DataType::Uint16,
    DataType::Float16,
    DataType::Float32,
    DataType::Float64,
];

fn legacy(draw: &mut Draw, dtype: DataType) -> FixedScaleOffset {
    let mut astypes = LEGACY;
    astypes[6] = dtype;
    let mut number = |nonzero: bool| {
        let value = draw.bits() % 40 + u64::from(nonzero);
        let is_integer = matches!(dtype.format(), Format::Integer(_));
        match is_integer && draw.chance(2) {
            true => FixedScaleOffsetNumber::Integer(value.into()),
            false => {
                let quarters = Exact::integer(value.into()).divide(&Exact::integer(4));
                FixedScaleOffsetNumber::Binary64(nearest(&quarters, &DataType::Float64.format()))
            }
        }
    };
    FixedScaleOffset {
        dtype,
        offset: number(false),
        scale: number(true),
        astype: draw.one(&astypes),
    }
}

fn chain(draw: &mut Draw) -> Chain {
    let data_type = draw.one(&ARRAYS);
    let mut now = data_type;
    let mut array_to_array = Vec::new();
    for _ in 0..draw.below(4) {
        let codec: ArrayCodec = match draw.below(6) {
            5 => BitRound::new(now, draw.bits() % 12 + 1).into(),
            0 | 1 => scale_offset(draw, now).into(),
            2 if LEGACY.contains(&now) => legacy(draw, now).into(),
            _ => cast(draw, now).into(),
        };
        now = codec.data_types().expect("elementwise").1;
        array_to_array.push(ArrayToArray {
            name: "codec".into(),
            pointer: String::new(),
            codec,
            data_type: now,
            shape: vec![1],
        });
    }
    let bits = now.format().component_bits();
    let array_to_bytes = match draw.chance(3) {
        true => {
            let any = |draw: &mut Draw| {
                u32::try_from(draw.below(usize::try_from(bits).expect("small"))).expect("small")
            };
            let (a, b) = (any(draw), any(draw));
            ArrayToBytes::PackBits(PackBits::whole(now).bits(
                if draw.chance(2) { 0 } else { a.min(b) },
                if draw.chance(3) { bits - 1 } else { a.max(b) },
            ))
        }
        false => ArrayToBytes::Bytes(Bytes::new(now, Some(Endian::Little))),
    };
    Chain {
        data_type,
        chunk_shape: vec![1],
        fill_value: Scalar::new(data_type, draw.number(data_type).into()),
        pipeline: CodecPipeline::new(array_to_array, array_to_bytes),
    }
}

/// Passes one element through a codec.
fn element(codec: &ArrayCodec, direction: Direction, bits: u64) -> Option<u64> {
    Reference.element(codec, direction, bits).ok()
}

/// Returns the codecs whose maps replace a value, each with the replaced key, which is the codec's input.
fn keys(chain: &Chain, bits: u64) -> Vec<(usize, u64)> {
    let mut found = Vec::new();
    let mut bits = bits;
    for (index, step) in chain.pipeline.all_array_to_array().enumerate() {
        if let ArrayCodec::CastValue(codec) = &step.codec {
            let format = codec.decoded.format();
            let mut keys = codec.encode_map.iter();
            if keys.any(|entry| format.same_value(entry.input, bits)) {
                found.push((index, bits));
            }
        }
        match element(&step.codec, Direction::Encode, bits) {
            Some(next) => bits = next,
            None => break,
        }
    }
    found
}

/// Returns whether a code is either read back as the key of the map entry that produced it, or not read back at all.
fn brings_back(chain: &Chain, (index, key): (usize, u64), code: u64) -> bool {
    let steps: Vec<&ArrayToArray> = chain.pipeline.all_array_to_array().collect();
    let mut bits = code;
    for step in steps[index..].iter().rev() {
        match element(&step.codec, Direction::Decode, bits) {
            Some(before) => bits = before,
            None => return true,
        }
    }
    let (decoded, _) = steps[index].codec.data_types().expect("elementwise");
    decoded.format().same_value(bits, key)
}

/// Returns the same chain without rules for values out of range, so that such values are rejected.
fn strict(chain: &Chain) -> Chain {
    let mut chain = chain.clone();
    for step in &mut chain.pipeline.array_to_array {
        if let ArrayCodec::CastValue(codec) = &mut step.codec {
            codec.out_of_range = None;
        }
    }
    chain
}

fn has_legacy(chain: &Chain) -> bool {
    let mut steps = chain.pipeline.array_to_array.iter();
    steps.any(|step| matches!(step.codec, ArrayCodec::FixedScaleOffset(_)))
}

/// An analysis, with the values that are tried for comparison.
struct Tried<'a> {
    chain: &'a Chain,
    /// The chain for one element.
    one: Chain,
    values: &'a [u64],
    analysis: &'a Analysis,
    /// The indices of the first and the last value of every fault.
    places: Vec<(usize, usize)>,
}

/// Compares an analysis with the result of every value.
fn check(chain: &Chain, values: &[u64], analysis: &Analysis) {
    let place = |bits: u64| {
        let place = values.iter().position(|value| *value == bits);
        place.expect("inside")
    };
    let faults = analysis.faults.iter();
    let tried = Tried {
        chain,
        one: single(chain).expect("elementwise"),
        values,
        analysis,
        places: faults
            .map(|fault| (place(fault.first), place(fault.last)))
            .collect(),
    };
    let strict = strict(&tried.one);
    let mut worst = Exact::integer(0);
    for (index, &value) in values.iter().enumerate() {
        let Some(stored) = tried.stored(index, value, &strict) else {
            continue;
        };
        if let Some(error) = tried.error(index, value, &stored)
            && error.compare(&worst).is_some_and(Ordering::is_gt)
        {
            worst = error;
        }
        tried.check_keys(index, value, &stored);
    }
    tried.check_faults();
    if let Some(error) = &analysis.error {
        let compared = worst.compare(&error.bound);
        assert!(compared.is_some_and(Ordering::is_le), "{worst:?} {error:?}");
        if error.is_exact() {
            assert!(compared.is_some_and(Ordering::is_eq), "{worst:?} {error:?}");
        }
    }
}

impl Tried<'_> {
    /// Returns whether a fault of a certain kind covers a value.
    fn covers(&self, index: usize, is_kind: impl Fn(&FaultKind) -> bool) -> bool {
        let mut faults = self.analysis.faults.iter().zip(&self.places);
        faults
            .any(|(fault, (first, last))| is_kind(&fault.kind) && (*first..=*last).contains(&index))
    }

    /// Returns what is stored for a value, unless it is rejected, and checks that the faults that cover it agree.
    fn stored(&self, index: usize, value: u64, strict: &Chain) -> Option<Stored> {
        let rejected = self.covers(index, |kind| *kind == FaultKind::Rejected);
        let leaves = self.covers(index, |kind| {
            matches!(kind, FaultKind::Clamped | FaultKind::Wrapped)
        });
        let stored = match put(&self.one, value) {
            Err(rejection) => {
                assert!(rejected || leaves, "{value:#x}: {rejection}");
                return None;
            }
            Ok(stored) => stored,
        };
        assert!(!rejected, "{value:#x} is not rejected");
        let without = put(strict, value);
        let is_out = without.is_err_and(|rejection| rejection.reason == Reason::OutOfRange);
        assert!(!is_out || leaves, "{value:#x} leaves the range");
        let packs_some = match &self.one.pipeline.array_to_bytes {
            ArrayToBytes::PackBits(codec) => *codec != PackBits::whole(codec.data_type),
            _ => false,
        };
        if leaves && !has_legacy(self.chain) && !packs_some {
            assert!(is_out, "{value:#x} does not leave the range");
        }
        Some(stored)
    }

    /// Returns the error of a value that is read back. If the value is not read back, a fault must cover it.
    fn error(&self, index: usize, value: u64, stored: &Stored) -> Option<Exact> {
        let read = |bits| Exact::from_bits(&self.chain.data_type.format(), bits);
        let back = stored.back.as_ref().ok().map(|bits| read(*bits));
        let finite = back.filter(|back| matches!(back, Exact::Finite(_) | Exact::Zero { .. }));
        let Some(back) = finite else {
            let covered = self.covers(index, |kind| *kind != FaultKind::Rejected);
            assert!(covered, "{value:#x} is not read back");
            return None;
        };
        let error = back.subtract(&read(value));
        Some(match error.is_negative() {
            true => error.negate(),
            false => error,
        })
    }

    /// Checks that keys that are not read back as themselves, and values that share their code with a special value,
    /// are reported as faults.
    fn check_keys(&self, index: usize, value: u64, put: &Stored) {
        let Self {
            chain, analysis, ..
        } = self;
        let format = analysis.stored.format();
        let specials = analysis.specials.iter();
        let specials = specials.filter_map(|it| it.outcome.as_ref().ok());
        let mut specials = specials.map(|it| it.code);
        let keys = keys(chain, value);
        let mut each = keys.iter();
        let lost = each.any(|key| !brings_back(chain, *key, put.code));
        assert!(
            !lost || !analysis.is_proof(),
            "{value:#x} is not read back as its scalar_map key"
        );
        if lost && analysis.complete && put.back.is_ok() {
            let is_shown = self.covers(index, |kind| {
                matches!(kind, FaultKind::KeyLost { .. } | FaultKind::Wrapped)
            });
            assert!(is_shown, "{value:#x} is not reported as lost");
        }
        if keys.is_empty() && specials.any(|code| format.same_value(code, put.code)) {
            let reported = analysis.faults.iter().any(|fault| match fault.kind {
                FaultKind::Reserved { code, .. } => format.same_value(code, put.code),
                _ => false,
            });
            assert!(
                reported || !analysis.complete,
                "{value:#x} has the code {:#x}",
                put.code
            );
        }
    }

    /// Checks that every value that a fault of map keys or reserved codes covers has this fault.
    fn check_faults(&self) {
        let format = self.analysis.stored.format();
        let stored = |value| put(&self.one, value).expect("a code");
        for (fault, (first, last)) in self.analysis.faults.iter().zip(&self.places) {
            if let FaultKind::KeyLost { .. } = fault.kind {
                for &value in &self.values[*first..=*last] {
                    let code = stored(value).code;
                    let mut keys = keys(self.chain, value).into_iter();
                    let lost = keys.any(|key| !brings_back(self.chain, key, code));
                    assert!(lost, "{value:#x} {fault:?}");
                }
            }
            let FaultKind::Reserved { code, owner } = fault.kind else {
                continue;
            };
            // A codec after the map may store the same map key in several ways.
            let last = match owner {
                Owner::DecodeKey { .. } => first,
                _ => last,
            };
            for &value in &self.values[*first..=*last] {
                let put = stored(value);
                assert!(
                    format.same_value(put.code, code),
                    "{value:#x} {put:?} {fault:?}"
                );
            }
        }
    }
}

#[test]
fn an_analysis_is_what_trying_every_value_gives() {
    let draw = &mut Draw(Rng::with_seed(15));
    let (mut proofs, mut refuted, mut bounded, mut reserved, mut exact) = (0, 0, 0, 0, 0);
    for round in 0..1500 {
        let chain = chain(draw);
        let all = numbers(chain.data_type);
        let width = draw.below(all.len().min(600)) + 1;
        let start = draw.below(all.len() - width + 1);
        let values = &all[start..start + width];
        let effort = Effort {
            codes: if draw.chance(2) { 0 } else { 1000 },
            values: 4,
        };
        let range = [values[0], values[width - 1]];
        let Ok(analysis) = analyse(&chain, range, effort) else {
            continue;
        };
        let reported = std::panic::catch_unwind(|| check(&chain, values, &analysis));
        assert!(
            reported.is_ok(),
            "{round}: {chain:#?}\n{range:#x?}\n{analysis:#?}"
        );
        match analysis.is_proof() {
            true => proofs += 1,
            false => refuted += 1,
        }
        let is_reserved = |kind: &FaultKind| matches!(kind, FaultKind::Reserved { .. });
        reserved += usize::from(analysis.faults.iter().any(|fault| is_reserved(&fault.kind)));
        match analysis.error.map(|error| error.is_exact()) {
            Some(true) => exact += 1,
            Some(false) => bounded += 1,
            None => {}
        }
    }
    let counts = [proofs, refuted, bounded, reserved, exact];
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}
