//! Checks whether a scale and an offset keep the range, the special values, and the fill value.

use exactum_exact::Exact;
use exactum_model::{DataType, Reason};
use exactum_reference::analysis::{self, Effort};
use exactum_reference::chain::resolve;

use super::arithmetic::near;
use super::codes::Codes;
use super::floats::specials;
use super::layout::{beside, rounded};
use super::{Candidate, Layout, Request, Step, Target};
use crate::proof::{Proof, Verdict};

/// The effort of a search, which examines the bound of the error and no single values.
const QUICK: Effort = Effort {
    codes: 0,
    values: 0,
};

/// A search for the scale and the offset of one target.
#[derive(Clone, Debug)]
pub(super) struct Search<'r> {
    pub(super) request: &'r Request,
    pub(super) target: Target,
    pub(super) codes: Codes,
    /// The data type of the computation.
    pub(super) work: DataType,
}

/// The reason why a scale and an offset do not make a packing.
#[derive(Clone, Debug)]
pub(super) enum Misfit {
    /// Something does not survive; similar parameters may succeed.
    Lost(String),
    /// Everything survives, but the error is too large; similar parameters have about the same error.
    TooCoarse(String),
}

impl Misfit {
    pub(super) fn words(self) -> String {
        match self {
            Misfit::Lost(words) | Misfit::TooCoarse(words) => words,
        }
    }
}

impl From<String> for Misfit {
    fn from(words: String) -> Self {
        Misfit::Lost(words)
    }
}

impl Search<'_> {
    /// Tries a scale and an offset, or a similar offset with which the fill value survives.
    pub(super) fn attempt(&self, scale: u64, offset: u64) -> Result<Layout, Misfit> {
        let layout = Layout {
            offset: Some(offset),
            scale: Some(scale),
            ..Layout::plain(self.work, self.target)
        };
        let first = self.with_fill(layout.clone());
        let Err(why) = first else { return first };
        let (Some(fill), Misfit::Lost(_)) = (self.request.fill_value, &why) else {
            return Err(why);
        };
        let fill = self.request.value(fill);
        let offsets: Vec<u64> = match (self.codes.fill, &fill) {
            (Some(_), _) => (1..=4)
                .flat_map(|n| [n, -n])
                .filter_map(|n| beside(self.work, offset, n))
                .collect(),
            // The fill value becomes the value of a code.
            (None, Exact::Finite(_) | Exact::Zero { .. }) => {
                let code = fill.subtract(&layout.offset()).multiply(&layout.scale());
                let Some(code) = near(&code) else {
                    return Err(why);
                };
                let codes = [0, 1, -1, 2, -2].map(|n| code + n);
                let codes = codes.into_iter();
                let is_free = |code: &i128| (self.codes.low..=self.codes.high).contains(code);
                codes
                    .filter(is_free)
                    .filter_map(|code| {
                        let shift = Exact::integer(code).divide(&layout.scale());
                        rounded(&fill.subtract(&shift), self.work)
                    })
                    .flat_map(|bits| [0, 1, -1].map(|n| beside(self.work, bits, n)))
                    .flatten()
                    .collect()
            }
            _ => return Err(why),
        };
        offsets
            .into_iter()
            .find_map(|offset| {
                let layout = Layout {
                    offset: Some(offset),
                    ..layout.clone()
                };
                self.with_fill(layout).ok()
            })
            .ok_or(why)
    }

    /// Returns the layout with the codes of the special values, if it is proved.
    pub(super) fn with_fill(&self, layout: Layout) -> Result<Layout, Misfit> {
        let request = self.request;
        let fill_value = self.fill(&layout);
        let mut map = layout.map.clone();
        for (name, bits) in specials(self.work) {
            let code = match name {
                "NaN" => self.codes.nan,
                "Infinity" => self.codes.positive_infinity,
                _ => self.codes.negative_infinity,
            };
            map.extend(code.map(|code| (bits, self.target.code_bits(code))));
        }
        if let (Some(code), Some(fill)) = (self.codes.fill, request.fill_value) {
            let before = Layout {
                target: Target::of(self.work),
                map: Vec::new(),
                ..layout.clone()
            };
            let chain = before.chain(request.data_type, fill);
            let stored = analysis::put(&chain, fill).map_err(|rejection| rejection.to_string())?;
            if map
                .iter()
                .any(|(bits, _)| self.work.format().same_value(*bits, stored.code))
            {
                return Err(Misfit::Lost(
                    "the code of the fill value is already in use".into(),
                ));
            }
            map.push((stored.code, self.target.code_bits(code)));
        }
        let layout = Layout { map, ..layout };
        let chain = layout.chain(request.data_type, fill_value);
        let survives = resolve(&chain).map_err(|rejection| rejection.to_string())?;
        if !survives.round_trips {
            return Err(Misfit::Lost(
                "the fill value is not read back as itself".into(),
            ));
        }
        self.ends_are_free(&layout, fill_value)?;
        let tolerance = &request.tolerance;
        let needs = request.needs();
        let proof = Proof::with(&chain, request.range, &needs, tolerance, QUICK)?;
        match proof.verdict() {
            Verdict::Proved => Ok(layout),
            Verdict::Undecided => Err(Misfit::TooCoarse(proof.summary())),
            Verdict::Refuted => Err(Misfit::Lost(proof.summary())),
        }
    }

    /// Checks that the ends of the range have free codes, which is faster than a proof.
    fn ends_are_free(&self, layout: &Layout, fill_value: u64) -> Result<(), String> {
        let chain = layout.chain(self.request.data_type, fill_value);
        let format = self.target.data_type.format();
        let [low, high] = [self.codes.low, self.codes.high];
        for end in self.request.range {
            let stored = match analysis::put(&chain, end) {
                Ok(stored) => stored,
                Err(rejection) if rejection.reason == Reason::OutOfRange => {
                    return Err(self.too_few());
                }
                Err(rejection) => return Err(rejection.to_string()),
            };
            let code = near(&Exact::from_bits(&format, stored.code)).unwrap_or_default();
            let is_mapped = Some(code) == self.codes.fill;
            if !is_mapped && !(low..=high).contains(&code) {
                return Err(self.too_few());
            }
        }
        Ok(())
    }

    fn too_few(&self) -> String {
        match self.request.step {
            Some(Step::Size(_)) => {
                "the range has more steps of the quantum than the type has free codes".into()
            }
            _ => format!(
                "the range is too far from zero for its width: no offset of {} is exact enough",
                self.work
            ),
        }
    }

    /// Returns the fill value: that of the array, or one that the plan chooses, which is NaN or the value of
    /// the code 0.
    fn fill(&self, layout: &Layout) -> u64 {
        let data_type = self.request.data_type;
        let nan = specials(data_type)
            .next()
            .filter(|_| self.request.needs.nan);
        let zero = || rounded(&layout.offset(), data_type).unwrap_or(self.request.range[0]);
        self.request
            .fill_value
            .unwrap_or_else(|| nan.map_or_else(zero, |(_, bits)| bits))
    }

    /// Returns the candidate of a layout, whose error is that of the proof.
    pub(super) fn finish(&self, layout: Layout) -> Result<Candidate, String> {
        let fill_value = self.fill(&layout);
        self.request.prove(layout, fill_value)
    }
}
