#include "engine/base/Codes.h"
#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/Validation.h"
#include "engine/machine/Battery.h"
#include "engine/machine/Codes.h"
#include "engine/text/Codes.h"

#include <QtTest>

#include <functional>
#include <map>
#include <set>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// A machine as a test wants it: files by path, four idle GPUs, everything in order.
class FakeSystemInfo : public SystemInfo
{
public:
    std::map<std::string, File> files{{"/job", {true, true, true, true}},
                                      {"/job/train.py", {true, false, true, false}},
                                      {"/py", {true, false, true, true}}};
    std::map<std::string, std::string> contents{{"/job/train.py", "import torch\n"}};
    std::set<std::string> readOnly{};
    std::map<std::string, std::string> commands{{"date", "/bin/date"}, {"numactl", "/bin/numactl"}};
    std::map<std::string, Interpreter> interpreters{
        {"/py", {"/py", "3.11.2", "2.11.0", "13.0", InterpreterKind::Named}}};
    std::map<int, Port> ports{};
    DeviceList gpus{{{0, "H200", {}, {}, 0, 0, {}},
                     {1, "H200", {}, {}, 0, 0, {}},
                     {2, "H200", {}, {}, 0, 0, {}},
                     {3, "H200", {}, {}, 0, 0, {}}},
                    {}};
    std::string active = "/py";

    std::string launchFolder() const override { return "/job"; }
    File file(const std::string& path) const override
    {
        const auto found = files.find(path);
        return found == files.end() ? File{} : found->second;
    }
    std::string fileStart(const std::string& path, size_t limit) const override
    {
        const auto found = contents.find(path);
        return found == contents.end() ? std::string() : found->second.substr(0, limit);
    }
    bool canWriteInto(const std::string& folder) const override
    {
        return !readOnly.contains(folder);
    }
    std::vector<std::string> subfolders(const std::string& folder) const override
    {
        return {folder + "/sub"};
    }
    std::string findCommand(const std::string& name) const override
    {
        const auto found = commands.find(name);
        return found == commands.end() ? std::string() : found->second;
    }
    MachineCounts counts() const override { return {8, static_cast<int>(gpus.devices.size()), 0}; }
    DeviceList devices() const override { return gpus; }
    std::string activeInterpreter() const override { return active; }
    std::optional<Interpreter> interpreter(const InterpreterQuestion& question) const override
    {
        const auto found = interpreters.find(question.path);
        return found == interpreters.end() ? std::nullopt : std::optional(found->second);
    }
    bool isThisMachine(const std::string& host) const override
    {
        return host == "localhost" || host == "127.0.0.1" || host == "here";
    }
    Port port(int number) const override
    {
        const auto found = ports.find(number);
        return found == ports.end() ? Port{} : found->second;
    }
    std::optional<std::string> variable(const std::string&) const override { return std::nullopt; }
};

/// A job and a machine on which everything is in order.
struct Situation
{
    JobSpec spec;
    FakeSystemInfo here;

    Situation() { spec.roles.front().program = "train.py"; }
    Role& role() { return spec.roles.front(); }
    void withoutTorch(InterpreterWitness witness)
    {
        here.interpreters["/py"].torchVersion = "";
        here.interpreters["/py"].witness = witness;
    }
};

struct Invalid
{
    const char* name;
    Finding::Severity severity;
    Code code;
    const char* field;
    std::function<void(Situation&)> change;
};

constexpr auto Ok = Finding::Severity::Ok;
constexpr auto Warning = Finding::Severity::Warning;
constexpr auto Wrong = Finding::Severity::Error;

