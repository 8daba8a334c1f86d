//! What was said of one place, read in another.

use serde_json::Value;

/// Folders and what takes their place, the longest first.
#[derive(Debug, Clone)]
pub struct Moves(Vec<(String, String)>);

impl Moves {
    /// From folders to folders.
    pub fn new(moves: impl IntoIterator<Item = (String, String)>) -> Moves {
        let mut moves: Vec<(String, String)> = moves.into_iter().filter(|(from, _)| !from.is_empty()).collect();
        moves.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        Moves(moves)
    }

    /// A text with every such folder, and whatever lies below it, in its new place.
    pub fn text(&self, text: &str) -> String {
        let mut moved = String::with_capacity(text.len());
        let mut at = 0;
        let mut before = None;
        while let Some(next) = text[at..].chars().next() {
            let here = &text[at..];
            let fits = |(from, _): &&(String, String)| {
                here.starts_with(from.as_str()) && !here[from.len()..].chars().next().is_some_and(is_of_a_name)
            };
            match self.0.iter().find(fits).filter(|_| !before.is_some_and(is_of_a_name)) {
                Some((from, to)) => {
                    moved.push_str(to);
                    at += from.len();
                    before = from.chars().next_back();
                }
                None => {
                    moved.push(next);
                    at += next.len_utf8();
                    before = Some(next);
                }
            }
        }
        moved
    }

    /// Every text in a value.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.value(value)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.value(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Whether a character goes on with the name of a file or folder.
fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> Moves {
        let of = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        Moves::new([of("/w", "/new"), of("/w/target", "/new/a"), of("/w/target/hunkmut/target", "/new/t")])
    }

    #[test]
    fn the_closest_folder_decides() {
        assert_eq!(moves().text("/w/target/hunkmut/target/debug/x"), "/new/t/debug/x");
        assert_eq!(moves().text("/w/target/debug/deps/x"), "/new/a/debug/deps/x");
        assert_eq!(moves().text("/w/src/lib.rs"), "/new/src/lib.rs");
        assert_eq!(moves().text("/w"), "/new");
    }

    #[test]
    fn folders_are_found_inside_of_texts_but_not_inside_of_names() {
        assert_eq!(moves().text("path+file:///w#a@0.1.0"), "path+file:///new#a@0.1.0");
        assert_eq!(moves().text("native=/w/target/x:/w/b"), "native=/new/a/x:/new/b");
        assert_eq!(moves().text("{\"root\":\"/w\"}"), "{\"root\":\"/new\"}");
        for other in ["/w2/x", "/a/w/x", "/w.old", "/w-x", "/ü/w"] {
            assert_eq!(moves().text(other), other);
        }
    }

    #[test]
    fn every_text_of_a_value_moves() {
        let mut value = serde_json::json!({"a": ["/w/x", 1], "b": {"c": "/w"}});
        moves().value(&mut value);
        assert_eq!(value, serde_json::json!({"a": ["/new/x", 1], "b": {"c": "/new"}}));
    }
}
