//! Puts every mutant of one file behind a switch, by splicing text: nothing is reprinted, every line stays where it is.
//!
//! Each mutant has one or more encodings, tried in turn when the compiler refuses one. Only one mutant is live at a
//! time, so an arm that holds a mutant holds plain text; only the default holds further switches, and the text grows
//! nearly linearly. While no mutant is live the woven code does exactly what the original does: operands are evaluated
//! once and in order, temporaries live as long as before, places stay places.

use crate::catalog::{Form, Proposal, ReturnPlace};
use std::ops::Range;

/// The path of the switch in woven code.
const ON: &str = "::hunkmut_rt::on";

/// One way to switch a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// The `const` of a function, left out.
    NotConst,
    /// A `return` of another body's value before the function's own.
    OtherBody,
    /// A `return` before the returned expression.
    EarlyReturn,
    /// `if !on { statement }`.
    Statement,
    /// A changed copy of a match arm before the arm itself, which a guard switches off.
    ArmCopy,
    /// A guard that switches the match arm off.
    Guard,
    /// `if on { mutant } else { original }`.
    Arm,
    /// `(predicate) ^ on`.
    Xor,
    /// `on || (predicate)`.
    Or,
    /// `match (&l, &r) { … }`: operands by reference, evaluated once.
    OperandsByRef,
    /// `match (l, r) { … }`: operands by value, evaluated once.
    OperandsByValue,
    /// `match operand { … }` of a unary operator.
    Operand,
}

/// The encodings of a proposal, best first; none when it can only be compiled alone.
pub fn encodings(proposal: &Proposal) -> Vec<Encoding> {
    let mut list = match &proposal.form {
        Form::Operands { by_ref: true, .. } => vec![Encoding::OperandsByRef, Encoding::OperandsByValue],
        Form::Operands { by_ref: false, .. } => vec![Encoding::OperandsByValue],
        Form::Drop { .. } => vec![Encoding::Operand],
        Form::Negate => return vec![Encoding::Xor],
        Form::OrTrue => return vec![Encoding::Or],
        Form::Value => return vec![Encoding::Arm],
        Form::Statement => return vec![Encoding::Statement],
        Form::ArmGuard { .. } => return vec![Encoding::Guard],
        Form::ArmCopy { .. } => return vec![Encoding::ArmCopy],
        Form::OtherBody { .. } => return vec![Encoding::OtherBody],
        Form::Return { .. } => return vec![Encoding::EarlyReturn],
        Form::Rebuild => return Vec::new(),
    };
    if proposal.arm_safe {
        list.push(Encoding::Arm);
    }
    list
}

/// A mutant to be woven.
pub struct Thread<'a> {
    /// What the caller calls it.
    pub index: usize,
    /// The value that switches it on.
    pub switch: u64,
    /// The mutant.
    pub proposal: &'a Proposal,
    /// Its encoding, one of [`encodings`].
    pub encoding: Encoding,
}

/// What a byte range of the woven text belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Bytes of the woven text.
    pub range: Range<usize>,
    /// The mutants, by [`Thread::index`].
    pub mutants: Vec<usize>,
    /// Whether the text exists only for the (one) mutant.
    pub exclusive: bool,
}

/// A woven file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Woven {
    /// Its text, line for line like the original.
    pub text: String,
    /// Which bytes stand for which mutants, inner regions after outer ones.
    pub regions: Vec<Region>,
    /// Mutants whose text cannot be kept on one line.
    pub unwoven: Vec<usize>,
}

