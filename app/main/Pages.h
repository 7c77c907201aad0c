#pragma once

#include "app/widget/Page.h"

#include <vector>

namespace ringmaster::app {

/// The pages that the dashboard has besides Jobs, in the order of the side bar.
std::vector<PageDescription> pages();

} // namespace ringmaster::app
