//! Data types and their registered names.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::format::{FloatFormat, Format, IntegerFormat};

const fn signed(bits: u32) -> Format {
    Format::Integer(IntegerFormat { bits, signed: true })
}

const fn unsigned(bits: u32) -> Format {
    Format::Integer(IntegerFormat {
        bits,
        signed: false,
    })
}

macro_rules! data_types {
    ($($variant:ident $name:literal $format:expr;)*) => {
        /// A data type of the Zarr v3 core or of the extension registry, or the only unregistered one:
        /// [`Float8E4m3fn`](Self::Float8E4m3fn).
        ///
        /// Two names for the same format, such as `complex64` and `complex_float32`, are two data types here, so that a
        /// document's name for its data type is preserved.
        ///
        /// ```
        /// use exactum_model::{DataType, Format};
        ///
        /// let complex: DataType = "complex64".parse().expect("a registered name");
        /// assert_eq!(complex.name(), "complex64");
        /// assert_eq!((complex.element_bytes(), complex.is_real()), (8, false));
        /// assert_eq!(complex.component(), DataType::Float32);
        /// assert!(matches!(complex.format(), Format::Complex(_)));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DataType {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl DataType {
            /// Every data type, in the order of the registry's table.
            pub const ALL: &[DataType] = &[$(DataType::$variant),*];

            /// Returns the name of the data type, as documents write it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(DataType::$variant => $name,)* }
            }

            /// Returns the layout of an element.
            #[must_use]
            pub const fn format(self) -> Format {
                match self { $(DataType::$variant => $format,)* }
            }
        }
    };
}

data_types! {
    Bool "bool" Format::Bool;
    Int2 "int2" signed(2);
    Int4 "int4" signed(4);
    Int8 "int8" signed(8);
    Int16 "int16" signed(16);
    Int32 "int32" signed(32);
    Int64 "int64" signed(64);
    Uint2 "uint2" unsigned(2);
    Uint4 "uint4" unsigned(4);
    Uint8 "uint8" unsigned(8);
    Uint16 "uint16" unsigned(16);
    Uint32 "uint32" unsigned(32);
    Uint64 "uint64" unsigned(64);
    Float4E2m1fn "float4_e2m1fn" Format::Float(FloatFormat::FLOAT4_E2M1FN);
    Float6E2m3fn "float6_e2m3fn" Format::Float(FloatFormat::FLOAT6_E2M3FN);
    Float6E3m2fn "float6_e3m2fn" Format::Float(FloatFormat::FLOAT6_E3M2FN);
    Float8E3m4 "float8_e3m4" Format::Float(FloatFormat::FLOAT8_E3M4);
    Float8E4m3 "float8_e4m3" Format::Float(FloatFormat::FLOAT8_E4M3);
    Float8E4m3b11fnuz "float8_e4m3b11fnuz" Format::Float(FloatFormat::FLOAT8_E4M3B11FNUZ);
    Float8E4m3fn "float8_e4m3fn" Format::Float(FloatFormat::FLOAT8_E4M3FN);
    Float8E4m3fnuz "float8_e4m3fnuz" Format::Float(FloatFormat::FLOAT8_E4M3FNUZ);
    Float8E5m2 "float8_e5m2" Format::Float(FloatFormat::FLOAT8_E5M2);
    Float8E5m2fnuz "float8_e5m2fnuz" Format::Float(FloatFormat::FLOAT8_E5M2FNUZ);
    Float8E8m0fnu "float8_e8m0fnu" Format::Float(FloatFormat::FLOAT8_E8M0FNU);
    Bfloat16 "bfloat16" Format::Float(FloatFormat::BFLOAT16);
    Float16 "float16" Format::Float(FloatFormat::FLOAT16);
    Float32 "float32" Format::Float(FloatFormat::FLOAT32);
    Float64 "float64" Format::Float(FloatFormat::FLOAT64);
    Complex64 "complex64" Format::Complex(FloatFormat::FLOAT32);
    Complex128 "complex128" Format::Complex(FloatFormat::FLOAT64);
    ComplexFloat32 "complex_float32" Format::Complex(FloatFormat::FLOAT32);
    ComplexFloat64 "complex_float64" Format::Complex(FloatFormat::FLOAT64);
    ComplexBfloat16 "complex_bfloat16" Format::Complex(FloatFormat::BFLOAT16);
    ComplexFloat16 "complex_float16" Format::Complex(FloatFormat::FLOAT16);
    ComplexFloat4E2m1fn "complex_float4_e2m1fn" Format::Complex(FloatFormat::FLOAT4_E2M1FN);
    ComplexFloat6E2m3fn "complex_float6_e2m3fn" Format::Complex(FloatFormat::FLOAT6_E2M3FN);
    ComplexFloat6E3m2fn "complex_float6_e3m2fn" Format::Complex(FloatFormat::FLOAT6_E3M2FN);
    ComplexFloat8E3m4 "complex_float8_e3m4" Format::Complex(FloatFormat::FLOAT8_E3M4);
    ComplexFloat8E4m3 "complex_float8_e4m3" Format::Complex(FloatFormat::FLOAT8_E4M3);
    ComplexFloat8E4m3b11fnuz "complex_float8_e4m3b11fnuz" Format::Complex(FloatFormat::FLOAT8_E4M3B11FNUZ);
    ComplexFloat8E4m3fnuz "complex_float8_e4m3fnuz" Format::Complex(FloatFormat::FLOAT8_E4M3FNUZ);
    ComplexFloat8E5m2 "complex_float8_e5m2" Format::Complex(FloatFormat::FLOAT8_E5M2);
    ComplexFloat8E5m2fnuz "complex_float8_e5m2fnuz" Format::Complex(FloatFormat::FLOAT8_E5M2FNUZ);
    ComplexFloat8E8m0fnu "complex_float8_e8m0fnu" Format::Complex(FloatFormat::FLOAT8_E8M0FNU);
}

