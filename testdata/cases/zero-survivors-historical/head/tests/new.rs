#[test]
fn it_ticks() {
    for hour in 0..24 {
        clock::dial(hour);
    }
}
