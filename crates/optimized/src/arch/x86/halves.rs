//! Conversions between float16 and wider floats: eight numbers at a time with F16C, and sixteen with AVX-512.

use core::arch::x86_64::{
    __m128, __m128i, __m256, __m256i, _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_UNORD_Q,
    _MM_FROUND_TO_NEAREST_INT, _MM_FROUND_TO_NEG_INF, _MM_FROUND_TO_POS_INF, _MM_FROUND_TO_ZERO,
    _mm_add_epi16, _mm_loadu_si128, _mm_packs_epi32, _mm_set1_epi16, _mm_storeu_si128,
    _mm_sub_epi16, _mm256_add_epi16, _mm256_add_epi64, _mm256_and_ps, _mm256_and_si256,
    _mm256_andnot_ps, _mm256_andnot_si256, _mm256_blendv_ps, _mm256_castps_si256,
    _mm256_castsi256_pd, _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cvtpd_ps, _mm256_cvtph_ps,
    _mm256_cvtps_ph, _mm256_extracti128_si256, _mm256_loadu_ps, _mm256_loadu_si256,
    _mm256_mask_mov_epi16, _mm256_movemask_ps, _mm256_or_ps, _mm256_or_si256, _mm256_set_m128,
    _mm256_set1_epi16, _mm256_set1_epi64x, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
    _mm256_storeu_si256, _mm256_sub_ps, _mm512_add_epi64, _mm512_and_ps, _mm512_and_si512,
    _mm512_andnot_ps, _mm512_andnot_si512, _mm512_castps256_ps512, _mm512_castsi512_pd,
    _mm512_cmp_ps_mask, _mm512_cvtpd_ps, _mm512_cvtph_ps, _mm512_cvtps_ph, _mm512_insertf32x8,
    _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mask_cmp_ps_mask, _mm512_mask_mov_ps,
    _mm512_mask_or_ps, _mm512_or_si512, _mm512_set1_epi64, _mm512_set1_ps, _mm512_storeu_ps,
    _mm512_sub_ps,
};

use exactum_model::Rounding;

use crate::arch::{Flags, LOST, NO_FLAGS, RANGE};

/// The number of bytes in a vector of float32, and in the float16 values that it becomes.
const WIDE: usize = 32;
const NARROW: usize = 16;

/// 65504, the largest float16, plus half a unit in the last place: the nearest modes round it out of the
/// range.
const HALF_BEYOND: f32 = 65520.0;
/// The largest float16 plus a unit in the last place.
const BEYOND: f32 = 65536.0;

/// Calls a function with the rounding mode of the instruction, whether ties move away from zero, and the
/// first numbers below and above the range.
macro_rules! in_mode {
    ($rounding:expr, $function:ident[$double:literal]($nan:expr, $source:expr, $target:expr)) => {{
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
        const ZERO: i32 = _MM_FROUND_TO_ZERO;
        const UP: i32 = _MM_FROUND_TO_POS_INF;
        const DOWN: i32 = _MM_FROUND_TO_NEG_INF;
        let half = (-HALF_BEYOND, HALF_BEYOND);
        let next = 65504f32.next_up();
        match $rounding {
            Rounding::NearestEven => {
                $function::<NEAREST, false, $double>(half, $nan, $source, $target)
            }
            Rounding::NearestAway => {
                $function::<NEAREST, true, $double>(half, $nan, $source, $target)
            }
            Rounding::TowardsZero => {
                $function::<ZERO, false, $double>((-BEYOND, BEYOND), $nan, $source, $target)
            }
            Rounding::TowardsPositive => {
                $function::<UP, false, $double>((-BEYOND, next), $nan, $source, $target)
            }
            Rounding::TowardsNegative => {
                $function::<DOWN, false, $double>((-next, BEYOND), $nan, $source, $target)
            }
        }
    }};
}

