//! Operators by precedence. Where languages differ, the precedence of most of them is taken; `^` is a power, because
//! formulas in prose and several languages write it so and no retry formula means exclusive or.

use super::cursor::{Cursor, DEPTH};
use crate::notation::item::{Kind, Value};
use crate::notation::lexer::Tag;

/// An infix operator: how strongly it binds, and how it is called.
struct Infix {
    level: u8,
    name: &'static str,
    tokens: usize,
    /// Whether it may begin a line and still belong to the line before.
    carries: bool,
}

const TIMES: u8 = 9;

impl<'t> Cursor<'t> {
    /// A whole expression; `None` where none begins.
    pub fn value(&mut self) -> Option<Value> {
        if self.peek(0).is_none_or(|t| t.tag == Tag::Close) {
            return None;
        }
        if self.depth >= DEPTH {
            return Some(self.too_deep());
        }
        self.deeper(|c| c.conditional())?
    }

    /// `c ? a : b`, `a if c else b`, and everything that binds more strongly.
    fn conditional(&mut self) -> Option<Value> {
        let value = match self.function_literal() {
            Some(function) => function,
            None => self.binary(0)?,
        };
        if self.is("?") && !self.is_at(1, ":") && self.question_asks() {
            self.at += 1;
            let then = self.value()?;
            // `int? x`: no `:` follows, so it was a type and a name.
            if !self.eat(":") {
                return Some(then);
            }
            let otherwise = self.value().unwrap_or_else(|| Value::new(Kind::Unread, self.since(self.here())));
            return Some(op("?:", vec![value, then, otherwise]));
        }
        if self.is_any(&["if", "unless"]) && !self.line_ends() && !self.header {
            return Some(self.postfix_if(value));
        }
        if self.is("for") && !self.line_ends() && !self.lines {
            return Some(self.comprehension(value));
        }
        Some(value)
    }

    /// Whether a `?` begins a conditional: a value stands after it.
    fn question_asks(&self) -> bool {
        match self.peek(1) {
            None => false,
            Some(t) if self.lines && t.newline && self.peek(0).is_some_and(|q| !q.newline) => false,
            Some(t) => {
                t.tag != Tag::Close
                    && !self.is_at(1, ";")
                    && !self.is_at(1, ",")
                    && !self.is_at(1, ".")
                    && !self.is_at(1, "=")
            }
        }
    }

    /// `a if c else b`; without `else` (`return a if c`) an operator `if` of both, which the statement turns around.
    fn postfix_if(&mut self, value: Value) -> Value {
        let negated = self.is("unless");
        self.at += 1;
        let Some(condition) = self.value() else { return value };
        let condition = if negated { op("!", vec![condition]) } else { condition };
        if self.eat("else") {
            let otherwise = self.value().unwrap_or_else(|| Value::new(Kind::Unread, self.since(self.here())));
            return op("?:", vec![condition, value, otherwise]);
        }
        op("if", vec![value, condition])
    }

    /// `f(x) for x in y`: an operator `for` of the value and what it runs over.
    fn comprehension(&mut self, value: Value) -> Value {
        self.at += 1;
        let Some(variable) = self.binary(4) else { return value };
        if !self.eat("in") {
            return value;
        }
        let Some(over) = self.binary(0) else { return value };
        if self.eat("if") {
            self.value();
        }
        op("for", vec![value, variable, over])
    }

    /// Infix operators that bind at least as strongly as `least`.
    pub fn binary(&mut self, least: u8) -> Option<Value> {
        let mut left = self.unary()?;
        let mut height = self.depth;
        while let Some(infix) = self.infix() {
            if infix.level < least || height >= DEPTH {
                break;
            }
            let start = self.at;
            self.at += infix.tokens;
            let power = matches!(infix.name, "**" | "^");
            let right =
                self.deeper(|c| if power { c.binary(infix.level) } else { c.binary(infix.level + 1) }).flatten();
            let Some(right) = right else {
                // Go's `f(options...)`
                let spread = self.text_of(&self.tokens[start]) == "...";
                self.at = start + usize::from(spread);
                left = if spread { op("..", vec![left]) } else { left };
                break;
            };
            left = op(infix.name, vec![left, right]);
            height += 1;
        }
        Some(left)
    }

