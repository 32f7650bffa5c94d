//! Cells of scalar maps: for every pair of data types, in both directions, a key that occurs twice, a further key, and
//! an element that is not a key; and, for rulings, keys that match by value.

use exactum_model::{DataType, Rounding, Scalar};
use exactum_vectors::{Case, Expect, File, Level};
use rustc_apfloat::Float;

use super::cells::inputs;
use super::proof::proof;
use super::{Direction, Setting, Way, answer, input, real, rules};
use crate::oracle::tables::Number;
use crate::vectors::builder::{ZARR_EXTENSIONS, request, row};
use crate::vectors::opinions::Elementwise;

/// Returns the topic of a source type.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("map-{from}"), ZARR_EXTENSIONS);
    for (level, suffix) in [(Level::Must, ""), (Level::Ruling, "-by-value")] {
        for direction in Direction::BOTH {
            let mut cases = Vec::new();
            for to in real() {
                let mapped = Mapped::new(from, to, direction);
                cases.extend(match level {
                    Level::Must => Some(mapped.literal()?),
                    _ => mapped.by_value()?,
                });
            }
            if cases.is_empty() {
                continue;
            }
            let clauses: &[&str] = match direction {
                Direction::Encode => &[],
                Direction::Decode => &["cast_value.decode"],
            };
            let op = format!("cast_value.{}", direction.name());
            let name = format!("{}{suffix}", direction.name());
            let group = file.group(&name, level, clauses, request([("op", op.into())]));
            group.cases = cases;
        }
    }
    Ok(file)
}

/// A setting with the elements on which it is tested. Each pair has its own mode and rule, so that all pairs together
/// cover all of them.
struct Mapped {
    setting: Setting,
    elements: Vec<u64>,
}

/// An entry of a map: a key and its output.
type Entry = (u64, u64);

impl Mapped {
    fn new(from: DataType, to: DataType, direction: Direction) -> Self {
        let place = |of: DataType| real().position(|it| it == of).unwrap_or_default();
        let number = place(from) + place(to);
        let mut setting = Setting {
            direction,
            from,
            to,
            rounding: Rounding::ALL[number % Rounding::ALL.len()],
            rule: None,
        };
        let rules = rules(setting.types().1);
        setting.rule = rules[number / Rounding::ALL.len() % rules.len()];
        Self {
            setting,
            elements: inputs(from, to),
        }
    }

    /// Returns the case with a repeated key, of which the first occurrence decides. A later entry applies too, and an
    /// element that is not a key is cast.
    fn literal(&self) -> Result<Case, String> {
        let cast = self.setting.cast();
        let missing = || {
            format!(
                "{} {}: too few elements",
                self.setting.from, self.setting.to
            )
        };
        let plain = |bits| answer("without the map", &cast, bits);
        let is_number = |of: DataType, bits: u64| match Number::of(of, bits) {
            Number::Nan | Number::Infinite { .. } => false,
            number => !number.quad().is_zero(),
        };
        let mut keys = self.elements.iter().copied();
        let keys: Vec<u64> = keys
            .by_ref()
            .filter(|&it| is_number(self.setting.from, it))
            .collect();
        // A key that is out of range or rounded shows that the map is applied first.
        let mut first = *keys.first().ok_or_else(missing)?;
        for &key in &keys {
            let exact = plain(key)?.is_ok_and(|output| {
                Number::of(self.setting.to, output).same_value(Number::of(self.setting.from, key))
            });
            if !exact {
                first = key;
                break;
            }
        }
        let mut others = Vec::new();
        for &key in keys.iter().filter(|&&key| key != first) {
            let outcome = plain(key)?;
            if outcome.is_ok() && proof(&cast, key, outcome).level == Level::Must {
                others.push(key);
            }
        }
        let second = *others.first().ok_or_else(missing)?;
        let mut outputs = inputs(self.setting.to, self.setting.from);
        outputs.retain(|&bits| is_number(self.setting.to, bits));
        let other_than = |not: &[Option<u64>]| {
            let mut found = outputs.iter().copied();
            found
                .find(|&bits| !not.contains(&Some(bits)))
                .ok_or_else(missing)
        };
        let (was, later) = (plain(first)?.ok(), plain(second)?.ok());
        let taken = other_than(&[was])?;
        let passed = other_than(&[was, Some(taken)])?;
        let behind = other_than(&[later, Some(taken)])?;
        let entries = [(first, taken), (first, passed), (second, behind)];
        let mut sent = vec![first, second];
        let mut clauses = vec![
            "cast_value.scalar_map.first",
            "cast_value.scalar_map.first-duplicate",
        ];
        if let Some(&no_key) = others.last().filter(|&&it| it != second) {
            sent.push(no_key);
            clauses.extend(proof(&cast, no_key, plain(no_key)?).clauses);
        }
        self.case(&entries, &sent, &[taken, behind], &clauses)
    }

