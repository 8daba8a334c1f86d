//! Which parts of a file are test code, and which are not compiled at all.
//!
//! Rust puts tests beside production code, so a path says little. Test code is what is not compiled when `test` is
//! unset under the active features, and test functions; off is what is compiled neither way. Both may be as small as
//! one struct field or match arm.

use super::SourceFile;
use super::cfg_expr::{CfgExpr, cfgs_of};
use super::items::{is_test, is_test_macro, wrapped_items};
use crate::workspace::cfg::{CfgSet, Presence};
use proc_macro2::Span;
use std::ops::Range;
use syn::Attribute;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A stretch of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its bytes in the file.
    pub bytes: Range<usize>,
    /// Its first line.
    pub first_line: u32,
    /// Its last line, inclusive.
    pub last_line: u32,
    /// Where it is not compiled: the features that would change that.
    pub features: Vec<String>,
}

/// The test code and the switched-off code of one file; regions of either kind are in order and do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Regions {
    /// Compiled only when `test` is set, and test functions.
    pub test: Vec<Region>,
    /// Not compiled under the active configuration, with or without `test`.
    pub off: Vec<Region>,
}

impl Regions {
    /// Finds them. `outer` are the conditions on the way to the file ([`crate::workspace::modules::FileUse::cfgs`]);
    /// where they alone decide, the whole file is one region.
    pub fn of(file: &SourceFile, cfg: &CfgSet, outer: &[CfgExpr]) -> Regions {
        let mut finder = Finder { file, cfg, stack: outer.to_vec(), found: Regions::default() };
        let whole = Region {
            bytes: 0..file.text.len(),
            first_line: 1,
            last_line: file.lines.count().max(1),
            features: Vec::new(),
        };
        finder.stack.extend(cfgs_of(&file.ast.attrs));
        match cfg.presence(&finder.stack) {
            Presence::TestOnly => finder.found.test.push(whole),
            Presence::Off => finder.off(whole),
            Presence::Always | Presence::Unknown => file.ast.items.iter().for_each(|i| finder.visit_item(i)),
        }
        finder.found
    }

    /// Whether the byte lies in test code.
    pub fn is_test(&self, byte: usize) -> bool {
        self.test.iter().any(|r| r.bytes.contains(&byte))
    }

    /// Whether the byte lies in code that is not compiled.
    pub fn is_off(&self, byte: usize) -> bool {
        self.off.iter().any(|r| r.bytes.contains(&byte))
    }

    /// Whether the line has a part in test code. A line that holds both kinds counts as test: mutating the oracle is
    /// the worse mistake.
    pub fn is_test_line(&self, line: u32) -> bool {
        self.test.iter().any(|r| (r.first_line..=r.last_line).contains(&line))
    }

    /// Whether the line has a part that is not compiled.
    pub fn is_off_line(&self, line: u32) -> bool {
        self.missing_features(line).is_some()
    }

    /// The features that the part of a line waits for that is not compiled; `None` where the line has none, empty where
    /// no feature would change that.
    pub fn missing_features(&self, line: u32) -> Option<&[String]> {
        let off = self.off.iter().find(|r| (r.first_line..=r.last_line).contains(&line));
        off.map(|region| region.features.as_slice())
    }
}

struct Finder<'a> {
    file: &'a SourceFile,
    cfg: &'a CfgSet,
    /// The conditions around the node being visited.
    stack: Vec<CfgExpr>,
    found: Regions,
}

impl Finder<'_> {
    fn region(&self, span: Span) -> Region {
        let bytes = self.file.byte_range(span);
        let (first_line, last_line) = self.file.line_range(span);
        Region { bytes, first_line, last_line, features: Vec::new() }
    }

    /// Records code that the conditions around it leave out.
    fn off(&mut self, region: Region) {
        let features = self.cfg.missing_features(&self.stack);
        self.found.off.push(Region { features, ..region });
    }

    /// Records the node when its attributes decide; otherwise visits its inside under its conditions.
    fn node(&mut self, attrs: &[Attribute], span: impl Fn() -> Span, inside: impl FnOnce(&mut Self)) {
        if attrs.is_empty() {
            return inside(self);
        }
        let depth = self.stack.len();
        self.stack.extend(cfgs_of(attrs));
        let presence = if self.stack.len() > depth { self.cfg.presence(&self.stack) } else { Presence::Always };
        match presence {
            Presence::TestOnly => self.found.test.push(self.region(span())),
            Presence::Off => self.off(self.region(span())),
            Presence::Always | Presence::Unknown => inside(self),
        }
        self.stack.truncate(depth);
    }
}

