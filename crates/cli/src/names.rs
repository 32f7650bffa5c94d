//! Suggestions for names that do not exist.

use exactum_metadata::did_you_mean;

/// Returns the end of a message about an unknown name: `; did you mean zarrita?` if one of the known names
/// differs by one slip, and an empty text otherwise.
pub(crate) fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    suggestion(did_you_mean(name, known))
}

/// Does the same as [`hint`] for ids made of segments: each segment is compared with the known segments at its
/// position.
pub(crate) fn hint_of_id<'n>(
    id: &str,
    separator: char,
    known: impl Iterator<Item = &'n str> + Clone,
) -> String {
    suggestion(nearest_id(id, separator, known).as_deref())
}

fn suggestion(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean {meant}?"))
}

/// Returns the nearest id: up to the first segment that contains a pattern, each segment is replaced by the
/// known segment that differs by one slip at most. Returns nothing if a segment has no such neighbour, or if
/// nothing was wrong.
fn nearest_id<'n>(
    id: &str,
    separator: char,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Option<String> {
    let mut prefix = String::new();
    let mut segments = id.split(separator);
    let mut changed = false;
    for segment in segments.by_ref() {
        if segment.contains(['*', '?', '[', '{']) {
            prefix.push_str(segment);
            prefix.push(separator);
            break;
        }
        let mut there: Vec<&str> = known
            .clone()
            .filter_map(|known| known.strip_prefix(prefix.as_str())?.split(separator).next())
            .collect();
        there.sort_unstable();
        there.dedup();
        let meant = if there.contains(&segment) {
            segment
        } else {
            changed = true;
            did_you_mean(segment, there)?
        };
        prefix.push_str(meant);
        prefix.push(separator);
    }
    let rest: Vec<&str> = segments.collect();
    prefix.push_str(&rest.join(&separator.to_string()));
    changed.then(|| prefix.trim_end_matches(separator).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, separator: char, known: &[&str], meant: Option<&str>) {
        let nearest = nearest_id(id, separator, known.iter().copied());
        assert_eq!(nearest.as_deref(), meant, "{id}");
    }

    #[test]
    fn every_segment_is_mended_in_its_place() {
        let clauses = ["pack.rounding.once", "pack.range.wrap", "trim.rate"];
        check(
            "pack.roundin.once",
            '.',
            &clauses,
            Some("pack.rounding.once"),
        );
        check("pac", '.', &clauses, Some("pack"));
        check("Pack.rang.warp", '.', &clauses, Some("pack.range.wrap"));
        // `rounding` exists, but not below `trim`.
        check("trim.rounding", '.', &clauses, None);
        check("pack.rounding.once", '.', &clauses, None);
        let cases = ["cast_value/float32-int8/encode/a", "bytes/int8/big/b"];
        check(
            "cast_valu/*/encode",
            '/',
            &cases,
            Some("cast_value/*/encode"),
        );
        check("bytes/int9/big/b", '/', &cases, Some("bytes/int8/big/b"));
        check("bytes/int16/big/b", '/', &cases, None);
    }

    #[test]
    fn a_hint_is_the_end_of_a_sentence() {
        assert_eq!(
            hint("zarita", ["zarrita", "zarrs"]),
            "; did you mean zarrita?"
        );
        assert_eq!(hint("unheard-of", ["zarrita"]), "");
    }
}
