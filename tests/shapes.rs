//! What each notation becomes, as tables: the text, and the items it is read as.

use backoff::notation::{self, Arg, Form, Item, Kind, Value};

/// The items of a text, one a line: `head{name=value, value}`, the form before it unless it is a map or a call; texts
/// without quotes as they stand, those in quotes in quotes; what a text holds behind it in `<>`.
fn shape(text: &str) -> String {
    let document = notation::read(text);
    document.items.iter().map(item).collect::<Vec<_>>().join("\n")
}

fn item(item: &Item) -> String {
    let form = match item.form {
        Form::Map | Form::Call => String::new(),
        form => format!("{form:?} "),
    };
    format!("{form}{}{{{}}}", item.head.text, item.args.iter().map(arg).collect::<Vec<_>>().join(", "))
}

fn arg(arg: &Arg) -> String {
    let name = arg.name.as_ref().map_or(String::new(), |name| format!("{}=", name.text));
    format!("{name}{}", value(&arg.value))
}

fn value(of: &Value) -> String {
    match &of.kind {
        Kind::Number { value, suffix } => format!("{value}{suffix}"),
        Kind::Word(word) => word.clone(),
        Kind::Text { text, quoted, inner } => {
            let text = if *quoted { format!("{text:?}") } else { text.clone() };
            let inner: Vec<String> = inner.iter().map(item).collect();
            if inner.is_empty() { text } else { format!("{text}<{}>", inner.join(" ")) }
        }
        Kind::List(values) => format!("[{}]", values.iter().map(value).collect::<Vec<_>>().join(", ")),
        Kind::Item(inner) => item(inner),
        Kind::Unread => "?".into(),
        kind => format!("{kind:?}"),
    }
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(shape(text), *expected, "{text}");
    }
}

#[test]
fn yaml() {
    check(&[
        ("retry:\n  limit: 5\n  delay: 2m30s\n", "{retry={limit=5, delay=2m30s}}"),
        ("a: {b: 2, c: {d: 2m30s}, e: [x, 1s]}", "{a={b=2, c={d=2m30s}, e=[x, 1s]}}"),
        ("- name: x\n  retries: 3\n- name: y\n", "{[{name=x, retries=3}, {name=y}]}"),
        ("p:\n  \"[a.b]\": 500\n  'c': \"3\"\n", "{p={[a.b]=500, c=\"3\"}}"),
        (
            "limit: \"4\"\non: true\nnone: ~\nempty:\nneg: -4\nbig: 1_000\n",
            "{limit=\"4\", on=true, none=~, empty=, neg=-4, big=1000}",
        ),
        ("x: !Ref Fn\ny: !GetAtt a.b\n", "{x=!Ref{Fn}, y=!GetAtt{a.b}}"),
        ("kind: Job\n---\nkind: Other\n", "{kind=Job}\n{kind=Other}"),
        ("a: &a {x: 1}\nb: *a\n", "{a={x=1}, b={x=1}}"),
        ("b: &b {min: 1s, max: 2s}\none:\n  <<: *b\n  max: 5s\n", "{b={min=1s, max=2s}, one={min=1s, max=2s, max=5s}}"),
        ("retry_on: 5xx\nm: 500 msec\n", "{retry_on=5xx, m=500 msec}"),
        ("    limit: 2\n    policy: x\n", "{limit=2, policy=x}"),
        ("retries: \u{201c}4\u{201d}\n", "{retries=\"4\"}"),
        ("schlüssel: größe\nretries: 3\n", "{schlüssel=größe, retries=3}"),
    ]);
}

#[test]
fn yaml_with_templates_and_placeholders() {
    check(&[
        ("retries: {{ .Values.x | default 4 }}\ndelay: 2s\n", "{retries={{ .Values.x | default 4 }}, delay=2s}"),
        (
            "a:\n  {{- if .Values.b }}\n  b: \"{{ .c | default \"2s\" }}\"\n  {{- end }}\n",
            "{a={b=\"{{ .c | default \\\"2s\\\" }}\"}}",
        ),
        ("a: ${X:5}\nb: [${A}, #{b}]\nc: %env(X)%\n", "{a=${X:5}, b=[${A}, #{b}], c=%env(X)%}"),
        ("cron: */5 * * * *\nat: @daily\n", "{cron=*/5 * * * *, at=@daily}"),
    ]);
}