/// For each kind of node: look at its attributes before its inside.
macro_rules! nodes {
    ($($visit:ident $node:ident),* $(,)?) => {
        $(fn $visit(&mut self, node: &'ast syn::$node) {
            self.node(&node.attrs, || node.span(), |this| visit::$visit(this, node));
        })*
    };
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        if is_test(&node.attrs) {
            return self.test(&node.attrs, node.span());
        }
        self.node(&node.attrs, || node.span(), |this| visit::visit_item_fn(this, node));
    }

    fn visit_item_macro(&mut self, node: &'ast syn::ItemMacro) {
        if is_test_macro(&node.mac) {
            return self.test(&node.attrs, node.span());
        }
        self.node(
            &node.attrs,
            || node.span(),
            |this| {
                for (cfgs, items) in wrapped_items(&node.mac) {
                    let depth = this.stack.len();
                    this.stack.extend(cfgs);
                    items.iter().for_each(|item| this.visit_wrapped(item));
                    this.stack.truncate(depth);
                }
            },
        );
    }

    nodes!(
        visit_item_const ItemConst, visit_item_enum ItemEnum, visit_item_extern_crate ItemExternCrate,
        visit_item_foreign_mod ItemForeignMod, visit_item_impl ItemImpl, visit_item_mod ItemMod,
        visit_item_static ItemStatic, visit_item_struct ItemStruct, visit_item_trait ItemTrait,
        visit_item_trait_alias ItemTraitAlias, visit_item_type ItemType, visit_item_union ItemUnion,
        visit_item_use ItemUse, visit_impl_item_const ImplItemConst, visit_impl_item_fn ImplItemFn,
        visit_impl_item_macro ImplItemMacro, visit_impl_item_type ImplItemType,
        visit_trait_item_const TraitItemConst, visit_trait_item_fn TraitItemFn,
        visit_trait_item_macro TraitItemMacro, visit_trait_item_type TraitItemType,
        visit_foreign_item_fn ForeignItemFn, visit_foreign_item_static ForeignItemStatic,
        visit_foreign_item_type ForeignItemType, visit_foreign_item_macro ForeignItemMacro,
        visit_field Field, visit_variant Variant, visit_arm Arm, visit_local Local, visit_stmt_macro StmtMacro,
        visit_field_value FieldValue, visit_field_pat FieldPat,
        visit_expr_array ExprArray, visit_expr_assign ExprAssign, visit_expr_async ExprAsync,
        visit_expr_await ExprAwait, visit_expr_binary ExprBinary, visit_expr_block ExprBlock,
        visit_expr_break ExprBreak, visit_expr_call ExprCall, visit_expr_cast ExprCast,
        visit_expr_closure ExprClosure, visit_expr_const ExprConst, visit_expr_continue ExprContinue,
        visit_expr_field ExprField, visit_expr_for_loop ExprForLoop, visit_expr_if ExprIf,
        visit_expr_index ExprIndex, visit_expr_lit ExprLit, visit_expr_loop ExprLoop,
        visit_expr_macro ExprMacro, visit_expr_match ExprMatch, visit_expr_method_call ExprMethodCall,
        visit_expr_paren ExprParen, visit_expr_path ExprPath, visit_expr_range ExprRange,
        visit_expr_reference ExprReference, visit_expr_repeat ExprRepeat, visit_expr_return ExprReturn,
        visit_expr_struct ExprStruct, visit_expr_try ExprTry, visit_expr_tuple ExprTuple,
        visit_expr_unary ExprUnary, visit_expr_unsafe ExprUnsafe, visit_expr_while ExprWhile,
        visit_expr_yield ExprYield,
    );
}

