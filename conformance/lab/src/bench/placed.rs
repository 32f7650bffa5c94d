//! Memory at a chosen place of a page.

use std::ops::{Deref, DerefMut};

/// Where inputs and outputs start in a page: half a page apart, at the start of a cache line, and
/// the same for all implementations. Addresses that agree in their low 12 bits, or that do not
/// start a cache line, make the same loop some twenty percent slower; left to the allocator, that
/// would decide the close races.
pub(super) const INPUT: usize = 0;
/// See [`INPUT`].
pub(super) const OUTPUT: usize = 2048;

const PAGE: usize = 4096;

/// Elements that start at a chosen place of a page.
pub(super) struct Placed<T> {
    storage: Vec<T>,
    start: usize,
    count: usize,
}

impl<T: Copy> Placed<T> {
    /// `count` elements, from `elements` over and over, `offset` bytes into a page.
    pub(super) fn new(offset: usize, count: usize, elements: &[T]) -> Self {
        // To the start of a page, and on from there.
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
