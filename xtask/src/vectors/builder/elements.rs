//! Groups about an elementwise codec: elements under a configuration, and configurations with an element that shows
//! their effect.

use exactum_model::{Array, DataType, Reason};
use exactum_vectors::{Expect, Group, Request, array_to_json};

use super::{Case, Faults, Head, Topic, Verdict, note, request, row, try_each_case};
use crate::oracle::tables::Number;
use crate::vectors::opinions::{self, Direction, Elementwise, Way};
use crate::vectors::shorthand::words;

impl Head {
    /// Returns the directions of the group, each with the name of its group.
    fn ways(&self) -> Result<Vec<(Direction, String)>, String> {
        Ok(match self.way.as_str() {
            "encode" => vec![(Direction::Encode, self.name.clone())],
            "decode" => vec![(Direction::Decode, self.name.clone())],
            "both" => Direction::BOTH
                .map(|way| match way {
                    Direction::Encode => (way, self.name.clone()),
                    Direction::Decode => (way, format!("decode-{}", self.name)),
                })
                .into(),
            way => return Err(format!("{}.{way} is not an operation", self.row)),
        })
    }

    /// Returns whether a request to decode states the data type of the result.
    fn is_retyped(&self) -> bool {
        matches!(self.row.as_str(), "cast_value" | "cf")
    }

    fn op(&self, way: Direction) -> String {
        format!("{}.{}", self.row, way.name())
    }

    /// Returns the data type before the configurations, or otherwise that of the topic.
    fn data_type(&self, topic: &Topic) -> Result<(Option<DataType>, &[String]), String> {
        match self.rest.split_first() {
            Some((first, rest)) if !first.starts_with('{') => {
                let data_type = first
                    .parse()
                    .map_err(|_| format!("{first} is not a data type"))?;
                Ok((Some(data_type), rest))
            }
            _ => Ok((topic.data_type, &self.rest)),
        }
    }
}

/// The parsed text of a case: `@CLAUSE.. bits type=TYPE shape=[..] {CONFIGURATION} ELEMENT.. -> RESULT..`.
struct Asked {
    clauses: Vec<String>,
    /// Whether NaNs in the output must keep their bits.
    bits: bool,
    data_type: DataType,
    shape: Vec<u64>,
    configurations: Vec<String>,
    elements: Vec<String>,
    /// The results that are stated by hand.
    typed: Option<Vec<String>>,
}

impl Asked {
    fn read(text: &str, data_type: Option<DataType>, shared: &[String]) -> Result<Self, String> {
        let mut words = words(text)?.into_iter().peekable();
        let (mut clauses, mut bits, mut shape) = (Vec::new(), false, None);
        let (mut data_type, mut configurations) = (data_type, shared.to_vec());
        while let Some(word) = words.next_if(|word| {
            word.starts_with(['@', '{'])
                || word.contains('=') && !word.starts_with('"')
                || word == "bits"
        }) {
            if let Some(clause) = word.strip_prefix('@') {
                clauses.push(clause.to_owned());
            } else if word.starts_with('{') {
                configurations.push(word);
            } else if let Some(name) = word.strip_prefix("type=") {
                data_type = Some(
                    name.parse()
                        .map_err(|_| format!("{name} is not a data type"))?,
                );
            } else if let Some(text) = word.strip_prefix("shape=") {
                shape = Some(serde_json::from_str(text).map_err(|fault| fault.to_string())?);
            } else {
                bits = true;
            }
        }
        let mut elements: Vec<String> = words.collect();
        let arrow = elements.iter().position(|word| word == "->");
        let typed = arrow.map(|at| elements.split_off(at)[1..].to_vec());
        let count = u64::try_from(elements.len()).unwrap_or_default();
        Ok(Self {
            clauses,
            bits,
            data_type: data_type.ok_or("the elements have no data type")?,
            shape: shape.unwrap_or_else(|| vec![count]),
            configurations,
            elements,
            typed,
        })
    }

    fn note(&self) -> String {
        self.elements.join(" ")
    }
}

/// Builds the groups of `ROW.encode`, `ROW.decode` and `ROW.both`, with elements that either all have results or are
/// all rejected.
pub(super) fn elements(topic: &Topic, head: &Head, cases: &[Case]) -> Result<Vec<Group>, Faults> {
    let (data_type, shared) = head.data_type(topic)?;
    let mut groups = Vec::new();
    for (way, name) in head.ways()? {
        let mut members = request([("op", head.op(way).into())]);
        if let Some(configuration) = shared.first() {
            members.insert("configuration".into(), configuration.as_str().into());
        }
        if head.is_retyped() && way == Direction::Decode {
            match data_type {
                Some(decoded) => {
                    members.insert("data_type".into(), decoded.name().into());
                }
                None if shared.is_empty() => {}
                None => return Err("the result has no data type".to_owned().into()),
            }
        }
        let mut group = topic.group(&name, head, members);
        try_each_case(cases, |case| {
            let asked = Asked::read(&case.text, data_type, shared)?;
            add(head, way, case, &asked, &mut group)
        })?;
        groups.push(group);
    }
    Ok(groups)
}

