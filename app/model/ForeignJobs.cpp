#include "app/model/ForeignJobs.h"

#include "app/bridge/Background.h"
#include "engine/attach/JobsHere.h"

#include <algorithm>
#include <ctime>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

constexpr auto LeastFindPause = 3s;
constexpr auto MostFindPause = 15s;
/// A machine with many processes is looked through less often: about two per cent of a core.
constexpr int FindPauseShare = 50;

/// Of this thread: what others do on a busy machine isn't its cost.
std::chrono::milliseconds processorTime()
{
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec));
}

class ThisMachine : public ForeignJobs::Machine
{
public:
    Result<std::vector<WatchedJob>> find() override { return m_jobs.find(); }
    Result<JobFindings> look(const NamedJob& job) override { return m_jobs.look(job); }
    Result<void> end(const NamedJob& job) override { return m_jobs.end(job); }
    void cancel() override { m_jobs.cancel(); }

private:
    JobsHere m_jobs;
};

NamedJob named(const ForeignJob& job)
{
    return {.identity = job.identity(), .name = job.name};
}

} // namespace

std::unique_ptr<ForeignJobs::Machine> thisMachine()
{
    return std::make_unique<ThisMachine>();
}

ForeignJobs::ForeignJobs(std::unique_ptr<Machine> machine, QObject* parent)
    : QObject(parent), m_machine(std::move(machine))
{
    m_pool.setMaxThreadCount(1);
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &ForeignJobs::search);
}

ForeignJobs::~ForeignJobs()
{
    m_pool.clear();
    m_machine->cancel();
    m_pool.waitForDone();
}

void ForeignJobs::setWatched(bool isWatched)
{
    if (std::exchange(m_isWatched, isWatched) == isWatched)
        return;
    m_pause.stop();
    if (isWatched)
        search();
}

const WatchedJob* ForeignJobs::find(const ProcessIdentity& identity) const
{
    const auto found = std::ranges::find_if(
        m_jobs, [&](const WatchedJob& watched) { return watched.job.identity() == identity; });
    return found == m_jobs.end() ? nullptr : &*found;
}

void ForeignJobs::search()
{
    if (std::exchange(m_isFinding, true))
        return;
    inBackground(
        m_pool, this,
        [machine = m_machine.get()] {
            const auto before = processorTime();
            Found found{.jobs = machine->find()};
            found.cost = processorTime() - before;
            return found;
        },
        [this](const Found& found) { take(found); });
}

void ForeignJobs::take(const Found& found)
{
    m_isFinding = false;
    if (m_isWatched)
        m_pause.start(std::clamp<std::chrono::milliseconds>(FindPauseShare * found.cost,
                                                            LeastFindPause, MostFindPause));
    const std::optional<Error> trouble =
        found.jobs ? std::nullopt : std::optional(found.jobs.error());
    const bool isSame = trouble.has_value() == m_trouble.has_value();
    m_trouble = trouble;
    if (isSame && (m_trouble || *found.jobs == m_jobs))
        return;
    if (found.jobs)
        m_jobs = *found.jobs;
    Q_EMIT changed();
}

void ForeignJobs::look(const ForeignJob& job, QObject* context, Reply<Result<JobFindings>> reply)
{
    inBackground(
        m_pool, context,
        [machine = m_machine.get(), job = named(job)] { return machine->look(job); },
        std::move(reply));
}

void ForeignJobs::end(const ForeignJob& job, QObject* context, Reply<Result<void>> reply)
{
    inBackground(
        m_pool, context,
        [machine = m_machine.get(), job = named(job)] { return machine->end(job); },
        std::move(reply));
}

} // namespace ringmaster::app
