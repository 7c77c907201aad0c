#include "tests/app/Scenario.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/diagnose/Codes.h"
#include "engine/machine/Codes.h"
#include "engine/node/Codes.h"
#include "engine/worker/Codes.h"

#include <cmath>

namespace ringmaster {

namespace {

constexpr auto Traceback = R"(Traceback (most recent call last):
  File "/home/mika/jobs/mnist/train.py", line 88, in <module>
    main()
  File "/home/mika/jobs/mnist/train.py", line 61, in main
    batch = next(loader)
  File "/home/mika/jobs/mnist/data.py", line 42, in __next__
    raise ValueError("shard 17 has 3 rows, 64 were expected")
ValueError: shard 17 has 3 rows, 64 were expected
)";

int pidOf(int attempt, int rank)
{
    return 41200 + attempt * 120 + rank;
}

} // namespace

namespace {

Parameters operationNamed(int number)
{
    return {{"operation", "all_reduce"},
            {"number", std::to_string(number)},
            {"group", "default"},
            {"ranks", "0-1, 3-7"},
            {"what", "float32, 6.5 M"},
            {"seconds", "3.1"},
            {"rank", "2"}};
}

Message messageOf(Code code, Parameters more = {}, std::string detail = {})
{
    more.merge(operationNamed(412));
    return {code, std::move(more), std::move(detail)};
}

RankEvidence stackOf(int rank)
{
    const std::string program = "/home/mika/jobs/mnist/train.py";
    const std::string torch = "/opt/venv/lib/python3.11/site-packages/torch/distributed/";
    RankEvidence evidence{.globalRank = rank,
                          .pid = 41320 + rank,
                          .source = RankEvidence::Source::PySpy,
                          .process = RankEvidence::Process::Waiting,
                          .systemCall = "futex",
                          .waitChannel = "futex_do_wait",
                          .operation = {code::InOperationFor, operationNamed(412), {}}};
    const StackFrame main{"<module>", program, 120};
    evidence.threads = {{.name = "MainThread",
                         .isMain = true,
                         .frames = {{"all_reduce", torch + "distributed_c10d.py", 3075},
                                    {"step", program, 88},
                                    main}}};
    if (rank != 2)
        return evidence;
    evidence.operation = {code::AfterOperation, operationNamed(411), {}};
    evidence.systemCall = "write";
    evidence.systemFile = "pipe:[48211]";
    evidence.waitChannel = "anon_pipe_write";
    evidence.threads = {
        {.name = "MainThread",
         .isMain = true,
         .holdsGil = true,
         .frames = {{"flush", program, 52}, {"save", program, 60}, main}},
        {.name = "loader", .frames = {{"get", "/usr/lib/python3.11/queue.py", 171}}}};
    evidence.nativeThreads = {
        {.name = "MainThread",
         .isMain = true,
         .frames = {{"write", "/usr/lib/x86_64-linux-gnu/libc.so.6", 0}, {"flush", program, 52}}}};
    return evidence;
}

/// As the verdict has it: all but rank 2 are in #412.
RankPlaces placesInHang(std::int64_t sinceNs)
{
    RankPlaces places{.attempt = 1};
    for (int rank = 0; rank < 8; ++rank)
        places.places.push_back({.rank = rank,
                                 .kind = ledger::OperationKind::AllReduce,
                                 .number = rank == 2 ? 411U : 412U,
                                 .isInside = rank != 2,
                                 .calledAt = {.site = 1,
                                              .file = "/home/mika/jobs/mnist/train.py",
                                              .function = "step",
                                              .line = 88},
                                 .sinceNs = sinceNs});
    return places;
}

Evidence evidenceOf(int attempt, Message reason)
{
    Evidence evidence{.attempt = attempt, .reason = std::move(reason), .tookNs = 120'000'000};
    for (int rank = 0; rank < 8; ++rank)
        evidence.ranks.push_back(stackOf(rank));
    return evidence;
}

} // namespace

void Scenario::stacks(const std::string& run)
{
    m_cluster.setStacks(run, {ago(0), evidenceOf(1, {})});
}

void Scenario::evidence(const std::string& run, int attempt)
{
    m_cluster.publish(run, ago(10 - attempt), evidenceOf(attempt, {code::UserStopped, {}, {}}));
}

void Scenario::waits(const std::string& run)
{
    const std::int64_t since = ago(6).monotonicNs;
    const Verdict verdict{
        .id = 1,
        .kind = Verdict::Kind::Waiting,
        .guilty = {2},
        .waiting = {0, 1, 3, 4, 5, 6, 7},
        .sinceNs = since,
        .statement =
            messageOf(code::RanksWait, {{"absent", "rank 2"}, {"since", std::to_string(since)}}),
        .evidence = {messageOf(code::AbsentOutside, {{"number", "411"}}),
                     messageOf(code::AbsentComputes, {{"percent", "98"}})}};
    m_cluster.publish(run, ago(0), verdict);
    setHealth(run, {Health::Waiting, ago(6), verdict.statement});
}

