//! Reconnection of socket.io-client: `io(url, { reconnectionDelay, reconnectionDelayMax, randomizationFactor, … })`.

use super::{calls, has_any, map, ms, options, place};
use crate::library::{Args, Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Item, Step, Value};
use crate::policy::{Backoff, Law, Policy, Rounded, Rounding, RoundingMode, Wait};

/// socket.io-client 4.
pub static LIBRARY: Library = Library {
    id: "socket.io-client",
    title: "Socket.IO client",
    ecosystem: "JavaScript",
    version: "4.8.4",
    source: "npm package socket.io-client: build/cjs/manager.js, build/cjs/contrib/backo2.js",
    counts: "reconnections after the first connection that failed (reconnectionAttempts)",
    formula: "min(d ± floor(r * randomizationFactor * d), reconnectionDelayMax), d = reconnectionDelay * 2^(k-1); minus where the first decimal of r is even",
    words: &[
        "socket.io-client",
        "reconnectionDelay",
        "reconnectionAttempts",
        "reconnectionDelayMax",
        "randomizationFactor",
    ],
    settings: &[
        Setting::flag("reconnection", "retries", "true"),
        Setting::count("reconnectionAttempts", "retries", ""),
        ms("reconnectionDelay", "baseMs", "1000"),
        ms("reconnectionDelayMax", "capMs", "5000"),
        Setting::number("randomizationFactor", "jitter", "0.5"),
        ms("timeout", "attemptTimeoutMs", "20000"),
    ],
    notes: &[
        "Reconnection attempts are unlimited unless they are written; 0 means unlimited too.",
        "One random number gives size and sign, so the spread is not symmetric: with 0.5 the first wait is 551 to 1499 ms, not 500 to 1500.",
        "reconnectionDelayMax acts after the jitter: long waits all sit exactly on it.",
        "A delay of 0 counts as not written; a randomizationFactor outside 0 to 1 counts as 0.",
    ],
    releases: &[],
    error_classes: &[],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "import { io } from 'socket.io-client';\n\nexport const socket = io('https://chat.example.com', {\n  reconnectionAttempts: 4,\n  reconnectionDelay: 400,\n  reconnectionDelayMax: 2000,\n});\n",
            waits: &[(0.221, 0.599), (0.441, 1.199), (0.881, 2.0), (1.761, 2.0)],
        },
        Example {
            text: "import { io } from 'socket.io-client';\n\nconst socket = io({ reconnectionDelay: 500, randomizationFactor: 0, reconnectionAttempts: 3 });\n",
            waits: &[(0.5, 0.5), (1.0, 1.0), (2.0, 2.0)],
        },
    ],
};

/// Options that nobody else has.
const OWN: &[&str] = &["reconnectionDelay", "reconnectionDelayMax", "reconnectionAttempts", "randomizationFactor"];
/// After so many doublings a delay is beyond all bounds.
const MOST_DOUBLINGS: u64 = 1_024;
/// What `| 0` keeps; a longer wait turns negative and fires at once.
const INT_MAX_MS: f64 = 2_147_483_647.0;

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    for (item, imported) in calls(scan, &["socket.io-client"], &["io", "io.connect", "Manager"]) {
        if imported || given(item).and_then(map).is_some_and(|given| has_any(given, OWN)) {
            blocks.push(Block::new(item, Certainty::Certain));
        }
    }
    super::claim_alone(scan, &mut blocks, |item| has_any(item, OWN), Certainty::Certain);
    blocks
}

