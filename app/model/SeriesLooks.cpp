#include "app/model/SeriesLooks.h"

#include <array>

namespace ringmaster::app {

int backendColor(std::string_view backend)
{
    constexpr std::array<std::string_view, 6> Known{"ring", "nccl", "gloo", "mpi", "ucc", "xccl"};
    for (size_t i = 0; i < Known.size(); ++i) {
        if (Known[i] == backend)
            return static_cast<int>(i);
    }
    return static_cast<int>(Known.size());
}

int collectiveLine(std::string_view collective)
{
    // "reduce_scatter" before "reduce", "all_gather" before "gather".
    constexpr std::array<std::string_view, 8> Families{"all_reduce", "all_gather", "reduce_scatter",
                                                       "broadcast",  "reduce",     "all_to_all",
                                                       "gather",     "scatter"};
    for (size_t i = 0; i < Families.size(); ++i) {
        if (collective.starts_with(Families[i]))
            return static_cast<int>(i);
    }
    return static_cast<int>(Families.size());
}

} // namespace ringmaster::app
