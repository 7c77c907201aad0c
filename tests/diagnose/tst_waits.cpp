#include "Scenario.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/Mismatch.h"
#include "engine/diagnose/VerdictTracker.h"
#include "engine/diagnose/WaitVerdicts.h"
#include "engine/text/RankList.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using ledger::OperationKind;

namespace {

using Build = void (*)(Scenario&);

/// What was found, as "kind code guilty": one line a verdict, in their order.
QStringList linesOf(const std::vector<VerdictCandidate>& found)
{
    QStringList lines;
    for (const auto& [key, verdict, isSaidElsewhere, wait] : found) {
        if (isSaidElsewhere)
            continue;
        const QString guilty = QString::fromStdString(rankList(verdict.guilty)).remove(u' ');
        lines += QString::fromStdString(std::string(codeName(verdict.statement.code)) + " ")
                     .append(guilty)
                     .trimmed();
    }
    return lines;
}

std::vector<VerdictCandidate> foundIn(const Scenario& scenario, double second)
{
    MismatchWatch mismatches;
    std::vector<VerdictCandidate> found = mismatches.look(scenario.views(), Scenario::at(second));
    for (VerdictCandidate& one :
         judgeWaits(scenario.views(), Scenario::at(second), mismatches.mismatched()))
        found.push_back(std::move(one));
    return found;
}

struct WaitsCase
{
    const char* name;
    int ranks;
    Build build;
    QStringList found; ///< At second 10.
};

const Scenario::Call Small{.elements = 10};
const Scenario::Call Ahead{.caller = ledger::Caller::GoesOn};
const Scenario::Call Root1{
    .kind = OperationKind::Broadcast, .reduction = ledger::Reduction::None, .peer = 1};

Scenario::Call pairCall(OperationKind kind, int peer, int tag = 0)
{
    return {.kind = kind,
            .reduction = ledger::Reduction::None,
            .peer = peer,
            .caller = ledger::Caller::Unknown,
            .tag = tag};
}

/// And waits for it, which is certain.
Scenario::Call waitsInPair(OperationKind kind, int peer, int tag = 0)
{
    Scenario::Call call = pairCall(kind, peer, tag);
    call.caller = ledger::Caller::Waits;
    return call;
}

std::vector<WaitsCase> guiltyCases()
{
    return {
        {"one rank of four never comes",
         4,
         [](Scenario& s) {
             s.together(1, Scenario::Sum);
             for (const int rank : {0, 1, 3})
                 s.enter(rank, 2, Scenario::Sum);
         },
         {"RanksWait 2"}},
        {"two of four never come",
         4,
         [](Scenario& s) {
             s.enter(0, 2, Scenario::Sum);
             s.enter(3, 2, Scenario::Sum);
         },
         {"RanksWait 1,2"}},
        {"the absent rank is stopped",
         2,
         [](Scenario& s) {
             s.enter(0, 2, Scenario::Sum);
             s.process(1).state = ProcessView::State::Stopped;
         },
         {"HangStopped 1"}},
        {"the absent rank has ended",
         2,
         [](Scenario& s) {
             s.enter(0, 2, Scenario::Sum);
             s.process(1).state = ProcessView::State::Dead;
         },
         {"HangDead 1"}},
        {"the absent rank has ended, and its ledger tells nothing",
         2,
         [](Scenario& s) {
             s.enter(0, 2, Scenario::Sum);
             s.view(1).isRecorded = false;
             s.process(1).state = ProcessView::State::Dead;
         },
         {"HangDead 1"}},
        {"one of two absent ranks is stopped",
         3,
         [](Scenario& s) {
             s.enter(0, 2, Scenario::Sum);
             s.process(2).state = ProcessView::State::Stopped;
         },
         {"HangStopped 2"}},
        {"two of four stand at one place, one for longer",
         4,
         [](Scenario& s) {
             s.enter(0, -12, Scenario::Sum);
             s.enter(3, -12, Scenario::Sum);
             s.process(1).idleNs = s.process(1).frozenNs = 20 * Scenario::Second;
             s.process(2).idleNs = 5 * Scenario::Second;
         },
         {"HangIdle 1,2"}},
        {"one of two absent ranks computes, the other does nothing",
         4,
         [](Scenario& s) {
             s.enter(0, -12, Scenario::Sum);
             s.enter(3, -12, Scenario::Sum);
             s.process(1).idleNs = s.process(1).frozenNs = 20 * Scenario::Second;
             s.process(2).idleNs = 0;
         },
         {"HangIdle 1"}},
        {"a rank that stands in a call isn't one that does nothing",
         3,
         [](Scenario& s) {
             s.enter(0, -12, Scenario::Sum);
             s.enter(1, -12, pairCall(OperationKind::Send, 2));
             s.enter(2, -12, pairCall(OperationKind::Receive, 1));
             s.process(1).frozenNs = s.process(2).frozenNs = 20 * Scenario::Second;
         },
         {"RanksWait 1,2"}},
        {"a rank hasn't come to init_process_group",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 3})
                 s.makes(rank, -1, 1, {0, 1, 2, 3}, OperationKind::InitProcessGroup);
             s.view(2).isRecorded = false;
         },
         {"RanksWaitToMake 2"}},
        {"and does nothing",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 3})
                 s.makes(rank, -1, 1, {0, 1, 2, 3}, OperationKind::InitProcessGroup);
             s.view(2).isRecorded = false;
             s.process(2).frozenNs = 20 * Scenario::Second;
         },
         {"HangIdleToMake 2"}},
        {"a member doesn't make a group",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 2, 3})
                 s.leave(rank, 1, s.makes(rank, 0, 1, {0, 1, 2, 3}));
             s.makes(0, 2, 2, {0, 1, 2});
             s.makes(2, 2, 2, {0, 1, 2});
             s.leave(3, 2.1, s.makes(3, 2, 2, {0, 1, 2}));
         },
         {"RanksWaitToMake 1"}},
        {"groups are made in another order on one rank",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 2}) {
                 s.leave(rank, 2.1, s.makes(rank, 2, 2, {0, 1}));
                 s.makes(rank, 2.2, 3, {2, 3});
             }
             s.leave(3, 2.1, s.makes(3, 2, 2, {2, 3}));
             s.makes(3, 2.2, 3, {0, 1});
         },
         {"GroupsDiffer 3"}},
        {"a send has another tag than its receive",
         3,
         [](Scenario& s) {
             s.enter(1, 2, waitsInPair(OperationKind::Send, 0, 101));
             s.enter(0, 2, waitsInPair(OperationKind::Receive, 1, 100));
             s.enter(2, 3, Scenario::Sum);
         },
         {"TagsDiffer 0,1"}},
        {"the others use the tag of the receive",
         4,
         [](Scenario& s) {
             s.leave(1, 2, s.enter(1, 2, pairCall(OperationKind::Send, 0, 101)));
             s.enter(0, 2, pairCall(OperationKind::Receive, 1, 100));
             s.leave(3, 2, s.enter(3, 2, pairCall(OperationKind::Send, 2, 100)));
             s.leave(2, 2, s.enter(2, 2, pairCall(OperationKind::Receive, 3, 100)));
             for (const int rank : {1, 2, 3})
                 s.enter(rank, 3, Scenario::Sum);
         },
         {"TagsDiffer 1"}},
        {"a send with another tag was made ahead, and its own may come",
         4,
         [](Scenario& s) {
             s.leave(1, 2, s.enter(1, 2, pairCall(OperationKind::Send, 0, 101)));
             s.enter(0, 2, pairCall(OperationKind::Receive, 1, 100));
         },
         {"RanksWait 1"}},
        {"another rank sends before the one that is received from",
         3,
         [](Scenario& s) {
             s.enter(2, 2, pairCall(OperationKind::Send, 0));
             s.enter(0, 2, pairCall(OperationKind::Receive, 1));
         },
         {"RanksWait 1"}},
        {"a receive is from another rank than sends, as the ring goes",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 2, 3})
                 s.leave(rank, 2, s.enter(rank, 2, pairCall(OperationKind::Send, (rank + 1) % 4)));
             for (const int rank : {1, 2, 3})
                 s.leave(rank, 2,
                         s.enter(rank, 2, pairCall(OperationKind::Receive, (rank + 3) % 4)));
             s.enter(0, 2, pairCall(OperationKind::Receive, 2));
             for (const int rank : {1, 2, 3})
                 s.enter(rank, 3, Scenario::Sum);
         },
         {"SourceDiffers 0"}},
        {"and the sender, which waits as well, was just asked for its stack",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 2, 3})
                 s.leave(rank, 2, s.enter(rank, 2, pairCall(OperationKind::Send, (rank + 1) % 4)));
             for (const int rank : {1, 2, 3})
                 s.leave(rank, 2,
                         s.enter(rank, 2, pairCall(OperationKind::Receive, (rank + 3) % 4)));
             s.enter(0, 2, waitsInPair(OperationKind::Receive, 2));
             for (const int rank : {1, 2, 3})
                 s.enter(rank, 3, Scenario::Sum);
             s.process(3).idleNs = 0;
         },
         {"SourceDiffers 0"}},
        {"but it is on its way, and may be ahead",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 2, 3})
                 s.leave(rank, 2, s.enter(rank, 2, pairCall(OperationKind::Send, (rank + 1) % 4)));
             for (const int rank : {1, 2, 3})
                 s.leave(rank, 2,
                         s.enter(rank, 2, pairCall(OperationKind::Receive, (rank + 3) % 4)));
             s.enter(0, 2, waitsInPair(OperationKind::Receive, 2));
             for (const int rank : {1, 2})
                 s.enter(rank, 3, Scenario::Sum);
             s.process(3).idleNs = 0;
         },
         {"HangCycle 0,2"}},
        {"a send is to another rank than receives, as the ring goes",
         3,
         [](Scenario& s) {
             for (const int rank : {0, 1})
                 s.leave(rank, 2, s.enter(rank, 2, pairCall(OperationKind::Send, rank + 1)));
             s.enter(2, 2, waitsInPair(OperationKind::Send, 1));
             for (const int rank : {1, 2})
                 s.leave(rank, 2, s.enter(rank, 2, pairCall(OperationKind::Receive, rank - 1)));
             s.enter(0, 2, pairCall(OperationKind::Receive, 2));
             s.enter(1, 3, Scenario::Sum);
         },
         {"DestinationDiffers 2"}},
        {"a send to a rank that waits elsewhere, where all send both ways",
         3,
         [](Scenario& s) {
             for (const int rank : {0, 1, 2}) {
                 for (const int step : {1, 2})
                     s.leave(rank, 1,
                             s.enter(rank, 1, pairCall(OperationKind::Send, (rank + step) % 3)));
                 for (const int step : {1, 2})
                     s.leave(rank, 1,
                             s.enter(rank, 1, pairCall(OperationKind::Receive, (rank + step) % 3)));
             }
             s.enter(0, 2, waitsInPair(OperationKind::Receive, 2));
             s.enter(2, 2, waitsInPair(OperationKind::Send, 1));
             s.enter(1, 2, Scenario::Sum);
         },
         {"HangCycle 1,2"}},
        {"a send is larger than its receive",
         2,
         [](Scenario& s) {
             Scenario::Call send = pairCall(OperationKind::Send, 1);
             Scenario::Call receive = pairCall(OperationKind::Receive, 0);
             receive.elements = 10;
             s.enter(0, 8, send);
             s.enter(1, 8, receive);
         },
         {"SizesDiffer 0,1"}},
        {"the root of a broadcast never comes",
         3,
         [](Scenario& s) {
             s.enter(0, 2, Root1);
             s.enter(2, 2, Root1);
         },
         {"RanksWait 1"}},
        {"a receive without its send",
         2,
         [](Scenario& s) { s.enter(0, 2, pairCall(OperationKind::Receive, 1)); },
         {"RanksWait 1"}},
        {"a send without its receive",
         3,
         [](Scenario& s) { s.enter(2, 2, pairCall(OperationKind::Send, 0)); },
         {"RanksWait 0"}},
        {"the second receive of two has no send",
         2,
         [](Scenario& s) {
             s.leave(0, 1.1, s.enter(0, 1, pairCall(OperationKind::Receive, 1)));
             s.leave(1, 1.1, s.enter(1, 1, pairCall(OperationKind::Send, 0)));
             s.enter(0, 2, pairCall(OperationKind::Receive, 1));
         },
         {"RanksWait 1"}},
        {"groups in opposite order",
         2,
         [](Scenario& s) {
             s.group(1, "a", {0, 1});
             s.group(2, "b", {0, 1});
             s.enter(0, 2, Scenario::Sum, 1);
             s.enter(1, 2, Scenario::Sum, 2);
         },
         {"HangCycle 0,1"}},
        {"a circle of three",
         3,
         [](Scenario& s) {
             s.group(1, "a", {0, 1});
             s.group(2, "b", {1, 2});
             s.group(3, "c", {0, 2});
             s.enter(0, 2, Scenario::Sum, 1);
             s.enter(1, 2.1, Scenario::Sum, 2);
             s.enter(2, 2.2, Scenario::Sum, 3);
         },
         {"HangCycle 0-2"}},
        {"both receive first, as their stacks show",
         2,
         [](Scenario& s) {
             s.enter(0, 2, pairCall(OperationKind::Receive, 1));
             s.enter(1, 2, pairCall(OperationKind::Receive, 0));
             s.stands(0, "recv", Scenario::TorchFile);
             s.stands(1, "recv", Scenario::TorchFile);
         },
         {"HangCycle 0,1"}},
        {"both wait for what they have called, as their own lines show",
         2,
         [](Scenario& s) {
             s.enter(0, 2, pairCall(OperationKind::Receive, 1));
             s.enter(1, 2, pairCall(OperationKind::Receive, 0));
             s.stands(0, "step", "/home/me/train.py", "work.wait()");
             s.stands(1, "step", "/home/me/train.py", "request.wait()");
         },
         {"HangCycle 0,1"}},
        {"the absent rank has stood still for ten seconds",
         2,
         [](Scenario& s) {
             s.together(-11, Scenario::Sum);
             s.enter(0, -4, Scenario::Sum);
             s.process(1).idleNs = s.process(1).frozenNs = 14 * Scenario::Second;
         },
         {"HangIdle 1"}},
        {"two looks at its stack show the same for ten seconds",
         3,
         [](Scenario& s) {
             s.together(-11, Scenario::Sum);
             s.enter(0, -4, Scenario::Sum);
             s.enter(2, -4, Scenario::Sum);
             s.stands(1, "load", "/home/me/data.py", "lock.acquire()", 10.5);
             s.process(1).idleNs = 12 * Scenario::Second;
         },
         {"HangIdle 1"}},
        {"stopped inside an operation that all have entered",
         3,
         [](Scenario& s) {
             for (int rank = 0; rank < 3; ++rank)
                 s.enter(rank, 2, Scenario::Sum);
             s.process(2).state = ProcessView::State::Stopped;
         },
         {"HangStoppedInside 2"}},
        {"dead inside an operation that all have entered",
         2,
         [](Scenario& s) {
             s.enter(0, 2, Scenario::Sum);
             s.enter(1, 2, Scenario::Sum);
             s.process(0).state = ProcessView::State::Dead;
         },
         {"HangDeadInside 0"}},
        {"dead before its call was said to be over, which it was for the others",
         3,
         [](Scenario& s) {
             std::vector<std::uint64_t> calls;
             for (int rank = 0; rank < 3; ++rank)
                 calls.push_back(s.enter(rank, 2, Scenario::Sum));
             s.leave(0, 2.1, calls[0]);
             s.leave(1, 2.1, calls[1]);
             s.process(2).state = ProcessView::State::Dead;
         },
         {}},
        {"all are in it, and nothing moves",
         2,
         [](Scenario& s) {
             s.together(-30, Scenario::Sum);
             s.enter(0, -3, Scenario::Sum);
             s.enter(1, -2.5, Scenario::Sum);
             s.process(0).idleNs = s.process(1).idleNs = 12 * Scenario::Second;
         },
         {"HangInside"}},
        {"a chain whose root is stopped",
         4,
         [](Scenario& s) {
             s.group(1, "a", {0, 1});
             s.group(2, "b", {1, 2});
             s.group(3, "c", {2, 3});
             s.enter(0, 2, Scenario::Sum, 1);
             s.enter(1, 2.1, Scenario::Sum, 2);
             s.enter(2, 2.2, Scenario::Sum, 3);
             s.process(3).state = ProcessView::State::Stopped;
         },
         {"HangStopped 3"}},
        {"a rank calls an operation of a group that it isn't in",
         3,
         [](Scenario& s) {
             s.group(1, "pair", {0, 1});
             s.enter(0, 9, Scenario::Sum, 1);
             s.enter(1, 9, Scenario::Sum, 1);
             s.enter(2, 9, Scenario::Sum, 1);
         },
         {"OutsiderCalls 2"}},
        {"a chain over two groups",
         3,
         [](Scenario& s) {
             s.group(1, "a", {0, 1});
             s.group(2, "b", {1, 2});
             s.enter(0, 2, Scenario::Sum, 1);
             s.enter(1, 2, Scenario::Sum, 2);
         },
         {"RanksWait 2"}},
        {"the default group and a subgroup are out of step",
         4,
         [](Scenario& s) {
             s.group(1, "half", {2, 3});
             for (const int rank : {0, 1, 2})
                 s.enter(rank, 2, Scenario::Sum);
             s.enter(3, 2, Scenario::Sum, 1);
         },
         {"HangCycle 2,3"}},
        {"an absent rank that has no operation yet",
         2,
         [](Scenario& s) { s.enter(1, 5, Scenario::Sum); },
         {"RanksWait 0"}},
        {"another operation",
         3,
         [](Scenario& s) {
             s.enter(0, 9, Scenario::Sum);
             s.enter(1, 9, Scenario::Sum);
             s.enter(2, 9, Root1);
         },
         {"MismatchRanks 2"}},
        {"another size",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 2, 3})
                 s.enter(rank, 9, Scenario::Sum);
             s.enter(1, 9, Small);
         },
         {"MismatchRanks 1"}},
        {"another type of the same size",
         3,
         [](Scenario& s) {
             s.enter(0, 9, {.type = ledger::DataType::Int32});
             s.enter(1, 9, Scenario::Sum);
             s.enter(2, 9, Scenario::Sum);
         },
         {"MismatchRanks 0"}},
        {"another reduction",
         3,
         [](Scenario& s) {
             s.enter(0, 9, Scenario::Sum);
             s.enter(1, 9, Scenario::Sum);
             s.enter(2, 9, {.reduction = ledger::Reduction::Max});
         },
         {"MismatchRanks 2"}},
        {"another root",
         3,
         [](Scenario& s) {
             s.enter(0, 9, Root1);
             s.enter(1, 9, Root1);
             Scenario::Call other = Root1;
             other.peer = 0;
             s.enter(2, 9, other);
         },
         {"MismatchRanks 2"}},
        {"two against two have no majority",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1})
                 s.enter(rank, 9, Scenario::Sum);
             for (const int rank : {2, 3})
                 s.enter(rank, 9, Small);
         },
         {"MismatchRanks 0-3"}},
        {"calls in another order",
         3,
         [](Scenario& s) {
             for (const int rank : {0, 1}) {
                 s.enter(rank, 9, Scenario::Sum);
                 s.enter(rank, 9, Small);
             }
             s.enter(2, 9, Small);
             s.enter(2, 9, Scenario::Sum);
         },
         {"MismatchRanks 2"}},
        {"a mismatch that has ended already",
         2,
         [](Scenario& s) {
             s.leave(0, 2, s.enter(0, 1, Scenario::Sum));
             s.leave(1, 2, s.enter(1, 1, Small));
             s.together(3, Scenario::Sum);
         },
         {"MismatchRanks 0,1"}},
        {"a mismatch in a subgroup",
         4,
         [](Scenario& s) {
             s.group(1, "three", {1, 2, 3});
             s.enter(1, 9, Scenario::Sum, 1);
             s.enter(2, 9, Small, 1);
             s.enter(3, 9, Scenario::Sum, 1);
         },
         {"MismatchRanks 2"}},
    };
}

