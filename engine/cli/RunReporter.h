#pragma once

#include "engine/cli/RecurringWaits.h"
#include "engine/cli/Terminal.h"
#include "engine/node/RunFront.h"

#include <chrono>
#include <map>
#include <set>

namespace ringmaster {

/// Tells a person on standard error how the run goes: a line for each thing that matters. Standard
/// output is the workers'.
class RunReporter : public RunFront
{
public:
    struct Options
    {
        bool isQuiet = false; ///< Only what torchrun would say.
        bool isPinned = false;
        bool isLed = false;                ///< Nobody else says why the job has failed.
        bool waitsForNodes = false;        ///< Other nodes have to join, which may take a while.
        Consoles consoles{};               ///< Empty: standard error as it is.
        std::chrono::nanoseconds grace{};  ///< What workers have to end by themselves.
        const Clock* clock = nullptr;      ///< Outlives this; null: the system's.
        std::optional<Moment> startedAt{}; ///< Of a run that another lead had begun.
        std::function<void(const std::string& run)> opened{}; ///< For who waits for a detached one.
    };

    explicit RunReporter(Options options) : m_options(std::move(options)) {}

    void opened(const RunFolder& folder) override;
    /// The same of a run whose folder is elsewhere.
    void begun(const std::string& run);
    void happened(const Event& event) override;
    void printed(std::string_view text) override;
    void reminded(const StandingVerdict& verdict, std::int64_t nowNs) override;
    void signalled(int signal) override;
    void ended() override;

    /// How long what it has printed is waited for. Who has stopped the run waits for its end.
    Console::Patience patience() const
    {
        return m_state == RunState::Stopped ? Console::Patience::UntilStalled
                                            : Console::Patience::Endless;
    }

protected:
    const Consoles& consoles() const { return m_options.consoles; }

private:
    std::int64_t tookNs() const;
    std::int64_t graceLeftNs() const;
    void happenedHere(const Event& event);
    std::string placeOf(const Event& event) const;
    void say(std::string_view text, Terminal::Style style = Terminal::Style::Dim) const;
    void tell(const RendezvousStep& step);
    void tell(const AttemptStarted& attempt);
    void tell(const HostChanged& change);
    void tell(const WorkerExited& exit, const std::string& place);
    void tell(const GroupRestarting& restart);
    void tell(const Notice& notice, const std::string& place);
    void stated(const Verdict& verdict, std::int64_t nowNs);
    void tell(const Verdict& verdict);
    void tellInShort(const Verdict& verdict);
    std::string remedyOf(const Verdict& verdict) const;
    void tellFailure(const std::string& text) const;
    void tellVerdictOfEnd() const;

    Options m_options;
    Terminal m_terminal{2, m_options.consoles.error};
    std::string m_run;
    std::string m_agent;    ///< That leads; its word is the run's.
    int m_attemptTold = -1; ///< Several hosts start the same one.
    Moment m_startedAt{};
    Moment m_endedAt{};
    RunState m_state = RunState::Starting;
    Message m_reason{}; ///< Of the end.
    RunSnapshot m_snapshot;
    bool m_hasToldFailure = false; ///< A worker's; then the report below says the rest.
    bool m_hasReport = false;      ///< As torchrun prints it; of a lead, which prints nothing else.
    bool m_hasEvidence = false;    ///< Of some attempt.
    std::string m_master;
    std::map<std::string, std::string> m_hosts; ///< By agent, where there are several.
    std::map<std::uint64_t, Verdict> m_told;    ///< What stands, by id.
    std::set<std::uint64_t> m_toldInShort;      ///< By id.
    RecurringWaits m_waits;
    std::set<std::string> m_toldOfHosts; ///< Why one is cut off or gone.
    std::set<int> m_failed;              ///< Ranks that nobody had ended.
    int m_signals = 0;
};

} // namespace ringmaster
