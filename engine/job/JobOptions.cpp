#include "engine/job/JobOptions.h"

#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

using enum OptionKind;
using enum OptionOrigin;

template <auto Member>
auto& inJob(JobSpec& job, Role&)
{
    return job.*Member;
}

template <auto Part, auto Member>
auto& inPart(JobSpec& job, Role&)
{
    return job.*Part.*Member;
}

template <auto Member>
auto& inRole(JobSpec&, Role& role)
{
    return role.*Member;
}

template <auto Member>
constexpr JobField of()
{
    return {.place = &inJob<Member>};
}

/// `of<&JobSpec::restart, &RestartSpec::grace>()` is job.restart.grace.
template <auto Part, auto Member>
constexpr JobField of()
{
    return {.place = &inPart<Part, Member>};
}

template <auto Member>
constexpr JobField ofRole()
{
    return {.place = &inRole<Member>, .isOfRole = true};
}

/// One of torchrun's options, with its place in torchrun's help.
constexpr JobOption torchrun(int place, std::string_view name, OptionKind kind,
                             std::string_view key, JobField field, std::string_view help)
{
    return {.row = {.name = name, .kind = kind, .help = help, .place = place},
            .key = key,
            .field = field};
}

constexpr JobOption since(std::string_view version, JobOption option)
{
    option.row.origin = NewerTorchrun;
    option.row.since = version;
    return option;
}

constexpr JobOption ours(std::string_view name, OptionKind kind, std::string_view key,
                         JobField field, std::string_view help)
{
    return {.row = {.name = name,
                    .kind = kind,
                    .origin = Ringmaster,
                    .hasVariable = false,
                    .help = help},
            .key = key,
            .field = field};
}

constexpr JobOption inFiles(std::string_view key, JobField field, std::string_view help)
{
    return ours({}, Text, key, field, help);
}

constexpr JobOption withLetter(char letter, JobOption option)
{
    option.row.letter = letter;
    return option;
}

constexpr JobOption withoutVariable(JobOption option)
{
    option.row.hasVariable = false;
    return option;
}

constexpr JobOption choosing(std::string_view choices, JobOption option)
{
    option.row.choices = choices;
    return option;
}

constexpr JobOption notNegative(JobOption option)
{
    option.least = 0;
    return option;
}

constexpr JobOption between(int least, int most, JobOption option)
{
    option.least = least;
    option.most = most;
    return option;
}

