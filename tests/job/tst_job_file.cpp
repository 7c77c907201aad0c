#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/job/JobFile.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

constexpr const char* Written = R"(name = "ddp-digits"
program = "ddp_digits.py"
arguments = ["--epochs", "3"]
workers = "auto"
nodes = "1:2"
backend = "gloo"

[environment]
OMP_NUM_THREADS = "2"

[restart]
max = 3
first_delay = "1s"
grace = "90s"

[rendezvous]
method = "c10d"
endpoint = "ws-01:29400"
configuration = { join_timeout = 60 }

[logs]
redirect = { others = "both", 0 = "none" }
tee = "stderr"
)";

std::vector<std::string> errorsOf(const std::string& text)
{
    std::vector<std::string> all;
    const auto file = parseJobFile(text);
    if (!file) {
        for (const Finding& finding : file.error())
            all.push_back(describe(finding));
    }
    return all;
}

std::string errorOf(const std::string& text)
{
    const auto all = errorsOf(text);
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " errors";
}

} // namespace

class tst_job_file : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatAPersonWrites()
    {
        const auto file = parseJobFile(Written);
        QVERIFY(file);
        const JobSpec& spec = file->spec;
        QCOMPARE(spec.name, std::string("ddp-digits"));
        QVERIFY(spec.roles.front().workers.kind == WorkerCount::Kind::Auto);
        QCOMPARE(spec.nodes.max, 2);
        QVERIFY(spec.restart.firstDelay == 1s && spec.restart.grace == 90s);
        QCOMPARE(spec.rendezvous.configuration.at("join_timeout"), std::string("60"));
        QCOMPARE(int(spec.logs.redirects.of(0)), 0);
        QCOMPARE(int(spec.logs.redirects.of(7)), 3);
        QCOMPARE(QString::fromStdString(jobFileText(spec).value()), QString(Written));
    }

    void knowsWhereEachFieldStands()
    {
        const auto places = parseJobFile(Written)->places;
        const Place workers{"role.workers", 4, 11};
        const Place grace{"restart.grace", 14, 9};
        QVERIFY(places.at("role.workers") == workers);
        QVERIFY(places.at("restart.grace") == grace);
        QVERIFY(places.contains("rendezvous.configuration.join_timeout"));
        QVERIFY(places.contains("role.environment.OMP_NUM_THREADS"));
    }

    void readsRulesForNumbersInBothForms()
    {
        const auto file = parseJobFile("program = 't.py'\n[numbers]\nloss = 'is (\\S+)'\n");
        QVERIFY(file);
        QCOMPARE(file->spec.numbers.at("loss"), std::string("is (\\S+)"));
        QCOMPARE(file->places.at("numbers.loss").line, 3);
        const auto again = parseJobFile(jobFileText(file->spec).value());
        QVERIFY(again && again->spec == file->spec);
        QVERIFY(parseJobFile("program = 't.py'\nnumbers = { \"val loss\" = '(.)' }\n"));
        QVERIFY(!parseJobFile("program = 't.py'\nnumbers = ['(.)']\n"));
    }

    void readsSeveralRoles()
    {
        const auto file = parseJobFile("[[role]]\nname = 'master'\nprogram = 'm.py'\nimage = 'i'\n"
                                       "[role.environment]\nA = 1\n"
                                       "[[role]]\nname = 'worker'\nmodule = 'w'\nworkers = 3\n");
        QVERIFY(file);
        QCOMPARE(file->spec.roles.size(), size_t(2));
        QCOMPARE(file->spec.roles[0].environment.at("A"), std::string("1"));
        QVERIFY(file->spec.roles[1].kind == ProgramKind::Module);
        QCOMPARE(file->places.at("role.1.workers").line, 10);
        const auto again = parseJobFile(jobFileText(file->spec).value());
        QVERIFY(again->spec == file->spec);
    }

    void anEmptyFileIsTheDefaultJob()
    {
        QVERIFY(parseJobFile("")->spec == JobSpec{});
        QVERIFY(parseJobFile("# nothing\n")->spec == JobSpec{});
    }

    void readsTimesInEveryForm()
    {
        const auto grace = [](const std::string& value) {
            const auto file = parseJobFile("restart.grace = " + value);
            return file ? file->spec.restart.grace : std::chrono::milliseconds(-999);
        };
        QVERIFY(grace("30") == 30s && grace("0.25") == 250ms && grace("\"500ms\"") == 500ms);
        QVERIFY(grace("\"1h2m3s4ms\"") == 1h + 2min + 3s + 4ms && grace("\"1.5m\"") == 90s);
        QVERIFY(grace("\"2d\"") == 48h && grace("\" 7 \"") == 7s);
    }

    void namesEveryErrorWithItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* text, const char* error) {
            QTest::newRow(text) << text << error;
        };
        row("wrokers = 3", "line 1, column 1: Unknown key wrokers; did you mean workers?");
        row("[restart]\nmaximum = 3\nx = 1", "2 errors");
        row("[restart]\nqqqqqqqq = 1",
            "line 2, column 1: Unknown key restart.qqqqqqqq; known are max, first_delay, "
            "longest_delay, minimum_healthy_time, grace, exit_barrier, only_if, unless, "
            "leave_host_out_after.");
        row("\nname = 3", "line 2, column 8: name must be a text, not a whole number.");
        row("arguments = 'x'",
            "line 1, column 13: arguments must be an array of texts, not a text.");
        row("arguments = ['x', 2]",
            "line 1, column 19: arguments must be a text, not a whole number.");
        row("devices = [0.5]", "line 1, column 12: devices must be a whole number, not a number.");
        row("devices = 1",
            "line 1, column 11: devices must be an array of whole numbers, not a whole number.");
        row("warm = \"hot\"", "line 1, column 8: warm: hot isn't one of auto, on, off.");
        row("preload = \"torch\"",
            "line 1, column 11: preload must be an array of texts, not a text.");
        row("plain = 1", "line 1, column 9: plain must be true or false, not a whole number.");
        row("restart = 1", "line 1, column 11: restart must be a table, not a whole number.");
        row("environment = []", "line 1, column 15: environment must be a table, not an array.");
        row("environment.A = true",
            "line 1, column 17: environment.A must be a text, not true or false.");
        row("restart.max = 99999999999",
            "line 1, column 15: restart.max: 99999999999 is too large a number.");
        row("restart.grace = 'soon'",
            "line 1, column 17: restart.grace isn't a time; write 500ms, 30s, 1m30s, or seconds.");
        row("restart.grace = true",
            "line 1, column 17: restart.grace must be a time like \"30s\", not true or false.");
        row("workers = 'all'", "line 1, column 11: workers: all isn't a number of workers; write a "
                               "number, \"auto\", \"gpu\", \"cpu\" or \"xpu\".");
        row("workers = 1979-05-27", "line 1, column 11: workers must be a number, \"auto\", "
                                    "\"gpu\" or \"cpu\", not a date.");
        row("nodes = '1:2:3'", "line 1, column 9: nodes: 1:2:3 isn't a number of nodes; write 2, "
                               "or \"1:4\" for an elastic job.");
        row("nodes = {}", "line 1, column 9: nodes must be a number or \"MIN:MAX\", not a table.");
        row("rendezvous.method = 'etcd'",
            "line 1, column 21: rendezvous.method: etcd isn't one of static, c10d.");
        row("logs.tee = 'all'",
            "line 1, column 12: logs.tee: all isn't one of none, stdout, stderr, both.");
        row("logs.tee = 3", "line 1, column 12: logs.tee must be \"stdout\", \"stderr\", \"both\" "
                            "or a table, not a whole number.");
        row("logs.tee = { x = 'both' }",
            "line 1, column 18: logs.tee.x isn't a local rank; write a number from 0, or others.");
        row("program = 'a'\nmodule = 'b'",
            "line 1, column 11: program and module can't both be given; a role runs one program.");
        row("role = 3",
            "line 1, column 8: role must be a name or [[role]] tables, not a whole number.");
        row("workers = 2\n[[role]]\nname = 'a'",
            "line 1, column 11: workers belongs into a [[role]] table, since the file has some.");
        row("[[role]]\nnmae = 'a'", "line 2, column 1: Unknown key role.nmae; did you mean name?");
        row("a = = 3", "line 1, column 5: Not a job file: Error while parsing value: could not "
                       "determine value type");
        row("[ü]", "1 errors");
    }

    void namesEveryErrorWithItsPlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        const auto errors = errorsOf(text.toStdString());
        if (error.endsWith(" errors"))
            QCOMPARE(QString("%1 errors").arg(errors.size()), error);
        else
            QCOMPARE(QString::fromStdString(errorOf(text.toStdString())), error);
    }

    void findsAllErrorsInTheOrderOfTheFile()
    {
        const auto errors = errorsOf("wrokers = 3\nname = 1\n[logs]\nfoldr = 'x'\ntee = 1\n");
        QCOMPARE(errors.size(), size_t(4));
        QVERIFY(errors[0].starts_with("line 1") && errors[3].starts_with("line 5"));
    }

    void readsAFileOfTheFirstVersion()
    {
        const auto file =
            parseJobFile(readFile(RINGMASTER_SOURCE_DIR "/tests/job/format-1.ringjob").value());
        QVERIFY(file.has_value());
        JobSpec expected;
        expected.name = "训练 \"all\"";
        expected.hosts = {"gpu1", "gpu2:4", "@rack"};
        expected.nodes = {1, 2};
        expected.backendHint = "ring";
        expected.ringAlgorithm = "tree";
        expected.ringInterface = "eth1";
        expected.numaBinding = "node";
        expected.signalsToHandle = {"SIGTERM", "SIGUSR1"};
        expected.virtualLocalRank = true;
        expected.preload = {"torch", "numpy"};
        expected.roles = {{.name = "trainer",
                           .program = "train.py",
                           .arguments = {"--lr", "0.1", "--path=C:\\new"},
                           .interpreter = "venv/bin/python",
                           .workingFolder = ".",
                           .environment = {{"OMP_NUM_THREADS", "2"}},
                           .workers = {WorkerCount::Kind::Gpu},
                           .image = "pytorch:2.11",
                           .devicesPerWorker = 2},
                          {.name = "reader",
                           .kind = ProgramKind::Module,
                           .program = "reader.main",
                           .workers = {WorkerCount::Kind::Number, 3}}};
        expected.restart = {.maxRestarts = 3,
                            .firstDelay = 1s,
                            .longestDelay = 5min,
                            .minimumHealthyTime = 90min,
                            .grace = 1500ms};
        expected.rendezvous.endpoint = "[::1]:29400";
        expected.rendezvous.id = "job 1";
        expected.rendezvous.masterAddress = "ws-01";
        expected.rendezvous.masterPort = 29500;
        expected.rendezvous.configuration = {{"join_timeout", "60"}, {"read_timeout", "5"}};
        expected.logs.folder = "logs";
        expected.logs.redirects = {3, {{0, 0}, {12, 2}}};
        expected.logs.tee = {1, {}};
        expected.logs.duplicateStdoutFilters = {"loss"};
        expected.slurm = {.partition = "gpu", .time = "1:00:00", .options = {"--exclusive"}};
        expected.container = {.engine = "podman", .mounts = {"/data:/data:ro"}};
        QCOMPARE(jobFileText(file->spec).value(), jobFileText(expected).value());
        QVERIFY(file->spec == expected);
    }

    void refusesTextThatTomlCannotHold()
    {
        JobSpec spec;
        spec.roles.front().arguments = {"\xff"};
        const auto text = jobFileText(spec);
        QVERIFY(!text);
        QCOMPARE(describe(text.error()),
                 std::string("'\\udcff' isn't UTF-8, which a job file can't hold; rename the file "
                             "or pass it another way."));
    }

    void breaksLongListsIntoLines()
    {
        JobSpec spec;
        spec.roles.front().program = "t.py";
        spec.roles.front().arguments.assign(12, "--argument");
        const std::string text = jobFileText(spec).value();
        QVERIFY(text.find("arguments = [\n    \"--argument\",\n") != std::string::npos);
        QVERIFY(parseJobFile(text)->spec == spec);
    }

    void aLoadedJobRunsFromAnywhere()
    {
        const QTemporaryDir folder;
        const std::string root = QDir(folder.path()).canonicalPath().toStdString();
        write(root + "/a.ringjob",
              "program = 'sub/t.py'\ninterpreter = '.venv/bin/python'\n[logs]\nfolder = 'logs'\n");
        const JobSpec spec = loadJobFile(root + "/a.ringjob")->spec;
        // argv[0] is what the file says.
        QCOMPARE(spec.roles.front().program, std::string("sub/t.py"));
        QCOMPARE(spec.roles.front().workingFolder, root);
        QCOMPARE(spec.roles.front().interpreter, root + "/.venv/bin/python");
        QCOMPARE(spec.logs.folder, root + "/logs");

        write(root + "/b.ringjob", "program = 'sub/t.py'\nworking_folder = 'out'\ninterpreter = "
                                   "'python3'\n[logs]\nfolder = '/dev/null'\n");
        const JobSpec other = loadJobFile(root + "/b.ringjob")->spec;
        QCOMPARE(other.roles.front().program, root + "/sub/t.py");
        QCOMPARE(other.roles.front().workingFolder, root + "/out");
        QCOMPARE(other.roles.front().interpreter, std::string("python3"));
        QCOMPARE(other.logs.folder, std::string("/dev/null"));
    }

    void loadingAndSavingLosesNothing()
    {
        const QTemporaryDir folder;
        const std::string root = QDir(folder.path()).canonicalPath().toStdString();
        for (const char* text : {"program = \"sub/t.py\"\nworkers = 1\ninterpreter = "
                                 "\".venv/bin/python\"\n\n[logs]\nfolder = \"logs\"\n",
                                 "program = \"sub/t.py\"\nworkers = 1\nworking_folder = \"out\"\n",
                                 "program = \"/abs/t.py\"\nworkers = 1\ninterpreter = "
                                 "\"./python\"\nworking_folder = \"/tmp\"\n",
                                 "module = \"a.b\"\nworkers = 1\nworking_folder = \"out\"\n",
                                 "command = \"date\"\nworkers = 1\nworking_folder = \"out\"\n"}) {
            write(root + "/a.ringjob", text);
            const JobSpec spec = loadJobFile(root + "/a.ringjob")->spec;
            QVERIFY(saveJobFile(root + "/b.ringjob", spec, "/elsewhere"));
            QCOMPARE(readFile(root + "/b.ringjob").value(), std::string(text));
            QVERIFY(loadJobFile(root + "/b.ringjob")->spec == spec);
        }
    }

    void aJobOfTheCommandLineIsSavedRelativeToItsFile()
    {
        const QTemporaryDir folder;
        const std::string root = QDir(folder.path()).canonicalPath().toStdString();
        JobSpec spec;
        spec.roles.front().program = "t.py";
        QVERIFY(saveJobFile(root + "/a.ringjob", spec, root + "/sub"));
        QCOMPARE(readFile(root + "/a.ringjob").value(),
                 std::string("program = \"sub/t.py\"\nworkers = 1\nworking_folder = \"sub\"\n"));
        QVERIFY(saveJobFile(root + "/a.ringjob", spec, root));
        QCOMPARE(readFile(root + "/a.ringjob").value(),
                 std::string("program = \"t.py\"\nworkers = 1\n"));
    }

    void saysThatAFileIsMissing()
    {
        const auto file = loadJobFile("/nonexistent/x.ringjob");
        QVERIFY(file.error().front().message.code == code::FileNotFound);
    }

private:
    static void write(const std::string& path, const char* text)
    {
        QVERIFY(writeFileAtomically(path, text));
    }
};

QTEST_GUILESS_MAIN(tst_job_file)
#include "tst_job_file.moc"
