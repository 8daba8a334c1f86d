//! Shelves.

async fn load(shelf: u32) -> u32 {
    std::future::ready(shelf * 10).await
}

/// The load of two neighbours.
pub async fn pair(shelf: u32) -> u32 {
    load(shelf).await + load(shelf + 1).await
}

/// Whether a shelf bends.
pub async fn bends(shelf: u32) -> Result<bool, String> {
    let weight = load(shelf).await;
    let over = async { weight > 20 };
    if shelf == 9 {
        return Err("no such shelf".to_string());
    }
    Ok(over.await)
}
