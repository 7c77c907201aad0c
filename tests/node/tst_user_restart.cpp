#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/node/UserRestart.h"

#include <QtTest>

using namespace ringmaster;

/// Why an attempt ended that a user restarted.
class tst_user_restart : public QObject
{
    Q_OBJECT

private:
    using Kind = Verdict::Kind;

    static RunSnapshot withVerdict(Kind kind, int attempt, std::vector<int> guilty)
    {
        RunSnapshot run{.attempt = 1};
        run.verdicts.push_back({.verdict = {.id = 1,
                                            .attempt = attempt,
                                            .kind = kind,
                                            .guilty = std::move(guilty),
                                            .statement = {code::TimedOut, {{"what", "seen"}}, {}},
                                            .remedy = {code::TimedOut, {{"what", "to do"}}, {}}}});
        return run;
    }

    static GroupRestarting by(Code cause) { return {.attempt = 1, .cause = {cause, {}, {}}}; }

private Q_SLOTS:
    void isWhatTheRanksWaitedFor()
    {
        for (const Kind kind : {Kind::Waiting, Kind::Hang, Kind::Mismatch}) {
            const auto cause =
                causeOfUsersRestart(by(code::UserRestarted), withVerdict(kind, 1, {2}));
            QVERIFY(cause && cause->attempt == 1 && cause->sure && cause->globalRank == 2);
            QCOMPARE(cause->cause.parameters.at("what"), std::string("seen"));
            QCOMPARE(cause->remedy.parameters.at("what"), std::string("to do"));
        }
    }

    void severalAreCandidates()
    {
        const auto cause =
            causeOfUsersRestart(by(code::UserRestarted), withVerdict(Kind::Hang, 1, {0, 2}));
        QVERIFY(cause && !cause->sure && cause->globalRank == -1);
        QCOMPARE(cause->candidates, (std::vector<int>{0, 2}));
    }

    void elseThereIsNone()
    {
        const Code user = code::UserRestarted;
        QVERIFY(!causeOfUsersRestart(by(user), RunSnapshot{.attempt = 1}));
        QVERIFY(!causeOfUsersRestart(by(user), withVerdict(Kind::Straggler, 1, {2})));
        QVERIFY(!causeOfUsersRestart(by(user), withVerdict(Kind::SlowWire, 1, {2})));
        QVERIFY(!causeOfUsersRestart(by(user), withVerdict(Kind::Hang, 0, {2})));
        QVERIFY(!causeOfUsersRestart(by(code::WorkerFailed), withVerdict(Kind::Hang, 1, {2})));
    }
};

QTEST_GUILESS_MAIN(tst_user_restart)
#include "tst_user_restart.moc"
