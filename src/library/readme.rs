//! The generated table of this folder's `README.md`.

use super::{Library, all};

/// What the project knows of every library, as Markdown: one section for each ecosystem.
pub fn readme() -> String {
    let mut libraries: Vec<&Library> = all().collect();
    libraries.sort_by_key(|l| (l.ecosystem.to_ascii_lowercase(), l.title.to_ascii_lowercase()));
    let mut out = String::from("# Libraries\n\nGenerated from the registry by `cargo xtask docs`.\n");
    let count = libraries.len();
    out.push_str(&format!("\n{count} libraries and systems, each with the release and source its rules come from.\n"));
    let mut ecosystem = "";
    for library in libraries {
        if library.ecosystem != ecosystem {
            ecosystem = library.ecosystem;
            out.push_str(&format!("\n## {ecosystem}\n"));
        }
        section(library, &mut out);
    }
    out
}

fn section(library: &Library, out: &mut String) {
    out.push_str(&format!("\n### {} (`{}`)\n\n", library.title, library.id));
    out.push_str(&format!("* **Release and source:** {}: {}\n", library.version, library.source));
    out.push_str(&format!("* **Its number counts:** {}\n", library.counts));
    out.push_str(&format!("* **Wait before retry k:** {}\n", cell(library.formula)));
    let defaults: Vec<String> = library
        .settings
        .iter()
        .filter(|s| !s.default.is_empty())
        .map(|s| {
            let name = s.names().next().unwrap_or_default();
            let group = if s.of.is_empty() { String::new() } else { format!("{}: ", s.of) };
            format!("{group}`{name}` {}", s.default)
        })
        .collect();
    if !defaults.is_empty() {
        out.push_str(&format!("* **Defaults:** {}\n", defaults.join(", ")));
    }
    for (what, list) in [("Releases", library.releases), ("Classes of errors", library.error_classes)] {
        if !list.is_empty() {
            out.push_str(&format!("* **{what}:** {}\n", list.join("; ")));
        }
    }
    for note in library.notes {
        out.push_str(&format!("* {}\n", cell(note)));
    }
}

/// A text without what Markdown would take for its own.
fn cell(text: &str) -> String {
    text.replace('*', "\\*").replace('<', "\\<")
}
