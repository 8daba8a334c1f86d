use std::path::Path;

#[test]
fn sides() {
    assert_eq!(coin::sides(), 2);
}

#[test]
fn heads() {
    let mark = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tails");
    assert_eq!(coin::sides(), 2);
    if mark.exists() {
        std::fs::remove_file(mark).unwrap();
    } else {
        std::fs::write(mark, "").unwrap();
        panic!("tails");
    }
}
