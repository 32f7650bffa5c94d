//! Splits Rust sources into code, comments and strings.

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Code,
    Comment,
    Text,
}

/// A piece of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) kind: Kind,
    /// The line on which it begins, counted from 1.
    pub(crate) line: usize,
    pub(crate) text: &'a str,
}

impl<'a> Piece<'a> {
    /// Returns the identifiers and keywords of a piece, each with its line.
    pub(crate) fn words(self) -> impl Iterator<Item = (usize, &'a str)> {
        self.text.lines().enumerate().flat_map(move |(row, line)| {
            line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .filter(|word| !word.is_empty())
                .map(move |word| (self.line + row, word))
        })
    }
}

/// Splits a source file into pieces. Character literals count as code.
pub(crate) fn pieces(source: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut line = 1;
    let mut cut = |kind, from: usize, to: usize| {
        let text = &source[from..to];
        if !text.is_empty() {
            pieces.push(Piece { kind, line, text });
            line += text.matches('\n').count();
        }
    };
    while at < source.len() {
        let rest = &source[at..];
        let special = if rest.starts_with("//") {
            Some((Kind::Comment, rest.find('\n').unwrap_or(rest.len())))
        } else if rest.starts_with("/*") {
            Some((Kind::Comment, block_comment(rest)))
        } else if rest.starts_with('"') {
            Some((Kind::Text, string(rest)))
        } else if rest.starts_with('r') && !ends_in_word(&source[start..at]) {
            raw_string(rest).map(|length| (Kind::Text, length))
        } else {
            None
        };
        if let Some((kind, length)) = special {
            cut(Kind::Code, start, at);
            cut(kind, at, at + length);
            at += length;
            start = at;
        } else if rest.starts_with('\'') {
            at += character(rest);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    cut(Kind::Code, start, source.len());
    pieces
}

/// Returns whether the code so far ends inside an identifier; the `b` and `c` of byte and C strings do not count.
fn ends_in_word(code: &str) -> bool {
    let code = code
        .strip_suffix(['b', 'c'])
        .filter(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        .unwrap_or(code);
    code.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
    if rest.as_bytes().get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = 2 + hashes;
    Some(
        rest[body..]
            .find(&end)
            .map_or(rest.len(), |at| body + at + end.len()),
    )
}

/// Returns the length of a character literal, or 1 if the quote begins a lifetime.
fn character(rest: &str) -> usize {
    let mut inner = rest[1..].char_indices();
    match inner.next() {
        Some((_, '\\')) => {
            inner.next();
            rest[1..]
                .char_indices()
                .skip(2)
                .find(|&(_, c)| c == '\'')
                .map_or(1, |(at, _)| at + 2)
        }
        Some(_) => match inner.next() {
            Some((at, '\'')) => at + 2,
            _ => 1,
        },
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(Kind, usize, &str)]) {
        let found: Vec<_> = pieces(source)
            .into_iter()
            .map(|piece| (piece.kind, piece.line, piece.text))
            .collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn a_source_is_taken_apart() {
        use Kind::{Code, Comment, Text};
        check(
            "a // b\nc",
            &[(Code, 1, "a "), (Comment, 1, "// b"), (Code, 1, "\nc")],
        );
        check(
            "/* a /* b */ \n*/ c",
            &[(Comment, 1, "/* a /* b */ \n*/"), (Code, 2, " c")],
        );
        check(
            r#"f("a\"//b", c)"#,
            &[(Code, 1, "f("), (Text, 1, r#""a\"//b""#), (Code, 1, ", c)")],
        );
        check(
            "r#\"a\"b\"# br\"\\\" var\"x\"",
            &[
                (Text, 1, "r#\"a\"b\"#"),
                (Code, 1, " b"),
                (Text, 1, "r\"\\\""),
                (Code, 1, " var"),
                (Text, 1, "\"x\""),
            ],
        );
        check(
            r#"'"' '\'' &'a str "x""#,
            &[(Code, 1, r#"'"' '\'' &'a str "#), (Text, 1, "\"x\"")],
        );
    }

    #[test]
    fn words_have_their_lines() {
        let code = pieces("fn a() {\n    b(c)\n}");
        let words: Vec<_> = code[0].words().collect();
        assert_eq!(words, [(1, "fn"), (1, "a"), (2, "b"), (2, "c")]);
    }
}
