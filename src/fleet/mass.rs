//! Probability spread over time: cells of equal width, even inside each, and single instants.

use super::Bins;
use crate::policy::{Law, Piece, Shape};

/// More instants than this are laid into the cells.
const MOST_INSTANTS: usize = 256;

/// Values in steps are instants up to this many, and spread evenly beyond.
const FEW_STEPS: f64 = 64.0;

/// How many even stretches stand for an exponential density where it is not computed with as it is.
const STRETCHES: usize = 32;

/// Part of a law of times from 0 on. What lies beyond the last cell is left out.
#[derive(Clone, Debug)]
pub(super) struct Mass {
    /// The width of a cell, ms.
    pub cell_ms: f64,
    /// The probability in each.
    pub cells: Vec<f64>,
    /// Single times, ms, and their probability.
    instants: Vec<(f64, f64)>,
}

impl Mass {
    /// Certainly at 0, with this many cells for what comes of it.
    pub fn now(cell_ms: f64, count: usize) -> Self {
        Mass { cell_ms, cells: vec![0.0; count], instants: vec![(0.0, 1.0)] }
    }

    /// Nothing anywhere.
    pub fn none(cell_ms: f64, count: usize) -> Self {
        Mass { cell_ms, cells: vec![0.0; count], instants: Vec::new() }
    }

    /// After a further independent wait. Exact but for what an uneven density inside a cell would change.
    pub fn after(&self, law: &Law) -> Mass {
        let mut sum = Mass::none(self.cell_ms, self.cells.len());
        let running = Running::of(self);
        for piece in &law.pieces {
            if let (Shape::Exponential { rate }, true) = (piece.shape, piece.max_ms > piece.min_ms) {
                let fall = Fall { piece, rate };
                running.fall_into(&fall, &mut sum);
                self.instants.iter().for_each(|&(ms, p)| fall.add_from(ms, p, &mut sum));
            }
        }
        let plain = law.pieces.iter().filter(|piece| !matches!(piece.shape, Shape::Exponential { .. }));
        for piece in plain.flat_map(simple) {
            if piece.max_ms - piece.min_ms < self.cell_ms * 1e-3 {
                self.shifted_into(piece.min_ms, piece.weight, &mut sum);
            } else {
                running.spread_into(&piece, &mut sum);
                for &(ms, p) in &self.instants {
                    sum.add_even(ms + piece.min_ms, ms + piece.max_ms, p * piece.weight);
                }
            }
        }
        sum.gather();
        sum
    }

    /// Adds a probability spread evenly over a stretch.
    pub fn add_even(&mut self, from_ms: f64, to_ms: f64, p: f64) {
        let (from, to) = (from_ms / self.cell_ms, to_ms / self.cell_ms);
        let last = (to.ceil() as usize).min(self.cells.len());
        for (i, cell) in self.cells.iter_mut().enumerate().take(last).skip(from as usize) {
            let i = i as f64;
            *cell += p * ((i + 1.0).min(to) - i.max(from)) / (to - from);
        }
    }

    /// Only what is at most this time.
    pub fn up_to(&mut self, limit_ms: f64) {
        self.instants.retain(|&(ms, _)| ms <= limit_ms);
        cut(&mut self.cells, limit_ms / self.cell_ms);
    }

    /// Only what is under this time.
    pub fn under(&mut self, limit_ms: f64) {
        self.instants.retain(|&(ms, _)| ms < limit_ms);
        cut(&mut self.cells, limit_ms / self.cell_ms);
    }

    /// What is later than this time comes at it.
    pub fn no_later_than(&mut self, limit_ms: f64, whole: f64) {
        self.up_to(limit_ms);
        let over = whole - self.total();
        if over > 1e-12 {
            self.instants.push((limit_ms, over));
        }
    }

    /// All of it.
    pub fn total(&self) -> f64 {
        self.cells.iter().sum::<f64>() + self.instants.iter().map(|i| i.1).sum::<f64>()
    }

    /// Adds it to bins, `later_ms` later.
    pub fn add_to(&self, sums: &mut [f64], bins: &Bins, later_ms: f64) {
        for &(ms, p) in &self.instants {
            if let Some(bin) = bins.at(ms + later_ms) {
                sums[bin] += p;
            }
        }
        let running = Running::of(self);
        let mut before = 0.0;
        for (bin, sum) in sums.iter_mut().enumerate() {
            let upto = running.cumulative((bins.start_ms(bin + 1) - later_ms) / self.cell_ms);
            *sum += upto - before;
            before = upto;
        }
    }

