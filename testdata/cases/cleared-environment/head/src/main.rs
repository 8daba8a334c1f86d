fn main() {
    let names = std::env::args().skip(1).count();
    let greetings = names * 2;
    println!("{} greetings", greetings);
}
