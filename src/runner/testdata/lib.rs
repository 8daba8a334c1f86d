//! A library that stands in for a woven one: it traces as woven code does.

use std::io::Write;

/// Production code with one switch.
pub fn answer(switch: u64) -> u32 {
    if let Some(file) = std::env::var_os("HUNKMUT_TRACE") {
        let mut file = std::fs::File::options().append(true).create(true).open(file).unwrap();
        for switch in [switch, 0] {
            file.write_all(&[switch.to_le_bytes(), 1u64.to_le_bytes()].concat()).unwrap();
        }
    }
    if std::env::var("HUNKMUT_ACTIVE").ok() == Some(switch.to_string()) {
        let notes = std::env::var_os("HUNKMUT_NOTES").unwrap();
        let mut notes = std::fs::File::options().append(true).create(true).open(notes).unwrap();
        notes.write_all(b"hit\n").unwrap();
        return 41;
    }
    42
}

#[cfg(test)]
mod tests {
    #[test]
    fn passes() {
        assert_eq!(super::answer(7), 42);
    }

    #[test]
    #[ignore]
    fn is_ignored() {}

    #[test]
    fn fails() {
        assert_eq!(super::answer(9), 1, "on purpose");
    }

    #[test]
    fn aborts() {
        std::process::abort();
    }

    #[test]
    fn hangs() {
        if std::env::var_os("HANG").is_some() {
            loop {
                std::thread::park();
            }
        }
    }

    /// Fails in the first run of all.
    #[test]
    fn fails_once() {
        if let Some(mark) = std::env::var_os("MARK") {
            let first = std::fs::File::options().write(true).create_new(true).open(mark).is_ok();
            assert!(!first);
        }
    }
}
