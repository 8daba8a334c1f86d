//! Three-valued evaluation of `cfg` expressions.
//!
//! What rustc prints and what cargo activates is known; a name that only a build script could set is not. Code is
//! called off only when that is certain.

use super::CargoOptions;
use crate::error::Result;
use crate::process::Cmd;
use crate::source::cfg_expr::CfgExpr;
use std::collections::BTreeSet;

/// The value of a `cfg` expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tri {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It depends on something that cannot be known without building.
    Unknown,
}

impl Tri {
    fn of(value: bool) -> Tri {
        if value { Tri::True } else { Tri::False }
    }

    fn not(self) -> Tri {
        match self {
            Tri::True => Tri::False,
            Tri::False => Tri::True,
            Tri::Unknown => Tri::Unknown,
        }
    }

    /// All of them hold.
    fn all(values: impl Iterator<Item = Tri>) -> Tri {
        values.fold(Tri::True, |sum, value| match (sum, value) {
            (Tri::False, _) | (_, Tri::False) => Tri::False,
            (Tri::Unknown, _) | (_, Tri::Unknown) => Tri::Unknown,
            (Tri::True, Tri::True) => Tri::True,
        })
    }
}

/// Whether code under some conditions is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Compiled when `test` is unset: production code.
    Always,
    /// Not compiled when `test` is unset, but (perhaps) when it is set: test code.
    TestOnly,
    /// Compiled neither way.
    Off,
    /// Cannot be known; taken for production code.
    Unknown,
}

/// Names that rustc or cargo define: not set means false. All others might be set by a build script.
const BUILT_IN: &[&str] = &[
    "clippy",
    "debug_assertions",
    "doc",
    "docsrs",
    "doctest",
    "feature",
    "fmt_debug",
    "miri",
    "overflow_checks",
    "panic",
    "proc_macro",
    "relocation_model",
    "rustfmt",
    "sanitize",
    "sanitizer_cfi_generalize_pointers",
    "sanitizer_cfi_normalize_integers",
    "target_abi",
    "target_arch",
    "target_endian",
    "target_env",
    "target_family",
    "target_feature",
    "target_has_atomic",
    "target_has_atomic_equal_alignment",
    "target_has_atomic_load_store",
    "target_os",
    "target_pointer_width",
    "target_thread_local",
    "target_vendor",
    "ub_checks",
    "unix",
    "windows",
];

/// What is set for one package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CfgSet {
    names: BTreeSet<String>,
    pairs: BTreeSet<(String, String)>,
    /// Names that are known not to be known.
    unsure: BTreeSet<String>,
    /// Whether a build script may set further names.
    open: bool,
}

impl CfgSet {
    /// Asks rustc (`RUSTC` or the toolchain's) for the target and the flags that cargo would pass.
    ///
    /// # Errors
    /// When rustc cannot be run or rejects the target or the flags; the error has its words.
    pub fn load(opts: &CargoOptions) -> Result<CfgSet> {
        Ok(CfgSet::parse(&CfgSet::ask(opts)?, opts))
    }

    /// What `rustc --print cfg` prints for the target and the flags that cargo would pass.
    ///
    /// # Errors
    /// When rustc cannot be run or rejects the target or the flags; the error has its words.
    pub fn ask(opts: &CargoOptions) -> Result<String> {
        let rustc = std::env::var_os("RUSTC").filter(|r| !r.is_empty()).unwrap_or_else(|| "rustc".into());
        let config = super::cargo_config(opts.directory()).ok();
        let mut cmd = Cmd::new(rustc).args(["--print", "cfg"]);
        let configured = config.as_ref().and_then(|c| c.build.target.as_ref()?.first().map(|t| t.triple().to_owned()));
        let target = opts.target.clone().or(configured);
        if let Some(target) = &target {
            cmd = cmd.args(["--target", target]);
        }
        if let Some(config) = &config {
            let triple = target.map(Ok).unwrap_or_else(|| config.host_triple().map(str::to_owned));
            if let Some(flags) = triple.ok().and_then(|t| config.rustflags(t).ok().flatten()) {
                cmd = cmd.args(flags.flags);
            }
        }
        Ok(cmd.cwd(opts.directory()).run()?.text())
    }