void Scenario::hangs(const std::string& run)
{
    const Verdict verdict{.id = 1,
                          .kind = Verdict::Kind::Hang,
                          .guilty = {2},
                          .waiting = {0, 1, 3, 4, 5, 6, 7},
                          .stopped = {2},
                          .sinceNs = ago(6).monotonicNs,
                          .statement = messageOf(code::HangStopped, {{"absent", "2"}}),
                          .evidence = {messageOf(code::AbsentOutside, {{"number", "411"}}),
                                       messageOf(code::StandsInLine,
                                                 {{"function", "step"},
                                                  {"file", "/home/mika/jobs/mnist/train.py"},
                                                  {"line", "88"},
                                                  {"code", "loss.backward()"}},
                                                 "Thread 1 (most recent call first):\n  File "
                                                 "\"/home/mika/jobs/mnist/train.py\", line 88 "
                                                 "in step")},
                          .remedy =
                              messageOf(code::RemedyResume, {{"rank", "2"}, {"pid", "41322"}})};
    m_cluster.publish(run, ago(0), verdict);
    m_cluster.setPlaces(run, placesInHang(ago(6).monotonicNs));
    setHealth(run, {Health::Hanging, ago(6), verdict.statement});
}

void Scenario::waitIsOver(const std::string& run)
{
    m_cluster.publish(run, ago(0),
                      Verdict{.id = 1,
                              .kind = Verdict::Kind::Waiting,
                              .isStanding = false,
                              .statement = messageOf(code::WaitOver)});
    setHealth(run, {Health::Running, ago(0), {}});
}

void Scenario::setHealth(const std::string& run, const JobHealth& health)
{
    for (RunSummary known : m_cluster.runs()) {
        if (known.id != run)
            continue;
        known.health = health;
        m_cluster.setRun(known);
    }
}

Moment Scenario::ago(double seconds)
{
    return before(SystemClock().now(), seconds);
}

Moment Scenario::ago(const std::string& run, double seconds) const
{
    return before(m_toldAt.at(run), seconds);
}

Moment Scenario::before(const Moment& moment, double seconds)
{
    const auto back = static_cast<std::int64_t>(seconds * 1e9);
    return {moment.monotonicNs - back, moment.wallNs - back};
}

RunSummary Scenario::summary(const std::string& id, RunState state, int ranks, double agoSeconds)
{
    RunSummary run;
    run.id = id;
    run.name = id;
    run.state = state;
    run.health.health = healthOf(state);
    run.isLive = !isFinal(state);
    run.worldSize = ranks;
    run.startedAt = ago(agoSeconds);
    run.endedAt = isFinal(state) ? ago(agoSeconds / 4) : Moment{};
    run.reason.code = code::None;
    return run;
}

RunSummary Scenario::summaryOf(const std::string& run, RunState state, int ranks,
                               double agoSeconds) const
{
    RunSummary shown = summary(run, state, ranks, agoSeconds);
    shown.startedAt = ago(run, agoSeconds);
    return shown;
}

void Scenario::begin(const std::string& run, int ranks, int maxRestarts, double seconds)
{
    m_toldAt[run] = ago(0);
    RunStarted started;
    started.name = run;
    started.jobFile = "name = \"" + run + "\"\nprogram = \"train.py\"\n";
    started.torchrunLine = "torchrun --nproc-per-node " + std::to_string(ranks) + " train.py";
    started.runFolder = "/home/mika/.local/state/ringmaster/runs/" + run;
    started.workingFolder = "/home/mika/jobs/mnist";
    started.agentPid = 41180;
    started.maxRestarts = maxRestarts;
    m_cluster.publish(run, ago(run, seconds), started);
    m_cluster.publish(run, ago(run, seconds), RunStateChanged{RunState::Starting, {code::None}, 0});
}

void Scenario::attempt(const std::string& run, int number, int ranks, double seconds)
{
    RendezvousStep step;
    step.step = RendezvousStep::Step::Completed;
    step.round = static_cast<std::uint64_t>(number);
    step.groupWorldSize = 1;
    step.masterAddress = "127.0.0.1";
    step.masterPort = 29500 + number;
    step.detail.code = code::None;
    m_cluster.publish(run, ago(run, seconds + 0.1), step);
    AttemptStarted attempt;
    attempt.attempt = number;
    attempt.restartCount = number;
    attempt.worldSize = ranks;
    for (int rank = 0; rank < ranks; ++rank)
        attempt.workers.push_back({rank, rank, rank, ranks, "default", "/tmp/none"});
    m_cluster.publish(run, ago(run, seconds), attempt);
    for (int rank = 0; rank < ranks; ++rank)
        m_cluster.publish(
            run, ago(run, seconds - 2 - 0.05 * (rank % 8)),
            WorkerStateChanged{number, rank, rank, pidOf(number, rank), WorkerState::Healthy});
    m_cluster.publish(run, ago(run, seconds - 2.5),
                      RunStateChanged{RunState::Running, {code::None}, 0});
}

