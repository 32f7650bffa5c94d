//! The names of its own package that a source file uses.

use std::collections::BTreeMap;

use super::lexer::{Kind, pieces};

/// The names of its package that a module uses.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Every path that begins at the root or at an enclosing module, resolved from the root, with its line.
    pub(super) paths: Vec<(usize, Vec<String>)>,
    /// The names that its `use` items import, with the paths for which they stand.
    pub(super) imports: BTreeMap<String, Vec<String>>,
}

/// A word, or a mark of one or more characters, with its line.
type Token<'a> = (usize, &'a str);

/// Returns the uses in a file that belongs to the module with this path. Modules named `tests` are left out.
pub(super) fn uses(source: &str, module: &[String]) -> Uses {
    let tokens = tokens(source);
    let mut uses = Uses::default();
    // The enclosing module, and the depth of braces at which each module of the file began.
    let mut here = module.to_vec();
    let mut began = Vec::new();
    let mut depth = 0usize;
    let mut at = 0;
    while at < tokens.len() {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].1);
        match tokens[at].1 {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if began.last() == Some(&depth) {
                    began.pop();
                    here.pop();
                }
            }
            "mod" if text(&tokens, at + 2) == "{" => {
                if text(&tokens, at + 1) == "tests" {
                    at = closing(&tokens, at + 2);
                    continue;
                }
                here.push(text(&tokens, at + 1).to_owned());
                began.push(depth);
                depth += 1;
                at += 3;
                continue;
            }
            "use" if before != "::" => {
                let mut leaves = Vec::new();
                at = tree(&tokens, at + 1, &[], &mut leaves);
                for (line, path, name) in leaves {
                    let relative = !matches!(path[0].as_str(), "crate" | "super" | "self");
                    let Some(path) = absolute(&here, &path) else {
                        continue;
                    };
                    if !relative {
                        uses.paths.push((line, path.clone()));
                    }
                    if here == module {
                        uses.imports.insert(name, path);
                    }
                }
                continue;
            }
            // The path of `pub(in crate::a)` only restricts visibility, and `$crate` refers to another package.
            "crate" | "super"
                if text(&tokens, at + 1) == "::"
                    && !matches!(before, "$" | "::")
                    && !(before == "in" && at > 1 && tokens[at - 2].1 == "(") =>
            {
                let mut leaves = Vec::new();
                at = tree(&tokens, at, &[], &mut leaves);
                for (line, path, _) in leaves {
                    uses.paths
                        .extend(absolute(&here, &path).map(|path| (line, path)));
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    uses
}

/// Reads a path together with everything in braces at its end. Adds each path with its line and its local name.
fn tree(
    tokens: &[Token<'_>],
    mut at: usize,
    before: &[String],
    leaves: &mut Vec<(usize, Vec<String>, String)>,
) -> usize {
    let mut path = before.to_vec();
    let line = tokens.get(at).map_or(0, |token| token.0);
    loop {
        match text(tokens, at) {
            "{" => {
                at += 1;
                while !matches!(text(tokens, at), "}" | "") {
                    let next = tree(tokens, at, &path, leaves);
                    // Tokens that do not form a path are skipped.
                    at = if next > at { next } else { at + 1 };
                }
                return at + 1;
            }
            word if is_word(word) => path.push(word.to_owned()),
            _ => return at,
        }
        at += 1;
        if text(tokens, at) != "::" {
            break;
        }
        at += 1;
    }
    // `a::{self}` means `a`.
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if text(tokens, at) == "as" {
        name = text(tokens, at + 1).to_owned();
        at += 2;
    }
    leaves.push((line, path, name));
    at
}

/// Returns a path from the root of the package, or `None` if the path leads above the root.
fn absolute(here: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut absolute = here.to_vec();
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" => absolute.clear(),
            "self" => {}
            "super" => {
                absolute.pop()?;
            }
            _ => break,
        }
        rest = after;
    }
    absolute.extend_from_slice(rest);
    Some(absolute)
}

/// Returns the position behind the brace that closes the brace at a position.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, (_, text)) in tokens.iter().enumerate().skip(open) {
        match *text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

fn text<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    tokens.get(at).map_or("", |token| token.1)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns the words and marks in the code of a file.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for piece in pieces(source) {
        if piece.kind != Kind::Code {
            continue;
        }
        for (line, code) in (piece.line..).zip(piece.text.split('\n')) {
            let mut rest = code.trim_start();
            while let Some(first) = rest.chars().next() {
                let length = if first.is_alphanumeric() || first == '_' {
                    rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))
                        .unwrap_or(rest.len())
                } else if rest.starts_with("::") {
                    2
                } else if first == '\'' && rest[1..].starts_with(['{', '}']) {
                    // The braces in these character literals do not count as braces.
                    rest.len().min(3)
                } else {
                    first.len_utf8()
                };
                tokens.push((line, &rest[..length]));
                rest = rest[length..].trim_start();
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, paths: &[&str], imports: &[(&str, &str)]) {
        let module = ["a".to_owned(), "b".to_owned()];
        let uses = uses(source, &module);
        let found: Vec<String> = uses.paths.iter().map(|(_, path)| path.join("::")).collect();
        assert_eq!(found, paths, "{source}");
        let found: Vec<(String, String)> = uses
            .imports
            .into_iter()
            .map(|(name, path)| (name, path.join("::")))
            .collect();
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(found, imports, "{source}");
    }

    #[test]
    fn paths_are_read() {
        check("use crate::c::D;", &["c::D"], &[("D", "c::D")]);
        check(
            "pub use super::{c::{self, D as E}, f::*};",
            &["a::c", "a::c::D"],
            &[("E", "a::c::D"), ("c", "a::c")],
        );
        check("use child::F;", &[], &[("F", "a::b::child::F")]);
        check("use super::super::g;", &["g"], &[("g", "g")]);
        check(
            "fn f(x: crate::c::D) { super::h(); }",
            &["c::D", "a::h"],
            &[],
        );
        check("for x in crate::c::all() {}", &["c::all"], &[]);
        check("pub(in crate::c) fn f() { let x = '{'; }", &[], &[]);
        check("macro_rules! m { () => { $crate::c::D } }", &[], &[]);
        check(
            "mod tests { use crate::c::D; } use super::e;",
            &["a::e"],
            &[("e", "a::e")],
        );
        check(
            "mod inner { use super::c; } use super::c as d;",
            &["a::b::c", "a::c"],
            &[("d", "a::c")],
        );
    }
}
