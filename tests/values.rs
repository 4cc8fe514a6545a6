//! What values mean when a library asks.

use backoff::duration::{TimeForm, TimeProblem, Unit};
use backoff::notation::{self, Count, Value};

/// The value of the key `x` in a text.
fn given(text: &str) -> Value {
    let document = notation::read(text);
    let item = document.all().into_iter().find(|item| item.get("x").is_some());
    item.and_then(|item| item.get("x")).unwrap_or_else(|| panic!("no x in {text}: {:?}", document.items)).clone()
}

/// The value of an expression of code.
fn code(expression: &str) -> Value {
    let text = format!("call(x: {expression})");
    given(&text)
}

fn ms(value: &Value) -> f64 {
    value.duration_ms(None).unwrap_or_else(|problem| panic!("{value:?}: {problem:?}")).ms
}

#[test]
fn numbers() {
    let table = [
        ("x: 5", Some(5.0)),
        ("x: -1", Some(-1.0)),
        ("x: 1_000", Some(1000.0)),
        ("x: 1e3", Some(1000.0)),
        ("x: .5", Some(0.5)),
        ("x: .inf", Some(f64::INFINITY)),
        ("x: \"5\"", None),
        ("x: 10s", None),
        ("x: many", None),
        ("x=5", Some(5.0)),
        ("x=\"5\"", Some(5.0)),
        ("x = \"5\"\ny = 1", None),
    ];
    for (text, expected) in table {
        assert_eq!(given(text).number(), expected, "{text}");
    }
    assert_eq!(given("x: \"5\"").text_number(), Some(5.0));
    assert!(given("x: .nan").number().is_some_and(f64::is_nan));
}

#[test]
fn numbers_of_code() {
    let table = [
        ("1_0 - 7", 3.0),
        ("60 * 1000 / 4", 15_000.0),
        ("2 ** 10", 1024.0),
        ("-(1 + 2)", -3.0),
        ("1_000L", 1000.0),
        ("3u32", 3.0),
        ("float('inf')", f64::INFINITY),
        ("math.Inf(1)", f64::INFINITY),
        ("Number.POSITIVE_INFINITY", f64::INFINITY),
        ("Infinity", f64::INFINITY),
        ("math.inf", f64::INFINITY),
        ("Number.MAX_SAFE_INTEGER", 9_007_199_254_740_991.0),
        ("int.MaxValue", 2_147_483_647.0),
        ("Integer.MAX_VALUE", 2_147_483_647.0),
        ("math.MaxInt32", 2_147_483_647.0),
        ("u32::MAX", 4_294_967_295.0),
        ("Some(3)", 3.0),
        ("NonZeroU32::new(3).unwrap()", 3.0),
        ("uint64(4)", 4.0),
        ("Number(\"6\")", 6.0),
        ("TimeUnit.SECONDS.toMillis(5)", 5000.0),
        ("Duration.ofSeconds(2).toMillis()", 2000.0),
        ("timedelta(minutes=1).total_seconds()", 60.0),
        ("ms('2s')", 2000.0),
    ];
    for (expression, expected) in table {
        assert_eq!(code(expression).number(), Some(expected), "{expression}");
    }
    assert_eq!(given("from m import call\ncall(x=7 // 2)\n").number(), Some(3.0));
    for expression in ["retries", "f(3)", "2 * time.Second", "\"5\"", "n + 1", "[1]", "{a: 1}", "1 / x"] {
        assert_eq!(code(expression).number(), None, "{expression}");
    }
}

