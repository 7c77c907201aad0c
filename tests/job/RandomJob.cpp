#include "tests/job/RandomJob.h"

#include <array>

namespace ringmaster {

std::string RandomJob::text()
{
    static constexpr std::array<const char*, 20> Pieces{
        "a",  "Z",  "0", " ",  "'", "\"", "\\", "$", "${local_rank}", "=", ",", "-",
        "--", "\n", "ü", "漢", "#", "~",  "|",  ":"};
    std::string result;
    for (int i = number(0, 6); i > 0; --i)
        result += Pieces.at(static_cast<size_t>(number(0, Pieces.size() - 1)));
    return result;
}

std::string RandomJob::word()
{
    static constexpr std::array<const char*, 5> Words{"train", "node-7", "x_1", "data", "q"};
    return Words.at(static_cast<size_t>(number(0, 4)));
}

std::chrono::milliseconds RandomJob::duration()
{
    return std::chrono::milliseconds(chance() ? number(0, 200) * 1000 : number(0, 100'000'000));
}

StreamSelection RandomJob::streams(bool ofLine)
{
    StreamSelection selection;
    if (chance())
        selection.all = static_cast<std::uint8_t>(number(0, 3));
    if (!ofLine || selection.all == 0) {
        for (int i = number(0, 3); i > 0; --i)
            selection.byLocalRank[number(0, ofLine ? 9 : 40)] =
                static_cast<std::uint8_t>(number(0, 3));
    }
    return selection;
}

void RandomJob::fillRole(Role& role)
{
    role.kind = static_cast<ProgramKind>(number(0, 3));
    role.name = chance() ? "default" : text();
    role.program = chance() ? "train.py" : "-" + text();
    for (int i = number(0, 4); i > 0; --i)
        role.arguments.push_back(chance() ? "--" + word() : text());
    role.workers.kind = static_cast<WorkerCount::Kind>(number(0, 4));
    if (role.workers.kind == WorkerCount::Kind::Number)
        role.workers.number = number(-1, 16);
    if (chance())
        role.interpreter = "/opt/" + word() + "/bin/python";
    if (chance())
        role.workingFolder = "/home/a b/" + word();
    for (int i = number(0, 2); i > 0; --i)
        role.environment["NAME_" + std::to_string(i)] = text();
    for (int i = number(0, 3); i > 0; --i)
        role.devices.push_back(i);
}

void RandomJob::fillRendezvous(RendezvousSpec& rendezvous)
{
    rendezvous.standalone = number(0, 3) == 0;
    rendezvous.method =
        rendezvous.standalone || chance() ? RendezvousMethod::C10d : RendezvousMethod::Static;
    if (chance())
        rendezvous.endpoint = word() + ":" + std::to_string(number(0, 70000));
    if (chance())
        rendezvous.id = text();
    for (int i = number(0, 2); i > 0; --i)
        rendezvous.configuration[word()] = chance() ? "60" : word();
    rendezvous.nodeRank = number(-1, 3);
    if (chance())
        rendezvous.masterAddress = text();
    if (chance())
        rendezvous.masterPort = number(0, 70000);
    if (chance())
        rendezvous.localAddress = word();
}

void RandomJob::fillLogs(LogSpec& logs, bool ofLine)
{
    if (chance())
        logs.folder = text();
    logs.redirects = streams(ofLine);
    logs.tee = streams(ofLine);
    for (int i = 0; i < number(0, 3); ++i)
        logs.localRanksFilter.push_back(i * 2);
    for (int i = number(0, 2); i > 0; --i)
        logs.duplicateStdoutFilters.push_back(word() + (chance() ? "," : ""));
    for (int i = number(0, 2); i > 0; --i)
        logs.duplicateStderrFilters.push_back(ofLine ? word() : text());
    if (!ofLine && chance())
        logs.linePrefix = "${hostname} " + text();
}

JobSpec RandomJob::sayable()
{
    static constexpr std::array<const char*, 5> Numa{"", "node", "socket", "exclusive",
                                                     "core-complex"};
    static constexpr std::array<const char*, 3> Methods{"spawn", "fork", "forkserver"};
    JobSpec spec;
    fillRole(spec.roles.front());
    spec.nodes.min = number(-1, 4);
    spec.nodes.max = number(0, 8);
    fillRendezvous(spec.rendezvous);
    spec.restart.maxRestarts = number(-1, 5);
    fillLogs(spec.logs, true);
    spec.monitorInterval = duration();
    spec.startMethod = Methods.at(static_cast<size_t>(number(0, 2)));
    spec.eventLogHandler = chance() ? "null" : word();
    spec.logsSpecs = chance() ? "" : word();
    spec.numaBinding = Numa.at(static_cast<size_t>(number(0, 4)));
    if (chance())
        spec.signalsToHandle.assign(static_cast<size_t>(number(0, 3)), "SIGUSR1");
    spec.virtualLocalRank = chance();
    return spec;
}

JobSpec RandomJob::any()
{
    JobSpec spec = sayable();
    spec.name = text();
    spec.backendHint = chance() ? "nccl" : "";
    if (chance())
        spec.hosts = {"gpu1", "gpu2:4", "@lab"};
    spec.ringAlgorithm = chance() ? "auto" : "tree";
    spec.ringInterface = chance() ? "" : word();
    if (chance())
        spec.slurm = {word(), word(), "4:00:00", number(0, 8), {"--constraint=" + word(), text()}};
    spec.runOn = chance() ? RunOn::Hosts : RunOn::Slurm;
    if (chance())
        spec.container = {"podman", {"/data:/d:ro", text()}, {"/dev/fuse"}, {"--shm-size=8g"}};
    spec.plain = chance();
    spec.recordOperations = chance();
    if (chance())
        spec.metricsPort = number(0, 65535);
    spec.warm = static_cast<WarmMode>(number(0, 2));
    if (chance())
        spec.preload = {"torch", "torch._dynamo"};
    for (int i = number(0, 2); i > 0; --i)
        spec.numbers["number " + word()] = text();
    spec.restart.firstDelay = duration();
    spec.restart.longestDelay = duration();
    spec.restart.minimumHealthyTime = duration();
    spec.restart.grace = duration();
    spec.restart.exitBarrier = duration();
    spec.restart.onlyIf = chance() ? text() : "";
    spec.restart.unless = chance() ? word() : "";
    spec.restart.leaveHostOutAfter = chance() ? 3 : 0;
    spec.longestRun = duration();
    if (chance())
        spec.stopOn = {{"hang", "10m"}, {word(), text()}};
    spec.logs = LogSpec{};
    fillLogs(spec.logs, false);
    spec.rendezvous.configuration["strange key = " + text()] = text();
    for (int i = number(0, 2); i > 0; --i)
        fillRole(spec.roles.emplace_back());
    for (Role& role : spec.roles) {
        role.image = text();
        role.devicesPerWorker = number(0, 2);
        role.environment["_odd_" + std::to_string(number(0, 99))] = text();
    }
    return spec;
}

} // namespace ringmaster
