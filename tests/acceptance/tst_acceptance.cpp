#include "tests/acceptance/Tool.h"
#include "tests/support/FreePort.h"
#include "tests/support/LimitedGroup.h"
#include "tests/support/SharedTorch.h"
#include "tests/support/TorchInterpreter.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <csignal>
#include <cstring>

#include <sched.h>

using namespace ringmaster::acceptance;
using ringmaster::test::freePort;

namespace {

QStringList words(const char* line)
{
    return text(line).split(u' ', Qt::SkipEmptyParts);
}

/// What differs from one start to the next by design is named instead of shown.
QString neutral(QString line)
{
    line.replace(QRegularExpression(text("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")),
                 text("<uuid>"));
    line.replace(QRegularExpression(text("\"MASTER_PORT\": \"\\d+\"")),
                 text("\"MASTER_PORT\": \"<port>\""));
    line.replace(QRegularExpression(text(
                     "\"TORCHELASTIC_ERROR_FILE\": \"[^\"]*/([^/\"_]*|<uuid>)_\\w{8}/attempt")),
                 text("\"TORCHELASTIC_ERROR_FILE\": \"<folder>/\\1_<random>/attempt"));
    return line;
}

QStringList neutralLines(const Outcome& outcome)
{
    QStringList lines;
    for (const QString& line : outcome.sortedLines())
        lines.append(neutral(line));
    lines.sort();
    return lines;
}

/// The blocks of torchrun's summary: "[index] rank exitcode error_file" of each failure. The host
/// is left out: torchrun shows what a reverse look-up gives, we the machine's own name.
QStringList summary(const Outcome& outcome)
{
    static const QRegularExpression block(text(
        "\\[(\\d+)\\]:\\n  time +: [^\\n]+\\n  host +: ([^\\n]+)\\n  rank +: (\\d+) "
        "\\(local_rank: (\\d+)\\)\\n"
        // By 2.15 the name of a signal follows.
        "  exitcode +: (-?\\d+) \\(pid: \\d+\\)[^\\n]*\\n  error_file: ([^\\n]+)\\n  traceback : "
        "([^\\n]+)"));
    QStringList failures;
    auto matches = block.globalMatch(QString::fromUtf8(outcome.standardError));
    while (matches.hasNext()) {
        const auto match = matches.next();
        QString traceback = match.captured(7);
        traceback.replace(QRegularExpression(text("PID \\d+")), text("PID <pid>"));
        const bool hasFile = match.captured(6) != text("<N/A>");
        failures.append(text("[%1] rank %2 local %3 exit %4 %5 %6")
                            .arg(match.captured(1), match.captured(3), match.captured(4),
                                 match.captured(5), hasFile ? text("file") : text("none"),
                                 traceback));
    }
    return failures;
}

QStringList filesBelow(const QString& folder)
{
    QStringList found;
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QString name = QDir(folder).relativeFilePath(files.next());
        name.replace(QRegularExpression(text("^[0-9a-f-]{36}_\\w{8}/")), text("<run>/"));
        found.append(name);
    }
    found.sort();
    return found;
}

QByteArray contentOf(const QString& folder, const QString& ending)
{
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        QFile file(path);
        if (path.endsWith(ending) && file.open(QIODevice::ReadOnly))
            return file.readAll();
    }
    return {};
}

} // namespace

/// torchrun's acceptance checks, each run by the real torchrun and by Ringmaster, and compared.
class tst_acceptance : public QObject
{
    Q_OBJECT

private:
    struct Pair
    {
        Outcome torchrun;
        Outcome ringmaster;
    };

    Pair both(const QStringList& arguments, const QStringList& variables = {}) const
    {
        const auto theirs = m_torchrun.start(arguments, variables);
        const Outcome ours = m_ringmaster.run(arguments, variables);
        return {finish(*theirs), ours};
    }

