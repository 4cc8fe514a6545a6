//! The proxy that every request of a browser goes through: it records each, serves the page under `http://page.test/`
//! and answers nothing else. What a browser reaches the network for cannot miss it.

use anyhow::Result;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

/// Where the proxy serves the page.
pub const HOME: &str = "http://page.test/";

/// The policy header of the host that allows no inline script.
const NO_INLINE: &str =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; img-src data: blob:";

/// The same from a host that forgot the module.
const NO_WASM: &str = "default-src 'self'; script-src 'self'; worker-src blob:; img-src data: blob:";

/// The policy header of the sample host, whose page shows ours in a frame.
const HOST: &str = "default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'";

/// Hosts that the browsers ask for themselves, whatever page is open.
const BROWSERS_OWN: [&str; 4] =
    ["accounts.google.com", "clients2.google.com", "update.googleapis.com", "firefox.settings.services.mozilla.com"];

/// A running proxy.
pub struct Site {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Starts one that serves the files below a folder.
    pub fn start(folder: &Path) -> Result<Site> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (record, folder) = (Arc::clone(&requests), folder.to_owned());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (record, folder) = (Arc::clone(&record), folder.clone());
                // A browser that hangs up in mid-answer is no fault of the page.
                thread::spawn(move || drop(answer(stream, &record, &folder)));
            }
        });
        Ok(Site { port, requests })
    }

    /// `host:port`, as browsers want a proxy named.
    pub fn proxy(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// All requests since the start, as `METHOD address`, but for those that browsers make by themselves.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.requests.lock().map(|requests| requests.clone()).unwrap_or_default();
        requests.into_iter().filter(|request| !BROWSERS_OWN.contains(&host(request))).collect()
    }
}

/// The host of `METHOD http://host/path` or `CONNECT host:port`.
fn host(request: &str) -> &str {
    let address = request.split(' ').nth(1).unwrap_or_default();
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or_default()
}

fn answer(stream: TcpStream, record: &Mutex<Vec<String>>, folder: &Path) -> Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.by_ref().take(10_000).read_line(&mut first)?;
    if first.trim().is_empty() {
        // Opened ahead of need and closed again: nothing was asked for.
        return Ok(());
    }
    let mut words = first.split(' ');
    let (method, address) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if let Ok(mut requests) = record.lock() {
        requests.push(format!("{method} {address}"));
    }
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let found = address.strip_prefix(HOME).and_then(|path| resource(path, folder));
    let (status, headers, body) = match found {
        Some((headers, body)) => ("200 OK", headers, body),
        None => ("404 Not Found", String::new(), Vec::new()),
    };
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n", body.len())?;
    stream.write_all(&body)?;
    Ok(())
}

/// Headers and body of a path: a file, a file under the strict host (`strict/…`) or one that forbids the module
/// (`nowasm/…`), a file of a checkout where nothing was built (`unbuilt/…`), or a page with the packed page in a frame
/// (`frame/…`), or one that is reached into (`probed/…`). The sample host has a policy of its own.
fn resource(path: &str, folder: &Path) -> Option<(String, Vec<u8>)> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    if let Some(kind) = path.strip_prefix("frame/") {
        let packed = std::fs::read_to_string(folder.join("dist/index.html")).ok()?;
        return Some(("Content-Type: text/html; charset=utf-8\r\n".to_owned(), framed(kind, &packed)?.into_bytes()));
    }
    if path == "probed/index.html" {
        let page = std::fs::read_to_string(folder.join("index.html")).ok()?;
        let probed = page.replacen("<script", "<script src=\"/tests/page/probe.js\"></script><script", 1);
        return Some(("Content-Type: text/html; charset=utf-8\r\n".to_owned(), probed.into_bytes()));
    }
    let path = path.strip_prefix("probed/").unwrap_or(path);
    let path = match path.strip_prefix("unbuilt/") {
        Some(path) if path.contains("pkg/") => return None,
        Some(path) => path,
        None => path,
    };
    let (policy, path) = [("strict/", NO_INLINE), ("nowasm/", NO_WASM), ("tests/host/", HOST)]
        .into_iter()
        .find_map(|(folder, policy)| {
            let rest = path.strip_prefix(folder)?;
            let file = if policy == HOST { path } else { rest };
            Some((format!("Content-Security-Policy: {policy}\r\n"), file))
        })
        .unwrap_or((String::new(), path));
    let path: PathBuf = path.split('/').filter(|part| !part.starts_with('.')).collect();
    let kind = match path.extension()?.to_str()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        _ => return None,
    };
    Some((format!("Content-Type: {kind}; charset=utf-8\r\n{policy}"), std::fs::read(folder.join(path)).ok()?))
}

/// A page of somebody else with ours in a frame, embedded where the kind begins with `embed-`; `control` asks for a
/// picture from elsewhere.
fn framed(kind: &str, packed: &str) -> Option<String> {
    let escaped = packed.replace('&', "&amp;").replace('"', "&quot;");
    let (kind, told) = kind.strip_prefix("embed-").map_or((kind, ""), |kind| (kind, "embed=1"));
    let listens = if told.is_empty() { "" } else { r#"<script src="/tests/host/host.js"></script>"# };
    let frame = |what: &str| format!(r#"<iframe id="backoff" name="{told}" {what}></iframe>{listens}"#);
    let inside = match kind {
        "plain" => frame(&format!(r#"src="/dist/index.html#{told}""#)),
        "sources" => frame(&format!(r#"src="/index.html#{told}""#)),
        "strict" => frame(&format!(r#"src="/strict/index.html#{told}""#)),
        "sandboxed" => frame(&format!(r#"sandbox="allow-scripts" src="/dist/index.html#{told}""#)),
        "srcdoc" => frame(&format!(r#"srcdoc="{escaped}""#)),
        "sandboxed-srcdoc" => frame(&format!(r#"sandbox="allow-scripts" srcdoc="{escaped}""#)),
        "control" => r#"<img src="http://elsewhere.test/control.png" alt="">"#.to_owned(),
        width => {
            let width: u32 = width.parse().ok()?;
            format!(r#"<iframe src="/dist/index.html" style="width: {width}px"></iframe>"#)
        }
    };
    Some(format!(
        "<!doctype html><title>host</title><link rel=icon href=data:,>\
         <style>iframe {{ width: 100%; border: 0 }} iframe:not([height]) {{ height: 90vh }}</style>{inside}"
    ))
}
