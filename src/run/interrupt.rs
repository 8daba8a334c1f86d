//! Ctrl-C and SIGTERM end a run early instead of losing it: finished verdicts are kept and the report is written.

use crate::exec::{Cause, Ending};
#[cfg(unix)]
use std::io::Write;
use std::sync::Arc;

/// Listens while it lives.
pub struct Signals {
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

/// Tells `ending` when the program is asked to stop. A second signal ends the program at once.
#[cfg(unix)]
pub fn listen(ending: Arc<Ending>) -> Option<Signals> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]).ok()?;
    let handle = signals.handle();
    std::thread::spawn(move || {
        for (number, signal) in signals.forever().enumerate() {
            if number > 0 {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            // nobody may be there to read it any more
            let _ = writeln!(anstream::stderr(), "\ncargo-hunkmut: stopping; what has a verdict is kept");
            ending.stop(Cause::Interrupted);
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
