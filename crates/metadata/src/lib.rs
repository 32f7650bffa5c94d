//! Documents: JSON to nouns and back, JSON Schema, and diagnostics that point into the text.
