#[path = "workshop/saw.rs"]
pub mod cutting;

#[path = "../shared/drill.rs"]
pub mod deep;

pub mod bench {
    pub mod inner;
}
