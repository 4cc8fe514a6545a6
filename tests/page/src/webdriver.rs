//! The WebDriver protocol: JSON over HTTP to a driver on this machine, one call after the other.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// The name under which the protocol hides an element's id.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Seconds after which a call counts as hung.
const PATIENCE_S: u64 = 130;

/// A browser under control; closed when dropped.
pub struct Session {
    address: String,
}

/// A number that a script returned.
pub fn number(value: &Value) -> Result<f64> {
    value.as_f64().with_context(|| format!("expected a number, not {value}"))
}

/// An element of the document that is open.
#[derive(Clone, Debug)]
pub struct Element(String);

impl Session {
    /// Starts a browser with these capabilities by the driver at a port.
    pub fn start(port: u16, capabilities: &Value) -> Result<Session> {
        let driver = format!("http://127.0.0.1:{port}/session");
        let answer = call("POST", &driver, &json!({ "capabilities": { "alwaysMatch": capabilities } }))?;
        let id = answer["sessionId"].as_str().context("the driver named no session")?;
        Ok(Session { address: format!("{driver}/{id}") })
    }

    fn get(&self, path: &str) -> Result<Value> {
        call("GET", &format!("{}/{path}", self.address), &Value::Null)
    }

    /// Posts to a path below the session; for what has no method of its own here.
    pub fn post(&self, path: &str, body: Value) -> Result<Value> {
        call("POST", &format!("{}/{path}", self.address), &body)
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&self, address: &str) -> Result<()> {
        self.post("url", json!({ "url": address })).map(drop)
    }

    /// The address that is open.
    pub fn address(&self) -> Result<String> {
        text(self.get("url")?)
    }

    /// Loads the open address again.
    pub fn reload(&self) -> Result<()> {
        self.post("refresh", json!({})).map(drop)
    }

    /// Runs the body of a function in the page.
    pub fn run(&self, script: &str, args: Value) -> Result<Value> {
        self.post("execute/sync", json!({ "script": script, "args": args }))
    }

    /// Runs the body of an async function in the page and waits for what it returns.
    pub fn run_async(&self, script: &str, args: Value) -> Result<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             (async (...args) => {{ {script} }})(...Array.from(arguments).slice(0, -1))
                 .then((value) => done({{ value }}), (error) => done({{ error: String(error) }}));"
        );
        let mut answer = self.post("execute/async", json!({ "script": script, "args": args }))?;
        if let Some(error) = answer["error"].as_str() {
            bail!("in the page: {error}");
        }
        Ok(answer["value"].take())
    }

    /// All elements for a CSS selector.
    pub fn all(&self, selector: &str) -> Result<Vec<Element>> {
        let found = self.post("elements", json!({ "using": "css selector", "value": selector }))?;
        found.as_array().into_iter().flatten().map(Element::from_value).collect()
    }

    /// The first element for a CSS selector.
    pub fn first(&self, selector: &str) -> Result<Element> {
        self.all(selector)?.into_iter().next().with_context(|| format!("no element for `{selector}`"))
    }

    /// The element that has the focus.
    pub fn focused(&self) -> Result<Element> {
        Element::from_value(&self.get("element/active")?)
    }

    /// What assistive technology calls an element.
    pub fn name(&self, element: &Element) -> Result<String> {
        text(self.get(&format!("element/{}/computedlabel", element.0))?)
    }

    /// The text of an element as it is shown.
    pub fn text(&self, element: &Element) -> Result<String> {
        text(self.get(&format!("element/{}/text", element.0))?)
    }

    /// Clicks into the middle of an element.
    pub fn click(&self, element: &Element) -> Result<()> {
        self.post(&format!("element/{}/click", element.0), json!({})).map(drop)
    }

    /// Presses and releases keys one after the other, wherever the focus is.
    pub fn press(&self, keys: &str) -> Result<()> {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() })))
            .collect();
        self.post("actions", json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] })).map(drop)
    }

    /// Presses a key while another is held.
    pub fn chord(&self, held: &str, key: &str) -> Result<()> {
        let steps = [("keyDown", held), ("keyDown", key), ("keyUp", key), ("keyUp", held)];
        let actions = steps.map(|(kind, key)| json!({ "type": kind, "value": key }));
        self.post("actions", json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] })).map(drop)
    }

    /// Makes the window this large, in CSS pixels, frame included.
    pub fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.post("window/rect", json!({ "width": width, "height": height })).map(drop)
    }

    /// The window or tab that all is directed into.
    pub fn window(&self) -> Result<String> {
        text(self.get("window")?)
    }

    /// Opens a tab, which is not entered.
    pub fn new_tab(&self) -> Result<String> {
        text(self.post("window/new", json!({ "type": "tab" }))?["handle"].take())
    }

    /// Directs all that follows into a window or tab.
    pub fn enter_window(&self, window: &str) -> Result<()> {
        self.post("window", json!({ "handle": window })).map(drop)
    }

    /// Closes the window or tab; another one has to be entered after it.
    pub fn close_window(&self) -> Result<()> {
        call("DELETE", &format!("{}/window", self.address), &Value::Null).map(drop)
    }

    /// Directs all that follows into a frame of the document, or with `None` to the top again.
    pub fn enter_frame(&self, frame: Option<&Element>) -> Result<()> {
        self.post("frame", json!({ "id": frame.map(Element::to_value) })).map(drop)
    }

    /// A picture of the window, as PNG.
    pub fn screenshot(&self) -> Result<Vec<u8>> {
        use base64::Engine;
        let picture = text(self.get("screenshot")?)?;
        Ok(base64::engine::general_purpose::STANDARD.decode(picture)?)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A browser that is gone already needs no closing.
        let _ = call("DELETE", &self.address, &Value::Null);
    }
}

impl Element {
    /// The element that [`Session::run`] returned.
    pub fn from_value(value: &Value) -> Result<Element> {
        Ok(Element(value[ELEMENT].as_str().context("not an element")?.to_owned()))
    }

    /// The element as an argument for [`Session::run`].
    pub fn to_value(&self) -> Value {
        json!({ ELEMENT: self.0 })
    }
}

fn text(value: Value) -> Result<String> {
    value.as_str().map(str::to_owned).context("expected a text")
}

fn call(method: &str, address: &str, body: &Value) -> Result<Value> {
    let request = match method {
        "GET" => minreq::get(address),
        "DELETE" => minreq::delete(address),
        _ => minreq::post(address).with_header("Content-Type", "application/json").with_body(body.to_string()),
    };
    let response = request.with_timeout(PATIENCE_S).send().with_context(|| format!("{method} {address}"))?;
    let mut answer: Value = serde_json::from_slice(response.as_bytes()).context("the driver's answer is not JSON")?;
    if response.status_code != 200 {
        let error = &answer["value"];
        bail!("{}: {}", error["error"].as_str().unwrap_or("error"), error["message"].as_str().unwrap_or(""));
    }
    Ok(answer["value"].take())
}
