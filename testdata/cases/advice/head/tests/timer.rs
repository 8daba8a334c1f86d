use kettle::{timer, watts, Kettle};

#[test]
fn it_is_shown() {
    let shown = format!("{:?}", timer(2));
    assert_eq!(shown, "Timer { seconds: 300 }");
}

#[test]
fn nothing_goes_wrong() {
    let _ = timer(3);
    assert!(true);
}

#[test]
fn it_only_runs() {
    watts(&Kettle { litres: timer(1).seconds });
}
