//! Mutants of `scale_offset`: the operations and their order.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        of_elements("encode-adds-offset", "scale_offset.encode",
            "Encoding adds the offset: CF's decoding formula, used for encoding.",
            |it| it.encoding()?.computed([(it.codec.offset, "+", Exact::add), (it.codec.scale, "*", Exact::multiply)])),
        of_elements("encode-divides-by-scale", "scale_offset.encode",
            "Encoding divides by the scale, as CF and GDAL define scale_factor.",
            |it| it.encoding()?.computed([(it.codec.offset, "-", Exact::subtract), (it.codec.scale, "/", Exact::divide)])),
        of_elements("encode-scales-first", "scale_offset.encode",
            "in * scale - offset: the steps in the other order.",
            |it| it.encoding()?.computed([(it.codec.scale, "*", Exact::multiply), (it.codec.offset, "-", Exact::subtract)])),
        of_elements("decode-multiplies-by-scale", "scale_offset.decode",
            "Decoding multiplies, as CF and GDAL define scale_factor and many users expect.",
            |it| it.decoding()?.computed([(it.codec.scale, "*", Exact::multiply), (it.codec.offset, "+", Exact::add)])),
        of_elements("decode-multiplies-by-the-reciprocal", "scale_offset.decode",
            "Decoding multiplies by 1 / scale, computed once because it is faster: 3 / 10 gives 0.30000000000000004.",
            |it| {
                let scale = Exact::from_bits(&it.format, it.decoding()?.float()?.codec.scale?);
                it.when(matches!(scale, Exact::Finite(_)))?;
                let reciprocal = stored(&Exact::integer(1).divide(&scale), &it.format).ok();
                reciprocal?;
                it.computed([(reciprocal, "*", Exact::multiply), (it.codec.offset, "+", Exact::add)])
            }),
        of_elements("decode-subtracts-offset", "scale_offset.decode",
            "Decoding subtracts the offset: its sign is not reversed for the other direction.",
            |it| it.decoding()?.computed([(it.codec.scale, "/", Exact::divide), (it.codec.offset, "-", Exact::subtract)])),
        of_elements("decode-adds-first", "scale_offset.decode",
            "(in + offset) / scale: the steps in encoding order.",
            |it| it.decoding()?.computed([(it.codec.offset, "+", Exact::add), (it.codec.scale, "/", Exact::divide)])),
    ]
}