std::vector<WaitsCase> healthyCases()
{
    return {
        {"all are in it, and the last has only just come",
         2,
         [](Scenario& s) {
             s.together(-60, Scenario::Sum);
             s.enter(0, -20, Scenario::Sum);
             s.enter(1, 9.99, Scenario::Sum);
             s.process(0).idleNs = 29 * Scenario::Second;
         },
         {}},
        {"the last came and went, and of the first that isn't known yet",
         2,
         [](Scenario& s) {
             s.together(-60, Scenario::Sum);
             s.enter(0, -20, Scenario::Sum);
             s.leave(1, 9.99, s.enter(1, 9.98, Scenario::Sum));
             s.process(0).idleNs = 29 * Scenario::Second;
         },
         {}},
        {"nothing was called", 4, [](Scenario& /*s*/) {}, {}},
        {"all left",
         4,
         [](Scenario& s) {
             for (int i = 1; i < 9; ++i)
                 s.together(i, i % 2 == 0 ? Scenario::Sum : Small);
         },
         {}},
        {"all are in it",
         4,
         [](Scenario& s) {
             for (int rank = 0; rank < 4; ++rank)
                 s.enter(rank, 2, Scenario::Sum);
         },
         {}},
        {"one comes two seconds late",
         4,
         [](Scenario& s) {
             for (int rank = 0; rank < 3; ++rank)
                 s.enter(rank, 8, Scenario::Sum);
         },
         {}},
        {"an evaluation on one rank is only a wait",
         4,
         [](Scenario& s) {
             s.together(1, Scenario::Sum);
             for (int rank = 1; rank < 4; ++rank)
                 s.enter(rank, 2, Scenario::Sum);
             s.process(0) = {.state = ProcessView::State::Alive, .pid = 100, .cpuShare = 1};
         },
         {"RanksWait 0"}},
        {"a checkpoint pause is only a wait",
         2,
         [](Scenario& s) {
             s.together(1, Scenario::Sum);
             s.enter(1, 2, Scenario::Sum);
         },
         {"RanksWait 0"}},
        {"called ahead in two groups, while computing",
         2,
         [](Scenario& s) {
             s.group(1, "a", {0, 1});
             s.group(2, "b", {0, 1});
             s.enter(0, 2, Scenario::Sum, 1);
             s.enter(1, 2, Scenario::Sum, 2);
             s.process(1) = {.state = ProcessView::State::Alive, .pid = 101, .cpuShare = 1};
         },
         {"RanksWait 1"}},
        {"called ahead in opposite order, and asleep since",
         2,
         [](Scenario& s) {
             s.group(1, "a", {0, 1});
             s.group(2, "b", {0, 1});
             s.enter(0, 2, Ahead, 1);
             s.enter(1, 2, Ahead, 2);
             s.stands(0, "step", "/home/me/train.py", "time.sleep(30)");
             s.stands(1, "step", "/home/me/train.py", "time.sleep(30)");
         },
         {"RanksWait 1", "RanksWait 0"}},
        {"a receive that was called ahead of the other's",
         2,
         [](Scenario& s) {
             s.enter(0, 2, pairCall(OperationKind::Receive, 1));
             s.enter(1, 2, pairCall(OperationKind::Receive, 0));
             s.stands(0, "load", "/home/me/data.py", "next(batches)");
         },
         {"RanksWait 1", "RanksWait 0"}},
        {"one of several calls may be the one that is waited for",
         2,
         [](Scenario& s) {
             for (const int rank : {0, 1}) {
                 s.enter(rank, 2, pairCall(OperationKind::Receive, 1 - rank));
                 s.enter(rank, 8, pairCall(OperationKind::Send, 1 - rank));
                 s.stands(rank, "step", "/home/me/train.py", "work.wait()");
             }
         },
         {}},
        {"a rank that has slept for a while but not ten times its usual pause",
         2,
         [](Scenario& s) {
             s.together(-60, Scenario::Sum);
             s.together(-50, Scenario::Sum);
             s.enter(0, -4, Scenario::Sum);
             s.process(1).idleNs = s.process(1).frozenNs = 14 * Scenario::Second;
         },
         {"RanksWait 1"}},
        {"a checkpoint is written: little CPU, but it moves on",
         2,
         [](Scenario& s) {
             s.together(-11, Scenario::Sum);
             s.enter(0, -4, Scenario::Sum);
             s.process(1).idleNs = 0;
             s.process(1).frozenNs = 14 * Scenario::Second;
         },
         {"RanksWait 1"}},
        {"nobody can say where the idle rank stands",
         2,
         [](Scenario& s) {
             s.together(-11, Scenario::Sum);
             s.enter(0, -4, Scenario::Sum);
             s.process(1).idleNs = 14 * Scenario::Second;
         },
         {"RanksWait 1"}},
        {"a long transfer that all are in",
         2,
         [](Scenario& s) {
             s.enter(0, -3, Scenario::Sum);
             s.enter(1, -3, Scenario::Sum);
             s.process(0).idleNs = s.process(1).idleNs = 12 * Scenario::Second;
         },
         {}},
        {"gathers of different sizes",
         3,
         [](Scenario& s) {
             for (int rank = 0; rank < 3; ++rank)
                 s.enter(rank, 9,
                         {.kind = OperationKind::AllGather,
                          .elements = 10U + static_cast<std::uint64_t>(rank),
                          .reduction = ledger::Reduction::None});
         },
         {}},
        {"an uneven all_to_all",
         2,
         [](Scenario& s) {
             for (int rank = 0; rank < 2; ++rank)
                 s.enter(rank, 9,
                         {.kind = OperationKind::AllToAllSingle,
                          .elements = 10U + static_cast<std::uint64_t>(rank),
                          .reduction = ledger::Reduction::None});
         },
         {}},
        {"a receive from any",
         2,
         [](Scenario& s) { s.enter(0, 2, pairCall(OperationKind::ReceiveAny, -1)); },
         {}},
        {"a send that a receive from any takes",
         2,
         [](Scenario& s) {
             s.enter(1, 2, pairCall(OperationKind::Send, 0));
             s.enter(0, 2, pairCall(OperationKind::ReceiveAny, -1));
         },
         {}},
        {"a sender that is ahead with another tag",
         2,
         [](Scenario& s) {
             s.leave(1, 2, s.enter(1, 2, pairCall(OperationKind::Send, 0, 7)));
             s.enter(0, 8, pairCall(OperationKind::Receive, 1, 6));
             s.process(1).idleNs = 0;
         },
         {}},
        {"tags that come in another order than they are asked for",
         2,
         [](Scenario& s) {
             s.leave(1, 1, s.enter(1, 1, pairCall(OperationKind::Send, 0, 7)));
             s.leave(1, 1, s.enter(1, 1, pairCall(OperationKind::Send, 0, 6)));
             s.enter(0, 1, pairCall(OperationKind::Receive, 1, 6));
             s.enter(0, 1, pairCall(OperationKind::Receive, 1, 7));
         },
         {}},
        {"ranks that come to init_process_group one after the other",
         4,
         [](Scenario& s) {
             s.makes(0, 2, 1, {0, 1, 2, 3}, OperationKind::InitProcessGroup);
             s.makes(1, 8, 1, {0, 1, 2, 3}, OperationKind::InitProcessGroup);
             s.view(2).isRecorded = s.view(3).isRecorded = false;
         },
         {}},
        {"a group is made without a rank that isn't in it",
         4,
         [](Scenario& s) {
             for (const int rank : {0, 1, 2})
                 s.leave(rank, 2.1, s.makes(rank, 2, 2, {0, 1}));
         },
         {}},
        {"a matched pair that is slow",
         2,
         [](Scenario& s) {
             s.enter(1, 2, pairCall(OperationKind::Send, 0));
             s.enter(0, 2, pairCall(OperationKind::Receive, 1));
         },
         {}},
        {"a rank without a ledger says nothing",
         2,
         [](Scenario& s) {
             s.enter(0, 2, Scenario::Sum);
             s.view(1).isRecorded = false;
         },
         {}},
        {"members on another node",
         2,
         [](Scenario& s) {
             s.group(1, "wide", {0, 1, 2, 3});
             s.enter(0, 2, Scenario::Sum, 1);
             s.enter(1, 2, Scenario::Sum, 1);
         },
         {}},
        {"a group that nobody described",
         2,
         [](Scenario& s) { s.enter(0, 2, Scenario::Sum, 9); },
         {}},
        {"each rank in a group of its own",
         2,
         [](Scenario& s) {
             s.group(1, "first", {0});
             s.group(2, "second", {1});
             s.enter(0, 2, Scenario::Sum, 1);
             s.enter(1, 2, Small, 2);
         },
         {}},
        {"different calls in different groups",
         4,
         [](Scenario& s) {
             s.group(1, "left", {0, 1});
             s.group(2, "right", {2, 3});
             s.together(2, Scenario::Sum, 1);
             s.together(2, Small, 2);
         },
         {}},
        {"many operations ahead of one another",
         2,
         [](Scenario& s) {
             for (int i = 0; i < 1000; ++i)
                 s.leave(0, 1, s.enter(0, 1, i % 3 == 0 ? Scenario::Sum : Small));
             for (int i = 0; i < 990; ++i)
                 s.leave(1, 1, s.enter(1, 1, i % 3 == 0 ? Scenario::Sum : Small));
         },
         {}},
    };
}

} // namespace

