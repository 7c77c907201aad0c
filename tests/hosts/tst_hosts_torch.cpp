#include "tests/hosts/LabRuns.h"
#include "tests/support/TorchInterpreter.h"

#include <QJsonObject>
#include <QRegularExpression>

#include <csignal>

namespace {

constexpr int ForTorch = 180'000;

/// Of one rank that waits for the stopped one, or of both, which may have been stopped inside its
/// call, too.
const QString Waiting =
    QStringLiteral("can't go on: (?:it waits|they wait|it is|they are) in all_reduce #(\\d+)");

} // namespace

/// Three hosts over ssh, with workers that meet in a gloo group.
class tst_hosts_torch : public QObject
{
    Q_OBJECT

private:
    QStringList run(const QStringList& options, const char* steps) const
    {
        return QStringList{"run",         "--quiet", "--python",
                           m_interpreter, "--hosts", "lab1,lab2,lab3"} +
               options + QStringList{"steps.py", steps};
    }

    QString m_interpreter;

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
        m_interpreter = ringmaster::test::torchInterpreter();
        if (m_interpreter.isEmpty())
            QSKIP("no interpreter with torch");
    }

    void oneGroupOverThreeHosts()
    {
        Lab lab;
        const auto process = lab.start(run({"--nproc-per-node", "2"}, "3"));
        const auto outcome = Ringmaster::finish(*process, ForTorch);
        QVERIFY2(outcome.exitCode == 0, (outcome.error + outcome.output).right(4000));
        QCOMPARE(outcome.output.count(" of 6 on lab"), 6);
        QCOMPARE(outcome.output.count("sum 15"), 6);
    }

    void aStoppedRankOfAFarHostIsNamedByTheLead()
    {
        Lab lab;
        const auto process = lab.start(
            {"run", "--python", m_interpreter, "--hosts", "lab1,lab2,lab3", "steps.py", "100000"});
        QByteArray text;
        const auto told = [&]() -> QByteArray& {
            text += process->readAllStandardError();
            return outputOf(*process, text);
        };
        QTRY_VERIFY2_WITH_TIMEOUT(told().count(" of 3 on lab") == 3, text, ForTorch);
        const qsizetype at = text.indexOf(" of 3 on lab2");
        const QByteArray rank = text.mid(at - 1, 1);
        QVERIFY2(text.mid(at - 6, 5) == "rank ", text);
        // In the middle of its training, not before it has begun.
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains("step 20"), text, ForTorch);
        Lab::on("lab2", {"pkill", "-STOP", "-f", "[s]teps.py 100000"});
        QElapsedTimer since;
        since.start();
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(" rank " + rank + ", which is stopped"), text,
                                  ForTorch);
        qInfo("named after %lld ms", static_cast<long long>(since.elapsed()));
        QVERIFY2(QString::fromUtf8(text).contains(QRegularExpression(Waiting)),
                 text.right(700).constData());
        Lab::on("lab2", {"pkill", "-CONT", "-f", "[s]teps.py 100000"});
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForTorch).exitCode, 1);
    }

    /// Its operations are counted from one again: who is absent from #40 isn't who was in #300.
    void aFarWorkerThatReplacedItselfIsFollowed()
    {
        Lab lab;
        const auto process =
            lab.start({"run", "--python", m_interpreter, "--hosts", "lab1,lab2,lab3", "again.py"});
        QByteArray text;
        const auto told = [&]() -> QByteArray& {
            text += process->readAllStandardError();
            return outputOf(*process, text);
        };
        const auto isAgain = [&] {
            const QByteArray latest = told().mid(text.lastIndexOf("ringmaster: attempt "));
            return latest.count("again, rank ") == 3;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isAgain(), text, ForTorch);
        Lab::on("lab2", {"pkill", "-STOP", "-f", "[a]gain.py again"});
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(", which is stopped"), text, ForTorch);
        const auto named = QRegularExpression(Waiting).match(QString::fromUtf8(text));
        QVERIFY2(named.hasMatch(), text.right(700).constData());
        QVERIFY2(named.captured(1).toInt() < 300, text.right(700).constData());
        Lab::on("lab2", {"pkill", "-CONT", "-f", "[a]gain.py again"});
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForTorch).exitCode, 1);
    }

    void theGroupGoesOnWithoutAHostAndTakesItBack()
    {
        Lab lab;
        const auto process = lab.start(run({"--nnodes", "2:3"}, "100000"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 3 on lab") == 3, text,
                                  ForTorch);
        Lab::turn({"cut", "lab2"});
        text.clear();
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 2 on lab") == 2, text,
                                  ForTorch);
        Lab::turn({"heal", "lab2"});
        text.clear();
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count(" of 3 on lab") == 3, text,
                                  ForTorch);
        QVERIFY(text.contains("restart 0"));
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*process, ForTorch).exitCode, 1);
        for (const char* host : {"lab1", "lab2", "lab3"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForTorch);
    }
};

int main_tst_hosts_torch(int argc, char** argv)
{
    return runInLab(argc, argv, "3", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_hosts_torch test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_hosts_torch.moc"