std::vector<Invalid> programCases()
{
    return {
        {"no program", Wrong, code::ProgramEmpty, "role.program",
         [](auto& s) { s.role().program = ""; }},
        {"program missing", Wrong, code::ProgramMissing, "role.program",
         [](auto& s) { s.role().program = "none.py"; }},
        {"launched from below", Wrong, code::ProgramInOtherFolder, "role.program",
         [](auto& s) {
             s.role().program = "examples/a.py";
             s.here.files["/examples/a.py"] = {true, false, true, false};
         }},
        {"launched from above", Wrong, code::ProgramInOtherFolder, "role.program",
         [](auto& s) {
             s.role().program = "a.py";
             s.here.files["/job/sub/a.py"] = {true, false, true, false};
         }},
        {"launched from inside", Wrong, code::ProgramInOtherFolder, "role.program",
         [](auto& s) { s.role().program = "examples/train.py"; }},
        {"a folder", Wrong, code::ProgramIsFolder, "role.program",
         [](auto& s) { s.role().program = "."; }},
        {"not readable", Wrong, code::ProgramNotReadable, "role.program",
         [](auto& s) { s.here.files["/job/train.py"].isReadable = false; }},
        {"an executable", Wrong, code::ProgramIsBinary, "role.program",
         [](auto& s) {
             s.here.contents["/job/train.py"] = "\x7f"
                                                "ELF...";
         }},
        {"a shell script", Wrong, code::ProgramIsOtherScript, "role.program",
         [](auto& s) {
             s.role().program = "train";
             s.here.files["/job/train"] = {true, false, true, false};
             s.here.contents["/job/train"] = "#!/bin/bash\n";
         }},
        {"a Python file that a shell may start", Warning, code::ProgramFirstLineIgnored,
         "role.program", [](auto& s) { s.here.contents["/job/train.py"] = "#!/bin/sh\n"; }},
        {"a Python file that uv may start", Warning, code::ProgramFirstLineIgnored, "role.program",
         [](auto& s) {
             s.role().program = "train";
             s.here.files["/job/train"] = {true, false, true, false};
             s.here.contents["/job/train"] = "#!/usr/bin/env -S uv run --script\n";
         }},
        {"working folder missing", Wrong, code::WorkingFolderMissing, "role.working_folder",
         [](auto& s) { s.role().workingFolder = "gone"; }},
        {"command missing", Wrong, code::CommandNotInPath, "role.command",
         [](auto& s) {
             s.role().kind = ProgramKind::Command;
             s.role().program = "nope";
         }},
        {"command path missing", Wrong, code::ProgramMissing, "role.command",
         [](auto& s) {
             s.role().kind = ProgramKind::Command;
             s.role().program = "./nope";
         }},
        {"command not executable", Wrong, code::ProgramMayNotRun, "role.command",
         [](auto& s) {
             s.role().kind = ProgramKind::Command;
             s.role().program = "./train.py";
         }},
        {"module is a path", Wrong, code::ModuleIsPath, "role.module",
         [](auto& s) {
             s.role().kind = ProgramKind::Module;
             s.role().program = "train.py";
         }},
        {"no interpreter", Wrong, code::NoInterpreter, "role.interpreter",
         [](auto& s) { s.here.active = ""; }},
        {"no such file", Wrong, code::ProgramAbsoluteMissing, "role.program",
         [](auto& s) { s.role().program = "/nonexistent.py"; }},
        {"no such command", Wrong, code::ProgramAbsoluteMissing, "role.command",
         [](auto& s) {
             s.role().kind = ProgramKind::Command;
             s.role().program = "/nope/x";
         }},
        {"interpreter missing", Wrong, code::InterpreterMissing, "role.interpreter",
         [](auto& s) { s.role().interpreter = "/gone"; }},
        {"interpreter unknown", Warning, code::InterpreterUnknown, "role.interpreter",
         [](auto& s) { s.here.interpreters.clear(); }},
        {"without torch", Wrong, code::InterpreterWithoutTorch, "role.interpreter",
         [](auto& s) { s.withoutTorch(InterpreterWitness::Itself); }},
        {"torch that the files don't show", Warning, code::InterpreterMayLackTorch,
         "role.interpreter", [](auto& s) { s.withoutTorch(InterpreterWitness::Files); }},
        {"torch that the program looks for itself", Warning, code::InterpreterMayLackTorch,
         "role.interpreter",
         [](auto& s) {
             s.withoutTorch(InterpreterWitness::Itself);
             s.here.contents["/job/train.py"] =
                 "import sys\nsys.path.insert(0, '/opt')\nimport torch\n";
         }},
        {"torch that the program can do without", Warning, code::InterpreterMayLackTorch,
         "role.interpreter",
         [](auto& s) {
             s.withoutTorch(InterpreterWitness::Itself);
             s.here.contents["/job/train.py"] = "try:\n    import torch\nexcept ImportError: 1\n";
         }},
        {"a module may import torch", Warning, code::InterpreterMayLackTorch, "role.interpreter",
         [](auto& s) {
             s.withoutTorch(InterpreterWitness::Itself);
             s.role().kind = ProgramKind::Module;
             s.role().program = "package.train";
         }},
        {"torch beside the program", Ok, code::InterpreterWithTorch, "role.interpreter",
         [](auto& s) {
             s.withoutTorch(InterpreterWitness::Itself);
             s.here.files["/job/torch/__init__.py"] = {true, false, true, false};
         }},
        {"an interpreter that only the job names", Warning, code::InterpreterNotAgreed,
         "role.interpreter", [](auto& s) { s.withoutTorch(InterpreterWitness::NotAgreed); }},
        {"an interpreter that wasn't asked at all", Warning, code::InterpreterNotAgreed,
         "role.interpreter",
         [](auto& s) {
             s.withoutTorch(InterpreterWitness::NotAgreed);
             s.here.interpreters["/py"].version = "";
         }},
        {"torch by the job's own variables", Warning, code::InterpreterOwnMissing,
         "role.interpreter", [](auto& s) { s.withoutTorch(InterpreterWitness::OwnMissing); }},
        {"torch not imported", Ok, code::InterpreterFound, "role.interpreter",
         [](auto& s) {
             s.here.interpreters["/py"].torchVersion = "";
             s.here.contents["/job/train.py"] = "import torchless\n# import torch\n";
         }},
        {"variable without a name", Wrong, code::VariableNameInvalid, "role.environment.A=B",
         [](auto& s) { s.role().environment["A=B"] = ""; }},
        {"variable with a command", Wrong, code::VariableNameInvalid,
         "role.environment.A;touch /tmp/x;TOKEN",
         [](auto& s) { s.role().environment["A;touch /tmp/x;TOKEN"] = ""; }},
        {"variable with a mask", Wrong, code::SecretMasked, "role.environment.HF_TOKEN",
         [](auto& s) { s.role().environment["HF_TOKEN"] = "***"; }},
        {"argument with a mask", Wrong, code::SecretMasked, "role.arguments",
         [](auto& s) { s.role().arguments = {"--token=***"}; }},
        {"variable of the launcher", Warning, code::VariableOfLauncher, "role.environment.RANK",
         [](auto& s) { s.role().environment["RANK"] = "3"; }},
        {"two roles of a name", Wrong, code::RoleNameTwice, "role.1.name",
         [](auto& s) { s.spec.roles.push_back(s.role()); }},
    };
}

