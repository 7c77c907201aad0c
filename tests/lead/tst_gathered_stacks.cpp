#include "engine/base/Codes.h"
#include "engine/lead/GatheredStacks.h"

#include <QtTest>

#include <memory>

using namespace ringmaster;

namespace {

KeptEvidence of(int attempt, std::vector<int> ranks, std::int64_t tookNs = 1)
{
    KeptEvidence kept{{5, 5}, {.attempt = attempt, .tookNs = tookNs}};
    for (const int rank : ranks)
        kept.evidence.ranks.push_back({.globalRank = rank});
    return kept;
}

} // namespace

/// What the hosts of a job say of where their ranks stand, as one answer.
class tst_gathered_stacks : public QObject
{
    Q_OBJECT

private:
    std::vector<int> ranks() const
    {
        std::vector<int> ranks;
        for (const RankEvidence& rank : m_answers.at(0).evidence.ranks)
            ranks.push_back(rank.globalRank);
        return ranks;
    }

    std::shared_ptr<GatheredStacks> gather()
    {
        m_answers.clear();
        return std::make_shared<GatheredStacks>(
            Moment{1, 2}, [this](KeptEvidence taken) { m_answers.push_back(std::move(taken)); });
    }

    std::vector<KeptEvidence> m_answers;

private Q_SLOTS:
    void theAnswerComesOnceAllHaveAnswered()
    {
        auto first = gather();
        auto second = first;
        first->add(of(2, {0, 1}, 7));
        first.reset();
        QVERIFY(m_answers.empty());
        second->add(of(2, {2, 3}, 5));
        second.reset();
        QCOMPARE(m_answers.size(), size_t{1});
        QCOMPARE(ranks(), (std::vector<int>{0, 1, 2, 3}));
        QVERIFY(m_answers[0].at.wallNs == 2 && m_answers[0].evidence.attempt == 2);
        QCOMPARE(m_answers[0].evidence.tookNs, std::int64_t{7});
    }

    void whoDoesNotAnswerIsLeftOut()
    {
        auto gathered = gather();
        gathered->add(fail(code::TimedOut));
        gathered->add(of(0, {1}));
        gathered.reset();
        QCOMPARE(ranks(), std::vector<int>{1});
    }

    void onlyTheLatestAttemptCounts()
    {
        auto gathered = gather();
        gathered->add(of(1, {0}));
        gathered->add(of(2, {1}));
        gathered->add(of(1, {2}));
        gathered.reset();
        QCOMPARE(ranks(), std::vector<int>{1});
        QCOMPARE(m_answers[0].evidence.attempt, 2);
    }

    void withoutHostsThereIsNone()
    {
        gather().reset();
        QCOMPARE(m_answers.size(), size_t{1});
        QVERIFY(m_answers[0].evidence.ranks.empty());
    }
};

QTEST_GUILESS_MAIN(tst_gathered_stacks)
#include "tst_gathered_stacks.moc"
