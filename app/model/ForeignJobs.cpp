#include "app/model/ForeignJobs.h"

#include "app/bridge/Background.h"
#include "engine/attach/JobEnd.h"

#include <algorithm>
#include <ctime>
#include <mutex>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

constexpr auto LeastFindPause = 3s;
constexpr auto MostFindPause = 15s;
/// A machine with many processes is looked through less often: about two per cent of a core.
constexpr int FindPauseShare = 50;
constexpr auto BetweenLooks = 2s; ///< As `ringmaster attach` has it.

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
    std::vector<WatchedJob> find() override { return m_watch.look(); }

    SeenJob look(const ForeignJob& job) override
    {
        JobLook look(job, BetweenLooks);
        {
            const std::scoped_lock lock(m_mutex);
            if (m_isCancelled)
                return {};
            m_look = &look;
        }
        SeenJob seen = look.take();
        const std::scoped_lock lock(m_mutex);
        m_look = nullptr;
        return seen;
    }

    Result<void> end(const ForeignJob& job) override { return endJob(job); }

    void cancel() override
    {
        const std::scoped_lock lock(m_mutex);
        m_isCancelled = true;
        if (m_look != nullptr)
            m_look->cancel();
    }

private:
    JobWatch m_watch;
    std::mutex m_mutex; ///< of what follows
    JobLook* m_look = nullptr;
    bool m_isCancelled = false;
};

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
    if (found.jobs == m_jobs)
        return;
    m_jobs = found.jobs;
    Q_EMIT changed();
}

void ForeignJobs::look(const ForeignJob& job, QObject* context, Reply<SeenJob> reply)
{
    inBackground(
        m_pool, context, [machine = m_machine.get(), job] { return machine->look(job); },
        std::move(reply));
}

void ForeignJobs::end(const ForeignJob& job, QObject* context, Reply<Result<void>> reply)
{
    inBackground(
        m_pool, context, [machine = m_machine.get(), job] { return machine->end(job); },
        std::move(reply));
}

} // namespace ringmaster::app
