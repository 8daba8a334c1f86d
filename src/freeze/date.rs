//! Calendar days: when a frozen test runs again, how long an excusal holds. Proleptic Gregorian, UTC, as commits are dated here.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date {
    year: i64,
    month: u8,
    day: u8,
}

impl Date {
    /// The present day (UTC).
    pub fn today() -> Date {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Date::of_unix(since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX)))
    }

    /// The day of a moment, in seconds since 1970 (UTC).
    pub fn of_unix(seconds: i64) -> Date {
        // Days to civil, after Howard Hinnant's `chrono`-compatible date algorithms: eras of 400 years from 0000-03-01.
        let days = seconds.div_euclid(86_400) + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u8;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u8;
        Date { year: year_of_era + era * 400 + i64::from(month <= 2), month, day }
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Date, String> {
        let bad = || format!("`{text}` is no date like `2031-12-31`");
        let bytes = text.as_bytes();
        let digits = |range: std::ops::Range<usize>| -> Option<i64> {
            let part = text.get(range)?;
            part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?
        };
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
            return Err(bad());
        }
        let (year, month, day) =
            (digits(0..4).ok_or_else(bad)?, digits(5..7).ok_or_else(bad)?, digits(8..10).ok_or_else(bad)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return Err(bad()),
        };
        if !(1..=last).contains(&day) {
            return Err(format!("`{text}` is no day of the calendar"));
        }
        Ok(Date { year, month: month as u8, day: day as u8 })
    }
}

impl TryFrom<String> for Date {
    type Error = String;

    fn try_from(text: String) -> Result<Date, String> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_fall_on_their_days() {
        let days = [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            (-1, "1969-12-31"),
            (951_782_400, "2000-02-29"),
            (1_767_225_600, "2026-01-01"),
            (4_107_542_400, "2100-03-01"),
        ];
        for (seconds, day) in days {
            assert_eq!(Date::of_unix(seconds).to_string(), day, "{seconds}");
            assert_eq!(day.parse(), Ok(Date::of_unix(seconds)));
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for bad in
            ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "31.12.2026", "soon", "", "2026-04-31", "+026-01-01"]
        {
            assert!(bad.parse::<Date>().is_err(), "{bad}");
        }
        assert!("2024-02-29".parse::<Date>().is_ok());
    }
}