#[test]
fn broken_yaml_costs_only_what_is_broken() {
    check(&[
        ("a:\n  b:\t1\n\tc: 2\n  d: 3\ne: 4\n", "{a={b=1, c=2, d=3}, e=4}"),
        ("a:\n  b: 1\n  c: x: y\n  d: 4\ne: 5\n", "{a={b=1, c=x, d=4}, e=5}"),
        ("a:\n  - b: 1\n    c: \"unclosed\n    d: 4\n  - b: 2\ne: 5\n", "{a=[{b=1, c=?, d=4}, {b=2}], e=5}"),
        ("a:\n  b: {c: 3, d: 2s\n  e: 4\n", "{a={b={c=3, d=2s}, e=4}}"),
        ("a: {b: 3, c: 2s", "{a={b=3, c=2s}}"),
        ("a:\n   b: 1\n  c: 2\nd: 3\n", "{a={b=1, c=2}, d=3}"),
        ("a: *nope\nb: 1\n", "{a=?, b=1}"),
    ]);
}

#[test]
fn broken_texts_say_where() {
    let table = [
        ("a:\n  c: \"unclosed\n  d: 4\n", "unclosed", "\"unclosed"),
        ("a:\n  b: {c: 3, d: 2s\n  e: 4\n", "unclosed", "{"),
        ("a: b: c\nd: 1\n", "bad-yaml", ": c"),
        ("a: *nope\nb: 1\n", "bad-yaml", "*nope"),
        ("[s]\na = \"x\nb = 1\n", "unclosed", "\"x"),
        ("curl --retry 5 \"http://x\n", "unclosed", "\"http://x"),
        ("<a b=\"1>\n", "unclosed", "\"1>"),
    ];
    for (text, code, place) in table {
        let findings = notation::read(text).findings;
        let found = findings.iter().find(|f| f.code == code).unwrap_or_else(|| panic!("{text}: {findings:?}"));
        assert_eq!(found.span.expect("a place").of(text), place, "{text}");
    }
}

#[test]
fn lines() {
    check(&[
        ("export AWS_RETRY_MODE=standard\nAWS_MAX_ATTEMPTS=5\n", "{AWS_RETRY_MODE=standard, AWS_MAX_ATTEMPTS=5}"),
        ("a.b.c-d=1\na.b.e=PT0.5S\n", "{a={b={c-d=1, e=PT0.5S}}}"),
        ("retries=3\nretry.backoff.ms=2\nretry.backoff.max.ms=1\n", "{retries=3, retry={backoff={ms=2, max={ms=1}}}}"),
        ("r[0].id=x\nr[0].f[0]=Retry=3,GET\nr[1].id=y\n", "{r=[{id=x, f=[Retry=3,GET<{Retry=3,GET}>]}, {id=y}]}"),
        ("p.q[a.b.ms]=500\n", "{p={q={[a.b.ms]=500}}}"),
        ("a.long=x,\\\n  y\nb.c : 4\n", "{a={long=x,y}, b={c=4}}"),
        (
            "[default]\nretry_mode = legacy\nmax_attempts = 4\n[profile b]\nx=1 ; y\n",
            "Section default{retry_mode=legacy, max_attempts=4}\nSection profile b{x=1}\nComment y{}",
        ),
        (
            "[sinks.out]\ntype = \"http\"\nencoding.codec = \"json\"\n\n  [sinks.out.request]\n  attempts = 8\n",
            "Section sinks.out{type=\"http\", encoding={codec=\"json\"}}\nSection sinks.out.request{attempts=8}",
        ),
        ("RestartSec=500ms\nRestart=always\n", "{RestartSec=500ms, Restart=always}"),
        (
            "[SERVICE]\n    Flush      1\n    scheduler.base   3\n[OUTPUT]\n    Match  *\n",
            "Section SERVICE{Flush=1, scheduler={base=3}}\nSection OUTPUT{Match=*}",
        ),
        (
            "<match app.**>\n  @type forward\n  <buffer tag, time>\n    retry_wait 2s\n  </buffer>\n</match>\n",
            "Section match{app.**, Section buffer{tag, time, retry_wait=2s}, @type=forward}",
        ),
        ("base=1s factor=2 cap=8s retries=5 jitter=±20%", "{base=1s, factor=2, cap=8s, retries=5, jitter=±20%}"),
        ("https://example.org/#v=1&base=1s&factor=2", "{v=1, base=1s, factor=2}"),
        ("base = 5\ncap = \"10s\"\n", "{base=5, cap=\"10s\"}"),
    ]);
}

