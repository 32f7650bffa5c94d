//! Formats: how the bits of one component of a data type are laid out.

/// The layout of one element's component or components.
///
/// ```
/// use exactum_model::{DataType, Format};
///
/// let format = DataType::Int4.format();
/// assert_eq!((format.component_bits(), format.component_bytes(), format.components()), (4, 1, 1));
/// assert_eq!((format.component_mask(), format.float()), (0xf, None));
/// let format = DataType::Float32.format();
/// assert!(format.same_value(0.0_f32.to_bits().into(), (-0.0_f32).to_bits().into()));
/// assert!(matches!(format, Format::Float(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `0` is false, `1` is true.
    Bool,
    /// A two's complement or an unsigned integer.
    Integer(IntegerFormat),
    /// A floating-point number.
    Float(FloatFormat),
    /// Two floating-point numbers of one format: the real part, then the imaginary part.
    Complex(FloatFormat),
}

/// An integer of `bits` bits.
///
/// ```
/// use exactum_model::IntegerFormat;
///
/// let format = IntegerFormat { bits: 4, signed: true };
/// assert_eq!((format.min(), format.max(), format.mask()), (-8, 7, 0xf));
/// assert_eq!(format.value(0xd), -3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerFormat {
    /// Width in bits, 2 to 64.
    pub bits: u32,
    /// Whether it is two's complement; otherwise it is unsigned.
    pub signed: bool,
}

/// A binary floating-point format: `sign | exponent | mantissa`, most significant bit first.
///
/// A value with exponent field `e > 0` is `1.mantissa * 2^(e - bias)`; with `e = 0` it is
/// `0.mantissa * 2^(1 - bias)`, except in a format without zero, where it is `2^-bias`. A format need not be
/// an IEEE one: use the fields instead of assuming.
///
/// ```
/// use exactum_model::{DataType, FloatFormat};
///
/// let format: FloatFormat = DataType::Float16.format().float().expect("a float");
/// assert_eq!((format.bits(), format.mask(), format.sign_mask()), (16, 0xffff, 0x8000));
/// assert_eq!((format.mantissa_mask(), format.max_exponent_field()), (0x3ff, 0x1f));
/// assert_eq!((format.infinity_bits(), format.nan_bits()), (Some(0x7c00), Some(0x7e00)));
/// assert_eq!(format.max_finite_bits(), 0x7bff);
/// assert!(format.is_nan(0x7c01) && format.is_infinite(0xfc00) && format.is_zero(0x8000));
/// ```
///
/// ```
/// use exactum_model::{FloatFormat, FloatValue};
///
/// // -1.5 is -3 * 2^-1.
/// let value = FloatValue::Finite { negative: true, significand: 0x600, exponent: -10 };
/// assert_eq!(FloatFormat::FLOAT16.decode(0xbe00), value);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// Whether there is a sign bit.
    pub signed: bool,
    /// Width of the exponent field in bits.
    pub exponent_bits: u32,
    /// Width of the mantissa field in bits, without the implicit bit.
    pub mantissa_bits: u32,
    /// The bias, which is subtracted from the exponent field.
    pub bias: i32,
    /// Whether the format has a zero, and with it subnormal values.
    pub zero: bool,
    /// Whether the format has a zero with a sign.
    pub negative_zero: bool,
    /// Whether the format has infinities: exponent field all ones, mantissa zero.
    pub infinity: bool,
    /// The NaN codes of the format.
    pub nan: Nan,
}

/// The value that the bits of a float stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatValue {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Whether the sign is set.
        negative: bool,
    },
    /// A zero.
    Zero {
        /// Whether the sign is set.
        negative: bool,
    },
    /// `significand * 2^exponent`, or the negative of it.
    Finite {
        /// Whether the sign is set.
        negative: bool,
        /// The mantissa with its implicit bit; not zero.
        significand: u64,
        /// The exponent of its last bit.
        exponent: i32,
    },
}

/// The NaN codes of a floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nan {
    /// The format lacks NaN.
    None,
    /// Exponent field all ones and a mantissa that is not zero, of either sign.
    Ieee,
    /// This bit pattern and no other.
    Only(u64),
    /// Exponent and mantissa all ones, of either sign, and no other.
    AllOnes,
}

