#include "engine/diagnose/DeathAges.h"

#include <QtTest>

using namespace ringmaster::diagnose;

class tst_death_ages : public QObject
{
    Q_OBJECT

private:
    using State = ProcessView::State;

private Q_SLOTS:
    void countsFromTheFirstLookThatSawItDead()
    {
        DeathAges ages;
        ages.seen(0, State::Alive, 100);
        QVERIFY(!ages.of(0, 150));
        ages.seen(0, State::Dead, 200);
        ages.seen(0, State::Dead, 300);
        QCOMPARE(ages.of(0, 350), std::optional<std::int64_t>(150));
        QVERIFY(!ages.of(1, 350));
    }

    void anotherProgramOfTheRankLives()
    {
        DeathAges ages;
        ages.seen(3, State::Dead, 100);
        ages.seen(3, State::Stopped, 200);
        QVERIFY(!ages.of(3, 250));
        ages.seen(3, State::Dead, 300);
        QCOMPARE(ages.of(3, 310), std::optional<std::int64_t>(10));
    }

    void anAttemptBeginsAnew()
    {
        DeathAges ages;
        ages.seen(0, State::Dead, 100);
        ages.begin();
        QVERIFY(!ages.of(0, 200));
    }
};

QTEST_GUILESS_MAIN(tst_death_ages)
#include "tst_death_ages.moc"
