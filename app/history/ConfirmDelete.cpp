#include "app/history/ConfirmDelete.h"

#include "app/bridge/Words.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

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
    auto* box = new QMessageBox(parent);
    box->setObjectName(QStringLiteral("confirmDelete"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(DeleteWords::tr("Delete runs?"));
    const QString question =
        runs.size() == 1
            ? DeleteWords::tr("Delete %1?")
                  .arg(QString::fromStdString(runs.front().shownName()).toHtmlEscaped())
            : DeleteWords::tr("Delete %n runs?", nullptr, static_cast<int>(runs.size()));
    box->setText(QStringLiteral("<b>%1</b>").arg(question));
    box->setInformativeText(information);
    QPushButton* remove = box->addButton(DeleteWords::tr("Delete"), QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(DeleteWords::tr("Keep"), QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(box, &QMessageBox::buttonClicked, box,
                     [remove, confirmed = std::move(confirmed)](QAbstractButton* button) {
                         if (button == remove)
                             confirmed();
                     });
    box->open();
}

} // namespace ringmaster::app
