//! `serve`: the workspace over http on this machine, built again whenever a source has changed.

use crate::workspace::root;
use crate::{core, page};
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

const PORT: u16 = 8000;

/// Serves until it is stopped.
pub fn run() -> Result<()> {
    let mut core = core::build()?;
    println!("{}", page::build(&core)?);
    let listener = TcpListener::bind(("127.0.0.1", PORT)).with_context(|| format!("port {PORT}"))?;
    println!("http://localhost:{PORT}/ and http://localhost:{PORT}/dist/ (Ctrl+C ends it)");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A browser that hangs up in mid-answer leaves nothing to do.
            thread::spawn(move || drop(answer(stream)));
        }
    });
    let (mut rust, mut web) = (newest(&["src", "Cargo.toml"]), newest(&["www", "index.html"]));
    loop {
        thread::sleep(Duration::from_millis(300));
        let now = (newest(&["src", "Cargo.toml"]), newest(&["www", "index.html"]));
        if now == (rust, web) {
            continue;
        }
        let built = if now.0 == rust { Ok(()) } else { core::build().map(|built| core = built) };
        match built.and_then(|()| page::build(&core)) {
            Ok(sizes) => println!("{sizes}"),
            Err(error) => eprintln!("error: {error:#}"),
        }
        // Taken again, because building writes below www.
        (rust, web) = (now.0, newest(&["www", "index.html"]));
    }
}

/// When anything below these names was last changed.
fn newest(names: &[&str]) -> Option<SystemTime> {
    fn walk(path: &Path, newest: &mut Option<SystemTime>) {
        *newest = (*newest).max(std::fs::metadata(path).and_then(|file| file.modified()).ok());
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            walk(&entry.path(), newest);
        }
    }
    let mut newest = None;
    names.iter().for_each(|name| walk(&root().join(name), &mut newest));
    newest
}

fn answer(mut stream: TcpStream) -> Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    // The headers are of no use, but an unread request resets the connection.
    for header in lines {
        if header?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default();
    let mut file = root();
    file.extend(path.split('/').filter(|part| !part.starts_with('.')).map(PathBuf::from));
    if file.is_dir() {
        file.push("index.html");
    }
    let kind = match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "application/octet-stream",
    };
    let (status, body) = match std::fs::read(&file) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = body.len();
    write!(stream, "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n")?;
    write!(stream, "Cache-Control: no-store\r\nConnection: close\r\n\r\n")?;
    stream.write_all(&body)?;
    Ok(())
}
