pub mod solid {
    pub mod volume;
}
