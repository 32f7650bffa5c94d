//! Programs that write an array as planned, for widely used libraries.
//!
//! Each program reads values, writes them, reads them back, and fails if one differs from its value by more
//! than promised. The tests of the command run each of them as it is printed
//! (`crates/cli/tests/plans/recipes.rs`).

use exactum_exact::Exact;
use exactum_metadata::sds::number_to_json;
use exactum_model::{DataType, Format};

use super::candidates::{Candidate, Request};
use super::document::{cf, cf_error, encoding};
use super::number;
use super::proof::error_figure;

/// A library for which a program is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// zarr-python, with the codecs.
    ZarrPython,
    /// xarray: NetCDF with CF attributes.
    Xarray,
    /// zarrs with the codecs of Exactum, in Rust.
    Zarrs,
    /// `TensorStore`, which has no such codecs: integers with CF attributes.
    Tensorstore,
    /// GDAL through rasterio: a `GeoTIFF` whose band has a scale and an offset.
    Gdal,
}

const ZARR_PYTHON: &str = include_str!("recipes/zarr_python.py");
const XARRAY: &str = include_str!("recipes/xarray.py");
const ZARRS: &str = include_str!("recipes/zarrs.rs.txt");
const TENSORSTORE: &str = include_str!("recipes/tensorstore.py");
const GDAL: &str = include_str!("recipes/gdal.py");

/// The fraction of the proved error of CF attributes that a writer may add: near the middle between two codes
/// it may choose the other one, and codes have at most 32 bits.
const BY_CF: i128 = 1 << 18;

impl Library {
    /// All libraries.
    pub const ALL: [Library; 5] = [
        Library::ZarrPython,
        Library::Xarray,
        Library::Zarrs,
        Library::Tensorstore,
        Library::Gdal,
    ];

    /// Returns the name on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Library::ZarrPython => "zarr-python",
            Library::Xarray => "xarray",
            Library::Zarrs => "zarrs",
            Library::Tensorstore => "tensorstore",
            Library::Gdal => "gdal",
        }
    }

    /// Returns why a library cannot store a packing, or `None` if it can.
    pub fn lacks(self, request: &Request, candidate: &Candidate) -> Option<String> {
        let target = candidate.target;
        let name = || target.name();
        let is_plain = !target.is_packed();
        let has_cf = cf(candidate).is_some();
        let is_float = matches!(request.data_type, DataType::Float32 | DataType::Float64);
        let is_short = matches!(
            target.data_type,
            DataType::Float16 | DataType::Float32 | DataType::Float64
        );
        match self {
            Library::Zarrs => None,
            _ if !is_float => Some(format!(
                "the program is printed only for float32 and float64, not for {}",
                request.data_type
            )),
            Library::ZarrPython if target.is_packed() => Some("zarr-python has no packbits".into()),
            Library::ZarrPython if !has_cf && !is_short => {
                Some(format!("zarr-python does not cast to {}", name()))
            }
            Library::ZarrPython => None,
            _ if !is_plain || !has_cf => Some(format!(
                "only integers of 8, 16 or 32 bits are stored with CF attributes, not {}",
                name()
            )),
            _ if request.needs.positive_infinity || request.needs.negative_infinity => {
                Some("CF has no codes for infinities".into())
            }
            _ if cf_error(request, candidate, &request.tolerance).is_none() => {
                Some("the CF attributes are not proved to stay within the requested error".into())
            }
            Library::Tensorstore | Library::Xarray => None,
            Library::Gdal => match target.data_type {
                DataType::Int8 => {
                    Some("rasterio supports a nodata value for int8 only in newer files".into())
                }
                _ => None,
            },
        }
    }

    /// Returns the program.
    pub fn recipe(self, request: &Request, candidate: &Candidate) -> String {
        let template = match self {
            Library::ZarrPython => ZARR_PYTHON,
            Library::Xarray => XARRAY,
            Library::Zarrs => ZARRS,
            Library::Tensorstore => TENSORSTORE,
            Library::Gdal => GDAL,
        };
        let more = Exact::integer(BY_CF + 1).divide(&Exact::integer(BY_CF));
        // Only programs that write CF attributes state the error of these attributes.
        let by_cf = cf_error(request, candidate, &request.tolerance)
            .map(|error| error_figure(&error.multiply(&more)))
            .unwrap_or_default();
        let attributes = cf(candidate).unwrap_or_default();
        let layout = &candidate.layout;
        let is_integer = matches!(candidate.target.data_type.format(), Format::Integer(_));
        let number = |value: &Exact| number_to_json(number::nearest(value)).to_string();
        let names = [
            ("@DATA_TYPE@", request.data_type.name().to_owned()),
            ("@TARGET@", candidate.target.data_type.name().to_owned()),
            ("@CODECS@", candidate.codecs.to_string()),
            ("@FILL_VALUE@", candidate.fill_value.to_string()),
            ("@ERROR@", error_figure(&candidate.error)),
            ("@CF_ERROR@", by_cf),
            ("@SCALE@", number(&layout.scale())),
            ("@OFFSET@", number(&layout.offset())),
            ("@FACTOR@", attributes["scale_factor"].to_string()),
            ("@CF@", attributes.to_string()),
            (
                "@MISSING@",
                match attributes.get("_FillValue") {
                    Some(code) => code.to_string(),
                    None => "None".into(),
                },
            ),
            (
                "@ENCODING@",
                encoding(candidate).unwrap_or_default().to_string(),
            ),
        ];
        debug_assert!(is_integer || self == Library::ZarrPython || self == Library::Zarrs);
        let mut text = template.to_owned();
        for (name, value) in names {
            text = text.replace(name, &value);
        }
        text
    }
}