    const ringmaster::test::SharedTorch m_torch;
    Tool m_torchrun = Tool::torchrun(m_torch);
    Tool m_ringmaster = Tool::ringmaster();

private Q_SLOTS:
    void initTestCase()
    {
        if (!Tool::torchrunIsThere())
            QSKIP("no torchrun beside the interpreter");
    }

    void init()
    {
        m_torchrun = Tool::torchrun(m_torch);
        m_ringmaster = Tool::ringmaster();
    }

    void everyRankGetsTheSameEnvironment()
    {
        m_torchrun = Tool::torchrun();
        const auto [theirs, ours] =
            both({text("--standalone"), text("--nproc-per-node"), text("2"),
                  program(text("show.py")), text("a"), text("--b=c"), text("${local_rank}")});
        QCOMPARE(theirs.exitCode, 0);
        QCOMPARE(ours.exitCode, 0);
        QCOMPARE(theirs.sortedLines().size(), 2);
        QCOMPARE(neutralLines(ours), neutralLines(theirs));
        QVERIFY(ours.standardError.contains("OMP_NUM_THREADS"));
    }

    void theStaticRendezvousGivesTheNamedPort()
    {
        const int port = freePort();
        const QStringList arguments{text("--nproc-per-node"), text("2"), text("--master-port"),
                                    QString::number(port), program(text("show.py"))};
        const Outcome theirs = m_torchrun.run(arguments);
        const Outcome ours = m_ringmaster.run(arguments);
        QVERIFY(
            ours.standardOutput.contains("\"MASTER_PORT\": \"" + QByteArray::number(port) + "\""));
        QVERIFY(ours.standardOutput.contains("\"MASTER_ADDR\": \"127.0.0.1\""));
        QCOMPARE(neutralLines(ours), neutralLines(theirs));
    }

    /// torchrun does so since 2.12.
    void oneNodeWithoutAPortTakesAFreeOne()
    {
        const QStringList arguments{text("--nproc-per-node"), text("2"), program(text("show.py"))};
        const Outcome ours = m_ringmaster.run(arguments);
        QCOMPARE(ours.exitCode, 0);
        QVERIFY(!ours.standardOutput.contains("\"MASTER_PORT\": \"29500\""));
        QVERIFY(ours.standardOutput.contains("\"MASTER_ADDR\": \"localhost\""));
        if (ringmaster::test::isNewestTorch())
            QCOMPARE(neutralLines(ours), neutralLines(m_torchrun.run(arguments)));
    }

    void twoSideBySideJustRun()
    {
        const QString over = m_ringmaster.folder() + text("/over");
        const QStringList arguments{text("--nproc-per-node"), text("2"), program(text("beside.py")),
                                    over};
        const auto first = m_ringmaster.start(arguments);
        const Tool other = Tool::ringmaster();
        const auto second = other.start(arguments);
        for (QProcess* process : {first.get(), second.get()}) {
            QVERIFY(waitForOutput(*process, "sum 2\n"));
            QCOMPARE(process->state(), QProcess::Running);
        }
        QFile file(over);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const Outcome ofFirst = finish(*first);
        const Outcome ofSecond = finish(*second);
        QVERIFY2(ofFirst.exitCode == 0, ofFirst.standardError.constData());
        QVERIFY2(ofSecond.exitCode == 0, ofSecond.standardError.constData());
        // Each has a port and an id of its own.
        QCOMPARE(ofFirst.sortedLines().size(), 2);
        QCOMPARE(ofFirst.sortedLines().front(), ofFirst.sortedLines().back());
        QVERIFY(ofFirst.sortedLines().front() != ofSecond.sortedLines().front());
    }

