//! What one file declares about other files, and rustc's rules for where those lie.

use crate::source::SourceFile;
use crate::source::cfg_expr::{CfgExpr, applied, cfg_if_branches, cfgs_of};
use crate::source::items::{attrs_of, is_test, is_test_macro};
use camino::{Utf8Path, Utf8PathBuf};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Lit, Meta};

/// Everything that a file says about other files, and its own inner conditions.
#[derive(Debug, Default)]
pub(super) struct FileDecls {
    pub cfgs: Vec<CfgExpr>,
    pub decls: Vec<Decl>,
}

/// One declaration that leads to another file.
#[derive(Debug, Clone)]
pub(super) struct Decl {
    /// Inline modules around it, outermost first.
    pub inside: Vec<Inline>,
    /// Conditions of everything around it in the file and of itself.
    pub cfgs: Vec<CfgExpr>,
    /// Whether it stands in a function body.
    pub in_block: bool,
    /// Its line.
    pub line: u32,
    pub route: Route,
}

/// An inline module on the way.
#[derive(Debug, Clone)]
pub(super) struct Inline {
    pub name: String,
    /// Its `#[path]`, which names a directory.
    pub path: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) enum Route {
    /// `mod name;` with its `path` attributes and their conditions.
    Module { name: String, paths: Vec<(Vec<CfgExpr>, String)> },
    /// `include!`.
    Include { base: Base, path: String },
}

/// What an `include!`d path is relative to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Base {
    /// The file with the invocation.
    File,
    /// `concat!(env!("CARGO_MANIFEST_DIR"), ..)`.
    Manifest,
}

/// Where `mod x;` is looked for: rustc's `dir_path` and `DirOwnership::Owned { relative }`.
#[derive(Debug, Clone)]
pub(super) struct Place {
    dir: Utf8PathBuf,
    /// The file's own stem, where the file is neither a crate root nor a `mod.rs`.
    offset: Option<String>,
}

/// A file that a declaration may mean, under further conditions.
pub(super) struct Candidate {
    pub when: Vec<CfgExpr>,
    /// The first that exists is meant.
    pub files: Vec<(Utf8PathBuf, Place)>,
}

impl Place {
    /// Of a crate root, a `mod.rs`, a `#[path]` or an `include!`d file.
    pub fn root(file: &Utf8Path) -> Place {
        Place { dir: file.parent().map(Utf8Path::to_owned).unwrap_or_default(), offset: None }
    }

    /// Inside an inline module.
    pub fn enter(mut self, module: &Inline) -> Place {
        match &module.path {
            Some(path) => Place { dir: super::normal(&self.dir.join(path)), offset: None },
            None => {
                self.dir.extend(self.offset.take());
                self.dir.push(&module.name);
                self
            }
        }
    }

    /// Inside a function body.
    pub fn without_offset(self) -> Place {
        Place { offset: None, ..self }
    }

    /// The files that `mod name;` may mean. A `path` without a condition leaves no other choice.
    pub fn candidates(&self, name: &str, paths: &[(Vec<CfgExpr>, String)]) -> Vec<Candidate> {
        let mut out = Vec::new();
        let mut otherwise = Vec::new();
        for (when, path) in paths {
            let file = super::normal(&self.dir.join(path));
            let next = Place::root(&file);
            let when: Vec<CfgExpr> = otherwise.iter().chain(when).cloned().collect();
            let certain = when.len() == otherwise.len();
            out.push(Candidate { when: when.clone(), files: vec![(file, next)] });
            if certain {
                return out;
            }
            otherwise.push(CfgExpr::All(when).negated());
        }
        let dir = self.offset.iter().fold(self.dir.clone(), |dir, offset| dir.join(offset));
        let (beside, below) = (dir.join(format!("{name}.rs")), dir.join(name).join("mod.rs"));
        let files = vec![
            (beside, Place { dir: dir.clone(), offset: Some(name.to_owned()) }),
            (below.clone(), Place::root(&below)),
        ];
        out.push(Candidate { when: otherwise, files });
        out
    }
}

/// Reads the declarations of a file.
pub(super) fn of_file(file: &SourceFile) -> FileDecls {
    let mut finder = Finder { file, inside: Vec::new(), cfgs: Vec::new(), blocks: 0, found: Vec::new() };
    file.ast.items.iter().for_each(|item| finder.visit_item(item));
    FileDecls { cfgs: cfgs_of(&file.ast.attrs), decls: finder.found }
}

struct Finder<'a> {
    file: &'a SourceFile,
    inside: Vec<Inline>,
    cfgs: Vec<CfgExpr>,
    blocks: usize,
    found: Vec<Decl>,
}