impl Finder<'_> {
    /// An item in a macro's tokens, where the conditions of a branch may decide already.
    fn visit_wrapped(&mut self, item: &syn::Item) {
        match self.cfg.presence(&self.stack) {
            Presence::TestOnly => self.found.test.push(self.region(item.span())),
            Presence::Off => self.off(self.region(item.span())),
            Presence::Always | Presence::Unknown => self.visit_item(item),
        }
    }

    /// Records a test function or property, whatever surrounds it.
    fn test(&mut self, attrs: &[Attribute], span: Span) {
        let (depth, region) = (self.stack.len(), self.region(span));
        self.stack.extend(cfgs_of(attrs));
        match self.cfg.presence(&self.stack) {
            Presence::Off => self.off(region),
            Presence::Always | Presence::TestOnly | Presence::Unknown => self.found.test.push(region),
        }
        self.stack.truncate(depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test lines and off lines of a text, with `unix` and the feature `on` active.
    fn lines(text: &str) -> (Vec<u32>, Vec<u32>) {
        let file = SourceFile::parse("src/lib.rs", text).unwrap();
        let cfg = CfgSet::from_rustc_lines("unix\ntarget_os=\"linux\"\n").with_features(["on"]);
        let regions = Regions::of(&file, &cfg, &[]);
        let all = 1..=file.lines.count();
        (all.clone().filter(|l| regions.is_test_line(*l)).collect(), all.filter(|l| regions.is_off_line(*l)).collect())
    }

    #[test]
    fn a_test_module_and_a_lone_test_function_are_test_code() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn h() {}\n}\n#[test]\nfn t() {\n}\nfn b() {}\n";
        assert_eq!(lines(text), (vec![2, 3, 4, 5, 6, 7, 8], vec![]));
    }

    #[test]
    fn the_active_features_decide_what_is_test_code() {
        let any = |f: &str| format!("#[cfg(any(test, feature = \"{f}\"))]\nfn s() {{}}\n");
        assert_eq!(lines(&any("off")), (vec![1, 2], vec![]));
        assert_eq!(lines(&any("on")), (vec![], vec![]));
        assert_eq!(lines("#[cfg(all(test, unix))]\nmod m {}\n").0, [1, 2]);
        assert_eq!(lines("#[cfg(all(test, windows))]\nmod m {}\n"), (vec![], vec![1, 2]));
        assert_eq!(lines("#[cfg(not(test))]\nfn s() {}\n"), (vec![], vec![]));
    }

    #[test]
    fn conditions_of_all_levels_count_together() {
        assert_eq!(lines("#[cfg(unix)]\nmod m {\n    #[cfg(test)]\n    fn f() {}\n}\n").0, [3, 4]);
        assert_eq!(lines("#[cfg(test)]\nmod m {\n#[cfg(windows)]\nfn f() {}\n}\n").0, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn statements_expressions_fields_and_arms_have_their_own_conditions() {
        let text = "struct S {\n    a: u8,\n    #[cfg(test)]\n    b: u8,\n}\nfn f(x: u8) {\n    #[cfg(test)]\n    log(x);\n    #[cfg(windows)]\n    let y = 1;\n    match x {\n        #[cfg(test)]\n        0 => {}\n        _ => {}\n    }\n    #[cfg(windows)]\n    {\n    }\n}\n";
        assert_eq!(lines(text), (vec![3, 4, 7, 8, 12, 13], vec![9, 10, 16, 17, 18]));
    }

    #[test]
    fn code_that_is_left_out_names_the_features_that_it_waits_for() {
        let text = "#[cfg(feature = \"a\")]\nmod m {}\nmod n {\n#[cfg(feature = \"b\")]\n#[test]\nfn t() {}\n}\n#[cfg(windows)]\nfn w() {}\n";
        let file = SourceFile::parse("src/lib.rs", text).unwrap();
        let regions = Regions::of(&file, &CfgSet::from_rustc_lines("unix"), &[]);
        assert_eq!(regions.missing_features(2), Some(&["a".to_owned()][..]));
        assert_eq!(regions.missing_features(6), Some(&["b".to_owned()][..]));
        assert_eq!(regions.missing_features(9), Some(&[][..]));
        assert_eq!(regions.missing_features(3), None);
    }

    #[test]
    fn a_file_may_be_test_code_as_a_whole() {
        assert_eq!(lines("#![cfg(test)]\n\nfn h() {}\n").0, [1, 2, 3]);
        let file = SourceFile::parse("src/t.rs", "fn h() {}\n").unwrap();
        let cfg = CfgSet::from_rustc_lines("unix");
        assert!(Regions::of(&file, &cfg, &[CfgExpr::Name("test".into())]).is_test_line(1));
        assert!(Regions::of(&file, &cfg, &[CfgExpr::Name("windows".into())]).is_off_line(1));
    }

    #[test]
    fn items_that_a_macro_wraps_are_seen() {
        let text = "cfg_rt! {\n    fn a() {}\n    #[cfg(test)]\n    mod t {}\n}\ncfg_if! {\n    if #[cfg(test)] {\n        fn h() {}\n    } else if #[cfg(windows)] {\n        fn w() {}\n    }\n}\n";
        assert_eq!(lines(text), (vec![3, 4, 8], vec![10]));
    }

    #[test]
    fn property_macros_hold_test_code_wherever_they_stand() {
        assert_eq!(lines("proptest! {\n    #[test]\n    fn p(x in 0..9) {}\n}\nfn f() {}\n").0, [1, 2, 3, 4]);
    }
}