#[test]
fn times_with_units() {
    let table = [
        ("x: 10s", 10_000.0),
        ("x: 2m30s", 150_000.0),
        ("x: \"10 seconds\"", 10_000.0),
        ("x: PT1.5S", 1_500.0),
        ("x: 00:00:00.500", 500.0),
        ("x: {seconds: 2}", 2_000.0),
        ("x: {seconds: 1, nanos: 500000000}", 1_500.0),
        ("x=500ms", 500.0),
        ("x=1min 30s", 90_000.0),
        ("x: ${D:2s}", 2_000.0),
        ("x: .inf", f64::INFINITY),
    ];
    for (text, expected) in table {
        assert_eq!(ms(&given(text)), expected, "{text}");
    }
    let bare = given("x: 30");
    assert_eq!(bare.duration_ms(None), Err(TimeProblem::NoUnit(30.0)));
    let seconds = bare.duration_ms(Some(Unit::Second)).expect("a time");
    assert_eq!((seconds.ms, seconds.form), (30_000.0, TimeForm::Bare));
    assert!(given("x: 1.5s").duration_ms(None).expect("a time").only(&["s"]));
    assert_eq!(given("x: 500ms").duration_ms(None).expect("a time").units, ["ms"]);
    assert_eq!(
        given("x: 3 parsecs").duration_ms(None),
        Err(TimeProblem::UnknownUnit { value: 3.0, unit: "parsecs".into() })
    );
    assert_eq!(given("x: soon").duration_ms(Some(Unit::Second)), Err(TimeProblem::NotATime));
}

#[test]
fn times_of_languages() {
    let table = [
        // Go
        ("time.Second", 1_000.0),
        ("2 * time.Second", 2_000.0),
        ("time.Second / 2", 500.0),
        ("time.Second + 500*time.Millisecond", 1_500.0),
        ("time.Duration(100)", 0.0001),
        ("time.Duration(5) * time.Second", 5_000.0),
        ("3 * time.Microsecond", 0.003),
        ("0.1 * time.Second", 100.0),
        // Rust
        ("Duration::from_secs(3 * 60)", 180_000.0),
        ("Duration::from_millis(250)", 250.0),
        ("Duration::from_secs_f64(0.5)", 500.0),
        ("Duration::new(1, 500_000_000)", 1_500.0),
        ("std::time::Duration::from_micros(50)", 0.05),
        ("Duration::ZERO", 0.0),
        ("Some(Duration::from_secs(1))", 1_000.0),
        ("chrono::Duration::seconds(5)", 5_000.0),
        // Java, Kotlin, Scala
        ("Duration.ofSeconds(2)", 2_000.0),
        ("Duration.ofMillis(500)", 500.0),
        ("Duration.ofMinutes(5)", 300_000.0),
        ("Duration.of(5, ChronoUnit.SECONDS)", 5_000.0),
        ("Duration.parse(\"PT1S\")", 1_000.0),
        ("Duration.ofSeconds(1).plusMillis(500)", 1_500.0),
        ("5.seconds", 5_000.0),
        ("500.milliseconds", 500.0),
        ("1.second", 1_000.0),
        ("FiniteDuration(5, TimeUnit.SECONDS)", 5_000.0),
        // C#
        ("TimeSpan.FromSeconds(.5)", 500.0),
        ("TimeSpan.FromMilliseconds(200)", 200.0),
        ("new TimeSpan(0, 0, 1)", 1_000.0),
        ("new TimeSpan(1, 0, 0, 0)", 86_400_000.0),
        ("TimeSpan.Parse(\"00:00:05\")", 5_000.0),
        ("TimeSpan.FromSeconds(2) * 2", 4_000.0),
        ("TimeSpan.Zero", 0.0),
        // Python
        ("timedelta(minutes=1, seconds=30)", 90_000.0),
        ("datetime.timedelta(seconds=5)", 5_000.0),
        ("timedelta(0, 10)", 10_000.0),
        // Ruby, PHP, others
        ("1.minute", 60_000.0),
        ("5.minutes + 30.seconds", 330_000.0),
        ("new DateInterval('PT5S')", 5_000.0),
        ("Duration.seconds(5)", 5_000.0),
        ("Duration(seconds: 5, milliseconds: 500)", 5_500.0),
        ("std::chrono::milliseconds(20)", 20.0),
    ];
    for (expression, expected) in table {
        assert_eq!(ms(&code(expression)), expected, "{expression}");
    }
    let milliseconds =
        [("60 * 1000", 60_000.0), ("ms('2s')", 2_000.0), (":timer.seconds(5)", 5_000.0), ("1e3", 1_000.0)];
    for (expression, expected) in milliseconds {
        let time = code(expression).duration_ms(Some(Unit::Millisecond));
        assert_eq!(time.map(|time| time.ms), Ok(expected), "{expression}");
    }
    for unknown in ["delay", "cfg.delay * 2", "computeDelay(3)", "Duration.ofSeconds(n)"] {
        assert_eq!(code(unknown).duration_ms(Some(Unit::Second)), Err(TimeProblem::Unknown), "{unknown}");
    }
}

