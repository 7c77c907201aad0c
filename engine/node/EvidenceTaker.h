#pragma once

#include "engine/base/ChildCommand.h"
#include "engine/event/Evidence.h"
#include "engine/node/WorkerServerRequest.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

/// Takes where ranks stand, all at once and within a time: by py-spy, which reads a process without
/// stopping it; else by torch's worker server in it; and in any case by /proc. One loop's.
class EvidenceTaker
{
public:
    struct Target
    {
        int rank = 0;
        int launched = 0; ///< The process that was started for it.
        int pid = 0;      ///< Its own word of which it is; believed if it is below that. 0: that.
        std::string server{}; ///< The socket of its worker server; empty: none.
        Message operation{};  ///< What it is in.
    };

    /// C code's calls are only read of a process that is stopped for it, which wakes it up from
    /// what it waits in: for ranks that are ended anyway.
    enum class Depth { Python, Native };

    struct Request
    {
        std::vector<Target> targets{};
        Depth depth = Depth::Python;
        std::chrono::milliseconds patience{2000}; ///< Then that is it.
    };

    /// Comes once, on the loop, never inside the call; not when this is destroyed before.
    using Done = std::function<void(Evidence)>;

    EvidenceTaker(EventLoop& loop, Request request, Done done);
    ~EvidenceTaker();
    EvidenceTaker(const EvidenceTaker&) = delete;
    EvidenceTaker& operator=(const EvidenceTaker&) = delete;

private:
    using Clock = std::chrono::steady_clock;

    /// Of one rank.
    struct Look
    {
        Target target{};
        RankEvidence found{};
        std::string pySpy{};
        std::unique_ptr<ChildCommand> child{};
        std::unique_ptr<WorkerServerRequest> server{};
        bool isOver = false;
    };

    static void identify(Look& look);
    void startSome();
    void begin(Look& look);
    void pySpyEnded(Look& look, const ChildCommand::Outcome& outcome);
    void askServer(Look& look);
    void serverAnswered(Look& look, const std::optional<std::string>& text);
    void over(Look& look);
    void chooseNative();
    void beginNative(Look& look);
    void nativeEnded(Look& look, const ChildCommand::Outcome& outcome);
    void timeIsUp();
    void finish();
    std::chrono::milliseconds left() const;
    size_t underWay() const;

    EventLoop& m_loop;
    Request m_request;
    Done m_done;
    const Clock::time_point m_began = Clock::now();
    std::deque<Look> m_looks; ///< In their places: children call back into them.
    std::deque<Look*> m_waiting;
    bool m_isNativePhase = false;
    EventLoop::Registration m_step; ///< The next one, or the answer on its way.
    EventLoop::Registration m_limit;
};

} // namespace ringmaster
