include!("rates.in");
