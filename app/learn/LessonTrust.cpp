#include "app/learn/LessonTrust.h"

#include "app/learn/LessonListModel.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace ringmaster::app {

namespace {

struct TrustText
{
    Q_DECLARE_TR_FUNCTIONS(LessonTrust)
};

} // namespace

void LessonTrust::trust(const Lesson& lesson)
{
    m_trusted.insert(lesson.pack.source);
}

void LessonTrust::ask(const Lesson& lesson, std::function<void()> run)
{
    if (lesson.isOwn || m_trusted.contains(lesson.pack.source))
        return run();
    auto* question =
        new QMessageBox(QMessageBox::Question, TrustText::tr("Run a program from outside"),
                        TrustText::tr("This lesson didn't come with Ringmaster. Its program, "
                                      "which you see in the editor, will "
                                      "run on this machine with your rights. Run it?"),
                        QMessageBox::Cancel, m_page);
    question->setObjectName(QStringLiteral("trustLesson"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->button(QMessageBox::Cancel)->setText(TrustText::tr("Cancel"));
    auto* yes = question->addButton(TrustText::tr("Run it"), QMessageBox::AcceptRole);
    QObject::connect(yes, &QAbstractButton::clicked, m_page,
                     [this, program = lesson.pack.source, run = std::move(run)] {
                         m_trusted.insert(program);
                         run();
                     });
    question->open();
}

} // namespace ringmaster::app
