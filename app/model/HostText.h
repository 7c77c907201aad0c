#pragma once

#include "engine/event/Snapshot.h"

#include <QString>

namespace ringmaster::app {

/// What there is to say of a job's host besides its state, in lines: what that means, why it is so,
/// its clock.
QString hostNote(const HostSnapshot& host);

} // namespace ringmaster::app
