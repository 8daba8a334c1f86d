#![cfg(feature = "imperial")]

#[test]
fn a_metre_has_thirty_nine_inches() {
    assert_eq!(length::inches(2), 78);
}
