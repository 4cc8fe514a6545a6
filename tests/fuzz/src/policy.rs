//! Policies of every kind out of bytes, as the JSON in which other programs hand them over.

use serde_json::{Value, json};

/// Numbers at which something could go wrong.
const NUMBERS: [f64; 24] = [
    0.0,
    1.0,
    2.0,
    3.0,
    0.5,
    0.1,
    1.5,
    10.0,
    99.5,
    100.0,
    333.333,
    1000.0,
    30_000.0,
    60_000.0,
    1e9,
    1e15,
    1e18,
    1e-6,
    1e-300,
    5e-324,
    1e300,
    f64::MAX,
    0.999_999_999,
    1.000_000_001,
];

/// Bytes, taken one after the other; zeros at their end.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let [first, rest @ ..] = self.0 else { return 0 };
        self.0 = rest;
        *first
    }

    fn pick(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    fn name(&mut self, of: &[&str]) -> Value {
        of[self.pick(of.len())].into()
    }

    /// Not negative.
    fn number(&mut self) -> Value {
        let byte = self.next() as usize;
        NUMBERS.get(byte % 32).copied().unwrap_or_else(|| (self.next() as f64) * [1.0, 7.3, 250.0][byte % 3]).into()
    }

    fn signed(&mut self) -> Value {
        let minus = self.pick(3) == 0;
        let number = self.number().as_f64().unwrap_or_default();
        (if minus { -number } else { number }).into()
    }

    fn count(&mut self) -> Value {
        let byte = self.next();
        let large = [1_000u64, 1_000_000, 4_294_967_296, 9_007_199_254_740_991];
        (if byte < 240 { u64::from(byte % 60) } else { large[byte as usize % 4] }).into()
    }

    fn list(&mut self, entry: fn(&mut Self) -> Value) -> Value {
        (0..=self.pick(6)).map(|_| entry(self)).collect()
    }

    fn piece(&mut self) -> Value {
        let (low, width) = (self.number(), self.number());
        let high = low.as_f64().unwrap_or_default() + width.as_f64().unwrap_or_default();
        let shape = match self.pick(4) {
            0 => json!({ "kind": "uniform" }),
            1 => json!({ "kind": "steps", "stepMs": self.number() }),
            2 => json!({ "kind": "exponential", "rate": self.number() }),
            _ => json!({ "kind": "unknown" }),
        };
        json!({ "weight": self.pick(5) as f64 / 4.0, "minMs": low, "maxMs": high, "shape": shape })
    }

    fn backoff(&mut self) -> Value {
        let after = |bytes: &mut Self| bytes.name(&["repeat-last", "stop"]);
        match self.pick(8) {
            0 => json!({ "kind": "constant", "delayMs": self.number() }),
            1 => json!({ "kind": "linear", "baseMs": self.number(), "incrementMs": self.signed() }),
            2 => json!({ "kind": "polynomial", "baseMs": self.number(), "power": self.signed() }),
            3 => json!({ "kind": "fibonacci", "baseMs": self.number() }),
            4 => json!({ "kind": "list", "delaysMs": self.list(Self::number), "after": after(self) }),
            5 => json!({ "kind": "table", "waits": self.list(|bytes| bytes.list(Self::piece)), "after": after(self) }),
            _ => json!({ "kind": "exponential", "baseMs": self.number(), "factor": self.number() }),
        }
    }

    fn jitter(&mut self) -> Value {
        let names = ["none", "full", "equal", "decorrelated", "telescoping"];
        let kind = self.pick(10);
        match kind {
            0..5 => names[kind].into(),
            5 => json!({ "kind": "from", "minMs": self.number() }),
            6 => json!({ "kind": "additive", "minMs": self.signed(), "maxMs": self.number() }),
            _ => {
                let kind = ["proportional", "poisson", "unknown"][kind - 7];
                json!({ "kind": kind, "below": self.number(), "above": self.number() })
            }
        }
    }

    fn wait(&mut self) -> Value {
        let mut wait = json!({ "backoff": self.backoff(), "jitter": self.jitter() });
        let asks = self.next();
        if asks & 1 != 0 {
            wait["capMs"] = self.number();
            wait["capOrder"] = self.name(&["before-jitter", "after-jitter", "both", "redraw", "ceiling"]);
        }
        if asks & 6 == 6 {
            wait["floorMs"] = self.number();
        }
        if asks & 24 == 24 {
            let mode = self.name(&["floor", "ceil", "nearest", "draw"]);
            wait["rounding"] =
                json!({ "unitMs": self.number(), "mode": mode, "of": self.name(&["wait", "capped", "delay"]) });
        }
        if asks & 96 == 96 {
            wait["carry"] = true.into();
        }
        if asks & 144 == 144 {
            wait["skip"] = self.count();
        }
        wait
    }
}

/// A policy, which may be one that is refused.
pub fn json(data: &[u8]) -> String {
    let mut bytes = Bytes(data);
    let mut policy = bytes.wait();
    let asks = bytes.next();
    if asks & 1 == 0 {
        policy["retries"] = bytes.count();
    }
    if asks & 6 == 6 {
        policy["firstWaitMs"] = bytes.number();
        policy["endsWithWait"] = (bytes.pick(2) == 0).into();
    }
    if asks & 24 == 24 {
        policy["plus"] = bytes.list(Bytes::wait);
    }
    if asks & 40 == 40 {
        policy["phases"] = bytes.list(|bytes| {
            let mut phase = bytes.wait();
            phase["retries"] = bytes.count();
            phase
        });
    }
    if asks & 64 != 0 {
        let overrun = bytes.name(&["refuse", "allow", "shorten"]);
        let clock = bytes.name(&["elapsed", "first-failure", "waits"]);
        policy["deadline"] = json!({ "limitMs": bytes.number(), "overrun": overrun, "clock": clock });
    }
    if asks & 128 != 0 {
        policy["attemptTimeoutMs"] = bytes.number();
        policy["initialDelayMs"] = bytes.number();
    }
    policy.to_string()
}
