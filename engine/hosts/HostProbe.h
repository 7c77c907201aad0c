#pragma once

#include "engine/hosts/HostLink.h"
#include "engine/hosts/LeftOvers.h"
#include "engine/machine/MachineFacts.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace ringmaster {

/// What is asked besides what a host is.
struct Inquiry
{
    std::filesystem::path folder{}; ///< That has the program, where a host's own isn't said.
    std::string program{};          ///< Empty: none.
    bool isPairwise = false;        ///< Whether each reaches each other one.
};

/// What a host says when it is asked.
struct ProbedHost
{
    /// From it to another one.
    struct Route
    {
        std::string peer{};
        std::string address{};
        std::chrono::nanoseconds time{0};
        std::string problem{}; ///< Empty: it is there.
    };

    Host host{};
    Result<MachineFacts> facts = fail(Code{});
    std::chrono::nanoseconds connecting{0};  ///< Until its agent answered, the copy included.
    std::chrono::nanoseconds roundTrip{0};   ///< The quickest of several.
    std::chrono::nanoseconds clockOffset{0}; ///< Its wall clock less ours …
    std::chrono::nanoseconds clockBound{0};  ///< … give or take.
    /// A path that was asked for, and what stands for it here; a folder's ends with a slash.
    struct Missing
    {
        std::string there{};
        std::string here{};
    };

    std::vector<Missing> missing{};
    bool lacksRsync = false;     ///< Though its folder is to be synchronised …
    bool lacksRsyncHere = false; ///< … or this machine does.
    std::vector<Route> routes{};
    /// What a name means there.
    struct Meaning
    {
        std::string name{};
        std::string address{}; ///< Empty: unknown there.
    };

    std::string address{}; ///< At which the others reach it …
    std::string interface {
    };                               ///< … and which interface has that.
    std::vector<Meaning> meanings{}; ///< Of its own name first, then of the others'.
    std::int64_t freeBytes = -1;     ///< Where there is least for runs or the agent; -1: not known.
    std::string freePath{};
    /// Where the agent can't keep what it has to.
    struct Unwritable
    {
        std::string path{}; ///< Empty: it can.
        std::string reason{};
    };
    Unwritable unwritable{};
    LeftOvers leftOvers{};
    std::string listenProblem{}; ///< Why the others can't reach it; empty: they can try.
    bool wasCopied = false;      ///< The agent was new there.
};

inline constexpr std::chrono::seconds ProbePatience{30};

/// Asks all of them at once, and then, once all have answered, for their routes. Blocks as long as
/// the slowest takes: for the login and each of the two at most `patience`, and ten times that
/// where the agent has to be copied.
std::vector<ProbedHost> probeHosts(const std::vector<Host>& hosts, const SshSettings& ssh,
                                   const std::string& sentinel, const Inquiry& inquiry = {},
                                   std::chrono::milliseconds patience = ProbePatience);

} // namespace ringmaster
