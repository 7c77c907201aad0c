#include "app/bandwidth/SweepText.h"

#include "app/bridge/CsvText.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/OperationText.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <limits>

namespace ringmaster::app {

namespace {

struct SweepWords
{
    Q_DECLARE_TR_FUNCTIONS(SweepWords)
};

QString joined(const std::vector<std::string>& names)
{
    QStringList parts;
    for (const std::string& name : names)
        parts << QString::fromStdString(name);
    return parts.join(QStringLiteral(", "));
}

/// One row's values by name, in the order of the columns; those that weren't measured are null.
std::vector<std::pair<QString, QJsonValue>> valuesOf(const SweepTableModel::Row& row)
{
    const SweepRow& measured = row.measured;
    const auto words = [](const std::string& value) {
        return QJsonValue(QString::fromStdString(value));
    };
    const auto ifMeasured = [&](double value) {
        return measured.isMeasured() ? QJsonValue(value) : QJsonValue();
    };
    const auto microseconds = [&](std::int64_t ns) {
        return ns > 0 ? ifMeasured(static_cast<double>(ns) / 1e3) : QJsonValue();
    };
    return {{QStringLiteral("sweep"), row.run},
            {QStringLiteral("collective"), words(measured.collective)},
            {QStringLiteral("backend"), words(measured.backend)},
            {QStringLiteral("algorithm"), words(measured.algorithm)},
            {QStringLiteral("device"), words(measured.device)},
            {QStringLiteral("ranks"), measured.ranks},
            {QStringLiteral("hosts"), measured.hosts},
            {QStringLiteral("size"),
             qint64(measured.isMeasured() ? measured.bytes : measured.wantedBytes)},
            {QStringLiteral("count"), qint64(measured.count)},
            {QStringLiteral("type"), words(measured.type)},
            {QStringLiteral("redop"), words(measured.reduction)},
            {QStringLiteral("root"), measured.root},
            {QStringLiteral("iterations"), measured.iterations},
            {QStringLiteral("time_us"), microseconds(measured.timeNs)},
            {QStringLiteral("algbw_gbs"), ifMeasured(measured.algorithmBandwidth / 1e9)},
            {QStringLiteral("busbw_gbs"), ifMeasured(measured.busBandwidth / 1e9)},
            {QStringLiteral("min_us"), microseconds(measured.minNs)},
            {QStringLiteral("p50_us"), microseconds(measured.p50Ns)},
            {QStringLiteral("p99_us"), microseconds(measured.p99Ns)},
            {QStringLiteral("wrong"),
             measured.wrong < 0 ? QJsonValue() : QJsonValue(qint64(measured.wrong))},
            {QStringLiteral("problem"),
             measured.isMeasured() ? QJsonValue() : QJsonValue(text(measured.problem))}};
}

QByteArray csvField(const QJsonValue& value)
{
    if (value.isNull())
        return {};
    if (value.isDouble())
        return QByteArray::number(value.toDouble(), 'g', 12);
    return csvText(value.toString());
}

} // namespace

QString planText(const SweepPlan& plan)
{
    QStringList parts{joined(plan.collectives), joined(plan.backends),
                      QString::fromStdString(plan.type), QString::fromStdString(plan.reduction),
                      plan.ranks > 0 ? ranksCountText(plan.ranks) : QString()};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString foundText(const Calibration& calibration)
{
    const auto best = calibration.ceiling("all_reduce", std::numeric_limits<std::int64_t>::max());
    if (!best)
        return {};
    const QString backend = QString::fromStdString(calibration.backend);
    const QString ranks = ranksCountText(calibration.ranks);
    return calibration.isOfPair()
               ? SweepWords::tr("%1 reaches %2 in all_reduce with %3 between %4 and %5.")
                     .arg(backend, bandwidthText(*best), ranks,
                          QString::fromStdString(calibration.hosts[0]),
                          QString::fromStdString(calibration.hosts[1]))
               : SweepWords::tr("%1 reaches %2 in all_reduce with %3.")
                     .arg(backend, bandwidthText(*best), ranks);
}

QString bestText(const std::vector<SweepRow>& rows)
{
    const SweepRow* best = nullptr;
    for (const SweepRow& row : rows) {
        if (row.isMeasured() && (best == nullptr || row.busBandwidth > best->busBandwidth))
            best = &row;
    }
    return best == nullptr || best->busBandwidth <= 0
               ? QString()
               : QStringLiteral("%1 %2").arg(QString::fromStdString(best->backend),
                                             bandwidthText(best->busBandwidth));
}

QByteArray sweepCsv(const std::vector<SweepTableModel::Row>& rows)
{
    QByteArray csv;
    for (const SweepTableModel::Row& row : rows) {
        QByteArrayList names;
        QByteArrayList cells;
        for (const auto& [name, value] : valuesOf(row)) {
            names << name.toUtf8();
            cells << csvField(value);
        }
        if (csv.isEmpty())
            csv += names.join(',') + '\n';
        csv += cells.join(',') + '\n';
    }
    return csv;
}

QByteArray sweepJson(const std::vector<SweepTableModel::Row>& rows)
{
    QJsonArray all;
    for (const SweepTableModel::Row& row : rows) {
        QJsonObject object;
        for (const auto& [name, value] : valuesOf(row))
            object.insert(name, value);
        all.append(object);
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("rows"), all}}).toJson();
}

} // namespace ringmaster::app
