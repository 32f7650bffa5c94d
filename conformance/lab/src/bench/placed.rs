//! Memory at a chosen offset within a page.

use std::ops::{Deref, DerefMut};

/// The offsets within a page at which inputs and outputs start: half a page apart, at the start of a cache line, and
/// the same for all implementations. Addresses that agree in their low 12 bits, or that do not start a cache line, make
/// the same loop about twenty percent slower. If the choice were left to the allocator, it would decide the close
/// races.
pub(super) const INPUT: usize = 0;
/// See [`INPUT`].
pub(super) const OUTPUT: usize = 2048;

const PAGE: usize = 4096;

/// Elements that start at a chosen offset within a page.
pub(super) struct Placed<T> {
    storage: Vec<T>,
    start: usize,
    count: usize,
}

impl<T: Copy> Placed<T> {
    /// Returns `count` elements that repeat `elements`, starting `offset` bytes into a page.
    pub(super) fn new(offset: usize, count: usize, elements: &[T]) -> Self {
        // Skip to the start of a page, and then by the offset.
        let spare = (PAGE + offset) / size_of::<T>();
        let mut storage = vec![elements[0]; count + spare];
        let start = storage.as_ptr().align_offset(PAGE) + offset / size_of::<T>();
        for (place, element) in storage[start..start + count]
            .iter_mut()
            .zip(elements.iter().cycle())
        {
            *place = *element;
        }
        Self {
            storage,
            start,
            count,
        }
    }
}

impl<T> Deref for Placed<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.storage[self.start..self.start + self.count]
    }
}

impl<T> DerefMut for Placed<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..self.start + self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_start_where_asked() {
        for count in [1, 1000, 100_000] {
            let placed = Placed::new(OUTPUT, count, &[1u64, 2]);
            assert_eq!(placed.as_ptr().align_offset(PAGE), (PAGE - OUTPUT) / 8);
            assert_eq!(placed.len(), count);
            assert_eq!(placed[0], 1);
        }
    }
}
