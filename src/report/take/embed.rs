//! A piece of HTML that shows the page, with this policy, in somebody else's.

use super::Source;

/// Where a copy of the page stands, unless told.
const BESIDE: &str = "backoff.html";

/// What to know of the snippet.
pub fn note(address: &str) -> &'static str {
    if address.is_empty() {
        "Put a copy of this page beside yours as `backoff.html`, or write another address. The README names the headers \
         that a strict host needs."
    } else {
        "It shows this very page. A copy of your own beside yours does the same; the README names the headers that a \
         strict host needs."
    }
}

/// A sandboxed frame, and the few lines that give it the height of what it shows.
pub fn snippet(source: &Source) -> String {
    let take = &source.request.take;
    let address = if take.address.is_empty() { BESIDE } else { &take.address };
    let theme = match take.theme.as_str() {
        theme @ ("light" | "dark") => format!("&theme={theme}"),
        _ => String::new(),
    };
    let address = attribute(&format!("{address}#{}&embed=1{theme}", source.report.link));
    format!(
        "<iframe id=\"backoff\" title=\"Backoff &amp; Jitter Calculator\" width=\"100%\" height=\"900\"\n  \
           sandbox=\"allow-scripts allow-popups allow-downloads\" allow=\"clipboard-write\"\n  \
           src=\"{address}\"></iframe>\n\
         <script>\n  \
           addEventListener(\"message\", (event) => {{\n    \
             const frame = document.getElementById(\"backoff\");\n    \
             if (event.source === frame.contentWindow && event.data?.type === \"backoff-height\") {{\n      \
               frame.height = event.data.height;\n    \
             }}\n  \
           }});\n\
         </script>\n"
    )
}

/// A text as the value of an attribute between double quotes.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
