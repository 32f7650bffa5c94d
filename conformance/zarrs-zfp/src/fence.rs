//! A heap in which a fence lies behind every string of bytes.
//!
//! zarrs hands a stream to C without its length, and C reads on where a stream ends early. What it
//! finds there would differ from run to run, and so would its answers. Here it is always the same,
//! and no zeros, which would mend such a stream. zfp-c and the adapter of zfpy have the same fence.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

/// The system's heap with fences.
pub(crate) struct Fenced;

/// As many bytes as C reads or writes too far in any vector.
const WIDTH: usize = 64 << 10;

/// More bytes than any answer may have. A rate below 0 lets zarrs reserve half a gigabyte of zeros and
/// write them out: whether that ends in time depends on how busy the machine is.
const MOST: usize = 256 << 20;

/// What a fence is made of.
const BYTE: u8 = 0xa5;

/// A string of bytes with its fence, if there is room for it; anything else as it is.
fn fenced(layout: Layout) -> Option<Layout> {
    if layout.align() > 1 {
        return Some(layout);
    }
    if layout.size() > MOST {
        return None;
    }
    Layout::from_size_align(layout.size().checked_add(WIDTH)?, 1).ok()
}

// SAFETY: memory comes from the system's heap and goes back to it with the same layout, which is at
// least as large as the one that was asked for.
unsafe impl GlobalAlloc for Fenced {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(whole) = fenced(layout) else {
            return ptr::null_mut();
        };
        // SAFETY: it is as large as that of the caller, which is not empty.
        let start = unsafe { System.alloc(whole) };
        if !start.is_null() {
            // SAFETY: the fence is what `whole` has more than `layout`.
            unsafe {
                start
                    .add(layout.size())
                    .write_bytes(BYTE, whole.size() - layout.size());
            }
        }
        start
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        if let Some(whole) = fenced(layout) {
            // SAFETY: it was allocated with this layout.
            unsafe { System.dealloc(start, whole) };
        }
    }
}
