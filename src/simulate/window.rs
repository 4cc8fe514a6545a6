//! Equal windows of time, one after the other.

/// The window of one width that a time is in, for times in order: nothing is divided until the window ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The width, ms.
    width_ms: f64,
    /// Which window, from 0.
    pub number: f64,
    end_ms: f64,
}

impl Window {
    /// The first window of this width, which begins at time 0.
    pub fn first(width_ms: f64) -> Self {
        Window { width_ms, number: 0.0, end_ms: width_ms }
    }

    /// Goes on to a time; whether that is in a later window.
    pub fn enter(&mut self, ms: f64) -> bool {
        if ms < self.end_ms {
            return false;
        }
        let before = self.number;
        self.number = (ms / self.width_ms).floor();
        self.end_ms = (self.number + 1.0) * self.width_ms;
        self.number != before
    }
}
