//! An integration test: what the environment has to hold.

#[test]
fn finds_its_surroundings() {
    let var = |key: &str| std::env::var(key).unwrap();
    assert_eq!(std::env::current_dir().unwrap().to_str().unwrap(), var("CARGO_MANIFEST_DIR"));
    assert_eq!((var("CARGO_PKG_NAME"), var("CARGO_PKG_VERSION")), ("app".into(), "0.1.2".into()));
    assert!(std::path::Path::new(&var("OUT_DIR")).is_dir());
    assert_eq!(var("FROM_SCRIPT"), "yes");
    assert_eq!(var("FROM_CONFIG"), "yes");
    assert!(std::path::Path::new(&var("CARGO_BIN_EXE_app")).is_file());
    assert!(var("LD_LIBRARY_PATH").contains("/debug/deps"));
}

#[test]
fn a_subprocess_is_traced_too() {
    assert!(std::process::Command::new(env!("CARGO_BIN_EXE_app")).status().unwrap().success());
}
