pub fn discounted(price: u32) -> u32 {
    price
}