/// # Safety
/// The machine must have AVX2 and F16C.
#[target_feature(enable = "avx2,f16c")]
pub(in crate::arch) unsafe fn float16_of_float32(
    rounding: Rounding,
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> (usize, Flags) {
    in_mode!(rounding, narrow[false](nan, source, target))
}

/// # Safety
/// The machine must have AVX2 and F16C.
#[target_feature(enable = "avx2,f16c")]
pub(in crate::arch) unsafe fn float16_of_float64(
    rounding: Rounding,
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> (usize, Flags) {
    in_mode!(rounding, narrow[true](nan, source, target))
}

/// # Safety
/// The machine must have AVX-512 F, BW, DQ and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::arch) unsafe fn float16_of_float32_wide(
    rounding: Rounding,
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> (usize, Flags) {
    in_mode!(rounding, narrow_wide[false](nan, source, target))
}

/// # Safety
/// The machine must have AVX-512 F, BW, DQ and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::arch) unsafe fn float16_of_float64_wide(
    rounding: Rounding,
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> (usize, Flags) {
    in_mode!(rounding, narrow_wide[true](nan, source, target))
}

/// Rounds as the instruction does in mode `MODE`; `low` and `high` are the first numbers out of range. With
/// `AWAY`, ties that nearest-even rounds towards zero are rounded away from it. With `DOUBLE`, the source is float64,
/// and infinities count as out of range.
#[target_feature(enable = "avx2,f16c")]
fn narrow<const MODE: i32, const AWAY: bool, const DOUBLE: bool>(
    (low, high): (f32, f32),
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> (usize, Flags) {
    let bytes = if DOUBLE { 2 * WIDE } else { WIDE };
    let count = (source.len() / bytes).min(target.len() / NARROW);
    let pairs = source
        .chunks_exact(bytes)
        .zip(target.as_chunks_mut::<NARROW>().0);
    let (low, high) = (_mm256_set1_ps(low), _mm256_set1_ps(high));
    let (sign, infinity) = (_mm256_set1_ps(-0.0), _mm256_set1_ps(f32::INFINITY));
    let nan = _mm256_set1_ps(f32::from_bits(nan));
    let mut lost = _mm256_setzero_ps();
    for (wide, narrow) in pairs {
        let value = match wide.as_chunks().0 {
            [first, second] if DOUBLE => _mm256_set_m128(odd(second), odd(first)),
            // SAFETY: 32 bytes are readable there; the load takes any alignment.
            _ => unsafe { _mm256_loadu_ps(wide.as_ptr().cast()) },
        };
        let magnitude = _mm256_andnot_ps(sign, value);
        let outside = _mm256_or_ps(
            _mm256_cmp_ps::<_CMP_GE_OQ>(value, high),
            _mm256_cmp_ps::<_CMP_LE_OQ>(value, low),
        );
        let finite = _mm256_cmp_ps::<_CMP_LT_OQ>(magnitude, infinity);
        let counted = if DOUBLE {
            outside
        } else {
            _mm256_and_ps(outside, finite)
        };
        lost = _mm256_or_ps(lost, counted);
        let infinite = _mm256_or_ps(infinity, _mm256_and_ps(value, sign));
        let value = _mm256_blendv_ps(value, infinite, outside);
        let is_nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(value, value);
        let value = _mm256_blendv_ps(value, nan, is_nan);
        // The instruction uses its own rounding mode, whatever the mode of the thread is.
        let mut halves = _mm256_cvtps_ph::<MODE>(value);
        if AWAY {
            halves = ties_away(halves, _mm256_andnot_ps(sign, value), sign);
        }
        // SAFETY: 16 bytes are writable there; the store takes any alignment.
        unsafe { _mm_storeu_si128(narrow.as_mut_ptr().cast(), halves) };
    }
    let flags = if _mm256_movemask_ps(lost) == 0 {
        NO_FLAGS
    } else {
        RANGE
    };
    (count * NARROW / size_of::<u16>(), flags)
}

/// Converts four float64 values to float32, rounded to odd. Those below the range of float32 become any tiny number of
/// their sign.
#[target_feature(enable = "avx2")]
fn odd(wide: &[u8; WIDE]) -> __m128 {
    let lost = _mm256_set1_epi64x(LOST.cast_signed());
    // SAFETY: 32 bytes are readable there; the load takes any alignment.
    let bits = unsafe { _mm256_loadu_si256(wide.as_ptr().cast()) };
    // The sum carries into the last bit that is kept if any bit is lost.
    let sticky = _mm256_add_epi64(_mm256_and_si256(bits, lost), lost);
    let kept = _mm256_andnot_si256(lost, _mm256_or_si256(bits, sticky));
    _mm256_cvtpd_ps(_mm256_castsi256_pd(kept))
}

/// Moves results of nearest-even away from zero if they came from a tie and were rounded towards zero. The
/// magnitude lies in the middle between a float16 and the next one exactly if the two differences, which are
/// exact in that case, are equal.
#[target_feature(enable = "avx2,f16c")]
fn ties_away(halves: __m128i, magnitude: __m256, sign: __m256) -> __m128i {
    let next = _mm_add_epi16(halves, _mm_set1_epi16(1));
    let below = _mm256_andnot_ps(sign, _mm256_cvtph_ps(halves));
    let above = _mm256_andnot_ps(sign, _mm256_cvtph_ps(next));
    let tie = _mm256_cmp_ps::<_CMP_EQ_OQ>(
        _mm256_sub_ps(magnitude, below),
        _mm256_sub_ps(above, magnitude),
    );
    let tie: __m256i = _mm256_castps_si256(tie);
    let tie = _mm_packs_epi32(
        _mm256_castsi256_si128(tie),
        _mm256_extracti128_si256::<1>(tie),
    );
    // A lane of all ones is -1.
    _mm_sub_epi16(halves, tie)
}

/// # Safety
/// The machine must have AVX2 and F16C.
#[target_feature(enable = "avx2,f16c")]
pub(in crate::arch) unsafe fn float32_of_float16(
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> usize {
    let (source, target) = (
        source.as_chunks::<NARROW>().0,
        target.as_chunks_mut::<WIDE>().0,
    );
    let nan = _mm256_set1_ps(f32::from_bits(nan));
    for (narrow, wide) in source.iter().zip(target.iter_mut()) {
        // SAFETY: 16 bytes are readable there; the load takes any alignment.
        let halves = unsafe { _mm_loadu_si128(narrow.as_ptr().cast()) };
        let value = _mm256_cvtph_ps(halves);
        let is_nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(value, value);
        let value = _mm256_blendv_ps(value, nan, is_nan);
        // SAFETY: 32 bytes are writable there; the store takes any alignment.
        unsafe { _mm256_storeu_ps(wide.as_mut_ptr().cast(), value) };
    }
    source.len().min(target.len()) * NARROW / size_of::<u16>()
}

/// Like [`narrow`], for vectors of 512 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn narrow_wide<const MODE: i32, const AWAY: bool, const DOUBLE: bool>(
    (low, high): (f32, f32),
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> (usize, Flags) {
    let bytes = if DOUBLE { 4 * WIDE } else { 2 * WIDE };
    let count = (source.len() / bytes).min(target.len() / (2 * NARROW));
    let pairs = source
        .chunks_exact(bytes)
        .zip(target.as_chunks_mut::<{ 2 * NARROW }>().0);
    let (low, high) = (_mm512_set1_ps(low), _mm512_set1_ps(high));
    let (sign, infinity) = (_mm512_set1_ps(-0.0), _mm512_set1_ps(f32::INFINITY));
    let nan = _mm512_set1_ps(f32::from_bits(nan));
    let mut lost = 0;
    for (wide, narrow) in pairs {
        let value = match wide.as_chunks().0 {
            [first, second] if DOUBLE => {
                _mm512_insertf32x8::<1>(_mm512_castps256_ps512(odd_wide(first)), odd_wide(second))
            }
            // SAFETY: 64 bytes are readable there; the load takes any alignment.
            _ => unsafe { _mm512_loadu_ps(wide.as_ptr().cast()) },
        };
        let outside = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(value, high)
            | _mm512_cmp_ps_mask::<_CMP_LE_OQ>(value, low);
        let magnitude = _mm512_andnot_ps(sign, value);
        lost |= if DOUBLE {
            outside
        } else {
            _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(outside, magnitude, infinity)
        };
        let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(value, value);
        let signs = _mm512_and_ps(value, sign);
        let value = _mm512_mask_or_ps(value, outside, infinity, signs);
        let value = _mm512_mask_mov_ps(value, is_nan, nan);
        let mut halves = _mm512_cvtps_ph::<MODE>(value);
        if AWAY {
            let next = _mm256_add_epi16(halves, _mm256_set1_epi16(1));
            let magnitude = _mm512_andnot_ps(sign, value);
            let below = _mm512_andnot_ps(sign, _mm512_cvtph_ps(halves));
            let above = _mm512_andnot_ps(sign, _mm512_cvtph_ps(next));
            // As in `ties_away`.
            let tie = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(
                _mm512_sub_ps(magnitude, below),
                _mm512_sub_ps(above, magnitude),
            );
            halves = _mm256_mask_mov_epi16(halves, tie, next);
        }
        // SAFETY: 32 bytes are writable there; the store takes any alignment.
        unsafe { _mm256_storeu_si256(narrow.as_mut_ptr().cast(), halves) };
    }
    let flags = if lost == 0 { NO_FLAGS } else { RANGE };
    (count * 2 * NARROW / size_of::<u16>(), flags)
}

/// Like [`odd`], for a vector of 512 bits.
#[target_feature(enable = "avx512f")]
fn odd_wide(wide: &[u8; 2 * WIDE]) -> __m256 {
    let lost = _mm512_set1_epi64(LOST.cast_signed());
    // SAFETY: 64 bytes are readable there; the load takes any alignment.
    let bits = unsafe { _mm512_loadu_si512(wide.as_ptr().cast()) };
    let sticky = _mm512_add_epi64(_mm512_and_si512(bits, lost), lost);
    let kept = _mm512_andnot_si512(lost, _mm512_or_si512(bits, sticky));
    _mm512_cvtpd_ps(_mm512_castsi512_pd(kept))
}

/// # Safety
/// The machine must have AVX-512 F.
#[target_feature(enable = "avx512f")]
pub(in crate::arch) unsafe fn float32_of_float16_wide(
    nan: u32,
    source: &[u8],
    target: &mut [u8],
) -> usize {
    let (source, target) = (
        source.as_chunks::<{ 2 * NARROW }>().0,
        target.as_chunks_mut::<{ 2 * WIDE }>().0,
    );
    let nan = _mm512_set1_ps(f32::from_bits(nan));
    for (narrow, wide) in source.iter().zip(target.iter_mut()) {
        // SAFETY: 32 bytes are readable there; the load takes any alignment.
        let halves = unsafe { _mm256_loadu_si256(narrow.as_ptr().cast()) };
        let value = _mm512_cvtph_ps(halves);
        let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(value, value);
        let value = _mm512_mask_mov_ps(value, is_nan, nan);
        // SAFETY: 64 bytes are writable there; the store takes any alignment.
        unsafe { _mm512_storeu_ps(wide.as_mut_ptr().cast(), value) };
    }
    source.len().min(target.len()) * 2 * NARROW / size_of::<u16>()
}
