//! Text of a patch as Markdown that shows it and does nothing else.

/// Plain text: no markup, no HTML, and neither a person nor an issue is called by name.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // GitHub looks for mentions in the text that Markdown leaves, where an escape would be gone.
            '@' | '#' => {
                out.push(c);
                out.push_str("<!-- -->");
            }
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// A code span around text of one line, whatever backticks it has.
pub fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A fenced block, whatever fences the text has; ends in a newline.
pub fn fence(language: &str, text: &str) -> String {
    let ticks = "`".repeat(longest_run(text).max(2) + 1);
    format!("{ticks}{language}\n{text}\n{ticks}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_with_backticks_stays_in_its_span() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`x``"), "``` `x`` ```");
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        assert_eq!(fence("diff", "-a"), "```diff\n-a\n```\n");
        assert_eq!(fence("", "// ```` x"), "`````\n// ```` x\n`````\n");
    }

    #[test]
    fn plain_text_has_no_markup_and_calls_nobody() {
        assert_eq!(plain("<b> a_b *c* `d` | &"), r"&lt;b&gt; a\_b \*c\* \`d\` \| &amp;");
        assert_eq!(plain("@someone #12"), "@<!-- -->someone #<!-- -->12");
        assert_eq!(plain("a\n# b"), "a #<!-- --> b");
    }
}