    /// The infix operator that is next, if it still belongs to this value.
    fn infix(&self) -> Option<Infix> {
        let token = self.peek(0)?;
        let infix = match token.tag {
            Tag::Op => self.symbol()?,
            Tag::Name if token.keyword => self.word()?,
            _ => return None,
        };
        if self.line_ends() && !infix.carries {
            return None;
        }
        Some(infix)
    }

    fn symbol(&self) -> Option<Infix> {
        let token = self.peek(0)?;
        let infix = |level, name, carries| Some(Infix { level, name, tokens: 1, carries });
        match self.text_of(token) {
            "??" => infix(1, "??", true),
            "?" if self.is_at(1, ":") && token.space => Some(Infix { level: 1, name: "??", tokens: 2, carries: true }),
            "||" => infix(1, "||", true),
            "&&" => infix(2, "&&", true),
            "==" | "===" => infix(3, "==", true),
            "!=" | "!==" => infix(3, "!=", true),
            "=~" | "<=>" => infix(3, "==", true),
            "<=" => infix(3, "<=", true),
            ">=" => infix(3, ">=", true),
            "<" => self.less(),
            ">" => self.greater(),
            ".." | "..=" | "..<" | "..." => infix(4, "..", false),
            "|" => infix(5, "|", true),
            "&" => infix(6, "&", false),
            "+" => infix(8, "+", true),
            "-" => infix(8, "-", false),
            "." if token.space && self.peek(1).is_some_and(|t| t.space) => infix(8, "+", true),
            "*" => infix(TIMES, "*", false),
            "/" => infix(TIMES, "/", true),
            "//" => infix(TIMES, "//", true),
            "%" => infix(TIMES, "%", false),
            "**" => infix(11, "**", false),
            "^" => infix(11, "^", true),
            _ => None,
        }
    }

    fn less(&self) -> Option<Infix> {
        match self.is_at(1, "<") && self.peek(1).is_some_and(|t| !t.space) {
            true => Some(Infix { level: 7, name: "<<", tokens: 2, carries: false }),
            false => Some(Infix { level: 3, name: "<", tokens: 1, carries: false }),
        }
    }

    fn greater(&self) -> Option<Infix> {
        match self.is_at(1, ">") && self.peek(1).is_some_and(|t| !t.space) {
            true => Some(Infix { level: 7, name: ">>", tokens: 2, carries: false }),
            false => Some(Infix { level: 3, name: ">", tokens: 1, carries: false }),
        }
    }

    fn word(&self) -> Option<Infix> {
        let token = self.peek(0)?;
        let infix = |level, name, tokens| Some(Infix { level, name, tokens, carries: true });
        match self.text_of(token) {
            "or" => infix(1, "||", 1),
            "and" => infix(2, "&&", 1),
            "in" if !self.header => infix(3, "in", 1),
            "not" if self.is_at(1, "in") => infix(3, "not in", 2),
            "is" if self.is_at(1, "not") => infix(3, "!=", 2),
            "is" | "instanceof" => infix(3, "==", 1),
            "div" => infix(TIMES, "//", 1),
            "rem" | "mod" => infix(TIMES, "%", 1),
            _ => None,
        }
    }

    /// Prefix operators. `&`, `*`, `await`, `new` and their like leave the value as it is.
    fn unary(&mut self) -> Option<Value> {
        let token = self.peek(0)?;
        let start = token.start as usize;
        if token.keyword {
            return self.prefix_word(start);
        }
        if token.tag != Tag::Op {
            return self.postfixed();
        }
        match self.text_of(token) {
            "-" => {
                self.at += 1;
                Some(self.negative(start)?)
            }
            "!" => self.prefixed("!", start),
            "~" => self.prefixed("~", start),
            // Python's and Scala's "left out".
            "..."
                if self.line_ends_at(1) || self.peek(1).is_some_and(|t| matches!(self.text_of(t), "," | ")" | "]")) =>
            {
                self.at += 1;
                Some(Value::new(Kind::Word("...".into()), self.since(start)))
            }
            "..." | ".." | "**" => self.prefixed("..", start),
            "*" if self.python => self.prefixed("..", start),
            "+" | "&" | "*" | "++" | "--" | "<-" | "&&" => {
                self.at += 1;
                self.operand()
            }
            "%" if self.peek(1).is_some_and(|t| !t.space && t.tag != Tag::Number) => {
                self.at += 1;
                self.postfixed()
            }
            "." | "?." | "->" | "::" | "&." => self.receiverless(),
            "@" if self.tag_at(1, Tag::Name) => self.annotation_value(),
            "<" => self.element(),
            _ => None,
        }
    }