class tst_waits : public QObject
{
    Q_OBJECT

private:
    static void rowsOf(const std::vector<WaitsCase>& cases)
    {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(cases[i].name) << static_cast<int>(i);
    }

    static void check(const WaitsCase& one)
    {
        Scenario scenario(one.ranks);
        one.build(scenario);
        const std::vector<VerdictCandidate> found = foundIn(scenario, 10);
        QCOMPARE(linesOf(found), one.found);
        for (const auto& [key, verdict, isSaidElsewhere, wait] : found) {
            std::vector<Message> messages = verdict.evidence;
            messages.insert(messages.end(), {verdict.statement, verdict.remedy});
            for (const Message& message : messages)
                QVERIFY2(describe(message).find('{') == std::string::npos,
                         describe(message).c_str());
        }
    }

private Q_SLOTS:
    void namesTheGuilty_data() { rowsOf(guiltyCases()); }
    void namesTheGuilty()
    {
        QFETCH(int, index);
        check(guiltyCases()[static_cast<size_t>(index)]);
    }

    void hasNoVerdictForTheHealthy_data() { rowsOf(healthyCases()); }
    void hasNoVerdictForTheHealthy()
    {
        QFETCH(int, index);
        check(healthyCases()[static_cast<size_t>(index)]);
    }