std::vector<Invalid> countCases()
{
    return {
        {"no roles", Wrong, code::JobWithoutRoles, "role", [](auto& s) { s.spec.roles.clear(); }},
        {"no workers", Wrong, code::WorkersNotPositive, "role.workers",
         [](auto& s) { s.role().workers.number = 0; }},
        {"minus one", Wrong, code::WorkersNotPositive, "role.workers",
         [](auto& s) { s.role().workers.number = -1; }},
        {"gpu without one", Wrong, code::CudaNotAvailable, "role.workers",
         [](auto& s) {
             s.role().workers.kind = WorkerCount::Kind::Gpu;
             s.here.gpus.devices.clear();
         }},
        {"xpu without one", Wrong, code::XpuNotAvailable, "role.workers",
         [](auto& s) { s.role().workers.kind = WorkerCount::Kind::Xpu; }},
        {"auto counted", Ok, code::WorkersCounted, "role.workers",
         [](auto& s) { s.role().workers.kind = WorkerCount::Kind::Auto; }},
        {"nodes 5:2", Wrong, code::NodesOutOfOrder, "nodes",
         [](auto& s) {
             s.spec.nodes = {5, 2};
         }},
        {"nodes 0", Wrong, code::NodesOutOfOrder, "nodes",
         [](auto& s) {
             s.spec.nodes = {0, 2};
         }},
        {"no such gpu", Wrong, code::DeviceNotThere, "role.devices",
         [](auto& s) { s.role().devices = {9}; }},
        {"gpu twice", Wrong, code::DeviceTwice, "role.devices",
         [](auto& s) {
             s.role().devices = {1, 1};
         }},
        {"more gpus than there are", Wrong, code::NotEnoughDevices, "role.devices_per_worker",
         [](auto& s) {
             s.role().workers.number = 3;
             s.role().devicesPerWorker = 2;
         }},
        {"fewer gpus than none", Wrong, code::OptionTooSmall, "role.devices_per_worker",
         [](auto& s) { s.role().devicesPerWorker = -1; }},
        {"virtual ranks without gpus", Wrong, code::NotEnoughDevices, "virtual_local_rank",
         [](auto& s) {
             s.spec.virtualLocalRank = true;
             s.role().workers.number = 5;
         }},
        {"nccl without gpus", Wrong, code::NcclNeedsGpu, "backend",
         [](auto& s) {
             s.spec.backendHint = "nccl";
             s.here.gpus.devices.clear();
         }},
        {"nccl with too few gpus", Wrong, code::NcclNeedsGpuEach, "backend",
         [](auto& s) {
             s.spec.backendHint = "nccl";
             s.role().workers.number = 5;
         }},
        {"backend unknown", Wrong, code::BackendUnknown, "backend",
         [](auto& s) { s.spec.backendHint = "mpi"; }},
        {"ring algorithm unknown", Wrong, code::RingAlgorithmUnknown, "ring_algorithm",
         [](auto& s) { s.spec.ringAlgorithm = "star"; }},
        {"ring in a plain job", Warning, code::RingHiddenByPlain, "plain",
         [](auto& s) {
             s.spec.backendHint = "ring";
             s.spec.plain = true;
         }},
        {"gpu busy", Warning, code::DeviceBusy, "role.devices",
         [](auto& s) {
             s.here.gpus.devices[2].processes = {{3310, 1}};
         }},
        {"no gpu", Ok, code::WorkersUseCpu, "role.devices",
         [](auto& s) { s.here.gpus.devices.clear(); }},
        {"restarts", Wrong, code::MaxRestartsNegative, "restart.max",
         [](auto& s) { s.spec.restart.maxRestarts = -1; }},
        {"grace", Wrong, code::DurationNegative, "restart.grace",
         [](auto& s) { s.spec.restart.grace = -1s; }},
        {"delays", Warning, code::DelayLongerThanLongest, "restart.first_delay",
         [](auto& s) { s.spec.restart.firstDelay = 1h; }},
        {"monitor interval", Wrong, code::MonitorIntervalNotPositive, "monitor_interval",
         [](auto& s) { s.spec.monitorInterval = 0s; }},
    };
}