    /// Reads what `rustc --print cfg` prints.
    pub fn parse(text: &str, opts: &CargoOptions) -> CfgSet {
        let mut set = CfgSet::from_rustc_lines(text);
        match opts.profile_name() {
            "dev" | "test" => {}
            // Profiles may set `debug-assertions` as they like; cargo tells nobody without building.
            _ => {
                set.names.remove("debug_assertions");
                set.unsure.insert("debug_assertions".into());
            }
        }
        set
    }

    /// Reads what `rustc --print cfg` prints: `name` or `key="value"` a line.
    pub fn from_rustc_lines(text: &str) -> CfgSet {
        let mut set = CfgSet::default();
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            match line.split_once('=') {
                Some((key, value)) => {
                    set.pairs.insert((key.to_owned(), value.trim_matches('"').to_owned()));
                }
                None => {
                    set.names.insert(line.to_owned());
                }
            }
        }
        set
    }

    /// The same with these features of the package on, and all others off.
    pub fn with_features<S: Into<String>>(mut self, features: impl IntoIterator<Item = S>) -> CfgSet {
        self.pairs.retain(|(key, _)| key != "feature");
        self.pairs.extend(features.into_iter().map(|f| ("feature".to_owned(), f.into())));
        self
    }

    /// The same for this package: its active features, and unknown names where it has a build script.
    pub fn for_package(&self, package: &super::Package) -> CfgSet {
        let mut set = self.clone().with_features(package.features.iter().cloned());
        set.open = package.has_build_script();
        set
    }

    /// The value of one expression with `test` set or unset.
    pub fn eval(&self, expr: &CfgExpr, test: bool) -> Tri {
        match expr {
            CfgExpr::All(inner) => Tri::all(inner.iter().map(|e| self.eval(e, test))),
            CfgExpr::Any(inner) => Tri::all(inner.iter().map(|e| self.eval(e, test).not())).not(),
            CfgExpr::Not(inner) => self.eval(inner, test).not(),
            CfgExpr::Name(name) if name == "test" => Tri::of(test),
            CfgExpr::Name(name) if self.names.contains(name) => Tri::True,
            CfgExpr::Name(name) => self.absent(name),
            CfgExpr::Pair(key, value) if self.pairs.contains(&(key.clone(), value.clone())) => Tri::True,
            CfgExpr::Pair(key, _) => self.absent(key),
            CfgExpr::Const(value) => Tri::of(*value),
            CfgExpr::Unknown => Tri::Unknown,
        }
    }

    /// Whether code under all of these conditions is compiled.
    pub fn presence(&self, stack: &[CfgExpr]) -> Presence {
        let with = |test| Tri::all(stack.iter().map(|e| self.eval(e, test)));
        match (with(false), with(true)) {
            (Tri::True, _) => Presence::Always,
            (Tri::Unknown, _) => Presence::Unknown,
            (Tri::False, Tri::False) => Presence::Off,
            (Tri::False, Tri::True | Tri::Unknown) => Presence::TestOnly,
        }
    }

    /// The features that would compile code under these conditions, which is left out now; empty where none would.
    /// None of them can be spared.
    pub fn missing_features(&self, stack: &[CfgExpr]) -> Vec<String> {
        let with = |features: &[String]| {
            let mut set = self.clone();
            set.pairs.extend(features.iter().map(|f| ("feature".to_owned(), f.clone())));
            set.presence(stack)
        };
        let mut features: Vec<String> = Vec::new();
        stack.iter().for_each(|expr| features_in(expr, &mut features));
        features.retain(|f| !self.pairs.contains(&("feature".to_owned(), f.clone())));
        if self.presence(stack) != Presence::Off || with(&features) == Presence::Off {
            return Vec::new();
        }
        let mut at = 0;
        while at < features.len() {
            let fewer: Vec<String> = [&features[..at], &features[at + 1..]].concat();
            if with(&fewer) == Presence::Off {
                at += 1;
            } else {
                features = fewer;
            }
        }
        features
    }

    /// What an expression means whose name or value is not set.
    fn absent(&self, name: &str) -> Tri {
        let settled = BUILT_IN.contains(&name) || !self.open;
        if settled && !self.unsure.contains(name) { Tri::False } else { Tri::Unknown }
    }
}

