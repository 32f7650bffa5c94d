//! Text processing: names inside JSON, and Markdown.

use pulldown_cmark::{Event, Options, Parser, html};

/// Returns the strings that follow a mark, each up to the next quotation mark.
pub(crate) fn named<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = &'t str> {
    let parts = text.split(mark).skip(1);
    parts.filter_map(|part| part.split('"').next())
}

/// Converts Markdown to HTML. HTML inside the Markdown is shown as text.
pub(crate) fn markdown(text: &str) -> String {
    let parser = Parser::new_ext(
        text,
        Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES,
    );
    let safe = parser.map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    });
    let mut made = String::new();
    html::push_html(&mut made, safe);
    // A block that scrolls sideways must be reachable with the keyboard.
    made.replace("<pre>", "<pre tabindex=\"0\">")
}
