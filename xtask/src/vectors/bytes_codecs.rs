//! Shared parts of the makers of `bytes`, `packbits` and `zfp`: elements, shapes, and cases that both oracles answer.

use exactum_model::{Array, DataType, Format, Reason};
use exactum_vectors::{Expect, File, Group, Level, Request};
use serde_json::json;

use super::builder::{hex, request};
use super::opinions::agreed;

/// A codec by both oracles.
pub(super) trait Coder: Sync {
    /// The row.
    const ROW: &'static str;

    /// Encodes by the reference and by the second oracle.
    fn encode(&self, input: &Array) -> [Result<Vec<u8>, Reason>; 2];

    /// Decodes by the reference and by the second oracle.
    fn decode(&self, shape: &[u64], bytes: &[u8]) -> [Result<Array, Reason>; 2];
}

/// The configuration of a request; none where the text is empty.
pub(super) fn configured(configuration: &str, mut members: Request) -> Request {
    if !configuration.is_empty() {
        members.insert("configuration".into(), configuration.into());
    }
    members
}

/// A group that encodes and one that decodes, of cases that come one by one.
pub(super) struct Pair<'a> {
    file: &'a mut File,
    name: String,
    level: Level,
    clauses: Vec<&'static str>,
    encoding: Vec<Made>,
    decoding: Vec<Made>,
    rejected: Vec<Made>,
    refused: Vec<Made>,
}

/// A case: its id, its further clauses, its own request, what must come of it.
struct Made {
    id: String,
    clauses: Vec<&'static str>,
    request: Request,
    expect: Expect,
    /// Whether every element is a case of its own.
    per_element: bool,
}