impl DataType {
    /// Returns the number of bytes that one element takes in an array, including all of its components.
    #[must_use]
    pub const fn element_bytes(self) -> usize {
        let format = self.format();
        format.component_bytes() * format.components()
    }

    /// Returns the data type of one component: the float type of a complex type, or the type itself otherwise.
    #[must_use]
    pub fn component(self) -> DataType {
        match self.format() {
            Format::Complex(format) => DataType::ALL
                .iter()
                .copied()
                .find(|data_type| data_type.format() == Format::Float(format))
                .unwrap_or(self),
            _ => self,
        }
    }

    /// Returns whether the data type is defined by the core or listed in the registry. The only exception is
    /// `float8_e4m3fn`, which is used in practice but not registered.
    ///
    /// ```
    /// use exactum_model::DataType;
    ///
    /// assert!(DataType::Float8E4m3.is_registered() && !DataType::Float8E4m3fn.is_registered());
    /// ```
    #[must_use]
    pub const fn is_registered(self) -> bool {
        !matches!(self, DataType::Float8E4m3fn)
    }

    /// Returns whether elements are real numbers, that is integers or floats, but neither bool nor complex. These
    /// are the data types of `scale_offset` and `cast_value`.
    #[must_use]
    pub const fn is_real(self) -> bool {
        matches!(self.format(), Format::Integer(_) | Format::Float(_))
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DataType {
    type Err = UnknownDataType;

    /// Finds a data type by its registered name.
    fn from_str(name: &str) -> Result<Self, UnknownDataType> {
        DataType::ALL
            .iter()
            .copied()
            .find(|data_type| data_type.name() == name)
            .ok_or_else(|| UnknownDataType::new(name))
    }
}

/// The error of parsing an unknown data type.
///
/// ```
/// use exactum_model::{DataType, UnknownDataType};
///
/// let error: UnknownDataType = "float31".parse::<DataType>().unwrap_err();
/// assert_eq!(error.name(), "float31");
/// assert_eq!(error.to_string(), "unknown data type \"float31\"");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDataType(String);

impl UnknownDataType {
    pub(crate) fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// Returns the name that was parsed.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UnknownDataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown data type {:?}", self.0)
    }
}

impl core::error::Error for UnknownDataType {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A float type, its width, and the codes of its largest finite value, infinity and default NaN.
    type Codes = (DataType, u32, u64, Option<u64>, Option<u64>);

    /// The rows come from the code table of the registry. ml_dtypes agrees with them, and also defines
    /// float8_e4m3fn, which the registry lacks.
    #[test]
    fn float_codes_are_those_of_the_registry() {
        let rows: &[Codes] = &[
            (DataType::Float4E2m1fn, 4, 0x7, None, None),
            (DataType::Float6E2m3fn, 6, 0x1f, None, None),
            (DataType::Float6E3m2fn, 6, 0x1f, None, None),
            (DataType::Float8E3m4, 8, 0x6f, Some(0x70), Some(0x78)),
            (DataType::Float8E4m3, 8, 0x77, Some(0x78), Some(0x7c)),
            (DataType::Float8E4m3b11fnuz, 8, 0x7f, None, Some(0x80)),
            (DataType::Float8E4m3fn, 8, 0x7e, None, Some(0x7f)),
            (DataType::Float8E4m3fnuz, 8, 0x7f, None, Some(0x80)),
            (DataType::Float8E5m2, 8, 0x7b, Some(0x7c), Some(0x7e)),
            (DataType::Float8E5m2fnuz, 8, 0x7f, None, Some(0x80)),
            (DataType::Float8E8m0fnu, 8, 0xfe, None, Some(0xff)),
            (DataType::Bfloat16, 16, 0x7f7f, Some(0x7f80), Some(0x7fc0)),
            (DataType::Float16, 16, 0x7bff, Some(0x7c00), Some(0x7e00)),
            (
                DataType::Float32,
                32,
                0x7f7f_ffff,
                Some(0x7f80_0000),
                Some(0x7fc0_0000),
            ),
            (
                DataType::Float64,
                64,
                0x7fef_ffff_ffff_ffff,
                Some(0x7ff0_0000_0000_0000),
                Some(0x7ff8_0000_0000_0000),
            ),
        ];
        for &(data_type, bits, max, infinity, nan) in rows {
            let format = data_type.format().float().expect("a float");
            assert_eq!(format.bits(), bits, "{data_type}");
            assert_eq!(format.max_finite_bits(), max, "{data_type}");
            assert_eq!(format.infinity_bits(), infinity, "{data_type}");
            assert_eq!(format.nan_bits(), nan, "{data_type}");
        }
    }

    #[test]
    fn names_are_found_again() {
        for &data_type in DataType::ALL {
            assert_eq!(data_type.name().parse(), Ok(data_type));
        }
        assert_eq!(
            "float8_e5m2fn".parse::<DataType>(),
            Err(UnknownDataType::new("float8_e5m2fn"))
        );
    }
}
