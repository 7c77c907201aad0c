#include "engine/lead/Codes.h"
#include "engine/lead/RendezvousClosing.h"
#include "engine/node/Codes.h"

#include <QtTest>

#include <map>

using namespace ringmaster;

namespace {

const Message Stopped{code::HostEndedEarly, {{"host", "a"}}, {}};

/// A job on two hosts that comes to its end.
struct ClosingTrial : RendezvousClosing::Host
{
    ClosingTrial() : closing(members, *this)
    {
        members.expect("1", "a");
        members.expect("2", "b");
        for (JobMember& member : members)
            member.takeOffer({.roles = {{"default", 1}}});
    }

    void closeRendezvous(const std::string& agent, const CloseRendezvous& close) override
    {
        closed[agent] = close;
    }
    void over(RunState state, const Message& /*reason*/) override { ends.push_back(state); }

    std::map<std::string, CloseRendezvous> closed;
    std::vector<RunState> ends;
    JobMembers members;
    RendezvousClosing closing;
};

} // namespace

class tst_rendezvous_closing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstOutcomeHolds()
    {
        ClosingTrial trial;
        QVERIFY(!trial.closing.isDecided());
        trial.closing.decide({RunState::Stopped, Stopped});
        trial.closing.decide({RunState::Succeeded, {}});
        QVERIFY(trial.closing.isDecided());
        trial.closing.tell(*trial.members.find("1"));
        QVERIFY(!trial.closed.at("1").hasSucceeded);
        QVERIFY(trial.closed.at("1").why == Stopped);
    }

    void whoIsCutOffIsToldWhenItIsBack()
    {
        ClosingTrial trial;
        trial.members.find("2")->cut(Stopped, 0);
        trial.closing.decide({RunState::Succeeded, {}});
        trial.closing.tellReachable();
        QVERIFY(trial.closed.contains("1") && trial.closed.at("1").hasSucceeded);
        QVERIFY(!trial.closed.contains("2"));
        trial.closing.tell(*trial.members.find("2"));
        QVERIFY(trial.closed.at("2").hasSucceeded);
    }

    /// What it had seen isn't all that happened.
    void theOutcomeOfAJobThatAnotherLeadHasIsNotKnown()
    {
        ClosingTrial trial;
        trial.closing.decide({RunState::Succeeded, {}});
        trial.closing.handOver({code::LeadReplaced, {{"host", "a"}}, {}});
        trial.members.clear();
        trial.closing.finishIfNobodyIsLeft();
        QCOMPARE(trial.ends, std::vector<RunState>{RunState::Failed});
    }

    void isOverOnceNobodyIsLeft()
    {
        ClosingTrial trial;
        trial.closing.decide({RunState::Failed, Stopped});
        trial.closing.finishIfNobodyIsLeft();
        QVERIFY(trial.ends.empty());
        trial.members.clear();
        trial.closing.finishIfNobodyIsLeft();
        trial.closing.finishIfNobodyIsLeft();
        QCOMPARE(trial.ends, std::vector<RunState>{RunState::Failed});
    }
};

QTEST_GUILESS_MAIN(tst_rendezvous_closing)
#include "tst_rendezvous_closing.moc"
