//! Items and values as one compact line, for messages and tests: `@retry(stop = n(4), 2).b() -> fetch`. Not a notation
//! that is read back.

use super::item::{Arg, Form, Fun, Item, Kind, Name, Statement, Step, Value};
use std::fmt::{Display, Formatter, Result};

/// Things with commas between them.
fn list(f: &mut Formatter, items: &[impl Display]) -> Result {
    for (n, item) in items.iter().enumerate() {
        let comma = if n > 0 { ", " } else { "" };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self.form {
            Form::Comment => return write!(f, "<{}>", self.head),
            Form::Map => f.write_str("{")?,
            Form::Annotation => write!(f, "@{}(", self.head)?,
            Form::Call if self.head.text.is_empty() && self.args.is_empty() => {}
            Form::Call => write!(f, "{}(", self.head)?,
            form => write!(f, "{} {}(", format!("{form:?}").to_ascii_lowercase(), self.head)?,
        }
        list(f, &self.args)?;
        match self.form {
            Form::Map => f.write_str("}")?,
            Form::Call if self.head.text.is_empty() && self.args.is_empty() => {}
            _ => f.write_str(")")?,
        }
        for step in &self.steps {
            write!(f, "{step}")?;
        }
        match &self.target {
            Some(target) => write!(f, " -> {target}"),
            None => Ok(()),
        }
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str(&self.text)
    }
}

impl Display for Arg {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match &self.name {
            Some(name) => write!(f, "{name} = {}", self.value),
            None => write!(f, "{}", self.value),
        }
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Step::Call { name, args, .. } => {
                write!(f, ".{name}(")?;
                list(f, args)?;
                f.write_str(")")
            }
            Step::Set { path, value } => write!(f, "[{path} = {value}]"),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match &self.kind {
            Kind::Number { value, suffix } => write!(f, "{value}{suffix}"),
            Kind::Text { text, quoted: true, inner } if inner.is_empty() => write!(f, "{text:?}"),
            Kind::Text { text, inner, .. } if inner.is_empty() => write!(f, "`{text}`"),
            Kind::Text { inner, .. } => {
                f.write_str("\"«")?;
                list(f, inner)?;
                f.write_str("»\"")
            }
            Kind::Word(word) => f.write_str(word),
            Kind::List(values) => {
                f.write_str("[")?;
                list(f, values)?;
                f.write_str("]")
            }
            Kind::Item(item) => write!(f, "{item}"),
            Kind::Op(op, operands) => {
                write!(f, "({op}")?;
                operands.iter().try_for_each(|v| write!(f, " {v}"))?;
                f.write_str(")")
            }
            Kind::Fun(fun) => write!(f, "{fun}"),
            Kind::Unread => f.write_str("?"),
        }
    }
}

impl Display for Fun {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str("|")?;
        list(f, &self.params)?;
        f.write_str("| ")?;
        body(f, &self.body)
    }
}

fn body(f: &mut Formatter, statements: &[Statement]) -> Result {
    match statements {
        [Statement::Return(value)] => write!(f, "{value}"),
        _ => {
            f.write_str("{")?;
            for statement in statements {
                write!(f, " {statement};")?;
            }
            f.write_str(" }")
        }
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Statement::Bind(name, value) => write!(f, "{name} = {value}"),
            Statement::Return(value) => write!(f, "return {value}"),
            Statement::Expr(value) => write!(f, "{value}"),
            Statement::If(condition, then, otherwise) => {
                write!(f, "if {condition} {{")?;
                then.iter().try_for_each(|s| write!(f, " {s};"))?;
                f.write_str(" } else {")?;
                otherwise.iter().try_for_each(|s| write!(f, " {s};"))?;
                f.write_str(" }")
            }
        }
    }
}
