#include "app/main/CloseQuestion.h"

#include "app/main/Session.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace ringmaster::app {

namespace {

class Text
{
    Q_DECLARE_TR_FUNCTIONS(CloseQuestion)
};

} // namespace

void askBeforeClosing(QWidget* window, Session& session, int running,
                      std::function<void(bool stopsJobs)> close)
{
    auto* box = new QMessageBox(window);
    box->setObjectName(QStringLiteral("closeQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(Text::tr("Close the window?"));
    box->setText(
        QStringLiteral("<b>%1</b>").arg(Text::tr("%n jobs keep running.", nullptr, running)));
    box->setInformativeText(Text::tr(
        "They don't need this window; open Ringmaster again to see them.", nullptr, running));
    QPushButton* keep = box->addButton(Text::tr("Keep running"), QMessageBox::AcceptRole);
    QPushButton* stop = box->addButton(Text::tr("Stop jobs"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box->addButton(Text::tr("Cancel"), QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(cancel);
    auto* skip = new QCheckBox(Text::tr("Don't ask again"), box);
    box->setCheckBox(skip);
    QObject::connect(
        box, &QMessageBox::buttonClicked, box,
        [&session, keep, stop, skip, box, close = std::move(close)](QAbstractButton* button) {
            if (button != keep && button != stop)
                return;
            if (button == keep && skip->isChecked())
                session.setOnClose(Session::OnClose::KeepRunning);
            box->close();
            close(button == stop);
        });
    box->open();
}

} // namespace ringmaster::app