    void theProcessorsAreThoseThatItMayUse()
    {
        cpu_set_t before;
        QCOMPARE(::sched_getaffinity(0, sizeof before, &before), 0);
        if (CPU_COUNT(&before) < 2)
            QSKIP("there is one processor");
        cpu_set_t one;
        CPU_ZERO(&one);
        int first = 0;
        while (!CPU_ISSET(first, &before))
            ++first;
        CPU_SET(first, &one);
        const auto started = [&](const Tool& tool, const char* count) {
            return tool.start(
                {text("--nproc-per-node"), text(count), program(text("arguments.py"))});
        };
        const auto limited = [&](const Tool& tool, const char* count) {
            ::sched_setaffinity(0, sizeof one, &one);
            const auto process = started(tool, count);
            ::sched_setaffinity(0, sizeof before, &before);
            return finish(*process);
        };
        for (const char* count : {"cpu", "auto"})
            QCOMPARE(limited(m_ringmaster, count).sortedLines().size(), 1);
        if (ringmaster::test::isNewestTorch())
            QCOMPARE(limited(Tool::torchrun(), "cpu").sortedLines().size(), 1);

        const ringmaster::test::ProcessorGroup group(first);
        if (!group.isUsable())
            QSKIP("a cgroup with one processor can't be made here");
        QVERIFY(group.enter());
        const auto ours = started(m_ringmaster, "cpu");
        const Tool torchrun = Tool::torchrun();
        const auto theirs = ringmaster::test::isNewestTorch() ? started(torchrun, "cpu") : nullptr;
        QVERIFY(group.leave());
        ::sched_setaffinity(0, sizeof before, &before);
        QCOMPARE(finish(*ours).sortedLines().size(), 1);
        if (theirs != nullptr)
            QCOMPARE(finish(*theirs).sortedLines().size(), 1);
    }

    void aNodeRankThatNobodyUsesIsWarnedOf()
    {
        const QStringList arguments{text("--node-rank"), text("3"), program(text("arguments.py"))};
        const Outcome ours = m_ringmaster.run(arguments);
        QCOMPARE(ours.exitCode, 0);
        QVERIFY2(ours.standardError.contains("Node rank 3 isn't used"), ours.standardError);
        if (!ringmaster::test::isNewestTorch())
            return;
        const Outcome theirs = m_torchrun.run(arguments);
        QCOMPARE(theirs.exitCode, 0);
        QVERIFY(theirs.standardError.contains("node_rank is only used for static rdzv_backend"));
    }

