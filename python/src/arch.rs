//! The memory of NumPy arrays: the only unsafe code of the package.
//!
//! Exactum reads and writes contiguous little-endian elements, at any alignment. Arrays with another layout (strided,
//! reversed, or of the other byte order) pass through a block of fixed size.

use std::ptr;

use numpy::npyffi::{self, NPY_ARRAY_WRITEABLE, PY_ARRAY_API};
use numpy::{PyArrayDescr, PyArrayDescrMethods as _, PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

/// The size in bytes of the block through which arrays of another layout pass; a multiple of every element's size.
const BLOCK: usize = 1 << 15;

/// The location and the layout of an array's elements.
pub(crate) struct Memory {
    start: *mut u8,
    /// Empty for an array that is [plain](Self::is_plain).
    shape: Vec<usize>,
    strides: Vec<isize>,
    count: usize,
    /// The size of an element in bytes.
    width: usize,
    /// The size in bytes of a component whose byte order is reversed, or 1 if the byte order is native.
    swapped: usize,
    is_plain: bool,
    is_writeable: bool,
}

// SAFETY: a `Memory` consists of a pointer and numbers. Code that passes it to another thread, or releases the
// interpreter lock, holds a reference to the array, which keeps the memory alive. Other threads may write to the array
// meanwhile, as they may during any function of NumPy; the values that are then read are unspecified.
unsafe impl Send for Memory {}
// SAFETY: as for `Send`; no method changes the `Memory` itself.
unsafe impl Sync for Memory {}

impl Memory {
    /// Describes the memory of an array whose elements have `components` components.
    pub(crate) fn of(array: &Bound<'_, PyUntypedArray>, components: usize) -> Self {
        let descr = array.dtype();
        let width = descr.itemsize();
        let foreign = if cfg!(target_endian = "little") {
            b'>'
        } else {
            b'='
        };
        let swapped = match descr.byteorder() == foreign {
            true => width / components,
            false => 1,
        };
        // SAFETY: the array is alive, and NumPy has filled its fields.
        let fields = unsafe { &*npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr().cast_const()) };
        let is_plain = swapped == 1 && array.is_c_contiguous();
        let (shape, strides) = match is_plain {
            true => (Vec::new(), Vec::new()),
            false => (array.shape().to_vec(), array.strides().to_vec()),
        };
        Self {
            start: fields.data.cast(),
            shape,
            strides,
            count: array.len(),
            width,
            swapped,
            is_plain,
            is_writeable: fields.flags & NPY_ARRAY_WRITEABLE != 0,
        }
    }

    /// Returns whether the elements are little-endian, contiguous and in C order.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Returns whether the array is writeable.
    pub(crate) fn is_writeable(&self) -> bool {
        self.is_writeable
    }

    /// Returns the size of all elements in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.count * self.width
    }

    /// Returns the first address of the array and the first address behind it.
    fn span(&self) -> (usize, usize) {
        let start = self.start.addr();
        if self.count == 0 {
            return (start, start);
        }
        if self.is_plain {
            return (start, start + self.bytes());
        }
        let (mut low, mut high) = (0_isize, 0_isize);
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            // NumPy has checked that the array lies within its memory, so the product does not overflow.
            let reach = stride * (extent as isize - 1);
            low += reach.min(0);
            high += reach.max(0);
        }
        (
            start.wrapping_add_signed(low),
            start.wrapping_add_signed(high) + self.width,
        )
    }

    /// Returns whether two arrays may have a byte in common.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let (own, other) = (self.span(), other.span());
        own.0 < other.1 && other.0 < own.1
    }

    /// Calls `work` with the bytes of a plain array.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        assert!(self.is_plain);
        if self.count == 0 {
            return work(&[]);
        }
        // SAFETY: a plain array has this many bytes from `start` on, and the caller holds a reference to the array.
        work(unsafe { std::slice::from_raw_parts(self.start, self.bytes()) })
    }

    /// Calls `work` with the bytes of a plain, writeable array.
    ///
    /// No other slice of this memory may be alive. Callers create one slice for each array of a call, after they have
    /// checked with [`overlaps`](Self::overlaps) that the arrays do not overlap.
    fn write<T>(&self, work: impl FnOnce(&mut [u8]) -> T) -> T {
        assert!(self.is_plain && self.is_writeable);
        if self.count == 0 {
            return work(&mut []);
        }
        // SAFETY: as for `read`; `pair` has checked that no other slice refers to the memory.
        work(unsafe { std::slice::from_raw_parts_mut(self.start, self.bytes()) })
    }
}