impl Finder<'_> {
    fn record(&mut self, route: Route, span: proc_macro2::Span) {
        self.found.push(Decl {
            inside: self.inside.clone(),
            cfgs: self.cfgs.clone(),
            in_block: self.blocks > 0,
            line: self.file.line_range(span).0,
            route,
        });
    }

    /// Visits the inside of something under more conditions.
    fn under(&mut self, cfgs: Vec<CfgExpr>, inside: impl FnOnce(&mut Self)) {
        let depth = self.cfgs.len();
        self.cfgs.extend(cfgs);
        inside(self);
        self.cfgs.truncate(depth);
    }

    /// Visits tokens that are items, or the items in their braces.
    fn items_in(&mut self, tokens: TokenStream) {
        if let Ok(file) = syn::parse2::<syn::File>(tokens.clone()) {
            file.items.iter().for_each(|item| self.visit_item(item));
            return;
        }
        for tree in tokens {
            match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => self.items_in(group.stream()),
                TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attrs = attrs_of(item);
        let mut cfgs = cfgs_of(attrs);
        let test = match item {
            Item::Fn(_) => is_test(attrs),
            Item::Macro(m) => is_test_macro(&m.mac),
            _ => false,
        };
        if test {
            cfgs.push(CfgExpr::Name("test".into()));
        }
        self.under(cfgs, |this| visit::visit_item(this, item));
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let name = module.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        match &module.content {
            None => {
                let paths = paths_of(&module.attrs);
                self.record(Route::Module { name, paths }, module.ident.span());
            }
            Some((_, items)) => {
                // Of several conditional paths of an inline module the first is taken: nobody writes two.
                let path = paths_of(&module.attrs).into_iter().next().map(|(_, path)| path);
                self.inside.push(Inline { name, path });
                items.iter().for_each(|item| self.visit_item(item));
                self.inside.pop();
            }
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.blocks += 1;
        visit::visit_block(self, block);
        self.blocks -= 1;
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let Some(name) = mac.path.segments.last().map(|s| s.ident.to_string()) else { return };
        match name.as_str() {
            "macro_rules" => {}
            "include" => {
                if let Some((base, path)) = included(mac) {
                    self.record(Route::Include { base, path }, mac.path.segments[0].ident.span());
                }
            }
            _ if !mentions(&mac.tokens) => {}
            "cfg_if" => {
                for (cfgs, tokens) in cfg_if_branches(mac.tokens.clone()) {
                    self.under(cfgs, |this| this.items_in(tokens));
                }
            }
            _ => self.under(vec![CfgExpr::Unknown], |this| this.items_in(mac.tokens.clone())),
        }
    }
}

/// Whether tokens can hold a declaration at all; keeps big `vec![..]`s from being parsed again.
fn mentions(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == "mod" || ident == "include",
        TokenTree::Group(group) => mentions(&group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The `path` attributes with their conditions, in order.
fn paths_of(attrs: &[Attribute]) -> Vec<(Vec<CfgExpr>, String)> {
    let path = |attr: crate::source::cfg_expr::Applied| match &attr.meta {
        Meta::NameValue(pair) if attr.is("path") => Some((attr.when.clone(), string(&pair.value)?)),
        _ => None,
    };
    applied(attrs).into_iter().filter_map(path).collect()
}

fn string(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Group(group) => string(&group.expr),
        _ => None,
    }
}

/// The path of an `include!` that can be known without building.
fn included(mac: &syn::Macro) -> Option<(Base, String)> {
    let args = |mac: &syn::Macro| {
        mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated).ok()
    };
    let list = args(mac)?;
    let [argument] = list.iter().collect::<Vec<_>>()[..] else { return None };
    if let Some(path) = string(argument) {
        return Some((Base::File, path));
    }
    let Expr::Macro(concat) = argument else { return None };
    if !concat.mac.path.is_ident("concat") {
        return None;
    }
    let parts = args(&concat.mac)?;
    let mut base = Base::File;
    let mut path = String::new();
    for (index, part) in parts.iter().enumerate() {
        match part {
            Expr::Macro(env) if index == 0 && env.mac.path.is_ident("env") => {
                let name = args(&env.mac)?;
                if string(name.first()?)? != "CARGO_MANIFEST_DIR" {
                    return None;
                }
                base = Base::Manifest;
            }
            _ => path.push_str(&string(part)?),
        }
    }
    match base {
        Base::File => Some((base, path)),
        Base::Manifest => Some((base, path.trim_start_matches(['/', '\\']).to_owned())),
    }
}
