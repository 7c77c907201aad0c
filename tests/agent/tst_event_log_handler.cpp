#include "engine/agent/EventLogHandler.h"
#include "engine/event/Codes.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace ringmaster;

namespace {

constexpr const char* RendezvousLine =
    R"({"name": "torchelastic.worker.status.RENDEZVOUS", "source": "AGENT", "timestamp": 0, "metadata": {"run_id": "e45c", "global_rank": null, "group_rank": null, "worker_id": null, "role": "default", "hostname": "localhost", "state": "RENDEZVOUS", "total_run_time": 0, "rdzv_backend": "c10d", "raw_error": null, "metadata": "{\"group_world_size\": null, \"entry_point\": \"python3\"}", "agent_restarts": 0, "duration_ms": 250.0}})";

constexpr const char* StartLine =
    R"({"name": "torchelastic.worker.status.START", "source": "WORKER", "timestamp": 0, "metadata": {"run_id": "e45c", "global_rank": 1, "group_rank": 0, "worker_id": "101", "role": "default", "hostname": "localhost", "state": "START", "total_run_time": 0, "rdzv_backend": "c10d", "raw_error": null, "metadata": "{\"group_world_size\": 1, \"entry_point\": \"python3\", \"local_rank\": [1], \"role_rank\": [1], \"role_world_size\": [2], \"exit_code\": [null], \"worker_pid\": [null]}", "agent_restarts": 0, "duration_ms": null}})";

constexpr const char* FailedLine =
    R"({"name": "torchelastic.worker.status.FAILED", "source": "WORKER", "timestamp": 0, "metadata": {"run_id": "e45c", "global_rank": 1, "group_rank": 0, "worker_id": "101", "role": "default", "hostname": "localhost", "state": "FAILED", "total_run_time": 2, "rdzv_backend": "c10d", "raw_error": "{\"message\": \"<NONE>\", \"errorTraits\": {\"category\": \"system_terminated_error\", \"retryability\": \"False\"}}", "metadata": "{\"group_world_size\": 1, \"entry_point\": \"python3\", \"local_rank\": [1], \"role_rank\": [1], \"role_world_size\": [2], \"exit_code\": [3], \"worker_pid\": [101]}", "agent_restarts": 0, "duration_ms": null}})";

constexpr const char* QuotedError =
    R"("raw_error": "{\"message\": {\"message\": \"ValueError: f\\u00fcr\", \"extraInfo\": {\"timestamp\": \"17\"}}}")";

constexpr const char* ErrorFile =
    R"({"message": {"message": "ValueError: für", "extraInfo": {"timestamp": "17"}}})";

Moment at(std::int64_t milliseconds)
{
    return {milliseconds * 1'000'000, milliseconds * 1'000'000};
}

WorkerExited exitedWith(int rank, int pid, int code, int signal = 0)
{
    return {.globalRank = rank,
            .localRank = rank,
            .pid = pid,
            .status = {.code = code, .signal = signal}};
}

struct Log
{
    QStringList lines;
    EventLogHandler handler{
        {.hostName = "localhost", .backend = "c10d", .entryPoint = "python3", .role = "default"},
        [this](std::string_view line) {
            lines << QString::fromUtf8(line.data(), static_cast<int>(line.size()));
        }};

    void start(int workers)
    {
        handler.setRunId("e45c");
        handler.observe(RunStateChanged{.state = RunState::Starting}, at(0));
        handler.observe(RendezvousStep{.step = RendezvousStep::Step::Joining}, at(0));
        handler.observe(
            RendezvousStep{.step = RendezvousStep::Step::Completed, .groupWorldSize = 1}, at(250));
        AttemptStarted attempt{.worldSize = workers};
        for (int rank = 0; rank < workers; ++rank)
            attempt.workers.push_back({.localRank = rank,
                                       .globalRank = rank,
                                       .roleRank = rank,
                                       .roleWorldSize = workers,
                                       .role = "default"});
        handler.observe(attempt, at(251));
        for (int rank = 0; rank < workers; ++rank)
            handler.observe(WorkerStateChanged{.globalRank = rank,
                                               .localRank = rank,
                                               .pid = 100 + rank,
                                               .state = WorkerState::Healthy},
                            at(260));
    }

