//! What operators see and what they answer: syntax nodes in context, and proposals with the form that weaves them.

use super::Operator;
use crate::source::SourceFile;
use std::collections::HashSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{
    Arm, Expr, ExprBinary, ExprCall, ExprMatch, ExprMethodCall, ExprRange, ExprStruct, ExprTry, ExprUnary, Lit,
    LitBool, LitInt, LitStr, Stmt, Type,
};

/// One syntax node together with the role that it plays where it stands.
pub enum Node<'a> {
    /// A binary expression, assignment operators among them.
    Binary(&'a ExprBinary),
    /// A boolean leaf that decides something: a condition, an operand of `&&`/`||`, a guard. Never holds a `let`.
    Predicate(&'a Expr),
    /// `!x` or `-x`.
    Unary(&'a ExprUnary),
    /// An integer literal in value position.
    Int {
        /// The literal, without a sign.
        lit: &'a LitInt,
        /// The bytes of the minus sign before it, where one negates it.
        negated: Option<Range<usize>>,
    },
    /// `true` or `false` in value position.
    Bool(&'a LitBool),
    /// One end of a range that indexes or is iterated over; not a literal.
    Bound(&'a Expr),
    /// An expression statement with its semicolon.
    Statement {
        /// The statement.
        stmt: &'a Stmt,
        /// Whether nothing needs it to end the block: the body of an `if` without `else`, or of a loop.
        optional: bool,
    },
    /// Two statements that follow each other.
    Neighbours(&'a Stmt, &'a Stmt),
    /// A method call.
    Method(&'a ExprMethodCall),
    /// A call of a path, e.g. `Some(x)` or `Duration::from_secs(5)`.
    Call(&'a ExprCall),
    /// A string literal in value position.
    Str {
        /// The literal.
        lit: &'a LitStr,
        /// Whether it is compared, searched for or looked up, and not only shown.
        decides: bool,
    },
    /// A character or byte literal in value position.
    Char(&'a Lit),
    /// `break` or `continue` without a value.
    LoopControl(&'a Expr),
    /// A range in value position.
    Range(&'a ExprRange),
    /// `x?`.
    Try(&'a ExprTry),
    /// A struct literal with two fields of the same type.
    Fields {
        /// The literal.
        whole: &'a ExprStruct,
        /// The two fields, by their 0-based place in the literal.
        same: [usize; 2],
    },
    /// A literal in the pattern of a match arm.
    PatternLit {
        /// The literal.
        lit: &'a Lit,
        /// The match.
        whole: &'a ExprMatch,
        /// The arm, from 0.
        index: usize,
    },
    /// The guard of a match arm.
    Guard(&'a Expr),
    /// An arm of a match.
    Arm {
        /// The match.
        whole: &'a ExprMatch,
        /// The arm, from 0.
        index: usize,
    },
    /// An expression whose value the enclosing function returns: a tail, or the operand of `return`.
    Returned {
        /// The expression.
        expr: &'a Expr,
        /// What the function says it returns.
        ty: &'a Type,
        /// Where the expression stands.
        place: ReturnPlace,
    },
    /// The arguments of a call to a function whose first two parameters have the same type.
    Swappable {
        /// The call.
        whole: &'a Expr,
        /// Its first two arguments.
        args: [&'a Expr; 2],
    },
}

/// Where a returned expression stands, which decides how an early return is put before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnPlace {
    /// Last in a block: statements may stand before it.
    BlockTail,
    /// The bare body of a match arm: needs a block around it.
    ArmBody,
    /// The operand of `return`; the range of the whole `return` expression is replaced by a block.
    Operand,
}

/// How a mutant can be put behind a run-time switch without changing what the code does while the switch is off.
///
/// All ranges are bytes of the original file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Operands are evaluated once, in order, and stay alive to the end of the statement; only the operator is chosen.
    Operands {
        /// Left operand.
        left: Range<usize>,
        /// Right operand.
        right: Range<usize>,
        /// The operator in the source.
        from: &'static str,
        /// The operator in the mutant.
        to: &'static str,
        /// Comparisons look at their operands by reference.
        by_ref: bool,
    },
    /// `!x` or `-x` against `x`; the operand is evaluated once.
    Drop {
        /// The operand.
        operand: Range<usize>,
        /// `!` or `-`.
        from: &'static str,
    },
    /// A boolean that is negated: `(x) ^ on`.
    Negate,
    /// A boolean that is true: `on || (x)`.
    OrTrue,
    /// A whole value expression whose temporaries end with it, or that has none.
    Value,
    /// An expression statement: left out, or replaced.
    Statement,
    /// A match arm that a guard switches off. `guard` is the guard there is; `after` where one can be put.
    ArmGuard {
        /// The guard's expression.
        guard: Option<Range<usize>>,
        /// Byte after the pattern.
        after: usize,
    },
    /// A match arm that gives way to a changed copy of itself.
    ArmCopy {
        /// Where the arm begins.
        at: usize,
        /// The guard's expression.
        guard: Option<Range<usize>>,
        /// Byte after the pattern.
        after: usize,
        /// The copy's pattern.
        pattern: String,
        /// The copy's guard.
        condition: Option<String>,
        /// The copy's body.
        body: String,
    },
    /// A function that returns what another body gives.
    OtherBody {
        /// Byte after the opening brace.
        at: usize,
        /// The statements of the other body.
        body: String,
    },
    /// An early return before the returned expression.
    Return {
        /// Where the expression stands.
        place: ReturnPlace,
    },
    /// No switch can keep the meaning: compiled alone.
    Rebuild,
}

/// One mutant that an operator proposes.
#[derive(Clone)]
pub struct Proposal {
    /// Who proposes it.
    pub operator: &'static Operator,
    /// The bytes that are replaced.
    pub span: Range<usize>,
    /// What stands there instead.
    pub replacement: String,
    /// The node that is switched; holds `span`.
    pub site: Range<usize>,
    /// How it is switched.
    pub form: Form,
    /// Whether the whole site may stand in an arm: it makes no temporaries, or they end with it anyway.
    pub arm_safe: bool,
    /// The `const` of the enclosing function, which a switch at run time has to do without.
    pub constness: Option<Range<usize>>,
    /// Whether leaving out the original text may leave a type unknown, so that the compiler has to be asked.
    pub drops_types: bool,
}

/// What operators may know of a node's surroundings.
pub struct Cx<'a> {
    /// The file.
    pub source: &'a SourceFile,
    /// Its whole text.
    pub text: &'a str,
    /// Locals of the enclosing function whose type is open until they are used.
    pub open_locals: &'a [String],
    /// Types of this file that have a default.
    pub defaults: &'a HashSet<String>,
    /// Whether temporaries of the node end with it anyway (conditions, statements, tails …).
    pub terminating: bool,
}

impl Cx<'_> {
    /// The bytes of a node in the file.
    pub fn range(&self, node: &impl Spanned) -> Range<usize> {
        self.source.byte_range(node.span())
    }

    /// The text of a node.
    pub fn text_of(&self, node: &impl Spanned) -> &str {
        &self.text[self.range(node)]
    }

    /// Whether some bytes lie on one line.
    pub fn one_line(&self, range: &Range<usize>) -> bool {
        !self.text[range.clone()].contains('\n')
    }

    /// Whether the text of a range names a local whose type is still open.
    pub fn names_open_local(&self, range: &Range<usize>) -> bool {
        !self.open_locals.is_empty()
            && words(&self.text[range.clone()]).any(|word| self.open_locals.iter().any(|local| local == word))
    }
}

/// The identifier-like words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Methods of the standard library that return numbers, truth values or plain references.
const PLAIN_METHODS: &[&str] = &[
    "len",
    "is_empty",
    "as_bytes",
    "as_str",
    "as_slice",
    "len_utf8",
    "abs",
    "pow",
    "min",
    "max",
    "saturating_add",
    "saturating_sub",
    "wrapping_add",
    "wrapping_sub",
    "count_ones",
    "leading_zeros",
    "trailing_zeros",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "is_ascii_digit",
    "is_ascii_whitespace",
    "is_alphabetic",
    "is_ascii_alphabetic",
];

/// Whether evaluating the expression makes no temporary whose end could be noticed.
pub fn temporary_free(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        // A number has no fields.
        Expr::Field(e) => temporary_free(&e.base) && is_place(&e.base),
        Expr::Paren(e) => temporary_free(&e.expr),
        Expr::Group(e) => temporary_free(&e.expr),
        // What operators and calls give is a temporary when it is borrowed; a number's is nothing that could be noticed.
        Expr::Reference(e) => temporary_free(&e.expr) && (is_place(&e.expr) || is_literal(&e.expr)),
        Expr::Unary(e) => temporary_free(&e.expr),
        Expr::Cast(e) => temporary_free(&e.expr),
        Expr::Binary(e) => temporary_free(&e.left) && temporary_free(&e.right),
        Expr::Index(e) => temporary_free(&e.expr) && temporary_free(&e.index),
        Expr::Tuple(e) => e.elems.iter().all(temporary_free),
        // What these return has no destructor that could be noticed.
        Expr::MethodCall(e) => {
            PLAIN_METHODS.contains(&e.method.to_string().as_str())
                && temporary_free(&e.receiver)
                && e.args.iter().all(temporary_free)
        }
        Expr::Range(e) => [&e.start, &e.end].into_iter().flatten().all(|end| temporary_free(end)),
        _ => false,
    }
}

/// Whether borrowing an expression borrows what is there already.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Index(_) => true,
        Expr::Field(e) => is_place(&e.base),
        Expr::Paren(e) => is_place(&e.expr),
        Expr::Group(e) => is_place(&e.expr),
        Expr::Unary(e) => matches!(e.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Paren(e) => is_literal(&e.expr),
        Expr::Group(e) => is_literal(&e.expr),
        Expr::Unary(e) => is_literal(&e.expr),
        Expr::Reference(e) => is_literal(&e.expr) || is_place(&e.expr),
        Expr::Cast(_) => true,
        _ => false,
    }
}

/// Whether an expression whose value is moved where it stands, say into a function that is called with it, makes no
/// temporary whose end could be noticed. What a call returns is none there.
pub fn moved_without_temporaries(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(e) => moved_without_temporaries(&e.expr),
        Expr::Group(e) => moved_without_temporaries(&e.expr),
        Expr::Cast(e) => moved_without_temporaries(&e.expr),
        Expr::Try(e) => moved_without_temporaries(&e.expr),
        Expr::Tuple(e) => e.elems.iter().all(moved_without_temporaries),
        Expr::Array(e) => e.elems.iter().all(moved_without_temporaries),
        Expr::Call(e) => temporary_free(&e.func) && e.args.iter().all(moved_without_temporaries),
        // A receiver may be borrowed.
        Expr::MethodCall(e) => temporary_free(&e.receiver) && e.args.iter().all(moved_without_temporaries),
        // Fields of a base that are not taken end with the statement.
        Expr::Struct(e) => {
            e.fields.iter().all(|field| moved_without_temporaries(&field.expr))
                && e.rest.as_deref().is_none_or(temporary_free)
        }
        Expr::Closure(_) => true,
        _ => temporary_free(expr),
    }
}

/// Whether a `let` stands in a condition, which then cannot be wrapped.
pub fn holds_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(e) => holds_let(&e.left) || holds_let(&e.right),
        Expr::Paren(e) => holds_let(&e.expr),
        Expr::Group(e) => holds_let(&e.expr),
        _ => false,
    }
}

/// Where operators leave their proposals.
pub struct Sink<'a> {
    pub(super) operator: &'static Operator,
    pub(super) arm_safe: bool,
    pub(super) out: &'a mut Vec<Proposal>,
}

impl Sink<'_> {
    /// Whether the node may stand in an arm: it makes no temporaries, or they end with it anyway.
    pub fn arm_safe(&self) -> bool {
        self.arm_safe
    }

    /// Like [`Sink::replace`] where the type of what is left may be known from the original text alone.
    pub fn replace_unsure(&mut self, site: Range<usize>, replacement: impl Into<String>, form: Form) {
        self.push(site.clone(), replacement.into(), site, form, true);
    }

    /// Proposes a mutant whose replaced bytes are the switched node itself.
    pub fn replace(&mut self, site: Range<usize>, replacement: impl Into<String>, form: Form) {
        self.replace_part(site.clone(), site, replacement, form);
    }

    /// Proposes a mutant that replaces a part of the switched node.
    pub fn replace_part(&mut self, span: Range<usize>, site: Range<usize>, replacement: impl Into<String>, form: Form) {
        self.push(span, replacement.into(), site, form, false);
    }

    /// Like [`Sink::replace`] for a mutant that leaves code out, which may leave a type unknown.
    pub fn replace_dropping(&mut self, cx: &Cx<'_>, site: Range<usize>, replacement: impl Into<String>, form: Form) {
        let drops_types = cx.names_open_local(&site);
        self.push(site.clone(), replacement.into(), site, form, drops_types);
    }

    fn push(&mut self, span: Range<usize>, replacement: String, site: Range<usize>, form: Form, drops_types: bool) {
        let (operator, arm_safe) = (self.operator, self.arm_safe);
        let constness = None;
        self.out.push(Proposal { operator, span, replacement, site, form, arm_safe, constness, drops_types });
    }
}

/// The guard's expression of an arm, when it has one.
pub fn guard_of(arm: &Arm) -> Option<&Expr> {
    match &arm.pat {
        syn::Pat::Guard(pat) => Some(&pat.guard),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_borrowed_has_to_be_there_already() {
        let free = |text: &str| temporary_free(&syn::parse_str(text).unwrap());
        for text in ["&a", "&a.b[i]", "&*a", "&(1)", "&-1", "&mut (a.0)", "&(*a).b", "a + &b"] {
            assert!(free(text), "{text}");
        }
        // Who drops them sees when they end.
        for text in ["&(a + b)", "&(a, b)", "&-a", "&!a", "a.min(b).c", "g(&(a + b))", "&S {}"] {
            assert!(!free(text), "{text}");
        }
        let moved = |text: &str| moved_without_temporaries(&syn::parse_str(text).unwrap());
        assert!(moved("g((a + b, h(c)?), |d| k(&(d + 1)))") && !moved("g(h(&(a + b)))"));
    }
}