impl IntegerFormat {
    /// Returns the bits that an element may have set.
    #[must_use]
    pub const fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Returns the smallest value.
    #[must_use]
    pub const fn min(&self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    /// Returns the largest value.
    #[must_use]
    pub const fn max(&self) -> i128 {
        if self.signed {
            (1 << (self.bits - 1)) - 1
        } else {
            (1 << self.bits) - 1
        }
    }

    /// Returns the value of an element with these bits; bits above those of the format are ignored.
    #[must_use]
    pub const fn value(&self, bits: u64) -> i128 {
        let value = (bits & self.mask()) as i128;
        if value > self.max() {
            value - (1 << self.bits)
        } else {
            value
        }
    }
}

impl FloatFormat {
    const fn ieee(exponent_bits: u32, mantissa_bits: u32) -> Self {
        Self {
            signed: true,
            exponent_bits,
            mantissa_bits,
            bias: (1 << (exponent_bits - 1)) - 1,
            zero: true,
            negative_zero: true,
            infinity: true,
            nan: Nan::Ieee,
        }
    }

    /// Finite only ("fn" of the MX formats): neither infinity nor NaN.
    const fn finite(exponent_bits: u32, mantissa_bits: u32) -> Self {
        Self {
            infinity: false,
            nan: Nan::None,
            ..Self::ieee(exponent_bits, mantissa_bits)
        }
    }

    /// "fnuz": no infinity, no negative zero, and the code of negative zero is the only NaN.
    const fn fnuz(exponent_bits: u32, mantissa_bits: u32, bias: i32) -> Self {
        Self {
            bias,
            negative_zero: false,
            infinity: false,
            nan: Nan::Only(1 << (exponent_bits + mantissa_bits)),
            ..Self::ieee(exponent_bits, mantissa_bits)
        }
    }

    /// binary16 of IEEE 754.
    pub const FLOAT16: Self = Self::ieee(5, 10);
    /// binary32 of IEEE 754.
    pub const FLOAT32: Self = Self::ieee(8, 23);
    /// binary64 of IEEE 754.
    pub const FLOAT64: Self = Self::ieee(11, 52);
    /// binary32 without its lower 16 bits.
    pub const BFLOAT16: Self = Self::ieee(8, 7);
    /// MX 4-bit.
    pub const FLOAT4_E2M1FN: Self = Self::finite(2, 1);
    /// MX 6-bit with 2 exponent bits.
    pub const FLOAT6_E2M3FN: Self = Self::finite(2, 3);
    /// MX 6-bit with 3 exponent bits.
    pub const FLOAT6_E3M2FN: Self = Self::finite(3, 2);
    /// IEEE-like, 3 exponent bits.
    pub const FLOAT8_E3M4: Self = Self::ieee(3, 4);
    /// IEEE-like, 4 exponent bits; not `float8_e4m3fn`.
    pub const FLOAT8_E4M3: Self = Self::ieee(4, 3);
    /// E4M3 of OFP8: no infinity, and NaN only if all bits below the sign are ones.
    pub const FLOAT8_E4M3FN: Self = Self {
        nan: Nan::AllOnes,
        ..Self::finite(4, 3)
    };
    /// fnuz with bias 11.
    pub const FLOAT8_E4M3B11FNUZ: Self = Self::fnuz(4, 3, 11);
    /// fnuz with bias 8.
    pub const FLOAT8_E4M3FNUZ: Self = Self::fnuz(4, 3, 8);
    /// IEEE-like, 5 exponent bits.
    pub const FLOAT8_E5M2: Self = Self::ieee(5, 2);
    /// fnuz with bias 16.
    pub const FLOAT8_E5M2FNUZ: Self = Self::fnuz(5, 2, 16);
    /// MX scale: powers of two only, no sign, no zero, `ff` is NaN.
    pub const FLOAT8_E8M0FNU: Self = Self {
        signed: false,
        exponent_bits: 8,
        mantissa_bits: 0,
        bias: 127,
        zero: false,
        negative_zero: false,
        infinity: false,
        nan: Nan::Only(0xff),
    };

    /// Returns the width of an element in bits.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.signed as u32 + self.exponent_bits + self.mantissa_bits
    }

    /// Returns the bits that an element may have set.
    #[must_use]
    pub const fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Returns the sign bit, or 0 in a format without sign.
    #[must_use]
    pub const fn sign_mask(&self) -> u64 {
        if self.signed {
            1 << (self.exponent_bits + self.mantissa_bits)
        } else {
            0
        }
    }

    /// Returns the bits of exponent and mantissa.
    const fn magnitude_mask(&self) -> u64 {
        self.mask() & !self.sign_mask()
    }

    /// Returns the bits of the mantissa field.
    #[must_use]
    pub const fn mantissa_mask(&self) -> u64 {
        (1 << self.mantissa_bits) - 1
    }

