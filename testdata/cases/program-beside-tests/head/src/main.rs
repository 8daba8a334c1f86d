fn main() {
    let one = program_beside_tests::one() + 1;
    println!("begin");
    println!("middle");
    println!("{}", one);
}