    void saysWhoWaitsForWhomAndWhereThatOneStands()
    {
        Scenario scenario(4);
        for (int i = 0; i < 127; ++i)
            scenario.together(1, Scenario::Sum);
        for (const int rank : {0, 1, 2})
            scenario.enter(rank, 2, Scenario::Sum);
        scenario.process(3) = {.state = ProcessView::State::Alive, .pid = 103, .cpuShare = 0.97};
        const auto found = judgeWaits(scenario.views(), Scenario::at(8.25));
        QCOMPARE(found.size(), size_t(1));
        const Verdict& verdict = found[0].verdict;
        QCOMPARE(describe(verdict.statement),
                 std::string("Ranks 0-2 have waited 6.2 s in all_reduce #128 (float32, 1000 "
                             "elements, group default) for rank 3."));
        QCOMPARE(verdict.evidence.size(), size_t(2));
        QCOMPARE(describe(verdict.evidence[0]),
                 std::string("Rank 3 is in no operation; its last was all_reduce #127 of group "
                             "default, which ended 7.2 s ago."));
        QCOMPARE(describe(verdict.evidence[1]),
                 std::string("Rank 3 computes: it used 97 % of a core in the last 1 s."));
    }

    void saysWhereTheAbsentWasLastAndWhereTheOthersEntered()
    {
        Scenario scenario(4);
        scenario.site(1, "/home/me/train.py", "step", 88);
        scenario.site(2, "/home/me/eval.py", "score", 12);
        scenario.together(1, {.site = 1});
        scenario.enter(0, 2, {.site = 1});
        scenario.enter(1, 2, {.site = 2});
        scenario.enter(3, 2, {.site = 1});
        const auto evidence = [&] {
            QStringList lines;
            const auto found = judgeWaits(scenario.views(), Scenario::at(8));
            for (const Message& message : found.at(0).verdict.evidence)
                lines += QString::fromStdString(describe(message));
            return lines;
        };
        QStringList lines = evidence();
        QCOMPARE(lines[1], QString("Rank 2's last known place is step, /home/me/train.py line 88, "
                                   "where it called all_reduce #1."));
        QCOMPARE(
            lines.filter("called all_reduce #2"),
            (QStringList{"Ranks 0 and 3 called all_reduce #2 in step, /home/me/train.py line 88.",
                         "Rank 1 called all_reduce #2 in score, /home/me/eval.py line 12."}));
        scenario.process(2).noStack = {code::StackRefused, {}, {}};
        QVERIFY(evidence()[1].startsWith("Rank 2's last known place is step"));
        QVERIFY2(evidence().join('\n').contains("ptrace is refused"),
                 qPrintable(evidence().join('\n')));
        scenario.stands(2, "load", "/home/me/data.py");
        QCOMPARE(evidence()[1],
                 QString("Rank 2 called all_reduce #1 in step, /home/me/train.py line 88."));
    }

