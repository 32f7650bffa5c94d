//! Features of the processor on which known faults depend.

/// Returns whether the processor has a feature, or `None` for an unknown name. The names are those of Rust's feature
/// detection; a processor of another architecture does not have the feature.
#[must_use]
pub(crate) fn has(feature: &str) -> Option<bool> {
    match feature {
        "f16c" => Some(f16c()),
        _ => None,
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn f16c() -> bool {
    std::arch::is_x86_feature_detected!("f16c")
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn f16c() -> bool {
    false
}
