#[test]
fn the_scale_is_large() {
    assert_eq!(scale::scaled(3), 300);
    assert_eq!(scale::scaled(0), 0);
    assert_eq!(env!("SCALE_NAME"), "cfg");
    assert_eq!(std::env::var("SCALE_NAME").as_deref(), Ok("cfg"));
}
