//! Values that are filled in from outside the text, and the default that some of them carry.

use super::{Arg, Item, Kind, Value};
use crate::span::Span;

/// A value that comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placeholder {
    /// What it is if nothing comes.
    pub default: Option<Value>,
}

/// The placeholder that a value is, if it is one and nothing beside.
pub(super) fn of(value: &Value) -> Option<Placeholder> {
    match &value.kind {
        Kind::Text { text, quoted, .. } => in_text(text, value.span, usize::from(*quoted)),
        Kind::Word(word) => is_outside(word).then_some(Placeholder { default: None }),
        Kind::Op(op, parts) => match (op.as_str(), parts.as_slice()) {
            ("??" | "||" | "or" | "?:" | "=", [outside, default]) => {
                let unknown = matches!(&outside.kind, Kind::Word(_)) && outside.is_undefined();
                (unknown || of(outside).is_some()).then(|| Placeholder { default: Some(default.clone()) })
            }
            ("[]", [Value { kind: Kind::Word(name), .. }, _]) => {
                is_environment(name).then_some(Placeholder { default: None })
            }
            _ => None,
        },
        Kind::Item(item) if is_lookup(&item.head.text) => Some(defaulting(item, item.args.get(1))),
        // Pydantic's `Field(3, ge=0)`, a dataclass's `field(default=3)`.
        Kind::Item(item) if item.is_any(&["Field", "field"]) => {
            Some(defaulting(item, item.args.first().filter(|a| a.name.is_none())))
        }
        // `options.get("retries", 3)`
        Kind::Item(item) if is_getter(&item.head.text) => match item.args.as_slice() {
            [Arg { name: None, value: key }, default] if matches!(key.kind, Kind::Text { .. }) => {
                Some(Placeholder { default: Some(default.value.clone()) })
            }
            _ => None,
        },
        Kind::Item(item) if is_conversion(&item.head.text) => match item.args.first() {
            Some(Arg { name: None, value }) => of(value),
            _ => None,
        },
        _ => None,
    }
}

/// One with the argument `default`, or the one in its place.
fn defaulting(item: &Item, placed: Option<&Arg>) -> Placeholder {
    let named = item.args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == "default"));
    Placeholder { default: named.or(placed).map(|a| a.value.clone()) }
}

/// Calls that only change the type of what they are given.
pub(super) fn is_conversion(head: &str) -> bool {
    let name = super::resolve::last_segment(head);
    matches!(
        name,
        "int"
            | "float"
            | "Number"
            | "parseInt"
            | "parseFloat"
            | "Integer"
            | "Float"
            | "BigInt"
            | "Decimal"
            | "Some"
            | "Just"
            | "Int"
            | "intval"
            | "Atoi"
            | "ToInt32"
            | "to_integer"
            | "int32"
            | "int64"
            | "uint"
            | "uint32"
            | "uint64"
            | "float32"
            | "float64"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "usize"
            | "UInt32"
            | "UInt32Value"
            | "i32"
            | "i64"
            | "double"
    ) || ["Integer.valueOf", "Integer.parseInt", "Long.valueOf", "Long.parseLong", "Optional.of", "Double.valueOf"]
        .iter()
        .any(|wrapper| super::item::path_ends_with(head, wrapper))
        || (name == "new" && head.contains("NonZero"))
}

/// Whether a name is a variable of the environment or of a configuration: `process.env.X`, `var.x`, `ENV`.
fn is_outside(word: &str) -> bool {
    ["process.env.", "import.meta.env.", "env.", "var.", "vars.", "secrets.", "inputs.", "local."]
        .iter()
        .any(|prefix| word.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty()))
}

fn is_environment(word: &str) -> bool {
    matches!(word, "ENV" | "$_ENV" | "$_SERVER" | "os.environ" | "environ" | "process.env")
}

/// Whether a call looks something up outside, by name and with a default after it.
fn is_lookup(head: &str) -> bool {
    const LOOKUPS: &[&str] = &[
        "getenv",
        "os.environ.get",
        "environ.get",
        "ENV.fetch",
        "System.get_env",
        "System.getProperty",
        "Integer.getInteger",
        "Environment.GetEnvironmentVariable",
        "env.get",
        "env::var",
        "Env.get",
        "os.Getenv",
        "System.getenv",
        "decouple.config",
    ];
    matches!(head, "env" | "getenv") || LOOKUPS.iter().any(|lookup| super::item::path_ends_with(head, lookup))
}

