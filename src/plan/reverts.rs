//! The patch taken back: hunk by hunk as mutants, and the production side of whole files for the report's headline.

use super::Planned;
use crate::catalog::{Form, Operator, Proposal, operator};
use crate::diff::Hunk;
use crate::report::model::RangeKind;
use crate::scope::{Scope, ScopedFile};
use crate::source::SourceFile;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// A hunk's bytes in the head and the base's text for them.
struct Revert {
    span: Range<usize>,
    replacement: String,
}

/// How a hunk put back is compiled.
struct Way {
    form: Form,
    constness: Option<Range<usize>>,
}

/// The hunks of a file that can be put back one by one: those that change code which the base has. Taking whole new
/// items away rarely compiles and never says more.
pub fn hunks(index: usize, file: &ScopedFile, name: &mut dyn FnMut(&str, &str) -> String) -> Vec<Planned> {
    let (Some(source), Some(old), Some(op)) = (&file.source, &file.old, operator("revert_hunk")) else {
        return Vec::new();
    };
    let running = Running::of(source);
    let bodies = if file.compile_time { Bodies::default() } else { Bodies::of(source) };
    file.hunks
        .iter()
        .filter(|hunk| {
            is_production(file, hunk)
                && is_compiled(file, hunk)
                && running.touches(hunk)
                && (hunk.old_lines > 0 || inside_an_item(source, hunk))
        })
        .filter_map(|hunk| {
            let revert = revert(source, old, hunk)?;
            let id = name(&source.text[revert.span.clone()], &revert.replacement);
            let way = match bodies.around(&revert.span) {
                Some(body) => body.with(source, &[&revert]),
                None => Way { form: Form::Rebuild, constness: None },
            };
            Some(planned(index, file, source, op, revert, id, way))
        })
        .take(MOST_HUNKS)
        .collect()
}

/// The whole production side of the patch, put back behind one switch: a part for each function that it changes. `None`
/// where it changes anything else that could be noticed, so that only a build of its own can tell.
pub fn parts(scope: &Scope) -> Option<Vec<Planned>> {
    let op = operator("revert_hunk")?;
    let mut parts = Vec::new();
    for (index, file) in scope.files.iter().enumerate().filter(|(_, file)| file.kind == RangeKind::Production) {
        let hunks: Vec<&Hunk> =
            file.hunks.iter().filter(|hunk| is_production(file, hunk) || is_lost_production(file, hunk)).collect();
        if hunks.is_empty() {
            continue;
        }
        let (source, old) = (file.source.as_ref()?, file.old.as_deref()?);
        if file.barred.is_some() || file.compile_time {
            return None;
        }
        let (bodies, imports) = (Bodies::of(source), Imports::of(source));
        let mut by_body: BTreeMap<usize, (&Body, Vec<Revert>)> = BTreeMap::new();
        for hunk in hunks {
            let revert = revert(source, old, hunk)?;
            match bodies.around(&revert.span) {
                Some(body) => by_body.entry(body.inside.start).or_insert((body, Vec::new())).1.push(revert),
                // More imports than needed change nothing.
                None if hunk.old_lines == 0 && imports.hold(hunk) => {}
                None => return None,
            }
        }
        for (body, reverts) in by_body.into_values() {
            let way = body.with(source, &reverts.iter().collect::<Vec<_>>());
            let span = body.inside.start..body.inside.start;
            let nothing = Revert { span, replacement: String::new() };
            parts.push(planned(index, file, source, op, nothing, "reverted".to_owned(), way));
        }
    }
    // One switch for all of them, from everything that they are made of.
    let texts: Vec<String> = parts.iter().map(|part| format!("{:?}", part.proposal.form)).collect();
    let switch = super::identity::switch_of(&texts.join("\0"));
    parts.iter_mut().for_each(|part| part.switch = switch);
    (!parts.is_empty()).then_some(parts)
}

/// At most so many hunks of a file are put back one by one, the first ones.
const MOST_HUNKS: usize = 12;

/// The bodies of a file's functions, outermost ones only.
#[derive(Default)]
struct Bodies(Vec<Body>);

/// What lies between a function's braces.
struct Body {
    inside: Range<usize>,
    /// The function's `const`: a switch needs a function without it.
    constness: Option<Range<usize>>,
}

