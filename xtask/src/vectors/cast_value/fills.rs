//! Cells of fill values: for every pair of data types, fill values of every class, and fill values that are lost in
//! every mode and under every rule that makes a difference.

use exactum_model::{CastValue, DataType, OutOfRange, Reason, Rounding, Scalar};
use exactum_vectors::{File, Level};
use rustc_apfloat::Float;

use super::cells::inputs;
use super::proof::{is_tie, proof};
use super::{answer, bits, configuration, real, resolve, rules};
use crate::oracle::tables::Number;
use crate::vectors::builder::{Case, Topic, Verdict, ZARR_EXTENSIONS};

/// Returns the topic of a source type.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut topic = Topic::new("cast_value", &format!("fill-{from}"), ZARR_EXTENSIONS, None);
    let mut chosen = Chosen::default();
    for (place, to) in real().enumerate() {
        Pair {
            from,
            to,
            place,
            elements: inputs(from, to),
        }
        .choose(&mut chosen)?;
    }
    let fill = |what: &str| format!("cast_value.fill.{what}");
    let (cast, survives) = (fill("cast"), fill("survives"));
    for (name, level, clauses, cases) in [
        ("kept", "must", format!("{cast},{survives}"), chosen.kept),
        ("cast", "must", cast.clone(), chosen.rejected),
        ("cast-ruling", "ruling", cast, chosen.rejected_ruling),
        ("survives", "must", survives.clone(), chosen.lost),
        ("survives-ruling", "ruling", survives, chosen.lost_ruling),
        ("by-value", "ruling", fill("by-value"), chosen.by_value),
    ] {
        if !cases.is_empty() {
            topic.computed(&format!("{name} {level} {clauses} chain.resolve"), &cases)?;
        }
    }
    Ok(topic.file)
}

/// The chosen cases of a topic.
#[derive(Default)]
struct Chosen {
    kept: Vec<Case>,
    rejected: Vec<Case>,
    rejected_ruling: Vec<Case>,
    lost: Vec<Case>,
    lost_ruling: Vec<Case>,
    by_value: Vec<Case>,
}

/// The fate of a fill value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It survives bit for bit.
    Kept,
    /// It survives by value.
    ByValue,
    /// It comes back as a different value, or not at all.
    Lost,
    /// It cannot be cast.
    Rejected(Reason),
}

/// A pair of types: the array's data type, and the encoded one.
struct Pair {
    from: DataType,
    to: DataType,
    /// The position of the second type among all types, by which alternating choices are made.
    place: usize,
    elements: Vec<u64>,
}

impl Pair {
    fn codec(&self, rounding: Rounding, rule: Option<OutOfRange>) -> Result<CastValue, String> {
        resolve(&self.configuration(rounding, rule), self.from)
            .map_err(|rejection| rejection.to_string())
    }

    fn configuration(&self, rounding: Rounding, rule: Option<OutOfRange>) -> String {
        let rounding = Some(rounding).filter(|it| *it != Rounding::NearestEven);
        configuration(self.to, rounding, rule)
    }

    fn fate(&self, codec: &CastValue, bits: u64) -> Result<Fate, String> {
        let what = "fill value";
        let encoded = match answer(what, &codec.encoding(), bits)? {
            Ok(encoded) => encoded,
            Err(reason) => return Ok(Fate::Rejected(reason)),
        };
        let back = answer(what, &codec.decoding(), encoded)?;
        let same = |back| Number::of(self.from, back).same_value(Number::of(self.from, bits));
        Ok(match back {
            Ok(back) if back == bits => Fate::Kept,
            Ok(back) if same(back) => Fate::ByValue,
            _ => Fate::Lost,
        })
    }

