#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/job/JobSpec.h"
#include "engine/node/DrillPlan.h"
#include "engine/node/DrillWatch.h"
#include "engine/node/NumberReader.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace ringmaster {

/// The fire drills of one run: has them done, watches the run come back, and tells both as events.
/// Also the one that a run was started with. Lives on the agent's thread, or the lead's.
class DrillDriver
{
public:
    struct Host
    {
        std::function<const RunSnapshot&()> run{};
        /// To the agent of the rank or host.
        std::function<Result<void>(const BeginDrill&)> disturb{};
        std::function<void(const Notice&)> tell{};
        /// The drill that the run was started with didn't take place, or it isn't back: the run is
        /// to be ended for that.
        std::function<void(const Error&)> failed{};
        /// Waits until what has been printed by now is recorded; from any thread.
        std::function<void()> settle{};
    };

    DrillDriver(EventLoop& loop, Host host, const RunFolder& folder, const JobSpec& spec,
                std::optional<DrillPlan> plan);

    Result<void> begin(BeginDrill drill);
    /// Of this agent's events, or those of the agents that it leads.
    void happened(const EventBody& body);
    /// The run ends like that; before it is told, for nobody hears what comes after.
    void runEnds(RunState state);

    /// Of the command, where that of the run is this: 0 only if the drill that it was started with
    /// has passed.
    int exitCode(int ofRun) const { return ofRun == 0 && m_plan ? 1 : ofRun; }

private:
    void look();
    void lookAtPlan();
    bool isDue(const RunSnapshot& run);
    void printed(const std::vector<PrintedNumbers>& printed, bool isAll);
    void readNumbers(NumberReader::From from);
    void over(const DrillWatch::Outcome& outcome);
    Result<void> aim(BeginDrill& drill) const;
    Message notBegun() const;
    bool hadFirstCollective(int attempt) const;

    EventLoop& m_loop;
    Host m_host;
    SystemClock m_clock;
    const RunFolder m_folder;
    const NumberRules m_rules;
    std::optional<DrillPlan> m_plan;       ///< Until it has passed.
    std::optional<std::int64_t> m_ranNs{}; ///< When all ranks had come to run first.
    bool m_isPlanBegun = false;
    DrillNumbers m_numbers;                ///< What the plan waits for.
    std::map<int, int> m_firstCollectives; ///< Agents that had theirs, by attempt.
    std::optional<DrillWatch> m_watch;     ///< Nothing: none is under way.
    bool m_areNumbersRead = false;
    std::unique_ptr<NumberReader> m_reader; ///< From the first need on.
    EventLoop::Registration m_look;
};

} // namespace ringmaster
