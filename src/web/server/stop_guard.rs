//! Stops a request's searches when its client disconnects.

use crate::web::api::Stop;

/// Stops the searches when it is dropped, which happens when the client disconnects.
pub struct StopGuard(pub Stop);

impl Drop for StopGuard {
    fn drop(&mut self) {
        self.0.stop();
    }
}
