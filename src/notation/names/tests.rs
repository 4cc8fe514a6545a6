//! What names become, as the lines that `Display` writes.

use crate::notation::{Form, read};

#[track_caller]
fn becomes(table: &[(&str, &[&str])]) {
    for (text, expected) in table {
        let doc = read(text);
        let kept = doc.items.iter().filter(|i| !matches!(i.form, Form::Comment | Form::Import));
        assert_eq!(kept.map(|i| i.to_string()).collect::<Vec<_>>(), *expected, "{text}");
    }
}

#[test]
fn a_use_takes_the_last_import_before_it() {
    becomes(&[(
        "import retry\n\n@retry.retry(tries=2)\ndef f(): ...\n\nfrom retrying import retry\n\n@retry(wait_fixed=5)\ndef g(): ...\n",
        &[
            "@retry.retry(tries = 2) -> f",
            "function f(|| { })",
            "@retrying.retry(wait_fixed = 5) -> g",
            "function g(|| { })",
        ],
    )]);
}

#[test]
fn a_use_takes_the_last_binding_before_it_else_the_first_after_it() {
    becomes(&[
        ("const N = 3;\nf({ a: N });\nconst M = 4;", &["class (N = 3)", "f({a = 3})", "class (M = 4)"]),
        ("x = 1\nf(a=x)\nx = 2\nf(a=x)\n", &["class (x = 1)", "f(a = 1)", "class (x = 2)", "f(a = 2)"]),
        (
            "function g() { return f(LATER, { n: O.n }) }\nconst LATER = O.n;\nconst O = { n: 7 };",
            &["function g(|| f(7, {n = 7}))", "class (LATER = 7)", "{n = 7} -> O"],
        ),
        ("a = b\nb = a\nf(a)\n", &["class (a = a, b = a)", "f(a)"]),
    ]);
}

#[test]
fn wrapping_keeps_the_one_before_inside() {
    becomes(&[(
        "b := r.New(2)\nb = r.Jitter(5, b)\nb = r.Max(4, b)\nr.Do(ctx, b)",
        &[
            "r.New(2) -> b",
            "r.Jitter(5, r.New(2) -> b) -> b",
            "r.Max(4, r.Jitter(5, r.New(2) -> b) -> b) -> b",
            "r.Do(ctx, r.Max(4, r.Jitter(5, r.New(2) -> b) -> b) -> b)",
        ],
    )]);
}

#[test]
fn what_is_done_to_a_name_is_a_step_of_it() {
    becomes(&[
        (
            "b := p.New()\nb.A = 1\nb.Set(2)\nf(b, 5)",
            &["p.New()[A = 1].Set(2) -> b", "f(p.New()[A = 1].Set(2) -> b, 5)"],
        ),
        ("var c = new C();\nc.R.N = 5;\nvar d = c.With(3);", &["C()[R.N = 5] -> c", "C()[R.N = 5].With(3) -> d"]),
        (
            "func f() B {\n\tb := p.New()\n\tb.A = 1\n\treturn w(b)\n}",
            &["function f(|| { b = p.New()[A = 1] -> b; return w(p.New()[A = 1] -> b); })"],
        ),
        ("unknown.A = g(1);\nunknown.B = 2;", &["[A = g(1)][B = 2] -> unknown"]),
    ]);
}

#[test]
fn only_statements_bind_and_parameters_hide() {
    becomes(&[
        (
            "retries = R(3)\np = M(retries=retries)\nq = M(total=retries)\n",
            &["R(3) -> retries", "M(retries = R(3) -> retries) -> p", "M(total = R(3) -> retries) -> q"],
        ),
        ("const n = 5;\nf(n => n * 2, () => n);", &["class (n = 5)", "f(|n| (* n 2), || 5)"]),
        ("f(total=5)\ng(total)\n", &["f(total = 5)", "g(total)"]),
    ]);
}

#[test]
fn spreads_become_entries() {
    becomes(&[
        (
            "const base = { a: 1, b: 2 };\nf({ ...base, b: 3 });",
            &["{a = 1, b = 2} -> base", "f({a = 1, b = 2, b = 3})"],
        ),
        ("kw = {'a': 1}\nR(b=2, **kw)\n", &["{a = 1} -> kw", "R(b = 2, a = 1)"]),
        ("const l = [1, 2];\nf([...l, 3]);", &["class (l = [1, 2])", "f([1, 2, 3])"]),
    ]);
}