impl<'a> Pair<'a> {
    pub(super) fn new(
        file: &'a mut File,
        name: &str,
        level: Level,
        clauses: &[&'static str],
    ) -> Self {
        Self {
            file,
            name: name.into(),
            level,
            clauses: clauses.to_vec(),
            encoding: Vec::new(),
            decoding: Vec::new(),
            rejected: Vec::new(),
            refused: Vec::new(),
        }
    }

    fn what(&self, id: &str) -> String {
        format!("{}/{}/{}/{id}", self.file.row, self.file.topic, self.name)
    }

    /// Encodes an array; where that is the way back too, decodes it.
    pub(super) fn both<C: Coder>(
        &mut self,
        id: &str,
        clauses: &[&'static str],
        (configuration, codec): (&str, &C),
        input: &Array,
    ) -> Result<(), String> {
        let bytes = self.encode(id, clauses, (configuration, codec), input)?;
        self.decode(
            id,
            clauses,
            (configuration, codec),
            input.data_type(),
            input.shape(),
            &bytes,
        )
    }

    /// Encodes an array.
    pub(super) fn encode<C: Coder>(
        &mut self,
        id: &str,
        clauses: &[&'static str],
        (configuration, codec): (&str, &C),
        input: &Array,
    ) -> Result<Vec<u8>, String> {
        let what = self.what(id);
        let [first, second] = codec.encode(input);
        let bytes = agreed(|| what.clone(), first, second)?
            .map_err(|reason| format!("{what}: {}", reason.name()))?;
        let mut ok = json!({"bytes": hex(&bytes)});
        let format = input.data_type().format();
        if C::ROW == "bytes" && is_sub_byte(format) && format != Format::Bool {
            // What is written above the bits of the type is free (bytes.sub-byte).
            let mask = hex(&format.component_mask().to_le_bytes()[..1]).repeat(bytes.len());
            ok["mask"] = mask.into();
        }
        self.encoding.push(Made {
            id: id.into(),
            clauses: clauses.to_vec(),
            request: configured(
                configuration,
                request([("input", exactum_vectors::array_to_json(input))]),
            ),
            expect: Expect::ok(ok),
            per_element: false,
        });
        Ok(bytes)
    }

    /// Encodes an array about which the text is open; gives the bytes on which both oracles agree.
    pub(super) fn open_encode<C: Coder>(
        &mut self,
        id: &str,
        ruling: &str,
        with: (&str, &C),
        input: &Array,
    ) -> Result<Vec<u8>, String> {
        let bytes = self.encode(id, &[], with, input)?;
        if let Some(made) = self.encoding.last_mut() {
            made.expect = Expect::Open(ruling.into());
        }
        Ok(bytes)
    }

    /// Elements that must be rejected on encoding, each for itself.
    pub(super) fn refuse<C: Coder>(
        &mut self,
        id: &str,
        (configuration, codec): (&str, &C),
        input: &Array,
    ) -> Result<(), String> {
        let what = self.what(id);
        let mut reason = None;
        for bits in input.components() {
            let single = array(input.data_type(), &[1], &[bits]);
            let [first, second] = codec.encode(&single);
            match agreed(|| what.clone(), first, second)? {
                Ok(_) => return Err(format!("{what}: {bits:x} is encoded")),
                Err(own) => reason = Some(own),
            }
        }
        self.refused.push(Made {
            id: id.into(),
            clauses: Vec::new(),
            request: configured(
                configuration,
                request([("input", exactum_vectors::array_to_json(input))]),
            ),
            expect: Expect::reject(reason.ok_or_else(|| format!("{what}: no element"))?),
            per_element: true,
        });
        Ok(())
    }

    /// Decodes bytes to elements that lie within a bound of others.
    pub(super) fn within<C: Coder>(
        &mut self,
        id: &str,
        with: (&str, &C),
        expected: &Array,
        bytes: &[u8],
        bound: &str,
    ) -> Result<(), String> {
        let (data_type, shape) = (expected.data_type(), expected.shape());
        self.decode(id, &[], with, data_type, shape, bytes)?;
        if let Some(made) = self.decoding.last_mut() {
            made.expect = Expect::within(expected, bound);
        }
        Ok(())
    }

    /// Decodes bytes.
    pub(super) fn decode<C: Coder>(
        &mut self,
        id: &str,
        clauses: &[&'static str],
        (configuration, codec): (&str, &C),
        data_type: DataType,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<(), String> {
        let what = self.what(id);
        let [first, second] = codec.decode(shape, bytes);
        let output = agreed(|| what.clone(), first, second)?
            .map_err(|reason| format!("{what}: {}", reason.name()))?;
        self.decoding.push(Made {
            id: id.into(),
            clauses: clauses.to_vec(),
            request: encoded(configuration, data_type, shape, bytes),
            expect: Expect::output(&output),
            per_element: false,
        });
        Ok(())
    }

    /// Decodes bytes that must be rejected.
    pub(super) fn reject<C: Coder>(
        &mut self,
        id: &str,
        (configuration, codec): (&str, &C),
        data_type: DataType,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<(), String> {
        let what = self.what(id);
        let [first, second] = codec.decode(shape, bytes);
        match agreed(|| what.clone(), first, second)? {
            Ok(_) => Err(format!("{what}: decoded")),
            Err(reason) => {
                self.rejected.push(Made {
                    id: id.into(),
                    clauses: Vec::new(),
                    request: encoded(configuration, data_type, shape, bytes),
                    expect: Expect::reject(reason),
                    per_element: false,
                });
                Ok(())
            }
        }
    }

    /// Returns whether a rejected case has this id.
    pub(super) fn has_rejected(&self, id: &str) -> bool {
        self.rejected.iter().any(|made| made.id == id)
    }

    /// Decodes bytes about which the text is open. Ours have an answer that both oracles give.
    pub(super) fn open<C: Coder>(
        &mut self,
        id: &str,
        ruling: &str,
        (configuration, codec): (&str, &C),
        data_type: DataType,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<(), String> {
        self.decode(id, &[], (configuration, codec), data_type, shape, bytes)?;
        if let Some(made) = self.decoding.last_mut() {
            made.expect = Expect::Open(ruling.into());
        }
        Ok(())
    }

    /// Writes the groups that have cases.
    pub(super) fn finish(self) {
        let row = self.file.row.clone();
        for (kind, op, cases) in [
            ("encode", "encode", self.encoding),
            ("decode", "decode", self.decoding),
            ("reject", "decode", self.rejected),
            ("refuse", "encode", self.refused),
        ] {
            if cases.is_empty() {
                continue;
            }
            let shared = request([("op", format!("{row}.{op}").into())]);
            let name = format!("{}-{kind}", self.name);
            let group = self.file.group(&name, self.level, &self.clauses, shared);
            for made in cases {
                add(group, made);
            }
        }
    }
}

fn add(group: &mut Group, made: Made) {
    // A clause of the group is not cited again.
    let clauses: Vec<&str> = made
        .clauses
        .into_iter()
        .filter(|clause| !group.clauses.iter().any(|known| known == clause))
        .collect();
    let case = group.case(&made.id, &clauses, made.request, made.expect);
    case.per_element = made.per_element;
}

fn encoded(configuration: &str, data_type: DataType, shape: &[u64], bytes: &[u8]) -> Request {
    configured(
        configuration,
        request([
            ("data_type", data_type.name().into()),
            ("shape", shape.into()),
            ("bytes", hex(bytes).into()),
        ]),
    )
}

pub(super) fn is_sub_byte(format: Format) -> bool {
    format.component_bits() < 8
}

/// An array of components, whose number fits the shape.
pub(super) fn array(data_type: DataType, shape: &[u64], components: &[u64]) -> Array {
    Array::from_components(data_type, shape.to_vec(), components.iter().copied())
        .unwrap_or_else(|rejection| panic!("{data_type} {shape:?}: {rejection}"))
}

/// As many elements as a shape has, from a sequence that depends on the data type only.
pub(super) fn filled(data_type: DataType, shape: &[u64]) -> Array {
    let count: u64 = shape.iter().product();
    let format = data_type.format();
    let mut components = noise(data_type);
    let count = usize::try_from(count).unwrap_or(0) * format.components();
    array(
        data_type,
        shape,
        &components.by_ref().take(count).collect::<Vec<_>>(),
    )
}

/// Bits without a pattern, those of the type only: the middle of a product in 128 bits.
pub(super) fn noise(data_type: DataType) -> impl Iterator<Item = u64> {
    let mask = data_type.format().component_mask();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(data_type.format().component_bits());
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let wide = u128::from(state) * 0xd134_2543_de82_ef95;
        u64::try_from(wide >> 40 & u128::from(u64::MAX)).unwrap_or(0) & mask
    })
}

/// Bits of a component that tell its places apart: each bit alone, each bit missing, bytes that
/// count, and of floats the zeros, infinities and NaNs of every kind. All there are in a type of 8
/// bits and less.
pub(super) fn components(format: Format) -> Vec<u64> {
    let (bits, mask) = (format.component_bits(), format.component_mask());
    if bits <= 8 {
        return (0..=mask).collect();
    }
    let mut found = vec![
        0,
        mask,
        0x0102_0304_0506_0708 & mask,
        0xfefd_fcfb_faf9_f8f7 & mask,
    ];
    for place in 0..bits {
        found.push(1 << place);
        found.push(mask ^ (1 << place));
    }
    if let Some(float) = format.float() {
        found.extend(nans(float));
        found.extend(float.infinity_bits());
        found.extend(float.infinity_bits().map(|bits| bits | float.sign_mask()));
        found.push(float.sign_mask());
        found.push(float.max_finite_bits());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// NaNs with and without sign, quiet and signalling, with other payloads.
pub(super) fn nans(float: exactum_model::FloatFormat) -> Vec<u64> {
    let Some(infinity) = float.infinity_bits() else {
        return float.nan_bits().into_iter().collect();
    };
    let quiet = float.nan_bits().unwrap_or(infinity);
    let some = [
        infinity | 1,
        quiet,
        quiet | 1,
        quiet | 2,
        infinity | (quiet ^ infinity) >> 1,
    ];
    let mut found: Vec<u64> = some
        .into_iter()
        .flat_map(|bits| [bits, bits | float.sign_mask()])
        .chain([float.mask()])
        .filter(|&bits| float.is_nan(bits))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// One element after another of these components; a complex element has one as its real and
/// another one as its imaginary part.
pub(super) fn elements(data_type: DataType, components: &[u64]) -> Array {
    let parts = data_type.format().components();
    let all: Vec<u64> = match parts {
        1 => components.to_vec(),
        _ => components
            .iter()
            .zip(components.iter().cycle().skip(components.len() / 2))
            .flat_map(|(&real, &imaginary)| [real, imaginary])
            .collect(),
    };
    array(
        data_type,
        &[u64::try_from(all.len() / parts).unwrap_or(0)],
        &all,
    )
}

/// The same elements with other bits above those of the type.
pub(super) fn with_junk(input: &Array) -> Option<Array> {
    let format = input.data_type().format();
    if !is_sub_byte(format) || format == Format::Bool {
        return None;
    }
    let own = format.component_mask().to_le_bytes()[0];
    let data = (0u8..).cycle().zip(input.data());
    let data = data.map(|(index, byte)| byte | (index.wrapping_mul(89) ^ 0xa5) & !own);
    Array::new(input.data_type(), input.shape().to_vec(), data.collect()).ok()
}

/// Every byte there is, as elements of a type of less than a byte.
pub(super) fn every_byte(data_type: DataType) -> (Vec<u64>, Vec<u8>) {
    let bytes: Vec<u8> = (0..=255).collect();
    let count = 256 / u64::try_from(data_type.element_bytes()).unwrap_or(1);
    (vec![count], bytes)
}