impl Bodies {
    fn of(source: &SourceFile) -> Bodies {
        struct Finder<'a>(&'a SourceFile, Vec<Body>, Option<Range<usize>>);
        impl<'ast> Visit<'ast> for Finder<'_> {
            fn visit_signature(&mut self, signature: &'ast syn::Signature) {
                self.2 = signature.constness.map(|token| self.0.byte_range(token.span()));
            }
            fn visit_block(&mut self, block: &'ast syn::Block) {
                // Items of the body would be in scope of the other one too.
                if block.stmts.iter().any(|stmt| matches!(stmt, syn::Stmt::Item(_))) {
                    return;
                }
                let bytes = self.0.byte_range(block.span());
                let inside = bytes.start + 1..bytes.end.saturating_sub(1);
                self.1.push(Body { inside, constness: self.2.take() });
            }
            // Neither is a function's body.
            fn visit_expr(&mut self, _: &'ast syn::Expr) {}
            fn visit_type(&mut self, _: &'ast syn::Type) {}
        }
        let mut finder = Finder(source, Vec::new(), None);
        finder.visit_file(&source.ast);
        // Statements may not be put before inner attributes.
        finder.1.retain(|body| !source.text[body.inside.clone()].trim_start().starts_with("#!"));
        Bodies(finder.1)
    }

    fn around(&self, span: &Range<usize>) -> Option<&Body> {
        self.0.iter().find(|body| body.inside.start < span.start && span.end < body.inside.end)
    }
}

impl Body {
    /// The function returns what its body gives with some hunks put back; these are in order.
    fn with(&self, source: &SourceFile, reverts: &[&Revert]) -> Way {
        let mut body = String::new();
        let mut at = self.inside.start;
        for Revert { span, replacement } in reverts {
            body.push_str(&source.text[at..span.start]);
            body.push_str(replacement);
            at = span.end;
        }
        body.push_str(&source.text[at..self.inside.end]);
        Way { form: Form::OtherBody { at: self.inside.start, body }, constness: self.constness.clone() }
    }
}

/// The lines of a file's imports outside of functions.
struct Imports(Vec<(u32, u32)>);

impl Imports {
    fn of(source: &SourceFile) -> Imports {
        fn collect(source: &SourceFile, items: &[syn::Item], out: &mut Vec<(u32, u32)>) {
            for item in items {
                match item {
                    syn::Item::Use(_) => out.push(source.line_range(item.span())),
                    syn::Item::Mod(m) => collect(source, m.content.as_ref().map_or(&[], |(_, items)| items), out),
                    _ => {}
                }
            }
        }
        let mut lines = Vec::new();
        collect(source, &source.ast.items, &mut lines);
        Imports(lines)
    }

    fn hold(&self, hunk: &Hunk) -> bool {
        hunk.new_range().all(|line| self.0.iter().any(|(from, to)| (*from..=*to).contains(&line)))
    }
}

/// The text of a file with every production hunk put back; `None` when it has none, or its syntax is not known.
pub fn whole(file: &ScopedFile) -> Option<String> {
    let (source, old) = (file.source.as_ref()?, file.old.as_deref().unwrap_or_default());
    let mut text = String::new();
    let mut at = 0;
    let mut any = false;
    for hunk in file.hunks.iter().filter(|hunk| is_production(file, hunk) || is_lost_production(file, hunk)) {
        let revert = revert(source, old, hunk)?;
        text.push_str(&source.text[at..revert.span.start]);
        text.push_str(&revert.replacement);
        at = revert.span.end;
        any = true;
    }
    text.push_str(&source.text[at..]);
    any.then_some(text)
}

/// All lines are production code and at least one of them really changed.
fn is_production(file: &ScopedFile, hunk: &Hunk) -> bool {
    hunk.new_range().all(|line| file.kind_of(line) == RangeKind::Production)
        && hunk.new_range().any(|line| file.changed.is_changed(line))
}

/// At least one of its changed lines is code under the active features: what is left out changes nothing when put back.
fn is_compiled(file: &ScopedFile, hunk: &Hunk) -> bool {
    hunk.new_range().any(|line| file.changed.is_changed(line) && !file.regions.is_off_line(line))
}

fn is_lost_production(file: &ScopedFile, hunk: &Hunk) -> bool {
    hunk.is_pure_deletion() && file.kind_of(hunk.new_start.max(1)) == RangeKind::Production
}

/// The lines of code that runs, or that is evaluated: function bodies, constants. Imports and declarations alone change
/// nothing that a test could see without them.
struct Running<'a> {
    source: &'a SourceFile,
    lines: Vec<(u32, u32)>,
}

