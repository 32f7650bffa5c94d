//! The worked examples of the texts, completed to whole documents: stages and chunks.

use exactum_vectors::{File, Level};

use super::Fill::{Rejected, Survives};
use super::{both_ways, rejected_chunks, resolutions};
use crate::vectors::builder::ZARR_EXTENSIONS;
use crate::vectors::documents::examples;

pub(super) fn topic() -> Result<File, String> {
    let mut file = File::new("chain", "examples", ZARR_EXTENSIONS);
    let all = examples();
    let document = |name: &str| {
        all.iter()
            .find(|example| example.name == name)
            .map(|example| example.document.clone())
            .ok_or_else(|| format!("there is no example {name}"))
    };
    let must = Level::Must;
    resolutions(
        &mut file,
        "stages",
        must,
        &["chain.fill", "chain.data_type"],
        &[
            (
                "float32-scale-offset",
                document("float32-scale-offset")?,
                Survives,
            ),
            (
                "uint16-range-reduction",
                document("uint16-range-reduction")?,
                Survives,
            ),
            (
                "uint16-range-reduction-fill-zero",
                document("uint16-range-reduction-fill-zero")?,
                Rejected("scale_offset.fill"),
            ),
            (
                "float64-uint8-nan",
                document("float64-uint8-nan")?,
                Survives,
            ),
            ("numpy", document("numpy")?, Survives),
            (
                "numpy-as-printed",
                document("numpy-as-printed")?,
                Rejected("cast_value.scalar_map.scalars"),
            ),
            ("seed-clamp", document("seed-clamp")?, Survives),
            ("fixedscaleoffset", document("fixedscaleoffset")?, Survives),
        ],
    )?;
    for (name, clauses, chunks, rejected) in [
        (
            "float32-scale-offset",
            &["scale_offset.encode", "scale_offset.decode"][..],
            &[("published", "5 15 25 -5"), ("inexact", "8 0.3 1000 -1")][..],
            &[][..],
        ),
        (
            "uint16-range-reduction",
            &["scale_offset.encode", "cast_value.exact"],
            &[("ends", "1000 1255 1001 1254")],
            &[
                ("below", "1000 999 1000 1000"),
                ("above", "1000 1256 1000 1000"),
            ],
        ),
        (
            "float64-uint8-nan",
            &["scale_offset.encode", "cast_value.scalar_map.first"],
            &[
                ("published", "0 2540 \"NaN\" 10"),
                ("rounded", "4.9 5 14.9 1234.5"),
                ("fills", "\"NaN\" \"NaN\" \"NaN\" \"NaN\""),
            ],
            &[
                ("above", "2550 0 0 0"),
                ("below", "0 -20 0 0"),
                ("infinity", "0 0 \"Infinity\" 0"),
            ],
        ),
        (
            "numpy",
            &["cast_value.scalar_map.first", "cast_value.range.wrap"],
            &[
                ("special", "\"NaN\" \"Infinity\" \"-Infinity\" 0"),
                ("wrapped", "256 -1 300.7 -1.9"),
                ("truncated", "1.9 254.999 0.5 -0.5"),
            ],
            &[],
        ),
        (
            "seed-clamp",
            &["cast_value.scalar_map.first", "cast_value.range.clamp"],
            &[
                ("special", "\"NaN\" \"Infinity\" \"-Infinity\" 0"),
                ("clamped", "300 -5 255.5 254.5"),
            ],
            &[],
        ),
        (
            "fixedscaleoffset",
            &["scale_offset.encode", "cast_value.range.wrap"],
            &[
                ("published", "10 100 15 25"),
                ("wrapped", "2570 2580 0 -10"),
            ],
            &[],
        ),
    ] {
        let document = document(name)?;
        both_ways(&mut file, name, must, clauses, &document, chunks)?;
        if !rejected.is_empty() {
            rejected_chunks(
                &mut file,
                &format!("{name}-rejected"),
                must,
                clauses,
                &document,
                rejected,
            )?;
        }
    }
    Ok(file)
}
