//! Small helpers for text: hexadecimal digests.

use sha2::{Digest, Sha256};

/// Lowercase hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hex SHA-256 of some bytes.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes.as_ref()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_digest_of_nothing_is_the_well_known_one() {
        assert!(super::sha256("").starts_with("e3b0c44298fc1c14"));
    }
}