/// Calls `work` with the bytes of two plain arrays.
///
/// # Panics
/// If they overlap, if one of them is not plain, or if the second one is not writeable.
pub(crate) fn pair<T>(
    input: &Memory,
    output: &Memory,
    work: impl FnOnce(&[u8], &mut [u8]) -> T,
) -> T {
    assert!(
        !input.overlaps(output),
        "the caller has copied what overlaps"
    );
    input.read(|input| output.write(|output| work(input, output)))
}

/// Calls `work` with the bytes of all elements of the input and of the output, which have the same shape. If both
/// arrays are plain, there is a single call; otherwise there is one for each block. `work` also gets the index of the
/// first element of the block.
///
/// # Errors
/// The first error that `work` returns.
///
/// # Panics
/// As [`pair`] does.
pub(crate) fn convert<E>(
    input: &Memory,
    output: &Memory,
    mut work: impl FnMut(&[u8], &mut [u8], u64) -> Result<(), E>,
) -> Result<(), E> {
    assert!(input.count == output.count && output.is_writeable);
    if input.is_plain && output.is_plain {
        return pair(input, output, |input, output| work(input, output, 0));
    }
    assert!(
        !input.overlaps(output),
        "the caller has copied what overlaps"
    );
    let step = (BLOCK / input.width.max(output.width)).min(input.count);
    let mut front = vec![0; step * input.width];
    let mut back = vec![0; step * output.width];
    let mut walks = (Walk::of(input), Walk::of(output));
    let mut done = 0;
    while done < input.count {
        let count = step.min(input.count - done);
        let from = &mut front[..count * input.width];
        let to = &mut back[..count * output.width];
        for element in from.chunks_exact_mut(input.width) {
            let place = walks.0.next();
            // SAFETY: `place` is the address of an element of the input, which has `width` bytes there.
            unsafe { ptr::copy_nonoverlapping(place, element.as_mut_ptr(), input.width) };
            swap(element, input.swapped);
        }
        work(from, to, done as u64)?;
        for element in to.chunks_exact_mut(output.width) {
            swap(element, output.swapped);
            let place = walks.1.next();
            // SAFETY: as above, for the output, which is writeable.
            unsafe { ptr::copy_nonoverlapping(element.as_ptr(), place, output.width) };
        }
        done += count;
    }
    Ok(())
}

/// Reverses the bytes of each component of an element.
fn swap(element: &mut [u8], component: usize) {
    if component > 1 {
        element
            .chunks_exact_mut(component)
            .for_each(<[u8]>::reverse);
    }
}

/// Steps through the addresses of the elements of an array, in C order.
struct Walk<'a> {
    memory: &'a Memory,
    index: Vec<usize>,
    place: *mut u8,
}

impl<'a> Walk<'a> {
    fn of(memory: &'a Memory) -> Self {
        Self {
            memory,
            index: vec![0; memory.shape.len()],
            place: memory.start,
        }
    }

    /// Returns the address of the next element. It must be called at most once for each element.
    fn next(&mut self) -> *mut u8 {
        let (place, memory) = (self.place, self.memory);
        if memory.is_plain {
            self.place = place.wrapping_add(memory.width);
            return place;
        }
        for dimension in (0..self.index.len()).rev() {
            self.place = self.place.wrapping_offset(memory.strides[dimension]);
            self.index[dimension] += 1;
            if self.index[dimension] < memory.shape[dimension] {
                break;
            }
            // NumPy has checked the extents, so the product does not overflow.
            let back = memory.strides[dimension] * memory.shape[dimension] as isize;
            self.place = self.place.wrapping_offset(-back);
            self.index[dimension] = 0;
        }
        place
    }
}

/// Returns a new array in C order whose elements are uninitialized.
///
/// # Errors
/// If NumPy cannot allocate the memory.
pub(crate) fn empty<'py>(
    py: Python<'py>,
    shape: &[usize],
    descr: Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    // NumPy takes the extents through a pointer that is not const, but only reads them.
    let extents = shape.as_ptr().cast_mut().cast();
    let rank = i32::try_from(shape.len()).unwrap_or(i32::MAX);
    // SAFETY: `extents` points to `rank` numbers, and NumPy takes ownership of the reference to `descr`.
    unsafe {
        let array = PY_ARRAY_API.PyArray_Empty(py, rank, extents, descr.into_dtype_ptr(), 0);
        Ok(Bound::from_owned_ptr_or_err(py, array)?.cast_into_unchecked())
    }
}
