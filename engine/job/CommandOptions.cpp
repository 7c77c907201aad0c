#include "engine/job/CommandOptions.h"

#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ringmaster {

namespace {

using enum OptionKind;
using enum OptionOrigin;

constexpr auto Rows = std::to_array<OptionRow>({
    {"--nnodes", 0, Text, Torchrun, true, {}, "Number of nodes, or MIN:MAX for an elastic job."},
    {"--nproc-per-node",
     0,
     Text,
     Torchrun,
     true,
     {},
     "Workers on each node: a number, auto, gpu, cpu or xpu."},
    {"--rdzv-backend", 0, Text, Torchrun, true, {}, "How the nodes meet: static or c10d."},
    {"--rdzv-endpoint", 0, Text, Torchrun, true, {}, "Where they meet: HOST[:PORT]."},
    {"--rdzv-id", 0, Text, Torchrun, true, {}, "Name of the job, the same on every node."},
    {"--rdzv-conf",
     0,
     Text,
     Torchrun,
     true,
     {},
     "More about the rendezvous: KEY=VALUE,KEY=VALUE, for example timeout=60."},
    {"--standalone",
     0,
     Flag,
     Torchrun,
     true,
     {},
     "One node that needs no endpoint: a free port and a fresh id are chosen."},
    {"--max-restarts",
     0,
     Integer,
     Torchrun,
     true,
     {},
     "How often the workers may be started again after a failure."},
    {"--monitor-interval",
     0,
     Number,
     Torchrun,
     true,
     {},
     "Seconds between two looks at the workers; Ringmaster notices an exit at once."},
    {"--start-method", 0, Text, Torchrun, true, "spawn,fork,forkserver",
     "How --run-path starts its processes."},
    {"--event-log-handler",
     0,
     Text,
     Torchrun,
     true,
     {},
     "Where torchelastic's events go: null or console."},
    {"--role",
     0,
     Text,
     Torchrun,
     true,
     {},
     "Name of the workers' role, the prefix of their lines."},
    {"--module", 'm', Flag, Torchrun, true, {}, "The program is a module: python -m PROGRAM."},
    {"--no-python", 0, Flag, Torchrun, true, {}, "The program is executed itself, without python."},
    {"--run-path", 0, Flag, Torchrun, true, {}, "The program is run by runpy.run_path."},
    {"--log-dir", 0, Text, Torchrun, true, {}, "Folder for the workers' logs; /dev/null: none."},
    {"--redirects",
     'r',
     Text,
     Torchrun,
     true,
     {},
     "Streams that go to files: 1 stdout, 2 stderr, 3 both, or RANK:N,RANK:N for local ranks."},
    {"--tee",
     't',
     Text,
     Torchrun,
     true,
     {},
     "Streams that go to files and to the terminal, as -r."},
    {"--local-ranks-filter",
     0,
     Text,
     Torchrun,
     true,
     {},
     "Only these local ranks are shown in the terminal, for example 0,1."},
    {"--duplicate-stdout-filters",
     0,
     CommaList,
     Torchrun,
     true,
     {},
     "Lines of tee'd stdout with one of these texts are written to filtered_stdout.log too."},
    {"--duplicate-stderr-filters",
     0,
     CommaList,
     Torchrun,
     true,
     {},
     "The same for stderr and filtered_stderr.log."},
    {"--node-rank", 0, Integer, Torchrun, true, {}, "Number of this node; static rendezvous only."},
    {"--master-addr", 0, Text, Torchrun, true, {}, "Address of node 0; static rendezvous only."},
    {"--master-port", 0, Integer, Torchrun, true, {}, "Port on node 0; static rendezvous only."},
    {"--local-addr", 0, Text, Torchrun, true, {}, "Address of this node for the others."},
    {"--logs-specs", 0, Text, Torchrun, false, {}, "A Python plug-in for logs; not supported."},
    {"--numa-binding", 0, Text, Torchrun, false, "node,socket,exclusive,core-complex",
     "Bind each worker to the CPUs near its GPU."},
    {"--signals-to-handle",
     0,
     Text,
     Torchrun,
     true,
     {},
     "Signals that are passed on to the workers, for example SIGTERM,SIGUSR1."},
    {"--virtual-local-rank",
     0,
     Flag,
     Torchrun,
     true,
     {},
     "Every worker has LOCAL_RANK 0 and sees one GPU."},
    {"--shutdown-timeout",
     0,
     Number,
     NewerTorchrun,
     true,
     {},
     "Seconds between SIGTERM and SIGKILL."},
    {"--exit-barrier-timeout",
     0,
     Number,
     NewerTorchrun,
     true,
     {},
     "Seconds that a finished node waits for the others."},
    {"--name", 0, Text, Ringmaster, false, {}, "Name of the job in Ringmaster."},
    {"--plain",
     0,
     Flag,
     Ringmaster,
     false,
     {},
     "Add nothing to the workers' environment that torchrun doesn't."},
    {"--no-record-operations",
     0,
     Flag,
     Ringmaster,
     false,
     {},
     "Don't record the collective operations of the workers."},
    {"--warm", 0, Text, Ringmaster, false, "auto,on,off",
     "Fork the workers from a process that has imported torch already."},
    {"--preload",
     0,
     CommaList,
     Ringmaster,
     false,
     {},
     "Modules that such a process imports, for example torch,torch._dynamo."},
    {"--python", 0, Text, Ringmaster, false, {}, "The interpreter that runs the program."},
    {"--working-folder", 0, Text, Ringmaster, false, {}, "The folder that the workers run in."},
    {"--env",
     0,
     Repeated,
     Ringmaster,
     false,
     {},
     "NAME=VALUE for the workers' environment; can be given several times."},
    {"--hosts",
     0,
     CommaList,
     Ringmaster,
     false,
     {},
     "The hosts to run on, for example gpu1,gpu2:4 or @lab; see `ringmaster host`."},
    {"--devices", 0, Text, Ringmaster, false, {}, "The GPUs to use, for example 0,1."},
    {"--devices-per-worker", 0, Integer, Ringmaster, false, {}, "GPUs that each worker sees."},
    {"--image",
     0,
     Text,
     Ringmaster,
     false,
     {},
     "Container image that the workers run in; for Apptainer and Charliecloud a file or folder."},
    {"--container-engine", 0, Text, Ringmaster, false, "podman,docker,apptainer,charliecloud",
     "What runs the image; the first that is found."},
    {"--container-mount",
     0,
     Repeated,
     Ringmaster,
     false,
     {},
     "A folder for the container: SOURCE[:TARGET[:ro]]; the working folder is there in any case."},
    {"--container-device",
     0,
     Repeated,
     Ringmaster,
     false,
     {},
     "A device for the container, for example /dev/fuse."},
    {"--container-option",
     0,
     Repeated,
     Ringmaster,
     false,
     {},
     "A further option of the engine's run, as --container-option=--shm-size=8g."},
    {"--backend", 0, Text, Ringmaster, false, "gloo,nccl,ring",
     "What the program uses, for checks."},
    {"--ring-algorithm", 0, Text, Ringmaster, false, "auto,ring,tree,direct",
     "How the collectives of the backend ring go."},
    {"--ring-interface",
     0,
     Text,
     Ringmaster,
     false,
     {},
     "The interface or address of the backend ring between hosts."},
    {"--slurm",
     0,
     Flag,
     Ringmaster,
     false,
     {},
     "Run on nodes that Slurm gives, as many as --nnodes."},
    {"--slurm-partition", 0, Text, Ringmaster, false, {}, "Slurm: the partition."},
    {"--slurm-account", 0, Text, Ringmaster, false, {}, "Slurm: the account that is charged."},
    {"--slurm-time",
     0,
     Text,
     Ringmaster,
     false,
     {},
     "Slurm: the longest time, for example 4:00:00 or 2-12 (days-hours)."},
    {"--slurm-gpus-per-node", 0, Integer, Ringmaster, false, {}, "Slurm: GPUs on each node."},
    {"--slurm-option",
     0,
     Repeated,
     Ringmaster,
     false,
     {},
     "Slurm: a further option of sbatch, as --slurm-option=--constraint=a100; can be given several "
     "times."},
    {"--backoff",
     0,
     Duration,
     Ringmaster,
     false,
     {},
     "Pause before a restart, doubled each time, for example 1s."},
    {"--longest-backoff", 0, Duration, Ringmaster, false, {}, "The longest such pause."},
    {"--minimum-healthy-time",
     0,
     Duration,
     Ringmaster,
     false,
     {},
     "An attempt that fails sooner isn't tried again."},
    {"--grace", 0, Duration, Ringmaster, false, {}, "Time between SIGTERM and SIGKILL."},
});

std::string upper(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string valueName(const OptionRow& row)
{
    return row.choices.empty() ? upper(row.destination()) : "{" + std::string(row.choices) + "}";
}

/// Words filled into lines of at most 80 columns, each behind `indent` blanks.
std::string filled(const std::vector<std::string>& words, std::string first, size_t indent)
{
    std::string text;
    std::string line = std::move(first);
    bool fresh = true;
    for (const std::string& word : words) {
        if (!fresh && line.size() + 1 + word.size() > 80) {
            text += line + "\n";
            line.assign(indent, ' ');
            fresh = true;
        }
        line += (fresh ? "" : " ") + word;
        fresh = false;
    }
    return text + line + "\n";
}

std::string helpOf(const OptionRow& row)
{
    std::vector<std::string> spellings = row.spellings();
    for (std::string& spelling : spellings)
        spelling += row.takesValue() ? " " + valueName(row) : "";
    return "  " + join(spellings, ", ") + "\n" +
           filled(split(row.help, ' '), std::string(24, ' '), 24);
}

} // namespace

std::string OptionRow::destination() const
{
    std::string text(name.substr(2));
    std::ranges::replace(text, '-', '_');
    return text;
}

std::string OptionRow::variable() const
{
    return "PET_" + upper(destination());
}

std::vector<std::string> OptionRow::spellings() const
{
    std::vector<std::string> all;
    if (letter != 0)
        all.push_back(std::string("-") + letter);
    all.emplace_back(name);
    if (name.find('-', 2) != std::string_view::npos)
        all.push_back("--" + destination());
    return all;
}

std::string OptionRow::argparseName() const
{
    return join(spellings(), "/");
}

std::span<const OptionRow> commandOptions()
{
    return Rows;
}

const OptionRow* findOption(std::string_view destination)
{
    const auto found = std::ranges::find_if(
        Rows, [&](const OptionRow& row) { return row.destination() == destination; });
    return found == Rows.end() ? nullptr : &*found;
}

std::string commandUsage(std::string_view program)
{
    std::vector<std::string> words{"[-h]"};
    for (const OptionRow& row : Rows) {
        const std::string spelling = row.spellings().front();
        words.push_back("[" + spelling + (row.takesValue() ? " " + valueName(row) : "") + "]");
    }
    words.insert(words.end(), {"training_script", "..."});
    return filled(words, "usage: " + std::string(program) + " ", std::string("usage: ").size());
}

std::string commandHelp(std::string_view program, std::span<const OptionRow> extra)
{
    std::string text = commandUsage(program) +
                       "\nThe first word that is no option is the program; everything behind it "
                       "goes to the program.\n\noptions:\n  -h, --help\n";
    for (const OptionRow& row : Rows) {
        if (row.origin != Ringmaster)
            text += helpOf(row);
    }
    text += "\nRingmaster's own options:\n";
    for (const OptionRow& row : Rows) {
        if (row.origin == Ringmaster)
            text += helpOf(row);
    }
    for (const OptionRow& row : extra)
        text += helpOf(row);
    return text;
}

} // namespace ringmaster
