//! Functions that answer yes or no, with every answer left open that the text does not tell.

use super::{Answer, DEPTH, Input, Run, truth};
use crate::notation::{Fun, Kind, Statement, Value};

/// Which answers a function can give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Whether it can say yes.
    pub yes: bool,
    /// Whether it can say no.
    pub no: bool,
}

impl Asked {
    const OPEN: Asked = Asked { yes: true, no: true };

    fn or(self, other: Asked) -> Asked {
        Asked { yes: self.yes || other.yes, no: self.no || other.no }
    }
}

/// Runs a function for the answers that it can give; one without a value says no.
pub fn ask(fun: &Fun, inputs: &[Input]) -> Asked {
    let mut run = Run::of(fun, inputs);
    let (asked, falls) = run.asked(&fun.body, DEPTH);
    asked.or(Asked { yes: false, no: falls })
}

impl Run<'_> {
    /// What a body can return, and whether it can end without.
    fn asked(&mut self, body: &[Statement], depth: u32) -> (Asked, bool) {
        let Some(depth) = depth.checked_sub(1) else { return (Asked::OPEN, false) };
        let mut asked = Asked::default();
        for statement in body {
            match statement {
                Statement::Bind(name, value) => {
                    let answer = self.value(value, depth);
                    self.bound.push((name.text.clone(), answer));
                }
                Statement::If(condition, then, otherwise) => {
                    let holds = self.truths(condition, depth);
                    let mut falls = false;
                    for branch in
                        [then].into_iter().filter(|_| holds.yes).chain([otherwise].into_iter().filter(|_| holds.no))
                    {
                        let (inside, through) = self.asked(branch, depth);
                        asked = asked.or(inside);
                        falls |= through;
                    }
                    if !falls {
                        return (asked, false);
                    }
                }
                Statement::Return(value) => return (asked.or(self.truths(value, depth)), false),
                Statement::Expr(_) => {}
            }
        }
        (asked, true)
    }

    fn truths(&mut self, value: &Value, depth: u32) -> Asked {
        let Some(depth) = depth.checked_sub(1) else { return Asked::OPEN };
        if let Kind::Op(op, parts) = &value.kind {
            match (op.as_str(), parts.as_slice()) {
                ("&&" | "and", [a, b]) => {
                    let (a, b) = (self.truths(a, depth), self.truths(b, depth));
                    return Asked { yes: a.yes && b.yes, no: a.no || b.no };
                }
                ("||" | "or", [a, b]) => {
                    let (a, b) = (self.truths(a, depth), self.truths(b, depth));
                    return Asked { yes: a.yes || b.yes, no: a.no && b.no };
                }
                ("!" | "not", [only]) => {
                    let only = self.truths(only, depth);
                    return Asked { yes: only.no, no: only.yes };
                }
                ("?:", [condition, then, otherwise]) => {
                    let holds = self.truths(condition, depth);
                    let then = if holds.yes { self.truths(then, depth) } else { Asked::default() };
                    return if holds.no { then.or(self.truths(otherwise, depth)) } else { then };
                }
                _ => {}
            }
        }
        match self.value(value, depth) {
            Answer::Other | Answer::Time(_) => Asked { yes: true, no: false },
            answer => truth(answer).map_or(Asked::OPEN, |yes| Asked { yes, no: !yes }),
        }
    }
}
