//! The registry: one small file per family, in catalog order.

mod arithmetic;
mod calls;
mod control;
mod literals;
mod logical;
mod matches;
mod methods;
mod relational;
mod returns;
mod revert;
mod structs;
mod text;

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
    text::CHAR_LITERAL,
    text::STRING_PREFIX,
    text::STRING_LITERAL,
    control::RANGE_KIND,
    methods::METHOD_PAIR,
    methods::DURATION,
    structs::FIELD_SWAP,
    structs::KEY_SWAP,
    structs::OPTION_NONE,
    returns::RETURN_VALUE,
    calls::STATEMENT_DELETED,
    control::EARLY_RETURN,
    control::LOOP_CONTROL,
    control::TRY_UNWRAP,
    matches::MATCH_GUARD,
    matches::MATCH_ARM,
    matches::PATTERN_LITERAL,
    revert::REVERT_HUNK,
];
