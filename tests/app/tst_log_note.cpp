#include "app/bridge/Messages.h"
#include "app/jobs/LogNote.h"
#include "app/jobs/LogPanel.h"
#include "app/jobs/LogView.h"
#include "app/model/LogModel.h"
#include "tests/app/EditorFields.h"
#include "tests/app/FarCluster.h"
#include "tests/app/Window.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

Error unreached()
{
    return {{code::MachineNotConnected, {{"host", "gpu1"}}, {}}, {}};
}

} // namespace

/// The sentence above a log. What is told for some seconds is looked at without waiting.
class tst_log_note : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useTemporarySettings(); }

    void init()
    {
        m_cluster = std::make_unique<FarCluster>();
        m_bridge = std::make_unique<EngineBridge>(*m_cluster);
        m_log = std::make_unique<LogModel>(*m_bridge, "a");
        m_note = std::make_unique<LogNote>(*m_log);
    }

    void cleanup()
    {
        m_note.reset();
        m_log.reset();
        m_bridge.reset();
        m_cluster.reset();
    }

    void isThereWhileThereIsSomethingToSay()
    {
        QVERIFY(m_note->isHidden());
        m_note->tell(QStringLiteral("told"));
        QVERIFY(!m_note->isHidden());
        QCOMPARE(m_note->text(), QStringLiteral("told"));
        m_note->setFilterError(QStringLiteral("wrong"));
        QCOMPARE(m_note->text(), QStringLiteral("wrong"));
        m_note->setFilterError({});
        QCOMPARE(m_note->text(), QStringLiteral("told"));
    }

    void saysWhyTheLogIsNotReadUntilItIs()
    {
        m_cluster->isReached = false;
        m_log->setActive(true);
        QTRY_COMPARE(m_note->text(), text(unreached()));
        m_cluster->isReached = true;
        QTRY_VERIFY(m_note->isHidden());
    }

    void thatAMachineIsNotReachedIsTakenBackOnceItIs()
    {
        m_note->tell(unreached());
        QCOMPARE(m_note->text(), text(unreached()));
        Q_EMIT m_log->pageArrived();
        QVERIFY(m_note->isHidden());
    }

    void whatElseIsToldStaysWhileLinesCome()
    {
        // The second one takes the place of the first one, whatever becomes of that.
        m_note->tell(unreached());
        m_note->tell(QStringLiteral("told"));
        Q_EMIT m_log->pageArrived();
        QCOMPARE(m_note->text(), QStringLiteral("told"));
    }

    void aSearchThatIsAnsweredAgainLeavesNoNote()
    {
        m_cluster->print("a", {1, 1}, 0, "one x\ntwo\n");
        RunModel run("a");
        Event over;
        over.id = {"a", "agent", 1};
        over.runSequence = 1;
        over.body = RunStateChanged{.state = RunState::Succeeded};
        run.apply({over});
        TimeSpan span(run);
        LogPanel panel(*m_bridge, run, span);
        panel.show();
        const auto* view = panel.findChild<LogView*>();
        QTRY_COMPARE(view->model()->rowCount(), 2);
        const auto* note = panel.findChild<LogNote*>();
        QVERIFY(note->isHidden());
        m_cluster->isReached = false;
        named<QLineEdit>(panel, "Filter the log")->setText(QStringLiteral("x"));
        QTRY_COMPARE(note->text(), text(unreached()));
        m_cluster->isReached = true;
        QTRY_VERIFY(note->isHidden());
        QTRY_COMPARE(view->model()->rowCount(), 1);
    }

private:
    std::unique_ptr<FarCluster> m_cluster;
    std::unique_ptr<EngineBridge> m_bridge;
    std::unique_ptr<LogModel> m_log;
    std::unique_ptr<LogNote> m_note;
};

QTEST_MAIN(tst_log_note)
#include "tst_log_note.moc"
