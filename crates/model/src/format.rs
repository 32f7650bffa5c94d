//! Formats: the layout of the bits of one component of a data type.

/// The layout of an element's component or components.
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
    /// A boolean: `0` is false, and `1` is true.
    Bool,
    /// A two's complement or unsigned integer.
    Integer(IntegerFormat),
    /// A floating-point number.
    Float(FloatFormat),
    /// Two floating-point numbers of the same format: the real part, then the imaginary part.
    Complex(FloatFormat),
}

/// The format of an integer of `bits` bits.
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
    /// The width in bits, from 2 to 64.
    pub bits: u32,
    /// Whether the integer is in two's complement. Otherwise, it is unsigned.
    pub signed: bool,
}

/// A binary floating-point format: `sign | exponent | mantissa`, most significant bit first.
///
/// The value of a code with the exponent field `e > 0` is `1.mantissa * 2^(e - bias)`. With `e = 0` it is
/// `0.mantissa * 2^(1 - bias)`, except in a format without zero, where it is `2^-bias`. Not every format follows
/// IEEE 754, so code should consult the fields instead of making assumptions.
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
    /// The width of the exponent field in bits.
    pub exponent_bits: u32,
    /// The width of the mantissa field in bits, without the implicit bit.
    pub mantissa_bits: u32,
    /// The bias, which is subtracted from the exponent field.
    pub bias: i32,
    /// Whether the format has a zero, and with it subnormal values.
    pub zero: bool,
    /// Whether the format has a negative zero.
    pub negative_zero: bool,
    /// Whether the format has infinities, whose exponent field is all ones and whose mantissa is zero.
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
    /// A finite number other than zero: `significand * 2^exponent`, or its negative.
    Finite {
        /// Whether the sign is set.
        negative: bool,
        /// The mantissa including the implicit bit, if there is one. It is not zero.
        significand: u64,
        /// The exponent of the last bit of the significand.
        exponent: i32,
    },
}

/// The NaN codes of a floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nan {
    /// The format has no NaN.
    None,
    /// A code is NaN if its exponent field is all ones and its mantissa is not zero, as in IEEE 754.
    Ieee,
    /// Only this bit pattern is NaN.
    Only(u64),
    /// Only the codes whose exponent and mantissa are all ones are NaN, with either sign.
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

    /// Returns a format with only finite values, which the MX formats call "fn": it has neither infinity nor NaN.
    const fn finite(exponent_bits: u32, mantissa_bits: u32) -> Self {
        Self {
            infinity: false,
            nan: Nan::None,
            ..Self::ieee(exponent_bits, mantissa_bits)
        }
    }

    /// Returns an "fnuz" format: it has neither infinity nor negative zero, and the code that would be negative
    /// zero is the only NaN.
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
    /// The 4-bit format of MX.
    pub const FLOAT4_E2M1FN: Self = Self::finite(2, 1);
    /// The 6-bit format of MX with 2 exponent bits.
    pub const FLOAT6_E2M3FN: Self = Self::finite(2, 3);
    /// The 6-bit format of MX with 3 exponent bits.
    pub const FLOAT6_E3M2FN: Self = Self::finite(3, 2);
    /// The IEEE-like 8-bit format with 3 exponent bits.
    pub const FLOAT8_E3M4: Self = Self::ieee(3, 4);
    /// The IEEE-like 8-bit format with 4 exponent bits. It differs from `float8_e4m3fn`.
    pub const FLOAT8_E4M3: Self = Self::ieee(4, 3);
    /// The format E4M3 of OFP8. It has no infinity, and a code is NaN only if all bits below the sign are ones.
    pub const FLOAT8_E4M3FN: Self = Self {
        nan: Nan::AllOnes,
        ..Self::finite(4, 3)
    };
    /// The "fnuz" format with 4 exponent bits and the bias 11.
    pub const FLOAT8_E4M3B11FNUZ: Self = Self::fnuz(4, 3, 11);
    /// The "fnuz" format with 4 exponent bits and the bias 8.
    pub const FLOAT8_E4M3FNUZ: Self = Self::fnuz(4, 3, 8);
    /// The IEEE-like 8-bit format with 5 exponent bits.
    pub const FLOAT8_E5M2: Self = Self::ieee(5, 2);
    /// The "fnuz" format with 5 exponent bits and the bias 16.
    pub const FLOAT8_E5M2FNUZ: Self = Self::fnuz(5, 2, 16);
    /// The scale format of MX. It has only powers of two, without sign and zero, and `ff` is NaN.
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

    /// Returns the sign bit, or 0 for a format without a sign.
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

    /// Returns the largest value of the exponent field, which is all ones.
    #[must_use]
    pub const fn max_exponent_field(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// Returns the bits of positive infinity, if the format has infinities.
    #[must_use]
    pub const fn infinity_bits(&self) -> Option<u64> {
        if self.infinity {
            Some(self.max_exponent_field() << self.mantissa_bits)
        } else {
            None
        }
    }

    /// Returns the bits of the NaN for which `"NaN"` stands in documents, if the format has a NaN. In an IEEE
    /// format, that NaN is positive, and only the highest bit of its mantissa is set.
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
        reason = "an exponent field has at most 11 bits"
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
        // If exponent field 0 holds the subnormal values, they have the exponent of field 1.
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

    /// Returns the floating-point format of a component, if components are floating-point numbers.
    #[must_use]
    pub const fn float(&self) -> Option<FloatFormat> {
        match self {
            Format::Float(format) | Format::Complex(format) => Some(*format),
            _ => None,
        }
    }

    /// Returns whether two components with these bits have the same value. Any NaN equals any other NaN, and
    /// positive and negative zero are equal.
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
