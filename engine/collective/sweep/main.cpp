#include "engine/collective/sweep/Sweep.h"

#include <cstdio>

namespace {

using namespace ringmaster;

Result<void> sweep(const std::vector<std::string>& arguments)
{
    return collective::Sweep(RM_TRY(collective::readSweepOptions(arguments))).run();
}

} // namespace

/// One rank of a sweep, started by an agent as any worker is.
int main(int argc, char** argv)
{
    try {
        const auto done = sweep({argv + 1, argv + argc});
        if (done)
            return 0;
        std::fprintf(stderr, "ringmaster-sweep: %s\n", describe(done.error()).c_str());
    } catch (const std::exception& exception) {
        std::fprintf(stderr, "ringmaster-sweep: %s\n", collective::reasonOf(exception).c_str());
    }
    return 1;
}