#[test]
fn counts_flags_and_nothing() {
    let counts = [
        ("x: 3", Some(Count::N(3.0))),
        ("x: \"3\"", Some(Count::N(3.0))),
        ("x: -1", Some(Count::N(-1.0))),
        ("x: .inf", Some(Count::Unlimited)),
        ("x: no_limits", Some(Count::Unlimited)),
        ("x: few", None),
    ];
    for (text, expected) in counts {
        assert_eq!(given(text).count(), expected, "{text}");
    }
    let flags = [
        ("x: true", Some(true)),
        ("x: 'Yes'", Some(true)),
        ("x: Off", Some(false)),
        ("x: False", Some(false)),
        ("x: ${A:true}", Some(true)),
        ("x: 1", None),
    ];
    for (text, expected) in flags {
        assert_eq!(given(text).flag(), expected, "{text}");
    }
    for nothing in ["x: null", "x: ~", "x:\ny: 1", "x: None"] {
        assert!(given(nothing).is_null(), "{nothing}");
    }
    for nothing in ["None", "nil", "undefined", "null"] {
        assert!(code(nothing).is_null(), "{nothing}");
    }
    assert!(!given("x: 0").is_null());
}

#[test]
fn placeholders() {
    let defaults = [
        ("x: ${R:5}", 5.0),
        ("x: \"${r.max:10}\"", 10.0),
        ("x: ${R:-5}", 5.0),
        ("x: ${R-5}", 5.0),
        ("x: {{ .Values.x | default 4 }}", 4.0),
        ("x: \"{{ n | default(7) }}\"", 7.0),
        ("x: ${{ inputs.n || 6 }}", 6.0),
        ("x=${R:5}", 5.0),
    ];
    for (text, expected) in defaults {
        let value = given(text);
        assert_eq!(value.number(), Some(expected), "{text}");
        assert!(value.is_placeholder() && !value.is_undefined(), "{text}");
    }
    for text in ["x: ${R}", "x: \"#{r.max}\"", "x: '%env(R)%'", "x: {{ .Values.x }}", "x: $R", "x=$(R)"] {
        let value = given(text);
        assert!(value.is_placeholder() && value.is_undefined() && value.number().is_none(), "{text}");
        assert_eq!(value.duration_ms(Some(Unit::Second)), Err(TimeProblem::Unknown), "{text}");
    }
    for expression in [
        "os.getenv(\"X\", 5)",
        "int(os.environ.get('X', '5'))",
        "process.env.X ?? 5",
        "Number(process.env.X || 5)",
        "parseInt(process.env.X ?? '5', 10)",
        "env('X', 5)",
        "ENV.fetch('X', 5)",
        "ENV['X'] || 5",
    ] {
        let value = code(expression);
        assert_eq!(value.text_number(), Some(5.0), "{expression}");
        assert!(value.is_placeholder() && !value.is_undefined(), "{expression}");
    }
    for expression in ["process.env.X", "var.x", "os.getenv(\"X\")", "retries", "cfg.get(1)", "n * 2"] {
        assert!(code(expression).is_undefined(), "{expression}");
    }
    for expression in
        ["5", "true", "None", ":symbol", "'text'", "time.Second", "[1, n]", "{a: n}", "2 + 3", "int.MaxValue"]
    {
        assert!(!code(expression).is_undefined(), "{expression}");
    }
}