    QStringList states() const
    {
        QStringList found;
        const QRegularExpression pattern(
            QStringLiteral("worker.status.([A-Z_]+)\", \"source\": \"([A-Z]+)\""));
        for (const QString& line : lines) {
            const auto match = pattern.match(line);
            found << match.captured(1) + ' ' + match.captured(2);
        }
        return found;
    }
};

} // namespace

class tst_event_log_handler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The lines are those that torchrun 2.11.0 printed for the same job, but for times and ids.
    void writesTorchrunsLines()
    {
        Log log;
        log.start(2);
        QCOMPARE(log.lines.size(), 4);
        QCOMPARE(log.lines[0], QString::fromUtf8(RendezvousLine) + '\n');
        QCOMPARE(log.lines[3], QString::fromUtf8(StartLine) + '\n');

        log.handler.observe(exitedWith(1, 101, 3), at(300));
        log.handler.observe(exitedWith(0, 100, 0, 15), at(301));
        log.handler.observe(FirstCause{.sure = true, .globalRank = 1}, at(302));
        log.handler.observe(RunStateChanged{.state = RunState::Failed, .exitCode = 1}, at(2100));
        QCOMPARE(log.states().mid(4),
                 QStringList({"FAILED WORKER", "FAILED WORKER", "SUCCEEDED AGENT"}));
        QCOMPARE(log.lines[5], QString::fromUtf8(FailedLine) + '\n');
    }

    void endsInTorchrunsOrderOnSuccess()
    {
        Log log;
        log.start(2);
        log.handler.observe(exitedWith(0, 100, 0), at(300));
        log.handler.observe(exitedWith(1, 101, 0), at(300));
        log.handler.observe(RunStateChanged{.state = RunState::Succeeded}, at(300));
        QCOMPARE(log.states(), QStringList({"RENDEZVOUS AGENT", "ASSIGN_WORKER_RANKS AGENT",
                                            "START WORKER", "START WORKER", "SUCCEEDED WORKER",
                                            "SUCCEEDED WORKER", "SUCCEEDED AGENT"}));
    }

    void callsAPeerThatEndedWellWhenAskedToTerminated()
    {
        Log log;
        log.start(2);
        log.handler.observe(exitedWith(1, 101, 3), at(300));
        log.handler.observe(exitedWith(0, 100, 0), at(301));
        log.handler.observe(FirstCause{.globalRank = 1}, at(302));
        log.handler.observe(RunStateChanged{.state = RunState::Failed}, at(303));
        QCOMPARE(log.states().mid(4),
                 QStringList({"TERMINATED WORKER", "FAILED WORKER", "SUCCEEDED AGENT"}));
    }

    void failsForTheAgentOnASignal()
    {
        Log log;
        log.start(1);
        log.handler.observe(RunStateChanged{.state = RunState::Stopped,
                                            .reason = {.code = code::SignalReceived,
                                                       .parameters = {{"signal", "SIGTERM"}}}},
                            at(303));
        QCOMPARE(log.states().mid(3), QStringList({"FAILED AGENT"}));
        QVERIFY(log.lines[3].contains("SIGTERM"));
    }

    void quotesTheErrorFileAndCountsRestarts()
    {
        QTemporaryDir folder;
        const std::string file = folder.filePath("error.json").toStdString();
        std::ofstream(file) << ErrorFile;
        Log log;
        log.start(1);
        log.handler.observe(GroupRestarting{.budgetBefore = 2, .budgetAfter = 1}, at(310));
        log.start(1);
        WorkerExited exit = exitedWith(0, 100, 1);
        exit.errorFile = file;
        log.handler.observe(exit, at(400));
        log.handler.observe(FirstCause{}, at(401));
        log.handler.observe(RunStateChanged{.state = RunState::Failed}, at(402));
        const QString line = log.lines[log.lines.size() - 2];
        QVERIFY(line.contains(QString::fromUtf8(QuotedError)));
        QVERIFY(line.contains("\"agent_restarts\": 1,"));
    }
};

QTEST_GUILESS_MAIN(tst_event_log_handler)
#include "tst_event_log_handler.moc"
