//! What each construct becomes, language by language, as the line that `Display` writes for it. Imports and names are
//! left as they stand here.

use super::{read, value};
use crate::notation::Form;
use crate::span::Span;

/// The items of a text without its comments, each as its line.
fn lines(text: &str) -> Vec<String> {
    let read = read(text, Span::new(0, text.len()));
    read.items.iter().filter(|i| i.form != Form::Comment).map(|i| i.to_string()).collect()
}

/// Every text becomes these lines.
#[track_caller]
fn becomes(table: &[(&str, &[&str])]) {
    for (text, expected) in table {
        assert_eq!(lines(text), *expected, "{text}");
    }
}

#[test]
fn python() {
    becomes(&[
        (
            "@lib.retry(wait=a(1) + b(0, 2), stop=(n(4) | t(60)))\ndef f(x, y=2):\n    return g(x)\n",
            &[
                "@lib.retry(wait = (+ a(1) b(0, 2)), stop = (| n(4) t(60))) -> f",
                "function f(|x, y| { y = (= y 2); return g(x); })",
            ],
        ),
        ("r = Retry(3, backoff_factor=.2, allowed=None,)", &["Retry(3, backoff_factor = 0.2, allowed = None) -> r"]),
        ("x = Retry(total=10 // 3)  # ten\n", &["Retry(total = (// 10 3)) -> x"]),
        (
            "class A(Task):\n    max_retries = 4\n    def run(self):\n        pass\nclass B(Task):\n    max_retries = 5\nr = 1\n",
            &[
                "class A(Task, max_retries = 4, function run(|self| { }))",
                "class B(Task, max_retries = 5)",
                "class (r = 1)",
            ],
        ),
        (
            "def f(n: int) -> float:\n    if n > 3:\n        return None\n    elif n == 2:\n        return 0.5\n    else:\n        return 2 ** n\n",
            &[
                "function f(|n| { if (> n 3) { return None; } else { if (== n 2) { return 0.5; } else { return (** 2 n); }; }; })",
            ],
        ),
        ("wait = lambda n, e=None: min(2 ** n, 60) if n else 1", &["function wait(|n, e| (?: n min((** 2 n), 60) 1))"]),
        ("for a in Retrying(stop=s(2)):\n    with a:\n        go()\n", &["Retrying(stop = s(2))", "go()"]),
        (
            "with DAG('d', default_args=x) as dag:\n    t = Op()\n",
            &["DAG(\"d\", default_args = x) -> dag", "Op() -> t"],
        ),
        ("d = [2 ** i for i in range(5)]", &["class (d = (for (** 2 i) i range(5)))"]),
        ("x: int = 5\ny: float = x * 2", &["class (x = 5, y = (* x 2))"]),
        ("d = {'a': 1, **base}\ns = {429, 502}", &["{a = 1, (.. base)} -> d", "class (s = [429, 502])"]),
        (
            "from a.b import (c as d, e)\nimport f as g, h",
            &["import a.b(d = a.b.c, e = a.b.e)", "import f(g = f, h = h)"],
        ),
        ("def f(): ...\ng.s(retries=2)", &["function f(|| { })", "g.s(retries = 2)"]),
    ]);
}

