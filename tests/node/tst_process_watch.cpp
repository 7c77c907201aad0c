#include "engine/node/ProcessWatch.h"

#include <QProcess>
#include <QtTest>

using namespace ringmaster;
using State = diagnose::ProcessView::State;

/// What a process does, seen from one look to the next.
class tst_process_watch : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t Second = 1'000'000'000;

    diagnose::ProcessView look(std::int64_t seconds)
    {
        return m_watch.look(m_pid, seconds * Second);
    }

    QProcess m_process;
    int m_pid = 0;
    ProcessWatch m_watch;

private Q_SLOTS:
    void init()
    {
        m_process.start("/bin/sleep", {"600"});
        QVERIFY(m_process.waitForStarted());
        m_pid = static_cast<int>(m_process.processId());
        m_watch = {};
    }

    void cleanup()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    void whoIsGoneIsDeadAtTheSecondLook()
    {
        QCOMPARE(look(1).state, State::Alive);
        m_process.kill();
        QVERIFY(m_process.waitForFinished());
        // Its last operations may not have been read.
        QCOMPARE(look(2).state, State::Unknown);
        QCOMPARE(look(3).state, State::Dead);
    }

    void timeWithoutWorkIsCounted()
    {
        std::int64_t seconds = 1;
        QTRY_VERIFY(look(++seconds).idleNs >= 3 * Second);
        QVERIFY(look(++seconds).frozenNs >= 3 * Second);
    }
};

QTEST_GUILESS_MAIN(tst_process_watch)
#include "tst_process_watch.moc"
