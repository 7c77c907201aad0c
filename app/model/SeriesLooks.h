#pragma once

#include <string_view>

namespace ringmaster::app {

/// The numbers of widget/SeriesLook.h, the same wherever a chart shows the same thing.

/// "ring", "nccl", "gloo" …; what isn't known is grey.
int backendColor(std::string_view backend);
/// By torch's name: those of a family ("all_gather", "all_gather_into_tensor") are alike.
int collectiveLine(std::string_view collective);

} // namespace ringmaster::app
