//! Ctrl-C and SIGTERM end a run early instead of losing it: finished verdicts are kept and the report is written.

use crate::exec::Ending;
use std::sync::Arc;

/// Listens while it lives.
pub struct Signals {
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

/// Tells `ending` when the program is asked to stop. A second signal ends the program at once.
#[cfg(unix)]
pub fn listen(ending: Arc<Ending>) -> Option<Signals> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]).ok()?;
    let handle = signals.handle();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if ending.reached() {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            anstream::eprintln!("\ncargo-hunkmut: stopping; what has a verdict is kept");
            ending.stop();
        }
    });
    Some(Signals { handle })
}

/// Other systems end the program at once: nothing but the report is lost.
#[cfg(not(unix))]
pub fn listen(_ending: Arc<Ending>) -> Option<Signals> {
    None
}

#[cfg(unix)]
impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
    }
}
