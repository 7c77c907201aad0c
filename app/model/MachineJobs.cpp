#include "app/model/MachineJobs.h"

#include "engine/control/Codes.h"

#include <condition_variable>
#include <mutex>
#include <optional>

namespace ringmaster::app {

namespace {

/// What was asked last, until its answer or the end of waiting.
class Waiting
{
public:
    /// Any thread.
    template <class T>
    Cluster::Answer<T> answerInto(std::shared_ptr<std::optional<Result<T>>> place)
    {
        return [state = m_state, place = std::move(place)](Result<T> result) {
            const std::scoped_lock lock(state->mutex);
            *place = std::move(result);
            state->isChanged.notify_all();
        };
    }

    /// Nothing: nobody waits any more.
    template <class T>
    std::optional<Result<T>> wait(const std::shared_ptr<std::optional<Result<T>>>& place)
    {
        std::unique_lock lock(m_state->mutex);
        m_state->isChanged.wait(lock, [&] { return m_state->isCancelled || place->has_value(); });
        return std::move(*place);
    }

    void cancel()
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->isCancelled = true;
        m_state->isChanged.notify_all();
    }

private:
    struct State
    {
        std::mutex mutex{};
        std::condition_variable isChanged{};
        bool isCancelled = false;
    };

    std::shared_ptr<State> m_state = std::make_shared<State>();
};

class WatchedMachineJobs : public ForeignJobs::Machine
{
public:
    WatchedMachineJobs(MachineWatch& watch, std::string name)
        : m_watch(watch), m_name(std::move(name))
    {
    }

    Result<std::vector<WatchedJob>> find() override
    {
        return asked<std::vector<WatchedJob>>(
            [&](auto answer) { m_watch.findJobs(m_name, std::move(answer)); });
    }

    Result<JobFindings> look(const NamedJob& job) override
    {
        return asked<JobFindings>(
            [&](auto answer) { m_watch.lookAtJob(m_name, job, std::move(answer)); });
    }

    Result<void> end(const NamedJob& job) override
    {
        return asked<void>([&](auto answer) { m_watch.endJob(m_name, job, std::move(answer)); });
    }

    void cancel() override { m_waiting.cancel(); }

private:
    template <class T, class Ask>
    Result<T> asked(Ask ask)
    {
        const auto place = std::make_shared<std::optional<Result<T>>>();
        ask(m_waiting.answerInto<T>(place));
        auto answer = m_waiting.wait<T>(place);
        if (!answer)
            return fail(code::MachineNotConnected, {{"host", m_name}});
        return *std::move(answer);
    }

    MachineWatch& m_watch;
    const std::string m_name;
    Waiting m_waiting;
};

} // namespace

std::unique_ptr<ForeignJobs::Machine> watchedMachine(MachineWatch& watch, const QString& name)
{
    return std::make_unique<WatchedMachineJobs>(watch, name.toStdString());
}

} // namespace ringmaster::app
