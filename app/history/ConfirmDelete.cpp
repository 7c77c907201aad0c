#include "app/history/ConfirmDelete.h"

#include "app/bridge/Words.h"
#include "app/widget/Question.h"

#include <QCoreApplication>

#include <algorithm>

namespace ringmaster::app {

namespace {

class DeleteWords
{
    Q_DECLARE_TR_FUNCTIONS(ConfirmDelete)
};

} // namespace

void confirmDelete(QWidget* parent, const std::vector<RunSummary>& runs,
                   std::function<void()> confirmed)
{
    std::int64_t bytes = 0;
    for (const RunSummary& run : runs)
        bytes += static_cast<std::int64_t>(run.sizeBytes);
    const auto pinned = static_cast<int>(std::ranges::count(runs, true, &RunSummary::isPinned));
    QString information = DeleteWords::tr("Events, logs and figures go with them: %1.", nullptr,
                                          static_cast<int>(runs.size()))
                              .arg(bytesText(bytes));
    if (pinned > 0)
        information += u'\n' + DeleteWords::tr("%n of them are pinned.", nullptr, pinned);
    const QString question =
        runs.size() == 1
            ? DeleteWords::tr("Delete %1?")
                  .arg(QString::fromStdString(runs.front().shownName()).toHtmlEscaped())
            : DeleteWords::tr("Delete %n runs?", nullptr, static_cast<int>(runs.size()));
    ask(parent,
        {.objectName = QStringLiteral("confirmDelete"),
         .title = DeleteWords::tr("Delete runs?"),
         .text = question,
         .information = information,
         .accept = DeleteWords::tr("Delete"),
         .keep = DeleteWords::tr("Keep")},
        [confirmed = std::move(confirmed)](bool /*skips*/) { confirmed(); });
}

} // namespace ringmaster::app