    void bothSidesOfAMismatchSayWhereTheyCall()
    {
        Scenario scenario(3);
        scenario.site(1, "/home/me/train.py", "step", 88);
        scenario.site(2, "/home/me/train.py", "step", 90);
        scenario.enter(0, 2, {.site = 1});
        scenario.enter(1, 2, {.elements = 10, .site = 2});
        scenario.enter(2, 2, {.site = 1});
        const auto found = MismatchWatch().look(scenario.views(), Scenario::at(3));
        QCOMPARE(
            describe(found.at(0).verdict.evidence.at(0)),
            std::string("Ranks 0 and 2 called all_reduce #1 in step, /home/me/train.py line 88."));
        QCOMPARE(describe(found.at(0).verdict.evidence.at(1)),
                 std::string("Rank 1 called all_reduce #1 in step, /home/me/train.py line 90."));
    }

    void aDeadRankLeavesTheLineOfItsLastCall()
    {
        RankTrack track;
        track.described(LedgerGroup{0, "0", {0, 1}});
        track.described(CallSite{7, "train.py", "step", 88});
        Operation call{.id = 1, .number = 5, .elements = 3, .site = 7, .enqueuedNs = 1};
        call.kind = OperationKind::AllReduce;
        track.seen(call);
        QCOMPARE(describe(lastPlaceOf(track, 1)),
                 std::string("Rank 1 was in all_reduce #5 of group default (, 3 elements) when it "
                             "ended, called in step, train.py line 88."));
        call.outcome = Operation::Outcome::Done;
        call.endedNs = 2;
        track.seen(call);
        QCOMPARE(describe(lastPlaceOf(track, 1)),
                 std::string("Rank 1 was in no operation when it ended; its last was all_reduce #5 "
                             "of group default, called in step, train.py line 88."));
        call.outcome = Operation::Outcome::Failed;
        call.endedNs = 3;
        track.seen(call);
        QCOMPARE(describe(lastPlaceOf(track, 1)),
                 std::string("Rank 1 was last in all_reduce #5 of group default, called in step, "
                             "train.py line 88, which ended with an error."));
    }

