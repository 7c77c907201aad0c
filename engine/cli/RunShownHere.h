#pragma once

#include "engine/cli/RunReporter.h"
#include "engine/control/RemoteMachine.h"
#include "engine/lead/RankLines.h"
#include "engine/remote/RemoteRun.h"
#include "engine/remote/RunEnds.h"

#include <optional>
#include <string>

namespace ringmaster {

/// A run on another machine, shown on this process's streams as one of this machine's would be.
/// Ctrl+C stops it there; the end of this process doesn't. Has a loop of its own.
class RunShownHere : private RemoteRun::Owner
{
public:
    struct Options
    {
        std::string run{};
        std::string program{}; ///< The title of a failure's report.
        bool isQuiet = false;
        std::chrono::nanoseconds grace{};
        Consoles consoles{};
    };

    RunShownHere(const RemoteMachine& machine, Options options);

    /// Its exit code.
    Result<int> untilItsEnd();

private:
    void runHappened(const Event& event) override;
    void runPrinted(const LogChunk& chunk) override;
    bool isBehind() const override { return m_lines.isBehind(); }
    void runOutOfReach(const Message& why, bool hasEnded) override;
    void runReachedAgain() override;
    void runOver(const Result<int>& exitCode) override;

    void signalled(int signal);
    void say(Message what, Terminal::Style style) const;

    const RemoteMachine& m_machine;
    const Options m_options;
    RunReporter m_reporter;
    RunEnds m_ends;
    bool m_hasFailed = false;
    RankLines m_lines;
    int m_attempt = 0;
    int m_signals = 0;
    std::optional<Result<int>> m_end;
    EventLoop m_loop;
    EventLoop::Registration m_watch;
    RemoteRun m_run;
};

} // namespace ringmaster
