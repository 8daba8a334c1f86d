//! One walk over a file's syntax: shows every node to the selected operators in the role it plays, and notes what is
//! left alone and why.

use super::Operator;
use super::known_macros::{Arguments, arguments};
use super::local_macros::LocalMacros;
use super::node::{Cx, Form, Node, Proposal, ReturnPlace, Sink, guard_of, holds_let};
use super::operators::ALL;
use super::signatures::Signatures;
use super::syntax::{
    LOOKS_UP, attributes, bare_string, has_side_effect, is_duration, is_number, name_is, node_is_temporary_free,
    open_type, pattern_literals, type_name,
};
use crate::source::SourceFile;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ImplItem, Item, Lit, Macro, Pat, ReturnType, Safety, Signature, Stmt, TraitItem, Type, UnOp,
};

/// What the caller wants to see.
#[derive(Default)]
pub struct WalkOptions<'a> {
    /// Look inside `unsafe` as well.
    pub unsafe_code: bool,
    /// Names of arid rules that are switched off.
    pub arid_off: &'a [String],
    /// Macros of the crate whose arguments are plain expressions; those of the file itself are found anyway.
    pub macros: LocalMacros,
    /// Everything here is evaluated by the compiler (a proc-macro crate, say): nothing can be switched at run time.
    pub rebuild_all: bool,
}

/// Code that no operator may touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// Bytes of the file.
    pub range: Range<usize>,
    /// The reason in reports, e.g. `unsafe` or `arid:logging`.
    pub reason: &'static str,
}

/// A proposal with the item that it stands in.
#[derive(Clone)]
pub struct Located {
    /// The mutant.
    pub proposal: Proposal,
    /// Path of the enclosing item in the file, e.g. `Parser::next`.
    pub item: String,
    /// Bytes of the enclosing function or item.
    pub item_range: Range<usize>,
}

/// The result of a walk.
#[derive(Default)]
pub struct Found {
    /// In source order, operators in catalog order.
    pub proposals: Vec<Located>,
    /// What was left alone.
    pub skips: Vec<Skip>,
}

/// Walks one parsed file.
pub fn walk(source: &SourceFile, operators: &[&'static Operator], options: &WalkOptions<'_>) -> Found {
    let file = &source.ast;
    let mut signatures = Signatures::default();
    signatures.collect(&file.items);
    let mut macros = options.macros.clone();
    macros.collect(&file.items);
    let mut walker = Walker {
        source,
        operators,
        options,
        signatures,
        macros,
        found: Found::default(),
        path: Vec::new(),
        item_range: 0..source.text.len(),
        open_locals: Vec::new(),
        returns: None,
        constant: options.rebuild_all,
        constness: None,
        terminating: false,
    };
    for item in &file.items {
        walker.item(item);
    }
    let mut found = walker.found;
    found.proposals.sort_by_key(|located| {
        let rank = ALL.iter().position(|op| op.name == located.proposal.operator.name);
        (located.proposal.site.start, located.proposal.span.start, located.proposal.span.end, rank)
    });
    found
}

struct Walker<'a> {
    source: &'a SourceFile,
    operators: &'a [&'static Operator],
    options: &'a WalkOptions<'a>,
    signatures: Signatures,
    macros: LocalMacros,
    found: Found,
    path: Vec<String>,
    item_range: Range<usize>,
    open_locals: Vec<String>,
    returns: Option<Type>,
    constant: bool,
    constness: Option<Range<usize>>,
    terminating: bool,
}

