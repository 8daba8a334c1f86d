pub const SEATS: usize = 8;

pub fn takes(people: usize) -> bool {
    people < 9
}
