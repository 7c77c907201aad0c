#include "app/history/CompareText.h"

#include "app/bridge/CsvText.h"
#include "app/bridge/Words.h"
#include "app/model/NumberText.h"
#include "app/model/OperationText.h"

#include <QCoreApplication>

#include <cmath>

namespace ringmaster::app {

namespace {

using Kind = ComparedQuantity::Kind;

class CompareWords
{
    Q_DECLARE_TR_FUNCTIONS(Compare)
};

} // namespace

QString letterOf(size_t run)
{
    return run < 26 ? QString(QChar('A' + static_cast<char>(run))) : QString::number(run + 1);
}

QString titleOf(const ComparedQuantity& quantity)
{
    const QString subject = QString::fromStdString(quantity.subject);
    switch (quantity.kind) {
    case Kind::Duration: return CompareWords::tr("Duration");
    case Kind::StepsASecond: return CompareWords::tr("Steps a second");
    case Kind::FirstCollective: return CompareWords::tr("Launch to first collective");
    case Kind::InCollectives: return CompareWords::tr("Time in collectives");
    case Kind::BusBandwidth:
        return CompareWords::tr("busbw of %1 from %2", "operation, message size")
            .arg(subject, sizeText(static_cast<double>(quantity.leastBytes)));
    case Kind::LastNumber: return CompareWords::tr("Last %1", "a printed number").arg(subject);
    case Kind::Restarts: return CompareWords::tr("Restarts");
    }
    return {};
}

QString valueText(const ComparedQuantity& quantity, size_t run)
{
    const auto& value = quantity.values[run];
    if (!value)
        return QStringLiteral("–");
    switch (quantity.kind) {
    case Kind::Duration:
    case Kind::FirstCollective: return durationText(static_cast<std::int64_t>(*value * 1e9));
    case Kind::StepsASecond: return QString::number(*value, 'g', 3);
    case Kind::InCollectives: return percentText(*value);
    case Kind::BusBandwidth: return bandwidthText(*value);
    case Kind::LastNumber: return numberText(*value);
    case Kind::Restarts: return QString::number(*value);
    }
    return {};
}

QString ratioText(const ComparedQuantity& quantity, size_t run)
{
    const auto ratio = quantity.ratio(run);
    // A few restarts are counted, not measured, and what is the same needs no number for it.
    const bool saysSomething = ratio && std::isfinite(*ratio) && *ratio != 1;
    return run == 0 || !saysSomething || quantity.kind == Kind::Restarts
               ? QString()
               : QStringLiteral("%1 ×").arg(QString::number(*ratio, 'g', 3));
}

int betterWhenMore(Kind kind)
{
    switch (kind) {
    case Kind::StepsASecond:
    case Kind::BusBandwidth: return 1;
    case Kind::FirstCollective:
    case Kind::InCollectives:
    case Kind::Restarts: return -1;
    case Kind::Duration:
    case Kind::LastNumber: return 0;
    }
    return 0;
}

QByteArray comparisonCsv(const std::vector<ComparedRun>& runs, const RunComparison& comparison)
{
    QByteArray csv = "kind,name";
    for (const ComparedRun& run : runs)
        csv += ',' + csvText(QString::fromStdString(run.id));
    csv += '\n';
    for (const SettingDifference& difference : comparison.settings) {
        csv += "setting," + csvText(QString::fromStdString(difference.setting));
        for (const std::string& value : difference.values)
            csv += ',' + csvText(QString::fromStdString(value));
        csv += '\n';
    }
    for (const ComparedQuantity& quantity : comparison.quantities) {
        csv += "result," + csvText(titleOf(quantity));
        for (const auto& value : quantity.values)
            csv += ',' + (value ? QByteArray::number(*value, 'g', 12) : QByteArray());
        csv += '\n';
    }
    return csv;
}

} // namespace ringmaster::app
