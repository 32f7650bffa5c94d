//! Cases made ready once for all mutants: the request read, its documents resolved, the
//! reference's answer at hand.

use std::sync::{Arc, Mutex, PoisonError};

use exactum_conformance::compare::judge;
use exactum_conformance::model::{
    Array, Bytes, CastValue, Chain, DataType, PackBits, Resolution, Scalar, ScaleOffset,
};
use exactum_conformance::run::{input_of, request_of};
use exactum_conformance::vectors::{Case, Expect, File, Group, array_to_json};
use exactum_conformance::{
    Answer, Codecs, Failure, Fault, Hello, Implementation, InProcess, Outcome, Request, Success,
    Verdict,
};
use rayon::prelude::*;

use crate::Mutated;

/// The cases of all files.
pub(super) struct Found<'a> {
    /// The families of topics, in order.
    pub(super) families: Vec<String>,
    /// Cases that run against every mutant.
    pub(super) prepared: Vec<Prepared<'a>>,
    /// Cases with all bit patterns of a type.
    pub(super) sweeps: Vec<Sweep<'a>>,
}

/// A case ready to run.
pub(super) struct Prepared<'a> {
    /// The full id.
    pub(super) id: String,
    /// The index of the family of its topic.
    pub(super) family: usize,
    /// The clauses that it cites.
    pub(super) clauses: Vec<&'a str>,
    /// Whether the reference passes it.
    pub(super) passed: bool,
    expect: &'a Expect,
    units: Vec<Unit>,
}

/// A sweep, not yet expanded.
pub(super) struct Sweep<'a> {
    family: usize,
    group: &'a Group,
    case: &'a Case,
}

/// One request of a case: cases whose elements are sent one by one have several.
struct Unit {
    request: Request,
    /// Nothing where the documents are rejected before any codec sees them.
    call: Option<Call>,
    right: Answer,
}

/// Finds all cases and runs the reference on those that are no sweeps.
pub(super) fn find<'a>(files: &[&'a File]) -> Result<Found<'a>, String> {
    let mut families: Vec<String> = files.iter().map(|file| family(file)).collect();
    families.sort();
    families.dedup();
    let mut plain = Vec::new();
    let mut sweeps = Vec::new();
    for file in files {
        let family = families.binary_search(&family(file)).unwrap_or(0);
        for group in &file.groups {
            for case in &group.cases {
                let sweep = Sweep {
                    family,
                    group,
                    case,
                };
                if sweep.is_sweep() {
                    sweeps.push(sweep);
                } else {
                    plain.push(sweep);
                }
            }
        }
    }
    let prepared = plain
        .par_iter()
        .map(Sweep::prepare)
        .collect::<Result<_, _>>()?;
    Ok(Found {
        families,
        prepared,
        sweeps,
    })
}

/// A family of topics: all of a row, but documents, scalar maps and sweeps apart.
fn family(file: &File) -> String {
    let apart = ["documents", "scalar-map", "sweep"]
        .into_iter()
        .find(|name| file.topic.starts_with(name));
    match apart {
        Some(name) => format!("{} {name}", file.row),
        None => file.row.clone(),
    }
}

impl<'a> Sweep<'a> {
    fn is_sweep(&self) -> bool {
        [&self.case.request, &self.group.request]
            .iter()
            .filter_map(|request| request.get("input"))
            .any(|input| input.get("ranges").is_some())
    }

    /// The operation.
    pub(super) fn op(&self) -> &'a str {
        [&self.case.request, &self.group.request]
            .iter()
            .find_map(|request| request.get("op")?.as_str())
            .unwrap_or_default()
    }

    /// Whether it cites one of these clauses.
    pub(super) fn cites(&self, clauses: &[&str]) -> bool {
        self.group
            .case_clauses(self.case)
            .any(|clause| clauses.contains(&clause))
    }

    /// Makes the case ready.
    pub(super) fn prepare(&self) -> Result<Prepared<'a>, String> {
        let id = self.group.case_id(self.case);
        let fault = |what: String| format!("{id}: {what}");
        let request = request_of(self.group, self.case).map_err(fault)?;
        let requests = if self.case.each {
            one_by_one(&request).map_err(fault)?
        } else {
            vec![request]
        };
        let units: Vec<Unit> = requests.into_iter().map(Unit::new).collect();
        let mut prepared = Prepared {
            family: self.family,
            clauses: self.group.case_clauses(self.case).collect(),
            passed: true,
            expect: &self.case.expect,
            units,
            id: id.clone(),
        };
        for unit in &prepared.units {
            if prepared.fails(unit, &unit.right)? {
                prepared.passed = false;
                break;
            }
        }
        Ok(prepared)
    }
}

