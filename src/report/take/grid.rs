//! A table of short texts, its numbers under each other.

/// Rows of cells, the heads first; all rows have as many.
pub struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub fn new(heads: &[&str]) -> Grid {
        Grid { rows: vec![heads.iter().map(|head| head.to_string()).collect()] }
    }

    pub fn row(&mut self, cells: Vec<&str>) {
        self.rows.push(cells.into_iter().map(str::to_string).collect());
    }

    /// A line a row, cells as wide as their column and flush right, with `between` between them and `edges` around them;
    /// under the heads what `rule` makes of the widths.
    pub fn lines(&self, edges: [&str; 2], between: &str, rule: impl Fn(&[usize]) -> String) -> String {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width).collect();
        let mut out = String::new();
        for (n, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
            let line = format!("{}{}{}", edges[0], cells.join(between), edges[1]);
            out += line.trim_end();
            out.push('\n');
            if n == 0 {
                out += &rule(&widths);
                out.push('\n');
            }
        }
        out
    }
}
