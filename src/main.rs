//! The thin binary: `cargo hunkmut`, the rustc workspace wrapper and the test-runner shim in one file.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_hunkmut::main()
}