#[test]
fn javascript_and_typescript() {
    becomes(&[
        ("const c = create({retry: {limit: 3, 'max': 1_000}});", &["create({retry = {limit = 3, max = 1000}}) -> c"]),
        ("{ retry: 5e3, delay: .5, }", &["{retry = 5000, delay = 0.5}"]),
        ("retry: 3, delay: 2", &["{retry = 3, delay = 2}"]),
        ("const o: Opt<A, B> = { a, b: 1, ...rest };", &["{a = a, b = 1, (.. rest)} -> o"]),
        ("f(x => x * 2, (a, b): number => { return a }, async () => g())", &["f(|x| (* x 2), |a, b| a, || g())"]),
        ("new R(1, { s(times) { return times } })", &["R(1, {s = |times| times})"]),
        ("const run = async () => retry(f, o as any);", &["function run(|| retry(f, o))"]),
        (
            "({attemptCount, error: e}) => attemptCount * 2",
            &["{|attemptCount, error| { e = error; return (* attemptCount 2); }}"],
        ),
        ("const { a, b: c } = conf;", &["class (a = conf.a, c = conf.b)"]),
        ("const r = require('m');\nconst { x: y } = require(\"n\");", &["import m(r = m)", "import n(y = n.x)"]),
        (
            "import d, { e as f, type G } from 'm'\nimport * as n from '@s/n';",
            &["import m(d = m, f = m.e, G = m.G)", "import @s/n(n = @s/n)"],
        ),
        (
            "function w(n) { if (n > 3) return null; switch (n) { case 1: return 5; default: break; } return 2 ** n }",
            &[
                "function w(|n| { if (> n 3) { return null; } else { }; if (== n 1) { return 5; } else { }; return (** 2 n); })",
            ],
        ),
        (
            "class C extends B { #n = 2; static d = { a: 1 }; async get<K>(k: K): Promise<K> { return f(k) } }",
            &["class C(B, #n = 2, d = {a = 1} -> d, function get(|k| f(k)))"],
        ),
        ("a ?? b?.c ?? process.env.X || 5", &["{(|| (?? (?? a b.c) process.env.X) 5)}"]),
        ("x = n > 5 ? null : Math.min(n * 50, 2e3)", &["class (x = (?: (> n 5) null Math.min((* n 50), 2000)))"]),
        (
            "t = `a ${b ? `c` : ''} d`; r = /a[/]\\/b/g.test(s)",
            &["class (t = \"a ${b ? `c` : ''} d\")", "(`a[/]\\/b`).test(s) -> r"],
        ),
        ("<P value={{ n: 500 }} on><Q r={3} /></P>", &["tag P(value = {n = 500}, on = true, tag Q(r = 3))"]),
        ("o => { o.Retry.N = 5; o.Use(2); }", &["{|o| { [Retry.N = 5].Use(2) -> o; }}"]),
    ]);
}

#[test]
fn go() {
    becomes(&[
        ("b := &p.T{A: 2 * time.Second, B: []int{1, 2},}", &["p.T(A = (* 2 time.Second), B = [1, 2]) -> b"]),
        ("c.Min, c.Max = x, 3", &["[Min = x][Max = 3] -> c"]),
        ("res, err := f(ctx)", &["f(ctx) -> res"]),
        (
            "func (r *R) New(n uint, d ...D) (p.B, error) {\n\tb := p.New()\n\tb.M = 5\n\treturn p.W(b, 5), nil\n}",
            &["function New(|n, d| { b = p.New() -> b; [M = 5] -> b; return p.W(b, 5); return nil; })"],
        ),
        ("if err := r.Do(func() error { return g() }); err != nil {\n\treturn err\n}", &["r.Do(|| g()) -> err"]),
        ("const (\n\tn = 5\n\tw = 2 * time.Second\n)", &["class (n = 5, w = (* 2 time.Second))"]),
        ("q := w.New[r.Request](1*time.Second, time.Minute)", &["w.New((* 1 time.Second), time.Minute) -> q"]),
        ("m := map[string]int{\"a\": 1}\nvar x time.Duration = 5", &["{a = 1} -> m", "class (x = 5)"]),
        (
            "import (\n\t\"time\"\n\tbo \"g.com/c/backoff/v4\"\n)",
            &["import time()", "import g.com/c/backoff/v4(bo = backoff)"],
        ),
        ("const s = `{\"a\": 1}`", &["class (s = \"{\\\"a\\\": 1}\")"]),
        ("type T struct {\n\tA int `json:\"a\"`\n}\nx(1)", &["x(1)"]),
    ]);
}