    fn shifted_into(&self, ms: f64, weight: f64, sum: &mut Mass) {
        shift_into(&self.cells, ms / self.cell_ms, weight, &mut sum.cells);
        sum.instants.extend(self.instants.iter().map(|&(at_ms, p)| (at_ms + ms, p * weight)));
    }

    /// Joins equal instants, and lays them into the cells that begin with or hold them where they are too many.
    fn gather(&mut self) {
        crate::sort::by(&mut self.instants, |a, b| a.0.total_cmp(&b.0));
        self.instants.dedup_by(|next, first| {
            let same = next.0 - first.0 <= 1e-9 * next.0;
            if same {
                first.1 += next.1;
            }
            same
        });
        if self.instants.len() > MOST_INSTANTS {
            for (ms, p) in self.instants.drain(..) {
                if let Some(cell) = self.cells.get_mut((ms / self.cell_ms + 1e-9) as usize) {
                    *cell += p;
                }
            }
        }
    }
}

/// Adds cells, moved by a number of cells that need not be whole: what falls between two is split so that the mean is
/// kept.
pub(super) fn shift_into(cells: &[f64], by: f64, weight: f64, sum: &mut [f64]) {
    let whole = by.floor();
    let part = by - whole;
    let Some(near) = sum.get_mut(whole as usize..) else { return };
    near.iter_mut().zip(cells).for_each(|(to, p)| *to += weight * (1.0 - part) * p);
    if part > 0.0 {
        near.iter_mut().skip(1).zip(cells).for_each(|(to, p)| *to += weight * part * p);
    }
}

/// Empties cells from a place on, the one that holds it in proportion.
pub(super) fn cut(cells: &mut [f64], at: f64) {
    for (i, cell) in cells.iter_mut().enumerate().skip(at as usize) {
        *cell *= (at - i as f64).clamp(0.0, 1.0);
    }
}

/// A piece as even stretches and single values.
pub(super) fn simple(piece: &Piece) -> Vec<Piece> {
    let width = piece.max_ms - piece.min_ms;
    let even = |weight: f64, min_ms: f64, max_ms: f64| Piece { weight, min_ms, max_ms, shape: Shape::Uniform };
    match piece.shape {
        _ if width == 0.0 => vec![*piece],
        Shape::Uniform | Shape::Unknown => vec![even(piece.weight, piece.min_ms, piece.max_ms)],
        Shape::Steps { step_ms } => {
            let count = (width / step_ms).round() + 1.0;
            if count > FEW_STEPS {
                return vec![even(piece.weight, piece.min_ms, piece.max_ms + step_ms)];
            }
            let value = |i: u32| piece.min_ms + f64::from(i) * step_ms;
            (0..count as u32).map(|i| even(piece.weight / count, value(i), value(i))).collect()
        }
        Shape::Exponential { rate } => {
            let upto = |t: f64| libm::expm1(-rate * t) / libm::expm1(-rate * width);
            let edge = |i: usize| width * i as f64 / STRETCHES as f64;
            let stretch = |i| {
                let weight = piece.weight * (upto(edge(i + 1)) - upto(edge(i)));
                even(weight, piece.min_ms + edge(i), piece.min_ms + edge(i + 1))
            };
            (0..STRETCHES).map(stretch).collect()
        }
    }
}

/// A piece whose density falls exponentially.
struct Fall<'a> {
    piece: &'a Piece,
    rate: f64,
}

impl Fall<'_> {
    fn width_ms(&self) -> f64 {
        self.piece.max_ms - self.piece.min_ms
    }

    /// What falls from one time to the next by so many ms.
    fn kept(&self, ms: f64) -> f64 {
        libm::exp(-self.rate * ms)
    }

    /// Adds the law of a single time and the piece.
    fn add_from(&self, ms: f64, p: f64, sum: &mut Mass) {
        let (start_ms, whole) = (ms + self.piece.min_ms, libm::expm1(-self.rate * self.width_ms()));
        let upto = |i: usize| {
            let into_ms = (i as f64 * sum.cell_ms - start_ms).clamp(0.0, self.width_ms());
            libm::expm1(-self.rate * into_ms) / whole
        };
        let from = (start_ms / sum.cell_ms) as usize;
        let to = ((start_ms + self.width_ms()) / sum.cell_ms).ceil().min(sum.cells.len() as f64) as usize;
        let shares: Vec<f64> = (from..to).map(|i| upto(i + 1) - upto(i)).collect();
        sum.cells.iter_mut().skip(from).zip(shares).for_each(|(cell, share)| *cell += p * self.piece.weight * share);
    }
}

