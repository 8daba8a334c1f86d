//! Prices at compile time.

use proc_macro::TokenStream;

/// The price of a number of pieces.
#[proc_macro]
pub fn price(amount: TokenStream) -> TokenStream {
    let amount = amount.to_string().parse().expect("a number");
    codegen::price(amount).to_string().parse().expect("a number is an expression")
}
