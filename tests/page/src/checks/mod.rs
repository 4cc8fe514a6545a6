//! The checks. A new one is a function in a file of this folder and a line in [`ALL`].

mod access;
mod embed;
mod fleet;
mod hosting;
mod judgement;
mod link;
mod native;
mod reading;
mod stress;
mod take;

use anyhow::Result;
use page_tests::engine::Browser;

/// A name and what it does with a browser.
pub type Check = (&'static str, fn(&Browser) -> Result<()>);

/// All checks, in the order in which they run.
pub const ALL: &[Check] = &[
    ("opens in every form", hosting::every_form),
    ("plays a fleet in a worker", hosting::worker),
    ("cancels a fleet, and draws meanwhile", fleet::cancel),
    ("plays a fleet anew, and out of sight", fleet::replay),
    ("says where it cannot start", hosting::no_wasm),
    ("says what to run before a build", hosting::unbuilt),
    ("shows its example", reading::example),
    ("replaces its example after a click", reading::replaced_after_click),
    ("reads five typed fields", reading::five_fields),
    ("reads a Step Functions state machine", reading::step_functions),
    ("reads a Tenacity decorator", reading::tenacity),
    ("shows hostile text as text", reading::hostile_text),
    ("reads a megabyte", reading::megabyte),
    ("computes what the core computes natively", native::same),
    ("comes back from its link", link::reload),
    ("keeps the text out of the link", link::no_text),
    ("writes each text", take::texts),
    ("copies, or selects", take::copies),
    ("draws pictures that stand alone", take::pictures),
    ("reads pasted settings", take::pasted),
    ("resets, and undoes it", take::reset),
    ("is embedded in each kind of frame", embed::frames),
    ("keeps the theme it is told", embed::theme),
    ("prints on two sheets", embed::print),
    ("takes a fix with one click", judgement::fix),
    ("compares two policies", judgement::compare),
    ("multiplies layers", judgement::layers),
    ("works by keyboard alone", access::keyboard),
    ("names its controls", access::names),
    ("is accessible in light", access::light),
    ("is accessible in dark", access::dark),
    ("stays well under random edits", stress::edits),
    ("recovers when its core stops", stress::trap),
    ("goes on when a worker is killed", stress::killed),
    ("is opened in two tabs", stress::tabs),
    ("goes back and forward", stress::history),
    ("loses nothing when it is large", stress::large),
    ("shows hostile text as text with every control used", stress::everything),
    // Last, because it looks at all that the others did.
    ("requests nothing", hosting::no_request),
];
