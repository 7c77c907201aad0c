#pragma once

#include "engine/event/Event.h"
#include "engine/hosts/HostLink.h"
#include "engine/job/JobSpec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ringmaster {

/// Where the agents of a job run, and who gives those places: hosts that the user has named, or
/// Slurm. Lives on the lead's loop.
class NodeProvider
{
public:
    /// What losing all places costs: a restart, unless it was no decision about the job.
    enum class Cost { Restart, Nothing };

    /// Called on the loop.
    class Owner
    {
    public:
        virtual ~Owner() = default;
        /// Agents can be started there; again after withdrawn().
        virtual void placed(std::vector<Host> hosts) = 0;
        virtual void placesTold(Notice::Severity severity, const Message& what) = 0;
        /// One of them won't come back.
        virtual void hostTaken(const std::string& host, const Message& why) = 0;
        /// All were taken back, and what ran there has ended; others will be given.
        virtual void withdrawn(const Message& why, Cost cost) = 0;
        /// The same, for good.
        virtual void placesLost(const Message& why) = 0;
        /// The answer to look(): they are as they were …
        virtual void placesStand() = 0;
        /// … or that can't be learnt at present.
        virtual void placesUnknown() = 0;
    };

    virtual ~NodeProvider() = default;

    /// What would be wrong in any case is found before the run is opened; fills in the nodes.
    virtual Result<void> prepare(JobSpec& spec) = 0;
    virtual void start(const JobSpec& spec, const std::filesystem::path& runFolder,
                       Owner& owner) = 0;
    /// The places of a run whose lead is gone: what was brought there is there, and what became of
    /// them meanwhile is told.
    virtual void resume(const JobSpec& spec, const std::filesystem::path& runFolder,
                        Owner& owner) = 0;
    /// How the agent of a host is started, or reached.
    virtual HostLink::Options wayTo(const Host& host) const = 0;
    /// The same, over nothing that could be broken already: no connection that others share. A new
    /// one is tried for so long.
    virtual HostLink::Options freshWayTo(const Host& host, int /*connectSeconds*/) const
    {
        return wayTo(host);
    }
    /// An agent ended like this, unasked: whoever gives the places may know why.
    virtual bool mayExplain(const Message& /*end*/) const { return false; }
    /// Whether they are as they were: true if an answer will come.
    virtual bool look() { return false; }
    /// Another lead has them: they stay, and nothing is told any more.
    virtual void handOver() {}
    /// The run has ended; nothing is to be left there.
    virtual void end() {}
    virtual bool isOver() const { return true; }
};

} // namespace ringmaster
