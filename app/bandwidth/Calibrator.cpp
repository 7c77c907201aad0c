#include "app/bandwidth/Calibrator.h"

#include "app/bandwidth/SweepText.h"
#include "app/bridge/Background.h"
#include "app/bridge/EngineBridge.h"

#include <algorithm>

namespace ringmaster::app {

Calibrator::Calibrator(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    connect(&m_bridge, &EngineBridge::runsChanged, this, &Calibrator::follow);
}

std::vector<SweepRequest> Calibrator::requestsFor(const SweepRequest& chosen)
{
    std::vector<SweepRequest> all;
    if (chosen.hosts.empty())
        all.push_back(calibrationRequest(chosen.ranks, chosen.backends));
    for (auto one = chosen.hosts.begin(); one != chosen.hosts.end(); ++one)
        for (auto other = one + 1; other != chosen.hosts.end(); ++other)
            all.push_back(calibrationRequest(chosen.ranks, chosen.backends, {*one, *other}));
    return all;
}

void Calibrator::begin(std::vector<SweepRequest> requests)
{
    forgetFindings();
    m_left = std::move(requests);
    next();
}

void Calibrator::next()
{
    if (m_left.empty())
        return;
    const SweepRequest request = m_left.front();
    m_left.erase(m_left.begin());
    Q_EMIT runWanted(request);
}

void Calibrator::started(const std::string& run)
{
    m_run = run;
    follow();
}

void Calibrator::follow()
{
    if (m_run.empty())
        return;
    const RunSummary* run = m_bridge.find(m_run);
    if (run == nullptr || !isFinal(run->state))
        return;
    m_done.push_back(std::exchange(m_run, {}));
    read();
    if (run->state == RunState::Succeeded)
        return next();
    m_left.clear();
}

void Calibrator::read()
{
    inBackground(
        m_files, this, [] { return readCalibrations(); },
        [this](const std::vector<Calibration>& calibrations) {
            m_known = calibrations;
            Q_EMIT knownChanged();
        });
}

QStringList Calibrator::findings() const
{
    QStringList sentences;
    for (const Calibration& calibration : m_known) {
        const bool isNew = std::ranges::count(m_done, calibration.run) > 0;
        if (const QString found = foundText(calibration); isNew && !found.isEmpty())
            sentences << found;
    }
    return sentences;
}

} // namespace ringmaster::app
