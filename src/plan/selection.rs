//! Which operators are in use: by name, family or glob, from the policy or the command line.

use crate::catalog::{Operator, registry};
use crate::error::{Context, Error, Result};
use crate::policy::Policy;
use globset::GlobMatcher;

/// The operators that a policy selects, in catalog order.
///
/// # Errors
/// When a pattern is no glob or fits no operator; the nearest name is suggested.
pub fn selected(policy: &Policy) -> Result<Vec<&'static Operator>> {
    let enable = patterns(&policy.operators.enable)?;
    let disable = patterns(&policy.operators.disable)?;
    let any = |globs: &[GlobMatcher], op: &Operator| globs.iter().any(|glob| fits(glob, op));
    let chosen = registry().iter().filter(|op| if enable.is_empty() { op.default } else { any(&enable, op) });
    Ok(chosen.filter(|op| !any(&disable, op)).collect())
}

fn patterns(texts: &[String]) -> Result<Vec<GlobMatcher>> {
    texts
        .iter()
        .map(|text| {
            let glob = globset::Glob::new(text).doing(|| format!("select operators by `{text}`"))?.compile_matcher();
            if registry().iter().any(|op| fits(&glob, op)) { Ok(glob) } else { Err(unknown(text)) }
        })
        .collect()
}

fn fits(glob: &GlobMatcher, op: &Operator) -> bool {
    glob.is_match(op.name) || glob.is_match(op.family)
}

/// An error that suggests the nearest operator.
pub fn unknown(name: &str) -> Error {
    let nearest = registry()
        .iter()
        .map(|op| (strsim::jaro_winkler(name, op.name), op.name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let error = Error::new(format!("find the operator `{name}`"), "the catalog has no such operator");
    match nearest {
        Some((_, nearest)) => error.hint(format!("did you mean `{nearest}`? `cargo hunkmut explain` lists all")),
        None => error.hint("`cargo hunkmut explain` lists all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(enable: &[&str], disable: &[&str]) -> Result<Vec<&'static str>> {
        let mut policy = Policy::default();
        policy.operators.enable = enable.iter().map(|s| (*s).to_owned()).collect();
        policy.operators.disable = disable.iter().map(|s| (*s).to_owned()).collect();
        Ok(selected(&policy)?.into_iter().map(|op| op.name).collect())
    }

    #[test]
    fn names_families_and_globs_select() {
        assert_eq!(names(&["logical"], &[]).unwrap(), ["logical"]);
        assert_eq!(names(&["relational"], &[]).unwrap(), ["relational", "pred_negated"]);
        assert_eq!(names(&["*_literal"], &["string*"]).unwrap(), ["bool_literal", "char_literal", "pattern_literal"]);
        assert!(!names(&[], &["text"]).unwrap().contains(&"char_literal"));
    }

    #[test]
    fn without_a_choice_the_default_operators_are_used() {
        let all = names(&[], &[]).unwrap();
        assert!(all.contains(&"off_by_one") && !all.contains(&"string_literal"));
    }

    #[test]
    fn a_misspelt_operator_is_recognised() {
        assert!(names(&["of_by_one"], &[]).unwrap_err().to_string().contains("did you mean `off_by_one`"));
    }
}
