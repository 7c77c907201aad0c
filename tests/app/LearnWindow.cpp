#include "tests/app/LearnWindow.h"

#include "app/learn/FaultQuestion.h"
#include "app/learn/SceneTableModel.h"
#include "app/main/Pages.h"
#include "tests/app/PageOf.h"
#include "tests/lesson/Steps.h"

#include <QLabel>
#include <QMenu>
#include <QRadioButton>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

namespace ringmaster::app {

using ringmaster::test::callStep;
using ringmaster::test::lineStep;
using ringmaster::test::tensorOf;

LearnWindow::LearnWindow() : m_dashboard(pages()) {}

bool LearnWindow::open(const char* lesson)
{
    m_dashboard.language.choose(Language::Choice::English);
    m_dashboard.window.resize(1280, 800);
    m_dashboard.window.show();
    m_page = &pageOf<LearnPage>(m_dashboard.window);
    if (!QTest::qWaitForWindowActive(&m_dashboard.window, Patience))
        return false;
    QTest::keyClick(&m_dashboard.window, Qt::Key_3, Qt::ControlModifier);
    const auto isRead = [this] { return m_page->isVisible() && m_page->lessons().rowCount() > 0; };
    if (!QTest::qWaitFor(isRead, Patience))
        return false;
    m_page->chooseLesson(lesson);
    // A test that is about motion says so.
    m_page->player().setStepTime(std::chrono::milliseconds(0));
    return true;
}

QAbstractButton* LearnWindow::button(const char* text)
{
    for (QAbstractButton* button : m_page->findChildren<QAbstractButton*>()) {
        if (button->isVisible() && button->text() == QLatin1String(text))
            return button;
    }
    return nullptr;
}

QAction* LearnWindow::faultOf(const char* kind, int rank)
{
    for (QToolButton* button : m_page->findChildren<QToolButton*>()) {
        if (button->menu() == nullptr || !button->text().startsWith(QStringLiteral("Inject")))
            continue;
        Q_EMIT button->menu()->aboutToShow();
        for (QAction* action : button->menu()->actions()) {
            if (action->text() == QLatin1String(kind))
                return action->menu()->actions().at(rank);
        }
    }
    return nullptr;
}

bool LearnWindow::predictFault(const char* outcome, const char* witness)
{
    auto* question = m_page->findChild<FaultQuestion*>();
    if (question == nullptr)
        return false;
    int chosen = 0;
    for (QRadioButton* answer : question->findChildren<QRadioButton*>()) {
        const QString text = answer->text();
        if (!text.startsWith(QLatin1String(outcome)) && !text.startsWith(QLatin1String(witness)))
            continue;
        QTest::mouseClick(answer, Qt::LeftButton, {}, {8, answer->height() / 2});
        chosen += answer->isChecked();
    }
    QTest::keyClick(question, Qt::Key_Return);
    return chosen == 2 && question->result() == QDialog::Accepted;
}

QAction* LearnWindow::actionOf(const char* text)
{
    for (QToolButton* button : m_page->findChildren<QToolButton*>()) {
        if (button->menu() == nullptr)
            continue;
        for (QAction* action : button->menu()->actions()) {
            if (action->text() == QString::fromUtf8(text))
                return action;
        }
    }
    return nullptr;
}

bool LearnWindow::says(const char* part)
{
    return std::ranges::any_of(m_page->findChildren<QLabel*>(), [&](const QLabel* label) {
        return label->isVisible() && label->text().contains(QLatin1String(part));
    });
}

bool LearnWindow::tableHas(const QString& text)
{
    auto* model = m_dashboard.find<QTableView>(QStringLiteral("The ranks, as a table"))->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        for (int column = 0; column < model->columnCount(); ++column) {
            if (model->index(row, column).data().toString() == text)
                return true;
        }
    }
    return false;
}

void LearnWindow::press(Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    m_page->findChild<LessonPicture*>()->setFocus();
    QTest::keyClick(&m_dashboard.window, key, modifiers);
}

MoveLesson LearnWindow::lastMove()
{
    const auto commands = m_dashboard.cluster.commands();
    const auto* move =
        commands.empty() ? nullptr : std::get_if<MoveLesson>(&commands.back().second);
    return move == nullptr ? MoveLesson{} : *move;
}

bool LearnWindow::launch()
{
    const size_t before = m_dashboard.cluster.launched().size();
    QTest::mouseClick(button("Run"), Qt::LeftButton);
    if (!QTest::qWaitFor([&] { return m_dashboard.cluster.launched().size() == before + 1; },
                         Patience))
        return false;
    return begin();
}

bool LearnWindow::begin()
{
    publish({LessonStarted{.source = editor().toPlainText().toStdString(),
                           .backend = "gloo",
                           .ranks = 2,
                           .isHeld = true}});
    return QTest::qWaitFor(
        [this] { return m_page->player().run()->recording().started().has_value(); }, Patience);
}

void LearnWindow::publishTo(const std::string& run, const std::vector<EventBody>& bodies)
{
    // At once: the page never shows a part of them.
    std::vector<std::pair<Moment, EventBody>> batch;
    for (const EventBody& body : bodies)
        batch.emplace_back(Moment{}, body);
    m_dashboard.cluster.publish(run, std::move(batch));
}

void LearnWindow::endRun(RunState state, const Message& reason)
{
    publish({RunStateChanged{.state = state, .reason = reason}});
    m_dashboard.cluster.endRun(Run);
}

int LearnWindow::sendLine()
{
    return lesson::lineWith(editor().toPlainText().toStdString(), "dist.send(");
}

std::vector<EventBody> LearnWindow::deadlockOf(int line) const
{
    const auto send = [&](int rank) {
        return callStep(rank, 1,
                        {.operation = "send",
                         .peer = 1 - rank,
                         .inputs = {tensorOf("outgoing", {"2.0", "2.0"})}},
                        LessonStep::Kind::Call, line);
    };
    return {attemptOf(2), lineStep(0, line), lineStep(1, line), send(0), send(1)};
}

bool LearnWindow::deadlock()
{
    if (!launch())
        return false;
    deadlockSteps();
    return QTest::qWaitFor([this] { return !scene().findings.isEmpty(); }, Patience);
}

AttemptStarted attemptOf(int ranks)
{
    AttemptStarted attempt{.worldSize = ranks};
    for (int rank = 0; rank < ranks; ++rank)
        attempt.workers.push_back({.localRank = rank, .globalRank = rank});
    return attempt;
}

} // namespace ringmaster::app
