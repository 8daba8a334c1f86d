//! `docs/operators.md` is printed from the registry.
//!
//! `HUNKMUT_UPDATE_DOCS=1 cargo test --test operators_doc` writes it anew.

use cargo_hunkmut::catalog::{reference, registry};
use std::path::Path;

#[test]
fn the_operators_page_is_what_the_registry_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operators.md");
    let wanted = reference();
    if std::env::var_os("HUNKMUT_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        found == wanted,
        "docs/operators.md lags behind the registry: set HUNKMUT_UPDATE_DOCS=1 and run this again"
    );
    for op in registry() {
        assert!(found.contains(&format!("`{}`", op.name)), "{}", op.name);
    }
}
