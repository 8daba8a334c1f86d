fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.len() < 1 {
        std::process::exit(3);
    }
    let greetings = names.len() * 2;
    println!("{} greetings", greetings);
}
