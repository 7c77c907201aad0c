#include "app/widget/Question.h"

#include <QCheckBox>
#include <QMessageBox>
#include <QPushButton>

namespace ringmaster::app {

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

} // namespace ringmaster::app
