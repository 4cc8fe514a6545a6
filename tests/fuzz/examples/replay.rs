//! Runs inputs through their targets in a plain build, and holds each to a bound of time and memory:
//! `replay [TARGET] [COUNT]`. Inputs are those in `corpus/` and `artifacts/`, and as many new ones, made of the golden
//! cases, as are asked for.

use backoff_fuzz::{TARGETS, Target, mutate};
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

/// The bound of time beside the target's own: so many ns for each byte.
const NS_A_BYTE: f64 = 200.0;

/// The bound of memory: so many KiB, and so many bytes for each byte.
const MEMORY: (usize, usize) = (16_384, 500);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let made: u32 = words.iter().find_map(|word| word.parse().ok()).unwrap_or(0);
    let chosen = |name: &str| !words.iter().any(|word| word.parse::<u32>().is_err()) || words.iter().any(|w| w == name);
    let mut over = 0;
    for target in TARGETS.iter().filter(|target| chosen(target.name)) {
        let kept = kept(target.name);
        let mut worst = Measured::default();
        for path in &kept {
            let data = fs::read(path).expect("a kept input");
            over += usize::from(!measure(target, &data, &path.display().to_string(), &mut worst));
        }
        let mut buffer = vec![0; 8_192];
        for seed in 0..made {
            let size = if seed % 16 == 0 { 0 } else { buffer.len().min(worst.last) };
            let make = match target.name {
                "link" => mutate::link,
                "schedule" | "totals" => mutate::bytes,
                _ => mutate::case,
            };
            worst.last = make(&mut buffer, size, 8_192, seed);
            let data = buffer[..worst.last].to_vec();
            over += usize::from(!measure(target, &data, &format!("seed {seed}"), &mut worst));
        }
        println!(
            "{:<10} {} kept, {made} made; slowest {:.2} ms ({:.0} % of its bound), most memory {} KiB",
            target.name,
            kept.len(),
            worst.ms,
            worst.share * 100.0,
            worst.kib
        );
    }
    println!("{over} failed or went over their bound");
    if over == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The most that was seen.
#[derive(Default)]
struct Measured {
    ms: f64,
    share: f64,
    kib: usize,
    /// The length of the last input that was made.
    last: usize,
}

/// The inputs that a fuzzer kept for a target.
fn kept(name: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["corpus", "artifacts"].map(|folder| root.join(folder).join(name));
    let mut paths: Vec<_> = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten().collect();
    paths.sort_by_key(fs::DirEntry::path);
    paths.iter().map(fs::DirEntry::path).collect()
}

/// Runs one input; whether it stayed within its bounds. A machine that was busy meanwhile gets four more chances.
fn measure(Target { name, run, ms }: &Target, data: &[u8], what: &str, worst: &mut Measured) -> bool {
    let bound_ms = ms + NS_A_BYTE * data.len() as f64 / 1e6;
    let bound_kib = MEMORY.0 + MEMORY.1 * data.len() / 1024;
    // Where the system does not tell, nothing is measured.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS:");
    let mut ms = f64::INFINITY;
    for _ in 0..5 {
        let start = spent_ms();
        if catch_unwind(|| run(data)).is_err() {
            keep(name, data, what);
            return false;
        }
        ms = ms.min(spent_ms() - start);
        if ms <= bound_ms {
            break;
        }
    }
    let kib = status("VmHWM:").saturating_sub(before);
    (worst.ms, worst.share, worst.kib) = (worst.ms.max(ms), worst.share.max(ms / bound_ms), worst.kib.max(kib));
    let good = ms <= bound_ms && kib <= bound_kib;
    if !good {
        keep(name, data, what);
        println!("{name}: {what}, {} bytes: {ms:.1} ms of {bound_ms:.1}, {kib} KiB of {bound_kib}", data.len());
    }
    good
}

/// Writes an input that failed beside those of the fuzzer.
fn keep(name: &str, data: &[u8], what: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(name);
    if let Some(number) = what.strip_prefix("seed ") {
        fs::create_dir_all(&folder).expect("a folder for what failed");
        fs::write(folder.join(format!("made-{number}")), data).expect("what failed is kept");
    }
}

/// The time that this process has worked; where the system does not tell, the time of a clock.
fn spent_ms() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let said = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let worked = said.and_then(|said| said.split(' ').next()?.parse::<f64>().ok());
    worked.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3, |ns| ns / 1e6)
}

/// A line of what the system says of this process, KiB.
fn status(key: &str) -> usize {
    let said = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = said.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or_default()
}
