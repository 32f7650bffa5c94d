//! Third-party text in the reports, with arbitrary content: every scalar value of Unicode is tried.

use exactum_conformance::output;
use exactum_conformance::report::{Absent, junit};

/// An absent implementation whose explanation contains every hostile character.
fn absent() -> Absent {
    let all: String = (char::MIN..=char::MAX).collect();
    Absent {
        name: format!("\u{1b}[2J<&>\"'\u{fffe}{all}"),
        why: format!("]]><!--{all}"),
        remedy: all,
    }
}

#[test]
fn junit_is_xml_whatever_is_said() {
    let text = junit(&[], &[absent()]);
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let named = |name: &str| {
        document
            .descendants()
            .filter(|it| it.has_tag_name(name))
            .count()
    };
    assert_eq!(
        (named("testsuite"), named("testcase"), named("failure")),
        (1, 1, 1)
    );
    let suite = document.root_element().first_element_child();
    let name = suite
        .and_then(|it| it.attribute("name"))
        .unwrap_or_default();
    assert!(name.starts_with("\u{fffd}[2J<&>\"'\u{fffd}"), "{name:.40}");
    assert!(name.contains('Ω') && name.contains('🦀'));
}

#[test]
fn a_terminal_is_told_nothing_that_it_obeys() {
    let text = output::missing(&[absent()]);
    let bad = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert_eq!(text.chars().find(|&c| bad(c)), None);
}
