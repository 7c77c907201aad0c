#include "app/jobs/ConfirmStop.h"

#include "app/bridge/Words.h"
#include "app/jobs/StopGrace.h"
#include "app/widget/Question.h"

#include <QCoreApplication>
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
    ask(parent,
        {.objectName = QStringLiteral("confirmStop"),
         .title = Text::tr("Stop the job?"),
         .text = Text::tr("Stop %1?").arg(question.job.toHtmlEscaped()),
         .information = informationOf(question),
         .accept = Text::tr("Stop"),
         .keep = Text::tr("Keep running"),
         .skip = Text::tr("Don't ask again")},
        [confirmed = std::move(confirmed)](bool skips) {
            if (skips)
                QSettings().setValue(QLatin1String(SkipKey), true);
            confirmed();
        });
}

} // namespace ringmaster::app
