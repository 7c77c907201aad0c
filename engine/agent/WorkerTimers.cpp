#include "engine/agent/WorkerTimers.h"

#include "engine/agent/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/worker/Descendants.h"

#include <algorithm>
#include <utility>

namespace ringmaster {

namespace {

/// Its own or a descendant's.
bool isOf(const Worker& worker, int pid)
{
    if (!worker.isRunning())
        return false;
    const auto family = descendantsOf(worker.pid);
    return worker.pid == pid || std::ranges::find(family, pid, &ProcessRow::pid) != family.end();
}

} // namespace

WorkerTimers::WorkerTimers(const AgentOptions& options, Parts parts)
    : m_options(options), m_parts(parts)
{
}

WorkerTimers::~WorkerTimers() = default;

std::string WorkerTimers::variable(const char* name) const
{
    const auto found = m_options.environment.find(name);
    return found != m_options.environment.end() ? found->second : std::string();
}

void WorkerTimers::open()
{
    if (m_watchdog || variable("TORCHELASTIC_ENABLE_FILE_TIMER") != "1")
        return;
    std::filesystem::path file = variable("TORCHELASTIC_TIMER_FILE");
    if (file.empty())
        file = m_options.temporaryFolder / ("watchdog_timer_" + randomToken(16));
    auto timer = WatchdogTimer::create(m_parts.loop, m_parts.clock, file, *this);
    if (timer)
        m_watchdog = std::move(*timer);
    else
        m_parts.emitter.notice(Notice::Severity::Warning, -1, timer.error());
}

void WorkerTimers::forgetAll()
{
    if (m_watchdog)
        m_watchdog->forgetAll();
}

std::string WorkerTimers::file() const
{
    return m_watchdog ? m_watchdog->file().string() : std::string();
}

bool WorkerTimers::timerExpired(int pid, const std::string& scope, int signal)
{
    const std::optional<ProcessIdentity> process = identityOf(pid);
    auto& workers = m_parts.group.workers();
    const auto worker =
        std::ranges::find_if(workers, [pid](const Worker& known) { return isOf(known, pid); });
    // A worker may write before the keeper's word of its start is read.
    if (worker == workers.end())
        return std::ranges::none_of(workers, &Worker::isStarting);
    const int rank = worker->assignment.globalRank;
    worker->pendingCause = {.code = code::TimerExpired,
                            .parameters = {{"rank", std::to_string(rank)},
                                           {"scope", scope},
                                           {"signal", std::to_string(signal)}}};
    worker->pendingCauseAt = m_parts.clock.now();
    m_parts.emitter.notice(Notice::Severity::Warning, rank, worker->pendingCause);
    if (process)
        (void)signalProcess(*process, signal);
    return true;
}

void WorkerTimers::timerMessageRefused(const std::string& what)
{
    m_parts.emitter.notice(Notice::Severity::Warning, -1,
                           {.code = code::TimerMessageRefused, .parameters = {{"what", what}}});
}

} // namespace ringmaster