/// Whether a call takes an entry out of something, with a default after its name.
fn is_getter(head: &str) -> bool {
    let getter = ["get", "pop", "fetch", "getOrDefault", "getInt", "getint", "getfloat", "getLong", "config"];
    getter.contains(&super::resolve::last_segment(head))
}

/// A placeholder of a template language that makes up the whole of a text.
fn in_text(text: &str, span: Span, quote: usize) -> Option<Placeholder> {
    let trimmed = text.trim();
    let inside = |open: &str, close: &str| trimmed.strip_prefix(open)?.strip_suffix(close).map(str::trim);
    let default = if let Some(inner) = inside("${{", "}}").or_else(|| inside("{{", "}}")) {
        template_default(inner)
    } else if let Some(inner) = inside("#{", "}").filter(|inner| inner.starts_with("${") && inner.ends_with('}')) {
        shell_default(&inner[2..inner.len() - 1])
    } else if let Some(number) = inside("#{", "}").filter(|inner| super::resolve::plain_number(inner).is_some()) {
        Some(number)
    } else if let Some(inner) = inside("${", "}").or_else(|| inside("#{", "}")) {
        if inner.contains("${") && !inner.contains(':') {
            return None;
        }
        shell_default(inner)
    } else if inside("%env(", ")%").or_else(|| inside("$(", ")")).is_some()
        || inside("@", "@").or_else(|| inside("%", "%")).or_else(|| trimmed.strip_prefix('$')).is_some_and(is_name)
    {
        None
    } else {
        return None;
    };
    Some(Placeholder { default: default.map(|default| value_inside(default, text, span, quote)) })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

/// `X:5`, `X:-5`, `X-5` of Spring and of shells. What follows the first colon, a leading `-` being the shell's.
/// `env:X:-5` is the collector's.
fn shell_default(inner: &str) -> Option<&str> {
    let inner =
        inner.strip_prefix("env:").filter(|name| !name.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(inner);
    let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'))).unwrap_or(0);
    let dashed = inner.find(':').or(Some(end).filter(|&at| inner[at..].starts_with('-')))?;
    let rest = inner[dashed..].trim_start_matches(':');
    let rest = rest.strip_prefix(['-', '=']).unwrap_or(rest);
    (!rest.is_empty()).then_some(rest)
}

/// `{{max:4}}` of Camel, `.Values.x | default 4`, `x | default(4)`, `inputs.x || 5`, `default 4 .Values.x`.
fn template_default(inner: &str) -> Option<&str> {
    let inner = inner.trim_matches('-').trim();
    if let Some((_, default)) = inner.split_once("||") {
        return Some(default.trim());
    }
    if let Some((name, default)) = inner.split_once(':').filter(|(name, _)| is_name(name)) {
        return Some(default.trim()).filter(|_| !name.is_empty() && !default.is_empty());
    }
    let at = inner.find("default")?;
    let rest = inner[at + "default".len()..].trim_start().trim_start_matches('(').trim_start();
    let quoted = rest.strip_prefix(['"', '\'']);
    let end = match quoted {
        Some(body) => return body.split(['"', '\'']).next().filter(|d| !d.is_empty()),
        None => rest.find([' ', ')', '|', ',']).unwrap_or(rest.len()),
    };
    Some(&rest[..end]).filter(|d| !d.is_empty())
}

/// The default as a bare value with its place, which is exact where the text has no escapes before it.
fn value_inside(default: &str, text: &str, span: Span, quote: usize) -> Value {
    let default = default.trim().trim_matches(['"', '\'']);
    let at = default.as_ptr() as usize - text.as_ptr() as usize;
    let start = (span.start + quote + at).min(span.end);
    let exact = span.end - span.start == text.len() + 2 * quote;
    let place = if exact { Span::new(start, (start + default.len()).min(span.end)) } else { span };
    super::scalar::bare(default, place)
}
