//! What a person sees.

use super::*;
use crate::report::sample;

fn plain(width: usize) -> Options {
    Options { width, report_dir: Some("target/hunkmut/report".into()), ..Options::default() }
}

#[test]
fn tmp() {
    println!("{}", render(&sample::report(), &sample::sources, &plain(100)));
    println!("{}", render(&sample::report(), &sample::sources, &plain(50)));
    println!("{}", render(&sample::report(), &sample::sources, &Options { color: true, ..plain(100) }));
}
