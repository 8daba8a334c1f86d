//! A calendar day as ledgers write it: `2026-03-31`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day of the Gregorian calendar; later days are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

impl Day {
    /// The present day in UTC.
    pub fn today() -> Day {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Day::from_days(seconds / 86_400)
    }

    /// Days since 1970-01-01, by counting eras of 400 years that begin with March.
    fn from_days(days: u64) -> Day {
        let days = days + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        Day { year: year as u16, month: month as u8, day: day as u8 }
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let wrong = || format!("`{text}` is no day, expected YYYY-MM-DD");
        let digits = |part: &str, long: usize| {
            (part.len() == long && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<u16>().ok()).flatten()
        };
        let mut parts = text.split('-');
        let mut next = |long| parts.next().and_then(|part| digits(part, long));
        let (year, month, day) = (next(4).ok_or_else(wrong)?, next(2).ok_or_else(wrong)?, next(2).ok_or_else(wrong)?);
        if parts.next().is_some() {
            return Err(wrong());
        }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u16::from(leap),
            _ => return Err(wrong()),
        };
        if !(1..=last).contains(&day) {
            return Err(wrong());
        }
        Ok(Day { year, month: month as u8, day: day as u8 })
    }
}

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Day, String> {
        text.parse()
    }
}

impl From<Day> for String {
    fn from(day: Day) -> String {
        day.to_string()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_written_alike_and_compare_by_time() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        assert_eq!(day("2028-02-29").to_string(), "2028-02-29");
        assert!(day("2026-12-31") < day("2027-01-01"));
        for wrong in
            ["2026-2-01", "2026-02-30", "2027-02-29", "2026-13-01", "2026-01-00", "2026-01-01-", "x", "+026-01-01"]
        {
            assert!(wrong.parse::<Day>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn seconds_become_days() {
        assert_eq!(Day::from_days(0).to_string(), "1970-01-01");
        assert_eq!(Day::from_days(11_016).to_string(), "2000-02-29");
        assert_eq!(Day::from_days(20_787).to_string(), "2026-11-30");
    }
}
