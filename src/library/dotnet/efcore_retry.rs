//! Entity Framework Core: the execution strategy behind EnableRetryOnFailure.

use crate::library::{Block, Certainty, Example, Library, Scan, Setting, Take};
use crate::notation::{Form, Item, Value};
use crate::policy::{Law, Policy, Wait};

/// EF Core 11.
pub static LIBRARY: Library = Library {
    id: "efcore-retry",
    title: "EF Core EnableRetryOnFailure",
    ecosystem: ".NET",
    version: "11.0 (ecd0ba4c23, 2026-08)",
    source: "src/EFCore/Storage/ExecutionStrategy.cs",
    counts: "retries (maxRetryCount); 6 unless written",
    formula: "min(maxRetryDelay, (2^(k-1) - 1) s * U[1, 1.1])",
    words: &[
        "EnableRetryOnFailure",
        "SqlServerRetryingExecutionStrategy",
        "UseSqlServer",
        "UseNpgsql",
        "NpgsqlRetryingExecutionStrategy",
        "MySqlRetryingExecutionStrategy",
    ],
    settings: &[
        Setting::count("maxRetryCount", "retries", "6").at(0),
        Setting::duration("maxRetryDelay", "capMs", "30s").at(1),
        Setting::other("errorNumbersToAdd").at(2),
        Setting::other("errorCodesToAdd"),
    ],
    notes: &[
        "The first retry comes at once; then 1, 3, 7, 15 s, lengthened by up to a tenth.",
        "The cap comes after the jitter.",
        "SQL Server's throttling errors add 5 s to each wait.",
    ],
    releases: &["6 retries", "5 retries (before 2.0)"],
    error_classes: &["usual errors", "throttling (SQL Server)"],
    relaxed_names: false,
    retry_after: None,
    find,
    read,
    write: &[],
    examples: &[
        Example {
            text: "services.AddDbContext<BlogContext>(o =>\n    o.UseSqlServer(cs, sql => sql.EnableRetryOnFailure(maxRetryCount: 3)));\n",
            waits: &[(0.0, 0.0), (1.0, 1.1), (3.0, 3.3)],
        },
        Example {
            text: "o.UseNpgsql(cs, x => x.EnableRetryOnFailure(4, TimeSpan.FromSeconds(2), null));\n",
            waits: &[(0.0, 0.0), (1.0, 1.1), (2.0, 2.0), (2.0, 2.0)],
        },
    ],
};

const STRATEGIES: &[&str] =
    &["SqlServerRetryingExecutionStrategy", "NpgsqlRetryingExecutionStrategy", "MySqlRetryingExecutionStrategy"];

fn find<'d>(scan: &Scan<'d>) -> Vec<Block<'d>> {
    let enables = |i: &Item| i.is("EnableRetryOnFailure") || i.call("EnableRetryOnFailure").is_some();
    let own = |i: &Item| i.form == Form::Call && (enables(i) || i.is_any(STRATEGIES));
    scan.blocks(&|item| own(item).then(|| Block::new(item, Certainty::Certain)))
}

fn read(take: &mut Take) -> Policy {
    let item = take.block.item;
    let mut args = match item.call("EnableRetryOnFailure") {
        Some(written) => take.of_call(written, item.span, ""),
        None => take.main(),
    };
    let context = usize::from(item.is_any(STRATEGIES));
    let old = args.take.release == "5 retries (before 2.0)";
    if !args.has("maxRetryCount") {
        args.take.note("defaults", item.head.span, "Nothing is set: 6 retries up to 30 s apart is the default.");
    }
    // A strategy's constructor takes the context first.
    let shifted = item.at(context).filter(|_| context > 0);
    let retries = match shifted.and_then(Value::number) {
        Some(number) => Some(number.max(0.0) as u64),
        None => args.count("maxRetryCount"),
    };
    let retries = match (old, args.has("maxRetryCount")) {
        (true, false) => 5,
        _ => retries.unwrap_or(6),
    };
    let cap_ms = match item.at(context + 1).filter(|_| context > 0) {
        Some(value) => args.take.time("maxRetryDelay", "capMs", value, None),
        None => args.time("maxRetryDelay"),
    };
    args.unknown_names("a parameter of EnableRetryOnFailure", "it does not compile");
    let cap_ms = cap_ms.unwrap_or(30_000.0);
    for (field, default) in [("baseMs", "1 s"), ("factor", "2"), ("jitter", "up to 10 % longer")] {
        take.default(field, default);
    }
    let extra_ms = if take.error_class.starts_with("throttling") { 5_000.0 } else { 0.0 };
    Policy::new(Wait::each(retries.min(64), &|k| law(k, cap_ms, extra_ms)), retries)
}

/// `(2^(k-1) - 1) s * U[1, 1.1]`, cut, then lengthened by what throttling adds.
fn law(k: u64, cap_ms: f64, extra_ms: f64) -> Law {
    let delay_ms = (libm::pow(2f64, k as f64 - 1.0) - 1.0) * 1_000.0;
    let law = Law::uniform(delay_ms, 1.1 * delay_ms).capped(cap_ms);
    let pieces = law.pieces.into_iter().map(|mut piece| {
        piece.min_ms += extra_ms;
        piece.max_ms += extra_ms;
        piece
    });
    Law { pieces: pieces.collect() }
}
