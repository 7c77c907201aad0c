#pragma once

#include "engine/attach/JobFindings.h"
#include "engine/attach/JobWatch.h"
#include "engine/base/Result.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace ringmaster::app {

/// Jobs that something else started on one machine: looked for every few seconds while somebody
/// looks at them, and the ranks of one of them when that is asked. All of it on a thread of its
/// own; answers come on this object's.
class ForeignJobs : public QObject
{
    Q_OBJECT

public:
    /// What looks at a machine. Each blocks; one call at a time, but for cancel().
    class Machine
    {
    public:
        virtual ~Machine() = default;
        /// An error: the machine isn't reached now.
        virtual Result<std::vector<WatchedJob>> find() = 0;
        virtual Result<JobFindings> look(const NamedJob& job) = 0;
        virtual Result<void> end(const NamedJob& job) = 0;
        /// Whatever is under way returns soon.
        virtual void cancel() = 0;
    };

    template <class T>
    using Reply = std::function<void(const T&)>;

    explicit ForeignJobs(std::unique_ptr<Machine> machine, QObject* parent = nullptr);
    ~ForeignJobs() override;

    void setWatched(bool isWatched);
    /// A search is under way, or will be.
    bool isSearching() const { return m_isFinding || m_pause.isActive(); }
    /// As they were when the machine was last reached.
    const std::vector<WatchedJob>& jobs() const { return m_jobs; }
    /// Why it isn't reached now; nothing: it is.
    const std::optional<Error>& trouble() const { return m_trouble; }
    /// Null: it has ended, as far as was looked.
    const WatchedJob* find(const ProcessIdentity& identity) const;

    /// Looks at its ranks twice, which takes seconds; it isn't stopped for that.
    void look(const ForeignJob& job, QObject* context, Reply<Result<JobFindings>> reply);
    /// Asks it to end.
    void end(const ForeignJob& job, QObject* context, Reply<Result<void>> reply);

Q_SIGNALS:
    void changed();

private:
    struct Found
    {
        Result<std::vector<WatchedJob>> jobs{};
        std::chrono::milliseconds cost{}; ///< Of a processor.
    };

    void search();
    void take(const Found& found);

    std::unique_ptr<Machine> m_machine;
    std::vector<WatchedJob> m_jobs;
    std::optional<Error> m_trouble;
    bool m_isWatched = false;
    bool m_isFinding = false;
    QTimer m_pause;
    QThreadPool m_pool; ///< Last: ended first.
};

/// The machine that this runs on.
std::unique_ptr<ForeignJobs::Machine> thisMachine();

} // namespace ringmaster::app
