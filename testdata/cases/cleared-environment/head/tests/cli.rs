use std::process::Command;

#[test]
fn it_needs_no_environment() {
    let mut greet = Command::new(env!("CARGO_BIN_EXE_greet"));
    let out = greet.env_clear().args(["Ann", "Bo", "Cy"]).output().unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "6 greetings\n");
}