    /// Returns the largest exponent field, all ones.
    #[must_use]
    pub const fn max_exponent_field(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// Returns the bits of positive infinity.
    #[must_use]
    pub const fn infinity_bits(&self) -> Option<u64> {
        if self.infinity {
            Some(self.max_exponent_field() << self.mantissa_bits)
        } else {
            None
        }
    }

    /// Returns the bits of the NaN that `"NaN"` names: it is positive, and only the highest mantissa bit is
    /// set.
    #[must_use]
    pub const fn nan_bits(&self) -> Option<u64> {
        match self.nan {
            Nan::None => None,
            Nan::Only(bits) => Some(bits),
            Nan::AllOnes => Some(self.magnitude_mask()),
            Nan::Ieee => Some((((self.max_exponent_field() << 1) | 1) << self.mantissa_bits) >> 1),
        }
    }

    /// Returns the bits of the largest finite value.
    #[must_use]
    pub const fn max_finite_bits(&self) -> u64 {
        let all_ones = self.magnitude_mask();
        match (self.infinity_bits(), self.nan) {
            (Some(infinity), _) => infinity - 1,
            (None, Nan::AllOnes) => all_ones - 1,
            (None, Nan::Only(nan)) if nan == all_ones => all_ones - 1,
            _ => all_ones,
        }
    }

    /// Returns whether these bits (within [`mask`](Self::mask)) are a NaN.
    #[must_use]
    pub const fn is_nan(&self, bits: u64) -> bool {
        match self.nan {
            Nan::None => false,
            Nan::Only(nan) => bits == nan,
            Nan::AllOnes => bits & !self.sign_mask() == self.magnitude_mask(),
            Nan::Ieee => bits & !self.sign_mask() > self.max_exponent_field() << self.mantissa_bits,
        }
    }

    /// Returns whether these bits are an infinity of either sign.
    #[must_use]
    pub const fn is_infinite(&self, bits: u64) -> bool {
        match self.infinity_bits() {
            Some(infinity) => bits & !self.sign_mask() == infinity,
            None => false,
        }
    }

    /// Returns whether these bits are a zero of either sign.
    #[must_use]
    pub const fn is_zero(&self, bits: u64) -> bool {
        self.zero && !self.is_nan(bits) && bits & !self.sign_mask() == 0
    }

    /// Returns the value of an element with these bits; bits above those of the format are ignored.
    ///
    /// This function is shared: both the exact reference and the optimized code read the format tables
    /// through it. The oracle of the golden vectors does not.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an exponent field has 11 bits at most"
    )]
    pub const fn decode(&self, bits: u64) -> FloatValue {
        let bits = bits & self.mask();
        let negative = bits & self.sign_mask() != 0;
        if self.is_nan(bits) {
            return FloatValue::Nan;
        }
        if self.is_infinite(bits) {
            return FloatValue::Infinite { negative };
        }
        if self.is_zero(bits) {
            return FloatValue::Zero { negative };
        }
        let mantissa = bits & self.mantissa_mask();
        let field = (bits >> self.mantissa_bits) & self.max_exponent_field();
        // Exponent field 0 has the exponent of field 1 if it holds the subnormal values.
        let (significand, field) = if field > 0 || !self.zero {
            (mantissa | 1 << self.mantissa_bits, field as i32)
        } else {
            (mantissa, 1)
        };
        FloatValue::Finite {
            negative,
            significand,
            exponent: field - self.bias - self.mantissa_bits.cast_signed(),
        }
    }
}

impl Format {
    /// Returns the width of one component in bits.
    #[must_use]
    pub const fn component_bits(&self) -> u32 {
        match self {
            Format::Bool => 1,
            Format::Integer(format) => format.bits,
            Format::Float(format) | Format::Complex(format) => format.bits(),
        }
    }

    /// Returns the number of bytes that one component takes in an array: a sub-byte component takes a whole
    /// byte.
    #[must_use]
    pub const fn component_bytes(&self) -> usize {
        self.component_bits().div_ceil(8) as usize
    }

    /// Returns the number of components of one element: 2 for complex numbers, 1 for all others.
    #[must_use]
    pub const fn components(&self) -> usize {
        match self {
            Format::Complex(_) => 2,
            _ => 1,
        }
    }

    /// Returns the bits that one component may have set.
    #[must_use]
    pub const fn component_mask(&self) -> u64 {
        u64::MAX >> (64 - self.component_bits())
    }

    /// Returns the floating-point format of the component, if it is one.
    #[must_use]
    pub const fn float(&self) -> Option<FloatFormat> {
        match self {
            Format::Float(format) | Format::Complex(format) => Some(*format),
            _ => None,
        }
    }

    /// Returns whether two components with these bits have the same value: any NaN equals any NaN and
    /// the zeros equal each other.
    #[must_use]
    pub const fn same_value(&self, a: u64, b: u64) -> bool {
        match self {
            Format::Float(f) | Format::Complex(f) => {
                a == b || (f.is_nan(a) && f.is_nan(b)) || (f.is_zero(a) && f.is_zero(b))
            }
            _ => a == b,
        }
    }
}
