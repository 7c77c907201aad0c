#pragma once

namespace ringmaster::app {

/// The desktop's sound for bad news, or for good ones. Returns at once. Where no player of such
/// sounds is installed, the display rings its bell.
void playAlertSound(bool isBadNews);

} // namespace ringmaster::app
