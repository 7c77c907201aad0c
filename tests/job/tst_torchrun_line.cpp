#include "engine/job/Codes.h"
#include "engine/job/CommandLine.h"
#include "engine/job/TorchrunLine.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

std::vector<std::string> errorsOfLine(const Words& words, const EnvironmentMap& environment = {})
{
    const auto parsed = parseTorchrunLine(words, environment);
    std::vector<std::string> texts;
    if (!parsed) {
        for (const Message& message : parsed.error().messages)
            texts.push_back(describe(message));
    }
    return texts;
}

JobSpec specOf(const Words& words, const EnvironmentMap& environment = {})
{
    return parseTorchrunLine(words, environment).value().spec;
}

} // namespace

class tst_torchrun_line : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsWrongInTorchrunsWordsAndWhatToDo_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* words, const char* text) {
            QTest::newRow(words) << QString(words).split(' ') << QString(text);
        };
        row("--foo t.py",
            "unrecognized arguments: --foo (options stand before the program; --help lists them)");
        row("--nproc-pernode 2 t.py",
            "unrecognized arguments: --nproc-pernode (did you mean --nproc-per-node?)");
        row("--nproc 2 t.py", "ambiguous option: --nproc could match --nproc-per-node, "
                              "--nproc_per_node (write it out)");
        row("-r -t 3 t.py",
            "argument -r/--redirects: expected one argument (a value that starts with a dash "
            "is written --option=-value)");
        row("--standalone=1 t.py",
            "argument --standalone: ignored explicit argument '1' (write the option alone)");
        row("--max-restarts x t.py", "argument --max-restarts/--max_restarts: invalid int value: "
                                     "'x' (write a whole number)");
        row("--monitor-interval x t.py", "argument --monitor-interval/--monitor_interval: invalid "
                                         "float value: 'x' (write a number)");
        row("--start-method x t.py", "argument --start-method/--start_method: invalid choice: 'x' "
                                     "(choose from 'spawn', 'fork', 'forkserver')");
        row("--standalone", "the following arguments are required: training_script, "
                            "training_script_args (name the program behind the options)");
        row("--nnodes 1:2:3 t.py",
            "nnodes=1:2:3 is not in \"MIN:MAX\" format (write 2, or 1:4 for an elastic job)");
        row("--nnodes x t.py", "invalid literal for int() with base 10: 'x' (--nnodes x: write 2, "
                               "or 1:4 for an elastic job)");
        row("--nproc-per-node two t.py",
            "Unsupported nproc_per_node value: two (write a number, auto, gpu, cpu or xpu)");
        row("--rdzv-backend zzz t.py",
            "The rendezvous backend 'zzz' is not registered. Did you forget to call `register`? "
            "(Ringmaster has static and c10d.)");
        row("--rdzv-backend etcd t.py",
            "The rendezvous backend 'etcd' needs an etcd server, which Ringmaster doesn't speak "
            "to; use c10d, which needs no server.");
        row("--rdzv-conf =b t.py", "The rendezvous configuration string must be in format "
                                   "<key1>=<value1>,...,<keyN>=<valueN>.");
        row("--rdzv-conf a t.py",
            "The rendezvous configuration option 'a' must have a value specified.");
        row("--local-ranks-filter x t.py", "--local_ranks_filter must be a comma-separated list of "
                                           "integers e.g. --local_ranks_filter=0,1,2");
        row("-r 4 t.py", "4 does not match: <^[0123]$> or <^(\\d+:[0123],)*(\\d+:[0123])$> (1 "
                         "stdout, 2 stderr, 3 both; or local rank:number, as 0:3,1:1)");
        row("--no-python -m t",
            "Don't use both the '--no-python' flag and the '--module' flag at the same time.");
        row("--logs-specs= t.py", "Could not find entrypoint under 'torchrun.logs_specs[]' key "
                                  "(Ringmaster loads no Python plug-ins; leave --logs-specs out)");
        row("--env A t.py", "argument --env: A isn't NAME=VALUE");
        row("--devices 0,x t.py",
            "argument --devices: 0,x isn't a list of GPU numbers; write for example 0,1");
        row("--grace soon t.py",
            "argument --grace: invalid duration: 'soon' (write 500ms, 30s, 1m30s, or seconds)");
        row("--monitor-interval 1e12 t.py",
            "argument --monitor-interval/--monitor_interval: 1e12 s is longer than 100 years");
    }

    void saysWhatIsWrongInTorchrunsWordsAndWhatToDo()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, text);
        Words line;
        for (const QString& word : words)
            line.push_back(word.toStdString());
        const std::vector<std::string> errors = errorsOfLine(line);
        QVERIFY(!errors.empty());
        QCOMPARE(QString::fromStdString(errors.back()), text);
    }

    void findsAllErrorsAtOnce()
    {
        const auto parsed = parseTorchrunLine(
            {"--nproc", "2", "--max-restarts", "x", "--nnodes", "y", "-r", "9", "--foo", "t.py"},
            {{"PET_STANDALONE", "true"}});
        QVERIFY(!parsed);
        std::vector<Code> codes;
        for (const Message& message : parsed.error().messages)
            codes.push_back(message.code);
        // "2" is the program, since --nproc is no option: so what is behind it isn't read.
        const std::vector<Code> expected{code::FlagVariableNotInteger, code::OptionAmbiguous};
        QCOMPARE(codes, expected);
        QCOMPARE(parsed.error().exitCode, 1);
        const auto more =
            errorsOfLine({"--max-restarts", "x", "--nnodes", "y", "-r", "9", "--foo", "t.py"});
        QCOMPARE(more.size(), size_t(4));
    }

    void aFlagVariableMustBeAnInteger()
    {
        QCOMPARE(errorsOfLine({"t.py"}, {{"PET_STANDALONE", "true"}}).front(),
                 std::string("invalid literal for int() with base 10: 'true' (PET_STANDALONE "
                             "switches its option on with 1 and off with 0)"));
        QVERIFY(specOf({"t.py"}, {{"PET_STANDALONE", "1"}, {"PET_NPROC_PER_NODE", "2"}})
                    .rendezvous.standalone);
    }

    void leavesTheProgramsArgumentsAlone()
    {
        const Words rest{"--nproc-per-node", "9", "-m", "--", "--nproc", "--help", ""};
        Words line{"-r", "3", "arg.py"};
        line.insert(line.end(), rest.begin(), rest.end());
        QCOMPARE(specOf(line).roles.front().arguments, rest);
    }

    void ringmastersOptionsMakeNoPrefixAmbiguous()
    {
        // "--no-p" is unique in torchrun but for its twin; "--mo" and "--vir" are not ours.
        QCOMPARE(errorsOfLine({"--na", "x", "t.py"}).size(), size_t(1));
        QVERIFY(specOf({"--mod", "m"}).roles.front().kind == ProgramKind::Module);
        QVERIFY(errorsOfLine({"--b", "nccl", "t.py"})
                    .front()
                    .starts_with("unrecognized arguments: --b"));
    }

    void readsRingmastersOptionsInTheSamePass()
    {
        const OptionRow detach{"--detach", 0, OptionKind::Flag, OptionOrigin::Ringmaster, false,
                               {},         {}};
        const OptionRow hosts{"--hosts", 0, OptionKind::Repeated, OptionOrigin::Ringmaster, false,
                              {},        {}};
        const std::vector<OptionRow> extra{detach, hosts};
        const auto line = parseTorchrunLine({"--detach",
                                             "--name",
                                             "digits",
                                             "--hosts=a",
                                             "--hosts",
                                             "b",
                                             "--plain",
                                             "--grace",
                                             "1m30s",
                                             "--backoff=1",
                                             "--minimum-healthy-time",
                                             "10s",
                                             "--python",
                                             "/p",
                                             "--env",
                                             "A=b=c",
                                             "--nproc-per-node",
                                             "2",
                                             "--exit-barrier-timeout",
                                             "5",
                                             "t.py",
                                             "--detach"},
                                            {}, extra);
        QVERIFY(line);
        QCOMPARE(line->spec.name, std::string("digits"));
        QVERIFY(line->spec.plain);
        QVERIFY(line->spec.restart.grace == 90s && line->spec.restart.firstDelay == 1s);
        QVERIFY(line->spec.restart.minimumHealthyTime == 10s &&
                line->spec.restart.exitBarrier == 5s);
        QCOMPARE(line->spec.roles.front().environment.at("A"), std::string("b=c"));
        const Words expectedHosts{"a", "b"};
        QCOMPARE(line->extra.at("hosts"), expectedHosts);
        QVERIFY(line->extra.contains("detach"));
        QVERIFY(line->ownOptions.contains("--grace") &&
                !line->ownOptions.contains("--nproc-per-node"));
        QCOMPARE(line->spec.roles.front().arguments, Words{"--detach"});
    }

    void readsAndSaysTheRulesForNumbers()
    {
        const JobSpec spec = specOf({"--number", "val loss=of (\\S+)=x", "--number=a=(b)", "t.py"});
        const std::map<std::string, std::string> expected{{"a", "(b)"},
                                                          {"val loss", "of (\\S+)=x"}};
        QCOMPARE(spec.numbers, expected);
        QCOMPARE(errorsOfLine({"--number", "x", "t.py"}).front(),
                 std::string("argument --number: x isn't NAME=EXPRESSION"));
        // It is no variable of the environment.
        QCOMPARE(toCommandLine(spec).cannotSay.size(), size_t(2));
        QCOMPARE(toCommandLine(spec).text(), std::string("torchrun t.py"));
        QVERIFY(toCommandLine(spec, LineDialect::Ringmaster).cannotSay.empty());
    }

    void takesTheGraceOfNewerTorchruns()
    {
        QVERIFY(specOf({"--shutdown-timeout", "5", "t.py"}).restart.grace == 5s);
        QVERIFY(specOf({"t.py"}, {{"TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "7"}}).restart.grace == 7s);
        QVERIFY(specOf({"t.py"}, {{"PET_SHUTDOWN_TIMEOUT", "0.5"}}).restart.grace == 500ms);
        QVERIFY(specOf({"--grace", "9", "t.py"}, {{"PET_SHUTDOWN_TIMEOUT", "1"}}).restart.grace ==
                9s);
    }

    void namesRanksOfTwoDigits()
    {
        const StreamSelection streams = specOf({"-r", "0:1,12:3", "t.py"}).logs.redirects;
        QCOMPARE(int(streams.of(12)), 3);
        QCOMPARE(int(streams.of(5)), 0);
    }

    void namesWhatTorchrunCannotSay()
    {
        JobSpec spec;
        spec.roles.front().program = "t.py";
        spec.roles.front().image = "pytorch:2.11";
        spec.roles.front().environment = {
            {"A B", "1"}, {"PET_ROLE", "x"}, {"OMP_NUM_THREADS", "2"}};
        spec.roles.emplace_back();
        spec.restart.firstDelay = 1s;
        spec.restart.grace = 1500ms; // torchrun has whole seconds
        spec.logs.tee = {1, {{0, 3}}};
        spec.logs.duplicateStdoutFilters = {"a", ",b"};
        spec.plain = true;
        spec.recordOperations = false;
        spec.ringAlgorithm = "direct";
        spec.ringInterface = "eth0";
        const CommandLine line = toCommandLine(spec);
        QStringList whats;
        for (const Message& message : line.cannotSay)
            whats += QString::fromStdString(message.parameters.at("what"));
        const QStringList expected{
            "roles",           "logs.tee.others",      "logs.duplicate_stdout", "image",
            "environment.A B", "environment.PET_ROLE", "ring_algorithm",        "ring_interface",
            "plain",           "record_operations",    "restart.first_delay",   "restart.grace"};
        QCOMPARE(whats, expected);
        QCOMPARE(line.text(), std::string("OMP_NUM_THREADS=2 torchrun --tee 0:3 t.py"));
        QVERIFY(line.needs.empty());
        QCOMPARE(
            describe(line.cannotSay[10]),
            std::string("A torchrun line can't say restart.first_delay (1s); a job file can."));
    }

    void saysSinceWhenTorchrunHasAnOption()
    {
        JobSpec spec;
        spec.roles.front().program = "t.py";
        spec.restart.grace = 1min;
        spec.logs.linePrefix = "${hostname}: ";
        const CommandLine line = toCommandLine(spec);
        QCOMPARE(line.text(), std::string("torchrun --log-line-prefix-template '${hostname}: ' "
                                          "--shutdown-timeout 60 t.py"));
        QVERIFY(line.cannotSay.empty());
        QCOMPARE(line.needs.size(), size_t(2));
        QCOMPARE(describe(line.needs[0]),
                 std::string("--log-line-prefix-template is known to torchrun since 2.14; an older "
                             "one refuses the line."));
        QCOMPARE(describe(line.needs[1]),
                 std::string("--shutdown-timeout is known to torchrun since 2.12; an older one "
                             "refuses the line."));
        QVERIFY(specOf({line.words.begin() + 1, line.words.end()}) == spec);
        QVERIFY(toCommandLine(spec, LineDialect::Ringmaster).needs.empty());
    }

    void theNewestOptionsAreTakenFromTheirVariablesToo()
    {
        const JobSpec spec = specOf({"t.py"}, {{"PET_LOG_LINE_PREFIX_TEMPLATE", "${rank}> "},
                                               {"PET_PRINT_COMPLETION", "bash"}});
        QCOMPARE(spec.logs.linePrefix, std::string("${rank}> "));
    }

    void oneNodeTakesAFreePortUnlessAPlaceIsNamed()
    {
        QVERIFY(specOf({"t.py"}).isStandalone());
        QVERIFY(specOf({"--rdzv-id", "x", "--master-addr", "h", "t.py"}).isStandalone());
        for (const Words& named : std::vector<Words>{{"--master-port", "29500", "t.py"},
                                                     {"--rdzv-endpoint", "h:1", "t.py"},
                                                     {"--rdzv-backend", "c10d", "t.py"},
                                                     {"--nnodes", "2", "t.py"},
                                                     {"--nnodes", "1:2", "t.py"},
                                                     {"--hosts", "h", "t.py"},
                                                     {"--slurm", "t.py"}})
            QVERIFY2(!specOf(named).isStandalone(), named.front().c_str());
        QVERIFY(!specOf({"t.py"}, {{"PET_MASTER_PORT", "29500"}}).isStandalone());
    }

    void asksForACompletionWhereItStands()
    {
        const auto asked = [](const Words& words) { return parseArguments(words, {}); };
        QCOMPARE(asked({"--print-completion", "zsh", "--foo"}).completion.value_or(""),
                 std::string("zsh"));
        QVERIFY(asked({"--print-completion", "zsh", "--foo"}).usageErrors.empty());
        QVERIFY(!asked({"--print-completion", "fish"}).completion);
        QVERIFY(!asked({"t.py", "--print-completion", "zsh"}).completion);
    }

    void wrapsTheTextForAShell()
    {
        const JobSpec spec = specOf({"--nnodes", "2", "--nproc-per-node", "4", "--max-restarts",
                                     "3", "--rdzv-backend", "c10d", "--rdzv-endpoint",
                                     "ws-01:29400", "train.py", "--epochs", "10", "a b"});
        QCOMPARE(toCommandLine(spec).text(44),
                 std::string("torchrun --nnodes 2 --nproc-per-node 4 \\\n"
                             "  --rdzv-backend c10d \\\n"
                             "  --rdzv-endpoint ws-01:29400 \\\n"
                             "  --max-restarts 3 train.py --epochs 10 \\\n"
                             "  'a b'"));
    }

    void helpNamesEveryOption()
    {
        QVERIFY(parseTorchrunLine({"-h", "--foo"}, {})->help);
        const std::string help = commandHelp("ringmaster run");
        for (const OptionRow& row : commandOptions()) {
            for (const std::string& spelling : row.spellings())
                QVERIFY2(help.find(spelling) != std::string::npos, spelling.c_str());
        }
        QVERIFY(commandUsage("torchrun").starts_with("usage: torchrun [-h] [--nnodes NNODES]"));
    }
};

QTEST_GUILESS_MAIN(tst_torchrun_line)
#include "tst_torchrun_line.moc"
