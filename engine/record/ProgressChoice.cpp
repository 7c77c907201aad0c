#include "engine/record/ProgressChoice.h"

#include <algorithm>
#include <string>

namespace ringmaster {

void ProgressChoice::add(std::string_view name, const NumberProgress& counter)
{
    if (name.ends_with("epoch")) {
        if (!m_epoch.hasTotal())
            m_epoch = {name, &counter};
        return;
    }
    if (!counter.total())
        return;
    if (!m_steps.isThere() || counter.atNs() > m_steps.progress->atNs())
        m_steps = {name, &counter};
}

bool ProgressChoice::hasTotal() const
{
    return m_epoch.hasTotal() || m_steps.hasTotal();
}

std::optional<NumberSummary::Progress>
ProgressChoice::progress(std::optional<std::int64_t> nowNs) const
{
    if (m_epoch.hasTotal())
        return ofEpochs(nowNs);
    if (m_steps.hasTotal())
        return ofSteps(nowNs);
    return std::nullopt;
}

NumberSummary::Progress ProgressChoice::ofEpochs(std::optional<std::int64_t> nowNs) const
{
    const NumberProgress& epoch = *m_epoch.progress;
    NumberSummary::Progress progress{.name = std::string(m_epoch.name),
                                     .value = epoch.value(),
                                     .total = *epoch.total(),
                                     .part = epoch.value() / *epoch.total(),
                                     .perSecond = epoch.perSecond(),
                                     .endWallNs = epoch.reachesTotalNs(nowNs)};
    if (!m_steps.hasTotal())
        return progress;
    const double total = *m_steps.progress->total();
    const double left = total - m_steps.progress->value();
    progress.perSecond = m_steps.progress->perSecond();
    progress.endWallNs.reset();
    if (const auto epochs = epochsLeft()) {
        progress.part = 1 - (*epochs + left / total) / *epoch.total();
        progress.endWallNs = m_steps.progress->reachesNs(*epochs * total + left, nowNs);
    }
    progress.part = std::clamp(progress.part, 0.0, 1.0);
    return progress;
}

NumberSummary::Progress ProgressChoice::ofSteps(std::optional<std::int64_t> nowNs) const
{
    const NumberProgress& steps = *m_steps.progress;
    return {.name = std::string(m_steps.name),
            .value = steps.value(),
            .total = *steps.total(),
            .part = steps.value() / *steps.total(),
            .perSecond = steps.perSecond(),
            .endWallNs = areStepsOfAll() ? steps.reachesTotalNs(nowNs) : std::nullopt};
}

std::optional<double> ProgressChoice::epochsLeft() const
{
    const NumberProgress& epoch = *m_epoch.progress;
    const double total = *epoch.total();
    if (epoch.firstValue() == 0)
        return std::max(total - 1 - epoch.value(), 0.0);
    if (epoch.firstValue() == 1)
        return std::max(total - epoch.value(), 0.0);
    return std::nullopt;
}

bool ProgressChoice::areStepsOfAll() const
{
    if (m_steps.progress->hasRestarted())
        return false;
    return !m_epoch.isThere() || m_epoch.progress->hasFractions() || m_epoch.progress->hasMoved();
}

} // namespace ringmaster
