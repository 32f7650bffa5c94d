//! Mutants of `scale_offset`: the fill value.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        fill("scale-offset-fill-unchanged", "scale_offset.fill",
            "The fill value is not transformed (zarrita 0.7.5: the published uint16 example cannot be read).",
            |it| it.scale().and_then(|_| give(it.before))),
        fill("scale-offset-fill-decoded", "scale_offset.fill",
            "The fill value is transformed in the decoding direction.",
            |it| it.scale().map(|_| it.decoded(it.before))),
        fill("scale-offset-fill-must-be-representable", "scale_offset.fill",
            "A fill value that the codec rejects becomes 0 instead of making the metadata invalid.",
            |it| {
                it.scale()?;
                if it.encoded().is_err() {
                    it.give(0)
                } else {
                    None
                }
            }),
    ]
}
