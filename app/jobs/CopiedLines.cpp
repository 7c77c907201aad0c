#include "app/jobs/CopiedLines.h"

#include "app/model/LogModel.h"

#include <algorithm>

namespace ringmaster::app {

QString copiedLines(QModelIndexList rows, bool withTimes)
{
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& index : rows) {
        // How many ranks printed a traceback that is here once.
        const QString fold = index.data(LogModel::FoldRole).toString();
        lines << (withTimes ? index.data(LogModel::TimeRole).toString() + QLatin1Char(' ')
                            : QString()) +
                     QStringLiteral("[%1] ").arg(index.data(LogModel::RankRole).toInt()) +
                     index.data().toString() +
                     (fold.isEmpty() ? QString() : QStringLiteral("  ") + fold);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace ringmaster::app