fn add(
    head: &Head,
    way: Direction,
    case: &Case,
    asked: &Asked,
    group: &mut Group,
) -> Result<(), String> {
    let mut right = Vec::new();
    let mut input = None;
    let mut refused = false;
    for configuration in &asked.configurations {
        match Elementwise::read(&head.row, configuration, asked.data_type)? {
            Ok(codec) => {
                let from = codec.types(way).0;
                let given = opinions::array(from, &asked.shape, &asked.elements)?;
                right.push(match &head.open {
                    Some(ruling) => open(ruling, way, &codec, &given)?,
                    None => expected(way, case, asked, &codec, &given)?,
                });
                input = Some(given);
            }
            Err(rejection) => {
                refused = true;
                match &case.verdict {
                    Verdict::Reject(by) if rejection.clause == head.rejecting(by.as_ref()) => {}
                    verdict => return Err(format!("expected {verdict:?}, got {rejection:?}")),
                }
                right.push(Expect::reject(rejection.reason));
                input = Some(opinions::array(
                    asked.data_type,
                    &asked.shape,
                    &asked.elements,
                )?);
            }
        }
    }
    let input = array_to_json(&input.ok_or("no configuration")?);
    let own = ("input", input);
    let configured = || ("configuration", asked.configurations[0].as_str().into());
    let mut own: Request = match (group.request.contains_key("configuration"), refused) {
        (true, _) => request([own]),
        // In a rejected case the configuration comes first.
        (false, true) => request([configured(), own]),
        (false, false) => request([own, configured()]),
    };
    let says_type = !head.is_retyped() || group.request.contains_key("data_type");
    if way == Direction::Decode && !says_type {
        own.insert("data_type".into(), asked.data_type.name().into());
    }
    let texts = asked.note();
    let mut words = texts.clone();
    if head.open.is_some() {
        words = format!("{} on {texts}", asked.configurations[0]);
    }
    let expect = if head.either {
        if right.len() != 2 || right[0] == right[1] {
            return Err("the configurations must have two different results".into());
        }
        Expect::OneOf(right)
    } else if head.typeless {
        in_each_float(asked)?
    } else {
        right.swap_remove(0)
    };
    let clauses: Vec<&str> = asked.clauses.iter().map(String::as_str).collect();
    let rejected = matches!(expect, Expect::Reject(_));
    let added = group.case(&case.id, &clauses, own, expect);
    if rejected && !refused {
        added.per_element();
    }
    if !head.quiet && !texts.is_empty() && texts.len() <= 100 {
        added.note(note(&words));
    }
    Ok(())
}

/// Returns the values stated by hand, in each float type to which readers may unpack. Both types can hold all of the
/// values, and one value is a fraction, so an integer type cannot.
fn in_each_float(asked: &Asked) -> Result<Expect, String> {
    let typed = asked.typed.as_ref().ok_or("state the results after `->`")?;
    let arrays = [DataType::Float32, DataType::Float64]
        .map(|data_type| opinions::array(data_type, &asked.shape, typed));
    let [single, double] = arrays;
    let (single, double) = (single?, double?);
    let value = |of: &Array, bits| Number::of(of.data_type(), bits);
    let same = single
        .components()
        .zip(double.components())
        .all(|(one, two)| value(&single, one).same_value(value(&double, two)));
    if !same {
        return Err(format!("{typed:?} are not values of float32"));
    }
    if typed.iter().all(|text| !text.contains('.')) {
        return Err(format!("{typed:?} could be integers as well"));
    }
    let mut right = [single, double]
        .map(|array| Expect::output(&array))
        .to_vec();
    if asked.data_type == DataType::Float64 {
        right.reverse();
    }
    Ok(Expect::OneOf(right))
}

/// Returns the expectation of elements for which the text says nothing. Both oracles must agree on an answer.
fn open(
    ruling: &str,
    way: Direction,
    codec: &Elementwise,
    input: &Array,
) -> Result<Expect, String> {
    for bits in input.components() {
        codec.answer(ruling, way, bits)?.ok();
    }
    Ok(Expect::Open(ruling.to_owned()))
}

