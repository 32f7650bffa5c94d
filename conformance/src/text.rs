//! Cleans third-party text before it reaches a terminal, a table or a file.
//!
//! All output of a judged program passes through this module when it is received, so that later code need not consider
//! it: no escape sequence that a terminal obeys, no line break that forges a row, no mark that reverses the direction
//! of text, no character that XML cannot hold, and no megabytes of text.

/// The number of bytes of a text that are kept.
const LONGEST: usize = 1 << 10;

/// Returns a character if it is harmless wherever it is shown, or U+FFFD otherwise.
#[must_use]
pub fn plain(c: char) -> char {
    let code = u32::from(c);
    let invisible = matches!(
        c,
        '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    let no_character = code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code);
    if c.is_control() || invisible || no_character {
        char::REPLACEMENT_CHARACTER
    } else {
        c
    }
}

/// Returns a single-line text in which every character is [`plain`].
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars().map(plain).collect()
}

/// Cleans a text as [`clean`] does but keeps its line breaks: for Exactum's own text that quotes others.
#[must_use]
pub fn clean_lines(text: &str) -> String {
    text.split('\n').map(clean).collect::<Vec<_>>().join("\n")
}

/// Returns a clean text of at most a kibibyte; a longer text is cut off at the end.
#[must_use]
pub fn brief(text: &str) -> String {
    if text.len() <= LONGEST {
        return clean(text);
    }
    format!("{}...", clean(&text[..text.floor_char_boundary(LONGEST)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_or_xml_would_take_amiss_is_replaced() {
        for bad in [
            '\0',
            '\n',
            '\r',
            '\t',
            '\u{1b}',
            '\u{7f}',
            '\u{9b}',
            '\u{200b}',
            '\u{2028}',
            '\u{202e}',
            '\u{2066}',
            '\u{feff}',
            '\u{fdd0}',
            '\u{fffe}',
            '\u{ffff}',
            '\u{1ffff}',
            '\u{e0041}',
        ] {
            assert_eq!(clean(&format!("a{bad}b")), "a\u{fffd}b", "{bad:?}");
        }
        let plain = "Ωμέγα, 数, ж, é, 🦀, <&\"'>";
        assert_eq!(clean(plain), plain);
        assert_eq!(clean_lines("a\r\nb\n"), "a\u{fffd}\nb\n");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let long = "é".repeat(4_000_000);
        let cut = brief(&long);
        assert!(
            cut.len() <= LONGEST + 3 && cut.ends_with("é..."),
            "{}",
            cut.len()
        );
        assert_eq!(brief("short\n"), "short\u{fffd}");
    }
}