void Scenario::met(const std::string& run, int attempt, double seconds,
                   const std::array<double, 6>& phases)
{
    constexpr std::array Names{"stop", "rendezvous", "start", "import", "init", "user"};
    Message message{attempt == 0 ? code::FirstCollective : code::FirstCollectiveAgain,
                    {{"attempt", std::to_string(attempt)}, {"rank", "3"}},
                    {}};
    double total = 0;
    for (std::size_t phase = 0; phase < phases.size(); ++phase) {
        total += phases[phase];
        message.parameters[Names[phase]] = std::to_string(phases[phase]);
    }
    message.parameters["seconds"] = std::to_string(total);
    m_cluster.publish(run, ago(run, seconds), Notice{.message = message});
}

void Scenario::sample(const std::string& run, int ranks, int attempt)
{
    for (int step = 0; step < 40; ++step) {
        for (int rank = 0; rank < ranks; ++rank) {
            const double wave = std::sin(step * 0.35 + rank * 0.8);
            m_cluster.publish(
                run, ago(run, 40 - step),
                ProcessSample{attempt, rank, 0.72 + 0.22 * wave, (812LL + rank * 7 + step) << 20});
        }
    }
}

void Scenario::devices(const std::string& run, int gpus)
{
    const Moment now = ago(0);
    std::vector<std::pair<Moment, EventBody>> samples;
    for (int second = 120; second > 0; --second) {
        if (second > 60 && second < 75)
            continue;
        const double wave = std::sin(second * 0.21);
        DeviceSample sample{.processors = 16,
                            .cpuFraction = 0.4 + 0.25 * wave,
                            .network = {2.1e8 + 1e8 * wave, 1.4e8 - 9e7 * wave},
                            .loopback = 1.2e9 * (1 + wave)};
        for (int gpu = 0; gpu < gpus; ++gpu)
            sample.gpus.push_back({.index = gpu,
                                   .name = "NVIDIA H200",
                                   .utilisation = 0.8 + 0.15 * std::sin(second * 0.4 + gpu),
                                   .usedBytes = (61LL + gpu) << 30,
                                   .totalBytes = 141LL << 30,
                                   .nvlink = Traffic{8e10 * (1 + wave), 7e10 * (1 + wave)},
                                   .pcie = Traffic{3e9, 1e9 * (1 - wave)}});
        if (gpus == 0)
            sample.absence = {code::NoGpuDriver, {{"library", "libnvidia-ml.so.1"}}, {}};
        samples.emplace_back(before(now, second), std::move(sample));
    }
    m_cluster.publish(run, std::move(samples));
}

void Scenario::exit(const std::string& run, int attempt, int rank, double seconds,
                    ExitStatus status, bool byAgent)
{
    WorkerExited exited;
    exited.attempt = attempt;
    exited.globalRank = exited.localRank = rank;
    exited.pid = pidOf(attempt, rank);
    exited.status = status;
    exited.endedByAgent = byAgent;
    exited.explanation.code = code::None;
    if (!byAgent && !status.succeeded()) {
        exited.errorType = "ValueError";
        exited.errorText = "shard 17 has 3 rows, 64 were expected";
        exited.traceback = Traceback;
    }
    m_cluster.publish(run, ago(run, seconds), exited);
}

void Scenario::fail(const std::string& run, int attempt, int rank, double seconds)
{
    exit(run, attempt, rank, seconds, {.code = 1}, false);
    FirstCause cause;
    cause.attempt = attempt;
    cause.sure = true;
    cause.globalRank = rank;
    cause.cause = {code::WorkerRaisedAt,
                   {{"rank", std::to_string(rank)},
                    {"type", "ValueError"},
                    {"file", "data.py"},
                    {"line", "42"},
                    {"text", "shard 17 has 3 rows, 64 were expected"}},
                   {}};
    cause.remedy.code = code::None;
    cause.traceback = Traceback;
    m_cluster.publish(run, ago(run, seconds - 0.01), cause);
}