/// Returns the expected result of elements.
fn expected(
    way: Direction,
    case: &Case,
    asked: &Asked,
    codec: &Elementwise,
    input: &Array,
) -> Result<Expect, String> {
    let answers = input
        .components()
        .map(|bits| codec.answer(&case.id, way, bits))
        .collect::<Result<Vec<_>, _>>()?;
    let to = codec.types(way).1;
    let outputs: Result<Vec<u64>, Reason> = answers.iter().copied().collect();
    if asked.typed.is_none() && !codec.is_known_twice() && outputs.is_ok() {
        return Err("no second oracle knows this codec: state the results after `->`".into());
    }
    match (outputs, &case.verdict) {
        (Ok(outputs), Verdict::Accept) => {
            let output = Array::from_components(to, asked.shape.clone(), outputs)
                .map_err(|rejection| rejection.message)?;
            if let Some(typed) = &asked.typed
                && opinions::array(to, &asked.shape, typed)? != output
            {
                return Err(format!("expected {typed:?}, got {output:x?}"));
            }
            Ok(if asked.bits {
                Expect::output_bits(&output)
            } else {
                Expect::output(&output)
            })
        }
        (Err(reason), Verdict::Reject(None)) if answers.iter().all(Result::is_err) => {
            Ok(Expect::reject(reason))
        }
        (_, verdict) => Err(format!("expected {verdict:?}, got {answers:x?}")),
    }
}

/// Builds groups of configurations to accept, with elements that show this, and of configurations to reject. Since some
/// implementations can only decode, there are groups of either direction. If the line of the group names two elements,
/// the second one is to be decoded.
pub(super) fn configurations(
    topic: &Topic,
    head: &Head,
    cases: &[Case],
) -> Result<Vec<Group>, Faults> {
    let (data_type, template) = head.data_type(topic)?;
    let data_type = data_type.ok_or("the configurations have no data type".to_owned())?;
    if !template.is_empty() {
        return Err(format!("{template:?} is not allowed here").into());
    }
    let mut groups = Vec::new();
    for (index, (way, name)) in head.ways()?.into_iter().enumerate() {
        let element = head.on.get(index).or(head.on.first());
        let element = element.ok_or("no element".to_owned())?;
        let typed = opinions::array(data_type, &[1], &[element])?;
        // A cast decodes elements of another type, which each configuration names.
        let named = head.is_retyped() && way == Direction::Decode;
        let shared = if named {
            request([
                ("op", head.op(way).into()),
                ("data_type", data_type.name().into()),
            ])
        } else if head.is_retyped() {
            request([
                ("op", head.op(way).into()),
                ("input", array_to_json(&typed)),
            ])
        } else {
            request([
                ("input", array_to_json(&typed)),
                ("op", head.op(way).into()),
            ])
        };
        let mut group = topic.group(&name, head, shared);
        try_each_case(cases, |case| {
            let mut sent = typed.clone();
            let expect = match (
                Elementwise::read(&head.row, &case.text, data_type)?,
                &case.verdict,
            ) {
                (Ok(codec), Verdict::Accept) => {
                    let through = |way, array: &Array| through(&case.id, &codec, way, array);
                    if named {
                        // The element is encoded first, so that there is something to decode.
                        sent = through(Direction::Encode, &typed)?;
                    }
                    Expect::output(&through(way, &sent)?)
                }
                (Err(rejection), Verdict::Reject(by))
                    if rejection.clause == head.rejecting(by.as_ref()) =>
                {
                    if named {
                        let of = named_data_type(&case.text);
                        sent = row(of, &vec![0; of.format().components()])?;
                    }
                    Expect::reject(rejection.reason)
                }
                (answer, verdict) => return Err(format!("expected {verdict:?}, got {answer:?}")),
            };
            let mut own = request([("configuration", case.text.as_str().into())]);
            if named {
                own.insert("input".into(), array_to_json(&sent));
            }
            group.case(&case.id, &[], own, expect);
            Ok(())
        })?;
        groups.push(group);
    }
    Ok(groups)
}

/// Sends an array through a codec; every element must have a result.
fn through(
    what: &str,
    codec: &Elementwise,
    way: Direction,
    input: &Array,
) -> Result<Array, String> {
    let outputs = input
        .components()
        .map(|bits| {
            codec
                .answer(what, way, bits)?
                .map_err(|reason| reason.name().to_owned())
        })
        .collect::<Result<Vec<u64>, String>>()?;
    Array::from_components(codec.types(way).1, input.shape().to_vec(), outputs)
        .map_err(|rejection| rejection.message)
}

/// Returns the data type that a configuration names, whether or not it is valid there, or uint8 if it names none.
fn named_data_type(text: &str) -> DataType {
    serde_json::from_str::<serde_json::Value>(text)
        .ok()
        .and_then(|value| value.get("data_type")?.as_str()?.parse().ok())
        .unwrap_or(DataType::Uint8)
}
