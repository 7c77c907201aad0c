#include "app/jobs/ConfirmStop.h"

#include "app/bridge/Words.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

namespace ringmaster::app {

namespace {

constexpr auto SkipKey = "confirm/skipStop";

class Text
{
    Q_DECLARE_TR_FUNCTIONS(ConfirmStop)
};

} // namespace

void confirmStop(QWidget* parent, const QString& job, int ranks, std::int64_t durationNs,
                 std::function<void()> confirmed)
{
    if (QSettings().value(QLatin1String(SkipKey)).toBool()) {
        confirmed();
        return;
    }
    auto* box = new QMessageBox(parent);
    box->setObjectName(QStringLiteral("confirmStop"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(Text::tr("Stop the job?"));
    box->setText(QStringLiteral("<b>%1</b>").arg(Text::tr("Stop %1?").arg(job.toHtmlEscaped())));
    box->setInformativeText(
        Text::tr("%n workers end after %1. What they did since their last checkpoint is lost; "
                 "this can't be undone.",
                 nullptr, ranks)
            .arg(clockText(durationNs)));
    QPushButton* stop = box->addButton(Text::tr("Stop"), QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(Text::tr("Keep running"), QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    auto* skip = new QCheckBox(Text::tr("Don't ask again"), box);
    box->setCheckBox(skip);
    QObject::connect(box, &QMessageBox::buttonClicked, box,
                     [box, stop, skip, confirmed = std::move(confirmed)](QAbstractButton* button) {
                         if (button != stop)
                             return;
                         if (skip->isChecked())
                             QSettings().setValue(QLatin1String(SkipKey), true);
                         confirmed();
                         box->close();
                     });
    box->open();
}

} // namespace ringmaster::app
