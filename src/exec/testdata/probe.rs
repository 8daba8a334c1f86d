//! A stand-in for a test binary whose first argument says how to behave. Compiled by the tests with plain rustc.

use std::io::Write;
use std::process::{Command, exit};

unsafe extern "C" {
    fn setsid() -> i32;
    fn signal(number: i32, handler: usize) -> usize;
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args[1].as_str() {
        "pass" => println!("running 1 test"),
        "fail" => {
            println!("running 1 test");
            assert!(false, "on purpose");
        }
        "exit" => exit(args[2].parse().unwrap()),
        "abort" => std::process::abort(),
        "hang" => hang(),
        "hang-in-a-session-of-its-own" => {
            unsafe { setsid() };
            hang()
        }
        "hang-deaf" => {
            unsafe { signal(15, 1) };
            hang()
        }
        // starts `probe <args[3]>`, writes its process ID to the file args[2], then behaves as args[4] says
        "parent" => {
            let child = Command::new(&args[0]).arg(&args[3]).spawn().unwrap();
            std::fs::write(&args[2], child.id().to_string()).unwrap();
            if args[4] == "hang" {
                hang();
            }
        }
        "eat" => eat(),
        "eat-when-limited" => {
            wait_for_limit("Max address space");
            eat()
        }
        "chatter" => {
            println!("running 1 test");
            for number in 0..40_000 {
                println!("line {number}");
            }
            exit(1);
        }
        "flood" => {
            wait_for_limit("Max file size");
            std::fs::File::create(std::env::temp_dir().join("f")).unwrap().set_len(2 << 30).unwrap();
        }
        // whatever becomes of the mutant, this one hangs with it
        "mutated-to-hang" => {
            if std::env::var("HUNKMUT_ACTIVE").is_ok_and(|switch| switch != "0") {
                note("hit");
                hang();
            }
        }
        "litter" => {
            let dir = std::env::temp_dir();
            assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0, "{dir:?} is not empty");
            std::fs::create_dir(dir.join("d")).unwrap();
            std::fs::write(dir.join("d/f"), "x").unwrap();
        }
        "env" => {
            let said = std::env::var(&args[2]).unwrap_or_else(|_| "unset".into());
            println!("{said}");
            exit(1);
        }
        "mutated" => {
            let Some(switch) = std::env::var("HUNKMUT_ACTIVE").ok().filter(|switch| switch != "0") else { return };
            note("hit");
            match switch.as_str() {
                "1" => panic!("the mutant shows"),
                "2" => {
                    note("limit");
                    std::process::abort();
                }
                _ => {}
            }
        }
        other => panic!("no such behaviour: {other}"),
    }
}

fn note(word: &str) {
    let notes = std::env::var("HUNKMUT_NOTES").unwrap();
    let mut file = std::fs::File::options().append(true).create(true).open(notes).unwrap();
    writeln!(file, "{word}").unwrap();
}

/// Limits are set from outside, soon after the start.
fn wait_for_limit(name: &str) {
    let limits = || std::fs::read_to_string("/proc/self/limits").unwrap();
    while limits().lines().any(|line| line.starts_with(name) && line.contains("unlimited")) {}
}

fn eat() {
    let mut memory: Vec<u8> = Vec::new();
    memory.reserve_exact(2_000_000_000);
    println!("{:p}", memory.as_ptr());
}

fn hang() {
    loop {
        std::thread::park();
    }
}