    /// Returns the class of a fill value, as named in its case.
    fn class(&self, codec: &CastValue, bits: u64, fate: Fate) -> &'static str {
        let number = Number::of(self.from, bits);
        let cast = codec.encoding();
        match (number, fate) {
            (Number::Nan, Fate::ByValue) => "payload",
            (Number::Nan, _) => "nan",
            (Number::Infinite { .. }, _) => "infinity",
            (_, Fate::ByValue) => "minus-zero",
            (_, Fate::Kept | Fate::Rejected(_)) if is_negative_zero(number) => "minus-zero",
            (_, Fate::Rejected(_)) => "beyond",
            (_, Fate::Lost) if is_tie(&cast, number, bits) => "tie",
            (_, Fate::Lost) if is_subnormal(self.to, number) => "subnormal",
            (_, Fate::Lost) => "inexact",
            (_, Fate::Kept) if number.quad().is_zero() => "zero",
            (_, Fate::Kept) if is_subnormal(self.to, number) => "small",
            (_, Fate::Kept) => "limit",
        }
    }

    fn choose(&self, chosen: &mut Chosen) -> Result<(), String> {
        self.by_class(chosen)?;
        self.by_setting(chosen)
    }

    /// Adds fill values of every class in the default mode.
    fn by_class(&self, chosen: &mut Chosen) -> Result<(), String> {
        let codec = self.codec(Rounding::NearestEven, None)?;
        let mut classes: Vec<(&str, Fate, Vec<u64>)> = Vec::new();
        let mut of_rulings = Vec::new();
        for &bits in &self.elements {
            let fate = self.fate(&codec, bits)?;
            let class = self.class(&codec, bits, fate);
            let ruled = fate != Fate::ByValue && self.is_ruled(&codec, bits)?;
            if class == "zero" {
                continue;
            }
            if ruled && class == "minus-zero" {
                let configuration = self.configuration(Rounding::NearestEven, None);
                let case = self.case(class, fate, bits, &configuration);
                chosen.rejected_ruling.push(case);
                continue;
            }
            if ruled {
                if matches!(fate, Fate::Lost | Fate::Rejected(_)) {
                    of_rulings.push((class, fate, bits));
                }
                continue;
            }
            match classes
                .iter_mut()
                .find(|(it, of, _)| (*it, *of) == (class, fate))
            {
                Some((.., all)) => all.push(bits),
                None => classes.push((class, fate, vec![bits])),
            }
        }
        let configuration = self.configuration(Rounding::NearestEven, None);
        // A case that only a ruling rejects is added if the text rejects nothing.
        for (lost, list) in [
            (true, &mut chosen.lost_ruling),
            (false, &mut chosen.rejected_ruling),
        ] {
            let of = |fate: &Fate| match fate {
                Fate::Lost => lost,
                Fate::Rejected(_) => !lost,
                Fate::Kept | Fate::ByValue => false,
            };
            let found = of_rulings.iter().find(|(_, fate, _)| of(fate));
            if let (false, Some((class, fate, bits))) =
                (classes.iter().any(|(_, fate, _)| of(fate)), found)
            {
                list.push(self.case(class, *fate, *bits, &configuration));
            }
        }
        let mut lost = 0;
        for (class, fate, all) in &classes {
            let magnitude = |bits: &u64| Number::of(self.from, *bits).quad().abs();
            let bits = if *class == "limit" {
                // The fill value of the greatest magnitude is chosen.
                let mut all = all.iter().copied();
                all.by_ref()
                    .reduce(|a, b| if magnitude(&b) > magnitude(&a) { b } else { a })
            } else {
                let signs = all.iter().copied().filter(|&bits| {
                    Number::of(self.from, bits).quad().is_negative() == (self.place % 2 == 1)
                });
                signs.chain(all.iter().copied()).next()
            };
            let Some(bits) = bits else { continue };
            let list = match fate {
                Fate::Kept => &mut chosen.kept,
                Fate::ByValue => &mut chosen.by_value,
                Fate::Rejected(_) => &mut chosen.rejected,
                Fate::Lost => {
                    lost += 1;
                    if lost > 2 {
                        continue;
                    }
                    &mut chosen.lost
                }
            };
            list.push(self.case(class, *fate, bits, &configuration));
        }
        Ok(())
    }

    /// Adds one fill value that is lost under each rule, and one in another mode where the mode makes a difference.
    /// Modes and rules alternate, so every type has all of them.
    fn by_setting(&self, chosen: &mut Chosen) -> Result<(), String> {
        let rules = rules(self.to);
        let default = self.codec(Rounding::NearestEven, None)?;
        let mut plain = Vec::new();
        for &bits in &self.elements {
            plain.push(answer("fill value", &default.encoding(), bits)?);
        }
        let others: Vec<Rounding> = Rounding::ALL
            .iter()
            .copied()
            .filter(|it| *it != Rounding::NearestEven)
            .collect();
        let number = real().position(|it| it == self.from).unwrap_or_default() + self.place;
        // The narrowest types are inexact in too few other types for the modes to alternate.
        let turns = if bits(self.from) <= 4 {
            others
        } else {
            vec![others[number % others.len()]]
        };
        let rule = rules[number / 4 % rules.len()];
        let even = rules[1..].iter().map(|&rule| (Rounding::NearestEven, rule));
        for (rounding, rule) in even.chain(turns.into_iter().map(|rounding| (rounding, rule))) {
            let codec = self.codec(rounding, rule)?;
            let Some((bits, ruled)) = self.lost(&codec, &plain)? else {
                continue;
            };
            let rule_name = rule.map_or(String::new(), |rule| format!("-{}", rule.name()));
            let name = format!("{}{rule_name}", rounding.name());
            let configuration = self.configuration(rounding, rule);
            let case = self.case(&name, Fate::Lost, bits, &configuration);
            if ruled {
                chosen.lost_ruling.push(case);
            } else {
                chosen.lost.push(case);
            }
        }
        Ok(())
    }

    /// Returns a fill value that is lost under a setting, and whether only a ruling says so. It is one whose outcome
    /// differs from the default, or, under a rule and if there is no such value, any other.
    fn lost(
        &self,
        codec: &CastValue,
        plain: &[Result<u64, Reason>],
    ) -> Result<Option<(u64, bool)>, String> {
        let by_rule = codec.rounding == Rounding::NearestEven;
        let (mut any, mut ruling) = (None, None);
        let mut others = Vec::new();
        for (&bits, plain) in self.elements.iter().zip(plain) {
            let here = answer("fill value", &codec.encoding(), bits)?;
            let other = here != *plain;
            if !(other || by_rule && any.is_none()) || self.fate(codec, bits)? != Fate::Lost {
                continue;
            }
            if self.is_ruled(codec, bits)? {
                ruling.get_or_insert(bits);
                continue;
            }
            any.get_or_insert(bits);
            others.extend(other.then_some(bits));
            if others.len() > self.place % 3 {
                break;
            }
        }
        let by_text = others.last().copied().or(any).map(|bits| (bits, false));
        Ok(by_text.or(ruling.map(|bits| (bits, true))))
    }

    /// Returns whether a ruling, and not the text, defines the result of encoding a fill value or of decoding it.
    fn is_ruled(&self, codec: &CastValue, bits: u64) -> Result<bool, String> {
        let what = "fill value";
        let encoded = answer(what, &codec.encoding(), bits)?;
        let there = proof(&codec.encoding(), bits, encoded).level;
        let back = match encoded {
            Ok(encoded) => {
                let decoded = answer(what, &codec.decoding(), encoded)?;
                proof(&codec.decoding(), encoded, decoded).level
            }
            Err(_) => Level::Must,
        };
        Ok(there != Level::Must || back != Level::Must)
    }

    fn case(&self, class: &str, fate: Fate, bits: u64, configuration: &str) -> Case {
        let fill_value = exactum_exact::canonical(&Scalar::new(self.from, bits.into()));
        let endian = match self.to.element_bytes() {
            1 => "",
            _ => r#","configuration":{"endian":"little"}"#,
        };
        Case {
            id: format!("{}-{class}", self.to),
            verdict: match fate {
                Fate::Kept | Fate::ByValue => Verdict::Accept,
                Fate::Lost | Fate::Rejected(_) => Verdict::Reject(None),
            },
            text: format!(
                r#"{} {fill_value} [1] {{"name":"cast_value","configuration":{configuration}}} {{"name":"bytes"{endian}}}"#,
                self.from
            ),
        }
    }
}

fn is_negative_zero(number: Number) -> bool {
    number.quad().is_zero() && number.quad().is_negative()
}

/// Returns whether a number lies below the normal range of a float type.
fn is_subnormal(of: DataType, number: Number) -> bool {
    let Some(format) = of.format().float() else {
        return false;
    };
    let normal = rustc_apfloat::ieee::Quad::from_u128(1)
        .value
        .scalbn(1 - format.bias);
    !number.quad().is_zero() && number.quad().abs() < normal
}
