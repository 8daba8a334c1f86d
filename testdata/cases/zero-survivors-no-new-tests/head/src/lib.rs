pub const SEATS: usize = 6;

pub fn takes(people: usize) -> bool {
    people <= SEATS
}
