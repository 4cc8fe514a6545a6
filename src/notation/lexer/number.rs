//! Numbers with the letters that follow them.

use super::{Lexer, Tag, is_word};

impl Lexer<'_> {
    pub(super) fn number(&mut self) {
        let start = self.at;
        let mut at = start;
        let radix = self.byte(at) == b'0'
            && matches!(self.byte(at + 1) | 32, b'x' | b'b' | b'o')
            && self.byte(at + 2).is_ascii_hexdigit();
        let digits = |s: &Self, mut at: usize| {
            while s.byte(at).is_ascii_digit() || s.byte(at) == b'_' && s.byte(at + 1).is_ascii_digit() {
                at += 1;
            }
            at
        };
        if radix {
            at += 2;
            while self.byte(at).is_ascii_hexdigit() || self.byte(at) == b'_' {
                at += 1;
            }
            return self.push(Tag::Number, start, at);
        }
        at = digits(self, at);
        if self.byte(at) == b'.' && self.byte(at + 1).is_ascii_digit() {
            at = digits(self, at + 1);
        } else if self.byte(at) == b'.' && self.byte(at + 1) != b'.' && !is_word(self.byte(at + 1)) {
            at += 1;
        }
        if self.byte(at) | 32 == b'e' {
            let sign = usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
            if self.byte(at + 1 + sign).is_ascii_digit() {
                at = digits(self, at + 1 + sign);
            }
        }
        // Rust's `10_u64`
        let joined = self.byte(at) == b'_'
            && matches!(self.byte(at + 1), b'u' | b'i' | b'f')
            && (self.byte(at + 2).is_ascii_digit() || self.byte(at + 2) == b's');
        let suffix = at + usize::from(joined);
        at = self.letters(suffix);
        let sized = matches!(&self.text[suffix..at], "usize" | "isize");
        let typed = sized || matches!(&self.text[suffix..at], "u" | "i" | "f") && self.byte(at).is_ascii_digit();
        if typed {
            at = digits(self, at);
            return self.push(Tag::Number, start, at);
        }
        // `1m30s`, `1.2.3`, `5xx2`: more of the same is no number.
        let letters = at;
        loop {
            at = self.name_end(at);
            if self.byte(at) != b'.' || !self.byte(at + 1).is_ascii_digit() {
                break;
            }
            at += 1;
        }
        let bare = at > letters;
        self.push(if bare { Tag::Bare } else { Tag::Number }, start, at);
    }

    pub(super) fn letters(&self, from: usize) -> usize {
        from + self.text[from..self.end].chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum::<usize>()
    }
}

/// A number literal: its value and the letters after it.
pub(in crate::notation) fn parse_number(text: &str) -> (f64, &str) {
    let radix = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        [b'0', b'o' | b'O', ..] => 8,
        _ => 10,
    };
    if radix != 10 {
        let digits = text[2..].chars().filter(|c| *c != '_');
        let value = digits.map_while(|c| c.to_digit(radix)).fold(0.0, |v, d| v * f64::from(radix) + f64::from(d));
        return (value, "");
    }
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let exponent = matches!(bytes[end], b'e' | b'E')
            && bytes.get(end + 1).is_some_and(|c| {
                c.is_ascii_digit() || matches!(c, b'+' | b'-') && bytes.get(end + 2).is_some_and(u8::is_ascii_digit)
            });
        match bytes[end] {
            b'0'..=b'9' | b'.' | b'_' => end += 1,
            _ if exponent => end += 2,
            _ => break,
        }
    }
    let digits: String = text[..end].chars().filter(|c| *c != '_').collect();
    (digits.parse().unwrap_or(f64::NAN), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::parse_number;

    #[test]
    fn numbers_keep_their_letters_apart() {
        for (text, value, suffix) in [
            ("1_000L", 1000.0, "L"),
            (".5", 0.5, ""),
            ("5e3", 5000.0, ""),
            ("30s", 30.0, "s"),
            ("5.", 5.0, ""),
            ("0x1F", 31.0, ""),
            ("1e-2d", 0.01, "d"),
            ("1.5f64", 1.5, "f64"),
        ] {
            assert_eq!(parse_number(text), (value, suffix), "{text}");
        }
    }
}
