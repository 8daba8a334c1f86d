fn main() {
    println!("begin");
    println!("middle");
    println!("{}", program_beside_tests::one());
}
