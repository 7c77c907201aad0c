#pragma once

#include "engine/agent/Failure.h"

#include <filesystem>

namespace ringmaster {

/// The text that ends a failed run, made from the ends of its last attempt. Pure.
class FailureReport
{
public:
    struct About
    {
        std::string name{};         ///< Title: the script as typed, the module, the binary.
        std::string hostName{};     ///< Fully qualified
        std::string torchVersion{}; ///< "2.15.0+cu130": whose torchrun; empty: unknown.
    };

    /// `ends` in the order in which they were seen; those that succeeded are left out.
    FailureReport(About about, std::vector<Failure> ends, FirstCause cause);

    /// torchrun's ChildFailedError to the letter; tools look for its lines. The root cause is the
    /// guilty rank, or the first observed failure when that isn't sure.
    std::string asTorchrun() const;

    /// For people: who, why, the end of what it said, what to do, where its log is.
    std::string readable() const;

    /// The failure shown as the root cause; nothing if none failed.
    const Failure* root() const;

private:
    std::string block(std::size_t index) const;

    About m_about;
    std::vector<Failure> m_failures;
    FirstCause m_cause;
};

} // namespace ringmaster
