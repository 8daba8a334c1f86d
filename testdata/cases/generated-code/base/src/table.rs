// A table.
// DO NOT EDIT: made by make-table.
//! A table.
