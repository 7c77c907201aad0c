#include "engine/job/Codes.h"
#include "engine/job/CommandLine.h"
#include "engine/job/TorchrunLine.h"
#include "engine/job/Validation.h"
#include "engine/job/WorkerCommand.h"
#include "engine/job/WorkerCounts.h"
#include "engine/machine/RealSystemInfo.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"
#include "tests/job/RandomJob.h"
#include "tests/support/TorchInterpreter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

namespace {

/// What a line may differ in, each for a reason that is written down beside the case.
enum class Differs { No, AcceptsMore, OtherWords, UntilNewest };

struct Case
{
    std::vector<std::string> words;
    EnvironmentMap environment{};
    Differs differs = Differs::No;
};

std::vector<std::string> words(const char* text)
{
    std::vector<std::string> all;
    for (std::string& word : split(text, ' ')) {
        if (word == "''")
            word.clear();
        all.push_back(std::move(word));
    }
    return all;
}

std::vector<Case> table()
{
    std::vector<Case> all;
    for (const char* line : {
             "train.py",
             "train.py a --b=c ${local_rank} $$ $local_rank $x $",
             "--standalone train.py",
             "--nnodes 2 t.py",
             "--nnodes 1:4 t.py",
             "--nnodes=2:2 t.py",
             "--nnodes 2:1 t.py",
             "--nnodes 0 t.py",
             "--nnodes 1:2:3 t.py",
             "--nnodes x t.py",
             "--nnodes '' t.py",
             "--nnodes 1_0 t.py",
             "--nnodes 1: t.py",
             "--nproc-per-node 4 t.py",
             "--nproc_per_node 4 t.py",
             "--nproc_per_node=cpu t.py",
             "--nproc-per-node auto t.py",
             "--nproc-per-node gpu t.py",
             "--nproc-per-node xpu t.py",
             "--nproc-per-node 0 t.py",
             "--nproc-per-node -1 t.py",
             "--nproc-per-node two t.py",
             "--nproc 2 t.py",
             "--nproc-per 2 t.py",
             "--nproc_ 2 t.py",
             "--nn 2 t.py",
             "--n 2 t.py",
             "--stand t.py",
             "--s t.py",
             "--st t.py",
             "--mod m",
             "--ro r t.py",
             "--te 1 t.py",
             "--rd x t.py",
             "--rdzv-b c10d t.py",
             "--rdzv_i=7 t.py",
             "--=x t.py",
             "--no t.py",
             "-m pkg.mod a b",
             "-m -r 3 pkg.mod",
             "-mr3 pkg.mod",
             "-mx pkg.mod",
             "-m=x pkg",
             "-m= p",
             "-r3 t.py",
             "-r 3 t.py",
             "-r=3 t.py",
             "-r 0:1,1:2 t.py",
             "-r 4 t.py",
             "-r '' t.py",
             "-r 0:4 t.py",
             "-r 0:1, t.py",
             "-t 3 -r 1 t.py",
             "-t 1:3,2:0 t.py",
             "-r",
             "-r -t 3 t.py",
             "--redirects 3 --tee 1 t.py",
             "-r -- 3 t.py",
             "-tm t.py",
             "-x t.py",
             "-x y t.py",
             "--foo t.py",
             "--foo=1 t.py --bar",
             "--foo --bar t.py",
             "--foo",
             "",
             "--standalone",
             "--standalone=1 t.py",
             "--standalone= t.py",
             "--module=1 t.py",
             "-- t.py a",
             "t.py -- a",
             "t.py a -- b",
             "-- t.py -- a",
             "-- -x.py a",
             "-- -- a",
             "--",
             "--nnodes 1 --",
             "t.py --nproc-per-node 9 -m",
             "t.py -r",
             "t.py -x --foo",
             "'' a",
             "--nnodes -- 2 t.py",
             "- a",
             "-5 a",
             "-.5 a",
             "-5x a",
             "--role -5 t.py",
             "--role -x t.py",
             "--role=-x t.py",
             "--role '' t.py",
             "--role=a=b t.py",
             "--role a --role b t.py",
             "-h",
             "--help",
             "--foo --help t.py",
             "--help --foo",
             "--nproc 1 --help",
             "--he",
             "t.py --help",
             "-mh t.py",
             "--max-restarts 3 t.py",
             "--max_restarts=3 t.py",
             "--max-restarts x t.py",
             "--max-restarts 1.5 t.py",
             "--max-restarts +3 t.py",
             "--max-restarts -1 t.py",
             "--max-restarts",
             "--max-restarts --standalone t.py",
             "--monitor-interval 0.5 t.py",
             "--monitor-interval 5 t.py",
             "--monitor-interval x t.py",
             "--monitor-interval 1e-1 t.py",
             "--monitor-interval 0 t.py",
             "--monitor-interval -1 t.py",
             "--monitor-interval .25 t.py",
             "--monitor-interval 1_0.5 t.py",
             "--start-method fork t.py",
             "--start-method zzz t.py",
             "--start_method forkserver t.py",
             "--event-log-handler console t.py",
             "--no-python ./run.sh a",
             "--no_python /bin/date",
             "--no-python -m x",
             "--run-path /a/b.py c",
             "--run-path --no-python -m /a/b.py",
             "--run_path t.py",
             "--log-dir /dev/null t.py",
             "--log-dir= t.py",
             "--local-ranks-filter 0,1 t.py",
             "--local_ranks_filter 3 t.py",
             "--local-ranks-filter x t.py",
             "--local-ranks-filter 1, t.py",
             "--local-ranks-filter= t.py",
             "--duplicate-stdout-filters a,b t.py",
             "--duplicate-stdout-filters a,,b t.py",
             "--duplicate-stdout-filters a,,,b t.py",
             "--duplicate_stderr_filters ,,,, t.py",
             "--duplicate-stderr-filters '' t.py",
             "--duplicate-stderr-filters=, t.py",
             "--rdzv-backend c10d --rdzv-endpoint h:1 --rdzv-id j t.py",
             "--rdzv-backend zzz t.py",
             "--rdzv-backend c10d t.py",
             "--rdzv-backend c10d --rdzv-endpoint h:x t.py",
             "--rdzv-backend c10d --rdzv-endpoint h:65536 t.py",
             "--rdzv-backend c10d --rdzv-endpoint h:0 t.py",
             "--rdzv-backend c10d --rdzv-endpoint [::1]:5 t.py",
             "--rdzv-backend c10d --rdzv-endpoint [::1] t.py",
             "--rdzv-backend c10d --rdzv-endpoint a/b t.py",
             "--rdzv-backend=c10d --rdzv-endpoint=::1 t.py",
             "--rdzv-endpoint h t.py",
             "--rdzv-endpoint h:7 t.py",
             "--rdzv-endpoint :7 t.py",
             "--rdzv-backend c10d --rdzv-conf join_timeout=4 t.py",
             "--rdzv-backend c10d --rdzv-conf join_timeout=4,is_host=yes t.py",
             "--rdzv-backend c10d --rdzv-conf join_timeout=x t.py",
             "--rdzv-backend c10d --rdzv-conf join_timeout=0 t.py",
             "--rdzv-backend c10d --rdzv-conf is_host=maybe t.py",
             "--rdzv-backend c10d --rdzv-conf store_type=file --rdzv-endpoint a/b t.py",
             "--rdzv-conf timeout=5 t.py",
             "--rdzv-conf a t.py",
             "--rdzv-conf =b t.py",
             "--rdzv-conf a= t.py",
             "--rdzv-conf a=b=c t.py",
             "--rdzv-conf a=1,a=2 t.py",
             "--rdzv-conf , t.py",
             "--standalone --rdzv-backend zzz --rdzv-id 4 t.py",
             "--node-rank 1 --master-addr h --master-port 3 --nnodes 2 t.py",
             "--node-rank x t.py",
             "--master-port x t.py",
             "--local-addr 1.2.3.4 t.py",
             "--numa-binding node t.py",
             "--numa_binding exclusive t.py",
             "--numa-binding x t.py",
             "--logs-specs zzz t.py",
             "--logs-specs '' t.py",
             "--signals-to-handle SIGUSR1,SIGTERM t.py",
             "--signals_to_handle= t.py",
             "--virtual-local-rank t.py",
             "--virtual_local_rank t.py",
             "--vir t.py",
             "--virtual t.py",
             "--rdzv-id '' --rdzv-backend c10d t.py",
         })
        all.push_back({*line == '\0' ? std::vector<std::string>{} : words(line), {}, Differs::No});
    all.push_back({{"--role", "-a b", "t.py"}});
    all.push_back({{"-m x", "t.py"}});
    all.push_back({{"--foo bar", "t.py"}});
    all.push_back({{"--rdzv-conf", " a = 1 , b = 2 ", "t.py"}});
    all.push_back({{"--max-restarts", "it's", "t.py"}});
    all.push_back({{"--max-restarts", "a'\"b\\\n\té\x01", "t.py"}});
    for (const EnvironmentMap& environment : std::vector<EnvironmentMap>{
             {{"PET_NPROC_PER_NODE", "2"}, {"PET_STANDALONE", "1"}},
             {{"PET_STANDALONE", "true"}},
             {{"PET_STANDALONE", "0"}},
             {{"PET_STANDALONE", ""}},
             {{"PET_STANDALONE", " -1_0 "}},
             {{"PET_MODULE", "1"}},
             {{"PET_NO_PYTHON", "1"}, {"PET_RUN_PATH", "2"}},
             {{"PET_NO_PYTHON", "1"}, {"PET_MODULE", "2"}},
             {{"PET_VIRTUAL_LOCAL_RANK", "yes"}},
             {{"PET_START_METHOD", "zzz"}},
             {{"PET_MAX_RESTARTS", "3"}},
             {{"PET_MAX_RESTARTS", "x"}},
             {{"PET_MONITOR_INTERVAL", "x"}},
             {{"PET_REDIRECTS", "3"}, {"PET_TEE", "1:2"}},
             {{"PET_REDIRECTS", "9"}},
             {{"PET_DUPLICATE_STDOUT_FILTERS", "a,,b,c"}},
             {{"PET_DUPLICATE_STDERR_FILTERS", ""}},
             {{"PET_RDZV_ID", ""}},
             {{"PET_RDZV_CONF", "timeout=9"}},
             {{"PET_LOGS_SPECS", "zzz"}, {"PET_NUMA_BINDING", "zzz"}},
             {{"PET_LOG_DIR", ""}},
             {{"PET_LOCAL_RANKS_FILTER", "2,1"}},
             {{"PET_NNODES", "3:1"}},
         }) {
        all.push_back({{"t.py"}, environment, Differs::No});
        all.push_back({{"--max-restarts", "1", "--role", "r", "t.py"}, environment, Differs::No});
        all.push_back({{"--foo"}, environment, Differs::No});
    }
    // A rank of two digits can be named.
    all.push_back({{"-r", "10:3", "t.py"}, {}, Differs::AcceptsMore});
    // The program's own arguments aren't looked at (argparse up to Python 3.12.4 does).
    all.push_back({{"t.py", "--nproc", "2"}, {}, Differs::AcceptsMore});
    all.push_back({words("--rdzv-backend c10d --rdzv-conf cas_backoff_max_seconds=-1 t.py"),
                   {},
                   Differs::OtherWords});
    // Newer torchruns know these. Ours takes fractions of a second.
    all.push_back({{"--shutdown-timeout", "0.5", "t.py"}, {}, Differs::AcceptsMore});
    all.push_back({{"--exit_barrier_timeout=5", "t.py"}, {}, Differs::AcceptsMore});
    for (const char* line : {
             "--shutdown-timeout 5 t.py",
             "--shutdown_timeout=0 t.py",
             "--log-line-prefix-template ${hostname}:$rank t.py",
             "--log_line_prefix_template=a t.py",
             "--log-line t.py",
             "--print-completion fish t.py",
             "--print-completion",
             "--rdzv-backend c10d --rdzv-conf cas_backoff_max_seconds=0.5 t.py",
             "--rdzv-backend c10d --rdzv-conf cas_backoff_max_seconds=x t.py",
         })
        all.push_back({words(line), {}, Differs::UntilNewest});
    all.push_back({{"t.py"}, {{"PET_LOG_LINE_PREFIX_TEMPLATE", "a b"}}, Differs::UntilNewest});
    all.push_back({{"t.py"}, {{"PET_SHUTDOWN_TIMEOUT", "7"}}, Differs::UntilNewest});
    // The python-etcd package is needed there, and isn't spoken of by config_from_args.
    all.push_back({{"--rdzv-backend", "etcd", "t.py"}, {}, Differs::OtherWords});
    return all;
}

QJsonValue json(const StreamSelection& streams)
{
    if (streams.byLocalRank.empty())
        return streams.all;
    QJsonObject object;
    for (const auto& [rank, mask] : streams.byLocalRank)
        object[QString::number(rank)] = mask;
    return object;
}

template <class Items>
QJsonArray json(const Items& items)
{
    QJsonArray array;
    for (const auto& item : items) {
        if constexpr (std::is_same_v<std::decay_t<decltype(item)>, int>)
            array.append(item);
        else
            array.append(QString::fromStdString(item));
    }
    return array;
}

QString text(const std::string& value)
{
    return QString::fromStdString(value);
}

/// Ours, in the shape of torchrun_parser.py's answers.
QJsonObject described(const JobSpec& spec, const std::string& interpreter)
{
    const Role& role = spec.roles.front();
    const RendezvousSpec& rendezvous = spec.rendezvous;
    std::vector<int> ranks = spec.logs.localRanksFilter;
    std::ranges::sort(ranks);
    QJsonObject configuration;
    for (const auto& [key, value] : rendezvous.configuration)
        configuration[text(key)] = text(value);
    // Theirs is a function there, not a program.
    std::vector<std::string> command = workerCommand(role, {5, interpreter, {}}, {});
    if (role.kind == ProgramKind::RunPath)
        command.erase(command.begin() + 1, command.begin() + 4);
    if (role.kind == ProgramKind::RunPath)
        command.front() = "run_script_path";
    return {{"exit", QJsonValue()},
            {"min", spec.nodes.min},
            {"max", spec.nodes.max},
            {"workers", text(workerCountText(role.workers))},
            {"id", text(rendezvous.id)},
            {"role", text(role.name)},
            {"backend", rendezvous.method == RendezvousMethod::C10d ? "c10d" : "static"},
            {"endpoint", rendezvous.standalone ? "localhost:0" : text(rendezvous.endpoint)},
            {"standalone", rendezvous.standalone},
            {"configuration", configuration},
            {"nodeRank", rendezvous.nodeRank},
            {"masterAddress", text(rendezvous.masterAddress)},
            {"masterPort", rendezvous.port()},
            {"localAddress", text(rendezvous.localAddress)},
            {"maxRestarts", spec.restart.maxRestarts},
            {"monitorInterval", static_cast<double>(spec.monitorInterval.count()) / 1000},
            {"startMethod", text(spec.startMethod)},
            {"eventLogHandler", text(spec.eventLogHandler)},
            {"logFolder", text(spec.logs.folder)},
            {"redirects", json(spec.logs.redirects)},
            {"tee", json(spec.logs.tee)},
            {"localRanksFilter", json(ranks)},
            {"stdoutFilters", json(spec.logs.duplicateStdoutFilters)},
            {"stderrFilters", json(spec.logs.duplicateStderrFilters)},
            {"numa", text(spec.numaBinding)},
            {"signals", text(join(spec.signalsToHandle, ","))},
            {"virtualLocalRank", spec.virtualLocalRank},
            {"command", json(command)}};
}

/// A machine on which only the job itself can be wrong.
class PerfectSystemInfo : public RealSystemInfo
{
public:
    PerfectSystemInfo() : RealSystemInfo({}, "/") {}
    File file(const std::string&) const override { return {true, false, true, true}; }
    std::string fileStart(const std::string&, size_t) const override { return {}; }
    std::string findCommand(const std::string& name) const override { return "/bin/" + name; }
    MachineCounts counts() const override { return {4, 0, 0}; }
    Port port(int) const override { return {}; }
};

} // namespace