#[test]
fn rust() {
    becomes(&[
        ("X::default().a(1).b()?", &["X::default().a(1).b()"]),
        ("let c = (|| async { g().await }).retry(p).await?;", &["(|| || g()).retry(p) -> c"]),
        ("T { a: D::s(3 * 60), b: None, ..T::default() }", &["T(a = D::s((* 3 60)), b = None, (.. T::default()))"]),
        ("let (a, b) = (D::m(1), D::s(2));", &["D::m(1) -> a", "D::s(2) -> b"]),
        ("T::<R>::new(|e: &E| -> bool { e.x() })", &["T::new(|e| .x() -> e)"]),
        ("for p in B::new(8, lo, hi) {", &["B::new(8, lo, hi)"]),
        (
            "const MAX: usize = 5;\nstatic D: Duration = Duration::from_millis(7);",
            &["class (MAX = 5)", "Duration::from_millis(7) -> D"],
        ),
        (
            "async fn f<'a>(p: &'a P) -> Result<(), Box<dyn E>> { let v = vec![1, 2]; g(v) }",
            &["function f(|p| { v = [1, 2]; return g(v); })"],
        ),
        (
            "let w = match n { 1 => 5, 2 | 3 => 10, _ => { 20 } };",
            &["class (w = (?: (== n 1) 5 (?: (|| (== n 2) (== n 3)) 10 20)))"],
        ),
        ("use a::{b, c::{d as e, self}, f};", &["import a(b = a::b, e = a::c::d, c = a::c, f = a::f)"]),
        (
            "impl Default for C { fn default() -> Self { Self { n: 3 } } }",
            &["class C(function default(|| Self(n = 3)))"],
        ),
    ]);
}

#[test]
fn java_kotlin_and_scala() {
    becomes(&[
        (
            "@A(x = 1, b = @B(y = 2L))\n@C\npublic String f(final T t, int n) throws E, F {\n  return g(t);\n}",
            &["@A(x = 1, b = @B(y = 2L)) -> f", "@C() -> f", "function f(|t, n| g(t))"],
        ),
        ("@A(x = 1)\n@B", &["@A(x = 1) -> ", "@B() -> "]),
        (
            "var p = P.<R>builder()\n    .a(A.class, 2.0)\n    .b(e -> log(e))\n    .build();",
            &["P.builder().a(A.class, 2).b(|e| log(e)).build() -> p"],
        ),
        (
            "private static final int MAX = 4;\nMap<K, List<V>> m = new HashMap<>();",
            &["class (MAX = 4)", "HashMap() -> m"],
        ),
        ("@R(on = {A.class, B.class}, n = MAX)", &["@R(on = [A.class, B.class], n = MAX) -> "]),
        ("X bo = new X(6);\nbo.setI(1_000L);", &["X(6) -> bo", "bo.setI(1000L)"]),
        (
            "import static a.B.c;\nimport a.b.C;\nimport a.b.*;",
            &["import a.B.c(c = a.B.c)", "import a.b.C(C = a.b.C)", "import a.b()"],
        ),
        (
            "val p = R(delay = 2.seconds, n = 5)\nfun d(n: Int) = if (n > 5) 1 else n * 2",
            &["R(delay = 2seconds, n = 5) -> p", "function d(|n| (?: (> n 5) 1 (* n 2)))"],
        ),
        (
            "retry { maxAttempts = 3; backoff(2) }\nf { n -> n * 2 }",
            &["retry(maxAttempts = 3, backoff(2))", "f(|n| (* n 2))"],
        ),
        (
            "val w = when (n) { 1 -> 5; in 2..4 -> 7; else -> 9 }",
            &["class (w = (?: (== n 1) 5 (?: (&& (>= n 2) (<= n 4)) 7 9)))"],
        ),
        (
            "RetryPolicies.capDelay(5 seconds, p[IO](100 millis))\nval d: D = 250.millis",
            &["RetryPolicies.capDelay(5seconds, p(100millis))", "class (d = 250millis)"],
        ),
    ]);
}

