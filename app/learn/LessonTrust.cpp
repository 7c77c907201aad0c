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

/// A recording may have the name of a lesson that came with Ringmaster, and another program.
bool LessonTrust::isTrusted(const Lesson& lesson, const std::string& program) const
{
    return (lesson.isOwn && program == lesson.pack.source) || m_trusted.contains(program);
}

void LessonTrust::ask(const Lesson& lesson, const LessonProgram& program, std::function<void()> run)
{
    if (isTrusted(lesson, program.origin) || isTrusted(lesson, program.text)) {
        m_trusted.insert(program.text);
        return run();
    }
    withdraw();
    auto* question =
        new QMessageBox(QMessageBox::Question, TrustText::tr("Run a program from outside"),
                        TrustText::tr("The program that you see in the editor didn't come with "
                                      "Ringmaster. It will run on this machine with your rights. "
                                      "Run it?"),
                        QMessageBox::Cancel, m_page);
    question->setObjectName(QStringLiteral("trustLesson"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->button(QMessageBox::Cancel)->setText(TrustText::tr("Cancel"));
    auto* yes = question->addButton(TrustText::tr("Run it"), QMessageBox::AcceptRole);
    QObject::connect(yes, &QAbstractButton::clicked, m_page, [this, program, run = std::move(run)] {
        m_trusted.insert(program.origin);
        m_trusted.insert(program.text);
        run();
    });
    m_question = question;
    question->open();
}

void LessonTrust::withdraw()
{
    if (m_question != nullptr)
        m_question->close();
}

} // namespace ringmaster::app