class tst_torchrun_parser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_interpreter = test::torchInterpreter();
        if (m_interpreter.isEmpty())
            QSKIP("no interpreter with torch");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        // config_from_args makes log folders.
        environment.insert("TMPDIR", m_folder.path());
        m_python.setProcessEnvironment(environment);
        m_python.setWorkingDirectory(m_folder.path());
        m_python.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_python.start(m_interpreter, {RINGMASTER_SOURCE_DIR "/tests/job/torchrun_parser.py"});
        QVERIFY(m_python.waitForStarted());
    }

    void seesTorchWithoutImportingIt()
    {
        const auto found =
            Interpreters(currentEnvironment())
                .inspect(m_interpreter.toStdString(), InterpreterKind::Recorded, false);
        QVERIFY(found);
        QVERIFY2(found->torchVersion.starts_with("2."), found->torchVersion.c_str());
    }

    void agreesAboutEveryLineOfTheTable()
    {
        for (const Case& one : table()) {
            compare(one);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void agreesAboutRandomJobs()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            JobSpec spec = RandomJob(seed).sayable();
            // Names of plug-ins are another matter, and floats print otherwise.
            spec.logsSpecs.clear();
            spec.monitorInterval = std::chrono::seconds(seed % 5);
            spec.logs.folder = "/dev/null";
            const std::vector<std::string> line = toCommandLine(spec).words;
            compare({{line.begin() + 1, line.end()}, {}, Differs::No});
            if (QTest::currentTestFailed())
                return;
        }
    }

    void cleanupTestCase()
    {
        m_python.closeWriteChannel();
        m_python.waitForFinished();
    }

