#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ringmaster {

/// A moment on one machine: the monotonic clock orders, the wall clock is shown. Both in
/// nanoseconds.
struct Moment
{
    std::int64_t monotonicNs = 0; ///< CLOCK_MONOTONIC
    std::int64_t wallNs = 0;      ///< CLOCK_REALTIME, since 1970 UTC

    auto operator<=>(const Moment&) const = default;
};

/// Where the engine gets the time from; tests bring their own.
class Clock
{
public:
    virtual ~Clock() = default;
    virtual Moment now() const = 0;
};

class SystemClock : public Clock
{
public:
    Moment now() const override;
};

/// Identifies the clock that a Moment was read from: the machine's boot (its boot id).
std::string clockId();

} // namespace ringmaster