/// The request once for each element of its input.
fn one_by_one(request: &Request) -> Result<Vec<Request>, String> {
    let input = input_of(request).ok_or("each needs an input")?;
    (0..input.len())
        .map(|index| {
            let bytes = input.element(index).to_bytes();
            let single = Array::new(input.data_type(), vec![1], bytes)
                .map_err(|rejection| rejection.message)?;
            let mut alone = request.clone();
            alone.members.insert("input".into(), array_to_json(&single));
            Ok(alone)
        })
        .collect()
}

impl Prepared<'_> {
    /// Whether a result is expected.
    pub(super) fn accepts(&self) -> bool {
        matches!(self.expect, Expect::Ok(_) | Expect::Within(_))
    }

    /// Whether a rejection is expected.
    pub(super) fn rejects(&self) -> bool {
        matches!(self.expect, Expect::Reject(_))
    }

    /// Whether a mutant fails the case.
    pub(super) fn kills(&self, mutant: &Mutated) -> Result<bool, String> {
        for unit in &self.units {
            if !mutant.overrides().touches(unit.request.op()) {
                return Ok(false);
            }
            let answer = unit.answer(mutant);
            let failed = match answer {
                None => false,
                Some(Ok(answer)) => answer != unit.right && self.fails(unit, &answer)?,
                Some(Err(_)) => true,
            };
            if failed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fails(&self, unit: &Unit, answer: &Answer) -> Result<bool, String> {
        let (verdict, _) = judge(unit.request.op(), None, self.expect, answer)
            .map_err(|what| format!("{}: {what}", self.id))?;
        Ok(verdict != Verdict::Pass && verdict != Verdict::Observed)
    }
}

impl Unit {
    fn new(request: Request) -> Self {
        let recorder = Arc::new(Recorder::default());
        // What the recorder answers is of no interest.
        let _ = InProcess::new(Arc::clone(&recorder)).call(&request);
        let call = recorder.taken();
        let right = match &call {
            Some(call) => call.perform(&Mutated::right()),
            None => InProcess::new(Arc::new(Mutated::right()))
                .call(&request)
                .unwrap_or_else(|failure| Answer::Error(format!("{failure:?}"))),
        };
        Self {
            request,
            call,
            right,
        }
    }

    /// The mutant's answer; nothing where its fault cannot show.
    fn answer(&self, mutant: &Mutated) -> Option<Result<Answer, Failure>> {
        match (mutant.overrides().misreads, &self.call) {
            (Some(misreads), _) => {
                let mut request = self.request.clone();
                misreads(&mut request);
                (request != self.request)
                    .then(|| mutant.clone().implementation().call(&self.request))
            }
            (None, Some(call)) => Some(Ok(call.perform(mutant))),
            (None, None) => None,
        }
    }
}

/// A typed operation with its arguments.
enum Call {
    BytesEncode(Bytes, Array),
    BytesDecode(Bytes, Vec<u64>, Vec<u8>),
    PackBitsEncode(PackBits, Array),
    PackBitsDecode(PackBits, Vec<u64>, Vec<u8>),
    Parse(DataType, String),
    Format(Scalar),
    CastEncode(CastValue, Array),
    CastDecode(CastValue, Array),
    ScaleEncode(ScaleOffset, Array),
    ScaleDecode(ScaleOffset, Array),
    Resolve(Chain),
    ChainEncode(Chain, Array),
    ChainDecode(Chain, Vec<u8>),
    Validate(String, String),
}

impl Call {
    fn perform(&self, codecs: &dyn Codecs) -> Answer {
        match self {
            Call::BytesEncode(codec, input) => {
                codecs.bytes_encode(codec, input).map(Success::Bytes)
            }
            Call::BytesDecode(codec, shape, bytes) => codecs
                .bytes_decode(codec, shape, bytes)
                .map(Success::Output),
            Call::PackBitsEncode(codec, input) => {
                codecs.packbits_encode(codec, input).map(Success::Bytes)
            }
            Call::PackBitsDecode(codec, shape, bytes) => codecs
                .packbits_decode(codec, shape, bytes)
                .map(Success::Output),
            Call::Parse(data_type, json) => codecs
                .fill_value_parse(*data_type, json)
                .map(|scalar| Success::Bits(scalar.to_bytes())),
            Call::Format(scalar) => codecs.fill_value_format(scalar).map(Success::Json),
            Call::CastEncode(codec, input) => {
                codecs.cast_value_encode(codec, input).map(Success::Output)
            }
            Call::CastDecode(codec, input) => {
                codecs.cast_value_decode(codec, input).map(Success::Output)
            }
            Call::ScaleEncode(codec, input) => codecs
                .scale_offset_encode(codec, input)
                .map(Success::Output),
            Call::ScaleDecode(codec, input) => codecs
                .scale_offset_decode(codec, input)
                .map(Success::Output),
            Call::Resolve(chain) => codecs.chain_resolve(chain).map(Success::Resolution),
            Call::ChainEncode(chain, chunk) => {
                codecs.chain_encode(chain, chunk).map(Success::Bytes)
            }
            Call::ChainDecode(chain, bytes) => {
                codecs.chain_decode(chain, bytes).map(Success::Output)
            }
            Call::Validate(kind, document) => codecs
                .metadata_validate(kind, document)
                .map(|()| Success::Valid),
        }
        .into()
    }
}

/// Takes down what it is asked: how a request reads once its documents are resolved.
#[derive(Default)]
struct Recorder {
    call: Mutex<Option<Call>>,
}

impl Recorder {
    fn taken(&self) -> Option<Call> {
        self.call
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn take<T>(&self, call: Call) -> Outcome<T> {
        *self.call.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
        Err(Fault::Unsupported("taken down".into()))
    }
}

impl Codecs for Recorder {
    fn hello(&self) -> Hello {
        Mutated::right().hello()
    }

    fn fill_value_parse(&self, data_type: DataType, json: &str) -> Outcome<Scalar> {
        self.take(Call::Parse(data_type, json.into()))
    }

    fn fill_value_format(&self, scalar: &Scalar) -> Outcome<String> {
        self.take(Call::Format(*scalar))
    }

    fn bytes_encode(&self, codec: &Bytes, input: &Array) -> Outcome<Vec<u8>> {
        self.take(Call::BytesEncode(*codec, input.clone()))
    }

    fn bytes_decode(&self, codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        self.take(Call::BytesDecode(*codec, shape.to_vec(), bytes.to_vec()))
    }

    fn packbits_encode(&self, codec: &PackBits, input: &Array) -> Outcome<Vec<u8>> {
        self.take(Call::PackBitsEncode(*codec, input.clone()))
    }

    fn packbits_decode(&self, codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        self.take(Call::PackBitsDecode(*codec, shape.to_vec(), bytes.to_vec()))
    }

    fn cast_value_encode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        self.take(Call::CastEncode(codec.clone(), input.clone()))
    }

    fn cast_value_decode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        self.take(Call::CastDecode(codec.clone(), input.clone()))
    }

    fn scale_offset_encode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        self.take(Call::ScaleEncode(*codec, input.clone()))
    }

    fn scale_offset_decode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        self.take(Call::ScaleDecode(*codec, input.clone()))
    }

    fn chain_resolve(&self, chain: &Chain) -> Outcome<Resolution> {
        self.take(Call::Resolve(chain.clone()))
    }

    fn chain_encode(&self, chain: &Chain, chunk: &Array) -> Outcome<Vec<u8>> {
        self.take(Call::ChainEncode(chain.clone(), chunk.clone()))
    }

    fn chain_decode(&self, chain: &Chain, bytes: &[u8]) -> Outcome<Array> {
        self.take(Call::ChainDecode(chain.clone(), bytes.into()))
    }

    fn metadata_validate(&self, kind: &str, document: &str) -> Outcome<()> {
        self.take(Call::Validate(kind.into(), document.into()))
    }
}
