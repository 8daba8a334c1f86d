mod words;

fn main() {}