    /// Returns the case with a NaN other than the key, and the other zero.
    fn by_value(&self) -> Result<Option<Case>, String> {
        let Some(format) = self.setting.from.format().float() else {
            return Ok(None);
        };
        let mut outputs = inputs(self.setting.to, self.setting.from).into_iter();
        let mut number = || {
            outputs.find(|&bits| {
                let number = Number::of(self.setting.to, bits);
                !matches!(number, Number::Nan | Number::Infinite { .. }) && !number.quad().is_zero()
            })
        };
        let (mut entries, mut sent, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        let mut clauses = Vec::new();
        if let (Some(key), Some(output)) = (format.nan_bits(), number()) {
            let another = |bits: &&u64| format.is_nan(**bits) && **bits != key;
            let other = self.elements.iter().find(another);
            entries.push((key, output));
            sent.push(*other.unwrap_or(&key));
            expected.push(output);
            clauses.push("cast_value.scalar_map.nan-key");
        }
        if let (true, Some(output)) = (format.negative_zero, number()) {
            entries.push((0, output));
            sent.push(format.sign_mask());
            expected.push(output);
            clauses.push("cast_value.scalar_map.zero-key");
        }
        if entries.is_empty() {
            return Ok(None);
        }
        self.case(&entries, &sent, &expected, &clauses).map(Some)
    }

    /// Returns the case of a map; `known` are the outputs of its first elements.
    fn case(
        &self,
        entries: &[Entry],
        sent: &[u64],
        known: &[u64],
        clauses: &[&str],
    ) -> Result<Case, String> {
        let text =
            |of: DataType, bits: u64| exactum_exact::canonical(&Scalar::new(of, bits.into()));
        let entries: Vec<String> = entries
            .iter()
            .map(|&(key, output)| {
                format!(
                    "[{},{}]",
                    text(self.setting.from, key),
                    text(self.setting.to, output)
                )
            })
            .collect();
        let (decoded, _) = self.setting.types();
        let plain = self.setting.configuration();
        let front = plain.strip_suffix('}').unwrap_or(&plain);
        let way = self.setting.direction.name();
        let configuration = format!(
            r#"{front},"scalar_map":{{"{way}":[{}]}}}}"#,
            entries.join(",")
        );
        let codec = Elementwise::read("cast_value", &configuration, decoded)?
            .map_err(|rejection| format!("{configuration}: {rejection}"))?;
        let mut outputs = Vec::new();
        for &bits in sent {
            let outcome = codec.answer(&configuration, self.setting.direction, bits)?;
            outputs.push(outcome.map_err(|it| format!("{configuration}: {}", it.name()))?);
        }
        if !outputs.starts_with(known) {
            return Err(format!("{configuration}: {outputs:x?}, not {known:x?}"));
        }
        let mut own = request([("configuration", configuration.into())]);
        if self.setting.direction == Direction::Decode {
            own.insert("data_type".into(), decoded.name().into());
        }
        own.extend(input(self.setting.from, sent)?);
        Ok(Case {
            id: self.setting.to.name().into(),
            clauses: clauses.iter().map(|&it| it.into()).collect(),
            per_element: false,
            request: own,
            expect: Expect::output(&row(self.setting.to, &outputs)?),
            note: None,
        })
    }
}
