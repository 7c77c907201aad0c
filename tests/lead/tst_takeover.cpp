#include "engine/lead/Codes.h"
#include "engine/lead/Takeover.h"
#include "engine/node/Codes.h"
#include "engine/record/RunFileWriter.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

class tst_takeover : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsForTheEndOfTheFormerLead()
    {
        AgentRecord self = AgentRecord::current("/here");
        const auto taken = Takeover::begin(*run(AgentRecord::current("/there")), self, {});
        QVERIFY(!taken);
        QCOMPARE(taken.error().code, code::TakeoverTooEarly);
    }

    void isTheNewerLeadAlsoWhereTheClockWasSetBack()
    {
        const auto folder = run(gone());
        AgentRecord self = AgentRecord::current("/here");
        self.generation = 3;
        QVERIFY(Takeover::begin(*folder, self, {}));
        QCOMPARE(self.generation, std::uint64_t{8});
        QCOMPARE(folder->agent()->generation, std::uint64_t{8});
        QCOMPARE(folder->agent()->socket, std::filesystem::path("/here"));
    }

    void showsTheRunAsItWas()
    {
        AgentRecord self = AgentRecord::current("/here");
        auto taken = Takeover::begin(*run(gone()), self, {});
        QVERIFY(taken);
        QCOMPARE(taken->standing().leadSequence(), std::uint64_t{2});
        const std::vector<EventBody> first = taken->firstEvents();
        QCOMPARE(first.size(), size_t{2});
        QCOMPARE(std::get<Notice>(first[0]).message.code, code::LeadTookOver);
        QVERIFY(std::get<RunStateChanged>(first[1]) == taken->standing().resumed());
        const GatheredLogs::Recorded logs = taken->takeLogs();
        QCOMPARE(logs.sizes.at({1, 3, Stream::Stderr}), std::uint64_t{70});
        QCOMPARE(logs.lostBytes, std::uint64_t{500});
    }

    /// Also what was told of it later.
    void knowsWhyAWorkerHasEnded()
    {
        AgentRecord self = AgentRecord::current("/here");
        const Message fault{code::GpuXid, {{"gpu", "0"}, {"xid", "79"}}, {}};
        auto taken =
            Takeover::begin(*run(gone(), {AttemptStarted{}, WorkerExited{.status = {.code = 1}},
                                          Notice{.globalRank = 0, .message = fault}}),
                            self, {});
        QVERIFY(taken);
        const auto cause = taken->takeEnds().firstCause(0);
        QVERIFY(cause && cause->cause == fault);
    }

private:
    static AgentRecord gone()
    {
        AgentRecord former = AgentRecord::current("/there");
        ++former.process.startTime; // another process has its number now
        former.generation = 7;
        return former;
    }

    /// That its lead recorded so far; `told` by the agent of a host.
    Result<RunFolder> run(const AgentRecord& lead, const std::vector<EventBody>& told = {}) const
    {
        RunFolder folder = RM_TRY(
            RunFolder::create(m_runs.path().toStdString(), "job", lead, SystemClock().now()));
        const auto writer =
            RM_TRY(RunFileWriter::open(folder.runFile(), {.run = folder.id(), .onTrouble = {}}));
        std::uint64_t sequence = 0;
        for (const RunState state : {RunState::Starting, RunState::Running}) {
            ++sequence;
            writer->append({.id = {folder.id(), "0", sequence},
                            .runSequence = sequence,
                            .body = RunStateChanged{.state = state}});
        }
        for (size_t i = 0; i < told.size(); ++i)
            writer->append(
                {.id = {folder.id(), "1", i + 1}, .runSequence = ++sequence, .body = told[i]});
        const int log = writer->addLogFile({.attempt = 1,
                                            .globalRank = 3,
                                            .stream = Stream::Stderr,
                                            .path = folder.logs() / "attempt_1/3/stderr.log"});
        writer->appendLog({.file = log, .at = {}, .offset = 0, .length = 70});
        writer->addLostOutput({}, 500);
        RM_TRY(writer->finish());
        return folder;
    }

    QTemporaryDir m_runs;
};

QTEST_GUILESS_MAIN(tst_takeover)
#include "tst_takeover.moc"
