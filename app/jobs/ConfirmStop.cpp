#include "app/jobs/ConfirmStop.h"

#include "app/bridge/Words.h"
#include "app/jobs/StopGrace.h"

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

QString informationOf(const StopQuestion& question)
{
    QString text =
        Text::tr("%n workers end after %1. What they did since their last checkpoint is lost; "
                 "this can't be undone.",
                 nullptr, question.ranks)
            .arg(clockText(question.durationNs));
    if (question.grace)
        text += QStringLiteral("\n\n") +
                Text::tr("They get SIGTERM and have %1 to save and end; then they are killed. "
                         "A second stop kills them at once.")
                    .arg(graceText(*question.grace));
    return text;
}

} // namespace

void confirmStop(QWidget* parent, const StopQuestion& question, std::function<void()> confirmed)
{
    if (QSettings().value(QLatin1String(SkipKey)).toBool()) {
        confirmed();
        return;
    }
    auto* box = new QMessageBox(parent);
    box->setObjectName(QStringLiteral("confirmStop"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(Text::tr("Stop the job?"));
    box->setText(
        QStringLiteral("<b>%1</b>").arg(Text::tr("Stop %1?").arg(question.job.toHtmlEscaped())));
    box->setInformativeText(informationOf(question));
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