impl<'a> Running<'a> {
    fn of(source: &'a SourceFile) -> Running<'a> {
        let mut running = Running { source, lines: Vec::new() };
        running.visit_file(&source.ast);
        running
    }

    fn touches(&self, hunk: &Hunk) -> bool {
        self.lines.iter().any(|(from, to)| *from < hunk.new_range().end && hunk.new_start <= *to)
    }
}

impl<'ast> Visit<'ast> for Running<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.lines.push(self.source.line_range(block.span()));
    }

    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        self.lines.push(self.source.line_range(expr.span()));
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}
}

/// Whether an item begins before the hunk and ends after it.
fn inside_an_item(source: &SourceFile, hunk: &Hunk) -> bool {
    let (first, last) = (hunk.new_start, hunk.new_range().end.saturating_sub(1));
    fn holds(source: &SourceFile, items: &[syn::Item], first: u32, last: u32) -> bool {
        items.iter().any(|item| {
            let (from, to) = source.line_range(item.span());
            let around = from < first && last < to;
            match item {
                // A new method or an item of a module is new as a whole.
                syn::Item::Mod(m) => m.content.as_ref().is_some_and(|(_, items)| holds(source, items, first, last)),
                syn::Item::Impl(i) => i.items.iter().any(|item| {
                    let (from, to) = source.line_range(item.span());
                    from < first && last < to
                }),
                syn::Item::Fn(_) => around,
                _ => false,
            }
        })
    }
    holds(source, &source.ast.items, first, last)
}

/// Whole lines; the last line's end stays, so that numbers below do not shift more than they must.
fn revert(source: &SourceFile, old: &str, hunk: &Hunk) -> Option<Revert> {
    let mut replacement: String = old
        .split_inclusive('\n')
        .skip(hunk.old_start.saturating_sub(1) as usize)
        .take(hunk.old_lines as usize)
        .collect();
    if hunk.is_pure_deletion() {
        let mut after = source.lines.line_bytes(hunk.new_start).map_or(0, |line| line.end);
        if after > 0 && !source.text[..after].ends_with('\n') {
            after += usize::from(source.text[after..].starts_with('\n'));
        }
        return Some(Revert { span: after..after, replacement });
    }
    let start = source.lines.line_bytes(hunk.new_start)?.start;
    let end = source.lines.line_bytes(hunk.new_range().end - 1)?.end;
    let end = end.max(start);
    // The mark stands before the first line and stays there.
    if source.text[..start].ends_with('\u{feff}') && replacement.starts_with('\u{feff}') {
        replacement.remove(0);
    }
    let trimmed = source.text[start..end].trim_end_matches(['\n', '\r']).len();
    while replacement.ends_with(['\n', '\r']) {
        replacement.pop();
    }
    Some(Revert { span: start..start + trimmed, replacement })
}

