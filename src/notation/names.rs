//! Names: imports and bindings.
use super::{Item, Name};
/// The full paths of what the text imports: `tenacity`, `tenacity.retry`, `github.com/cenkalti/backoff/v4`.
pub fn imports(_items: &[Item]) -> Vec<Name> {
    Vec::new()
}