impl Walker<'_> {
    fn range(&self, node: &impl Spanned) -> Range<usize> {
        self.source.byte_range(node.span())
    }

    fn skip(&mut self, node: &impl Spanned, reason: &'static str) {
        let range = self.range(node);
        self.found.skips.push(Skip { range, reason });
    }

    /// Shows a node to every operator.
    fn show(&mut self, node: &Node<'_>, terminating: bool) {
        let mut made = Vec::new();
        let arm_safe = terminating || node_is_temporary_free(node);
        let cx = Cx {
            source: self.source,
            text: &self.source.text,
            open_locals: &self.open_locals,
            defaults: &self.signatures.defaults,
            terminating,
        };
        for operator in self.operators {
            (operator.propose)(node, &cx, &mut Sink { operator, arm_safe, out: &mut made });
        }
        for mut proposal in made {
            proposal.constness = self.constness.clone();
            if self.constant {
                proposal.form = Form::Rebuild;
            }
            let (item, item_range) = (self.path.join("::"), self.item_range.clone());
            self.found.proposals.push(Located { proposal, item, item_range });
        }
    }

    /// Runs `inside` with a name added to the item path and, for functions, a fresh body context.
    fn named(&mut self, name: String, range: Option<Range<usize>>, inside: impl FnOnce(&mut Self)) {
        self.path.push(name);
        let outer = range.map(|range| std::mem::replace(&mut self.item_range, range));
        inside(self);
        if let Some(outer) = outer {
            self.item_range = outer;
        }
        self.path.pop();
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Fn(f) => self.function(&f.sig, &f.block, self.range(f)),
            Item::Impl(i) => {
                let name = type_name(&i.self_ty);
                let debug = i
                    .trait_
                    .as_ref()
                    .is_some_and(|(path, _)| path.segments.last().is_some_and(|last| last.ident == "Debug"));
                if debug && !self.options.arid_off.iter().any(|rule| rule == "debug-impl") {
                    return self.skip(i, "arid:debug-impl");
                }
                self.named(name, None, |w| {
                    for item in &i.items {
                        match item {
                            ImplItem::Fn(f) => w.function(&f.sig, &f.block, w.range(f)),
                            ImplItem::Const(c) => w.constant_item(c.ident.to_string(), &c.expr, w.range(c)),
                            ImplItem::Macro(m) => w.skip(m, "macro-arguments"),
                            _ => {}
                        }
                    }
                });
            }
            Item::Trait(t) => self.named(t.ident.to_string(), None, |w| {
                for item in &t.items {
                    match item {
                        TraitItem::Fn(f) => {
                            if let Some(block) = &f.default {
                                w.function(&f.sig, block, w.range(f));
                            }
                        }
                        TraitItem::Const(c) => {
                            if let Some((_, expr)) = &c.default {
                                w.constant_item(c.ident.to_string(), expr, w.range(c));
                            }
                        }
                        _ => {}
                    }
                }
            }),
            Item::Mod(m) => {
                if let Some((_, items)) = &m.content {
                    self.named(m.ident.to_string(), None, |w| items.iter().for_each(|item| w.item(item)));
                }
            }
            Item::Const(c) => self.constant_item(c.ident.to_string(), &c.expr, self.range(c)),
            Item::Static(s) => self.constant_item(s.ident.to_string(), &s.expr, self.range(s)),
            Item::Enum(e) => {
                for variant in &e.variants {
                    if let Some((_, expr)) = &variant.discriminant {
                        self.constant_item(e.ident.to_string(), expr, self.range(variant));
                    }
                }
            }
            Item::Macro(m) if m.mac.path.is_ident("macro_rules") => self.skip(m, "macro-definition"),
            Item::Macro(m) => self.skip(m, "macro-arguments"),
            _ => {}
        }
    }

    fn function(&mut self, sig: &Signature, block: &Block, range: Range<usize>) {
        if matches!(sig.safety, Safety::Unsafe(_)) && !self.options.unsafe_code {
            let range = self.range(block);
            return self.found.skips.push(Skip { range, reason: "unsafe" });
        }
        let returns = match &sig.output {
            ReturnType::Type(_, ty) => Some((**ty).clone()),
            ReturnType::Default => None,
        };
        self.named(sig.ident.to_string(), Some(range), |w| {
            let constant = std::mem::replace(&mut w.constant, w.options.rebuild_all);
            let token = sig.constness.map(|token| w.range(&token));
            let constness = std::mem::replace(&mut w.constness, token);
            let locals = std::mem::take(&mut w.open_locals);
            let outer = std::mem::replace(&mut w.returns, returns);
            w.returned_block(block);
            w.block(block);
            w.returns = outer;
            w.open_locals = locals;
            w.constness = constness;
            w.constant = constant;
        });
    }

    fn constant_item(&mut self, name: String, expr: &Expr, range: Range<usize>) {
        self.named(name, Some(range), |w| w.in_constant(expr));
    }

    fn in_constant(&mut self, expr: &Expr) {
        let outer = std::mem::replace(&mut self.constant, true);
        self.expr(expr);
        self.constant = outer;
    }

    // ---- returned values -----------------------------------------------------------------------------------------

    fn returned_block(&mut self, block: &Block) {
        if let Some(Stmt::Expr(tail, None)) = block.stmts.last() {
            // Locals are known only once the block was walked; open ones are looked up by a walk of their own.
            let before = self.open_locals.len();
            self.collect_locals(block);
            self.returned(tail, ReturnPlace::BlockTail);
            self.open_locals.truncate(before);
        }
    }

    fn returned(&mut self, expr: &Expr, place: ReturnPlace) {
        match expr {
            Expr::If(e) => {
                self.returned_block(&e.then_branch);
                if let Some((_, other)) = &e.else_branch {
                    self.returned(other, place);
                }
            }
            Expr::Match(e) => {
                for arm in &e.arms {
                    self.returned(&arm.body, ReturnPlace::ArmBody);
                }
            }
            Expr::Block(e) if e.label.is_none() => self.returned_block(&e.block),
            Expr::Unsafe(_) | Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Block(_) => {}
            _ => self.show_returned(expr, place, None),
        }
    }

    fn show_returned(&mut self, expr: &Expr, place: ReturnPlace, site: Option<Range<usize>>) {
        let Some(ty) = self.returns.clone() else { return };
        if self.path.last().is_some_and(|name| name == "default") {
            // The plain value of `default()` is itself.
            return;
        }
        let before = self.found.proposals.len();
        self.show(&Node::Returned { expr, ty: &ty, place }, true);
        if let Some(site) = site {
            self.found.proposals[before..].iter_mut().for_each(|located| located.proposal.site = site.clone());
        }
    }

    fn collect_locals(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if let Stmt::Local(local) = stmt {
                self.note_local(local);
            }
        }
    }

    fn note_local(&mut self, local: &syn::Local) {
        if let Pat::Ident(ident) = &local.pat {
            let open = match &local.init {
                None => true,
                Some(init) => open_type(&init.expr),
            };
            let name = ident.ident.to_string();
            self.open_locals.retain(|known| *known != name);
            if open {
                self.open_locals.push(name);
            }
        }
    }

    // ---- statements ----------------------------------------------------------------------------------------------

    fn block(&mut self, block: &Block) {
        self.statements(block, false);
    }

    /// `optional`: the block's value is `()` and nothing needs its last statement to leave it.
    fn statements(&mut self, block: &Block, optional: bool) {
        let before = self.open_locals.clone();
        for pair in block.stmts.windows(2) {
            self.show(&Node::Neighbours(&pair[0], &pair[1]), true);
        }
        for stmt in &block.stmts {
            match stmt {
                Stmt::Local(local) => {
                    if let Some(init) = &local.init {
                        // A reference's temporary lives as long as the local.
                        self.terminating = !matches!(&*init.expr, Expr::Reference(_));
                        self.expr(&init.expr);
                        if let Some((_, diverge)) = &init.diverge {
                            self.expr(diverge);
                        }
                    }
                    self.note_local(local);
                }
                Stmt::Item(item) => self.item(item),
                Stmt::Expr(expr, semi) => {
                    if semi.is_some() && attributes(expr).is_empty() {
                        self.show(&Node::Statement { stmt, optional }, true);
                    }
                    self.terminating = true;
                    self.expr(expr);
                }
                Stmt::Macro(m) => self.mac(&m.mac),
            }
        }
        self.open_locals = before;
    }

    // ---- expressions ---------------------------------------------------------------------------------------------

    /// A boolean that decides something.
    fn predicate(&mut self, expr: &Expr) {
        if !holds_let(expr) {
            self.show(&Node::Predicate(expr), true);
        }
        self.terminating = true;
        self.expr(expr);
    }

    fn bounds(&mut self, expr: &Expr) {
        if let Expr::Range(range) = expr {
            for end in [&range.start, &range.end].into_iter().flatten() {
                if !matches!(&**end, Expr::Lit(_)) {
                    self.show(&Node::Bound(end), false);
                }
            }
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    /// Expressions among which a bare string literal decides something.
    fn deciding<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>, decides: bool) {
        for expr in exprs {
            match bare_string(expr).filter(|_| decides) {
                Some(lit) => self.show(&Node::Str { lit, decides: true }, true),
                None => self.expr(expr),
            }
        }
    }

    /// Closures that answer yes or no.
    fn predicates<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>) {
        for arg in args {
            match arg {
                Expr::Closure(closure) if !matches!(*closure.body, Expr::Block(_)) => {
                    self.body_of_its_own(|w| w.predicate(&closure.body));
                }
                other => self.expr(other),
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let terminating = std::mem::take(&mut self.terminating);
        match expr {
            Expr::Lit(e) => match &e.lit {
                Lit::Int(lit) => self.show(&Node::Int { lit, negated: None }, terminating),
                Lit::Bool(lit) => self.show(&Node::Bool(lit), terminating),
                Lit::Str(lit) => self.show(&Node::Str { lit, decides: false }, terminating),
                Lit::Char(_) | Lit::Byte(_) => self.show(&Node::Char(&e.lit), terminating),
                _ => {}
            },
            Expr::Binary(e) => {
                self.show(&Node::Binary(e), terminating);
                if matches!(e.op, BinOp::And(_) | BinOp::Or(_)) {
                    self.predicate(&e.left);
                    self.predicate(&e.right);
                } else {
                    let decides = matches!(e.op, BinOp::Eq(_) | BinOp::Ne(_));
                    self.deciding([&*e.left, &*e.right], decides);
                }
            }
            Expr::Unary(e) => match (&e.op, &*e.expr) {
                (UnOp::Neg(_), Expr::Lit(lit)) => {
                    if let Lit::Int(lit) = &lit.lit {
                        let negated = Some(self.range(e));
                        self.show(&Node::Int { lit, negated }, terminating);
                    }
                }
                _ => {
                    self.show(&Node::Unary(e), terminating);
                    self.expr(&e.expr);
                }
            },
            Expr::If(e) => {
                self.predicate(&e.cond);
                self.statements(&e.then_branch, e.else_branch.is_none());
                if let Some((_, other)) = &e.else_branch {
                    self.terminating = true;
                    self.expr(other);
                }
            }
            Expr::While(e) => {
                self.predicate(&e.cond);
                self.statements(&e.body, true);
            }
            Expr::ForLoop(e) => {
                self.bounds(&e.expr);
                self.expr(&e.expr);
                self.statements(&e.body, true);
            }
            Expr::Loop(e) => self.statements(&e.body, true),
            Expr::Block(e) => self.block(&e.block),
            Expr::Async(e) => self.body_of_its_own(|w| w.block(&e.block)),
            Expr::TryBlock(e) => self.body_of_its_own(|w| w.block(&e.block)),
            Expr::Closure(e) => self.body_of_its_own(|w| {
                w.terminating = true;
                w.expr(&e.body);
            }),
            Expr::Unsafe(e) => {
                if self.options.unsafe_code {
                    self.block(&e.block);
                } else {
                    self.skip(e, "unsafe");
                }
            }
            Expr::Const(e) => {
                let outer = std::mem::replace(&mut self.constant, true);
                self.block(&e.block);
                self.constant = outer;
            }
            Expr::Match(e) => {
                self.expr(&e.expr);
                for (index, arm) in e.arms.iter().enumerate() {
                    self.show(&Node::Arm { whole: e, index }, true);
                    for lit in pattern_literals(&arm.pat) {
                        self.show(&Node::PatternLit { lit, whole: e, index }, true);
                    }
                    if let Some(guard) = guard_of(arm) {
                        self.show(&Node::Guard(guard), true);
                        self.predicate(guard);
                    }
                    self.terminating = true;
                    self.expr(&arm.body);
                }
            }
            Expr::Call(e) => {
                if let Expr::Path(path) = &*e.func {
                    let name = path.path.segments.last().map(|last| last.ident.to_string());
                    self.call(expr, name, false, e.args.iter().collect(), terminating);
                    self.show(&Node::Call(e), terminating);
                    if is_duration(&path.path) {
                        return self.arid(&e.args, "arid:duration");
                    }
                    if name_is(&path.path, "with_capacity") {
                        return self.arid(&e.args, "arid:capacity");
                    }
                } else {
                    self.expr(&e.func);
                }
                self.exprs(&e.args);
            }
            Expr::MethodCall(e) => {
                let method = e.method.to_string();
                self.call(expr, Some(method.clone()), true, e.args.iter().collect(), terminating);
                self.show(&Node::Method(e), terminating);
                self.expr(&e.receiver);
                match method.as_str() {
                    "reserve" | "reserve_exact" | "with_capacity" => self.arid(&e.args, "arid:capacity"),
                    // A message for whoever reads the panic.
                    "expect" | "expect_err" => self.arid(&e.args, "arid:panic-message"),
                    "filter" | "any" | "all" | "retain" | "take_while" | "skip_while" | "position" | "rposition"
                    | "find" | "partition" | "is_some_and" | "is_ok_and" | "is_none_or" => self.predicates(&e.args),
                    name => self.deciding(&e.args, LOOKS_UP.contains(&name)),
                }
            }
            Expr::Return(e) => {
                if let Some(value) = &e.expr {
                    let site = self.range(e);
                    self.show_returned(value, ReturnPlace::Operand, Some(site));
                    self.terminating = true;
                    self.expr(value);
                }
            }
            Expr::Continue(_) => self.show(&Node::LoopControl(expr), terminating),
            Expr::Break(e) => {
                if e.expr.is_none() {
                    self.show(&Node::LoopControl(expr), terminating);
                }
                if let Some(value) = &e.expr {
                    self.terminating = true;
                    self.expr(value);
                }
            }
            Expr::Index(e) => {
                self.expr(&e.expr);
                self.bounds(&e.index);
                self.deciding([&*e.index], true);
            }
            Expr::Assign(e) => {
                self.expr(&e.left);
                self.terminating = terminating;
                self.expr(&e.right);
            }
            Expr::Repeat(e) => {
                self.expr(&e.expr);
                self.in_constant(&e.len);
            }
            Expr::Macro(e) => self.mac(&e.mac),
            Expr::Array(e) => self.exprs(&e.elems),
            Expr::Tuple(e) => self.exprs(&e.elems),
            Expr::Struct(e) => {
                if let Some(same) = self.signatures.same_fields(e) {
                    self.show(&Node::Fields { whole: e, same }, terminating);
                }
                e.fields.iter().for_each(|field| {
                    // `Self { len }` has no expression of its own.
                    if field.colon_token.is_some() {
                        self.expr(&field.expr);
                    }
                });
                if let Some(rest) = &e.rest {
                    self.expr(rest);
                }
            }
            Expr::Range(e) => {
                self.show(&Node::Range(e), terminating);
                self.exprs([&e.start, &e.end].into_iter().flatten().map(|end| &**end));
            }
            Expr::Paren(e) => {
                self.terminating = terminating;
                self.expr(&e.expr);
            }
            Expr::Group(e) => self.expr(&e.expr),
            Expr::Reference(e) => self.expr(&e.expr),
            Expr::RawAddr(e) => self.expr(&e.expr),
            Expr::Field(e) => self.expr(&e.base),
            Expr::Cast(e) => {
                let before = self.found.proposals.len();
                self.expr(&e.expr);
                if is_number(&e.expr) {
                    // A literal takes its type from the cast around it, so the cast is switched with it.
                    let site = self.range(e);
                    self.found.proposals[before..].iter_mut().for_each(|l| l.proposal.site = site.clone());
                }
            }
            Expr::Try(e) => {
                self.show(&Node::Try(e), terminating);
                self.expr(&e.expr);
            }
            Expr::Await(e) => self.expr(&e.base),
            Expr::Let(e) => self.expr(&e.expr),
            Expr::Yield(e) => {
                if let Some(value) = &e.expr {
                    self.expr(value);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, whole: &Expr, name: Option<String>, method: bool, args: Vec<&Expr>, terminating: bool) {
        let Some(name) = name else { return };
        if let [first, second, ..] = args[..]
            && self.signatures.swaps(&name, method, args.len())
        {
            self.show(&Node::Swappable { whole, args: [first, second] }, terminating);
        }
    }

    /// Code whose `return` is not the function's and that runs later: no returned values, never a constant.
    fn body_of_its_own(&mut self, inside: impl FnOnce(&mut Self)) {
        let returns = self.returns.take();
        let constant = std::mem::replace(&mut self.constant, self.options.rebuild_all);
        inside(self);
        self.returns = returns;
        self.constant = constant;
    }

    fn arid<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>, reason: &'static str) {
        let rule = reason.trim_start_matches("arid:");
        let off = self.options.arid_off.iter().any(|name| name == rule);
        for arg in args {
            // A side effect is never arid.
            if off || has_side_effect(arg) {
                self.expr(arg);
            } else {
                self.skip(arg, reason);
            }
        }
    }

    fn mac(&mut self, mac: &Macro) {
        match arguments(mac, &self.macros, self.options.arid_off) {
            Arguments::Values { exprs, predicate } => {
                for (index, expr) in exprs.iter().enumerate() {
                    if predicate && index == 0 {
                        self.predicate(expr);
                    } else {
                        self.expr(expr);
                    }
                }
            }
            Arguments::Arid(reason) => self.skip(mac, reason),
            Arguments::Unknown => self.skip(mac, "macro-arguments"),
        }
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
pub(super) mod tests;