    fn operand(&mut self) -> Option<Value> {
        if self.depth >= DEPTH {
            return Some(self.too_deep());
        }
        self.deeper(|c| c.function_literal().or_else(|| c.unary()))?
    }

    /// A function literal, and its call if it is called at once.
    fn function_literal(&mut self) -> Option<Value> {
        let function = self.lambda()?;
        Some(if self.is("(") && !self.line_ends() { self.chain(function) } else { function })
    }

    fn prefixed(&mut self, name: &str, start: usize) -> Option<Value> {
        self.at += 1;
        let value = self.operand()?;
        let mut whole = op(name, vec![value]);
        whole.span.start = start;
        Some(whole)
    }

    /// `-5` is a number; `-x` and `-2 ** n` are operators.
    fn negative(&mut self, start: usize) -> Option<Value> {
        let literal = self.tag_at(0, Tag::Number)
            && self.peek(0).is_some_and(|t| !t.space)
            && !self.is_at(1, "**")
            && !self.is_at(1, "^");
        if self.depth >= DEPTH {
            return Some(self.too_deep());
        }
        let mut value = self.deeper(|c| c.binary(11))??;
        match &mut value.kind {
            Kind::Number { value: number, .. } if literal => {
                *number = -*number;
                value.span.start = start;
                Some(value)
            }
            _ => {
                let mut whole = op("-", vec![value]);
                whole.span.start = start;
                Some(whole)
            }
        }
    }

    fn prefix_word(&mut self, start: usize) -> Option<Value> {
        let token = self.peek(0)?;
        // A word before an operator, a comma or the end is a name, whatever it means elsewhere.
        let alone = self.line_ends_at(1)
            || self.peek(1).is_some_and(|t| matches!(t.tag, Tag::Close | Tag::Op) && !prefix_operator(self.text_of(t)));
        if alone {
            return self.postfixed();
        }
        match self.text_of(token) {
            "not" => self.prefixed("!", start),
            "async" | "move" | "unsafe" if self.is_at(1, "{") || self.is_at(1, "move") && self.is_at(2, "{") => {
                self.at += if self.is_at(1, "{") { 1 } else { 2 };
                let (fun, span) = self.function((Vec::new(), Vec::new()), true);
                Some(Value::new(Kind::Fun(Box::new(fun)), span))
            }
            "new" => {
                self.at += 1;
                self.constructed(start)
            }
            "if" | "unless" => self.if_value(),
            "await" | "mut" | "ref" | "out" | "move" | "typeof" | "yield" | "throw" | "raise" | "go" | "defer"
            | "delete" | "dyn" | "async" | "static" | "checked" | "unsafe"
                if self.peek(1).is_some_and(|t| t.space && t.tag != Tag::Text) =>
            {
                self.at += 1;
                self.operand()
            }
            "try" if self.tag_at(1, Tag::Name) => {
                self.at += 1;
                self.operand()
            }
            "match" | "switch" | "when" | "case" | "cond" | "select" if self.branches() => self.branched(),
            _ => self.postfixed(),
        }
    }
}

fn prefix_operator(text: &str) -> bool {
    matches!(text, "-" | "!" | "&" | "*" | "|" | "||" | "<-" | "@" | "->" | "...")
}

/// An operator over the place of its operands.
pub(super) fn op(name: &str, operands: Vec<Value>) -> Value {
    let span = operands.iter().skip(1).fold(operands[0].span, |a, b| a.to(b.span));
    Value::new(Kind::Op(name.to_string(), operands), span)
}
