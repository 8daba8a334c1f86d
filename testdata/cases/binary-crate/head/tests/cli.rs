use std::process::Command;

fn greet() -> Command {
    Command::new(env!("CARGO_BIN_EXE_greet"))
}

#[test]
fn it_greets() {
    let out = greet().args(["Ann", "Bo", "Cy"]).output().unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "6 greetings\n");
}

#[test]
fn it_refuses_nobody() {
    assert_eq!(greet().status().unwrap().code(), Some(3));
    assert_eq!(greet().arg("Ann").status().unwrap().code(), Some(0));
}
