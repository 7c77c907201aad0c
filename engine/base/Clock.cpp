#include "engine/base/Clock.h"

#include <ctime>
#include <fstream>

namespace ringmaster {

namespace {

std::int64_t nanosecondsOf(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace

Moment SystemClock::now() const
{
    return {nanosecondsOf(CLOCK_MONOTONIC), nanosecondsOf(CLOCK_REALTIME)};
}

std::string clockId()
{
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

} // namespace ringmaster
