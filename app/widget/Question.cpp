#include "app/widget/Question.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace ringmaster::app {

namespace {

class SaveText
{
    Q_DECLARE_TR_FUNCTIONS(SaveQuestion)
};

} // namespace

void ask(QWidget* parent, const Question& question, std::function<void(bool skips)> accepted)
{
    auto* box = new QMessageBox(parent);
    box->setObjectName(question.objectName);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(question.title);
    box->setText(QStringLiteral("<b>%1</b>").arg(question.text));
    box->setInformativeText(question.information);
    QPushButton* accept = box->addButton(question.accept, QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(question.keep, QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    if (!question.skip.isEmpty())
        box->setCheckBox(new QCheckBox(question.skip, box));
    QObject::connect(box, &QMessageBox::buttonClicked, box,
                     [box, accept, accepted = std::move(accepted)](QAbstractButton* button) {
                         if (button != accept)
                             return;
                         accepted(box->checkBox() != nullptr && box->checkBox()->isChecked());
                         box->close();
                     });
    box->open();
}

void askToSave(QWidget* parent, const SaveQuestion& question, std::function<void()> save,
               std::function<void()> discard)
{
    auto* box = new QMessageBox(parent);
    box->setObjectName(question.objectName);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(question.title);
    box->setText(QStringLiteral("<b>%1</b>").arg(question.text.toHtmlEscaped()));
    QPushButton* saves = box->addButton(SaveText::tr("Save"), QMessageBox::AcceptRole);
    QPushButton* discards = box->addButton(SaveText::tr("Discard"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box->addButton(SaveText::tr("Cancel"), QMessageBox::RejectRole);
    box->setDefaultButton(saves);
    box->setEscapeButton(cancel);
    QObject::connect(box, &QMessageBox::buttonClicked, box,
                     [box, saves, discards, save = std::move(save),
                      discard = std::move(discard)](QAbstractButton* button) {
                         box->close();
                         if (button == saves)
                             save();
                         else if (button == discards)
                             discard();
                     });
    box->open();
}

} // namespace ringmaster::app