    void theShellsCompletionIsPrinted()
    {
        const QString options = text("--shutdown-timeout");
        for (const char* shell : {"bash", "zsh", "tcsh"}) {
            const Outcome ours = m_ringmaster.run({text("--print-completion"), text(shell)});
            QCOMPARE(ours.exitCode, 0);
            QVERIFY(ours.standardOutput.contains(options.mid(2).toUtf8()));
            QVERIFY(ours.standardOutput.contains("torchrun"));
        }
        // As bash would ask it.
        QFile script(m_ringmaster.folder() + text("/completion"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(m_ringmaster.run({text("--print-completion"), text("bash")}).standardOutput);
        script.close();
        QProcess bash;
        bash.start(text("bash"), {text("-c"),
                                  text("source \"$0\"; COMP_WORDS=(torchrun --shut); COMP_CWORD=1; "
                                       "_torchrun; echo ${COMPREPLY[*]}; "
                                       "COMP_WORDS=(torchrun --numa-binding so); COMP_CWORD=2; "
                                       "_torchrun; echo ${COMPREPLY[*]}"),
                                  script.fileName()});
        QVERIFY(bash.waitForFinished());
        QCOMPARE(bash.readAllStandardOutput(),
                 QByteArray("--shutdown-timeout --shutdown_timeout\nsocket\n"));
    }

    void aFailureEndsTheOthersAndIsSummarised_data()
    {
        QTest::addColumn<QString>("how");
        for (const char* how : {"exit3", "kill", "raise", "text"})
            QTest::newRow(how) << text(how);
    }

    void aFailureEndsTheOthersAndIsSummarised()
    {
        QFETCH(QString, how);
        const auto [theirs, ours] = both({text("--standalone"), text("--nproc-per-node"), text("2"),
                                          program(text("fail.py")), how});
        QCOMPARE(theirs.exitCode, 1);
        QCOMPARE(ours.exitCode, 1);
        QCOMPARE(summary(theirs).size(), 2);
        QCOMPARE(summary(ours), summary(theirs));
    }

    void aRecordedErrorIsShownAndCopied()
    {
        const auto variables = [](const Tool& tool) {
            return QStringList{text("TORCHELASTIC_ERROR_FILE=") + tool.folder() +
                               text("/copy.json")};
        };
        const QStringList arguments{text("--standalone"),
                                    text("--nproc-per-node"),
                                    text("2"),
                                    text("--log-dir"),
                                    text("L"),
                                    program(text("record.py"))};
        const Outcome theirs = m_torchrun.run(arguments, variables(m_torchrun));
        const Outcome ours = m_ringmaster.run(arguments, variables(m_ringmaster));
        QCOMPARE(ours.exitCode, 1);
        QVERIFY(ours.standardError.contains("ValueError: boom on 1"));
        const auto shape = [](const Tool& tool, const QString& name) {
            QJsonObject error = QJsonDocument::fromJson(contentOf(tool.folder(), name)).object();
            QJsonObject message = error[text("message")].toObject();
            const QString callStack =
                message[text("extraInfo")].toObject()[text("py_callstack")].toString();
            message[text("extraInfo")] = callStack.contains(text("ValueError: boom on 1"));
            return message;
        };
        QCOMPARE(shape(m_ringmaster, text("attempt_0/1/error.json")),
                 shape(m_torchrun, text("attempt_0/1/error.json")));
        QCOMPARE(shape(m_ringmaster, text("copy.json")), shape(m_torchrun, text("copy.json")));
        QCOMPARE(shape(m_ringmaster, text("copy.json"))[text("errorCode")].toInt(), 1);
        QCOMPARE(theirs.exitCode, 1);
    }

    void redirectedLogsLieWhereTorchrunPutsThem()
    {
        const auto [theirs, ours] =
            both({text("--standalone"), text("--nproc-per-node"), text("2"), text("--max-restarts"),
                  text("2"), text("--log-dir"), text("L"), text("-r"), text("3"),
                  program(text("flaky.py")), text("1")});
        QCOMPARE(theirs.exitCode, 0);
        QCOMPARE(ours.exitCode, 0);
        QCOMPARE(ours.standardOutput, QByteArray());
        const QString theirLogs = m_torchrun.folder() + text("/L");
        const QString ourLogs = m_ringmaster.folder() + text("/L");
        QCOMPARE(filesBelow(ourLogs), filesBelow(theirLogs));
        for (const char* name :
             {"attempt_0/0/stdout.log", "attempt_1/1/stdout.log", "attempt_1/0/stderr.log"})
            QCOMPARE(contentOf(ourLogs, text(name)), contentOf(theirLogs, text(name)));
    }

    void teedLinesHaveTheirPrefixAndFilters()
    {
        const auto [theirs, ours] =
            both({text("--standalone"), text("--nproc-per-node"), text("2"), text("--max-restarts"),
                  text("1"), text("--log-dir"), text("L"), text("-t"), text("1:3"),
                  text("--duplicate-stdout-filters"), text("rank 1"), program(text("flaky.py")),
                  text("5")});
        QCOMPARE(theirs.exitCode, 1);
        QCOMPARE(ours.exitCode, 1);
        QCOMPARE(ours.sortedLines(), theirs.sortedLines());
        QVERIFY(ours.standardOutput.contains("[default1]:out attempt 0 rank 1"));
        QVERIFY(ours.standardError.contains("[default1]:err attempt 0 rank 1"));
        const QString theirLogs = m_torchrun.folder() + text("/L");
        const QString ourLogs = m_ringmaster.folder() + text("/L");
        QCOMPARE(filesBelow(ourLogs), filesBelow(theirLogs));
        QCOMPARE(contentOf(ourLogs, text("attempt_0/filtered_stdout.log")),
                 contentOf(theirLogs, text("attempt_0/filtered_stdout.log")));
    }

    void teedLinesHaveThePrefixThatIsAskedFor()
    {
        const QStringList arguments{text("--nproc-per-node"),
                                    text("2"),
                                    text("--role"),
                                    text("r"),
                                    text("-t"),
                                    text("3"),
                                    text("--log-line-prefix-template"),
                                    text("${hostname}|${role_name}|${local_rank}|$rank|$x> "),
                                    program(text("arguments.py"))};
        // The option wins over the variable.
        const QStringList variables{text("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE=no: ")};
        const Outcome ours = m_ringmaster.run(arguments, variables);
        QCOMPARE(ours.exitCode, 0);
        const QString expected = QSysInfo::machineHostName() + text("|r|1|1|$x> ");
        QVERIFY2(ours.sortedLines().filter(expected).size() == 1, ours.standardOutput);
        if (ringmaster::test::isNewestTorch())
            QCOMPARE(ours.sortedLines(), m_torchrun.run(arguments, variables).sortedLines());
        const QStringList byVariable{program(text("arguments.py"))};
        const Outcome again =
            m_ringmaster.run(QStringList{text("-t"), text("3")} + byVariable,
                             {text("PET_LOG_LINE_PREFIX_TEMPLATE=P${rank} "), variables.front()});
        QVERIFY2(again.standardOutput.startsWith("P0 "), again.standardOutput);
    }

    void argumentsAreSubstitutedAndPassedOnUntouched_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("templates") << words("$$HOME $local_rank ${local_rank}x ${other} a$ $$");
        QTest::newRow("options of torchrun") << words("--nproc-per-node 9 -m");
    }

    void argumentsAreSubstitutedAndPassedOnUntouched()
    {
        QFETCH(QStringList, arguments);
        const auto [theirs, ours] =
            both(QStringList{text("--standalone"), program(text("arguments.py"))} + arguments);
        QCOMPARE(theirs.exitCode, 0);
        QCOMPARE(ours.sortedLines(), theirs.sortedLines());
    }

    void theEnvironmentGivesDefaults()
    {
        const auto [theirs, ours] = both({program(text("arguments.py"))},
                                         {text("PET_NPROC_PER_NODE=2"), text("PET_STANDALONE=1")});
        QCOMPARE(ours.exitCode, theirs.exitCode);
        QCOMPARE(ours.sortedLines(), theirs.sortedLines());
        QCOMPARE(ours.sortedLines().size(), 2);
    }

    void aVirtualLocalRankSeesOneDevice()
    {
        const QStringList arguments{text("--standalone"), text("--nproc-per-node"), text("2"),
                                    text("--virtual-local-rank"), program(text("arguments.py"))};
        const auto [theirs, ours] = both(arguments, {text("CUDA_VISIBLE_DEVICES=5,7")});
        QCOMPARE(ours.sortedLines(), theirs.sortedLines());
        const Outcome tooFew = m_ringmaster.run(arguments, {text("CUDA_VISIBLE_DEVICES=5")});
        QVERIFY(tooFew.exitCode != 0);
        QVERIFY(tooFew.standardError.contains("CUDA_VISIBLE_DEVICES"));
    }

    /// Refused before anything starts: 2, where torchrun has 2 for some and 1 for others.
    void wrongOptionsAreRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QByteArray>("says");
        const QString script = program(text("arguments.py"));
        QTest::newRow("unknown") << QStringList{text("--foo"), script} << QString()
                                 << QByteArray("--foo");
        QTest::newRow("redirect mask")
            << QStringList{text("-r"), text("4"), script} << QString() << QByteArray("4");
        QTest::newRow("nodes") << QStringList{text("--nnodes"), text("2:1"), script} << QString()
                               << QByteArray("min_nodes");
        QTest::newRow("backend") << QStringList{text("--rdzv-backend"), text("zzz"), script}
                                 << QString() << QByteArray("zzz");
        QTest::newRow("boolean") << QStringList{script} << text("PET_STANDALONE=true")
                                 << QByteArray("PET_STANDALONE");
        QTest::newRow("no workers") << QStringList{text("--nproc-per-node"), text("0"), script}
                                    << QString() << QByteArray("0");
    }

