//! The patch itself, taken back: the fault closest to a real one.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Node, Sink};

/// One hunk put back to the base.
pub const REVERT_HUNK: Operator = Operator {
    name: "revert_hunk",
    family: "revert",
    summary: "Puts the base's text back over one hunk of production code.",
    table: &[("the hunk's new lines", "the base's lines")],
    example: ("-    if n > limit\n+    if n >= limit", "     if n > limit"),
    default: true,
    why: "the new tests should fail where the patch is taken back; a hunk that does not compile alone is invalid",
    propose: no_node_of_its_own,
};

/// Hunks are no syntax: the plan proposes them.
fn no_node_of_its_own(_: &Node<'_>, _: &Cx<'_>, _: &mut Sink<'_>) {}