#[test]
fn c_sharp() {
    becomes(&[
        ("var o = new T<R>\n{\n    A = 1, B = K.X,\n};", &["T(A = 1, B = K.X) -> o"]),
        (".AddRetry(new() { N = 5 })", &[".AddRetry({N = 5})"]),
        ("P.Wait(new[] { S.F(1), S.F(2) })", &["P.Wait([S.F(1), S.F(2)])"]),
        ("[A(N = 3)]\n[B]\npublic void F(int id) { }", &["@A(N = 3) -> F", "@B() -> F", "function F(|id| { })"]),
        (
            "o.Use(cs, s => s.Enable(max: 10, codes: [4060]))",
            &["o.Use(cs, |s| .Enable(max = 10, codes = [4060]) -> s)"],
        ),
        ("e.R().A(i => i.N(1)).B(d => d.N(2).T(S.M(5)));", &["e.R().A(|i| .N(1) -> i).B(|d| .N(2).T(S.M(5)) -> d)"]),
        ("s.Configure<O>(o => o.Max = 3);", &["s.Configure(|o| { [Max = 3] -> o; })"]),
        ("public int? Limit { get; set; } = 3;\nconst int N = 5;", &["class (Limit = 3, N = 5)"]),
        (
            "static T W(int n) => n switch { 1 => S(1), < 4 => S(2), _ => S(5) };",
            &["function W(|n| (?: (== n 1) S(1) (?: (< n 4) S(2) S(5))))"],
        ),
        ("using Polly;\nusing B = A.C;", &["import Polly()", "import A.C(B = A.C)"]),
        ("int a, b, c = 1; TimeSpan? d = null;", &["class (c = 1, d = null)"]),
    ]);
}

#[test]
fn ruby_php_and_elixir() {
    becomes(&[
        (
            "retry_on E::T, wait: 5.seconds, attempts: 3, by: :x",
            &["retry_on(E::T, wait = 5seconds, attempts = 3, by = :x)"],
        ),
        (
            "class J < Base\n  include S::Job\n  opts retry: 5\n  def perform(id) = go(id).send!\nend\nx(1)",
            &[
                "class J(Base, import S::Job(Job = S::Job), opts(retry = 5), function perform(|id| go(id).send!()))",
                "x(1)",
            ],
        ),
        (
            "retry_in { |n, _e| 10 * (n + 1) }\nR.r(tries: 5) { run }",
            &["retry_in(|n, _e| (* 10 (+ n 1)))", "R.r(tries = 5, run)"],
        ),
        (
            "h = F.new(u) do |c|\n  c.request :retry, max: 5\n  c.o.t = 2\nend",
            &["F.new(u, |c| .request(:retry, max = 5)[o.t = 2] -> c) -> h"],
        ),
        (
            "on do |n|\n  case n\n  when 1 then 5\n  else n * 2\n  end\nend",
            &["on(|n| { if (== n 1) { return 5; } else { return (* n 2); }; })"],
        ),
        (
            "def f(n)\n  return 1 unless n > 2\n  3\nend\no = { :a => 1, \"b\" => 2 }",
            &["function f(|n| { if (! (> n 2)) { return 1; } else { }; return 3; })", "{a = 1, b = 2} -> o"],
        ),
        (
            "<?php\n$o = ['a' => 1, 'b' => [2, 3]];\npublic int $tries = 3;",
            &["{a = 1, b = [2, 3]} -> $o", "class ($tries = 3)"],
        ),
        ("A::b(3, fn (int $n) => $n * 100)->c('x' . $y);", &["A::b(3, |$n| (* $n 100)).c((+ \"x\" $y))"]),
        (
            "$s->push(M::r(function ($n, $e = null) use ($m) { return $n < 3; }));",
            &["$s->push(M::r(|$n, $e| (< $n 3)))"],
        ),
        (
            "use A\\{B, C as D};\npublic function f(): array|int { return [1, 5]; }",
            &["import A(B = A\\B, D = A\\C)", "function f(|| [1, 5])"],
        ),
        (
            "defmodule M do\n  use O.W, queue: :q, max_attempts: 4\n  @impl O.W\n  def b(%Job{attempt: n}), do: n * 60\nend",
            &[
                "class M(import O.W(queue = :q, max_attempts = 4), function b(|attempt| { n = attempt; return (* n 60); }))",
            ],
        ),
        ("a |> M.new(x: 1) |> O.i()", &["a().M.new(x = 1).O.i()"]),
        ("def f(n) do\n  case n do\n    1 -> 5\n    _ -> 9\n  end\nend", &["function f(|n| (?: (== n 1) 5 9))"]),
    ]);
}

