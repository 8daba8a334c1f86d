fn main() {
    println!("cargo::rerun-if-changed={}.rs", ["build"].concat());
}
