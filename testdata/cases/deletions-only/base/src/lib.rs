pub fn open(alarm: bool) -> u32 {
    if alarm {
        println!("beep");
    }
    1
}