#[test]
fn documents_and_the_rest() {
    becomes(&[
        ("\"Retry\": [ { \"E\": [\"S.ALL\"] } ], // no braces", &["{Retry = [{E = [\"S.ALL\"]}]}"]),
        ("{ \"a\": null, /* c */ 'b': -1.5e2, c: +3, }", &["{a = null, b = -150, c = 3}"]),
        (
            "resource \"t\" \"n\" {\n  name = \"x\"\n  retry_config {\n    max = 5\n  }\n}",
            &["resource(\"t\", \"n\", name = \"x\", retry_config(max = 5))"],
        ),
        ("d = <<EOF\n{\"a\": 1}\nEOF\ne = 2", &["class (d = \"{\\\"a\\\": 1}\\n\", e = 2)"]),
        ("SELECT g.add('x', b := 1, c => 2);", &["SELECT(g.add(\"x\", b = 1, c = 2))"]),
        ("x.add(1); x.b = 2; x.c = 3;", &["x.add(1)", "[b = 2][c = 3] -> x"]),
        ("delay = 60 + n^4", &["class (delay = (+ 60 (^ n 4)))"]),
        ("-2 ** n - -3", &["{(- (- (** 2 n)) -3)}"]),
    ]);
}

#[test]
fn a_broken_end_costs_only_itself() {
    let text = "p = R({ n: 3, s: \"abc\n  f: 2";
    let read = read(text, Span::new(0, text.len()));
    assert_eq!(lines(text), ["R({n = 3, s = \"abc\", f = 2}) -> p"]);
    let said: Vec<_> = read.findings.iter().map(|f| (f.code, f.span.map(|s| s.of(text)))).collect();
    assert_eq!(said, [("unclosed", Some("\"")), ("unclosed", Some("("))]);
}

#[test]
fn too_deep_is_said_once_and_costs_only_itself() {
    let text = format!("a({}1{}, 2); b(3)", "[".repeat(500), "]".repeat(500));
    let read = read(&text, Span::new(0, text.len()));
    assert_eq!(read.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["too-deep"]);
    assert_eq!(read.items.last().map(|i| i.to_string()), Some("b(3)".into()));
}

#[test]
fn every_value_keeps_its_place() {
    let text = "ü = R(n=1_000, d='a\\tb', w=x.y)";
    let read = read(text, Span::new(0, text.len()));
    let item = &read.items[0];
    let places: Vec<_> =
        item.args.iter().filter_map(|a| Some((a.name.as_ref()?.span.of(text), a.value.span.of(text)))).collect();
    assert_eq!(places, [("n", "1_000"), ("d", "'a\\tb'"), ("w", "x.y")]);
    assert_eq!(item.head.span.of(text), "R");
}

#[test]
fn one_value_alone() {
    for (text, expected) in [
        ("30s", "30s"),
        ("[1, 'a', {b: 2}]", "[1, \"a\", {b = 2}]"),
        ("1m30s", "`1m30s`"),
        ("5 * 60", "(* 5 60)"),
        ("", "?"),
    ] {
        assert_eq!(value(text, Span::new(0, text.len())).to_string(), expected, "{text}");
    }
}
