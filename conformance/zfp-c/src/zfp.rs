//! The only module that calls C. Elements are bytes in the machine's order, which is the little-endian order
//! of the protocol on every machine that this is built for.

#[cfg(target_endian = "big")]
compile_error!("the elements of the protocol are little-endian");

use std::ffi::c_void;
use std::ptr;

use zfp_sys as c;

/// A data type of zfp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int32,
    Int64,
    Float,
    Double,
}

/// The mode in which zfp compresses a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    Reversible,
    Expert {
        minbits: u32,
        maxbits: u32,
        maxprec: u32,
        minexp: i32,
    },
    FixedAccuracy(f64),
    FixedRate(f64),
    FixedPrecision(u32),
}

/// The reason why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The library itself refuses, by the return value of a function.
    Refused(&'static str),
    /// The library lacks the feature, or this program would need too much memory.
    Impossible(String),
}

/// The maximum size of a buffer, in bytes.
const LARGEST: usize = 1 << 30;

/// The minimum number of bytes behind a stream that is read, because C does not check where the stream ends.
const MARGIN: usize = 4096;

/// The byte that fills the margin. It is the same in every run, and is not zero, because zeros would repair a
/// stream that ends early. The adapter of zfpy and the heap of zarrs-zfp have the same fence.
const FENCE: u8 = 0xa5;

impl Type {
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "int32" => Type::Int32,
            "int64" => Type::Int64,
            "float32" => Type::Float,
            "float64" => Type::Double,
            _ => return None,
        })
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Type::Int32 | Type::Float => 4,
            Type::Int64 | Type::Double => 8,
        }
    }

    fn code(self) -> c::zfp_type {
        match self {
            Type::Int32 => c::zfp_type_zfp_type_int32,
            Type::Int64 => c::zfp_type_zfp_type_int64,
            Type::Float => c::zfp_type_zfp_type_float,
            Type::Double => c::zfp_type_zfp_type_double,
        }
    }
}

/// Returns the version of the library.
pub(crate) fn version() -> String {
    let [major, minor, patch] = [
        c::ZFP_VERSION_MAJOR,
        c::ZFP_VERSION_MINOR,
        c::ZFP_VERSION_PATCH,
    ];
    format!("{major}.{minor}.{patch}")
}

/// Returns the stream of an array. `shape` is in C order.
pub(crate) fn compress(
    mode: Mode,
    kind: Type,
    shape: &[usize],
    elements: Vec<u8>,
) -> Result<Vec<u8>, Trouble> {
    let mut open = Open::new(mode, kind, shape, elements, &[])?;
    Ok(open.compress()?.to_vec())
}

/// Returns the array of a stream.
pub(crate) fn decompress(
    mode: Mode,
    kind: Type,
    shape: &[usize],
    bytes: &[u8],
) -> Result<Vec<u8>, Trouble> {
    let elements = filled(size(kind, shape)?, 0)?;
    let mut open = Open::new(mode, kind, shape, elements, bytes)?;
    Ok(open.decompress()?.to_vec())
}

/// A field and a stream over memory of their own, for any number of runs.
pub(crate) struct Open {
    field: Field,
    stream: Stream,
    elements: Vec<u8>,
    buffer: Vec<u8>,
}

impl Open {
    /// Opens an array of these elements, in C order, with room for its stream, which begins with `bytes`.
    pub(crate) fn new(
        mode: Mode,
        kind: Type,
        shape: &[usize],
        mut elements: Vec<u8>,
        bytes: &[u8],
    ) -> Result<Self, Trouble> {
        let field = Field::new(kind, shape, &mut elements)?;
        let mut stream = Stream::new(mode, kind, shape.len())?;
        let mut buffer = filled(stream.room(&field).max(bytes.len() + MARGIN), FENCE)?;
        buffer[..bytes.len()].copy_from_slice(bytes);
        Ok(Self {
            field,
            stream,
            elements,
            buffer,
        })
    }

    /// Writes the stream of the elements and returns it.
    pub(crate) fn compress(&mut self) -> Result<&[u8], Trouble> {
        self.attach();
        // SAFETY: stream, bit stream and field are open, the field's pointer covers its whole extent
        // (`Field::new`), and the buffer is larger than what zfp can write (`room`).
        let written = unsafe { c::zfp_compress(self.stream.zfp, self.field.0) };
        if written == 0 {
            return Err(Trouble::Refused("zfp_compress returned 0"));
        }
        Ok(&self.buffer[..written])
    }

    /// Reads the elements from the stream and returns them.
    pub(crate) fn decompress(&mut self) -> Result<&[u8], Trouble> {
        self.attach();
        // SAFETY: as for compression. A block reads at most as many bits as it may write, so that reading
        // stays within `room` for every stream.
        let read = unsafe { c::zfp_decompress(self.stream.zfp, self.field.0) };
        if read == 0 {
            return Err(Trouble::Refused("zfp_decompress returned 0"));
        }
        Ok(&self.elements)
    }

    /// Gives zfp the memory, from its beginning.
    fn attach(&mut self) {
        let data = self.elements.as_mut_ptr().cast::<c_void>();
        // SAFETY: the field is open, and the number of elements is unchanged since it was created.
        unsafe { c::zfp_field_set_pointer(self.field.0, data) };
        self.stream.attach(&mut self.buffer);
    }
}

