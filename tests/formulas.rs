//! Functions of the retry number in several languages, and what they come to.

use backoff::notation::formula::{Answer, Chance, Input, Spread, run};
use backoff::notation::{Fun, Kind, Value, read};

/// The function in a text `f(…)`, run for retry `k` as its first parameter.
fn answer(text: &str, k: f64) -> (Answer, bool) {
    let document = read(text);
    let mut found: Option<Fun> = None;
    for item in document.all() {
        for Value { kind, .. } in item.args.iter().map(|arg| &arg.value) {
            if let (Kind::Fun(fun), None) = (kind, &found) {
                found = Some((**fun).clone());
            }
        }
    }
    let fun = found.unwrap_or_else(|| panic!("no function in {text}"));
    let outcome = run(&fun, &[Input::At(0, Spread::fixed(k))]);
    (outcome.answer, outcome.assumed)
}

#[test]
fn numbers_come_to_what_the_language_says() {
    let cases = [
        ("f(n => Math.min(1000 * 2 ** n, 30000))", 3.0, 8_000.0),
        ("f(n => Math.min(1000 * 2 ** n, 30000))", 6.0, 30_000.0),
        ("f((n) => { const d = n * 50; return Math.min(d, 120); })", 3.0, 120.0),
        ("f(function (n) { if (n < 2) { return 10 } else { return 20 } })", 1.0, 10.0),
        ("f(function (n) { if (n < 2) { return 10 } else { return 20 } })", 2.0, 20.0),
        ("f(n => n > 2 ? 7 : 5)", 3.0, 7.0),
        ("f(n => [100, 200, 500][n - 1] || 900)", 2.0, 200.0),
        ("f(n => [100, 200, 500][n - 1] || 900)", 4.0, 900.0),
        ("f(n => Math.round(1000 * Math.pow(1.5, n)))", 3.0, 3_375.0),
        ("f(n => (1 << n) * 100)", 4.0, 1_600.0),
        ("f(n => ~~(n / 2))", 5.0, 2.0),
        ("f(lambda n: min(2 ** n, 60))", 5.0, 32.0),
    ];
    for (text, k, wanted) in cases {
        let (answer, assumed) = answer(text, k);
        assert_eq!((answer, assumed), (Answer::Number(Spread::fixed(wanted)), false), "{text} at {k}");
    }
}

#[test]
fn chance_leaves_a_range_and_says_how_it_is_spread() {
    let cases = [
        ("f(n => 100 + Math.random() * 50)", Spread::even(100.0, 150.0)),
        ("f(n => 100 - Math.random() * 50)", Spread::even(50.0, 100.0)),
        ("f(n => Math.floor(Math.random() * 200) + n)", Spread::steps(2.0, 201.0, 1.0)),
        ("f(n => Math.random() + Math.random())", Spread { lo: 0.0, hi: 2.0, chance: Chance::Unknown }),
        ("f(n => Math.min(Math.random() * 100, 60))", Spread { lo: 0.0, hi: 60.0, chance: Chance::Unknown }),
        ("f(n => Math.round(Math.random() * 3))", Spread { lo: 0.0, hi: 3.0, chance: Chance::Unknown }),
        ("f(lambda n: random.uniform(1, 3) * n)", Spread::even(2.0, 6.0)),
    ];
    for (text, wanted) in cases {
        assert_eq!(answer(text, 2.0).0, Answer::Number(wanted), "{text}");
    }
}

#[test]
fn times_keep_their_unit() {
    let eight = Answer::Time(Spread::fixed(8_000.0));
    assert_eq!(answer("f(n => TimeSpan.FromSeconds(Math.Pow(2, n)))", 3.0).0, eight);
    assert_eq!(answer("f(n => TimeSpan.FromSeconds(2) * n)", 4.0).0, eight);
    assert_eq!(answer("f(lambda n: timedelta(seconds=2 ** n))", 3.0).0, eight);
}

#[test]
fn nothing_and_the_unknown_are_told_apart() {
    assert_eq!(answer("f(n => { if (n > 4) return null; return 500 })", 5.0).0, Answer::Nothing);
    assert_eq!(answer("f(n => { console.log(n) })", 1.0).0, Answer::Nothing);
    assert_eq!(answer("f(n => delays.next())", 1.0).0, Answer::Unknown);
    assert_eq!(answer("f(n => \"5s\")", 1.0).0, Answer::Other);
    // What is not known is taken not to hold, and that is said.
    let taken = (Answer::Number(Spread::fixed(200.0)), true);
    assert_eq!(answer("f((n, e) => e.status === 404 ? null : n * 100)", 2.0), taken);
    assert_eq!(answer("f((n, e) => { if (isFatal(e)) return null; return n * 100 })", 2.0), taken);
    assert_eq!(answer("f((n, e) => e.retryAfter || n * 100)", 2.0), taken);
}

#[test]
fn a_function_without_end_is_given_up() {
    let deep = format!("f(n => {}n{})", "(1 + ".repeat(500), ")".repeat(500));
    assert_eq!(answer(&deep, 1.0).0, Answer::Unknown);
}
