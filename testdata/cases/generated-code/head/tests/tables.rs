#[test]
fn sums() {
    assert_eq!([tables::claimed::claimed(4), tables::claimed::claimed(9)], [7, 12]);
    assert_eq!(tables::listed::listed(1) + tables::table::table(1), 5);
}
