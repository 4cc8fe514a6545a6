//! Browsers: which there are, and how each is started with a fresh profile that reaches nothing but the proxy.

use crate::site::Site;
use crate::webdriver::Session;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Blink, by Chromium.
    Chromium,
    /// Gecko, by Firefox.
    Firefox,
    /// WebKit, by WebKitGTK's small browser.
    Webkit,
}

/// What the reader's system prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// Dark on light, in letters twice as large; WebKit's small browser has no such setting.
    Large,
}

/// A browser under control, with all that it needs; ended when dropped.
pub struct Browser {
    /// Which it is.
    pub engine: Engine,
    /// Its control. Named before the processes, because fields are dropped in order and it says goodbye to one.
    pub session: Session,
    /// Its only way to the network.
    pub site: Site,
    _processes: Vec<Process>,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::Webkit];

    /// Its name in options and output.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
            Engine::Webkit => "webkit",
        }
    }

    /// The engine of a name.
    pub fn named(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    fn driver(self, port: u16) -> Command {
        let (program, args) = match self {
            Engine::Chromium => ("chromedriver", vec![format!("--port={port}")]),
            Engine::Firefox => ("geckodriver", vec![format!("--port={port}"), "--websocket-port=0".to_owned()]),
            Engine::Webkit => ("WebKitWebDriver", vec![format!("--port={port}")]),
        };
        let mut command = Command::new(program);
        command.args(args);
        command
    }

    fn capabilities(self, theme: Theme, proxy: &str) -> Value {
        let dark = theme == Theme::Dark;
        let letters_px = if theme == Theme::Large { 32 } else { 16 };
        let own = match self {
            Engine::Chromium => json!({ "goog:chromeOptions": { "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                "--disable-component-update", "--disable-features=AutofillServerCommunication", "--disable-sync", "--no-first-run", "--no-default-browser-check",
                "--proxy-bypass-list=<-loopback>", "--js-flags=--expose-gc", "--enable-precise-memory-info",
                format!("--blink-settings=preferredColorScheme={},defaultFontSize={letters_px}", if dark { 0 } else { 1 }),
            ] } }),
            Engine::Firefox => json!({ "moz:firefoxOptions": { "args": ["-headless"], "prefs": {
                "layout.css.prefers-color-scheme.content-override": if dark { 0 } else { 1 },
                "font.size.variable.x-western": letters_px,
                "network.proxy.allow_hijacking_localhost": true,
                "network.captive-portal-service.enabled": false,
                "network.connectivity-service.enabled": false,
            } } }),
            Engine::Webkit => {
                json!({ "webkitgtk:browserOptions": { "args": ["--automation"], "binary": minibrowser() } })
            }
        };
        let mut all = json!({ "proxy": { "proxyType": "manual", "httpProxy": proxy, "sslProxy": proxy } });
        if let (Some(all), Value::Object(own)) = (all.as_object_mut(), own) {
            all.extend(own);
        }
        all
    }
}

impl Browser {
    /// Starts a browser; files below `folder` are served to it.
    pub fn start(engine: Engine, theme: Theme, folder: &Path) -> Result<Browser> {
        let site = Site::start(folder)?;
        let mut processes = Vec::new();
        let port = free_port()?;
        let mut driver = engine.driver(port);
        if engine == Engine::Webkit {
            let (screen, display) = screen()?;
            processes.push(screen);
            driver
                .env("DISPLAY", display)
                .env("GTK_THEME", if theme == Theme::Dark { "Adwaita:dark" } else { "Adwaita" });
        }
        processes.push(Process::start(driver.stdout(Stdio::null()).stderr(Stdio::null()))?);
        wait_for(port).with_context(|| format!("the driver of {} does not answer", engine.name()))?;
        let session = Session::start(port, &engine.capabilities(theme, &site.proxy()))
            .with_context(|| format!("{} does not start", engine.name()))?;
        session.post("timeouts", json!({ "script": 120_000, "pageLoad": 50_000 }))?;
        Ok(Browser { engine, session, site, _processes: processes })
    }
}

/// A process that is ended when dropped.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Result<Process> {
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command.stdin(Stdio::null()).spawn();
        Ok(Process(child.with_context(|| format!("cannot start {program}: run `cargo xtask test --install`"))?))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only where the process has ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A screen in memory, for the engine that has no other way to run without one, and its `DISPLAY`.
fn screen() -> Result<(Process, String)> {
    let mut server = Command::new("Xvfb");
    server.args(["-displayfd", "1", "-screen", "0", "1600x1400x24", "-nolisten", "tcp"]);
    let mut process = Process::start(server.stdout(Stdio::piped()).stderr(Stdio::null()))?;
    let mut number = String::new();
    let said = process.0.stdout.take().context("Xvfb has no output")?;
    BufReader::new(said).read_line(&mut number)?;
    if number.trim().is_empty() {
        bail!("Xvfb does not start");
    }
    Ok((process, format!(":{}", number.trim())))
}

/// WebKitGTK's small browser, below the folder of this machine's libraries.
fn minibrowser() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?;
    folders.flatten().map(|folder| folder.path().join("webkit2gtk-4.1/MiniBrowser")).find(|path| path.exists())
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

fn wait_for(port: u16) -> Result<()> {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if start.elapsed() > Duration::from_secs(20) {
            bail!("nothing listens at port {port}");
        }
        sleep(Duration::from_millis(20));
    }
    Ok(())
}