#[test]
fn members_and_classes() {
    becomes(&[
        (
            "class S:\n    wait = pause(3)\n    policy = Policy(delay=wait)\n",
            &["class S(wait = pause(3) -> wait, policy = Policy(delay = pause(3) -> wait) -> policy)"],
        ),
        (
            "class T(Task):\n    n = 5\n@app.task(base=T)\ndef f(): ...\n",
            &["class T(Task, n = 5)", "@app.task(base = class T(Task, n = 5)) -> f", "function f(|| { })"],
        ),
        (
            "class C { static final int MAX = 4; @R(n = MAX) void f() { g(C.MAX); } }",
            &["class C(MAX = 4, @R(n = 4) -> f, function f(|| { g(4); }))"],
        ),
        ("const c = { r: { n: 3 } };\nf(c.r.n, this.n, c.x)", &["{r = {n = 3}} -> c", "f(3, this.n, c.x)"]),
    ]);
}

#[test]
fn copies_end() {
    let mut text = String::from("a0 = [1, 1]\n");
    for n in 1..60 {
        text.push_str(&format!("a{n} = [a{}, a{}]\n", n - 1, n - 1));
    }
    text.push_str("f(a59)\n");
    let doc = read(&text);
    let size: usize = doc.items.iter().map(|i| i.to_string().len()).sum();
    assert!(size < 4_000_000, "{size}");
}

#[test]
fn a_parameter_is_its_default_until_its_function_ends() {
    becomes(&[
        (
            "def f(n: int = 3, k=None):\n    g(a=n, b=k)\nh(n)\n",
            &["function f(|n, k| { n = (= n 3); g(a = (= n 3), b = k); })", "h(n)"],
        ),
        (
            "function f(x, { n = 3, m: k = 2, o } = {}) { return g({ n, k, o }) }",
            &["function f(|x, n, m, o| { n = (= n 3); k = (= m 2); return g({n = (= n 3), k = (= m 2), o = o}); })"],
        ),
        ("const { n = 3, m: k } = o; f({ n, k });", &["class (n = (= o.n 3), k = o.m)", "f({n = (= o.n 3), k = o.m})"]),
        ("def f(a, n: 3)\n  g(n: n)\nend\n", &["function f(|a, n| { n = (= n 3); return g(n = (= n 3)); })"]),
        // A formula is given its own.
        ("f(lambda n, b=2: b ** n)", &["f(|n, b| { b = (= b 2); return (** (= b 2) n); })"]),
    ]);
}

#[test]
fn members_of_the_object_are_known_to_its_methods() {
    becomes(&[
        (
            "class A:\n    def __init__(self, n=4):\n        self.n = n\n    def g(self):\n        return f(self.n)\n",
            &[
                "class A(function __init__(|self, n| { n = (= n 4); [n = (= n 4)] -> self; }), function g(|self| f((= n 4))))",
            ],
        ),
        (
            "class A { constructor(private n = 4) {} g() { return f(this.n) } }",
            &["class A(function constructor(|n| { n = (= n 4); [n = (= n 4)] -> this; }), function g(|| f((= n 4))))"],
        ),
        ("class S(Base):\n    n: int = 4\ns = S()\nf(s.n)\n", &["class S(Base, n = 4)", "S() -> s", "f(4)"]),
    ]);
}

#[test]
fn lists_of_options_are_spread_and_appended_to() {
    becomes(&[(
        "o := []r.Option{r.A(1)}\no = append(o, r.B(2))\nr.Do(f, o...)",
        &["class (o = [r.A(1)])", "append([r.A(1)], r.B(2)) -> o", "r.Do(f, r.A(1), r.B(2))"],
    )]);
}

#[test]
fn lists_are_written_out() {
    let cases = [
        ("import q\nf(*[g(s) for s in [1, 5]])", "f(g(1), g(5))"),
        ("import q\nD = (1, 5)\nf(*(g(2 * s) for s in D))", "f(g((* 2 1)), g((* 2 5)))"),
        ("import q\nf(*[g(i) for i in range(1, 3)])", "f(g(1), g(2))"),
        ("import q\nf(*[g(1)] * 2, g(5))", "f(g(1), g(1), g(5))"),
        ("import q\nf(*[g(1)] + [g(2)])", "f(g(1), g(2))"),
        ("import q\nf(*map(g, [1, 2]))", "f(g(1), g(2))"),
        ("import q\nD = [1, 5]\nf(n=len(D) + 1)", "f(n = (+ 2 1))"),
        ("const d = [1, 5];\nf({ n: d.length })", "f({n = 2})"),
        ("f(Array.new(2) { |i| 2**i })", "f([(** 2 0), (** 2 1)])"),
        ("f([1, 2].map(s => s * 10))", "f([(* 1 10), (* 2 10)])"),
    ];
    for (text, wanted) in cases {
        let read = crate::notation::read(text);
        assert_eq!(read.items.last().expect("an item").to_string(), wanted, "{text}");
    }
}
