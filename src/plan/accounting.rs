//! The reason for every changed production line on which no mutant stands.

use super::Planned;
use crate::catalog::Skip;
use crate::report::model::{RangeKind, Unmutated};
use crate::scope::{ScopedFile, inert_reason};
use crate::source::SourceFile;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The lines of one file that no mutant touches, with the reason; lines in order.
pub fn unmutated(file: &ScopedFile, mutants: &[Planned], skips: &[Skip]) -> Vec<Unmutated> {
    let mut reasons: BTreeMap<u32, &'static str> = BTreeMap::new();
    let described = file.source.as_ref().map(Described::of);
    // A hunk put back says nothing of its single lines.
    let single = mutants.iter().filter(|mutant| mutant.proposal.operator.family != "revert");
    let touched: BTreeSet<u32> =
        single.flat_map(|mutant| lines_of(file, mutant.proposal.span.start, mutant.proposal.span.end)).collect();
    let mut skipped: BTreeMap<u32, &'static str> = BTreeMap::new();
    for skip in skips {
        for line in lines_of(file, skip.range.start, skip.range.end) {
            skipped.entry(line).or_insert(skip.reason);
        }
    }
    for (line, change) in file.changed.iter() {
        if file.kind_of(line) != RangeKind::Production || touched.contains(&line) {
            continue;
        }
        let reason = inert_reason(change)
            .or(file.barred)
            .or_else(|| file.regions.is_off_line(line).then_some("cfg-off"))
            .or_else(|| skipped.get(&line).copied())
            .or_else(|| described.as_ref().and_then(|described| described.lines.get(&line).copied()))
            .unwrap_or("no-operator");
        reasons.insert(line, reason);
    }
    reasons
        .into_iter()
        .map(|(line, reason)| Unmutated { file: file.path.clone(), line, reason: reason.to_owned() })
        .collect()
}

/// The lines that some bytes stand on, one at least; none without a text.
fn lines_of(file: &ScopedFile, start: usize, end: usize) -> std::ops::Range<u32> {
    file.source
        .as_ref()
        .map_or(0..0, |source| source.lines.line_of(start)..source.lines.line_of(end.max(start + 1) - 1) + 1)
}

/// What lines are made of that no operator looks at.
struct Described<'a> {
    source: &'a SourceFile,
    lines: BTreeMap<u32, &'static str>,
}

impl<'a> Described<'a> {
    fn of(source: &'a SourceFile) -> Described<'a> {
        let mut described = Described { source, lines: BTreeMap::new() };
        described.visit_file(&source.ast);
        described
    }

    fn mark(&mut self, node: &impl Spanned, reason: &'static str) {
        let (first, last) = self.source.line_range(node.span());
        for line in first..=last {
            self.lines.insert(line, reason);
        }
    }
}

impl<'ast> Visit<'ast> for Described<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Use(_) | syn::Item::ExternCrate(_) => self.mark(item, "import"),
            syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Union(_) | syn::Item::Trait(_) => {
                self.mark(item, "declaration");
            }
            syn::Item::Type(_) => self.mark(item, "type"),
            syn::Item::Mod(m) if m.content.is_none() => self.mark(item, "declaration"),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_signature(&mut self, sig: &'ast syn::Signature) {
        self.mark(sig, "declaration");
        visit::visit_signature(self, sig);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let doc = attribute.path().is_ident("doc");
        self.mark(attribute, if doc { "comment" } else { "attribute" });
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        for stmt in &block.stmts {
            if let syn::Stmt::Item(syn::Item::Use(_)) = stmt {
                self.mark(stmt, "import");
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        if matches!(pat, syn::Pat::Lit(_) | syn::Pat::Range(_)) {
            self.mark(pat, "pattern");
        }
        visit::visit_pat(self, pat);
    }
}
