pub use coins;
