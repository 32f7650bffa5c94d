//! A heap with a fence behind every byte buffer.
//!
//! zarrs passes a stream to C without its length, and C continues to read if a stream ends early. The bytes
//! that it finds there would differ from run to run, and so would the answers. With the fence, they are
//! always the same. They are not zeros, which would repair such a stream. zfp-c and the adapter of zfpy have
//! the same fence.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

/// The system's heap, with fences.
pub(crate) struct Fenced;

/// The number of bytes in a fence, which no vector makes C read or write past.
const WIDTH: usize = 64 << 10;

/// The largest allocation, which exceeds the size of every answer. With a rate below 0, zarrs would reserve
/// half a gigabyte of zeros and write them out, and whether that ends in time depends on the load of the
/// machine.
const MOST: usize = 256 << 20;

/// The byte that fills a fence.
const BYTE: u8 = 0xa5;

/// Returns the layout of a byte buffer with its fence, if there is room for it, or any other layout
/// unchanged.
fn fenced(layout: Layout) -> Option<Layout> {
    if layout.align() > 1 {
        return Some(layout);
    }
    if layout.size() > MOST {
        return None;
    }
    Layout::from_size_align(layout.size().checked_add(WIDTH)?, 1).ok()
}

// SAFETY: memory is allocated and freed by the system's heap with the same layout, which is at least as large
// as the requested one.
unsafe impl GlobalAlloc for Fenced {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(whole) = fenced(layout) else {
            return ptr::null_mut();
        };
        // SAFETY: the layout is at least as large as the caller's, which is not empty.
        let start = unsafe { System.alloc(whole) };
        if !start.is_null() {
            // SAFETY: the fence occupies the bytes by which `whole` exceeds `layout`.
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
            // SAFETY: the memory was allocated with this layout.
            unsafe { System.dealloc(start, whole) };
        }
    }
}
