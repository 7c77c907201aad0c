#pragma once

#include "engine/job/Sweep.h"
#include "engine/record/Calibration.h"

#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <string>
#include <vector>

namespace ringmaster::app {

class EngineBridge;

/// What calibrations have found so far, and the one that is under way: of hosts each pair is
/// measured, one after the other, until one fails.
class Calibrator : public QObject
{
    Q_OBJECT

public:
    explicit Calibrator(EngineBridge& bridge, QObject* parent = nullptr);

    /// What there is to be measured: this machine, or each pair of the hosts that are chosen.
    static std::vector<SweepRequest> requestsFor(const SweepRequest& chosen);

    void begin(std::vector<SweepRequest> requests);
    /// The run of the request that was asked for last.
    void started(const std::string& run);
    /// The one that is under way is the last.
    void stop() { m_left.clear(); }
    /// How many come after it.
    size_t left() const { return m_left.size(); }

    /// Reads what calibrations have found.
    void read();
    const std::vector<Calibration>& known() const { return m_known; }
    /// A sentence for each that has ended since begin().
    QStringList findings() const;
    void forgetFindings() { m_done.clear(); }

Q_SIGNALS:
    void runWanted(const ringmaster::SweepRequest& request);
    void knownChanged();

private:
    void next();
    void follow();

    EngineBridge& m_bridge;
    std::vector<Calibration> m_known;
    std::string m_run{}; ///< Under way.
    std::vector<SweepRequest> m_left{};
    std::vector<std::string> m_done{}; ///< Runs.
    QThreadPool m_files;               ///< Last: ended first.
};

} // namespace ringmaster::app
