#include "app/hosts/HostRows.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <chrono>

namespace ringmaster::app {

using namespace std::chrono_literals;

namespace {

constexpr auto WorryingOffset = 1s;

struct HostTexts
{
    Q_DECLARE_TR_FUNCTIONS(HostTexts)
};

template <class T>
void keep(std::vector<T>& samples, T sample, size_t most)
{
    if (samples.size() >= most)
        samples.erase(samples.begin());
    samples.push_back(std::move(sample));
}

void keep(std::vector<float>& samples, const std::optional<double>& fraction)
{
    if (fraction)
        keep(samples, static_cast<float>(*fraction), HostRow::MostSamples);
}

/// Nothing, where there is none at all.
std::optional<double> fractionOf(double used, double all)
{
    return all > 0 ? std::optional(std::clamp(used / all, 0.0, 1.0)) : std::nullopt;
}

std::pair<std::int64_t, std::int64_t> gpuMemoryOf(const MachineFacts& facts)
{
    std::int64_t used = 0;
    std::int64_t total = 0;
    for (const MachineFacts::Gpu& gpu : facts.gpus) {
        used += gpu.usedBytes;
        total += gpu.totalBytes;
    }
    return {used, total};
}

bool isClockOff(const HostReport& report)
{
    return std::chrono::abs(report.clockOffset) - report.clockBound > WorryingOffset;
}

} // namespace

void HostRow::take(const HostReport& answer, std::int64_t nowMs)
{
    report = answer;
    isAsked = false;
    const MachineFacts* now = facts();
    if (now == nullptr)
        return;
    const auto [usedGpuMemory, allGpuMemory] = gpuMemoryOf(*now);
    const HostSample sample{
        .atMs = nowMs,
        .load = fractionOf(now->load, now->processors),
        .memory = fractionOf(static_cast<double>(now->memoryBytes - now->availableBytes),
                             static_cast<double>(now->memoryBytes)),
        .gpuMemory =
            fractionOf(static_cast<double>(usedGpuMemory), static_cast<double>(allGpuMemory))};
    keep(load, sample.load);
    keep(memory, sample.memory);
    keep(gpuMemory, sample.gpuMemory);
    keep(samples, sample, MostKept);
}

HostState stateOf(const HostRow& row)
{
    if (row.isAsked && !row.report)
        return HostState::Asking;
    if (!row.report)
        return HostState::NotAsked;
    const MachineFacts* facts = row.facts();
    if (facts == nullptr)
        return HostState::Unusable;
    const bool isOdd =
        facts->pythonVersion.empty() || facts->torchVersion.empty() || isClockOff(*row.report);
    return isOdd ? HostState::Questionable : HostState::Ready;
}

QString word(HostState state)
{
    switch (state) {
    case HostState::NotAsked: return HostTexts::tr("not checked yet");
    case HostState::Asking: return HostTexts::tr("checking…");
    case HostState::Ready: return HostTexts::tr("ready");
    case HostState::Questionable: return HostTexts::tr("needs a look");
    case HostState::Unusable: return HostTexts::tr("unusable");
    }
    return {};
}

StateLook lookOf(HostState state, const Tokens& tokens)
{
    switch (state) {
    case HostState::NotAsked: return {tokens.neutral, Glyph::HollowCircle};
    case HostState::Asking: return {tokens.neutral, Glyph::DashedRing};
    case HostState::Ready: return {tokens.finished, Glyph::Tick};
    case HostState::Questionable: return {tokens.warning, Glyph::Triangle};
    case HostState::Unusable: return {tokens.failed, Glyph::Cross};
    }
    return {};
}

QString slotsText(const Host& host)
{
    return host.slots > 0 ? QString::number(host.slots) : HostTexts::tr("any");
}

QString coresText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    return facts == nullptr ? QString() : QString::number(facts->processors);
}

QString loadText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    return facts == nullptr ? QString() : QLocale().toString(facts->load, 'f', 1);
}

QString memoryText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    return facts == nullptr
               ? QString()
               : HostTexts::tr("%1 of %2 free")
                     .arg(bytesText(facts->availableBytes), bytesText(facts->memoryBytes));
}

QString gpusText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    if (facts == nullptr)
        return {};
    if (facts->gpus.empty())
        return HostTexts::tr("no GPU");
    const auto [used, total] = gpuMemoryOf(*facts);
    return HostTexts::tr("%1 × %2, %3 of %4 in use")
        .arg(facts->gpus.size())
        .arg(QString::fromStdString(facts->gpus.front().name), bytesText(used), bytesText(total));
}

QString gpusShortText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    if (facts == nullptr || facts->gpus.empty())
        return gpusText(row);
    const auto [used, total] = gpuMemoryOf(*facts);
    QString name = QString::fromStdString(facts->gpus.front().name);
    name.remove(QStringLiteral("NVIDIA "));
    const double share = total > 0 ? static_cast<double>(used) / static_cast<double>(total) : 0;
    return HostTexts::tr("%1 × %2, %3 in use")
        .arg(facts->gpus.size())
        .arg(name, percentText(share));
}

QString torchText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    if (facts == nullptr)
        return {};
    if (facts->pythonVersion.empty())
        return HostTexts::tr("no Python");
    return facts->torchVersion.empty() ? HostTexts::tr("none")
                                       : QString::fromStdString(facts->torchVersion);
}

QString ncclText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    if (facts == nullptr)
        return {};
    return facts->ncclVersion.empty() ? HostTexts::tr("none")
                                      : QString::fromStdString(facts->ncclVersion);
}

QString agentText(const HostRow& row)
{
    const MachineFacts* facts = row.facts();
    return facts == nullptr ? QString() : QString::fromStdString(facts->version);
}

QString clockOffsetText(const HostRow& row)
{
    if (row.facts() == nullptr)
        return {};
    return offsetText(row.report->clockOffset.count(), row.report->clockBound.count());
}

QString jobsText(const HostRow& row)
{
    if (!row.watch)
        return {};
    switch (row.watch->connection) {
    case WatchedMachineState::Connection::Connecting: return HostTexts::tr("connecting…");
    case WatchedMachineState::Connection::Connected: return HostTexts::tr("shown");
    case WatchedMachineState::Connection::Lost: return HostTexts::tr("not reached");
    }
    return {};
}

QString problemText(const HostRow& row)
{
    const bool isLost = row.watch && row.watch->connection == WatchedMachineState::Connection::Lost;
    if (!row.report)
        return isLost ? text(row.watch->why) : QString();
    if (!row.report->facts)
        return text(static_cast<const Message&>(row.report->facts.error()));
    const MachineFacts& facts = *row.report->facts;
    QStringList problems;
    if (facts.pythonVersion.empty())
        problems << HostTexts::tr("There is no Python; install it, or name the interpreter.");
    else if (facts.torchVersion.empty())
        problems << HostTexts::tr("%1 has no torch; install it, or name another interpreter.")
                        .arg(QString::fromStdString(facts.interpreter));
    if (isClockOff(*row.report))
        problems << HostTexts::tr("Its clock is wrong; let NTP set it.");
    if (isLost)
        problems << text(row.watch->why);
    return problems.join(u' ');
}

} // namespace ringmaster::app
