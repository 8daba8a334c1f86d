//! An oven.
