#include "engine/agent/Codes.h"
#include "engine/agent/RestartRule.h"

#include <QtTest>

using namespace ringmaster;

namespace {

Failure end(int rank, int code, bool onlyIf = false, bool unless = false)
{
    Failure failure;
    failure.exit.globalRank = rank;
    failure.exit.status.code = code;
    failure.exit.matchesOnlyIf = onlyIf;
    failure.exit.matchesUnless = unless;
    return failure;
}

FirstCause guilty(int rank)
{
    return {.sure = true, .globalRank = rank};
}

} // namespace

class tst_restart_rule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void looksAtBothStreams()
    {
        const RestartRule rule({.onlyIf = "^NCCL (error|timeout)", .unless = "assert"});
        WorkerExited exit;
        rule.mark(exit, {.stderrTail = "step 1\nNCCL timeout\n", .stdoutTail = "loss 2\n"});
        QVERIFY(exit.matchesOnlyIf && !exit.matchesUnless);
        rule.mark(exit, {.stderrTail = "an NCCL error", .stdoutTail = "assert x\n"});
        QVERIFY(!exit.matchesOnlyIf && exit.matchesUnless);
    }

    void withoutARuleNothingIsRefused()
    {
        const RestartRule rule({});
        WorkerExited exit;
        rule.mark(exit, {.stderrTail = "anything", .stdoutTail = ""});
        QVERIFY(!exit.matchesOnlyIf && !exit.matchesUnless);
        QVERIFY(!rule.refusal({end(0, 1)}, {}));
    }

    void theGuiltyRankDecidesAndNotWhoFailedOfIt()
    {
        const RestartRule rule({.onlyIf = "x", .unless = "y"});
        // Rank 0 lost its peer, and says so in the words that the rule is about.
        const std::vector<Failure> ends{end(0, 1, true, true), end(1, 1)};
        const auto refusal = rule.refusal(ends, guilty(1));
        QVERIFY(refusal && refusal->code == code::RestartNotExpected);
        QCOMPARE(refusal->parameters.at("pattern"), std::string("x"));
        QVERIFY(!rule.refusal({end(0, 1), end(1, 1, true)}, guilty(1)));
        const auto unwanted = rule.refusal({end(0, 1), end(1, 1, true, true)}, guilty(1));
        QVERIFY(unwanted && unwanted->code == code::RestartNotWanted);
    }

    void whereNobodyIsGuiltyAllThatFailedByThemselvesDecide()
    {
        const RestartRule rule({.onlyIf = "x"});
        QVERIFY(!rule.refusal({end(0, 1), end(1, 1, true)}, {}));
        Failure ended = end(1, 1, true);
        ended.exit.endedByAgent = true;
        QVERIFY(rule.refusal({end(0, 1), ended}, {}));
        QVERIFY(!rule.refusal({ended}, {}));
        QVERIFY(!rule.refusal({}, {}));
    }
};

QTEST_GUILESS_MAIN(tst_restart_rule)
#include "tst_restart_rule.moc"