/// Returns the number of bytes of an array.
pub(crate) fn size(kind: Type, shape: &[usize]) -> Result<usize, Trouble> {
    shape
        .iter()
        .try_fold(kind.bytes(), |size, &extent| size.checked_mul(extent))
        .filter(|&size| size <= LARGEST)
        .ok_or_else(|| Trouble::Impossible(format!("an array of shape {shape:?} is too large")))
}

fn filled(length: usize, byte: u8) -> Result<Vec<u8>, Trouble> {
    if length > LARGEST {
        let words = format!("the stream may take {length} bytes, more than the limit of {LARGEST}");
        return Err(Trouble::Impossible(words));
    }
    Ok(vec![byte; length])
}

/// A `zfp_field`, which is freed on drop.
struct Field(*mut c::zfp_field);

impl Field {
    /// Creates a field over elements that must outlive it.
    fn new(kind: Type, shape: &[usize], elements: &mut [u8]) -> Result<Self, Trouble> {
        if shape.contains(&0) {
            let words = "zfp uses an extent of 0 for an absent dimension";
            return Err(Trouble::Impossible(words.into()));
        }
        if elements.len() != size(kind, shape)? {
            return Err(Trouble::Impossible(
                "the number of bytes does not match the shape".into(),
            ));
        }
        let data = elements.as_mut_ptr().cast::<c_void>();
        let code = kind.code();
        // zfp takes the fastest axis first. SAFETY: these functions only store their arguments.
        let field = unsafe {
            match *shape {
                [] => c::zfp_field_1d(data, code, 1),
                [nx] => c::zfp_field_1d(data, code, nx),
                [ny, nx] => c::zfp_field_2d(data, code, nx, ny),
                [nz, ny, nx] => c::zfp_field_3d(data, code, nx, ny, nz),
                [nw, nz, ny, nx] => c::zfp_field_4d(data, code, nx, ny, nz, nw),
                _ => {
                    let words = format!("zfp does not support {} dimensions", shape.len());
                    return Err(Trouble::Impossible(words));
                }
            }
        };
        if field.is_null() {
            return Err(Trouble::Impossible("out of memory for a field".into()));
        }
        Ok(Self(field))
    }
}

impl Drop for Field {
    fn drop(&mut self) {
        // SAFETY: the field was created by zfp_field_*, and is freed only once.
        unsafe { c::zfp_field_free(self.0) };
    }
}

/// A `zfp_stream` with its bit stream, which are closed on drop.
struct Stream {
    zfp: *mut c::zfp_stream,
    bits: *mut c::bitstream,
}

impl Stream {
    fn new(mode: Mode, kind: Type, rank: usize) -> Result<Self, Trouble> {
        // SAFETY: a stream may be opened without a bit stream.
        let zfp = unsafe { c::zfp_stream_open(ptr::null_mut()) };
        if zfp.is_null() {
            return Err(Trouble::Impossible("out of memory for a stream".into()));
        }
        let stream = Self {
            zfp,
            bits: ptr::null_mut(),
        };
        let rank = u32::try_from(rank.max(1)).unwrap_or(u32::MAX);
        // SAFETY: all of these set members of an open stream.
        unsafe {
            match mode {
                Mode::Reversible => c::zfp_stream_set_reversible(zfp),
                Mode::Expert {
                    minbits,
                    maxbits,
                    maxprec,
                    minexp,
                } => {
                    if c::zfp_stream_set_params(zfp, minbits, maxbits, maxprec, minexp) == 0 {
                        return Err(Trouble::Refused("zfp_stream_set_params returned false"));
                    }
                }
                Mode::FixedAccuracy(tolerance) => {
                    c::zfp_stream_set_accuracy(zfp, tolerance);
                }
                Mode::FixedRate(rate) => {
                    // The last argument would align blocks to words, for random access.
                    c::zfp_stream_set_rate(zfp, rate, kind.code(), rank, 0);
                }
                Mode::FixedPrecision(precision) => {
                    c::zfp_stream_set_precision(zfp, precision);
                }
            }
        }
        Ok(stream)
    }

    /// Returns a number of bytes that suffices for the stream of a field. zfp's own bound is too small if the
    /// limit of a block is below the size of its header, which zfp then exceeds. Therefore the bound is
    /// computed without that limit.
    fn room(&mut self, field: &Field) -> usize {
        // SAFETY: the stream and the field are open, and the member is restored.
        let bound = unsafe {
            let maxbits = (*self.zfp).maxbits;
            (*self.zfp).maxbits = maxbits.max(c::ZFP_MAX_BITS);
            let bound = c::zfp_stream_maximum_size(self.zfp, field.0);
            (*self.zfp).maxbits = maxbits;
            bound
        };
        bound.saturating_mul(2).saturating_add(MARGIN)
    }

    /// Makes the stream write to, or read from, a buffer that must outlive the next run.
    fn attach(&mut self, buffer: &mut [u8]) {
        self.detach();
        // SAFETY: the pointer and the length belong to the same slice.
        unsafe {
            self.bits = c::stream_open(buffer.as_mut_ptr().cast::<c_void>(), buffer.len());
            c::zfp_stream_set_bit_stream(self.zfp, self.bits);
            c::zfp_stream_rewind(self.zfp);
        }
    }

    /// Closes the bit stream, if there is one.
    fn detach(&mut self) {
        if !self.bits.is_null() {
            // SAFETY: the bit stream was opened once, and its pointer is cleared here.
            unsafe { c::stream_close(self.bits) };
            self.bits = ptr::null_mut();
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.detach();
        // SAFETY: the stream was opened once.
        unsafe { c::zfp_stream_close(self.zfp) };
    }
}

#[cfg(test)]
mod tests;
