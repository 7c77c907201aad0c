#pragma once

#include "engine/job/JobSpec.h"
#include "engine/job/WorkerCounts.h"
#include "engine/machine/Devices.h"
#include "engine/machine/Interpreters.h"
#include "engine/text/Finding.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <optional>

namespace ringmaster::app {

/// What the editor knows of this machine.
struct LocalFacts
{
    MachineCounts counts{};
    DeviceList devices{};
    std::vector<Interpreter> interpreters{};
    std::string activeInterpreter{};
    std::string command{}; ///< Where `ringmaster` is; empty: nowhere.
    bool hasSbatch = false;
    bool hasBattery = false;
    std::vector<std::string> containerEngines{}; ///< Those that are here, in the order of choice.
};

/// Looks around on this machine and checks jobs against it, on a thread of its own. Lives on the
/// GUI thread, which it never holds up: answers are signals, and a newer question replaces an older
/// one.
class EnvironmentProbe : public QObject
{
    Q_OBJECT

public:
    explicit EnvironmentProbe(QObject* parent = nullptr);
    ~EnvironmentProbe() override;

    /// Interpreters and GPUs; `workingFolder` may hold a virtual environment.
    void lookAround(const QString& workingFolder);
    /// Checks the job soon; typing doesn't start a check a letter. What the job names is run only
    /// as agreed.
    void check(const JobSpec& spec, const Agreement& agreement);
    void checkNow(const JobSpec& spec, const Agreement& agreement);

    const LocalFacts& facts() const { return m_facts; }
    QThreadPool& pool() { return m_pool; }

Q_SIGNALS:
    void factsChanged();
    /// The job of the last check() or checkNow().
    void checked(const std::vector<ringmaster::Finding>& findings);

private:
    void startCheck();

    LocalFacts m_facts;
    JobSpec m_spec;
    Agreement m_agreement;
    QTimer m_delay;
    quint64 m_question = 0;
    quint64 m_look = 0;
    QThreadPool m_pool;
};

} // namespace ringmaster::app