private:
    QJsonObject ask(const Case& one)
    {
        QJsonObject environment;
        for (const auto& [name, value] : one.environment)
            environment[text(name)] = text(value);
        const QJsonObject question{{"words", json(one.words)}, {"environment", environment}};
        m_python.write(QJsonDocument(question).toJson(QJsonDocument::Compact) + "\n");
        while (!m_python.canReadLine() && m_python.waitForReadyRead(60'000)) {
        }
        return QJsonDocument::fromJson(m_python.readLine()).object();
    }

    void compare(const Case& one)
    {
        const QJsonObject theirs = ask(one);
        const auto parsed = parseTorchrunLine(one.words, one.environment);
        const QString what = text("[" + join(one.words, "|") + "]") +
                             " theirs: " + QJsonDocument(theirs).toJson(QJsonDocument::Compact);
        QVERIFY2(!theirs.isEmpty(), qPrintable(what));
        std::vector<Message> errors = parsed ? std::vector<Message>{} : parsed.error().messages;
        int exitCode = parsed ? 1 : parsed.error().exitCode;
        if (parsed && parsed->help)
            exitCode = 0;
        else if (parsed)
            collectErrors(parsed->spec, errors);
        const bool refused = !errors.empty() || exitCode == 0;
        if (one.differs == Differs::UntilNewest && !test::isNewestTorch())
            return;
        if (one.differs == Differs::AcceptsMore || one.differs == Differs::OtherWords) {
            QVERIFY2(refused == (one.differs == Differs::OtherWords), qPrintable(what));
            return;
        }
        QString ours;
        for (const Message& error : errors)
            ours += text(describe(error)) + "\n";
        QVERIFY2(refused == !theirs["exit"].isNull(), qPrintable(what + " ours: " + ours));
        if (refused) {
            QVERIFY2(theirs["exit"].toInt() == exitCode, qPrintable(what + " ours: " + ours));
            QVERIFY2(exitCode == 0 || sameWords(theirs, errors),
                     qPrintable(what + " ours: " + ours));
            return;
        }
        const QJsonObject spec = described(parsed->spec, m_interpreter.toStdString());
        for (const QString& key : theirs.keys())
            QVERIFY2(spec[key] == theirs[key],
                     qPrintable(what + " differs in " + key + ": " +
                                QJsonDocument(spec).toJson(QJsonDocument::Compact)));
    }

    /// One of our messages has torchrun's words at its start, where torchrun has any.
    static bool sameWords(const QJsonObject& theirs, const std::vector<Message>& ours)
    {
        QString wanted = theirs["error"].toString();
        const bool isBareAssertion = theirs["type"] == "AssertionError" && wanted.isEmpty();
        const bool isOfTheScript = wanted.endsWith("must be positive");
        // The newest torchrun has options that an older one can't name.
        if (!test::isNewestTorch() && wanted.contains(" could match "))
            wanted.truncate(wanted.indexOf(" could match "));
        if (wanted.contains("does not match: <"))
            wanted.truncate(wanted.indexOf('<') + 8);
        return isBareAssertion || isOfTheScript ||
               std::ranges::any_of(ours, [&](const Message& message) {
                   return text(describe(message)).startsWith(wanted);
               });
    }

    void collectErrors(const JobSpec& spec, std::vector<Message>& errors) const
    {
        for (const Finding& finding : validate(spec, m_systemInfo)) {
            // Ours alone: torchrun finds these out when it is too late, or never.
            static const std::set<Code> ownChecks{
                code::EventHandlerUnknown, code::StandaloneWithNodes,  code::NodeRankOutOfRange,
                code::MasterPortUnknown,   code::NumaNeedsGpu,         code::ModuleIsPath,
                code::ProgramEmpty,        code::WorkingFolderMissing, code::InterpreterMissing,
                code::NoInterpreter,       code::DeviceNotThere,       code::NotEnoughDevices};
            if (finding.severity == Finding::Severity::Error &&
                !ownChecks.contains(finding.message.code))
                errors.push_back(finding.message);
        }
    }

    QTemporaryDir m_folder;
    QString m_interpreter;
    QProcess m_python;
    PerfectSystemInfo m_systemInfo;
};

QTEST_GUILESS_MAIN(tst_torchrun_parser)
#include "tst_torchrun_parser.moc"
