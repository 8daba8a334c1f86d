//! The registry: one small file per family, in catalog order.

mod arithmetic;
mod calls;
mod literals;
mod logical;
mod matches;
mod relational;
mod returns;

use super::Operator;

/// Every operator, in the order in which mutants of one place are listed.
pub static ALL: &[Operator] = &[
    relational::RELATIONAL,
    relational::PRED_NEGATED,
    literals::OFF_BY_ONE,
    calls::ARG_SWAP,
    logical::LOGICAL,
    arithmetic::ARITHMETIC,
    arithmetic::BITWISE,
    arithmetic::ASSIGN_OP,
    arithmetic::UNARY,
    literals::BOOL_LITERAL,
    returns::RETURN_VALUE,
    calls::STATEMENT_DELETED,
    matches::MATCH_GUARD,
    matches::MATCH_ARM,
];
