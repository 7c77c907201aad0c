#pragma once

#include "engine/hosts/Host.h"
#include "engine/hosts/HostReport.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ringmaster {

/// The hosts that jobs can run on, as the command and the dashboard hold them: values only. Every
/// method returns at once; answers come on a thread of the Cluster, exactly once, never inside the
/// call. Hosts are named as `ringmaster run --hosts` takes them: NAME, NAME:WORKERS or @GROUP.
class HostRegistry
{
public:
    template <class T>
    using Answer = std::function<void(Result<T>)>;

    /// What a preflight asks for besides the ways between the hosts.
    struct PreflightRequest
    {
        std::vector<std::string> hosts{};
        std::filesystem::path folder{}; ///< That the job is launched from.
        std::string program{};          ///< Empty: none.
    };

    virtual ~HostRegistry() = default;

    /// Of the host book, by name.
    virtual void list(Answer<std::vector<Host>> answer) = 0;
    /// Those of ~/.ssh/config that stand for one host and aren't in the book.
    virtual void listNames(Answer<std::vector<std::string>> answer) = 0;
    /// Replaces one of the same name.
    virtual void put(const Host& host, Answer<void> answer) = 0;
    virtual void remove(const std::string& name, Answer<void> answer) = 0;
    /// What each has; the first time the agent is copied there. Takes as long as the slowest.
    virtual void check(const std::vector<std::string>& hosts,
                       Answer<std::vector<HostReport>> answer) = 0;
    /// What would keep a job from running on them, host by host and pair by pair.
    virtual void preflight(const PreflightRequest& request,
                           Answer<std::vector<PreflightFinding>> answer) = 0;
};

} // namespace ringmaster
