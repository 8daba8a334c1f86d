#[test]
#[should_panic(expected = "too hot")]
fn too_hot_panics() {
    let _ = oven::heat(251);
}

#[test]
fn just_right_is_ok() -> Result<(), String> {
    match oven::heat(250)? {
        250 => Ok(()),
        other => Err(format!("{other}")),
    }
}
