use lift::*;

/// Red until the patch comes.
#[test]
fn six_fit_and_seven_do_not() {
    assert!(takes(6) && !takes(7));
    assert_eq!(SEATS, 6);
}