constexpr auto Options = std::to_array<JobOption>({
    ours("--name", Text, "name", of<&JobSpec::name>(), "Name of the job in Ringmaster."),

    // A role: in a job of one, they stand beside the rest.
    withLetter(
        'm', torchrun(13, "--module", Flag, {}, {}, "The program is a module: python -m PROGRAM.")),
    torchrun(14, "--no-python", Flag, {}, {}, "The program is executed itself, without python."),
    torchrun(15, "--run-path", Flag, {}, {}, "The program is run by runpy.run_path."),
    inFiles("arguments", ofRole<&Role::arguments>(), "What the program is given."),
    torchrun(2, "--nproc-per-node", Text, "workers", ofRole<&Role::workers>(),
             "Workers on each node: a number, auto, gpu, cpu or xpu."),
    torchrun(12, "--role", Text, "role", ofRole<&Role::name>(),
             "Name of the workers' role, the prefix of their lines."),
    ours("--python", Text, "interpreter", ofRole<&Role::interpreter>(),
         "The interpreter that runs the program."),
    ours("--working-folder", Text, "working_folder", ofRole<&Role::workingFolder>(),
         "The folder that the workers run in."),
    ours("--devices", Text, "devices", ofRole<&Role::devices>(),
         "The GPUs to use, for example 0,1."),
    notNegative(ours("--devices-per-worker", Integer, "devices_per_worker",
                     ofRole<&Role::devicesPerWorker>(), "GPUs that each worker sees.")),
    between(-20, 19,
            ours("--nice", Integer, "nice", ofRole<&Role::nice>(),
                 "Niceness of the workers: 19 leaves the processors to others first.")),
    ours("--image", Text, "image", ofRole<&Role::image>(),
         "Container image that the workers run in; for Apptainer and Charliecloud a file or "
         "folder."),
    ours("--env", Repeated, "environment", ofRole<&Role::environment>(),
         "NAME=VALUE for the workers' environment; can be given several times."),

    torchrun(1, "--nnodes", Text, "nodes", of<&JobSpec::nodes>(),
             "Number of nodes, or MIN:MAX for an elastic job."),
    ours("--slurm", Flag, "run_on", of<&JobSpec::runOn>(),
         "Run on nodes that Slurm gives, as many as --nnodes."),
    ours("--hosts", CommaList, "hosts", of<&JobSpec::hosts>(),
         "The hosts to run on, for example gpu1,gpu2:4 or @lab; see `ringmaster host`."),
    choosing("gloo,ring,nccl", ours("--backend", Text, "backend", of<&JobSpec::backendHint>(),
                                    "What the program uses, for checks.")),
    choosing("auto,ring,tree,direct",
             ours("--ring-algorithm", Text, "ring_algorithm", of<&JobSpec::ringAlgorithm>(),
                  "How the collectives of the backend ring go.")),
    ours("--ring-interface", Text, "ring_interface", of<&JobSpec::ringInterface>(),
         "The interface or address of the backend ring between hosts."),
    withoutVariable(
        choosing("node,socket,exclusive,core-complex",
                 torchrun(27, "--numa-binding", Text, "numa_binding", of<&JobSpec::numaBinding>(),
                          "Bind each worker to the CPUs near its GPU."))),
    torchrun(29, "--virtual-local-rank", Flag, "virtual_local_rank",
             of<&JobSpec::virtualLocalRank>(), "Every worker has LOCAL_RANK 0 and sees one GPU."),
    ours("--plain", Flag, "plain", of<&JobSpec::plain>(),
         "Add nothing to the workers' environment that torchrun doesn't."),
    ours("--no-record-operations", Flag, "record_operations", of<&JobSpec::recordOperations>(),
         "Don't record the collective operations of the workers."),
    choosing("auto,on,off", ours("--warm", Text, "warm", of<&JobSpec::warm>(),
                                 "Fork the workers from a process that has imported torch "
                                 "already.")),
    ours("--preload", CommaList, "preload", of<&JobSpec::preload>(),
         "Modules that such a process imports, for example torch,torch._dynamo."),
    ours("--longest-run", Duration, "longest_run", of<&JobSpec::longestRun>(),
         "The run is ended after this time, restarts included, for example 4h."),
    ours("--stop-on", Repeated, "stop_on", of<&JobSpec::stopOn>(),
         "KIND=TIME: the run is ended when a verdict of this kind (hang, mismatch, straggler, "
         "slowWire or waiting) has stood so long, for example hang=10m; can be given several "
         "times."),
    ours("--number", Repeated, "numbers", of<&JobSpec::numbers>(),
         "NAME=EXPRESSION for a number in the output, whose first group it is, for example "
         "cache='cache is (\\S+) GB'; can be given several times."),
    between(0, 65535,
            ours("--metrics", Integer, "metrics", of<&JobSpec::metricsPort>(),
                 "Port of 127.0.0.1 where Prometheus finds the run's metrics; 0: a free one.")),
    torchrun(28, "--signals-to-handle", Text, "signals", of<&JobSpec::signalsToHandle>(),
             "Signals that are passed on to the workers, for example SIGTERM,SIGUSR1."),
    torchrun(9, "--monitor-interval", Number, "monitor_interval", of<&JobSpec::monitorInterval>(),
             "Seconds between two looks at the workers; Ringmaster notices an exit at once."),
    choosing("spawn,fork,forkserver",
             torchrun(10, "--start-method", Text, "start_method", of<&JobSpec::startMethod>(),
                      "How --run-path starts its processes.")),
    torchrun(11, "--event-log-handler", Text, "event_log_handler", of<&JobSpec::eventLogHandler>(),
             "Where torchelastic's events go: null or console."),
    withoutVariable(torchrun(26, "--logs-specs", Text, "logs_specs", of<&JobSpec::logsSpecs>(),
                             "A Python plug-in for logs; not supported.")),

    torchrun(8, "--max-restarts", Integer, "restart.max",
             of<&JobSpec::restart, &RestartSpec::maxRestarts>(),
             "How often the workers may be started again after a failure."),
    ours("--backoff", Duration, "restart.first_delay",
         of<&JobSpec::restart, &RestartSpec::firstDelay>(),
         "Pause before a restart, doubled each time, for example 1s."),
    ours("--longest-backoff", Duration, "restart.longest_delay",
         of<&JobSpec::restart, &RestartSpec::longestDelay>(), "The longest such pause."),
    ours("--minimum-healthy-time", Duration, "restart.minimum_healthy_time",
         of<&JobSpec::restart, &RestartSpec::minimumHealthyTime>(),
         "An attempt that fails sooner isn't tried again."),
    since("2.12", torchrun(28, "--shutdown-timeout", Number, {},
                           of<&JobSpec::restart, &RestartSpec::grace>(),
                           "Seconds between SIGTERM and SIGKILL.")),
    ours("--grace", Duration, "restart.grace", of<&JobSpec::restart, &RestartSpec::grace>(),
         "Time between SIGTERM and SIGKILL."),
    since("", torchrun(31, "--exit-barrier-timeout", Number, "restart.exit_barrier",
                       of<&JobSpec::restart, &RestartSpec::exitBarrier>(),
                       "Seconds that a finished node waits for the others.")),

    ours("--restart-only-if", Text, "restart.only_if",
         of<&JobSpec::restart, &RestartSpec::onlyIf>(),
         "Expression (RE2): an attempt is tried again only if the last 64 KiB that the failed rank "
         "printed match it."),
    ours("--restart-unless", Text, "restart.unless", of<&JobSpec::restart, &RestartSpec::unless>(),
         "The same: an attempt isn't tried again if they match it."),
    notNegative(ours("--leave-host-out-after", Integer, "restart.leave_host_out_after",
                     of<&JobSpec::restart, &RestartSpec::leaveHostOutAfter>(),
                     "Once workers on one host were the cause of so many failures, the job goes on "
                     "without it, or ends if --nnodes MIN:MAX needs it. 0: never.")),

    torchrun(3, "--rdzv-backend", Text, "rendezvous.method",
             of<&JobSpec::rendezvous, &RendezvousSpec::method>(),
             "How the nodes meet: static or c10d."),
    torchrun(7, "--standalone", Flag, "rendezvous.standalone",
             of<&JobSpec::rendezvous, &RendezvousSpec::standalone>(),
             "One node that needs no endpoint: a free port and a fresh id are chosen."),
    torchrun(4, "--rdzv-endpoint", Text, "rendezvous.endpoint",
             of<&JobSpec::rendezvous, &RendezvousSpec::endpoint>(),
             "Where they meet: HOST[:PORT]."),
    torchrun(5, "--rdzv-id", Text, "rendezvous.id", of<&JobSpec::rendezvous, &RendezvousSpec::id>(),
             "Name of the job, the same on every node."),
    torchrun(22, "--node-rank", Integer, "rendezvous.node_rank",
             of<&JobSpec::rendezvous, &RendezvousSpec::nodeRank>(),
             "Number of this node; static rendezvous only."),
    torchrun(23, "--master-addr", Text, "rendezvous.master_address",
             of<&JobSpec::rendezvous, &RendezvousSpec::masterAddress>(),
             "Address of node 0; static rendezvous only."),
    torchrun(24, "--master-port", Integer, "rendezvous.master_port",
             of<&JobSpec::rendezvous, &RendezvousSpec::masterPort>(),
             "Port on node 0; static rendezvous only. One node takes a free one, several 29500."),
    torchrun(25, "--local-addr", Text, "rendezvous.local_address",
             of<&JobSpec::rendezvous, &RendezvousSpec::localAddress>(),
             "Address of this node for the others."),
    torchrun(6, "--rdzv-conf", Text, "rendezvous.configuration",
             of<&JobSpec::rendezvous, &RendezvousSpec::configuration>(),
             "More about the rendezvous: KEY=VALUE,KEY=VALUE, for example timeout=60. With --hosts "
             "also node_timeout=20 (seconds after which the others go on without a silent host), "
             "lead_timeout=60 (after which an agent without its lead ends) and login_timeout=20 "
             "(after which a login is said to be silent; it is waited for four times as long)."),

    torchrun(16, "--log-dir", Text, "logs.folder", of<&JobSpec::logs, &LogSpec::folder>(),
             "Folder for the workers' logs; /dev/null: none."),
    withLetter('r', torchrun(17, "--redirects", Text, "logs.redirect",
                             of<&JobSpec::logs, &LogSpec::redirects>(),
                             "Streams that go to files: 1 stdout, 2 stderr, 3 both, or "
                             "RANK:N,RANK:N for local ranks.")),
    withLetter('t', torchrun(18, "--tee", Text, "logs.tee", of<&JobSpec::logs, &LogSpec::tee>(),
                             "Streams that go to files and to the terminal, as -r.")),
    torchrun(19, "--local-ranks-filter", Text, "logs.local_ranks",
             of<&JobSpec::logs, &LogSpec::localRanksFilter>(),
             "Only these local ranks are shown in the terminal, for example 0,1."),
    torchrun(20, "--duplicate-stdout-filters", CommaList, "logs.duplicate_stdout",
             of<&JobSpec::logs, &LogSpec::duplicateStdoutFilters>(),
             "Lines of tee'd stdout with one of these texts are written to filtered_stdout.log "
             "too."),
    torchrun(21, "--duplicate-stderr-filters", CommaList, "logs.duplicate_stderr",
             of<&JobSpec::logs, &LogSpec::duplicateStderrFilters>(),
             "The same for stderr and filtered_stderr.log."),
    since("2.14", torchrun(18, "--log-line-prefix-template", Text, "logs.line_prefix",
                           of<&JobSpec::logs, &LogSpec::linePrefix>(),
                           "What stands before a tee'd line in the terminal; ${role_name}, "
                           "${local_rank}, ${rank} and ${hostname} are replaced.")),
    since("2.14", withoutVariable(
                      choosing("bash,zsh,tcsh", torchrun(30, "--print-completion", Text, {}, {},
                                                         "Print the completion of a shell, and run "
                                                         "nothing.")))),

    ours("--slurm-partition", Text, "slurm.partition", of<&JobSpec::slurm, &SlurmSpec::partition>(),
         "Slurm: the partition."),
    ours("--slurm-account", Text, "slurm.account", of<&JobSpec::slurm, &SlurmSpec::account>(),
         "Slurm: the account that is charged."),
    ours("--slurm-time", Text, "slurm.time", of<&JobSpec::slurm, &SlurmSpec::time>(),
         "Slurm: the longest time, for example 4:00:00 or 2-12 (days-hours)."),
    ours("--slurm-gpus-per-node", Integer, "slurm.gpus_per_node",
         of<&JobSpec::slurm, &SlurmSpec::gpusPerNode>(), "Slurm: GPUs on each node."),
    ours("--slurm-option", Repeated, "slurm.options", of<&JobSpec::slurm, &SlurmSpec::options>(),
         "Slurm: a further option of sbatch, as --slurm-option=--constraint=a100; can be given "
         "several times."),

    choosing("podman,docker,apptainer,charliecloud",
             ours("--container-engine", Text, "container.engine",
                  of<&JobSpec::container, &ContainerSpec::engine>(),
                  "What runs the image; the first that is found.")),
    ours("--container-mount", Repeated, "container.mounts",
         of<&JobSpec::container, &ContainerSpec::mounts>(),
         "A folder for the container: SOURCE[:TARGET[:ro]]; the working folder is there in any "
         "case."),
    ours("--container-device", Repeated, "container.devices",
         of<&JobSpec::container, &ContainerSpec::devices>(),
         "A device for the container, for example /dev/fuse."),
    ours("--container-option", Repeated, "container.options",
         of<&JobSpec::container, &ContainerSpec::options>(),
         "A further option of the engine's run, as --container-option=--shm-size=8g."),
});

} // namespace

std::string_view JobOption::section() const
{
    const size_t dot = key.find('.');
    return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string_view JobOption::name() const
{
    return key.substr(key.find('.') + 1);
}

std::span<const JobOption> jobOptions()
{
    return Options;
}

const JobOption* findJobOption(std::string_view key)
{
    const auto found = std::ranges::find(Options, key, &JobOption::key);
    return found == Options.end() ? nullptr : &*found;
}

std::vector<std::string> choicesOf(std::string_view key)
{
    const std::string_view choices = findJobOption(key)->row.choices;
    return choices.empty() ? std::vector<std::string>() : split(choices, ',');
}

bool isChoice(std::string_view key, std::string_view value)
{
    return std::ranges::count(choicesOf(key), value) > 0;
}

std::vector<std::string_view> jobSections()
{
    std::vector<std::string_view> sections;
    for (const JobOption& option : Options) {
        const std::string_view section = option.section();
        if (!section.empty() && std::ranges::find(sections, section) == sections.end())
            sections.push_back(section);
    }
    return sections;
}

} // namespace ringmaster