void useC10d(Situation& situation)
{
    situation.spec.rendezvous.method = RendezvousMethod::C10d;
    situation.spec.rendezvous.id = "j";
}

std::vector<Invalid> rendezvousCases()
{
    return {
        {"standalone with nodes", Wrong, code::StandaloneWithNodes, "rendezvous.standalone",
         [](auto& s) {
             s.spec.rendezvous.standalone = true;
             s.spec.nodes = {2, 2};
         }},
        {"standalone with endpoint", Warning, code::StandaloneIgnores, "rendezvous.endpoint",
         [](auto& s) {
             s.spec.rendezvous.standalone = true;
             s.spec.rendezvous.endpoint = "h:1";
         }},
        {"elastic static", Warning, code::StaticIsNotElastic, "nodes",
         [](auto& s) {
             s.spec.nodes = {1, 2};
         }},
        {"node rank", Wrong, code::NodeRankOutOfRange, "rendezvous.node_rank",
         [](auto& s) {
             s.spec.nodes = {2, 2};
             s.spec.rendezvous.nodeRank = 2;
         }},
        {"node rank of the only node", Warning, code::NodeRankUnused, "rendezvous.node_rank",
         [](auto& s) { s.spec.rendezvous.nodeRank = 1; }},
        {"node rank with c10d", Warning, code::NodeRankUnused, "rendezvous.node_rank",
         [](auto& s) {
             useC10d(s);
             s.spec.nodes = {2, 2};
             s.spec.rendezvous.nodeRank = 1;
         }},
        {"id of a node that meets nobody", Warning, code::StandaloneIgnores, "rendezvous.id",
         [](auto& s) { s.spec.rendezvous.id = "mine"; }},
        {"back-off no number", Wrong, code::RendezvousOptionNotSeconds,
         "rendezvous.configuration.cas_backoff_max_seconds",
         [](auto& s) {
             useC10d(s);
             s.spec.rendezvous.configuration["cas_backoff_max_seconds"] = "inf";
         }},
        {"endpoint port", Wrong, code::EndpointBadPort, "rendezvous.endpoint",
         [](auto& s) { s.spec.rendezvous.endpoint = "h:99999"; }},
        {"endpoint host", Wrong, code::EndpointBadHost, "rendezvous.endpoint",
         [](auto& s) { s.spec.rendezvous.endpoint = "a/b:1"; }},
        {"endpoint without port", Wrong, code::EndpointWithoutPort, "rendezvous.endpoint",
         [](auto& s) { s.spec.rendezvous.endpoint = "h"; }},
        {"master port", Wrong, code::EndpointBadPort, "rendezvous.master_address",
         [](auto& s) { s.spec.rendezvous.masterPort = 70000; }},
        {"master port unknown", Wrong, code::MasterPortUnknown, "rendezvous.master_address",
         [](auto& s) {
             s.spec.rendezvous.masterPort = 0;
             s.spec.nodes = {2, 2};
         }},
        {"port free", Ok, code::PortFree, "rendezvous.master_port",
         [](auto& s) { s.spec.rendezvous.masterPort = 29500; }},
        {"time that Slurm can't read", Wrong, code::SlurmTimeShape, "slurm.time",
         [](auto& s) { s.spec.slurm.time = "two hours"; }},
        {"partition of two lines", Wrong, code::SlurmWordShape, "slurm.partition",
         [](auto& s) { s.spec.slurm.partition = "a\nb"; }},
        {"option of two lines", Wrong, code::SlurmOptionShape, "slurm.options",
         [](auto& s) { s.spec.slurm.options = {"--a\nb"}; }},
        {"fewer than no GPUs", Wrong, code::SlurmGpusNegative, "slurm.gpus_per_node",
         [](auto& s) { s.spec.slurm.gpusPerNode = -1; }},
        {"Slurm that isn't here", Wrong, code::SlurmMissing, "run_on",
         [](auto& s) { s.spec.runOn = RunOn::Slurm; }},
        {"no container engine", Wrong, code::ContainerEngineMissing, "container.engine",
         [](auto& s) { s.role().image = "debian"; }},
        {"another container engine", Wrong, code::ContainerEngineMissing, "container.engine",
         [](auto& s) {
             s.role().image = "debian";
             s.spec.container.engine = "docker";
             s.here.commands["podman"] = "/usr/bin/podman";
         }},
        {"metrics port", Wrong, code::OptionTooLarge, "metrics",
         [](auto& s) { s.spec.metricsPort = 65536; }},
        {"metrics port below 0", Wrong, code::OptionTooSmall, "metrics",
         [](auto& s) { s.spec.metricsPort = -1; }},
        {"port busy", Wrong, code::PortBusyBy, "rendezvous.master_port",
         [](auto& s) {
             s.spec.rendezvous.masterPort = 29500;
             s.here.ports[29500] = {false, 77, "python"};
         }},
        {"port busy, holder hidden", Wrong, code::PortBusy, "rendezvous.endpoint",
         [](auto& s) {
             s.spec.rendezvous.endpoint = "here:7";
             s.here.ports[7] = {false, 0, ""};
         }},
        {"c10d port busy", Warning, code::PortBusyWillJoin, "rendezvous.endpoint",
         [](auto& s) {
             useC10d(s);
             s.here.ports[29400] = {false, 77, "python"};
         }},
        {"master for c10d", Warning, code::MasterAddressUnused, "rendezvous.master_address",
         [](auto& s) {
             useC10d(s);
             s.spec.rendezvous.masterPort = 1;
         }},
        {"nodes at localhost", Warning, code::EndpointIsLocal, "rendezvous.endpoint",
         [](auto& s) {
             useC10d(s);
             s.spec.nodes = {2, 2};
         }},
        {"common id", Warning, code::RunIdIsCommon, "rendezvous.id",
         [](auto& s) {
             useC10d(s);
             s.spec.nodes = {2, 2};
             s.spec.rendezvous.id = "none";
         }},
        {"no id", Wrong, code::RunIdEmpty, "rendezvous.id",
         [](auto& s) {
             useC10d(s);
             s.spec.rendezvous.id = "";
         }},
        {"file store", Wrong, code::FileStoreNeedsPath, "rendezvous.endpoint",
         [](auto& s) {
             useC10d(s);
             s.spec.rendezvous.configuration["store_type"] = "file";
         }},
        {"store type", Wrong, code::StoreTypeUnknown, "rendezvous.configuration.store_type",
         [](auto& s) {
             useC10d(s);
             s.spec.rendezvous.configuration["store_type"] = "etcd";
         }},
        {"unused option", Warning, code::RendezvousOptionUnused, "rendezvous.configuration.timeout",
         [](auto& s) {
             useC10d(s);
             s.spec.rendezvous.configuration["timeout"] = "3";
         }},
        {"option no integer", Wrong, code::RendezvousOptionNotInteger,
         "rendezvous.configuration.timeout",
         [](auto& s) { s.spec.rendezvous.configuration["timeout"] = "x"; }},
        {"option not positive", Wrong, code::RendezvousOptionNotPositive,
         "rendezvous.configuration.timeout",
         [](auto& s) { s.spec.rendezvous.configuration["timeout"] = "0"; }},
        {"option no boolean", Wrong, code::RendezvousOptionNotBoolean,
         "rendezvous.configuration.is_host",
         [](auto& s) {
             useC10d(s);
             s.spec.rendezvous.configuration["is_host"] = "perhaps";
         }},
    };
}

