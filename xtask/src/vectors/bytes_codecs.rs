//! Code shared by the makers of `bytes`, `packbits` and `zfp`: topics, cases that both oracles answer, elements and
//! shapes.

use exactum_model::{Array, ArrayToBytes, DataType, Format, Reason};
use exactum_reference::Reference;
use exactum_reference::chain::Steps;
use exactum_vectors::{Case, Expect, File, Group, Level, Request, array_to_json};
use serde_json::json;

use super::builder::{hex, request};
use super::opinions::{agreed, array_to_bytes};
use crate::oracle;

/// A topic about one data type, under construction.
pub(super) struct Topic {
    pub(super) file: File,
    pub(super) data_type: DataType,
    /// The clauses that every group cites; empty if the text lists the type and defines its result.
    pub(super) base: Vec<&'static str>,
    /// The highest level that a group may have.
    pub(super) most: Level,
}

impl Topic {
    /// Begins the groups with this name, at a level and with clauses that the type allows.
    pub(super) fn pair(&mut self, name: &str, level: Level, clauses: &[&'static str]) -> Pair<'_> {
        let group = |kind: &str, op: &str| Group {
            id: format!("{}/{}/{name}-{kind}", self.file.row, self.file.topic),
            level: self.level(level),
            clauses: self.clauses(clauses),
            request: request([("op", format!("{}.{op}", self.file.row).into())]),
            cases: Vec::new(),
        };
        let groups = [
            group("encode", "encode"),
            group("decode", "decode"),
            group("reject", "decode"),
            group("refuse", "encode"),
        ];
        Pair {
            file: &mut self.file,
            data_type: self.data_type,
            groups,
        }
    }

    /// Returns the level, or the one that the type allows.
    fn level(&self, level: Level) -> Level {
        match self.most {
            Level::Must => level,
            most => most,
        }
    }

    fn clauses(&self, own: &[&str]) -> Vec<String> {
        let all = self.base.iter().chain(own);
        all.map(|&clause| clause.to_owned()).collect()
    }

    /// Returns the bytes to which an array is encoded under a configuration.
    pub(super) fn encode(&self, configuration: &str, input: &Array) -> Result<Vec<u8>, String> {
        let what = format!("{}/{}", self.file.row, self.file.topic);
        let rank = input.shape().len();
        let codec = codec(&self.file.row, configuration, input.data_type(), rank)?;
        encode(&what, &codec, input)?.map_err(|reason| format!("{what}: {}", reason.name()))
    }

    /// Adds a group of `ID CONFIGURATION` lines that a clause rejects, as requests with the operation `op` and other
    /// members.
    pub(super) fn no_such(
        &mut self,
        (name, level, clause): (&str, Level, &'static str),
        (op, members): (&str, Request),
        (data_type, rank): (DataType, usize),
        configurations: &str,
    ) -> Result<(), String> {
        let row = self.file.row.clone();
        let mut shared = request([("op", format!("{row}.{op}").into())]);
        shared.extend(members);
        let clauses = [&self.base[..], &[clause]].concat();
        let level = self.level(level);
        let group = self.file.group(name, level, &clauses, shared);
        for line in configurations.lines().map(str::trim) {
            let Some((id, text)) = line.split_once(' ') else {
                continue;
            };
            match array_to_bytes(&row, text.trim_start(), data_type, rank)? {
                Err(rejection) if rejection.clause == clause => {
                    let own = request([("configuration", text.trim_start().into())]);
                    group.case(id, &[], own, Expect::reject(rejection.reason));
                }
                other => return Err(format!("{row}/{data_type} {text}: {other:?}")),
            }
        }
        Ok(())
    }
}

/// Returns the bytes that the reference and the second oracle encode.
fn encode(
    what: &str,
    codec: &ArrayToBytes,
    input: &Array,
) -> Result<Result<Vec<u8>, Reason>, String> {
    let first = Reference.to_bytes(codec, input);
    agreed(
        || what.to_owned(),
        first.map_err(|rejection| rejection.reason),
        oracle::chain::to_bytes(codec, input),
    )
}

/// Returns the array that the reference and the second oracle decode.
fn decode(
    what: &str,
    codec: &ArrayToBytes,
    shape: &[u64],
    bytes: &[u8],
) -> Result<Result<Array, Reason>, String> {
    let first = Reference.to_array(codec, shape, bytes);
    agreed(
        || what.to_owned(),
        first.map_err(|rejection| rejection.reason),
        oracle::chain::to_array(codec, shape, bytes),
    )
}

/// Returns the codec of a row with a valid configuration, which is read twice. An empty text means that there is no
/// configuration.
fn codec(
    row: &str,
    configuration: &str,
    data_type: DataType,
    rank: usize,
) -> Result<ArrayToBytes, String> {
    let text = match configuration {
        "" => "{}",
        text => text,
    };
    array_to_bytes(row, text, data_type, rank)?
        .map_err(|rejection| format!("{row}/{data_type} {text}: {rejection}"))
}

/// Adds the configuration to a request, unless the text is empty.
pub(super) fn configured(configuration: &str, mut members: Request) -> Request {
    if !configuration.is_empty() {
        members.insert("configuration".into(), configuration.into());
    }
    members
}

/// The groups with one name: cases that encode, that decode, that are rejected on decoding, and that are refused on
/// encoding.
pub(super) struct Pair<'a> {
    file: &'a mut File,
    data_type: DataType,
    /// The groups to encode, to decode, to reject on decoding, and to refuse on encoding.
    groups: [Group; 4],
}

const ENCODE: usize = 0;
const DECODE: usize = 1;
const REJECT: usize = 2;
const REFUSE: usize = 3;

impl Pair<'_> {
    fn what(&self, id: &str) -> String {
        format!("{}/{id}", self.groups[ENCODE].id)
    }

    fn codec(&self, configuration: &str, rank: usize) -> Result<ArrayToBytes, String> {
        codec(&self.file.row, configuration, self.data_type, rank)
    }

    fn add(
        &mut self,
        group: usize,
        id: &str,
        clauses: &[&'static str],
        request: Request,
        expect: Expect,
    ) -> &mut Case {
        let group = &mut self.groups[group];
        let mut clauses = clauses.to_vec();
        // Clauses of the group are not cited again.
        clauses.retain(|clause| !group.clauses.iter().any(|known| known == clause));
        group.case(id, &clauses, request, expect)
    }

    /// Adds a case that encodes an array, and one that decodes the result.
    pub(super) fn both(
        &mut self,
        id: &str,
        clauses: &[&'static str],
        configuration: &str,
        input: &Array,
    ) -> Result<(), String> {
        let bytes = self.encode(id, clauses, configuration, input)?;
        self.decode(id, clauses, configuration, input.shape(), &bytes)
    }

    /// Adds a case that encodes an array, and returns its bytes.
    pub(super) fn encode(
        &mut self,
        id: &str,
        clauses: &[&'static str],
        configuration: &str,
        input: &Array,
    ) -> Result<Vec<u8>, String> {
        let what = self.what(id);
        let codec = self.codec(configuration, input.shape().len())?;
        let bytes =
            encode(&what, &codec, input)?.map_err(|reason| format!("{what}: {}", reason.name()))?;
        let mut ok = json!({"bytes": hex(&bytes)});
        let format = input.data_type().format();
        if self.file.row == "bytes" && is_sub_byte(format) && format != Format::Bool {
            // What is written above the bits of the type is free (bytes.sub-byte).
            let mask = hex(&format.component_mask().to_le_bytes()[..1]).repeat(bytes.len());
            ok["mask"] = mask.into();
        }
        let own = configured(configuration, request([("input", array_to_json(input))]));
        self.add(ENCODE, id, clauses, own, Expect::ok(ok));
        Ok(bytes)
    }

    /// Encodes an array about which the text is open; gives the bytes on which both oracles agree.
    pub(super) fn open_encode(
        &mut self,
        id: &str,
        ruling: &str,
        configuration: &str,
        input: &Array,
    ) -> Result<Vec<u8>, String> {
        let bytes = self.encode(id, &[], configuration, input)?;
        self.expect_instead(ENCODE, Expect::Open(ruling.into()));
        Ok(bytes)
    }

    /// Replaces what must come of the last case of a group.
    fn expect_instead(&mut self, group: usize, expect: Expect) {
        if let Some(case) = self.groups[group].cases.last_mut() {
            case.expect = expect;
        }
    }

    /// Adds elements that must each be rejected on encoding.
    pub(super) fn refuse(
        &mut self,
        id: &str,
        configuration: &str,
        input: &Array,
    ) -> Result<(), String> {
        let what = self.what(id);
        let codec = self.codec(configuration, 1)?;
        let mut reason = None;
        for bits in input.components() {
            let single = array(input.data_type(), &[1], &[bits]);
            match encode(&what, &codec, &single)? {
                Ok(_) => return Err(format!("{what}: {bits:x} is not rejected")),
                Err(own) => reason = Some(own),
            }
        }
        let expect = Expect::reject(reason.ok_or_else(|| format!("{what}: the input is empty"))?);
        let own = configured(configuration, request([("input", array_to_json(input))]));
        self.add(REFUSE, id, &[], own, expect).per_element();
        Ok(())
    }

    /// Adds bytes that must be decoded to elements within a bound of others.
    pub(super) fn within(
        &mut self,
        id: &str,
        configuration: &str,
        expected: &Array,
        bytes: &[u8],
        bound: &str,
    ) -> Result<(), String> {
        self.decode(id, &[], configuration, expected.shape(), bytes)?;
        self.expect_instead(DECODE, Expect::within(expected, bound));
        Ok(())
    }

    /// Adds bytes to decode.
    pub(super) fn decode(
        &mut self,
        id: &str,
        clauses: &[&'static str],
        configuration: &str,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<(), String> {
        let what = self.what(id);
        let codec = self.codec(configuration, shape.len())?;
        let output = decode(&what, &codec, shape, bytes)?
            .map_err(|reason| format!("{what}: {}", reason.name()))?;
        let own = encoded(configuration, self.data_type, shape, bytes);
        self.add(DECODE, id, clauses, own, Expect::output(&output));
        Ok(())
    }

    /// Adds bytes that must be rejected.
    pub(super) fn reject(
        &mut self,
        id: &str,
        configuration: &str,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<(), String> {
        let what = self.what(id);
        let codec = self.codec(configuration, shape.len())?;
        let Err(reason) = decode(&what, &codec, shape, bytes)? else {
            return Err(format!("{what}: decoded"));
        };
        let own = encoded(configuration, self.data_type, shape, bytes);
        self.add(REJECT, id, &[], own, Expect::reject(reason));
        Ok(())
    }

    /// Returns whether a rejected case has this id.
    pub(super) fn has_rejected(&self, id: &str) -> bool {
        self.groups[REJECT].cases.iter().any(|case| case.id == id)
    }

    /// Adds bytes about which the text is open. Both oracles must agree on an answer, but any answer passes.
    pub(super) fn open(
        &mut self,
        id: &str,
        ruling: &str,
        configuration: &str,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<(), String> {
        self.decode(id, &[], configuration, shape, bytes)?;
        self.expect_instead(DECODE, Expect::Open(ruling.into()));
        Ok(())
    }

    /// Adds the groups that have cases to the file.
    pub(super) fn finish(self) {
        let made = self.groups.into_iter();
        let with_cases = made.filter(|group| !group.cases.is_empty());
        self.file.groups.extend(with_cases);
    }
}

/// Returns the members of a request to decode.
pub(super) fn encoded(
    configuration: &str,
    data_type: DataType,
    shape: &[u64],
    bytes: &[u8],
) -> Request {
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

/// Returns an array of components whose number fits the shape.
pub(super) fn array(data_type: DataType, shape: &[u64], components: &[u64]) -> Array {
    Array::from_components(data_type, shape.to_vec(), components.iter().copied())
        .unwrap_or_else(|rejection| panic!("{data_type} {shape:?}: {rejection}"))
}

/// Fills a shape with elements from a sequence that depends only on the data type.
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

/// Returns bits without a pattern, masked to those of the type: the middle bits of a 128-bit product.
pub(super) fn noise(data_type: DataType) -> impl Iterator<Item = u64> {
    let mask = data_type.format().component_mask();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(data_type.format().component_bits());
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let wide = u128::from(state) * 0xd134_2543_de82_ef95;
        u64::try_from(wide >> 40 & u128::from(u64::MAX)).unwrap_or(0) & mask
    })
}

/// Returns bits of a component that distinguish its places: each bit alone, each bit missing, and bytes that count up;
/// for floats also zeros, infinities and NaNs of every kind. A type of 8 bits or fewer has all of its bit patterns.
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

/// Returns NaNs with and without a sign, quiet and signalling, and with other payloads.
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

/// Returns one element for each of these components. A complex element takes one component as its real part and another
/// one as its imaginary part.
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

/// Returns the same elements with junk in the bits above those of the type.
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

/// Returns every byte value as an element of a type of less than a byte.
pub(super) fn every_byte(data_type: DataType) -> (Vec<u64>, Vec<u8>) {
    let bytes: Vec<u8> = (0..=255).collect();
    let count = 256 / u64::try_from(data_type.element_bytes()).unwrap_or(1);
    (vec![count], bytes)
}
