//! Listed as generated.
