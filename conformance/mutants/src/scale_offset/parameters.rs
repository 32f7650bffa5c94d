//! Mutants of `scale_offset`: absent and large parameters.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        of_elements("absent-offset-adds-zero", "scale_offset.offset.absent",
            "The missing offset is a 0 that is added: -0 decodes to +0 (zarr-python, zarrita; upstream's identity element read literally).",
            |it| {
                it.decoding()?.when(it.codec.offset.is_none())?;
                let result = it.right().ok()?;
                it.format
                    .float()
                    .filter(|float| float.is_zero(result))
                    .and_then(|_| give(0))
            }),
        of_elements("absent-offset-is-rejected", "scale_offset.offset.absent",
            "Both parameters are assumed to be present (zarrita 0.7.5 throws without a configuration).",
            |it| it.when(it.codec.offset.is_none()).and_then(|_| reject())),
        of_elements("absent-scale-is-zero", "scale_offset.scale.absent",
            "The missing scale is the type's default, 0.",
            |it| {
                it.encoding()?.when(it.codec.scale.is_none())?;
                it.right().ok().and_then(|_| give(0))
            }),
        of_elements("absent-scale-skips-the-offset", "scale_offset.scale.absent",
            "Without a scale the whole codec is left out.",
            |it| {
                it.when(it.codec.scale.is_none())
                    .and_then(|_| give(it.bits))
            }),
        of_elements("parameters-through-binary64", "scale_offset.parameters.exact",
            "The parameters are JSON numbers in binary64: integers above 2^53 are off (zarrita 0.7.5).",
            |it| {
                let seen = |bits| bits_through_binary64(&it.format, bits);
                let codec = ScaleOffset {
                    offset: it.codec.offset.map(seen),
                    scale: it.codec.scale.map(seen),
                    ..*it.codec
                };
                Some(right(&codec, it.direction, it.bits))
            }),
    ]
}
