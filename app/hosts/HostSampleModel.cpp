#include "app/hosts/HostSampleModel.h"

#include "app/bridge/Words.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace ringmaster::app {

namespace {

QString percentOf(const std::optional<double>& fraction)
{
    return fraction ? percentText(*fraction) : QStringLiteral("–");
}

} // namespace

HostSampleModel::HostSampleModel(QObject* parent) : RowsModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("Time"),
         .text =
             [](const HostSampleRow& row) {
                 return QLocale().toString(QDateTime::fromMSecsSinceEpoch(row.sample.atMs).time(),
                                           QStringLiteral("HH:mm:ss"));
             }},
        {.title = QT_TR_NOOP("Host"), .text = [](const HostSampleRow& row) { return row.host; }},
        {.title = QT_TR_NOOP("Load"),
         .text = [](const HostSampleRow& row) { return percentOf(row.sample.load); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Memory"),
         .text = [](const HostSampleRow& row) { return percentOf(row.sample.memory); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("GPU memory"),
         .text = [](const HostSampleRow& row) { return percentOf(row.sample.gpuMemory); },
         .alignment = NumberAlignment},
    });
}

void HostSampleModel::setHosts(const std::vector<HostRow>& hosts)
{
    std::vector<HostSampleRow> rows;
    for (const HostRow& host : hosts) {
        for (const HostSample& sample : host.samples)
            rows.push_back({QString::fromStdString(host.host.name), sample});
    }
    std::ranges::stable_sort(rows, std::greater(),
                             [](const HostSampleRow& row) { return row.sample.atMs; });
    setRows(std::move(rows));
}

} // namespace ringmaster::app