void Scenario::log(const std::string& run, int ranks, double seconds, int lines, int attempt)
{
    for (int i = 0; i < lines; ++i) {
        const int rank = (i * 5 + i / 7) % ranks;
        const Moment at = ago(run, seconds * (1 - static_cast<double>(i) / lines));
        std::string line = "epoch " + std::to_string(3 + i / 60) + " step " +
                           std::to_string(1198 + i / ranks * 2) + " loss 0.0" +
                           std::to_string(821 - i % 90) + "\n";
        if (i % 23 == 7)
            line =
                "[rank" + std::to_string(rank) + "] WARNING: dataloader is 38 ms behind prefetch\n";
        if (i % 41 == 20)
            line = "\x1B[1;32mresumed\x1B[0m from checkpoint \x1B[36m1150\x1B[0m\n";
        m_cluster.print(run, at, rank, line, i % 23 == 7 ? Stream::Stderr : Stream::Stdout,
                        attempt);
    }
}

std::string Scenario::restartedAndRunning()
{
    const std::string run = "mnist-ddp";
    constexpr int Ranks = 8;
    begin(run, Ranks, 3, 222);
    attempt(run, 0, Ranks, 221);
    met(run, 0, 204, {0.2, 0.4, 1.9, 11.2, 1.6, 2.7});
    fail(run, 0, 5, 126);
    for (int rank = 0; rank < Ranks; ++rank) {
        if (rank != 5)
            exit(run, 0, rank, 125.4, {.signal = 15}, true);
    }
    m_cluster.publish(
        run, ago(run, 125.2),
        GroupRestarting{
            0, {code::WorkerExitedWithCode, {{"rank", "5"}, {"code", "1"}}, {}}, 3, 2, 0});
    m_cluster.publish(run, ago(run, 125.2), RunStateChanged{RunState::Restarting, {code::None}, 0});
    attempt(run, 1, Ranks, 124);
    met(run, 1, 123.2, {1.3, 0.1, 0.2, 0, 0.4, 0.8});
    sample(run, Ranks, 1);
    log(run, Ranks, 120, 260, 1);
    RunSummary shown = summaryOf(run, RunState::Running, Ranks, 222);
    shown.restartsUsed = 1;
    shown.restartBudget = 3;
    m_cluster.setRun(shown);
    return run;
}

std::string Scenario::failed()
{
    const std::string run = "llm-sft";
    constexpr int Ranks = 4;
    begin(run, Ranks, 0, 400);
    attempt(run, 0, Ranks, 399);
    log(run, Ranks, 390, 80);
    m_cluster.print(run, ago(run, 100), 2, Traceback, Stream::Stderr);
    fail(run, 0, 2, 100);
    for (const int rank : {0, 1, 3})
        exit(run, 0, rank, 99.4, {.signal = 15}, true);
    const Message reason{code::WorkerExitedWithCode, {{"rank", "2"}, {"code", "1"}}, {}};
    m_cluster.publish(run, ago(run, 99), RunStateChanged{RunState::Failed, reason, 1});
    m_cluster.endRun(run);
    RunSummary shown = summaryOf(run, RunState::Failed, Ranks, 400);
    shown.endedAt = ago(run, 99);
    shown.reason = reason;
    m_cluster.setRun(shown);
    return run;
}

std::string Scenario::finished()
{
    const std::string run = "bench-gloo";
    constexpr int Ranks = 4;
    begin(run, Ranks, 0, 4000);
    attempt(run, 0, Ranks, 3999);
    log(run, Ranks, 3990, 30);
    for (int rank = 0; rank < Ranks; ++rank)
        exit(run, 0, rank, 3600, {}, false);
    m_cluster.publish(run, ago(run, 3599), RunStateChanged{RunState::Succeeded, {code::None}, 0});
    m_cluster.endRun(run);
    RunSummary shown = summaryOf(run, RunState::Succeeded, Ranks, 4000);
    shown.endedAt = ago(run, 3599);
    m_cluster.setRun(shown);
    return run;
}

std::string Scenario::restarting()
{
    const std::string run = "point-to-point";
    constexpr int Ranks = 4;
    begin(run, Ranks, 3, 30);
    attempt(run, 0, Ranks, 29);
    fail(run, 0, 1, 2);
    m_cluster.publish(
        run, ago(run, 1),
        GroupRestarting{
            0, {code::WorkerExitedWithCode, {{"rank", "1"}, {"code", "1"}}, {}}, 3, 2, 0});
    m_cluster.publish(run, ago(run, 1), RunStateChanged{RunState::Restarting, {code::None}, 0});
    RunSummary shown = summaryOf(run, RunState::Restarting, Ranks, 30);
    shown.restartsUsed = 1;
    shown.restartBudget = 3;
    m_cluster.setRun(shown);
    return run;
}

std::string Scenario::large(int ranks, const std::string& run)
{
    begin(run, ranks, 3, 60);
    attempt(run, 0, ranks, 59);
    m_cluster.setRun(summaryOf(run, RunState::Running, ranks, 60));
    return run;
}

} // namespace ringmaster
