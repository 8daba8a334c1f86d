//! The bundled example, file by file: `testdata/demo/` as part of the binary.
//!
//! Its manifest is called `Cargo.toml.in` there because cargo leaves folders with a `Cargo.toml` of their own out of
//! a published package.

/// A path in the repository and the text of the file there.
pub(super) type File = (&'static str, &'static str);

/// The base: what the branch `main` holds.
pub(super) const BASE: &[File] = &[
    (".gitignore", "/target\n"),
    (".config/hunkmut.toml", include_str!("../../testdata/demo/base/.config/hunkmut.toml")),
    ("Cargo.lock", include_str!("../../testdata/demo/base/Cargo.lock")),
    ("Cargo.toml", include_str!("../../testdata/demo/base/Cargo.toml.in")),
    ("src/lib.rs", include_str!("../../testdata/demo/base/src/lib.rs")),
    (TESTS, include_str!("../../testdata/demo/base/tests/price.rs")),
];

/// The patch: the files that the branch `patch` changes.
pub(super) const PATCH: &[File] = &[
    ("src/lib.rs", include_str!("../../testdata/demo/head/src/lib.rs")),
    (TESTS, include_str!("../../testdata/demo/head/tests/price.rs")),
];

/// Where the tests of the example are.
pub(super) const TESTS: &str = "tests/price.rs";

/// What makes the gate pass when it is added to [`TESTS`].
pub(super) const BETTER_TESTS: &str = include_str!("../../testdata/demo/better_tests.rs");
