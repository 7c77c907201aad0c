#include "app/main/MessageBoxes.h"

#include "app/bridge/Messages.h"
#include "engine/base/Version.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace ringmaster::app {

namespace {

class BoxText
{
    Q_DECLARE_TR_FUNCTIONS(MessageBoxes)
};

void showFailure(QWidget* window, const QString& objectName, const QString& title,
                 const QString& headline, const Error& error)
{
    auto* box = new QMessageBox(QMessageBox::Critical, title,
                                QStringLiteral("<b>%1</b>").arg(headline.toHtmlEscaped()),
                                QMessageBox::Ok, window);
    box->setObjectName(objectName);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(text(error));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->open();
}

} // namespace

void showLaunchFailure(QWidget* window, const Error& error)
{
    const QString headline = BoxText::tr("The job did not start");
    showFailure(window, QStringLiteral("launchFailure"), headline, headline, error);
}

void showStopFailure(QWidget* window, const QString& job, const Error& error)
{
    showFailure(window, QStringLiteral("stopFailure"), BoxText::tr("The job was not stopped"),
                BoxText::tr("%1 was not stopped, so the window stays open.").arg(job), error);
}

void showStartFailure(const Error& error)
{
    QMessageBox box(QMessageBox::Critical, BoxText::tr("Ringmaster cannot start"),
                    QStringLiteral("<b>%1</b>").arg(BoxText::tr("Ringmaster cannot start")));
    box.setObjectName(QStringLiteral("startFailure"));
    box.setInformativeText(text(error));
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box.exec();
}

void showAbout(QWidget* window)
{
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, BoxText::tr("About Ringmaster"),
        BoxText::tr("Ringmaster %1 launches, supervises and explains distributed PyTorch jobs. "
                    "Free software, GPL-3.0-or-later.")
            .arg(QStringLiteral(RINGMASTER_VERSION)),
        QMessageBox::Ok, window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(window->windowIcon().pixmap(64));
    box->open();
}

} // namespace ringmaster::app