#[test]
fn commands() {
    check(&[
        (
            "curl -fsSL --retry 4 https://x/y -o z",
            "Command curl{-f=true, -s=true, -S=true, -L=true, --retry=4, https://x/y, -o=z}",
        ),
        (
            "$ curl --fail \\\n    --retry 3 --max-time=10 \\\n  'http://x'",
            "Command curl{--fail=true, --retry=3, --max-time=10, \"http://x\"}",
        ),
        ("curl --retry -3 https://x", "Command curl{--retry=-3, https://x}"),
        ("wget -t6 --waitretry=3 http://x", "Command wget{-t=6, --waitretry=3, http://x}"),
        ("gcloud tasks queues update q --max-attempts=-1", "Command gcloud tasks queues update q{--max-attempts=-1}"),
        (
            "php artisan queue:work --tries=3 --backoff=3,10",
            "Command php artisan queue:work{--tries=3, --backoff=3,10}",
        ),
        (
            "AWS_MAX_ATTEMPTS=4 aws s3 ls --no-paginate | head",
            "Command aws s3 ls{AWS_MAX_ATTEMPTS=4, --no-paginate=true}\nCommand head{}",
        ),
        (
            "kubectl run demo --image nginx -- sh -c \"sleep 10; x\" # note",
            "Command kubectl run demo{--image=nginx, sh, -c, \"sleep 10; x\"}\nComment note{}",
        ),
        (
            "FROM x:3\nENV AWS_MAX_ATTEMPTS=5\nRUN curl --retry 3 https://y\nCMD [\"wget\", \"--tries=4\"]\n",
            "Command FROM x:3{}\n{AWS_MAX_ATTEMPTS=5}\nCommand curl{--retry=3, https://y}\nCommand wget{--tries=4}",
        ),
    ]);
}

#[test]
fn tags_and_prose() {
    check(&[
        (
            "<policy id=\"p\" max='4' on>\n  <delay>1000</delay>\n  <x a=\"b &amp; c\"/>\n</policy>",
            "Tag policy{id=p, max=4, on=true, delay=1000, Tag x{a=b & c}}",
        ),
        ("<!-- hi -->\n<a>\n  <b/>", "Comment hi{}\nTag a{Tag b{}}"),
        (
            "IEEE 802.3 binary exponential backoff, 10 Mb/s (slot time 51.2 us)",
            "Prose {IEEE, 802.3, binary, exponential, backoff, 10Mb/s, slot, time, 51.2us}",
        ),
    ]);
}

#[test]
fn wrapping_comes_off() {
    check(&[
        (
            "We use this in production today:\n\n```yaml\nretries: {attempts: 3}\n```\n\nand then the following one:\n\n```sh\n$ curl --retry 5 https://x\n```\n",
            "Prose {We, use, this, in, production, today}\n{retries={attempts=3}}\nProse {and, then, the, following, one}\nCommand curl{--retry=5, https://x}",
        ),
        ("```\nretries: 3\n", "{retries=3}"),
        ("1  a:\n2    b: 3\n3    c: 2s\n", "{a={b=3, c=2s}}"),
        ("@@ -1,3 +1,3 @@\n a:\n-  b: 3\n+  b: 5\n", "{a={b=5}}"),
        ("\u{feff}a: 1\r\nb: 2\r\n", "{a=1, b=2}"),
    ]);
}

#[test]
fn notations_side_by_side_part() {
    check(&[
        (
            "retries: 3\n\n[Service]\nRestartSec=5\n\ncurl --retry 4 http://x\n",
            "{retries=3}\nSection Service{RestartSec=5}\nCommand curl{--retry=4, http://x}",
        ),
        ("a:\n  b: 1\n\n  c: 2\n\nd: 3\n", "{a={b=1, c=2}, d=3}"),
    ]);
}

#[test]
fn texts_inside_texts_keep_their_places() {
    let text = "data:\n  app.yml: |\n    spring:\n      retries: 3\n  p: |\n    a.b=4\n  c: wget --tries=7 x\n";
    assert_eq!(
        shape(text),
        "{data={app.yml=\"spring:\\n  retries: 3\\n\"<{spring={retries=3}}>, p=\"a.b=4\\n\"<{a={b=4}}>, \
         c=wget --tries=7 x<Command wget{--tries=7, x}>}}"
    );
    for (name, written) in [("retries", "3"), ("b", "4"), ("--tries", "7")] {
        let document = notation::read(text);
        let all = document.all();
        let holder = all.iter().find(|item| item.args.iter().any(|a| a.name.as_ref().is_some_and(|n| n.text == name)));
        let place = holder.and_then(|item| item.get(name)).expect(name).span;
        assert_eq!(place.of(text), written, "{name}");
    }
}

#[test]
fn places_lead_to_items() {
    let text = "spec:\n  routes:\n  - name: a\n  - retry: {attempts: 3}\n";
    let document = notation::read(text);
    let item = *document.all().last().expect("an item");
    assert_eq!(item.path(), "spec.routes.retry");
    assert_eq!(format!("{:?}", item.place), "[Key(\"spec\"), Key(\"routes\"), Index(1), Key(\"retry\")]");
    let flat = notation::read("spec.routes.retry.attempts=3\n");
    assert_eq!(flat.all().last().expect("an item").path(), "spec.routes.retry");
}
