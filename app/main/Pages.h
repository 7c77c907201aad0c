#pragma once

#include "app/main/MainWindow.h"

namespace ringmaster::app {

/// The pages that the dashboard has besides Jobs.
PageFactories pages();

} // namespace ringmaster::app
