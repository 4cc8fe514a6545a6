//! What a value means to the library that asks: number, time, yes or no.
//! (Each answers "not known" until the notations land.)
use super::Value;
use crate::duration::*;
impl Value {
    /// The time it is; a bare number has `unit`.
    pub fn duration_ms(&self, _unit: Option<Unit>) -> Result<Time, TimeProblem> {
        Err(TimeProblem::Unknown)
    }
    /// The number it is: a literal or arithmetic on constants; a quoted number is none.
    pub fn number(&self) -> Option<f64> {
        None
    }
    /// The number it is, quoted or not.
    pub fn text_number(&self) -> Option<f64> {
        None
    }
    /// Yes or no, quoted or not.
    pub fn flag(&self) -> Option<bool> {
        None
    }
    /// Whether it is None, null, nil, undefined or `~`.
    pub fn is_null(&self) -> bool {
        false
    }
    /// Whether the text names it without defining it: a variable, a placeholder without a default, a call of something unknown.
    pub fn is_undefined(&self) -> bool {
        false
    }
    /// Whether it is filled in from outside but has a default in the text.
    pub fn is_placeholder(&self) -> bool {
        false
    }
}
