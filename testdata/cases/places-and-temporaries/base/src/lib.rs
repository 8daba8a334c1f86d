//! Books, kept in order.