/// The cells added up from the left, and that once more.
struct Running<'a> {
    cells: &'a [f64],
    /// The probability before each cell.
    sums: Vec<f64>,
    /// The integral of that up to the start of each cell, in cells.
    integrals: Vec<f64>,
}

impl<'a> Running<'a> {
    fn of(mass: &'a Mass) -> Self {
        let (mut sum, mut integral) = (0.0, 0.0);
        let mut sums = Vec::with_capacity(mass.cells.len() + 1);
        let mut integrals = Vec::with_capacity(mass.cells.len() + 1);
        for cell in mass.cells.iter().chain(&[0.0]) {
            sums.push(sum);
            integrals.push(integral);
            integral += sum + cell / 2.0;
            sum += cell;
        }
        Running { cells: &mass.cells, sums, integrals }
    }

    /// Where a place, counted in cells, lies: the cell and how far into it. Beyond the end: the end.
    fn place(&self, at: f64) -> (usize, f64) {
        let i = (at.max(0.0) as usize).min(self.cells.len());
        (i, at.max(0.0) - i as f64)
    }

    /// The probability up to a place.
    fn cumulative(&self, at: f64) -> f64 {
        let (i, into) = self.place(at);
        self.sums[i] + self.cells.get(i).map_or(0.0, |cell| cell * into)
    }

    /// The integral of that.
    fn integral(&self, at: f64) -> f64 {
        let (i, into) = self.place(at);
        let cell = self.cells.get(i).unwrap_or(&0.0);
        self.integrals[i] + into * (self.sums[i] + cell * into / 2.0)
    }

    /// Adds the law of the sum of a time in the cells and an even stretch: the difference of the integral at both ends.
    fn spread_into(&self, piece: &Piece, sum: &mut Mass) {
        if self.sums.last().is_none_or(|&whole| whole == 0.0) {
            return;
        }
        let (from, to) = (piece.min_ms / sum.cell_ms, piece.max_ms / sum.cell_ms);
        let scale = piece.weight / (to - from);
        let upto = |i: usize| (self.integral(i as f64 - from) - self.integral(i as f64 - to)) * scale;
        let mut before = upto(from as usize);
        for (i, cell) in sum.cells.iter_mut().enumerate().skip(from as usize) {
            let now = upto(i + 1);
            *cell += (now - before).max(0.0);
            before = now;
        }
    }

    /// Adds the law of the sum of a time in the cells and a piece that falls. Of an endless fall, what has come by a
    /// time is what has set out by then less what is still on its way, which falls from cell to cell; the piece is that
    /// from its lower end, less the same from its upper end on, fallen that far.
    fn fall_into(&self, fall: &Fall, sum: &mut Mass) {
        let cell_ms = sum.cell_ms;
        let (rate, width_ms) = (fall.rate * cell_ms, fall.width_ms());
        // Still on its way at the start of each cell.
        let (per_cell, entering) = (fall.kept(cell_ms), -libm::expm1(-rate) / rate);
        let way = self.cells.iter().chain(&[0.0]).scan(0.0, |way, cell| {
            let now = *way;
            *way = now * per_cell + cell * entering;
            Some(now)
        });
        let way: Vec<f64> = way.collect();
        let come = |at: f64| {
            let (i, into) = self.place(at);
            let cell = self.cells.get(i).copied().unwrap_or(0.0);
            let still = way[i] * libm::exp(-rate * into) - cell * libm::expm1(-rate * into) / rate;
            self.cumulative(at) - still
        };
        let (from, to) = (fall.piece.min_ms / cell_ms, fall.piece.max_ms / cell_ms);
        let scale = -fall.piece.weight / libm::expm1(-fall.rate * width_ms);
        let kept = fall.kept(width_ms);
        let upto = |i: usize| (come(i as f64 - from) - kept * come(i as f64 - to)) * scale;
        let mut before = upto(from as usize);
        for (i, cell) in sum.cells.iter_mut().enumerate().skip(from as usize) {
            let now = upto(i + 1);
            *cell += (now - before).max(0.0);
            before = now;
        }
    }
}
