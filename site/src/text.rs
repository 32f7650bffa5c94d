//! Texts: names inside JSON, and Markdown.

use pulldown_cmark::{Event, Options, Parser, html};

/// The strings that follow a mark, up to the next quotation mark.
pub(crate) fn named<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = &'t str> {
    let parts = text.split(mark).skip(1);
    parts.filter_map(|part| part.split('"').next())
}

/// Markdown as HTML. HTML inside it is shown and not taken.
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
    // A block that scrolls sideways has to be reached by the keyboard.
    made.replace("<pre>", "<pre tabindex=\"0\">")
}