std::vector<Invalid> otherCases()
{
    return {
        {"log folder is a file", Wrong, code::LogFolderIsFile, "logs.folder",
         [](auto& s) { s.spec.logs.folder = "train.py"; }},
        {"log folder not writable", Wrong, code::FolderNotWritable, "logs.folder",
         [](auto& s) {
             s.spec.logs.folder = "/ro";
             s.here.readOnly = {"/ro"};
         }},
        {"log folder", Ok, code::LogFolderWritable, "logs.folder",
         [](auto& s) { s.spec.logs.folder = "logs"; }},
        {"no log files", Warning, code::NoLogFiles, "logs.folder",
         [](auto& s) {
             s.spec.logs.folder = "/dev/null";
             s.spec.logs.tee.all = 3;
         }},
        {"rank of redirect", Warning, code::LocalRankNotThere, "logs.redirect",
         [](auto& s) { s.spec.logs.redirects.byLocalRank[4] = 3; }},
        {"rank of filter", Warning, code::LocalRankNotThere, "logs.local_ranks",
         [](auto& s) { s.spec.logs.localRanksFilter = {1}; }},
        {"filter without tee", Warning, code::FilterNeedsTee, "logs.duplicate_stdout",
         [](auto& s) { s.spec.logs.duplicateStdoutFilters = {"x"}; }},
        {"start method", Warning, code::StartMethodUnknown, "start_method",
         [](auto& s) { s.spec.startMethod = "zzz"; }},
        {"start method used", Wrong, code::StartMethodUnknown, "start_method",
         [](auto& s) {
             s.spec.startMethod = "zzz";
             s.role().kind = ProgramKind::RunPath;
         }},
        {"event handler", Wrong, code::EventHandlerUnknown, "event_log_handler",
         [](auto& s) { s.spec.eventLogHandler = "x"; }},
        {"a port that hosts don't use", Warning, code::HostsChooseMaster,
         "rendezvous.master_address",
         [](auto& s) {
             s.spec.hosts = {"a", "b"};
             s.spec.rendezvous.masterPort = 29777;
         }},
        {"logs specs", Wrong, code::LogsSpecsUnsupported, "logs_specs",
         [](auto& s) { s.spec.logsSpecs = "x"; }},
        {"signal", Warning, code::SignalNameUnknown, "signals",
         [](auto& s) {
             s.spec.signalsToHandle = {"SIGUSR1", "SIGFOO"};
         }},
        {"rule for a number", Wrong, code::NumberRuleInvalid, "numbers.loss",
         [](auto& s) {
             s.spec.numbers = {{"acc", "(.)"}, {"loss", "("}};
         }},
        {"rule without a group", Wrong, code::NumberRuleWithoutGroup, "numbers.loss",
         [](auto& s) {
             s.spec.numbers = {{"loss", "x"}};
         }},
        {"too many rules", Wrong, code::NumberRulesTooMany, "numbers",
         [](auto& s) {
             for (int i = 0; i < 40; ++i)
                 s.spec.numbers["n" + std::to_string(i)] = "(.)";
         }},
        {"rule for a restart", Wrong, code::OutputPatternInvalid, "restart.only_if",
         [](auto& s) { s.spec.restart.onlyIf = "("; }},
        {"rule for no restart", Wrong, code::OutputPatternInvalid, "restart.unless",
         [](auto& s) { s.spec.restart.unless = std::string(1001, 'x'); }},
        {"rule without restarts", Warning, code::RestartRuleWithoutRestarts, "restart.unless",
         [](auto& s) { s.spec.restart.unless = "x"; }},
        {"leaving out fewer than none", Wrong, code::OptionTooSmall, "restart.leave_host_out_after",
         [](auto& s) { s.spec.restart.leaveHostOutAfter = -1; }},
        {"leaving out without hosts", Warning, code::LeavingOutWithoutHosts,
         "restart.leave_host_out_after", [](auto& s) { s.spec.restart.leaveHostOutAfter = 3; }},
        {"leaving out without restarts", Warning, code::LeavingOutWithoutRestarts,
         "restart.leave_host_out_after",
         [](auto& s) {
             s.spec.hosts = {"a", "b"};
             s.spec.restart.leaveHostOutAfter = 3;
         }},
        {"leaving out who is needed", Warning, code::LeavingOutNobody,
         "restart.leave_host_out_after",
         [](auto& s) {
             s.spec.hosts = {"a", "b"};
             s.spec.restart.maxRestarts = 3;
             s.spec.restart.leaveHostOutAfter = 3;
         }},
        {"longest run", Wrong, code::DurationNegative, "longest_run",
         [](auto& s) { s.spec.longestRun = -1s; }},
        {"kind of verdict", Wrong, code::VerdictKindUnknown, "stop_on.slow",
         [](auto& s) {
             s.spec.stopOn = {{"slow", "1m"}};
         }},
        {"time of a verdict", Wrong, code::StopTimeInvalid, "stop_on.hang",
         [](auto& s) {
             s.spec.stopOn = {{"hang", "soon"}};
         }},
        {"numa mode", Wrong, code::NumaBindingUnknown, "numa_binding",
         [](auto& s) { s.spec.numaBinding = "x"; }},
        {"numactl", Wrong, code::NumactlMissing, "numa_binding",
         [](auto& s) {
             s.spec.numaBinding = "node";
             s.here.commands.clear();
         }},
        {"numa without gpu", Wrong, code::NumaNeedsGpu, "numa_binding",
         [](auto& s) {
             s.spec.numaBinding = "node";
             s.here.gpus.devices.clear();
         }},
    };
}

