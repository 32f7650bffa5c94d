//! The computed vectors of `downsample`: every method on every data type.

use exactum_model::{Array, DataType, FloatFormat, Format, Method};
use exactum_vectors::{Expect, Level, array_to_json, splitmix_input};
use serde_json::{Value, json};

use super::builder::{Asking, Topic, request, row};
use super::recipes::Computed;

/// The computed groups that recipes name.
pub(crate) const COMPUTED: [Computed; 1] = [("downsample", "cells", cells)];

/// The data types that TensorStore supports.
const LISTED: &str = "bool int2 int4 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float4_e2m1fn float8_e3m4 \
    float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu \
    bfloat16 float16 float32 float64 complex64 complex128";

/// The number of blocks in each computed input.
const BLOCKS: u64 = 8;

/// Adds blocks of a few distinct values, so that ties occur, and blocks of pseudo-random bits, with partial blocks at
/// all edges.
fn cells(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.own_type()?;
    for (index, &method) in (0..).zip(Method::ALL) {
        if method.require(data_type).is_err() {
            refused(topic, data_type, method)?;
            continue;
        }
        let level = match clauses(data_type, method) {
            _ if !is_listed(data_type) => Level::May,
            (level, _) => level,
        };
        let (_, about) = clauses(data_type, method);
        let mut cases = Vec::new();
        for factor in [2, 3, 4, 5, 8] {
            let input = array_to_json(&few(data_type, factor)?);
            cases.push((
                format!("by-{factor}"),
                input,
                vec![("factors", json!([factor]))],
            ));
        }
        let sums = data_type.format().float().and_then(large_and_small);
        if let (Method::Mean, Some(block)) = (method, sums) {
            let input = array_to_json(&block_of(data_type, &block)?);
            let members = vec![("factors", json!([block.len()]))];
            cases.push(("large-and-small".to_owned(), input, members));
        }
        group(topic, data_type, method, ("blocks", level), &about, cases)?;
        if data_type.format().components() == 2 && method == Method::Mean {
            continue;
        }
        let level = match (data_type.format(), method) {
            _ if !is_listed(data_type) => Level::May,
            (Format::Bool | Format::Integer(_), Method::Mean) => Level::Must,
            _ => Level::Ruling,
        };
        let edge = match (level, method) {
            (_, Method::Stride) => "downsample.domain.stride",
            (Level::Must, _) => "downsample.bounds",
            _ => "downsample.bounds.others",
        };
        let input = splitmix_input(data_type, &[7, 9], 0xd05e + index);
        let members = vec![("origin", json!([-4, 2])), ("factors", json!([3, 4]))];
        let cases = vec![("plane".to_owned(), input, members)];
        group(topic, data_type, method, ("edges", level), &[edge], cases)?;
    }
    Ok(())
}

fn is_listed(data_type: DataType) -> bool {
    LISTED.split(' ').any(|name| name == data_type.name())
}

/// Returns the prefix of the group names: cases that used to have another level have had other ids since.
fn tag(data_type: DataType) -> &'static str {
    match data_type {
        DataType::Float8E4m3fn => "listed-",
        _ => "",
    }
}

/// Returns the clauses that a method tests on a data type, and their level.
fn clauses(data_type: DataType, method: Method) -> (Level, Vec<&'static str>) {
    let format = data_type.format();
    match (method, format) {
        (Method::Stride, _) => (Level::Must, vec!["downsample.stride"]),
        (Method::Mean, Format::Bool) => (Level::Must, vec!["downsample.mean.bool"]),
        (Method::Mean, Format::Integer(_)) => (Level::Must, vec!["downsample.mean.integer"]),
        (Method::Mean, Format::Float(_)) => (Level::Ruling, vec!["downsample.mean.float"]),
        (Method::Mean, Format::Complex(_)) => (
            Level::Ruling,
            vec!["downsample.mean.complex", "downsample.mean.float"],
        ),
        (Method::Mode, Format::Complex(_)) => (Level::Ruling, vec!["downsample.mode.complex"]),
        (Method::Mode, _) => (Level::Must, vec!["downsample.mode", "downsample.mode.tie"]),
        (Method::Median, _) => (
            Level::Must,
            vec!["downsample.median", "downsample.median.even"],
        ),
        (Method::Min, _) => (Level::Must, vec!["downsample.min"]),
        (Method::Max, _) => (Level::Must, vec!["downsample.max"]),
    }
}