fn planned(
    index: usize,
    file: &ScopedFile,
    source: &SourceFile,
    op: &'static Operator,
    revert: Revert,
    id: String,
    way: Way,
) -> Planned {
    let Revert { span, replacement } = revert;
    let Way { form, constness } = way;
    let proposal = Proposal {
        operator: op,
        site: span.clone(),
        span,
        replacement,
        form,
        arm_safe: false,
        constness,
        drops_types: false,
    };
    Planned {
        switch: super::identity::switch(&id, &file.path, &proposal),
        id,
        file: index,
        function: file.module.join("::"),
        item: 0..source.text.len(),
        encodings: crate::weave::encodings(&proposal),
        proposal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::{ChangedLines, changed_lines};

    fn file(old: &str, new: &str, hunks: &[(u32, u32, u32, u32)]) -> ScopedFile {
        let hunks: Vec<Hunk> = hunks
            .iter()
            .map(|(a, b, c, d)| Hunk { old_start: *a, old_lines: *b, new_start: *c, new_lines: *d })
            .collect();
        let changed: ChangedLines = changed_lines(Some(old), new, &hunks);
        ScopedFile {
            path: "src/lib.rs".into(),
            old_path: None,
            old: Some(old.into()),
            hunks,
            changed,
            source: Some(SourceFile::parse("src/lib.rs", new).unwrap()),
            regions: Default::default(),
            package: None,
            module: Vec::new(),
            kind: RangeKind::Production,
            barred: None,
            compile_time: false,
        }
    }

    fn reverted(file: &ScopedFile) -> Vec<String> {
        let text = &file.source.as_ref().unwrap().text;
        hunks(0, file, &mut |_, _| "m-1".into())
            .into_iter()
            .map(|m| {
                let Proposal { span, replacement, .. } = m.proposal;
                format!("{}{replacement}{}", &text[..span.start], &text[span.end..])
            })
            .collect()
    }

    #[test]
    fn a_byte_order_mark_is_not_put_back_twice() {
        let (old, new) = ("\u{feff}fn b(x: u32) -> u32 { x }\n", "\u{feff}fn b(x: u32) -> u32 { x + 1 }\n");
        let file = file(old, new, &[(1, 1, 1, 1)]);
        let whole = whole(&file).expect("there is a hunk");
        assert_eq!(whole.matches('\u{feff}').count(), 1, "{whole:?}");
        assert!(whole.contains("{ x }"), "{whole:?}");
    }

    #[test]
    fn a_changed_line_is_put_back() {
        let (old, new) = ("fn f() {\n    a();\n}\n", "fn f() {\n    b();\n}\n");
        let file = file(old, new, &[(2, 1, 2, 1)]);
        assert_eq!(reverted(&file), [old]);
        assert_eq!(whole(&file).as_deref(), Some(old));
    }

    #[test]
    fn lines_added_to_a_function_are_taken_out_and_new_functions_are_left() {
        let (old, new) = ("fn f() {\n}\n", "fn f() {\n    b();\n}\n\nfn g() {}\n");
        let file = file(old, new, &[(1, 0, 2, 1), (2, 0, 4, 2)]);
        assert_eq!(reverted(&file), ["fn f() {\n\n}\n\nfn g() {}\n"]);
    }

    #[test]
    fn a_patch_inside_functions_is_put_back_behind_one_switch() {
        let old = "use a::b;\nfn f() {\n    a();\n}\nfn g() {\n    c();\n    d();\n}\n";
        let new = "use a::b;\nuse a::c;\nfn f() {\n    b();\n}\nfn g() {\n    d();\n}\n";
        let file = file(old, new, &[(1, 0, 2, 1), (3, 1, 4, 1), (6, 1, 6, 0)]);
        let scope = Scope { files: vec![file], ..Scope::default() };
        let parts = parts(&scope).unwrap();
        let bodies: Vec<String> = parts
            .iter()
            .map(|part| match &part.proposal.form {
                Form::OtherBody { body, .. } => body.split_whitespace().collect(),
                _ => String::new(),
            })
            .collect();
        assert_eq!(bodies, ["a();", "c();d();"]);
        assert_eq!(parts[0].switch, parts[1].switch);
    }

    #[test]
    fn a_body_with_items_of_its_own_is_not_switched() {
        let (old, new) = ("fn f() {\n    a();\n}\n", "fn f() {\n    struct S;\n    b();\n}\n");
        let file = file(old, new, &[(2, 1, 2, 2)]);
        let made = hunks(0, &file, &mut |_, _| "m-1".into());
        assert_eq!(made[0].proposal.form, Form::Rebuild);
        assert!(parts(&Scope { files: vec![file], ..Scope::default() }).is_none());
    }

    #[test]
    fn a_patch_that_changes_more_than_bodies_needs_a_build_of_its_own() {
        let (old, new) = ("fn f() {\n}\n", "fn f() {\n}\nfn g() {\n}\n");
        let file = file(old, new, &[(2, 0, 3, 2)]);
        assert!(parts(&Scope { files: vec![file], ..Scope::default() }).is_none());
    }

    #[test]
    fn a_hunk_of_code_that_is_not_compiled_is_not_put_back() {
        use crate::workspace::cfg::CfgSet;
        let text = |a: &str, b: &str| {
            format!("fn f() {{\n    #[cfg(target_os = \"none\")]\n    {a};\n    c();\n    {b};\n}}\n")
        };
        let (old, new) = (text("a()", "b()"), text("a(1)", "b(1)"));
        let mut file = file(&old, &new, &[(3, 1, 3, 1), (5, 1, 5, 1)]);
        let cfg = CfgSet::default();
        file.regions = crate::source::regions::Regions::of(file.source.as_ref().unwrap(), &cfg, &[]);
        assert_eq!(reverted(&file), [text("a(1)", "b()")]);
    }

    #[test]
    fn deleted_lines_come_back_with_the_whole_patch() {
        let (old, new) = ("fn f() {\n    a();\n    b();\n}\n", "fn f() {\n    b();\n}\n");
        let file = file(old, new, &[(2, 1, 1, 0)]);
        assert!(reverted(&file).is_empty());
        assert_eq!(whole(&file).as_deref(), Some(old));
    }
}
