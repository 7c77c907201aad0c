#include "app/model/OperationText.h"

#include "app/bridge/Words.h"
#include "engine/ledger/OperationNames.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ringmaster::app {

namespace {

struct OperationWords
{
    Q_DECLARE_TR_FUNCTIONS(OperationWords)
};

/// Three digits, however large.
QString number(double value)
{
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals);
}

QString placeText(bool isInside, const QString& operation, const QString& duration)
{
    return isInside ? QStringLiteral("%1, %2").arg(operation, duration)
                    : OperationWords::tr("after %1, %2").arg(operation, duration);
}

/// nccl-tests' factor, as a formula.
QString factorText(ledger::OperationKind kind)
{
    const double two = ledger::busFactor(kind, 2);
    const double four = ledger::busFactor(kind, 4);
    if (four == 1.5)
        return QStringLiteral("2(n − 1) / n");
    if (two == 0.5)
        return QStringLiteral("(n − 1) / n");
    return QStringLiteral("1");
}

} // namespace

QString operationName(ledger::OperationKind kind)
{
    const std::string_view name = ledger::nameOf(kind);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString groupText(const diagnose::GroupKey& group)
{
    const QString name = QString::fromStdString(group.shown());
    if (name == QLatin1String("default") || group.members.empty())
        return name;
    return QStringLiteral("%1 (%2)").arg(name, ranksText(group.members));
}

QString placeText(const OperationSummary::Place& place, std::int64_t nowNs)
{
    QString name =
        place.name.empty() ? operationName(place.kind) : QString::fromStdString(place.name);
    // Each group is made once: there is no second to tell it from.
    if (!ledger::makesGroup(place.kind))
        name += QStringLiteral(" #%1").arg(place.number);
    constexpr std::int64_t Second = 1'000'000'000;
    const std::int64_t seconds = std::max<std::int64_t>(0, nowNs - place.sinceNs);
    if (seconds >= 10 * Second && seconds < 60 * Second)
        return placeText(place.isInside, name, OperationWords::tr("%1 s").arg(seconds / Second));
    if (seconds >= 5 * Second || place.isInside)
        return placeText(place.isInside, name, durationText(seconds));
    // What was left a moment ago is where a rank that goes on stands.
    return name;
}

QString calledAtText(const OperationSummary::Place& place)
{
    if (place.calledAt.file.empty())
        return {};
    return OperationWords::tr("called in %1, %2 line %3")
        .arg(QString::fromStdString(place.calledAt.function),
             QString::fromStdString(place.calledAt.file))
        .arg(place.calledAt.line);
}

QString bandwidthText(double bytesASecond)
{
    if (bytesASecond >= 1e9)
        return QStringLiteral("%1 GB/s").arg(number(bytesASecond / 1e9));
    if (bytesASecond >= 1e6)
        return QStringLiteral("%1 MB/s").arg(number(bytesASecond / 1e6));
    return QStringLiteral("%1 kB/s").arg(number(bytesASecond / 1e3));
}

QString preciseDurationText(std::int64_t ns)
{
    const auto value = static_cast<double>(ns);
    if (ns < 1'000'000)
        return OperationWords::tr("%1 µs").arg(number(value / 1e3));
    if (ns < 1'000'000'000)
        return OperationWords::tr("%1 ms").arg(number(value / 1e6));
    return durationText(ns);
}

QString countText(std::uint64_t count)
{
    return QLocale().toString(static_cast<qulonglong>(count));
}

QString sizeText(double bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), bytes < 1024 ? 0 : 1);
}

QString busFormulaText(ledger::OperationKind kind, int ranks)
{
    const double factor = ledger::busFactor(kind, ranks);
    if (factor == 0)
        return OperationWords::tr("No data crosses the wire that could be counted.");
    return OperationWords::tr("busbw = algbw × %1, as nccl-tests has it; × %2 for n = %3 ranks.")
        .arg(factorText(kind), number(factor))
        .arg(ranks);
}

QString timeSourceText(const diagnose::BandwidthRow& row)
{
    if (row.isWire)
        return OperationWords::tr("The time is the backend's on the rank that waited least: the "
                                  "wire's own. What is felt beyond it is waiting for other ranks, "
                                  "and copying.");
    if (ledger::isPointToPoint(row.kind))
        return OperationWords::tr("The time is that of this side alone; it includes the waiting "
                                  "for the other.");
    if (ledger::hasRoot(row.kind))
        return OperationWords::tr("The time is that of the quickest rank, which may leave before "
                                  "the others have come: no measure of the wire.");
    return OperationWords::tr("Not all ranks have told of these operations: the waiting can't be "
                              "told from the transfer.");
}

} // namespace ringmaster::app
