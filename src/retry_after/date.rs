//! The three forms of an HTTP date (RFC 9110, section 5.6.7).

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY_MS: f64 = 86_400_000.0;

/// The time of a date, ms since 1970; `None` where the text is no such date. The name of the day is not checked against
/// it.
pub(super) fn unix_ms(text: &str, now_unix_ms: f64) -> Option<f64> {
    let (weekday, rest) = text.split_once([' ', ','])?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (day, month, year, clock) = match words.as_slice() {
        // Wed, 21 Oct 2015 07:28:00 GMT
        [day, month, year, clock, zone] if is_gmt(zone) => (*day, *month, number(year)?, *clock),
        // Wednesday, 21-Oct-15 07:28:00 GMT
        [date, clock, zone] if is_gmt(zone) => {
            let parts: Vec<&str> = date.split('-').collect();
            let [day, month, year] = parts.as_slice() else { return None };
            (*day, *month, short_year(year, now_unix_ms)?, *clock)
        }
        // Wed Oct 21 07:28:00 2015
        [month, day, clock, year] => (*day, *month, number(year)?, *clock),
        _ => return None,
    };
    if !is_weekday(weekday) {
        return None;
    }
    let month = 1 + MONTHS.iter().position(|name| month.eq_ignore_ascii_case(name))? as i64;
    let day: i64 = number(day)?;
    let times: Vec<i64> = clock.split(':').map(number).collect::<Option<_>>()?;
    let [hour, minute, second] = times.as_slice() else { return None };
    let in_range = day >= 1 && day <= days_in(month, year) && *hour < 24 && *minute < 60 && *second <= 60;
    let seconds = (hour * 60 + minute) * 60 + second;
    in_range.then(|| days_since_1970(year, month, day) as f64 * DAY_MS + seconds as f64 * 1_000.0)
}

fn is_gmt(word: &str) -> bool {
    word.eq_ignore_ascii_case("gmt")
}

fn is_weekday(word: &str) -> bool {
    let short = word.get(..3).map(str::to_ascii_lowercase);
    let long = word.len() == 3 || word.to_ascii_lowercase().ends_with("day");
    long && short.is_some_and(|short| DAYS.contains(&short.as_str()))
}

/// Up to four digits and nothing else.
fn number(digits: &str) -> Option<i64> {
    let plain = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// The year of two digits that is less than 50 years after now, as the RFC has it; one of four as it is.
fn short_year(digits: &str, now_unix_ms: f64) -> Option<i64> {
    let year = number(digits)?;
    if digits.len() > 2 {
        return Some(year);
    }
    let now = 1970 + (now_unix_ms / (365.2425 * DAY_MS)).floor().clamp(-1e6, 1e6) as i64;
    let near = now - now.rem_euclid(100) + year;
    Some(if near > now + 50 { near - 100 } else { near })
}

fn days_in(month: i64, year: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Years are counted from March, so that a leap day ends one; 1970 began 719 468 days after March of year 0.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let from_march = (month + 9) % 12;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (153 * from_march + 2) / 5 + day - 1 - 719_468
}