/// Weaves mutants into a file's text.
pub fn weave(text: &str, threads: &[Thread<'_>]) -> Woven {
    let mut unwoven = Vec::new();
    let mut sites: Vec<Site<'_>> = Vec::new();
    for thread in threads {
        let Some(plain) = mutant_text(text, thread) else {
            unwoven.push(thread.index);
            continue;
        };
        let mut add = |range: Range<usize>, encoding, plain| {
            let strand = Strand { thread, plain };
            match sites.iter_mut().find(|site| site.range == range && site.encoding == encoding) {
                Some(site) => site.strands.push(strand),
                None => sites.push(Site { range, encoding, strands: vec![strand] }),
            }
        };
        if let Some(token) = &thread.proposal.constness {
            add(token.clone(), Encoding::NotConst, String::new());
        }
        match &thread.proposal.form {
            Form::ArmGuard { guard, after } => {
                add(guard.clone().unwrap_or(*after..*after), Encoding::Guard, plain);
            }
            Form::ArmCopy { at, guard, after, .. } => {
                add(*at..*at, Encoding::ArmCopy, plain);
                add(guard.clone().unwrap_or(*after..*after), Encoding::Guard, String::new());
            }
            Form::OtherBody { at, .. } => add(*at..*at, Encoding::OtherBody, plain),
            _ => add(thread.proposal.site.clone(), thread.encoding, plain),
        }
    }
    sites.sort_by(|a, b| {
        (a.range.start, std::cmp::Reverse(a.range.end), a.encoding).cmp(&(
            b.range.start,
            std::cmp::Reverse(b.range.end),
            b.encoding,
        ))
    });
    let mut weaver = Weaver { text, out: Woven { unwoven, ..Woven::default() } };
    weaver.emit(0..text.len(), &sites);
    weaver.out
}

/// The mutant's text of its whole site on one line; `None` when that cannot be (a string literal over several lines).
fn mutant_text(text: &str, thread: &Thread<'_>) -> Option<String> {
    let Proposal { span, site, replacement, .. } = thread.proposal;
    match thread.encoding {
        // Only the replacement itself is written out.
        Encoding::EarlyReturn => one_line(replacement),
        Encoding::Arm => {
            one_line(&format!("{}{replacement}{}", &text[site.start..span.start], &text[span.end..site.end]))
        }
        Encoding::OtherBody => {
            let Form::OtherBody { body, .. } = &thread.proposal.form else { return None };
            one_line(body)
        }
        Encoding::ArmCopy => {
            let Form::ArmCopy { pattern, condition, body, .. } = &thread.proposal.form else { return None };
            let on = format!("{ON}({}u64)", thread.switch);
            let condition = match condition {
                Some(condition) => format!("{on} && ({})", one_line(condition)?),
                None => on,
            };
            Some(format!("{} if {condition} => {{ {} }}, ", one_line(pattern)?, one_line(body)?))
        }
        Encoding::NotConst
        | Encoding::Statement
        | Encoding::Guard
        | Encoding::Xor
        | Encoding::Or
        | Encoding::OperandsByRef
        | Encoding::OperandsByValue
        | Encoding::Operand => Some(String::new()),
    }
}

fn one_line(text: &str) -> Option<String> {
    if !text.contains('\n') && !text.contains("//") {
        return Some(text.to_owned());
    }
    let tokens: proc_macro2::TokenStream = text.parse().ok()?;
    let line = tokens.to_string();
    (!line.contains('\n')).then_some(line)
}

struct Strand<'a> {
    thread: &'a Thread<'a>,
    plain: String,
}

struct Site<'a> {
    range: Range<usize>,
    encoding: Encoding,
    strands: Vec<Strand<'a>>,
}

struct Weaver<'a> {
    text: &'a str,
    out: Woven,
}

