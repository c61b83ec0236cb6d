//! Stops a request's searches when its client is gone.

use crate::web::api::Stop;

/// Stops the searches when it is dropped, as it is when its client is gone.
pub struct StopGuard(pub Stop);

impl Drop for StopGuard {
    fn drop(&mut self) {
        self.0.stop();
    }
}