    void saysItOnceAndThatItIsOver()
    {
        Scenario scenario(2);
        VerdictTracker book;
        book.begin(3);
        const auto look = [&](double second) {
            QStringList lines;
            for (const Verdict& verdict :
                 book.update(foundIn(scenario, second), Scenario::at(second)))
                lines +=
                    QString("%1 %2 %3")
                        .arg(verdict.id)
                        .arg(QString::fromStdString(std::string(codeName(verdict.statement.code))))
                        .arg(verdict.isStanding ? "stands" : "is over");
            return lines;
        };
        scenario.leave(0, 20, scenario.enter(0, 2, Scenario::Sum));
        const auto operation = scenario.enter(0, 2, Scenario::Sum);
        QCOMPARE(look(4.9), QStringList());
        QCOMPARE(look(5), QStringList{"1 RanksWait stands"});
        QCOMPARE(look(6), QStringList());
        scenario.process(1).state = ProcessView::State::Stopped;
        QCOMPARE(look(7), QStringList{"1 HangStopped stands"});
        QCOMPARE(look(8), QStringList());
        scenario.process(1).state = ProcessView::State::Alive;
        QCOMPARE(look(8.5), QStringList{"1 RanksWait stands"});
        scenario.enter(1, 9, Scenario::Sum);
        scenario.enter(1, 9, Scenario::Sum);
        scenario.leave(0, 9.5, operation);
        const auto over = book.update(foundIn(scenario, 10), Scenario::at(10));
        QCOMPARE(over.size(), size_t(1));
        QVERIFY(!over[0].isStanding && over[0].id == 1 && over[0].attempt == 3);
        QCOMPARE(describe(over[0].statement),
                 std::string("all_reduce #2 of group default went on after 8.0 s."));
    }

    void newEvidenceIsToldEverLessOften()
    {
        Scenario scenario(2);
        scenario.enter(0, 2, Scenario::Sum);
        VerdictTracker book;
        book.begin(0);
        int told = 0;
        for (int half = 10; half < 2 * 120; ++half) {
            scenario.stands(1, "step", "/home/me/train.py", "", 0, half); // a line every look
            scenario.process(1).idleNs = 0;
            told += static_cast<int>(
                book.update(foundIn(scenario, half / 2.0), Scenario::at(half / 2.0)).size());
        }
        QVERIFY2(told > 4 && told < 20, qPrintable(QString::number(told)));
    }

    void secondsGoOnByThemselves()
    {
        Scenario scenario(2);
        scenario.enter(0, 2, Scenario::Sum);
        const Verdict verdict = judgeWaits(scenario.views(), Scenario::at(6))[0].verdict;
        QCOMPARE(verdict.statement.parameters.at("seconds"), std::string("4.0"));
        QCOMPARE(atTime(verdict.statement, Scenario::at(62)).parameters.at("seconds"),
                 std::string("60.0"));
        QCOMPARE(atTime(verdict.statement, 0), verdict.statement);
        QCOMPARE(atTime({code::None, {{"since", "x"}, {"seconds", "1"}}, {}}, 5)
                     .parameters.at("seconds"),
                 std::string("1"));
    }

    void whoWaitsForWhoWaitsIsEvidenceOfTheRoot()
    {
        Scenario scenario(3);
        scenario.group(1, "a", {0, 1});
        scenario.group(2, "b", {1, 2});
        scenario.enter(0, 2, Scenario::Sum, 1);
        scenario.enter(1, 2, Scenario::Sum, 2);
        const auto found = foundIn(scenario, 10);
        QCOMPARE(linesOf(found), QStringList{"RanksWait 2"});
        const auto& wait = *std::ranges::find(found, false, &VerdictCandidate::isSaidElsewhere);
        QCOMPARE(describe(wait.verdict.evidence.back()),
                 std::string("Rank 0 waits in all_reduce #1 of group a for rank 1, too, and so for "
                             "the same."));
    }

    void callsInFlightThatMissTheSameRankAreOneWait()
    {
        Scenario scenario(3);
        for (const double second : {2.0, 2.1, 2.2})
            scenario.enter(0, second, Ahead);
        scenario.enter(2, 2.3, Scenario::Sum); // waits, and hasn't called the others yet
        const auto found = foundIn(scenario, 10);
        QCOMPARE(linesOf(found), QStringList{"RanksWait 1"});
        QCOMPARE(found.size(), size_t(3));
        const auto& wait = *std::ranges::find(found, false, &VerdictCandidate::isSaidElsewhere);
        QVERIFY(wait.verdict.statement.parameters.at("number") == "1");
        QVERIFY(wait.verdict.waiting == (std::vector<int>{0, 2}));
        QCOMPARE(describe(wait.verdict.evidence.back()),
                 std::string(
                     "Rank 0 waits in all_reduce #3 of group default for ranks 1 and 2, too, and "
                     "so for the same."));
    }

    /// Of nccl's operations whose end nobody tells, the latest seems to run.
    void whatNobodySawEndIsWhereARankMayStand()
    {
        Scenario scenario(2);
        const Scenario::Call experts{.kind = OperationKind::AllToAllSingle,
                                     .reduction = ledger::Reduction::None,
                                     .backend = ledger::Backend::Nccl};
        const Scenario::Call gradients{.backend = ledger::Backend::Nccl};
        for (const int rank : {0, 1}) {
            scenario.leaveUnseen(rank, scenario.enter(rank, 1, experts));
            scenario.leaveUnseen(rank, scenario.enter(rank, 1.1, gradients));
        }
        scenario.leaveUnseen(0, scenario.enter(0, 2, experts));
        scenario.leaveUnseen(0, scenario.enter(0, 2.1, gradients));
        scenario.enter(0, 2.2, gradients);
        const auto waits = findWaits(scenario.views(), Scenario::at(10), std::chrono::seconds(3));
        QCOMPARE(waits.size(), size_t{1});
        QCOMPARE(waits[0].operation.kind, OperationKind::AllToAllSingle);
        QCOMPARE(waits[0].operation.number, std::uint64_t{3});
        QCOMPARE(waits[0].sinceNs, Scenario::at(2));
        QCOMPARE(waits[0].waiting, std::vector<int>{0});
        QCOMPARE(waits[0].absent, std::vector<int>{1});
    }