std::string all(const std::vector<Finding>& findings)
{
    std::string text;
    for (const Finding& finding : findings)
        text += finding.place.field + ": " + describe(finding) + "\n";
    return text;
}

} // namespace

class tst_validation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsEachMistakeAndNoOther_data()
    {
        QTest::addColumn<int>("table");
        QTest::addColumn<int>("index");
        const auto tables = cases();
        for (size_t table = 0; table < tables.size(); ++table) {
            for (size_t index = 0; index < tables[table].size(); ++index)
                QTest::newRow(tables[table][index].name) << int(table) << int(index);
        }
    }

    void findsEachMistakeAndNoOther()
    {
        QFETCH(int, table);
        QFETCH(int, index);
        const Invalid one = cases()[size_t(table)][size_t(index)];
        Situation situation;
        one.change(situation);
        const auto findings = validate(situation.spec, situation.here);
        const auto found = std::ranges::find_if(
            findings, [&](const Finding& finding) { return finding.message.code == one.code; });
        QVERIFY2(found != findings.end(), all(findings).c_str());
        QVERIFY(found->severity == one.severity);
        QCOMPARE(found->place.field, std::string(one.field));
        QVERIFY2(describe(*found).find('{') == std::string::npos, describe(*found).c_str());
        const auto errors = std::ranges::count(findings, Wrong, &Finding::severity);
        // A missing working folder takes the program with it.
        const bool takesMore = one.code == code::WorkingFolderMissing;
        QVERIFY2(errors == (one.severity == Wrong ? 1 : 0) + (takesMore ? 1 : 0),
                 all(findings).c_str());
    }

    void showsWhatIsInOrder()
    {
        Situation situation;
        situation.spec.rendezvous.masterPort = 29500;
        QStringList texts;
        for (const Finding& finding : validate(situation.spec, situation.here)) {
            QVERIFY(finding.severity == Ok);
            texts += QString::fromStdString(describe(finding));
        }
        const QStringList expected{"train.py is there", "torch 2.11.0 with Python 3.11.2 in /py",
                                   "4 GPUs free", "Port 29500 is free"};
        QCOMPARE(texts, expected);
    }

    void aLaptopHasABatteryOfItsOwn()
    {
        FakeSystemInfo machine;
        QVERIFY(!hasBattery(machine));
        const std::string supply = "/sys/class/power_supply/sub/";
        machine.contents[supply + "type"] = "Mains\n";
        QVERIFY(!hasBattery(machine));
        machine.contents[supply + "type"] = "Battery\n";
        QVERIFY(hasBattery(machine));
        machine.contents[supply + "scope"] = "Device\n"; // a mouse
        QVERIFY(!hasBattery(machine));
        machine.contents[supply + "scope"] = "System\n";
        QVERIFY(hasBattery(machine));
    }

    void findsAllErrorsAtOnceAndFirst()
    {
        Situation situation;
        situation.role().program = "none.py";
        situation.role().workers.number = 0;
        situation.role().interpreter = "/gone";
        situation.spec.nodes = {5, 2};
        situation.spec.logs.folder = "train.py";
        situation.here.ports[29500] = {false, 1, "x"};
        situation.here.gpus.devices[0].processes = {{1, 1}};
        const auto findings = validate(situation.spec, situation.here);
        const auto errors = std::ranges::count(findings, Wrong, &Finding::severity);
        QCOMPARE(int(errors), 6);
        for (int i = 0; i < errors; ++i)
            QVERIFY(findings[size_t(i)].severity == Wrong);
    }

    void namesTheLineOfTheFile()
    {
        const auto file = parseJobFile("program = 'train.py'\nworkers = 0\n[restart]\nmax = -1\n");
        const FakeSystemInfo here;
        const auto findings = validate(file->spec, here, file->places);
        QVERIFY(describe(findings[0]).starts_with("line 2, column 11: 0 workers can't run"));
        QVERIFY(describe(findings[1]).starts_with("line 4, column 7: max_restarts must be >= 0"));
    }

    void aRankInTheProgramsNameIsNotLookedFor()
    {
        Situation situation;
        situation.role().program = "train_${local_rank}.py";
        QVERIFY(!hasErrors(validate(situation.spec, situation.here)));
    }

private:
    static std::vector<std::vector<Invalid>> cases()
    {
        return {programCases(), countCases(), rendezvousCases(), otherCases()};
    }
};

QTEST_GUILESS_MAIN(tst_validation)
#include "tst_validation.moc"
