//! The door to JavaScript: shapes in, shapes out. Alone in naming the browser's crates.

use wasm_bindgen::prelude::wasm_bindgen;

/// The schedule of a policy given as JSON, as JSON.
#[wasm_bindgen]
pub fn schedule(policy: &str) -> Result<String, wasm_bindgen::JsError> {
    let policy = serde_json::from_str(policy)?;
    Ok(serde_json::to_string(&crate::schedule::schedule(&policy, 100))?)
}