impl Weaver<'_> {
    /// Writes a range of the original, with the sites in it. `sites` are sorted, all inside, none overlapping partly.
    fn emit(&mut self, range: Range<usize>, mut sites: &[Site<'_>]) {
        let mut at = range.start;
        while let Some((site, rest)) = sites.split_first() {
            let inside = rest
                .iter()
                .take_while(|other| {
                    other.range.end <= site.range.end && other.range.start < site.range.end || other.range == site.range
                })
                .count();
            self.push(&self.text[at..site.range.start]);
            self.site(site, &rest[..inside]);
            at = site.range.end;
            sites = &rest[inside..];
        }
        self.push(&self.text[at..range.end]);
    }

    fn push(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    /// Writes text that exists only for one mutant.
    fn exclusive(&mut self, strand: &Strand<'_>, text: &str) {
        let start = self.out.text.len();
        self.push(text);
        let range = start..self.out.text.len();
        self.out.regions.push(Region { range, mutants: vec![strand.thread.index], exclusive: true });
    }

    fn switch(&mut self, strand: &Strand<'_>) {
        let call = format!("{ON}({}u64)", strand.thread.switch);
        self.push(&call);
    }

    /// Keeps the line breaks of text that is left out.
    fn breaks(&mut self, range: Range<usize>) {
        let breaks = self.text[range].matches('\n').count();
        self.push(&"\n".repeat(breaks));
    }

    fn site(&mut self, site: &Site<'_>, inner: &[Site<'_>]) {
        let slot = self.out.regions.len();
        let mutants = site.strands.iter().map(|strand| strand.thread.index).collect();
        self.out.regions.push(Region { range: 0..0, mutants, exclusive: false });
        let start = self.out.text.len();
        self.encoded(site, inner);
        self.out.regions[slot].range = start..self.out.text.len();
    }

    fn encoded(&mut self, site: &Site<'_>, inner: &[Site<'_>]) {
        match site.encoding {
            Encoding::Arm => {
                self.push("(");
                for strand in &site.strands {
                    self.push("if ");
                    self.switch(strand);
                    self.push(" { ");
                    self.exclusive(strand, &strand.plain);
                    self.push(" } else ");
                }
                self.push("{ ");
                self.emit(site.range.clone(), inner);
                self.push(" })");
            }
            Encoding::Xor => {
                self.push("((");
                self.emit(site.range.clone(), inner);
                self.push(")");
                for strand in &site.strands {
                    self.push(" ^ ");
                    self.switch(strand);
                }
                self.push(")");
            }
            Encoding::Or => {
                self.push("(");
                for strand in &site.strands {
                    self.switch(strand);
                    self.push(" || ");
                }
                self.push("(");
                self.emit(site.range.clone(), inner);
                self.push("))");
            }
            Encoding::Statement => {
                self.push("if ");
                for (i, strand) in site.strands.iter().enumerate() {
                    self.push(if i == 0 { "!" } else { " && !" });
                    self.switch(strand);
                }
                self.push(" { ");
                self.emit(site.range.clone(), inner);
                self.push(" }");
            }
            Encoding::NotConst => self.push("     "),
            Encoding::OtherBody => {
                for strand in &site.strands {
                    self.push(" if ");
                    self.switch(strand);
                    self.push(" { return { ");
                    self.exclusive(strand, &strand.plain);
                    self.push(" }; }");
                }
            }
            Encoding::ArmCopy => site.strands.iter().for_each(|strand| self.exclusive(strand, &strand.plain)),
            Encoding::Guard => {
                let bare = site.range.is_empty();
                self.push(if bare { " if " } else { "" });
                for (i, strand) in site.strands.iter().enumerate() {
                    self.push(if i == 0 { "!" } else { " && !" });
                    self.switch(strand);
                }
                if !bare {
                    self.push(" && (");
                    self.emit(site.range.clone(), inner);
                    self.push(")");
                }
            }
            Encoding::EarlyReturn => {
                let place = site.strands.iter().find_map(|strand| match &strand.thread.proposal.form {
                    Form::Return { place } => Some(*place),
                    _ => None,
                });
                let block = place != Some(ReturnPlace::BlockTail);
                self.push(if block { "{ " } else { "" });
                for strand in &site.strands {
                    self.push("if ");
                    self.switch(strand);
                    self.push(" { return ");
                    self.exclusive(strand, &strand.plain);
                    self.push("; } ");
                }
                self.emit(site.range.clone(), inner);
                self.push(if block { " }" } else { "" });
            }
            Encoding::OperandsByRef => self.operands(site, inner, "&", "*"),
            Encoding::OperandsByValue => self.operands(site, inner, "", ""),
            Encoding::Operand => {
                let Some(Form::Drop { operand, from }) = site.strands.first().map(|s| &s.thread.proposal.form) else {
                    return self.emit(site.range.clone(), inner);
                };
                self.push("(match (");
                self.breaks(site.range.start..operand.start);
                self.emit(operand.clone(), inner);
                self.push(") { hm_x => ");
                for strand in &site.strands {
                    self.push("if ");
                    self.switch(strand);
                    self.push(" { ");
                    self.exclusive(strand, "hm_x");
                    self.push(" } else ");
                }
                self.push(&format!("{{ {from}hm_x }} }})"));
            }
        }
    }

    fn operands(&mut self, site: &Site<'_>, inner: &[Site<'_>], take: &str, give: &str) {
        let Some(Form::Operands { left, right, from, .. }) = site.strands.first().map(|s| &s.thread.proposal.form)
        else {
            return self.emit(site.range.clone(), inner);
        };
        let split = inner.iter().take_while(|other| other.range.start < left.end).count();
        self.push(&format!("(match ({take}("));
        self.emit(left.clone(), &inner[..split]);
        self.push("), ");
        self.breaks(left.end..right.start);
        self.push(&format!("{take}("));
        self.emit(right.clone(), &inner[split..]);
        self.push(")) { (hm_l, hm_r) => ");
        for strand in &site.strands {
            if let Form::Operands { to, .. } = &strand.thread.proposal.form {
                self.push("if ");
                self.switch(strand);
                self.push(" { ");
                self.exclusive(strand, &format!("{give}hm_l {to} {give}hm_r"));
                self.push(" } else ");
            }
        }
        self.push(&format!("{{ {give}hm_l {from} {give}hm_r }} }})"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{WalkOptions, registry, walk};

    fn woven(source: &str) -> (Woven, usize) {
        let file = crate::source::SourceFile::parse("src/lib.rs", source).unwrap();
        let operators: Vec<_> = registry().iter().collect();
        let found = walk(&file, &operators, &WalkOptions::default());
        let threads: Vec<Thread<'_>> = found
            .proposals
            .iter()
            .enumerate()
            .filter_map(|(index, located)| {
                let encoding = *encodings(&located.proposal).first()?;
                Some(Thread { index, switch: index as u64 + 1, proposal: &located.proposal, encoding })
            })
            .collect();
        let count = threads.len();
        (weave(source, &threads), count)
    }

    #[test]
    fn woven_text_parses_and_keeps_every_line() {
        let source = "fn f(a: &[u8], n: usize) -> bool {\n    let mut x = a[n - 1] as usize // why\n        + 3;\n    x += n * 2;\n    if x > n\n        && !a.is_empty()\n    {\n        g(x);\n        return h(\n            x,\n        );\n    }\n    match x {\n        0 if n > 3 => false,\n        1 => true,\n        _ => k(-1),\n    }\n}\n";
        let (woven, count) = woven(source);
        assert!(count > 15, "{count}");
        syn::parse_file(&woven.text).unwrap_or_else(|e| panic!("{e}\n{}", woven.text));
        assert_eq!(woven.text.lines().count(), source.lines().count(), "{}", woven.text);
        assert_eq!(woven.unwoven, Vec::<usize>::new());
    }

    #[test]
    fn every_mutant_has_a_region_and_exclusive_ones_lie_inside_their_site() {
        let (woven, count) = woven("fn f(a: u8, b: u8) -> u8 { if a < b { a + b } else { g(a, !true) } }");
        for index in 0..count {
            assert!(woven.regions.iter().any(|region| region.mutants.contains(&index)), "{index}");
        }
        for region in woven.regions.iter().filter(|region| region.exclusive) {
            assert!(woven.regions.iter().any(|site| !site.exclusive
                && site.mutants.contains(&region.mutants[0])
                && site.range.start <= region.range.start
                && region.range.end <= site.range.end));
        }
    }

    #[test]
    fn a_const_fn_is_woven_without_const_once() {
        let (woven, _) = woven("pub const fn f(a: u8, b: u8) -> u8 { if a < b { a + b } else { 3 } }");
        assert!(woven.text.starts_with("pub       fn f("), "{}", woven.text);
    }

    #[test]
    fn operands_are_written_once() {
        let (woven, _) = woven("fn f() { h(left() < right()); }");
        assert_eq!(woven.text.matches("left()").count(), 1, "{}", woven.text);
    }

    #[test]
    fn nested_comparison_and_arithmetic_grow_linearly() {
        let deep = format!("fn f() {{ h({}); }}", (0..200).map(|i| format!("a{i}")).collect::<Vec<_>>().join(" + "));
        let (woven, count) = woven(&deep);
        // 199 sums and the statement itself.
        assert_eq!(count, 200);
        assert!(woven.text.len() < deep.len() * 100, "{} {}", woven.text.len(), deep.len());
    }
}
