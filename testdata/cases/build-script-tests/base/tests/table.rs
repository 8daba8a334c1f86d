include!(concat!(env!("OUT_DIR"), "/rows.rs"));