    /// Rank 0 trains, and a thread of its own saves, which takes its time. Rank 1's thread waits
    /// for that, and its main program is slow as well: nobody hangs.
    void theWaitOfAnotherThreadIsNoPartOfACircle()
    {
        Scenario scenario(2);
        scenario.group(1, "checkpoint", {0, 1});
        scenario.enter(0, 2, Scenario::Sum);
        scenario.enter(1, 2, Scenario::Sum, 1);
        scenario.stands(0, "all_reduce", Scenario::TorchFile);
        scenario.stands(1, "load", "/home/me/data.py");
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(10))),
                 QStringList({"RanksWait 1", "RanksWait 0"}));
        // Nobody has read a stack yet, and nobody can.
        for (const int rank : {0, 1}) {
            scenario.process(rank).stack.reset();
            scenario.process(rank).idleNs = 4 * Scenario::Second;
        }
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(6))),
                 QStringList({"RanksWait 1", "RanksWait 0"}));
        for (const int rank : {0, 1})
            scenario.process(rank).noStack = {code::StackNoReader, {}, {}};
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(6))),
                 QStringList({"HangCycle 0,1"}));
        // Its main program is in a call, too: of which of the two threads is this one?
        scenario.enter(1, 3, Scenario::Sum, 2);
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(6))),
                 QStringList({"RanksWait 1", "RanksWait 0"}));
    }

    void whoIsStillOnTheWayDecidesWhoMadeAnotherGroup()
    {
        Scenario scenario(3);
        MismatchWatch watch;
        MismatchWatch alone;
        scenario.makes(0, 2, 2, {0, 1});
        scenario.makes(2, 2, 2, {1, 2});
        QVERIFY(watch.look(scenario.views(), Scenario::at(2.5)).empty());
        QVERIFY(alone.look(scenario.views(), Scenario::at(2.5)).empty());
        QCOMPARE(linesOf(alone.look(scenario.views(), Scenario::at(8))),
                 QStringList("GroupsDiffer 0,2"));
        scenario.makes(1, 3, 2, {0, 1});
        QCOMPARE(linesOf(watch.look(scenario.views(), Scenario::at(3.5))),
                 QStringList("GroupsDiffer 2"));
    }

    /// Who waits for it is about to get an error.
    void anEndThatWasSeenJustNowProvesNothing()
    {
        Scenario scenario(2);
        scenario.enter(0, 2, Scenario::Sum);
        scenario.process(1).state = ProcessView::State::Dead;
        scenario.process(1).deadNs = Scenario::Second;
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(10))),
                 QStringList("RanksWait 1"));
        scenario.process(1).deadNs = 2 * Scenario::Second;
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(10))),
                 QStringList("HangDead 1"));
    }

    /// Of several it is said once: the first who is settled speaks for all.
    void endsOneAfterTheOtherAreOneVerdict()
    {
        Scenario scenario(3);
        scenario.enter(0, 2, Scenario::Sum);
        for (const int rank : {1, 2})
            scenario.process(rank).state = ProcessView::State::Dead;
        scenario.process(1).deadNs = 2 * Scenario::Second;
        scenario.process(2).deadNs = Scenario::Second / 2;
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(10))),
                 QStringList("HangDead 1,2"));
    }

    /// Its main thread stands, and the one that trains uses little time.
    void whoCalledALittleAgoIsNotIdle()
    {
        Scenario scenario(2);
        for (const int rank : {0, 1})
            scenario.leave(rank, 8, scenario.enter(rank, 7.9, Scenario::Sum));
        scenario.enter(0, 8.1, Scenario::Sum);
        scenario.process(1).idleNs = scenario.process(1).frozenNs = 60 * Scenario::Second;
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(12))),
                 QStringList("RanksWait 1"));
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(18.1))),
                 QStringList("HangIdle 1"));
    }

    void whoGetsNoProcessorIsToldOf()
    {
        Scenario scenario(2);
        scenario.enter(0, 2, Scenario::Sum);
        scenario.process(1).idleNs = 0;
        scenario.process(1).processorWait = 0.97;
        const auto found = judgeWaits(scenario.views(), Scenario::at(10));
        QCOMPARE(linesOf(found), QStringList("RanksWait 1"));
        const auto& evidence = found[0].verdict.evidence;
        const auto starved = std::ranges::find(evidence, code::AbsentStarved, &Message::code);
        QVERIFY(starved != evidence.end());
        QCOMPARE(describe(*starved),
                 std::string("Rank 1 was ready to run and had no processor for 97 % of the last "
                             "seconds: more runs on its machine than that has processors for."));
        // With what it got, it has worked.
        QVERIFY(std::ranges::find(evidence, code::AbsentComputes, &Message::code) !=
                evidence.end());
    }

    /// A stack that was read before the call doesn't say that it waits there.
    void anOldStackProvesNothing()
    {
        Scenario scenario(2);
        for (const int rank : {0, 1}) {
            scenario.enter(rank, 2, pairCall(OperationKind::Receive, 1 - rank));
            scenario.stands(rank, "recv", Scenario::TorchFile);
        }
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(10))),
                 QStringList({"HangCycle 0,1"}));
        scenario.process(1).stack->takenNs = Scenario::at(1);
        QCOMPARE(linesOf(judgeWaits(scenario.views(), Scenario::at(10))),
                 QStringList({"RanksWait 1", "RanksWait 0"}));
    }

    void aCircleNamesEachOfItsWaits()
    {
        Scenario scenario(2);
        scenario.group(1, "a", {0, 1});
        scenario.group(2, "b", {0, 1});
        scenario.enter(0, 2, Scenario::Sum, 1);
        scenario.enter(1, 2, Scenario::Sum, 2);
        const auto found = judgeWaits(scenario.views(), Scenario::at(10));
        QCOMPARE(
            describe(found[0].verdict.statement),
            std::string("Ranks 0 and 1 wait for each other in a circle: none of them can go on."));
        QCOMPARE(found[0].verdict.evidence.size(), size_t(2));
        QCOMPARE(describe(found[0].verdict.evidence[1]),
                 std::string("Rank 1 waits in all_reduce #1 of group b for rank 0."));
    }

    void writesRanksAsPeopleDo()
    {
        const auto text = [](const std::vector<int>& ranks) {
            return substitute("{ranks|Rank} {ranks|waits|wait}.", {{"ranks", rankList(ranks)}});
        };
        QCOMPARE(text({4}), std::string("Rank 4 waits."));
        QCOMPARE(text({4, 5}), std::string("Ranks 4 and 5 wait."));
        QCOMPARE(text({0, 2, 3}), std::string("Ranks 0, 2 and 3 wait."));
        QCOMPARE(text({0, 1, 2, 5}), std::string("Ranks 0-2 and 5 wait."));
        QCOMPARE(text({0, 1, 2}), std::string("Ranks 0-2 wait."));
        // A record that was made before has the noun in it.
        QCOMPARE(substitute("for {absent|rank}", {{"absent", "ranks 1, 2"}}),
                 std::string("for ranks 1 and 2"));
    }

    void thousandsOfGroupsAreBounded()
    {
        constexpr std::uint32_t Groups = 5000;
        RankTrack track;
        for (std::uint32_t group = 0; group < Groups; ++group)
            track.described(LedgerGroup{group, std::to_string(group), {0, 1}});
        std::uint64_t id = 0;
        for (std::uint64_t number = 1; number <= 50; ++number) {
            for (std::uint32_t group = 0; group < Groups; ++group)
                track.seen({.id = ++id, .group = group, .number = number});
        }
        size_t remembered = 0;
        for (const auto& [key, group] : track.groups())
            remembered += group.remembered.size();
        QCOMPARE(remembered, size_t(Groups * RankTrack::LeastRemembered));
        QVERIFY(track.running().size() <= 4096);
        QCOMPARE(track.entered(track.keyOf(7)), std::uint64_t(50));
    }

    void forgetsWhatIsLongAgo()
    {
        RankTrack track;
        track.described(LedgerGroup{0, "0", {0}});
        for (std::uint64_t i = 1; i <= 1000; ++i)
            track.seen({.id = i, .outcome = Operation::Outcome::Done, .number = i, .endedNs = 1});
        const GroupKey group = track.keyOf(0);
        QCOMPARE(track.entered(group), std::uint64_t(1000));
        QVERIFY(track.find(group, 1000) != nullptr && track.find(group, 1) == nullptr);
        QVERIFY(track.running().empty());
    }

    void aWaitThatEndedWithAnErrorStandsUntilItsRankGetsOn()
    {
        Scenario scenario(2);
        scenario.together(0, Scenario::Sum);
        const auto waiting = scenario.enter(0, 1, Scenario::Sum);
        Diagnosis diagnosis;
        diagnosis.begin(0);
        const auto told = [&](double second) {
            QStringList lines;
            for (const Verdict& verdict : diagnosis.look(scenario.views(), Scenario::at(second)))
                lines += QString::fromStdString((verdict.isStanding ? "" : "over: ") +
                                                std::string(codeName(verdict.statement.code)) +
                                                " " + verdict.statement.parameters.at("seconds"));
            return lines;
        };
        QCOMPARE(told(5), QStringList{"RanksWait 4.0"});
        scenario.fail(0, 7, waiting);
        QCOMPARE(told(8), QStringList{"WaitFailed 6.0"});
        QCOMPARE(told(30), QStringList());
        scenario.together(31, Scenario::Sum);
        QCOMPARE(told(32), QStringList{"over: WaitOver 31.0"});
    }

    /// The ranks end with their errors before anybody has looked again.
    void aWaitThatFailedSinceTheLastLookIsToldAsFailed()
    {
        Scenario scenario(3);
        scenario.together(0, Scenario::Sum);
        const auto first = scenario.enter(0, 1, Scenario::Sum);
        const auto second = scenario.enter(1, 1.5, Scenario::Sum);
        Diagnosis diagnosis;
        diagnosis.begin(0);
        QCOMPARE(diagnosis.look(scenario.views(), Scenario::at(5)).size(), size_t(1));
        const auto told = [&] {
            QStringList lines;
            Diagnosis atEnd = diagnosis;
            for (const Verdict& verdict : atEnd.end(scenario.views(), Scenario::at(8)))
                lines += QString::fromStdString(std::string(codeName(verdict.statement.code)) +
                                                " " + verdict.statement.parameters.at("ranks") +
                                                " " + verdict.statement.parameters.at("seconds"));
            return lines;
        };
        scenario.fail(0, 7, first);
        QCOMPARE(told(), QStringList{"RanksWait 0, 1 7.0"});
        scenario.fail(1, 7.5, second);
        QCOMPARE(told(), QStringList{"WaitFailed 0, 1 6.0"});
        // A barrier in the program's `finally`.
        scenario.fail(0, 7.7, scenario.enter(0, 7.6, {.kind = ledger::OperationKind::Barrier}));
        QCOMPARE(told(), QStringList{"WaitFailed 0, 1 6.0"});
    }

    /// Messages have numbers of their own, smaller than those of the collectives before.
    void aMessageThatFailedAfterManyCollectivesIsToldAsFailed()
    {
        for (const bool isLooked : {false, true}) {
            Scenario scenario(2);
            for (const double second : {0, 1, 2})
                scenario.together(second, Scenario::Sum);
            const auto waiting =
                scenario.enter(0, 3, {.kind = ledger::OperationKind::Receive, .peer = 1});
            Diagnosis diagnosis;
            diagnosis.begin(0);
            QCOMPARE(diagnosis.look(scenario.views(), Scenario::at(8)).size(), size_t(1));
            scenario.fail(0, 9, waiting);
            const auto views = scenario.views();
            const auto told = isLooked ? diagnosis.look(views, Scenario::at(10))
                                       : diagnosis.end(views, Scenario::at(10));
            QCOMPARE(told.size(), size_t(1));
            QVERIFY(told[0].isStanding && told[0].statement.code == code::WaitFailed);
        }
    }

    /// Its end was seen by nobody before the attempt's.
    void aWaitThatIsOverSinceTheLastLookIsNotWhatTheAttemptEndedIn()
    {
        Scenario scenario(3);
        scenario.together(0, Scenario::Sum);
        const auto waited = scenario.enter(0, 1, Scenario::Sum);
        Diagnosis diagnosis;
        diagnosis.begin(0);
        QCOMPARE(diagnosis.look(scenario.views(), Scenario::at(8)).size(), size_t(1));
        for (const int rank : {1, 2})
            scenario.leave(rank, 8.2, scenario.enter(rank, 8.1, Scenario::Sum));
        scenario.leave(0, 8.2, waited);
        const auto isStanding = [](const Verdict& verdict) { return verdict.isStanding; };
        for (const bool isStopped : {false, true}) {
            Diagnosis atEnd = diagnosis;
            const auto views = scenario.views();
            const auto told = isStopped ? atEnd.stop(views, Scenario::at(8.4))
                                        : atEnd.end(views, Scenario::at(8.4));
            QCOMPARE(told.size(), size_t(1));
            QVERIFY(std::ranges::none_of(told, isStanding));
        }
    }

    void whatIsSaidWhenRanksAreEndedHasTheAgesOfThatMoment()
    {
        Scenario scenario(2);
        scenario.together(0, Scenario::Sum);
        (void)scenario.enter(0, 1, Scenario::Sum);
        Diagnosis diagnosis;
        diagnosis.begin(0);
        QCOMPARE(diagnosis.look(scenario.views(), Scenario::at(2)).size(), size_t(0));
        const auto told = diagnosis.stop(scenario.views(), Scenario::at(6));
        QCOMPARE(told.size(), size_t(1));
        QVERIFY(told[0].isStanding);
        QVERIFY(told[0].statement.code == code::RanksWait);
        for (const std::int64_t later : {Scenario::at(6), Scenario::at(60)})
            QCOMPARE(atTime(told[0].statement, later).parameters.at("seconds"), std::string("5.0"));
    }
};

QTEST_GUILESS_MAIN(tst_waits)
#include "tst_waits.moc"