/// A case: its id, its input, and members of the request.
type Chosen = (String, Value, Vec<(&'static str, Value)>);

fn group(
    topic: &mut Topic,
    data_type: DataType,
    method: Method,
    (name, level): (&str, Level),
    clauses: &[&str],
    cases: Vec<Chosen>,
) -> Result<(), String> {
    let name = format!("{}{name}-{method}", tag(data_type));
    let op = request([
        ("op", "downsample.read".into()),
        ("method", method.name().into()),
    ]);
    let mut clauses = clauses.to_vec();
    if !is_listed(data_type) {
        clauses.push("downsample.data_types.others");
    }
    let group = topic.file.group(&name, level, &clauses, op);
    for (id, input, members) in cases {
        let members: Vec<(String, Value)> = members
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        let asking = Asking::new(input, method, &members)?;
        let answer = asking
            .answer()?
            .map_err(|rejection| rejection.to_string())?;
        let expect = asking.expect(&answer);
        group.case(&id, &[], asking.request, expect);
    }
    Ok(())
}

/// Adds a method that a data type does not support.
fn refused(topic: &mut Topic, data_type: DataType, method: Method) -> Result<(), String> {
    let input = array_to_json(&few(data_type, 2)?);
    let members = [("factors".to_owned(), json!([2]))];
    let asking = Asking::new(input, method, &members)?;
    let Err(rejection) = asking.answer()? else {
        return Err(format!("{method} of {data_type} is not refused"));
    };
    let op = request([
        ("op", "downsample.read".into()),
        ("method", method.name().into()),
    ]);
    let (level, clauses) = match is_listed(data_type) {
        true => (Level::Must, vec!["downsample.data_types"]),
        false => (
            Level::May,
            vec!["downsample.data_types", "downsample.data_types.others"],
        ),
    };
    let group = topic.file.group(
        &format!("{}none-{method}", tag(data_type)),
        level,
        &clauses,
        op,
    );
    let expect = Expect::reject(rejection.reason);
    group.case("block", &[], asking.request, expect);
    Ok(())
}

/// Returns blocks in which values repeat, more often in every second block.
fn few(data_type: DataType, factor: u64) -> Result<Array, String> {
    let values = values(&data_type.format());
    let parts = data_type.format().components() as u64;
    let bits = (0..BLOCKS * factor).flat_map(|index| {
        let block = index / factor;
        let among = 2 + block % 4;
        (0..parts).map(move |part| (block, among, index * parts + part))
    });
    let bits = bits.map(|(block, among, index)| {
        // Multiples of 2^64 / phi visit the residues evenly and without a pattern.
        let mixed = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let choice = block + mixed % among;
        values[usize::try_from(choice).unwrap_or(0) % values.len()]
    });
    row(data_type, &bits.collect::<Vec<_>>())
}

/// Returns two large elements and 14 small ones. The mean of all 16 would be a tie, but the small ones are lost if they
/// are added one by one to a sum in float32 that already contains a large one.
fn large_and_small(float: FloatFormat) -> Option<[u64; 16]> {
    let small = float.max_exponent_field().checked_sub(28)?;
    let large = small + 24;
    let mut block = [small << float.mantissa_bits; 16];
    block[0] = large << float.mantissa_bits;
    block[1] = block[0] + 1;
    Some(block)
}

/// Returns elements in one dimension, with equal components.
fn block_of(data_type: DataType, elements: &[u64]) -> Result<Array, String> {
    let parts = data_type.format().components();
    let bits: Vec<u64> = elements
        .iter()
        .flat_map(|&bits| vec![bits; parts])
        .collect();
    row(data_type, &bits)
}

/// Returns finite values without -0: the smallest, the largest, and some in between.
fn values(format: &Format) -> Vec<u64> {
    let mask = format.component_mask();
    match (format, format.float()) {
        (_, Some(float)) => {
            let one = u64::try_from(float.bias).unwrap_or(0) << float.mantissa_bits;
            let max = float.max_finite_bits();
            let sign = float.sign_mask();
            let mut values = vec![one, one + 1, max, 0, one - 1, max - 1, one + 2, 1];
            if sign != 0 {
                values.extend([one | sign, max | sign, (one + 1) | sign, 1 | sign]);
            }
            values.retain(|bits| !float.is_nan(*bits) && !float.is_infinite(*bits));
            if let Format::Complex(_) = format {
                // The sum of these would not be finite, and the mean is then an open question.
                values.retain(|bits| bits & !sign < max - 1);
            }
            values
        }
        (Format::Bool, _) => vec![0, 1],
        _ => [
            0,
            1,
            2,
            mask,
            mask >> 1,
            mask - 1,
            (mask >> 1) + 1,
            3,
            mask >> 2,
        ]
        .map(|bits| bits & mask)
        .to_vec(),
    }
}