/// The features that an expression asks for; those that it forbids are none of them.
fn features_in(expr: &CfgExpr, found: &mut Vec<String>) {
    match expr {
        CfgExpr::All(inner) | CfgExpr::Any(inner) => inner.iter().for_each(|e| features_in(e, found)),
        CfgExpr::Pair(key, value) if key == "feature" && !found.contains(value) => found.push(value.clone()),
        CfgExpr::Not(_) | CfgExpr::Name(_) | CfgExpr::Pair(..) | CfgExpr::Const(_) | CfgExpr::Unknown => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expr(text: &str) -> CfgExpr {
        CfgExpr::from_meta(&syn::parse_str(text).unwrap())
    }

    fn set(open: bool) -> CfgSet {
        let set = CfgSet::from_rustc_lines("unix\ntarget_os=\"linux\"\ntarget_pointer_width=\"64\"\n");
        CfgSet { open, ..set.with_features(["on"]) }
    }

    #[test]
    fn known_names_and_values_are_decided() {
        let value = |text: &str| set(true).eval(&expr(text), false);
        assert_eq!(value("unix"), Tri::True);
        assert_eq!(value("windows"), Tri::False);
        assert_eq!(value("target_os = \"macos\""), Tri::False);
        assert_eq!(value("all(unix, feature = \"on\", not(feature = \"other\"))"), Tri::True);
        assert_eq!(value("any()"), Tri::False);
        assert_eq!(value("all()"), Tri::True);
    }

    #[test]
    fn a_name_that_a_build_script_may_set_is_unknown() {
        assert_eq!(set(true).eval(&expr("has_simd"), false), Tri::Unknown);
        assert_eq!(set(true).eval(&expr("any(has_simd, unix)"), false), Tri::True);
        assert_eq!(set(true).eval(&expr("all(has_simd, windows)"), false), Tri::False);
        assert_eq!(set(true).eval(&expr("not(has_simd)"), false), Tri::Unknown);
    }

    #[test]
    fn without_a_build_script_nobody_sets_other_names() {
        assert_eq!(set(false).eval(&expr("loom"), false), Tri::False);
        assert_eq!(set(false).eval(&CfgExpr::Unknown, false), Tri::Unknown);
    }

    #[test]
    fn presence_tells_test_code_from_code_that_is_off() {
        let presence = |text: &str| set(true).presence(&[expr(text)]);
        assert_eq!(presence("unix"), Presence::Always);
        assert_eq!(presence("not(test)"), Presence::Always);
        assert_eq!(presence("test"), Presence::TestOnly);
        assert_eq!(presence("any(test, feature = \"other\")"), Presence::TestOnly);
        assert_eq!(presence("any(test, feature = \"on\")"), Presence::Always);
        assert_eq!(presence("all(test, windows)"), Presence::Off);
        assert_eq!(presence("has_simd"), Presence::Unknown);
        assert_eq!(set(true).presence(&[expr("test"), expr("windows")]), Presence::Off);
        assert_eq!(set(true).presence(&[expr("test"), expr("has_simd")]), Presence::TestOnly);
        assert_eq!(set(true).presence(&[]), Presence::Always);
    }

    #[test]
    fn the_features_that_would_switch_code_on_are_named() {
        let missing = |texts: &[&str]| {
            let stack: Vec<CfgExpr> = texts.iter().map(|text| expr(text)).collect();
            set(true).missing_features(&stack).join(" ")
        };
        assert_eq!(missing(&["feature = \"a\""]), "a");
        assert_eq!(missing(&["test", "all(feature = \"on\", feature = \"a\")", "feature = \"b\""]), "a b");
        // One of several is enough; the last one stays.
        assert_eq!(missing(&["any(feature = \"a\", feature = \"b\")"]), "b");
        assert_eq!(missing(&["all(windows, feature = \"a\")"]), "");
        assert_eq!(missing(&["not(feature = \"on\")"]), "");
        assert_eq!(missing(&["feature = \"on\""]), "");
    }

    #[test]
    fn rustc_answers_for_this_machine() {
        let set = CfgSet::load(&CargoOptions::default()).unwrap();
        assert_eq!(set.eval(&expr("target_pointer_width = \"7\""), false), Tri::False);
        assert_eq!(set.eval(&expr(if cfg!(unix) { "unix" } else { "windows" }), false), Tri::True);
        let release = CfgSet::load(&CargoOptions { release: true, ..CargoOptions::default() }).unwrap();
        assert_eq!(release.eval(&expr("debug_assertions"), false), Tri::Unknown);
    }
}