/// The options: after the address, or alone.
fn given(item: &Item) -> Option<&Value> {
    item.at(1).or(item.at(0).filter(|value| map(value).is_some()))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let defaults = "it reconnects without end, after 1 s, 2 s, 4 s, then every 5 s, ±50 %.";
    let set = |step: &Step| matches!(step, Step::Call { name, .. } if OWN.contains(&name.text.as_str()));
    let alone = item.head.text.is_empty() || item.steps.iter().any(set);
    let mut args = if alone { take.main() } else { options(take, given(item), "", defaults) };
    let reconnects = args.flag("reconnection");
    if reconnects && !args.has("reconnectionAttempts") && OWN.iter().any(|name| args.has(name)) {
        let message = "`reconnectionAttempts` is not written: it reconnects without end.";
        args.take.note("defaults", place(&args.take.block), message);
    }
    let retries = or_default(&mut args, "reconnectionAttempts", "Infinity", |args, name| args.count(name));
    let base_ms = or_default(&mut args, "reconnectionDelay", "1000", |args, name| args.time(name)).unwrap_or(1_000.0);
    let cap_ms = or_default(&mut args, "reconnectionDelayMax", "5000", |args, name| args.time(name)).unwrap_or(5_000.0);
    let share = args.number("randomizationFactor").unwrap_or(0.5);
    let share = match args.value("randomizationFactor").filter(|_| !(0.0..=1.0).contains(&share)) {
        Some(value) => {
            args.take.refuse("randomizationFactor", value, "must be between 0 and 1; outside it counts as 0");
            0.0
        }
        None => share,
    };
    if let Some(value) = args.value("reconnectionDelayMax").filter(|_| cap_ms > INT_MAX_MS) {
        let message = "A wait above 2147483647 ms does not fit the 32 bits it is cut to: it fires at once.";
        args.take.warning("timer-overflow", value.span, message);
    }
    if let Some(value) = args.value("randomizationFactor").filter(|_| share > 0.0) {
        let message = format!(
            "One random number gives size and sign, so the spread is not symmetric: from {:.1} % below to {:.1} % above.",
            90.0 * share,
            100.0 * share
        );
        args.take.note("asymmetric", value.span, message);
    }
    let off = args.value("timeout").is_some_and(|value| value.flag() == Some(false));
    let timeout_ms = if off { None } else { args.time("timeout") };
    let retries = if reconnects { retries } else { Some(0) };
    let wait = if share == 0.0 { plain(base_ms, cap_ms) } else { table(base_ms, cap_ms, share, retries) };
    let mut policy = Policy::new(wait, retries);
    policy.attempt_timeout_ms = timeout_ms;
    policy
}

/// A setting whose 0 counts as not written.
fn or_default<T: PartialEq + From<u8>>(
    args: &mut Args,
    name: &str,
    default: &str,
    read: impl Fn(&mut Args, &str) -> Option<T>,
) -> Option<T> {
    let value = read(args, name)?;
    match args.value(name).filter(|_| value == T::from(0)) {
        Some(written) => {
            let message = format!("`{name}: 0` counts as not written: {default} is taken.");
            args.take.warning("silent-default", written.span, message);
            None
        }
        None => Some(value),
    }
}

fn plain(base_ms: f64, cap_ms: f64) -> Wait {
    let wait = Wait::new(Backoff::Exponential { base_ms, factor: 2.0 }).cap(cap_ms);
    wait.rounding(RoundingMode::Floor, 1.0, Rounded::Capped)
}

/// Each wait's law, up to the first that is always the cap.
fn table(base_ms: f64, cap_ms: f64, share: f64, retries: Option<u64>) -> Wait {
    let mut waits: Vec<Law> = Vec::new();
    for k in 0..retries.unwrap_or(MOST_DOUBLINGS).clamp(1, MOST_DOUBLINGS) {
        let law = law(base_ms * libm::exp2(k as f64), cap_ms, share);
        let last = law.pieces.iter().all(|piece| piece.is_atom() && piece.min_ms >= cap_ms.floor());
        waits.push(law);
        if last {
            break;
        }
    }
    Wait::table(waits)
}

/// The law of one wait: ten parts by the first decimal of the draw, in turn below and above the delay.
fn law(delay_ms: f64, cap_ms: f64, share: f64) -> Law {
    let floor = Rounding { unit_ms: 1.0, mode: RoundingMode::Floor, of: Rounded::Wait };
    let mut pieces = Vec::new();
    for tenth in 0..10 {
        let ms = |part: i32| delay_ms * share * f64::from(part) / 10.0;
        for mut piece in Law::uniform(ms(tenth), ms(tenth + 1)).rounded(floor).pieces {
            let (least, most) = (piece.min_ms, piece.max_ms);
            piece.weight /= 10.0;
            (piece.min_ms, piece.max_ms) = match tenth % 2 {
                0 => (delay_ms - most, delay_ms - least),
                _ => (delay_ms + least, delay_ms + most),
            };
            pieces.push(piece);
        }
    }
    Law { pieces }.capped(cap_ms).rounded(floor)
}
