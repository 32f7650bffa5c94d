//! Mutants of `cast_value`: the fill value.

use exactum_conformance::model::{ArrayCodec, ArrayToArray, Rejection, Scalar};

use super::*;
use crate::{Fill, fill};

impl Fill<'_> {
    /// Returns the fill value after a changed cast, according to the clauses.
    fn with(&self, change: impl FnOnce(&mut CastValue)) -> Wrong<Scalar> {
        self.other(change, |other| other.of(self.before))
    }

    /// Returns the decoded fill value for a changed cast.
    fn back_with(&self, after: Scalar, change: impl FnOnce(&mut CastValue)) -> Wrong<Scalar> {
        self.other(change, |other| other.decoded(after))
    }

    fn other(
        &self,
        change: impl FnOnce(&mut CastValue),
        then: impl FnOnce(&Fill<'_>) -> Result<Scalar, Rejection>,
    ) -> Wrong<Scalar> {
        let mut codec = self.cast()?.clone();
        change(&mut codec);
        let step = ArrayToArray {
            codec: ArrayCodec::CastValue(codec),
            ..self.step.clone()
        };
        Some(then(&Fill {
            step: &step,
            ..*self
        }))
    }
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        fill("fill-bits-kept", "cast_value.fill.cast",
            "The stored data type changes and the fill value's bytes do not: a buffer read as another type.",
            |it| it.cast().and_then(|_| it.give(it.before.component(0)))),
        fill("fill-becomes-zero", "cast_value.fill.cast",
            "After the cast the fill value is the new type's default, 0.",
            |it| it.cast().and_then(|_| it.give(0))),
        fill("fill-cast-without-map", "cast_value.fill.cast",
            "The fill value is cast by a helper that knows no map.",
            |it| it.with(|codec| codec.encode_map.clear())),
        fill("fill-cast-saturates", "cast_value.fill.cast",
            "A fill value that cannot be cast saturates instead of making the metadata invalid.",
            |it| {
                let codec = it.cast()?;
                if it.encoded().is_ok() {
                    return None;
                }
                let value = Exact::from_bits(&codec.decoded.format(), it.before.component(0));
                it.give(saturated(&value, &codec.encoded.format()))
            }),
        fill("fill-round-trip-unchecked", "cast_value.fill.survives",
            "The fill value is cast but never cast back (zarr-python 3.3.0, zarrita 0.7.5).",
            |it| it.cast().map(|_| it.encoded())),
        fill("fill-round-trip-without-map", "cast_value.fill.survives",
            "The reverse cast leaves out the map, so a mapped NaN never survives.",
            |it| {
                it.cast()?;
                it.if_back(|_, after| {
                    let back = it.back_with(after, |codec| codec.decode_map.clear());
                    back.is_some_and(|back| back.is_ok_and(|back| back.same_value(&it.before)))
                })
            }),
        fill("fill-round-trip-compares-stored", "cast_value.fill.survives",
            "The stored fill value is compared with itself after a cast back and forth, so that a \
             value that rounds once passes.",
            |it| {
                it.cast()?;
                it.if_back(|back, after| {
                    let again = Fill {
                        before: back,
                        ..*it
                    }
                    .encoded();
                    again.is_ok_and(|again| again.same_value(&after))
                })
            }),
        fill("fill-compared-bitwise", "cast_value.fill.by-value",
            "The bytes must survive: -0.0 through an integer, and every NaN but the default one, are refused (zarrs).",
            |it| {
                it.cast()?;
                it.if_back(|back, _| back == it.before)
            }),
        fill("fill-nan-never-survives", "cast_value.fill.by-value",
            "The comparison is `==`, for which no NaN equals itself.",
            |it| {
                let float = it.cast()?.decoded.format().float()?;
                if float.is_nan(it.before.component(0)) {
                    reject()
                } else {
                    None
                }
            }),
    ]
}
