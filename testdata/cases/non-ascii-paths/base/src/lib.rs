#[path = "größe/brötchen – klein.rs"]
pub mod klein;