    void wrongOptionsAreRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, variable);
        QFETCH(QByteArray, says);
        const QStringList variables = variable.isEmpty() ? QStringList() : QStringList{variable};
        const auto [theirs, ours] = both(arguments, variables);
        QVERIFY(theirs.exitCode == 1 || theirs.exitCode == 2);
        QCOMPARE(ours.exitCode, 2);
        QVERIFY2(ours.standardError.contains(says), ours.standardError.constData());
        QCOMPARE(ours.standardOutput, QByteArray());
    }

    void aSignalReachesTheWorkers_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("SIGTERM") << SIGTERM << QStringList();
        QTest::newRow("SIGINT") << SIGINT << QStringList();
        QTest::newRow("SIGHUP") << SIGHUP << QStringList();
        QTest::newRow("SIGUSR1") << SIGUSR1 << words("--signals-to-handle SIGUSR1,SIGTERM");
    }

    void aSignalReachesTheWorkers()
    {
        QFETCH(int, signal);
        QFETCH(QStringList, options);
        QStringList outputs[2];
        int codes[2] = {};
        int index = 0;
        for (const Tool* tool : {&m_torchrun, &m_ringmaster}) {
            const auto process =
                tool->start(QStringList{text("--standalone"), text("--nproc-per-node"), text("2")} +
                            options + QStringList{program(text("signals.py"))});
            QVERIFY(waitForOutput(*process, "rank 0 ready"));
            QVERIFY(waitForOutput(*process, "rank 1 ready"));
            ::kill(static_cast<pid_t>(process->processId()), signal);
            const Outcome outcome = finish(*process);
            codes[index] = outcome.exitCode;
            outputs[index] = outcome.sortedLines().filter(text("saw"));
            ++index;
        }
        QCOMPARE(codes[1], codes[0]);
        // torchrun now and then kills its workers before they have said anything.
        if (!outputs[0].isEmpty())
            QCOMPARE(outputs[1], outputs[0]);
        QCOMPARE(outputs[1].size(), 2);
        for (const QString& line : outputs[1])
            QVERIFY2(line.endsWith(text("saw SIG") + text(sigabbrev_np(signal))), qPrintable(line));
    }

    void aRendezvousThatNobodyJoinsTimesOut()
    {
        const auto arguments = [] {
            return QStringList{text("--nnodes"),        text("2"),
                               text("--rdzv-backend"),  text("c10d"),
                               text("--rdzv-endpoint"), text("localhost:%1").arg(freePort()),
                               text("--rdzv-id"),       text("a"),
                               text("--rdzv-conf"),     text("join_timeout=3"),
                               program(text("show.py"))};
        };
        const auto theirs = m_torchrun.start(arguments());
        QElapsedTimer timer;
        timer.start();
        const Outcome ours = m_ringmaster.run(arguments());
        // Whoever waits for the usual ten minutes is killed before.
        QCOMPARE(ours.exitCode, 1);
        QVERIFY(timer.elapsed() >= 2'500);
        QVERIFY2(ours.standardError.contains("The rendezvous did not complete within 3 s"),
                 ours.standardError.constData());
        QCOMPARE(finish(*theirs).exitCode, 1);
    }

    void aSignalBeforeTheFirstStartEndsTheAgentWithIt()
    {
        const auto process =
            m_ringmaster.start({text("--nnodes"), text("2"), text("--rdzv-backend"), text("c10d"),
                                text("--rdzv-endpoint"), text("localhost:%1").arg(freePort()),
                                text("--rdzv-id"), text("a"), program(text("show.py"))});
        QByteArray said;
        const auto isWaiting = [&] {
            said += process->readAllStandardError();
            return said.contains("rendezvous");
        };
        QTRY_VERIFY(isWaiting());
        ::kill(static_cast<pid_t>(process->processId()), SIGTERM);
        QCOMPARE(finish(*process).exitCode, 128 + SIGTERM);
    }
};

QTEST_GUILESS_MAIN(tst_acceptance)
#include "tst_acceptance.moc"
